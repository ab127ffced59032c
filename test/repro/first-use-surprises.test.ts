import * as CANNON from 'cannon-es'
import { Group, InstancedMesh, Object3D } from 'three'
import { describe, expect, it } from 'vitest'
import {
  BoxShape,
  FollowPath,
  Hover,
  Obstacles,
  OffsetPursue,
  Path,
  SteeringController,
  SteeringWorld,
  type Behavior,
} from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { objectView } from 'three-steering/three'
import { idle, pilot, quietWorld } from '../support/pilot.js'
import { addFlock } from '../support/flock.js'

// Behaviour that surprised new users.

it('a mesh with fewer instances than the flock has agents shows as many as it can, and is reported once', () => {
  const { world, faults } = quietWorld()
  const mesh = new InstancedMesh(undefined, undefined, 3)
  addFlock(world, { count: 7, behavior: idle(), maxSpeed: 1, maxForce: 1, view: mesh, name: 'geese' })
  const other = new Object3D()
  world.add(
    new SteeringController(other, {
      behavior: idle(),
      maxSpeed: 1,
      maxForce: 1,
      velocity: { x: 6, y: 0, z: 0 },
    }),
  )
  for (let i = 0; i < 3; i++) {
    world.step(1 / 60)
    world.present(1)
  }
  expect(mesh.count).toBe(3)
  expect(other.position.x).toBeCloseTo(0.3, 9)
  expect(faults.map(({ message }) => message)).toEqual([
    expect.stringMatching(/got 7 agents.*room for 3 instances/),
  ])
})

it('a step of 0 s, as in the first frame of a clock, does nothing', () => {
  const { world } = quietWorld()
  const one = pilot(idle(), { velocity: { x: 6, y: 0, z: 0 } })
  world.add(one)
  world.step(0)
  expect([world.tick, world.time, one.position.x]).toEqual([0, 0, 0])
  for (const dt of [-0, 1 / 60]) world.step(dt)
  expect(world.tick).toBe(1)
  for (const dt of [-1, NaN, Infinity]) expect(() => world.step(dt)).toThrow(RangeError)
})

describe('objectView', () => {
  it.each([0, 1e-300])(
    'keeps its pose in a parent of scale %f, and is correct again when the parent has a size',
    (size) => {
      const parent = new Group()
      const object = new Object3D()
      parent.add(object)
      const view = objectView(object)
      const pose = { position: { x: 4, y: 2, z: 0 }, quaternion: { x: 0, y: 1, z: 0, w: 0 } }
      parent.scale.setScalar(size)
      view.write(0, pose)
      const { position: p, quaternion: q } = object
      expect([p.x, p.y, p.z, q.x, q.y, q.z, q.w].every(Number.isFinite)).toBe(true)
      parent.scale.setScalar(2)
      view.write(0, pose)
      expect(object.getWorldPosition(object.position.clone()).toArray()).toEqual([4, 2, 0])
    },
  )

  it.each(['of the core', 'of the adapter'])('%s moves an object with matrixAutoUpdate false', (which) => {
    const { world } = quietWorld()
    const object = new Object3D()
    object.matrixAutoUpdate = false
    const view = which === 'of the core' ? object : objectView(object)
    world.add(
      new SteeringController(view, {
        behavior: idle(),
        maxSpeed: 9,
        maxForce: 1,
        velocity: { x: 6, y: 0, z: 0 },
      }),
    )
    world.step(1 / 60)
    world.present(1)
    object.updateMatrixWorld()
    expect(object.matrixWorld.elements[12]).toBeCloseTo(0.1, 9)
  })
})

describe('the radius of a body whose shapes are added later', () => {
  const ship = (options: object): { body: CANNON.Body; one: SteeringController; step: () => void } => {
    const world = new CANNON.World()
    const steering = new SteeringWorld()
    attachToCannon(steering, world)
    const body = new CANNON.Body({ mass: 1, shape: new CANNON.Sphere(1) })
    world.addBody(body)
    const one = new SteeringController(null, {
      body: cannonBody(body),
      behavior: idle(),
      maxSpeed: 1,
      maxForce: 1,
      ...options,
    })
    steering.add(one)
    return { body, one, step: () => world.step(1 / 60) }
  }

  it('is that of the body', () => {
    const { body, one, step } = ship({})
    step()
    expect(one.radius).toBe(1)
    body.addShape(new CANNON.Sphere(4))
    step()
    expect(one.radius).toBe(4)
  })

  it('is the agent’s own radius if one was given', () => {
    const { body, one, step } = ship({ radius: 2 })
    body.addShape(new CANNON.Sphere(4))
    step()
    expect(one.radius).toBe(2)
  })
})

