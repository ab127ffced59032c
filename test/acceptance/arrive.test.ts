import * as CANNON from 'cannon-es'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  Arrive,
  Flight,
  Hover,
  SteeringController,
  SteeringWorld,
  Thrusters,
  type Locomotion,
  type Vec3Like,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { arriveTrial, flyArriveTrial, SETTLED, type ArriveResult } from '../rigs/arrive-trials.js'
import { apart, norm, xyz } from '../laws/kit.js'
import { pick, report } from '../support/tier.js'

const TRIALS = pick(80, 1000)
const DT = 1 / 60

/** The seeds of the failing trials, worst first. */
function seedsWhere(results: readonly ArriveResult[], wrong: (result: ArriveResult) => boolean): number[] {
  return results.filter(wrong).map(({ trial }) => trial.seed)
}

describe(`Arrive over ${TRIALS} random trials on real cannon-es bodies, seeds 0 to ${TRIALS - 1}`, () => {
  let results: ArriveResult[] = []
  let fromRest: ArriveResult[] = []

  beforeAll(() => {
    results = Array.from({ length: TRIALS }, (_, seed) => flyArriveTrial(arriveTrial(seed)))
    fromRest = results.filter(({ trial }) => norm(trial.velocity) === 0)
    report('arrive', results)
  })

  it('overshoots by at most 1 % of its braking distance and 1 cm', () => {
    expect(seedsWhere(results, ({ overshoot, braking }) => overshoot > 0.01 * braking + 0.01)).toEqual([])
  })

  it(`comes to rest within ${100 * SETTLED} cm of the goal`, () => {
    expect(seedsWhere(results, ({ error }) => !(error <= SETTLED))).toEqual([])
  })

  it('emits `arrive` once, and never `leave`', () => {
    expect(seedsWhere(results, ({ arrivals, departures }) => arrivals !== 1 || departures !== 0)).toEqual([])
  })

  it('takes at most 15 % longer than full thrust, cruise, full brakes', () => {
    expect(seedsWhere(fromRest, ({ time, optimum }) => !(time <= 1.15 * optimum))).toEqual([])
  })
})

describe('Arrive with other engines', () => {
  interface Landing {
    readonly sag: number
    readonly error: number
    readonly overshoot: number
  }

  function land(
    locomotion: Locomotion,
    options: Partial<ConstructorParameters<typeof SteeringController>[1]>,
    body: CANNON.Body,
    goal: Vec3Like,
    gravity = 0,
  ): Landing {
    const world = new CANNON.World({ gravity: new CANNON.Vec3(0, -gravity, 0) })
    world.addBody(body)
    const steering = new SteeringWorld()
    attachToCannon(steering, world)
    const behavior = new Arrive({ target: goal })
    steering.add(
      new SteeringController(null, {
        maxSpeed: 12,
        maxForce: 30 * body.mass,
        body: cannonBody(body),
        behavior,
        locomotion,
        ...options,
      }),
    )
    const start = xyz(body.position)
    const length = apart(start, goal)
    let overshoot = 0
    let sag = 0
    for (let i = 0; i < 20 / DT; i++) {
      world.step(DT)
      const { position } = body
      const past =
        ((position.x - goal.x) * (goal.x - start.x) +
          (position.y - goal.y) * (goal.y - start.y) +
          (position.z - goal.z) * (goal.z - start.z)) /
        (length || 1)
      overshoot = Math.max(overshoot, past)
      sag = Math.max(sag, goal.y - position.y)
    }
    return { sag, overshoot, error: apart(body.position, goal) }
  }

  function crate(mass: number, position: Vec3Like, linearDamping = 0.01): CANNON.Body {
    return new CANNON.Body({
      mass,
      shape: new CANNON.Box(new CANNON.Vec3(1, 0.7, 2)),
      position: new CANNON.Vec3(position.x, position.y, position.z),
      linearDamping,
    })
  }

  it.each<[string, () => Locomotion]>([
    ['Thrusters', () => new Thrusters({ ahead: 90, astern: 40, up: 20, down: 20, port: 20, starboard: 20 })],
    [
      'Thrusters, strong all round',
      () => new Thrusters({ ahead: 60, astern: 60, up: 60, down: 60, port: 60, starboard: 60 }),
    ],
    ['Hover, nose to its thrust', () => new Hover({ attitude: { facing: 'thrust', roll: 'level' } })],
  ])('%s: stops at goals in all directions, off every coordinate plane', (_, make) => {
    const random = seeded(8)
    for (let i = 0; i < 12; i++) {
      const goal = { x: 60 * random() - 30, y: 60 * random() - 30, z: 60 * random() - 30 }
      const { error, overshoot } = land(
        make(),
        { maxForce: 90, maxTorque: 60 },
        crate(3, { x: 0, y: 0, z: 0 }),
        goal,
      )
      expect(error, `goal ${JSON.stringify(goal)}`).toBeLessThan(0.02)
      // 12 m/s and, with the weakest of the engines, 6.7 m/s²: brakes on 11 m
      expect(overshoot, `goal ${JSON.stringify(goal)}`).toBeLessThan(0.12)
    }
  })

  it('Flight with minSpeed 0 stops at goals in all directions', () => {
    const random = seeded(9)
    for (let i = 0; i < 12; i++) {
      const goal = { x: 60 * random() - 30, y: 60 * random() - 30, z: 60 * random() - 30 }
      const { error } = land(
        new Flight(),
        { maxForce: 60, maxTorque: 60 },
        crate(3, { x: 0, y: 0, z: 0 }),
        goal,
      )
      expect(error, `goal ${JSON.stringify(goal)}`).toBeLessThan(0.05)
    }
  })
})
