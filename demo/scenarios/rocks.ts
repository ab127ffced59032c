import { Body, Sphere, Vec3, type World } from 'cannon-es'

export const ROCK_COUNT = 8

const SPEED = 24 // m/s
const RANGE = 36 // m, distance from the ship at which a rock starts
const LIFE = 11 // s
const DENSITY = 8 // kg for a radius of 1 m

export interface Rock {
  readonly body: Body
  /** Time at which it was thrown (s). −1 before that. */
  since: number
}

/**
 * Throws rocks at bodies. The same few rocks are reused. Call it between steps: cannon-es does not support
 * removal during a step.
 */
export class RockLauncher {
  readonly rocks: readonly Rock[] = Array.from({ length: ROCK_COUNT }, (_, k) =>
    makeRock(0.8 + 0.16 * (k % 4)),
  )
  readonly #world: World
  readonly #random: () => number
  #thrown = 0

  constructor(world: World, random: () => number) {
    this.#world = world
    this.#random = random
  }

  /** Throws the next rock from a distance, aimed at the predicted position of `target`. */
  throwAt(target: Body, time: number): void {
    const random = this.#random
    const rock = this.rocks[this.#thrown++ % this.rocks.length]!
    this.#recall(rock)
    const around = 2 * Math.PI * random()
    const from = new Vec3(Math.cos(around), 0.2 + 0.5 * random(), Math.sin(around)).unit()
    const start = target.position.addScaledVector(RANGE, from)
    const aim = target.position.addScaledVector(RANGE / SPEED, target.velocity)
    const { body } = rock
    body.position.copy(start)
    body.previousPosition.copy(start)
    body.velocity.copy(aim.vsub(start).unit().scale(SPEED))
    body.angularVelocity.set(random() - 0.5, random() - 0.5, random() - 0.5)
    rock.since = time
    this.#world.addBody(body)
  }

  /** Removes rocks that have flown long enough. */
  collect(time: number): void {
    for (const rock of this.rocks) if (rock.since >= 0 && time - rock.since > LIFE) this.#recall(rock)
  }

  owns(body: Body): boolean {
    return this.rocks.some((rock) => rock.body === body)
  }

  #recall(rock: Rock): void {
    if (rock.since >= 0) this.#world.removeBody(rock.body)
    rock.since = -1
  }
}

function makeRock(radius: number): Rock {
  const mass = DENSITY * radius ** 3
  return {
    body: new Body({ mass, shape: new Sphere(radius), linearDamping: 0, angularDamping: 0 }),
    since: -1,
  }
}