it('a manual step of a world that its physics engine steps is refused, because forces would count twice', () => {
  const world = new CANNON.World()
  const steering = new SteeringWorld()
  const detach = attachToCannon(steering, world)
  expect(() => steering.step(1 / 60)).toThrow(/stepped by its physics engine/)
  world.step(1 / 60)
  expect(steering.tick).toBe(1)
  detach()
  steering.step(1 / 60)
  expect(steering.tick).toBe(2)
})

it('metricsOf().stuck does not fall while the agent is held', () => {
  const { world } = quietWorld()
  const wall = new Obstacles([{ shape: new BoxShape({ x: 1, y: 20, z: 20 }), at: { x: 8, y: 0, z: 0 } }])
  const follow = new FollowPath({
    path: new Path({
      points: [
        { x: 0, y: 0, z: 0 },
        { x: 30, y: 0, z: 0 },
      ],
      curve: 'polyline',
    }),
    pilot: { window: 1 },
  })
  let held = true
  const behavior: Behavior = {
    children: [follow],
    steer(agent, step, out) {
      follow.steer(agent, step, out)
      // the agent is held as by a wall, whatever its force
      if (held && wall.distance(agent.position, { x: 0, y: 0, z: 0 }) < 1)
        out.force.x = -60 * agent.velocity.x
    },
  }
  const one = pilot(behavior)
  world.add(one)
  const seen: number[] = []
  for (let i = 0; i < 60 * 12; i++) {
    world.step(1 / 60)
    seen.push(follow.metricsOf(one)?.stuck ?? 0)
  }
  const first = seen.findIndex((share) => share >= 0.75)
  expect(first).toBeGreaterThan(0)
  for (let i = first + 1; i < seen.length; i++) expect(seen[i]).toBeGreaterThanOrEqual(seen[i - 1]!)
  expect(seen.at(-1)).toBeGreaterThan(0.9)
  held = false
  for (let i = 0; i < 60; i++) world.step(1 / 60)
  expect(follow.metricsOf(one)!.stuck).toBeLessThan(0.5)
})

describe.each([30, 60, 240])('a point mass at %i steps a second', (rate) => {
  /**
   * A leader flies a circle of 40 m radius at 10 m/s, with a follower 18 m to its side. Returns the
   * follower's largest slot error after the first lap (m).
   */
  function lag(pointMass: boolean): number {
    const { world } = quietWorld()
    const circle: Behavior = {
      steer({ mass, velocity }, _step, { force }) {
        // perpendicular to the velocity, with a small part along it that keeps the speed
        const speed = Math.hypot(velocity.x, velocity.z)
        const turn = (mass * speed) / 40
        const push = mass * (10 - speed)
        force.x = -turn * velocity.z + (push * velocity.x) / speed
        force.z = turn * velocity.x + (push * velocity.z) / speed
      },
    }
    const traits = { maxSpeed: 40, maxForce: 400, maxTorque: 400 }
    const leader = pilot(circle, {
      ...traits,
      velocity: { x: 10, y: 0, z: 0 },
      locomotion: new Hover(pointMass ? { attitude: null } : {}),
    })
    const follower = pilot(new OffsetPursue({ target: leader, offset: { x: 0, y: 0, z: 18 } }), {
      ...traits,
      position: { x: 0, y: 0, z: 18 },
      velocity: { x: 10, y: 0, z: 0 },
    })
    world.add(leader).add(follower)
    let worst = 0
    for (let i = 0; i < 25 * rate; i++) {
      world.step(1 / rate)
      if (i < 10 * rate) continue
      const { position: p, velocity: u } = leader
      const speed = Math.hypot(u.x, u.z)
      // starboard of the leader's course
      const slot = { x: p.x - (18 * u.z) / speed, z: p.z + (18 * u.x) / speed }
      worst = Math.max(worst, Math.hypot(follower.position.x - slot.x, follower.position.z - slot.z))
    }
    expect(Math.hypot(leader.angularVelocity.x, leader.angularVelocity.z)).toBeLessThan(1e-9)
    if (pointMass) expect(leader.angularVelocity.y).toBeCloseTo(-10 / 40, 2)
    return worst
  }

  it('reports the turn rate of its course, so that a follower 18 m aside keeps its slot', () => {
    expect(lag(true)).toBeLessThan(0.1)
  })

  it('has no angular velocity when it starts to move or reverses at once', () => {
    const { world } = quietWorld()
    const one = pilot(
      { steer: (_a, { tick }, { force }) => void (force.x = tick < 9 ? 90 : -90) },
      { locomotion: new Hover({ attitude: null }) },
    )
    world.add(one)
    for (let i = 0; i < 40; i++) {
      world.step(1 / rate)
      const { x, y, z } = one.angularVelocity
      expect(Math.hypot(x, y, z)).toBe(0)
    }
  })
})
