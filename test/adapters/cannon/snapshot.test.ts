import { describe, expect, it } from 'vitest'
import * as CANNON from 'cannon-es'
import {
  Arrive,
  ReciprocalAvoidance,
  SteeringController,
  SteeringWorld,
  Wander,
  within,
} from 'three-steering'
import { restoreSnapshot, takeSnapshot } from 'three-steering/snapshot'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { bitsOf } from '../../laws/kit.js'
import { pick } from '../../support/tier.js'

const DT = 1 / 60

interface Tank {
  readonly physics: CANNON.World
  readonly steering: SteeringWorld
  readonly bodies: readonly CANNON.Body[]
}

/** Balls that bounce off a floor and each other. */
function tank(): Tank {
  const physics = new CANNON.World({ gravity: new CANNON.Vec3(0, -3, 0) })
  physics.addBody(
    new CANNON.Body({
      mass: 0,
      shape: new CANNON.Plane(),
      quaternion: new CANNON.Quaternion(-Math.SQRT1_2, 0, 0, Math.SQRT1_2),
    }),
  )
  const steering = new SteeringWorld({ seed: 8 })
  const bodies = [0, 1, 2, 3].map((i) => {
    const position = new CANNON.Vec3(2 * i, 1 + i / 4, i % 2)
    const body = new CANNON.Body({
      mass: 2 + i,
      shape: new CANNON.Sphere(0.6),
      position,
      linearDamping: 0.05,
    })
    physics.addBody(body)
    const target = { x: 6 - 2 * i, y: 1, z: 1 }
    const behavior = within(
      [new ReciprocalAvoidance({ neighborDistance: 6 })],
      [new Arrive({ target }), { behavior: new Wander(), weight: 0.3 }],
    )
    steering.add(
      new SteeringController(null, { body: cannonBody(body), behavior, maxSpeed: 5, maxForce: 60 }),
    )
    return body
  })
  attachToCannon(steering, physics)
  return { physics, steering, bodies }
}

/** What the user has to save: the state of the bodies, and the time of their world. */
function save({ physics, bodies }: Tank): string {
  const state = bodies.map(
    ({ position, previousPosition, interpolatedPosition, velocity, quaternion, angularVelocity }) => [
      ...[position, previousPosition, interpolatedPosition, velocity, angularVelocity].map((v) =>
        v.toArray(),
      ),
      quaternion.toArray(),
    ],
  )
  return JSON.stringify({ state, time: physics.time })
}

function load({ physics, bodies }: Tank, saved: string): void {
  const { state, time } = JSON.parse(saved) as { state: number[][][]; time: number }
  bodies.forEach((body, i) => {
    const vectors = [
      body.position,
      body.previousPosition,
      body.interpolatedPosition,
      body.velocity,
      body.angularVelocity,
    ]
    vectors.forEach((vector, k) => vector.set(...(state[i]![k] as [number, number, number])))
    body.quaternion.set(...(state[i]![5] as [number, number, number, number]))
    body.aabbNeedsUpdate = true
    body.updateInertiaWorld()
  })
  physics.time = time
  // warm starts and old contacts are the engine's memory; in this world only these outlive a step
  physics.bodyOverlapKeeper.current.length = physics.bodyOverlapKeeper.previous.length = 0
  physics.shapeOverlapKeeper.current.length = physics.shapeOverlapKeeper.previous.length = 0
}

function run({ physics, bodies }: Tank, steps: number): number[] {
  for (let i = 0; i < steps; i++) physics.step(DT)
  return bitsOf(bodies)
}

describe('bodies of cannon-es', () => {
  it('saved by the user beside the snapshot continue bit-identically, in the same world and in a new one', () => {
    const one = tank()
    run(one, 100)
    const [bodies, snapshot] = [save(one), JSON.stringify(takeSnapshot(one.steering))]
    const steps = pick(300, 1000)
    const first = run(one, steps)
    expect(first.every(Number.isFinite)).toBe(true)
    load(one, bodies)
    restoreSnapshot(one.steering, JSON.parse(snapshot))
    expect(run(one, steps)).toEqual(first)
    const other = tank()
    load(other, bodies)
    restoreSnapshot(other.steering, JSON.parse(snapshot))
    expect(run(other, steps)).toEqual(first)
  })

  it('are not part of the snapshot: without them the flight differs', () => {
    const one = tank()
    run(one, 100)
    const snapshot = takeSnapshot(one.steering)
    const first = run(one, 100)
    restoreSnapshot(one.steering, snapshot)
    expect(bitsOf(one.bodies)).toEqual(first)
    expect(run(one, 100)).not.toEqual(first)
  })
})
