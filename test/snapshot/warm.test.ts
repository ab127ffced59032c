import { Body, Sphere, Vec3 as CannonVec3, World } from 'cannon-es'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  Guard,
  Obstacles,
  ReciprocalAvoidance,
  Seek,
  SphereShape,
  SteeringController,
  SteeringWorld,
  within,
  type Behavior,
} from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { Dock, Port } from 'three-steering/docking'
import { explain } from 'three-steering/explain'
import { takeSnapshot, warm } from 'three-steering/snapshot'
import { readmeFlock } from '../rigs/readme-flock.js'

const DT = 1 / 60
const at = (x: number, y = 0, z = 0): { x: number; y: number; z: number } => ({ x, y, z })

/** An agent that stays where it is. */
const STILL = { maxSpeed: 1, maxForce: 0, behavior: new Seek({ target: at(0) }) }

afterEach(() => {
  vi.restoreAllMocks()
})

/** Ships of cannon-es that avoid each other, a rock, and fall without thrust. */
function ships(): { steering: SteeringWorld; world: World } {
  const world = new World({ gravity: new CannonVec3(0, -9.81, 0) })
  const steering = new SteeringWorld({ seed: 3 })
  attachToCannon(steering, world)
  const obstacles = [{ shape: new SphereShape(3), at: { position: at(0, 1, 0) } }]
  for (let i = 0; i < 6; i++) {
    const position = new CannonVec3(20 * Math.cos(i), 4 * Math.sin(2 * i), 20 * Math.sin(i))
    const body = new Body({ mass: 10, shape: new Sphere(1), position, allowSleep: true })
    world.addBody(body)
    const target = at(-position.x, -position.y, -position.z)
    const behavior = within(
      [new AvoidObstacles({ obstacles }), new ReciprocalAvoidance()],
      new Arrive({ target }),
    )
    const limits = { maxSpeed: 15, maxForce: 200, maxTorque: 60 }
    steering.add(new SteeringController(null, { body: cannonBody(body), ...limits, behavior }))
  }
  return { steering, world }
}

const bodiesOf = ({ bodies }: World): number[] =>
  bodies.flatMap(({ angularVelocity, force, position, quaternion, torque, velocity, sleepState }) => [
    ...[position, velocity, angularVelocity, force, torque].flatMap((v) => [v.x, v.y, v.z]),
    ...quaternion.toArray(),
    sleepState,
  ])

describe('a world goes on bit-identical after warm', () => {
  it('with the flock of the README, before the first step and later', () => {
    const [plain, warmed] = [readmeFlock(60), readmeFlock(60)]
    for (let i = 0; i < 3; i++) {
      expect(warm(warmed, { steps: 9 })).toBe(9)
      expect(warmed.tick).toBe(plain.tick)
      for (let k = 0; k < 5; k++) for (const world of [plain, warmed]) world.step(DT)
      expect(takeSnapshot(warmed)).toEqual(takeSnapshot(plain))
    }
  })

  it('with bodies of cannon-es, which warm does not touch', () => {
    const [plain, warmed] = [ships(), ships()]
    for (let i = 0; i < 3; i++) {
      const before = bodiesOf(warmed.world)
      warm(warmed.steering, { steps: 9 })
      expect(bodiesOf(warmed.world)).toEqual(before)
      for (let k = 0; k < 10; k++) for (const { world } of [plain, warmed]) world.step(DT)
      expect(bodiesOf(warmed.world)).toEqual(bodiesOf(plain.world))
    }
    const start = bodiesOf(ships().world)
    expect(bodiesOf(warmed.world)).not.toEqual(start)
  })

  it('with a body that has got another radius since it was added', () => {
    const radii = [false, true].map((warms) => {
      const { steering, world } = ships()
      const [body] = world.bodies
      body!.addShape(new Sphere(4))
      if (warms) warm(steering, { steps: 3 })
      world.step(DT)
      let radius = 0
      steering.visitAgents((_, agent) => (radius = Math.max(radius, agent.radius)))
      return radius
    })
    expect(radii).toEqual([4, 4])
  })

  it('with a guard, and a ship that docks', () => {
    const fly = (warms: boolean): unknown => {
      const carrier = new SteeringController(null, { ...STILL, position: at(9, 3, -2) })
      const port = new Port({ carrier, position: at(0), outward: at(-1) })
      const guard = new Guard(new Obstacles([{ shape: new SphereShape(2), at: { position: at(4, 1, -1) } }]))
      const world = new SteeringWorld({ guard })
      const limits = { maxSpeed: 6, maxForce: 30, maxTorque: 30 }
      const ship = new SteeringController(null, { ...limits, behavior: new Dock({ port }) })
      world.add(ship)
      for (let i = 0; i < 60; i++) {
        if (warms && i % 20 === 0) warm(world, { steps: 10 })
        world.step(DT)
      }
      return takeSnapshot(world)
    }
    expect(fly(true)).toEqual(fly(false))
  })
})

