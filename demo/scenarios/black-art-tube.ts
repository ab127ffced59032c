import {
  CylinderShape,
  HollowShape,
  Obstacles,
  SphereShape,
  type Quat,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import { distance } from './metrics.js'
import { direction, evenly, plus, turnAbout, vec, type Random } from './vectors.js'

/**
 * Shared by all columns of the scene: a tube around the y axis, rocks that drift in it, and a goal for each
 * drone at both ends.
 */

/** Radius of the tube (m), and half its length (m). */
export const TUBE = 5.5
export const HALF_LENGTH = 16

/** Radius of a drone (m). */
export const DRONE = 0.5

const ROCKS = 5
/** Distance from a goal to the wall and to the end of the tube (m). */
const EDGE = 1.3
/** Clearance around a start position (m). */
const CLEAR = 1.2

export interface Rock {
  readonly radius: number
  readonly position: Vec3
  readonly velocity: Vec3
  readonly quaternion: Quat
}

/**
 * Rocks that circle slowly about the axis and rise and fall a little, each at its own height. They do not
 * avoid drones.
 */
export class DriftingRocks {
  readonly rocks: readonly Rock[]
  readonly #drift: readonly ((time: number, rock: Rock) => void)[]

  constructor(random: Random) {
    this.rocks = Array.from({ length: ROCKS }, () => ({
      radius: evenly(random, 0.9, 1.5),
      position: vec(0, 0, 0),
      velocity: vec(0, 0, 0),
      quaternion: { x: 0, y: 0, z: 0, w: 1 },
    }))
    this.#drift = this.rocks.map((_, k) => {
      const storey = 4.6 * (k - (ROCKS - 1) / 2)
      const axisDistance = evenly(random, 0.6, 2.8)
      const start = evenly(random, 0, 2 * Math.PI)
      const turn = (random() < 0.5 ? -1 : 1) * evenly(random, 0.1, 0.24)
      const sway = evenly(random, 0.08, 0.18)
      const axis = direction(random)
      const spin = evenly(random, 0.1, 0.4)
      return (time, { position, velocity, quaternion }) => {
        const angle = start + turn * time
        position.x = axisDistance * Math.cos(angle)
        position.z = axisDistance * Math.sin(angle)
        position.y = storey + 0.6 * Math.sin(sway * time)
        velocity.x = -turn * position.z
        velocity.z = turn * position.x
        velocity.y = 0.6 * sway * Math.cos(sway * time)
        Object.assign(quaternion, turnAbout(axis, spin * time))
      }
    })
    this.moveTo(0)
  }

  moveTo(time: number): void {
    for (const [k, rock] of this.rocks.entries()) this.#drift[k]!(time, rock)
  }

  /** Obstacles that follow the rocks. */
  obstacles(): Obstacles {
    const obstacles = new Obstacles()
    for (const rock of this.rocks) obstacles.add({ shape: new SphereShape(rock.radius), at: rock })
    return obstacles
  }
}

export function makeTube(): Obstacles {
  const tube = new Obstacles()
  tube.add({ shape: new HollowShape(new CylinderShape(TUBE, 2 * HALF_LENGTH)) })
  return tube
}

/** Clearance of a drone from the wall and the ends of the tube (m). */
export function wallClearance({ x, y, z }: Vec3Like): number {
  return Math.min(TUBE - Math.hypot(x, z), HALF_LENGTH - Math.abs(y)) - DRONE
}

/**
 * Goal of drone `index` of `count` at the lower (−1) or upper (1) end. The two goals are opposite each other,
 * so that all paths cross the axis.
 */
export function berth(index: number, count: number, end: -1 | 1): Vec3 {
  const rim = (TUBE - EDGE) * Math.sqrt((index + 0.5) / count)
  const angle = index * Math.PI * (3 - Math.sqrt(5)) + (end > 0 ? Math.PI : 0)
  return vec(rim * Math.cos(angle), end * (HALF_LENGTH - EDGE), rim * Math.sin(angle))
}

/** Start of a drone. */
export interface Start {
  readonly position: Vec3Like
  /** End of the tube that it flies to. */
  readonly end: -1 | 1
}

/** Half of the drones fly to each end. They start at random points of their paths with enough clearance. */
export function startsOf(count: number, rocks: readonly Rock[], random: Random): Start[] {
  const starts: Start[] = []
  for (let index = 0; index < count; index++) {
    const end = index % 2 === 0 ? 1 : -1
    const from = berth(index, count, end === 1 ? -1 : 1)
    const offset = plus(berth(index, count, end), from, -1)
    let position = from
    for (let tries = 0; tries < 40; tries++) {
      const at = plus(from, offset, evenly(random, 0, 0.8))
      const free =
        rocks.every((rock) => distance(rock.position, at) > rock.radius + DRONE + CLEAR) &&
        starts.every((other) => distance(other.position, at) > 2 * DRONE + CLEAR)
      if (!free) continue
      position = at
      break
    }
    starts.push({ position, end })
  }
  return starts
}
