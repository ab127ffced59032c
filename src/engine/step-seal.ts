import type { Step } from '../types.js'
import { copy, vec3 } from '../math/vec3.js'

/** SnapshotState the step that all agents share as it was when they began to think. */
export class StepSeal {
  private dt = 0
  private time = 0
  private tick = 0
  private emit: unknown = null
  private up: Step['up'] = vec3()
  private readonly upward = vec3()

  begin(step: Omit<Step, 'emit'> & { readonly emit: unknown }): void {
    this.dt = step.dt
    this.time = step.time
    this.tick = step.tick
    this.emit = step.emit
    this.up = step.up
    copy(this.upward, step.up)
  }

  /** False where somebody has changed the step: it is put right again. */
  isWhole(step: Step): boolean {
    const { dt, emit, tick, time, up, upward } = this
    if (
      step.dt === dt &&
      step.time === time &&
      step.tick === tick &&
      step.emit === emit &&
      step.up === up &&
      up.x === upward.x &&
      up.y === upward.y &&
      up.z === upward.z
    )
      return true
    Object.assign(up, upward)
    Object.assign(step, { dt, emit, tick, time, up })
    return false
  }
}