describe('warm is silent', () => {
  it('towards the listeners of the world and its agents', () => {
    const target = at(1)
    const world = new SteeringWorld()
    const ship = new SteeringController(null, { maxForce: 9, maxSpeed: 9, behavior: new Arrive({ target }) })
    world.add(ship)
    const heard = vi.fn<() => void>()
    for (const type of ['arrive', 'leave', 'stage', 'cannot', 'fault'] as const)
      world.addEventListener(type, heard)
    ship.addEventListener('arrive', heard)
    warm(world, { steps: 200 })
    expect(heard).not.toHaveBeenCalled()
    for (let i = 0; i < 200; i++) world.step(DT)
    expect(heard).toHaveBeenCalledTimes(2)
  })

  it('about faults, which a step then reports, once', () => {
    const world = new SteeringWorld()
    const bad: Behavior = {
      steer() {
        throw new Error('no')
      },
    }
    world.add(new SteeringController(null, { maxForce: 9, maxSpeed: 9, behavior: bad }))
    const faults: string[] = []
    world.addEventListener('fault', ({ message }) => faults.push(message))
    const printed = vi.spyOn(console, 'error')
    warm(world, { steps: 3 })
    expect(faults).toEqual([])
    world.step(DT)
    expect(faults).toHaveLength(1)
    warm(world, { steps: 3 })
    world.step(DT)
    expect(faults).toHaveLength(1)
    expect(printed).not.toHaveBeenCalled()
  })

  it('towards explanations and planners', () => {
    const world = new SteeringWorld()
    const behavior = new Seek({ target: at(9) })
    const ship = new SteeringController(null, { maxForce: 9, maxSpeed: 9, behavior })
    world.add(ship)
    const plan = vi.fn<() => void>()
    world.addPlanner({ plan })
    const why = explain(world, ship)
    warm(world, { steps: 3 })
    expect(why.root).toBe(null)
    expect(plan).not.toHaveBeenCalled()
    world.step(DT)
    expect(why.root).not.toBe(null)
  })

  it('in a listener, after which the other events of the step are heard', () => {
    const world = new SteeringWorld()
    for (const x of [0.01, 0.02]) {
      const limits = { maxForce: 9, maxSpeed: 9, position: at(x) }
      world.add(new SteeringController(null, { ...limits, behavior: new Arrive({ target: at(x) }) }))
    }
    let arrivals = 0
    world.addEventListener('arrive', () => {
      arrivals++
      warm(world, { steps: 2 })
    })
    for (let i = 0; i < 30; i++) world.step(DT)
    expect(arrivals).toBe(2)
  })
})

it('warm undoes a change of the tree, and makes an addition that a behaviour has requested', () => {
  const world = new SteeringWorld()
  const other = new Seek({ target: at(0, 9) })
  const added = new SteeringController(null, { maxForce: 9, maxSpeed: 9, behavior: other })
  const behavior: Behavior = {
    steer() {
      ship.behavior = other
      if (world.size === 1 && added.id < 0) world.add(added)
    },
  }
  const ship = new SteeringController(null, { maxForce: 9, maxSpeed: 9, behavior })
  world.add(ship)
  warm(world, { steps: 1 })
  expect(ship.behavior).toBe(behavior)
  expect(world.size).toBe(2)
})

it('warm refuses what it cannot do', () => {
  const world = new SteeringWorld()
  expect(() => warm(world, { steps: 0.5 })).toThrow(RangeError)
  expect(() => warm(world, { steps: 0 })).toThrow('warm: steps')
  expect(() => warm({} as SteeringWorld)).toThrow('must be a SteeringWorld')
  world.dispose()
  expect(() => warm(world)).toThrow('after dispose')
})
