import type { Step } from '../types.js'
import { copy, vec3 } from '../math/vec3.js'

/** SnapshotState the step that all agents share as it was when they began to think. */
export class StepSeal {
  private dt = 0
  private time = 0
  private tick = 0
  private emit: unknown = null
  private up: Step['up'] = vec3()
  private readonly upComponents = vec3()

  begin(step: Omit<Step, 'emit'> & { readonly emit: unknown }): void {
    this.dt = step.dt
    this.time = step.time
    this.tick = step.tick
    this.emit = step.emit
    this.up = step.up
    copy(this.upComponents, step.up)
  }

  /** False where somebody has changed the step: it is put right again. */
  isIntact(step: Step): boolean {
    const { dt, emit, tick, time, up, upComponents } = this
    if (
      step.dt === dt &&
      step.time === time &&
      step.tick === tick &&
      step.emit === emit &&
      step.up === up &&
      up.x === upComponents.x &&
      up.y === upComponents.y &&
      up.z === upComponents.z
    )
      return true
    Object.assign(up, upComponents)
    Object.assign(step, { dt, emit, tick, time, up })
    return false
  }
}
