import type { Quat, Vec3 } from 'three-steering'
import type { MovingFrame } from 'three-steering/authoring'
import { turnAbout, vec } from './vectors.js'

/**
 * Orbit: radius (m), speed (m/s), height of its centre (m), and distance of its centre from the middle of the
 * arena (m).
 */
const ORBIT = { radius: 230, speed: 46, height: 130, distance: 520 }
/** Bank of a coordinated turn (rad). */
const BANK = Math.atan(ORBIT.speed ** 2 / ORBIT.radius / 9.81)

/** A large aircraft that circles behind its team. New fighters form up on it. It moves on a fixed orbit. */
export class Tanker implements MovingFrame {
  readonly position: Vec3 = vec(0, 0, 0)
  readonly velocity: Vec3 = vec(0, 0, 0)
  readonly quaternion: Quat = { x: 0, y: 0, z: 0, w: 1 }
  readonly angularVelocity: Vec3 = vec(0, ORBIT.speed / ORBIT.radius, 0)
  readonly side: number

  /** @param side −1 or 1: the end of the arena where it circles. */
  constructor(side: number) {
    this.side = side
    this.place(0)
  }

  place(time: number): void {
    const { radius, speed, height, distance } = ORBIT
    const angle = (speed / radius) * time + (this.side > 0 ? 0 : Math.PI)
    const ahead = vec(Math.cos(angle), 0, -Math.sin(angle))
    Object.assign(
      this.position,
      vec(radius * Math.sin(angle), height, radius * Math.cos(angle) + this.side * distance),
    )
    Object.assign(this.velocity, vec(speed * ahead.x, 0, speed * ahead.z))
    // nose +Z along the course, then the bank into the turn, which goes to port (+X)
    const heading = turnAbout(vec(0, 1, 0), Math.atan2(ahead.x, ahead.z))
    const bank = turnAbout(vec(0, 0, 1), -BANK)
    Object.assign(this.quaternion, {
      x: heading.w * bank.x + heading.y * bank.z,
      y: heading.y * bank.w,
      z: heading.w * bank.z - heading.y * bank.x,
      w: heading.w * bank.w,
    })
  }
}
