import * as CANNON from 'cannon-es'
import RAPIER from '@dimforge/rapier3d-compat'
import { beforeAll, describe, expect, it } from 'vitest'
import { Seek, SteeringController, SteeringWorld, Walker } from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { rapierDoor } from 'three-steering/rapier'
import { v } from '../support/geometry.js'

// The rotations of a capsule are mostly locked, so that it does not fall over. It never turned its nose to
// where it walked, and walked at half of its speed to the side, and at 0.4 of it astern.

beforeAll(() => RAPIER.init())

/** Which axes turn. */
const LOCKS = {
  all: [0, 0, 0],
  'the up axis': [1, 0, 1],
  'all but the up axis': [0, 1, 0],
  'no torque': [1, 1, 1],
}

/** Its speed (m/s) after three seconds towards a place in this direction. */
function speedTowards(
  engine: string,
  free: readonly number[],
  maxTorque: number,
  x: number,
  z: number,
): number {
  const steering = new SteeringWorld()
  const options = {
    behavior: new Seek({ target: v(1e4 * x, 0, 1e4 * z) }),
    locomotion: new Walker(),
    maxSpeed: 2,
    maxForce: 350,
    maxTorque,
  }
  let step: () => void
  let agent: SteeringController
  if (engine === 'cannon-es') {
    const world = new CANNON.World()
    const body = new CANNON.Body({
      mass: 70,
      shape: new CANNON.Sphere(0.4),
      angularFactor: new CANNON.Vec3(...free),
    })
    body.fixedRotation = free.every((each) => each === 0)
    body.updateMassProperties()
    world.addBody(body)
    attachToCannon(steering, world)
    agent = new SteeringController(null, { ...options, body: cannonBody(body) })
    step = () => world.step(1 / 60)
  } else if (engine === 'Rapier') {
    const world = new RAPIER.World(v(0, 0, 0))
    const [turnsX, turnsY, turnsZ] = free.map((each) => each > 0) as [boolean, boolean, boolean]
    const body = world.createRigidBody(
      RAPIER.RigidBodyDesc.dynamic().enabledRotations(turnsX, turnsY, turnsZ),
    )
    world.createCollider(RAPIER.ColliderDesc.capsule(0.5, 0.4).setMass(70), body)
    const door = rapierDoor(steering, world)
    agent = new SteeringController(null, { ...options, body: door.body(body) })
    step = () => door.step()
  } else {
    agent = new SteeringController(null, { ...options, mass: 70, plane: v(0, 1, 0) })
    step = () => steering.step(1 / 60)
  }
  steering.add(agent)
  for (let i = 0; i < 180; i++) step()
  return Math.hypot(agent.velocity.x, agent.velocity.z)
}

describe.each(['cannon-es', 'Rapier', 'no engine'])('a walker of %s', (engine) => {
  it.each(Object.entries(LOCKS))('walks at full speed in every direction: locked is %s', (lock, free) => {
    // without an engine only the torque can be missing
    if (engine === 'no engine' && lock !== 'no torque') return
    for (const [x, z] of [
      [0, 1],
      [1, 0],
      [0, -1],
      [-0.6, 0.8],
    ] as const)
      expect(speedTowards(engine, free, lock === 'no torque' ? 0 : 60, x, z)).toBeCloseTo(2, 2)
  })
})

it('the moments of inertia about locked axes are 0, also of a turned body', () => {
  const world = new CANNON.World()
  const body = new CANNON.Body({ mass: 1, shape: new CANNON.Box(new CANNON.Vec3(1, 2, 3)) })
  body.angularFactor.set(1, 0, 1)
  body.quaternion.setFromEuler(0, 0, Math.PI / 2)
  world.addBody(body)
  const steering = new SteeringWorld()
  const moments: boolean[][] = []
  const behavior = {
    steer: ({ inertia: { x, y, z } }: { inertia: { x: number; y: number; z: number } }) =>
      void moments.push([x > 0, y > 0, z > 0]),
  }
  steering.add(new SteeringController(null, { behavior, maxSpeed: 1, maxForce: 1, body: cannonBody(body) }))
  attachToCannon(steering, world)
  world.step(1 / 60)
  // its x axis points up
  expect(moments[0]).toEqual([false, true, true])
})
