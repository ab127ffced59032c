import type { Spares, Vec3, Vec3Like } from '../types.js'
import type { Obstacle } from '../obstacles/obstacle.js'
import { Bar } from './bar.js'
import type { Limits, Scanner } from './constraint.js'
import { Program } from './program.js'
import { copy, vec3 } from '../math/vec3.js'

/** What constraints have said of one agent in one step. How it is answered is up to who collects it. */
export abstract class Demands implements Limits {
  readonly wanted: Vec3 = vec3()
  reach = Infinity
  spares: Spares | undefined
  /** Whether to get out of here first of all, and the unit direction. */
  leaving = false
  readonly exit: Vec3 = vec3()
  protected readonly program: Program = new Program()
  protected readonly bars: Bar[] = []
  protected count = 0
  protected readonly scanners: Scanner[] = []
  protected scanning = 0

  abstract atLeast(towards: Vec3Like, least: number, yields?: boolean): void

  abstract wall(obstacle: Obstacle, horizon: number, hull: number): void

  leave(direction: Vec3Like): void {
    if (this.leaving) return
    this.leaving = true
    copy(this.exit, direction)
  }

  bar(obstacle: Obstacle, horizon: number, hull: number, margin: number): void {
    const { bars, count } = this
    if (count === bars.length) bars.push(new Bar(obstacle))
    bars[count]!.set(obstacle, horizon, hull, margin)
    this.count++
  }

  scan(scanner: Scanner): void {
    this.scanners[this.scanning++] = scanner
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
