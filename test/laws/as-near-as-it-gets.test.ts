import { describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  BoxShape,
  Contain,
  DirectedSeek,
  FollowPath,
  Hide,
  HollowShape,
  Interpose,
  JoinUp,
  LeaderFollow,
  OffsetPursue,
  Path,
  ReciprocalAvoidance,
  Separation,
  SphereShape,
  SteeringController,
  SteeringWorld,
  Stop,
  blend,
  contextMap,
  priority,
  within,
  type Behavior,
} from 'three-steering'
import type { PathTechnique } from 'three-steering/authoring'
import { ArriveActuator, pipeline, PlaceTargeter } from 'three-steering/classic'
import { customPattern, Formation, KeepSlot } from 'three-steering/formation'
import { norm, v } from '../support/geometry.js'
import { idle } from '../support/pilot.js'
import { ALL } from '../support/tier.js'

/** Each behaviour that goes to a place at rest tells, by one event, that it stands as near as it gets. */

const GOAL = v(20, 0, 0)
const ROCK = [{ at: v(21, 0, 0.4), shape: new SphereShape(4) }]
const BOUNDS = [{ shape: new HollowShape(new BoxShape(v(17, 18, 18))) }]

/** One that rests, 6 m beside the goal. */
function leaderIn(world: SteeringWorld): SteeringController {
  const one = new SteeringController(null, {
    behavior: new Stop(),
    position: v(20, 0, 6),
    radius: 1,
    maxSpeed: 5,
    maxForce: 5,
    priority: Infinity,
    group: 2,
  })
  world.add(one)
  return one
}

const path = (technique: PathTechnique): Behavior =>
  new FollowPath({ path: new Path({ points: [v(-10, 0, 0), v(5, 0, 3), GOAL] }), technique })

const BEHAVIORS: Record<string, (world: SteeringWorld) => Behavior> = {
  Arrive: () => new Arrive({ target: GOAL }),
  'Arrive with a deceleration time': () => new Arrive({ target: GOAL, decelerationTime: 1 }),
  'Arrive beside Separation': () =>
    blend([new Arrive({ target: GOAL }), new Separation({ neighborDistance: 3 })]),
  'Arrive in a priority': () => priority([new Arrive({ target: GOAL })]),
  DirectedSeek: () => new DirectedSeek({ target: { position: GOAL, heading: v(1, 0, 0) }, arrivalSpeed: 0 }),
  Interpose: () => new Interpose({ targets: [v(20, 0, -8), v(20, 0, 8)] }),
  OffsetPursue: (world) => new OffsetPursue({ target: leaderIn(world), offset: v(-6, 0, 0) }),
  JoinUp: (world) => new JoinUp({ target: leaderIn(world), offset: v(-6, 0, 0) }),
  LeaderFollow: (world) => new LeaderFollow({ target: leaderIn(world), distance: 6 }),
  KeepSlot: (world) => {
    const pattern = customPattern([{ position: v(-6, 0, 0) }])
    return new KeepSlot({ formation: new Formation({ leader: leaderIn(world), pattern, spacing: 1 }) })
  },
  pipeline: () => pipeline({ targeters: [new PlaceTargeter(GOAL)], actuator: new ArriveActuator() }),
  'FollowPath by reprojection': () => path('reprojection'),
  'FollowPath by future reprojection': () => path('future-reprojection'),
  'FollowPath by a dog': () => path('dog-on-a-string'),
  'FollowPath by hooks': () => path('grappling-hooks'),
}

const KEPT_AWAY: Record<string, (inner: Behavior, world: SteeringWorld) => Behavior> = {
  'its place is taken': (inner, world) => {
    const taker = { position: GOAL, radius: 1, maxSpeed: 1, maxForce: 1, priority: Infinity }
    world.add(new SteeringController(null, { behavior: idle(), ...taker }))
    return within([new ReciprocalAvoidance({ groups: 1 })], inner)
  },
  'its place is in a rock': (inner) => within([new AvoidObstacles({ obstacles: ROCK })], inner),
  'its place is outside of the bounds': (inner) => within([new Contain({ bounds: BOUNDS })], inner),
  'its place is in a rock, in a contextMap': (inner) =>
    contextMap({ interest: [inner], danger: [new AvoidObstacles({ obstacles: ROCK })] }),
}

/** Left: these curve on before what is in their way. */
const RESTLESS = new Set([
  'DirectedSeek, its place is in a rock',
  'DirectedSeek, its place is outside of the bounds',
  'FollowPath by future reprojection, its place is outside of the bounds',
])

/** The agent after 20 s, and what it was told. */
function fly(make: (world: SteeringWorld) => Behavior, rate: number, flat: boolean) {
  const world = new SteeringWorld({ seed: 1 })
  const behavior = make(world)
  const start = { position: v(-5, flat ? 0 : 3, 2), maxSpeed: 8, maxForce: 8, radius: 1 }
  const one = new SteeringController(null, { behavior, ...start, ...(flat && { plane: v(0, 1, 0) }) })
  const told: [string, Behavior][] = []
  one.addEventListener('arrive', (event) => told.push([event.reason ?? '', event.behavior]))
  one.addEventListener('leave', (event) => told.push(['leave', event.behavior]))
  world.add(one)
  for (let i = 0; i < 20 * rate; i++) world.step(1 / rate)
  return { one, told }
}

describe.each(Object.entries(KEPT_AWAY))('%s', (where, around) => {
  const names = Object.keys(BEHAVIORS).filter((name) => !RESTLESS.has(`${name}, ${where}`))
  it.each(names)('%s stands, and is told once', (name) => {
    for (const rate of ALL ? [30, 60, 144] : [60])
      for (const flat of ALL ? [false, true] : [false]) {
        const { one, told } = fly((world) => around(BEHAVIORS[name]!(world), world), rate, flat)
        expect(norm(one.velocity)).toBeLessThan(1e-3)
        // JoinUp and KeepSlot have joined at a larger distance already
        expect(told).toHaveLength(1)
        if (name !== 'JoinUp' && name !== 'KeepSlot') expect(told[0]![0]).toBe('as near as it gets')
      }
  })
})

it('the behaviour whose place it is emits it, however deep it lies', () => {
  const inner = new Arrive({ target: GOAL })
  const { told } = fly(
    () => within([], within([new AvoidObstacles({ obstacles: ROCK })], blend([priority([inner])]))),
    60,
    false,
  )
  expect(told).toEqual([['as near as it gets', inner]])
})

it('two that hide at one place: the later one is told, or hides elsewhere', () => {
  const world = new SteeringWorld({ seed: 1 })
  const obstacles = [{ at: v(16, 0, 0), shape: new SphereShape(2.5) }]
  const hide = within([new ReciprocalAvoidance()], new Hide({ target: v(-20, 0, 0.5), obstacles }))
  const all = [v(24, 3, 2), v(25, -2, 1)].map((position) => {
    const one = new SteeringController(null, {
      behavior: hide,
      position,
      maxSpeed: 8,
      maxForce: 8,
      radius: 1,
    })
    world.add(one)
    return one
  })
  for (let i = 0; i < 20 * 60; i++) world.step(1 / 60)
  for (const { velocity } of all) expect(norm(velocity)).toBeLessThan(0.01)
})
