import type { Agent, Spares, Step, Vec3, Vec3Like } from '../types.js'
import type { Obstacle } from '../obstacles/obstacle.js'
import { Bar } from './bar.js'
import type { Constraint, Limits, Scanner } from './constraint.js'
import { Program } from './program.js'
import { copy, length, scale, vec3 } from '../math/vec3.js'

const ahead = vec3()

/** What constraints have said of one agent in one step. How it is answered is up to who collects it. */
export abstract class Demands implements Limits {
  readonly wanted: Vec3 = vec3()
  /** Where it would go if no half-space held it, m/s: the answer of those who choose a direction. */
  readonly planned: Vec3 = vec3()
  reach = Infinity
  spares: Spares | undefined
  /** Whether to get out of here first of all, and the unit direction. */
  leaving = false
  readonly exit: Vec3 = vec3()
  protected readonly program: Program = new Program()
  protected readonly bars: Bar[] = []
  protected count = 0
  protected readonly scanners: Scanner[] = []
  protected readonly scannerOwners: number[] = []
  protected scanning = 0
  /** Who wants to get out of here. */
  private leaver = 0

  abstract atLeast(towards: Vec3Like, least: number, yields?: boolean): void

  abstract wall(obstacle: Obstacle, horizon: number, hull: number): void

  /** Asks all of them. What each demands goes by his place in the list, see `blame`. */
  hear(agent: Agent, step: Step, constraints: readonly Constraint[]): void {
    for (let i = 0; i < constraints.length; i++) {
      this.program.asker = i
      constraints[i]!.constrain(agent, step, this)
    }
  }

  leave(direction: Vec3Like): void {
    if (this.leaving) return
    this.leaving = true
    this.leaver = this.program.asker
    copy(this.exit, direction)
  }

  bar(obstacle: Obstacle, horizon: number, hull: number, margin: number): void {
    const { bars, count } = this
    if (count === bars.length) bars.push(new Bar(obstacle))
    bars[count]!.set(obstacle, horizon, hull, margin)
    bars[count]!.owner = this.program.asker
    this.count++
  }

  scan(scanner: Scanner): void {
    this.scannerOwners[this.scanning] = this.program.asker
    this.scanners[this.scanning++] = scanner
  }

  /** Lets all who look around tell of the bars within `angle` (rad) of the unit `axis`. */
  protected scanAll(agent: Agent, axis: Vec3Like, angle: number): void {
    for (let i = 0; i < this.scanning; i++) {
      this.program.asker = this.scannerOwners[i]!
      this.scanners[i]!.scan(agent, axis, angle, this)
    }
  }

  /**
   * Who is to blame that `wanted` became `solved` (m/s): adds the change that each asker made, `[3 × askers]`, by the direction and pace that
   * were planned first, and by the half-spaces then. To be called after the answer.
   */
  blame(moves: Float64Array, wanted: Vec3Like, solved: Vec3Like): void {
    const { planned } = this
    const turner = 3 * (this.leaving ? this.leaver : this.blocker())
    moves[turner]! += planned.x - wanted.x
    moves[turner + 1]! += planned.y - wanted.y
    moves[turner + 2]! += planned.z - wanted.z
    this.program.share(moves, planned, solved)
  }

  /** Whose bar the wanted velocity would hit first; else whose is nearest. */
  private blocker(): number {
    const speed = length(this.wanted)
    let owner = 0
    let first = Infinity
    let nearest = Infinity
    scale(ahead, this.wanted, speed > 0 ? 1 / speed : 0)
    for (let i = 0; i < this.count; i++) {
      const bar = this.bars[i]!
      const way = speed > 0 ? bar.free(ahead.x, ahead.y, ahead.z, speed) : Infinity
      if (!(way < first || (first === Infinity && bar.gap < nearest))) continue
      first = way
      nearest = bar.gap
      owner = bar.owner
    }
    return owner
  }

  /** Nothing has been said yet of the velocity `wanted`, for a place that is `reach` (m) away. */
  protected forget(wanted: Vec3Like, reach: number, spares: Spares | undefined): void {
    copy(this.wanted, wanted)
    this.reach = reach
    this.spares = spares
    this.count = this.scanning = 0
    this.leaving = false
    this.program.clear()
  }
}
