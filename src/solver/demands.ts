import type { Agent, Spares, Step, Vec3, Vec3Like, Wish } from '../types.js'
import type { Obstacle } from '../obstacles/obstacle.js'
import type { Ignore, Obstacles } from '../obstacles/obstacles.js'
import { ObstacleMap } from './obstacle-map.js'
import { Bar } from './bar.js'
import type { Constraint, Limits, QueueOrder, Scanner } from './constraint.js'
import { Program } from './program.js'
import { addScaled, copy, distance, length, scale, vec3 } from '../math/vec3.js'

/** A goal that is at another distance than was told, by more than this share, was told by another one. */
const ROUNDING = 1e-9

const ahead = vec3()

/** What constraints have said of one agent in one step. How it is answered is up to who collects it. */
export abstract class Demands implements Limits {
  /** The velocity that the wish wants, m/s, and that which leads to the same goal by a way that is free. */
  readonly asked: Vec3 = vec3()
  readonly wanted: Vec3 = vec3()
  /** Where it would go if no half-space held it, m/s: the answer of those who choose a direction. */
  readonly planned: Vec3 = vec3()
  /** Distance (m) beyond which nothing is in the way. */
  reach = Infinity
  /** Where it will stop (m, world axes), if there is such a place. */
  readonly goal: Vec3 = vec3()
  hasGoal = false
  spares: Spares | undefined
  order: QueueOrder | undefined
  /** Whether to get out of here first of all, the unit direction, and how fast at most, m/s. */
  leaving = false
  readonly exit: Vec3 = vec3()
  exitPace = Infinity
  protected readonly program: Program = new Program()
  protected readonly bars: Bar[] = []
  protected count = 0
  protected readonly scanners: Scanner[] = []
  protected readonly scannerOwners: number[] = []
  protected scanning = 0
  /** Who wants to get out of here. */
  private leaver = 0

  readonly map: ObstacleMap = new ObstacleMap()

  /** Asks all constraints for the obstacles that they know, before the wish is heard. */
  survey(agent: Agent, step: Step, constraints: readonly Constraint[]): void {
    this.map.clear()
    this.spares = undefined
    this.order = undefined
    for (let i = 0; i < constraints.length; i++) constraints[i]!.survey?.(agent, step, this)
  }

  solid(obstacles: Obstacles, hull: number, clearance: number, ignore?: Ignore): void {
    this.map.add(obstacles, hull, clearance, ignore)
  }

  abstract atLeast(towards: Vec3Like, least: number, yields?: boolean): void

  abstract wall(obstacle: Obstacle, horizon: number, hull: number): void

  /** Asks all of them. What each demands goes by his place in the list, see `blame`. */
  hear(agent: Agent, step: Step, constraints: readonly Constraint[]): void {
    for (let i = 0; i < constraints.length; i++) {
      this.program.asker = i
      constraints[i]!.constrain(agent, step, this)
    }
  }

  leave(direction: Vec3Like, pace = Infinity): void {
    if (this.leaving) return
    this.leaving = true
    this.leaver = this.program.asker
    copy(this.exit, direction)
    this.exitPace = pace
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

  /** By how much (m/s) each asker's demands are violated by the velocity `solved`: raises `lacks`, `[askers]`. To be called after the answer. */
  lacking(lacks: Float64Array, solved: Vec3Like): void {
    this.program.lacking(lacks, solved)
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

  /** Nothing has been said yet of the velocity `wanted`, of which that was heard. */
  protected forget({ position }: Agent, wanted: Vec3Like, heard: Readonly<Wish> | null): void {
    const off = heard?.distance ?? Infinity
    copy(this.asked, wanted)
    copy(this.wanted, wanted)
    this.reach = heard === null ? Infinity : Math.min(off, heard.straight)
    this.spares = heard?.spares
    this.hasGoal = off < Infinity
    if (heard !== null && this.hasGoal) {
      const isPlaced = heard.isPlaced && Math.abs(distance(heard.goal, position) - off) <= ROUNDING * off
      const speed = isPlaced ? 0 : length(wanted)
      if (isPlaced) copy(this.goal, heard.goal)
      else addScaled(this.goal, position, wanted, speed > 0 ? off / speed : 0)
    }
    this.count = this.scanning = 0
    this.leaving = false
    this.program.clear()
  }
}
