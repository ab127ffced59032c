import type { Vec3, Vec3Like } from '../types.js'
import { copy, isFiniteVec, isZero, set, vec3 } from '../math/vec3.js'
import { show } from '../math/show.js'
import type { Blame } from './faults.js'

/** Gravity and the upward direction of a world, which anybody may write: what is not finite is put back to what it was. */
export class Surroundings {
  private readonly gravity: Vec3
  private readonly up: Vec3
  private readonly lastGravity = vec3()
  private readonly lastUp = vec3()
  private readonly noteFault: Blame

  constructor(gravity: Vec3, up: Vec3Like, blame: Blame) {
    this.gravity = gravity
    this.up = up
    copy(this.lastGravity, gravity)
    copy(this.lastUp, up)
    this.noteFault = blame
  }

  check(): void {
    const { gravity, lastGravity, lastUp, up } = this
    if (isFiniteVec(gravity)) copy(lastGravity, gravity)
    else this.refuse('gravity', gravity, lastGravity)
    if (isFiniteVec(up) && !isZero(up)) copy(lastUp, up)
    else this.refuse('up', up, lastUp)
  }

  private refuse(name: 'gravity' | 'up', value: Vec3, last: Vec3Like): void {
    this.noteFault(
      -1,
      'world',
      `input ${name}`,
      `${name}: got ${show(value)}, must be finite; it stays as it was`,
    )
    set(value, last.x, last.y, last.z)
  }
}
