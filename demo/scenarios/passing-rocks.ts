import { Body, Sphere, Vec3, type World } from 'cannon-es'
import { direction, evenly } from './vectors.js'

/** Distances from a place (m). */
export interface Passage {
  /** Range of the distance at which rocks pass the place. */
  readonly nearest: number
  readonly farthest: number
  /** Distance at which rocks start and are replaced. */
  readonly horizon: number
}

const USUAL: Passage = { nearest: 50, farthest: 67, horizon: 150 }
/** Clearance between rocks, and between rocks and the mine (m). */
const GAP = 3
/** Time ahead for which this clearance is checked (s). */
const TIME_AHEAD = 400
const DENSITY = 300 // kg for a radius of 1 m

/** Range of the speed relative to the place (m/s). */
const SLOWEST = 0.7
const FASTEST = 1.6

export interface PassingRock {
  readonly body: Body
  readonly radius: number
}

/** Rocks that drift past a place on paths that miss it. A rock that has passed starts again elsewhere. */
export class PassingRocks {
  readonly rocks: readonly PassingRock[]
  readonly #random: () => number
  readonly #place: Body
  /** Bodies that the rocks also miss. */
  readonly #others: readonly { readonly body: Body; readonly radius: number }[]
  readonly #passage: Passage
  #next = 0

  constructor(
    world: World,
    place: Body,
    mine: { readonly body: Body; readonly radius: number },
    random: () => number,
    count: number,
    passage = USUAL,
  ) {
    this.#passage = passage
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
      // far away at first, so that the rocks placed before it do not count it
      rock.body.position.set(1e4 + 100 * k, 1e4, 0)
      this.#start(rock, true)
      world.addBody(rock.body)
    }
  }

  /** Call after each step. Checks one rock. */
  step(): void {
    const rock = this.rocks[this.#next++ % this.rocks.length]
    if (!rock) return
    const offset = rock.body.position.vsub(this.#place.position)
    const velocity = rock.body.velocity.vsub(this.#place.velocity)
    if (offset.length() > this.#passage.horizon && offset.dot(velocity) > 0) this.#start(rock, false)
  }

  /** Starts a rock: at first at any point of its path, later at the horizon. */
  #start(rock: PassingRock, anywhere: boolean): void {
    const random = this.#random
    const { body } = rock
    const { farthest, horizon, nearest } = this.#passage
    for (let tries = 0; tries < 40; tries++) {
      const ahead = vector(direction(random))
      ahead.y *= 0.35
      ahead.normalize()
      const aside = ahead.cross(vector(direction(random))).unit()
      const miss = evenly(random, nearest, farthest)
      const reach = Math.sqrt(horizon ** 2 - miss ** 2)
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

/** Least future distance of two bodies with constant velocities (m). */
function closest(a: Body, b: Body): number {
  const offset = b.position.vsub(a.position)
  const velocity = b.velocity.vsub(a.velocity)
  const speedSq = velocity.lengthSquared()
  const time = speedSq > 0 ? Math.min(TIME_AHEAD, Math.max(0, -offset.dot(velocity) / speedSq)) : 0
  return offset.addScaledVector(time, velocity).length()
}
