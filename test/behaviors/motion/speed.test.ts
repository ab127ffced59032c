import { describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  Evade,
  EvadeGroup,
  Flee,
  Hide,
  Interpose,
  LeaderFollow,
  OffsetPursue,
  Pursue,
  Seek,
  SphereShape,
  SteeringWorld,
  within,
  type Behavior,
  type SteeringController,
} from 'three-steering'
import { norm, v } from '../../support/geometry.js'
import { fly, idle, pilot, type PilotOptions } from '../../support/pilot.js'

/** A behaviour that flies in one direction for a long time, at the speed of its option. */
type Paced = Behavior & { speed: number | undefined }

const far = v(0, 0, 9000)
const prey = { position: far, velocity: v(0, 0, 0) }
const hunter = { position: v(0, 0, -9), velocity: v(0, 0, 0) }

/** The ways to fly, in which the agent has the speed that it is given. */
const MAKERS: Readonly<Record<string, (speed?: number) => Paced>> = {
  Seek: (speed) => new Seek({ target: far, ...(speed && { speed }) }),
  Flee: (speed) => new Flee({ target: v(0, 0, -9), ...(speed && { speed }) }),
  Arrive: (speed) => new Arrive({ target: far, ...(speed && { speed }) }),
  'Arrive, Green': (speed) => new Arrive({ target: far, decelerationTime: 1, ...(speed && { speed }) }),
  Pursue: (speed) => new Pursue({ target: prey, ...(speed && { speed }) }),
  'Pursue, intercept': (speed) =>
    new Pursue({ target: prey, prediction: 'intercept', ...(speed && { speed }) }),
  Evade: (speed) => new Evade({ target: hunter, ...(speed && { speed }) }),
  Hide: (speed) =>
    new Hide({
      target: v(0, 0, 20000),
      obstacles: [{ shape: new SphereShape(4), at: far }],
      lookAhead: 20000,
      ...(speed && { speed }),
    }),
  Interpose: (speed) => new Interpose({ targets: [far, v(0, 0, 9500)], ...(speed && { speed }) }),
  LeaderFollow: (speed) => new LeaderFollow({ target: prey, distance: 5, ...(speed && { speed }) }),
  OffsetPursue: (speed) => new OffsetPursue({ target: prey, offset: v(-3, 1, 2), ...(speed && { speed }) }),
  EvadeGroup: (speed) => new EvadeGroup({ groups: 2, neighborDistance: 9000, ...(speed && { speed }) }),
}

/** An agent of 10 m/s, with an agent of the group 2 behind it. */
function launch(
  behavior: Behavior,
  options: PilotOptions = {},
): { world: SteeringWorld; ship: SteeringController } {
  const world = new SteeringWorld()
  const ship = pilot(behavior, options)
  world.add(ship)
  world.add(pilot(idle(), { position: v(0, 0, -9), group: 2 }))
  return { world, ship }
}

describe.each(Object.entries(MAKERS))('the speed of %s', (_, make) => {
  it('is the top speed by default, and else the given one, which may be changed in flight', () => {
    const behavior = make()
    const { world, ship } = launch(behavior)
    fly({ world }, 3)
    expect(norm(ship.velocity)).toBeCloseTo(10, 3)
    behavior.speed = 4
    fly({ world }, 3)
    expect(norm(ship.velocity)).toBeCloseTo(4, 3)
    behavior.speed = 6
    fly({ world }, 3)
    expect(norm(ship.velocity)).toBeCloseTo(6, 3)
    behavior.speed = undefined
    fly({ world }, 3)
    expect(norm(ship.velocity)).toBeCloseTo(10, 3)
  })

  it('is never above the top speed, and holds without one', () => {
    const fast = launch(make(30))
    fly(fast, 3)
    expect(norm(fast.ship.velocity)).toBeCloseTo(10, 3)
    const free = launch(make(30), { maxSpeed: Infinity })
    fly(free, 3)
    expect(norm(free.ship.velocity)).toBeCloseTo(30, 2)
  })

  it('is kept as a wish in `within`, also past a rock', () => {
    const rock = { shape: new SphereShape(4), at: v(0.5, 0, 12) }
    const { world, ship } = launch(within([new AvoidObstacles({ obstacles: [rock] })], make(4)))
    let fastest = 0
    fly({ world }, 8, 1 / 60, () => (fastest = Math.max(fastest, norm(ship.velocity))))
    expect(fastest).toBeLessThan(4.01)
    expect(ship.position.z).toBeGreaterThan(18)
  })
})

describe('the speed of a behaviour whose place is faster', () => {
  const leader = { position: v(0, 0, 4), velocity: v(0, 0, 8) }
  it.each<[string, () => Behavior]>([
    ['OffsetPursue', () => new OffsetPursue({ target: leader, offset: v(-3, 1, 2), speed: 4 })],
    ['LeaderFollow', () => new LeaderFollow({ target: leader, distance: 3, speed: 4 })],
    ['Interpose', () => new Interpose({ targets: [leader, leader], speed: 4 })],
  ])('is kept by %s, which falls behind, and from above', (_, make) => {
    const { world, ship } = launch(make(), { velocity: v(0, 0, 9) })
    leader.position = v(0, 0, 4)
    let fastest = 0
    fly({ world }, 4, 1 / 60, () => {
      leader.position = v(0, 0, leader.position.z + 8 / 60)
      if (world.time > 1) fastest = Math.max(fastest, norm(ship.velocity))
    })
    expect(fastest).toBeLessThan(4.01)
    expect(ship.velocity.z).toBeGreaterThan(3)
  })
})
