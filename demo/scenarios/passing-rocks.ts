import { Body, Sphere, Vec3, type World } from 'cannon-es'
import { direction, evenly } from './vectors.js'

/** Rocks come into sight and are forgotten at this distance from what they drift past, m. */
const HORIZON = 150
/** How near they may pass, m. */
const NEAREST = 50
const FARTHEST = 67
/** What they keep from each other and from the mine, m. */
const GAP = 3
/** How long ahead that is looked at, s. */
const OUTLOOK = 400
const DENSITY = 300 // kg for a radius of 1 m

/** Relative to what they drift past, m/s. */
const SLOWEST = 0.7
const FASTEST = 1.6

export interface PassingRock {
  readonly body: Body
  readonly radius: number
}

/** Rocks that drift past a place, one and all on ways that miss it; who has passed comes again from elsewhere. */
export class PassingRocks {
  readonly rocks: readonly PassingRock[]
  readonly #random: () => number
  readonly #place: Body
  /** What they also miss. */
  readonly #others: readonly { readonly body: Body; readonly radius: number }[]
  #next = 0

  constructor(
    world: World,
    place: Body,
    mine: { readonly body: Body; readonly radius: number },
    random: () => number,
    count: number,
  ) {
    this.#random = random
    this.#place = place
    this.rocks = Array.from({ length: count }, (_, k) => {
      const radius = k % 5 === 0 ? evenly(random, 3.4, 5.5) : evenly(random, 1.1, 2.8)
      const shape = new Sphere(radius)
      const body = new Body({ mass: DENSITY * radius ** 3, shape, linearDamping: 0, angularDamping: 0 })
      body.allowSleep = false
      return { body, radius }
    })
    this.#others = [mine, ...this.rocks]
    for (const [k, rock] of this.rocks.entries()) {
      // nowhere yet: those that follow do not mind it
      rock.body.position.set(1e4 + 100 * k, 1e4, 0)
      this.#start(rock, true)
      world.addBody(rock.body)
    }
  }

  /** Call after each step; looks at one rock. */
  step(): void {
    const rock = this.rocks[this.#next++ % this.rocks.length]
    if (!rock) return
    const off = rock.body.position.vsub(this.#place.position)
    const way = rock.body.velocity.vsub(this.#place.velocity)
    if (off.length() > HORIZON && off.dot(way) > 0) this.#start(rock, false)
  }

  /** Sends a rock on its way: from anywhere on it at first, later from where it comes into sight. */
  #start(rock: PassingRock, anywhere: boolean): void {
    const random = this.#random
    const { body } = rock
    for (let tries = 0; tries < 40; tries++) {
      const ahead = vector(direction(random))
      ahead.y *= 0.35
      ahead.normalize()
      const aside = ahead.cross(vector(direction(random))).unit()
      const miss = evenly(random, NEAREST, FARTHEST)
      const reach = Math.sqrt(HORIZON ** 2 - miss ** 2)
      const along = anywhere ? evenly(random, -reach, reach) : -reach
      body.position.copy(this.#place.position.vadd(aside.scale(miss)).vadd(ahead.scale(along)))
      body.velocity.copy(this.#place.velocity.vadd(ahead.scale(evenly(random, SLOWEST, FASTEST))))
      if (this.#isFree(rock)) break
    }
    body.previousPosition.copy(body.position)
    body.interpolatedPosition.copy(body.position)
    const turn = vector(direction(random)).scale(0.25 / Math.sqrt(rock.radius))
    body.angularVelocity.copy(turn)
  }

  #isFree(rock: PassingRock): boolean {
    return this.#others.every(
      (other) => other === rock || closest(rock.body, other.body) > rock.radius + other.radius + GAP,
    )
  }
}

const vector = ({ x, y, z }: { x: number; y: number; z: number }): Vec3 => new Vec3(x, y, z)

/** Least distance of two that keep their velocities, m. */
function closest(a: Body, b: Body): number {
  const off = b.position.vsub(a.position)
  const way = b.velocity.vsub(a.velocity)
  const speedSq = way.lengthSquared()
  const time = speedSq > 0 ? Math.min(OUTLOOK, Math.max(0, -off.dot(way) / speedSq)) : 0
  return off.addScaledVector(time, way).length()
}
