import type { Agent, SnapshotState, Step, Vec3Like, Wrench } from '../../types.js'
import type { Obstacles } from '../../obstacles/obstacles.js'
import { drive } from '../../control/drive.js'
import { Memory } from '../../control/memory.js'
import { brakingSpeed } from '../../control/profile.js'
import { TAU } from '../../math/scalar.js'
import { addScaled, copy, cross, distance, isZero, load, normalize } from '../../math/vec3.js'
import { perpendicular, save, scale, sub, vec3 } from '../../math/vec3.js'
import type { VehicleLimits } from '../directed-seek/vehicle-limits.js'
import { clearWay, inTheWay } from './in-the-way.js'
import type { DirectedPath } from './directed-path.js'
import { reportGoal } from '../../control/wish.js'

// what is kept for each agent
const UNTIL = 0
const AIM = 1
const WIDTH = 4

/** So many ways out are looked at, on a cone about the way back. */
const WAYS = 8
const BACK = 0.5

/** How far it backs off, radii: farther each time, up to so many times. */
const STRIDE = 3
const MOST = 4

/** There within so many radii; and no longer on the way than so many times what that should take, and a moment, s. */
const THERE = 1
const SLACK = 2
const MOMENT = 1

/** Waypoints that are looked for behind. */
const LOOKS = 16

/** A waypoint where it is counts as behind. */
const HERE = 1e-6

const aim = vec3()
const best = vec3()
const ahead = vec3()
const side = vec3()
const other = vec3()
const way = vec3()

/** How who is stuck gets free: by a place to fly to first. Constraints apply on the way there as on any other. */
export class Detour {
  private readonly memory = new Memory(WIDTH)
  readonly state: SnapshotState = [this.memory]

  /** Back to the last waypoint before `u` that can be seen, where the target cannot. @returns where that is; NaN for no such place. */
  goBack(
    agent: Agent,
    step: Step,
    lane: DirectedPath,
    u: number,
    target: Vec3Like,
    obstacles: Obstacles,
  ): number {
    if (inTheWay(obstacles, agent.radius, agent.position, target) === null) return NaN
    let from = u + HERE * lane.path.lap
    for (let k = 0; k < LOOKS; k++) {
      const there = lane.lastStation(from)
      if (!(there < from)) return NaN
      from = there
      if (inTheWay(obstacles, agent.radius, agent.position, lane.pointAt(aim, there)) !== null) continue
      this.begin(agent, step)
      return there
    }
    return NaN
  }

  /**
   * Backs off to a side, each time farther: the clearest of some that the seed draws, with no obstacles known the first. Green lets the stuck
   * ignore obstacles for a few iterations instead; nobody goes through anything here.
   */
  backOff(agent: Agent, step: Step, target: Vec3Like, tries: number, obstacles: Obstacles | undefined): void {
    const stride = STRIDE * agent.radius * Math.min(1 + tries, MOST)
    normalize(ahead, sub(ahead, target, agent.position))
    if (isZero(ahead)) copy(ahead, agent.course.x)
    perpendicular(side, ahead)
    cross(other, ahead, side)
    const start = TAU * agent.random()
    let most = -1
    for (let k = 0; k < WAYS; k++) {
      const angle = start + (TAU * k) / WAYS
      scale(way, ahead, -BACK)
      addScaled(way, way, side, Math.cos(angle))
      addScaled(way, way, other, Math.sin(angle))
      normalize(way, way)
      const free = obstacles === undefined ? stride : clearWay(obstacles, agent, way, stride)
      if (!(free > most)) continue
      most = free
      addScaled(best, agent.position, way, free)
    }
    copy(aim, best)
    this.begin(agent, step)
  }

  /** Whether an agent is on its way to such a place; then adds its force. */
  fly(agent: Agent, step: Step, terms: VehicleLimits, out: Wrench): boolean {
    const at = this.memory.at(agent)
    const { data } = this.memory
    if (!(data[at + UNTIL]! > step.time)) return false
    load(aim, data, at + AIM)
    const off = distance(aim, agent.position)
    if (off < THERE * agent.radius) {
      data[at + UNTIL] = 0
      return false
    }
    const pace = Math.min(terms.cruise, brakingSpeed(off, terms.brake, 0, terms.response))
    scale(way, sub(way, aim, agent.position), pace / off)
    drive(agent, step, way, out.force)
    reportGoal(agent, aim)
    return true
  }

  /** Ends it. */
  forget(agent: Agent): void {
    this.memory.data[this.memory.at(agent) + UNTIL] = 0
  }

  /** Begins with `aim`. */
  private begin(agent: Agent, step: Step): void {
    const at = this.memory.at(agent)
    const { data } = this.memory
    const off = distance(aim, agent.position)
    const speed = Math.min(agent.maxSpeed, Math.sqrt((off * agent.maxForce) / agent.mass))
    data[at + UNTIL] = step.time + MOMENT + SLACK * (speed > 0 ? (2 * off) / speed : 0)
    save(aim, data, at + AIM)
  }
}
