import type { Vec3, Vec3Like } from '../types.js'
import { copy, isFiniteVec, isZero, set, vec3 } from '../math/vec3.js'
import { show } from '../math/show.js'
import type { ReportFault } from './faults.js'

/**
 * Checks gravity and upward direction of a world, which users may write: values that are not finite are reset
 * to the last valid ones.
 */
export class Surroundings {
  private readonly gravity: Vec3
  private readonly up: Vec3
  private readonly validGravity = vec3()
  private readonly validUp = vec3()
  private readonly report: ReportFault

  constructor(gravity: Vec3, up: Vec3Like, report: ReportFault) {
    this.gravity = gravity
    this.up = up
    copy(this.validGravity, gravity)
    copy(this.validUp, up)
    this.report = report
  }

  check(): void {
    const { gravity, validGravity, validUp, up } = this
    if (isFiniteVec(gravity)) copy(validGravity, gravity)
    else this.reset('gravity', gravity, validGravity)
    if (isFiniteVec(up) && !isZero(up)) copy(validUp, up)
    else this.reset('up', up, validUp)
  }

  private reset(name: 'gravity' | 'up', value: Vec3, last: Vec3Like): void {
    this.report(
      -1,
      'world',
      `input ${name}`,
      `${name}: got ${show(value)}, must be finite; it stays as it was`,
    )
    set(value, last.x, last.y, last.z)
  }
}
