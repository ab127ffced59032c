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

/** What all columns of the black art have in common: a tube around the y axis, rocks adrift in it, and a berth for each drone at either end. */

/** Of the tube, m, as everything here. */
export const TUBE = 5.5
export const HALF_LENGTH = 16

/** Of a drone, m. */
export const DRONE = 0.5

const ROCKS = 5
/** From berth to wall and end, m. */
const EDGE = 1.3
/** Free about whoever starts, m. */
const CLEAR = 1.2

export interface Rock {
  readonly radius: number
  readonly position: Vec3
  readonly velocity: Vec3
  readonly quaternion: Quat
}

/** Rocks on slow rounds about the axis, up and down a little, each on a storey of its own. They mind nobody. */
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
      const off = evenly(random, 0.6, 2.8)
      const start = evenly(random, 0, 2 * Math.PI)
      const turn = (random() < 0.5 ? -1 : 1) * evenly(random, 0.1, 0.24)
      const sway = evenly(random, 0.08, 0.18)
      const axis = direction(random)
      const spin = evenly(random, 0.1, 0.4)
      return (time, { position, velocity, quaternion }) => {
        const angle = start + turn * time
        position.x = off * Math.cos(angle)
        position.z = off * Math.sin(angle)
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

  /** A set of obstacles that follow them. */
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

/** Distance from the ball of a drone to the wall or the end of the tube, m. */
export function roomOf({ x, y, z }: Vec3Like): number {
  return Math.min(TUBE - Math.hypot(x, z), HALF_LENGTH - Math.abs(y)) - DRONE
}

/** Berth of drone `index` of `count` at the lower (−1) or upper (1) end: opposite each other, so that all ways cross the axis. */
export function berth(index: number, count: number, end: -1 | 1): Vec3 {
  const rim = (TUBE - EDGE) * Math.sqrt((index + 0.5) / count)
  const angle = index * Math.PI * (3 - Math.sqrt(5)) + (end > 0 ? Math.PI : 0)
  return vec(rim * Math.cos(angle), end * (HALF_LENGTH - EDGE), rim * Math.sin(angle))
}

/** One drone as it starts. */
export interface Start {
  readonly position: Vec3Like
  /** Where it is bound for. */
  readonly end: -1 | 1
}

/** Half of them bound for either end, anywhere on their ways where there is room. */
export function startsOf(count: number, rocks: readonly Rock[], random: Random): Start[] {
  const starts: Start[] = []
  for (let index = 0; index < count; index++) {
    const end = index % 2 === 0 ? 1 : -1
    const from = berth(index, count, end === 1 ? -1 : 1)
    const way = plus(berth(index, count, end), from, -1)
    let position = from
    for (let tries = 0; tries < 40; tries++) {
      const at = plus(from, way, evenly(random, 0, 0.8))
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
