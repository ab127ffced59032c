import { expect, it } from 'vitest'
import { Arrive, Hover, ReciprocalAvoidance, SteeringWorld, within, type Vec3 } from 'three-steering'
import { type Constraint, seeded } from 'three-steering/authoring'
import { FULL, pick } from '../support/tier.js'
import { addFlock } from '../support/flock.js'
import { CROWD } from '../support/walkers.js'

/**
 * Two crossing streams of sixty walkers each, in a plane, touched each other twenty to sixty times. A servo
 * with the default response time answers too late for a margin that both walkers use up meanwhile. With half
 * the response time there was no contact.
 */

const RADIUS = 0.3
const PLACE = { x: 0, y: 0, z: 0 }

/** Keeps agents on the floor, as a game in a plane does. */
class StayOnFloor implements Constraint {
  steer(): void {}
  constrain(
    { position: { y } }: Parameters<Constraint['constrain']>[0],
    _: unknown,
    limits: Parameters<Constraint['constrain']>[2],
  ): void {
    limits.addHalfSpace({ x: 0, y: 1, z: 0 }, -y)
    limits.addHalfSpace({ x: 0, y: -1, z: 0 }, y)
  }
}

type Scene = (k: number, random: () => number) => { from: Vec3; to: Vec3 }

const point = (x: number, z: number): Vec3 => ({ x, y: 0, z })

const SCENES: Record<string, Scene> = {
  'crossing streams': (i, random) => {
    const k = i >> 1
    const along = 8 + Math.floor(k / 8) + 0.2 * (random() - 0.5)
    const across = (k % 8) - 3.5 + 0.2 * (random() - 0.5)
    return i % 2 === 1
      ? { from: point(-along, across), to: point(along, across) }
      : { from: point(across, -along), to: point(across, along) }
  },
  'opposing streams': (i, random) => {
    const k = i >> 1
    const along = (i % 2 === 1 ? 1 : -1) * (6 + Math.floor(k / 8) + 0.2 * (random() - 0.5))
    const across = (k % 8) - 3.5 + 0.2 * (random() - 0.5)
    return { from: point(-along, across), to: point(along, across + 0.2 * (random() - 0.5)) }
  },
}

const names = Object.keys(SCENES)
const seeds = FULL ? Array.from({ length: 16 }, (_, k) => k + 1) : [1]
const cases = pick(names.slice(0, 1), names).flatMap((name) =>
  [
    { rate: 20, options: {} },
    { rate: 60, options: {} },
    { rate: 60, options: CROWD },
  ]
    .slice(0, FULL ? 3 : 1)
    .flatMap(({ rate, options }) => seeds.map((seed) => ({ name, seed, rate, options }))),
)

it.each(cases)(
  '$name, $rate Hz, $options, seed $seed: no two walkers touch',
  ({ name, rate, seed, options }) => {
    const random = seeded(seed)
    const count = 120
    const routes = Array.from({ length: count }, (_, i) => SCENES[name]!(i, random))
    const world = new SteeringWorld({ seed })
    const walkers = addFlock(world, {
      count,
      behavior: within(
        [new StayOnFloor(), new ReciprocalAvoidance(options)],
        new Arrive({ target: ({ id }, out) => void Object.assign(out, routes[id]!.to) }),
      ),
      locomotion: new Hover({ attitude: null }),
      maxSpeed: 1.5,
      maxForce: 5,
      radius: RADIUS,
      seed,
      spawn: (i, { position }) => void Object.assign(position, routes[i]!.from),
    })
    const at = Array.from({ length: count }, () => ({ ...PLACE }))
    let least = Infinity
    for (let n = 0; n < pick(7, 14, 25) * rate; n++) {
      world.step(1 / rate)
      for (let i = 0; i < count; i++) walkers.position(i, at[i]!)
      for (let i = 0; i < count; i++)
        for (let j = 0; j < i; j++)
          least = Math.min(
            least,
            (at[i]!.x - at[j]!.x) ** 2 + (at[i]!.y - at[j]!.y) ** 2 + (at[i]!.z - at[j]!.z) ** 2,
          )
    }
    expect(Math.sqrt(least)).toBeGreaterThan(2 * RADIUS)
    // the scene is not empty: the walkers make progress
    let meanDistance = 0
    for (let i = 0; i < count; i++)
      meanDistance += Math.hypot(at[i]!.x - routes[i]!.from.x, at[i]!.z - routes[i]!.from.z) / count
    expect(meanDistance).toBeGreaterThan(4)
  },
)
