import { describe, expect, it } from 'vitest'
import {
  Attitude,
  AvoidObstacles,
  blend,
  Contain,
  priority,
  Obstacle,
  SphereShape,
  SteeringController,
  SteeringWorld,
  within,
  Flock,
} from 'three-steering'
import { v } from '../support/geometry.js'
import { idle } from '../support/pilot.js'
import { addFlock } from '../support/flock.js'

// Constructors and setters refuse wrong values at once, with a TypeError or RangeError that names the option,
// the value and the allowed values.

/** Wrong values, by the allowed ones. */
const BAD = {
  /** Numbers > 0, Infinity allowed. */
  positive: [NaN, 0, -1, -Infinity, '5', {}],
  /** Numbers > 0 that must be finite. */
  finitePositive: [NaN, 0, -1, Infinity, '5', {}],
  /** Numbers ≥ 0, Infinity allowed. */
  natural: [NaN, -1, -1e-9, -Infinity, '5', {}],
  finiteNatural: [NaN, -1, Infinity, '5', {}],
  finite: [NaN, Infinity, -Infinity, '5', {}],
  whole: [NaN, Infinity, 1.5, '5', {}],
  counts: [NaN, 0, -1, 1.5, '5', {}],
  angle: [NaN, 0, -1, 6.4, Infinity, '1', {}],
  vector: [
    5,
    'up',
    {},
    { x: 1 },
    { x: 1, y: NaN, z: 0 },
    { x: 0, y: 0, z: Infinity },
    { x: '1', y: 2, z: 3 },
  ],
  behavior: [null, undefined, 5, 'seek', {}, { steer: 5 }],
  obstacles: [null, undefined, 5, {}],
  moving: [null, undefined, 5, 'you', {}, { position: { x: 1, y: 2, z: 3 } }, v(1, 2, 3)],
  point: [
    null,
    undefined,
    5,
    'there',
    {},
    { x: 1 },
    { position: {} },
    { x: NaN, y: 0, z: 0 },
    v(0, Infinity, 0),
  ],
} as const

interface Door {
  /** Texts that the message must contain. */
  readonly names: string
  readonly label: string
  readonly bad: readonly unknown[]
  readonly open: (value: never) => unknown
}

function door(names: string, bad: readonly unknown[], open: (value: never) => unknown, label = names): Door {
  return { names, label, bad, open }
}

function show(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  if (typeof value !== 'object' || value === null) return String(value)
  return `{${Object.entries(value)
    .map(([key, each]) => `${key}: ${show(each)}`)
    .join(', ')}}`
}

/** The error of a call that must be refused. */
function refusal(act: () => unknown): Error {
  try {
    act()
  } catch (error) {
    return error as Error
  }
  return expect.fail('was let in')
}

function expectRefusal(act: () => unknown, names: string, value: unknown): void {
  const error = refusal(act)
  expect(error instanceof TypeError || error instanceof RangeError, `${error.name}: ${error.message}`).toBe(
    true,
  )
  expect(error.message).toContain(names)
  expect(error.message).toMatch(/must|allowed|needs|has members/)
  // the message shows a number by its digits, and an object by its wrong part or as a whole
  expect(error.message).toContain(typeof value === 'object' && value !== null ? 'got ' : String(value))
}

function table(title: string, doors: readonly Door[]): void {
  describe(title, () => {
    for (const { names, label, bad, open: act } of doors)
      for (const value of bad) {
        it(`${label}: ${show(value)}`, () => expectRefusal(() => act(value as never), names, value))
      }
  })
}

const BASE = { maxSpeed: 10, maxForce: 100 }

function controller(options: object): SteeringController {
  return new SteeringController(null, { behavior: idle(), ...BASE, ...options })
}

const BAD_TURNS = [
  5,
  'turned',
  {},
  { x: 0, y: 0, z: 0, w: 0 },
  { x: NaN, y: 0, z: 0, w: 1 },
  { x: 0, y: 0, z: 0, w: Infinity },
  { x: 0, y: 0, z: 0, w: '1' },
]

const AGENT: [string, readonly unknown[]][] = [
  ['behavior', BAD.behavior],
  ['maxSpeed', [...BAD.positive, undefined, null]],
  ['maxForce', [...BAD.finiteNatural, undefined, null]],
  ['maxTorque', BAD.natural],
  ['maxTurnRate', BAD.positive],
  ['mass', BAD.finitePositive],
  ['inertia', [...BAD.vector, v(0, 1, 1), v(1, -1, 1)]],
  ['inertiaFrame', BAD_TURNS],
  ['radius', BAD.finitePositive],
  ['spaceLength', [...BAD.finitePositive, 0.9, 101]],
  ['spaceHeight', [...BAD.finitePositive, 0.9, 101]],
  ['responseTime', BAD.positive],
  ['priority', BAD.positive],
  ['locomotion', [5, 'fly', {}, { actuate() {} }, { forceAlong() {} }]],
  ['forward', [...BAD.vector, v(0, 0, 0)]],
  ['up', [...BAD.vector, v(0, 0, 0), v(0, 0, 1), v(0, 0.1, -1)]],
  ['fieldOfView', BAD.angle],
  ['maxNeighbors', BAD.counts],
  ['group', [NaN, 1.5, Infinity, '1', {}]],
  ['seed', BAD.whole],
]

const STATE: [string, readonly unknown[]][] = [
  ['position', BAD.vector],
  ['velocity', BAD.vector],
  ['angularVelocity', BAD.vector],
  ['quaternion', BAD_TURNS],
]

table(
  'SteeringController',
  [...AGENT, ...STATE].map(([name, bad]) => door(name, bad, (value) => controller({ [name]: value }))),
)

table('SteeringController, object', [
  door(
    'view',
    [undefined, 5, 'ship', {}, { position: {} }, { position: v(0, 0, 0), quaternion: {} }],
    (value) => new SteeringController(value, { behavior: idle(), ...BASE }),
  ),
])

table('the fields of a controller', [
  door('maxSpeed', BAD.positive, (value) => (controller({}).maxSpeed = value)),
  door('maxForce', BAD.finiteNatural, (value) => (controller({}).maxForce = value)),
  door('maxTorque', BAD.natural, (value) => (controller({}).maxTorque = value)),
  door('maxTurnRate', BAD.positive, (value) => (controller({}).maxTurnRate = value)),
  door('fieldOfView', BAD.angle, (value) => (controller({}).fieldOfView = value)),
  door('maxNeighbors', BAD.counts, (value) => (controller({}).maxNeighbors = value)),
  door('responseTime', BAD.positive, (value) => (controller({}).responseTime = value)),
  door('priority', BAD.positive, (value) => (controller({}).priority = value)),
  door('behavior', BAD.behavior, (value) => (controller({}).behavior = value)),
  door('locomotion', [null, undefined, 5, {}], (value) => (controller({}).locomotion = value)),
  ...STATE.map(([name, bad]) => door(name, bad, (value) => controller({}).teleport({ [name]: value }))),
])

function flockWith(options: object): Flock {
  return addFlock(new SteeringWorld(), { behavior: idle(), ...BASE, count: 2, ...options })
}

table('addFlock', [
  ...AGENT.map(([name, bad]) => door(name, bad, (value) => flockWith({ [name]: value }))),
  door('count', [undefined, NaN, -1, 1.5, Infinity, '5', {}], (count) => flockWith({ count })),
  door('view', [5, 'mesh', {}], (view) => flockWith({ view })),
  // refused by the constructor, before a world sees the flock
  door('spawn', [null, 5, {}, []], (spawn) => new Flock({ behavior: idle(), ...BASE, count: 0, spawn })),
  door('body', [null, 5, {}, []], (body) => new Flock({ behavior: idle(), ...BASE, count: 0, body })),
  ...(['position', 'velocity'] as const).map((name) =>
    door(name, [v(NaN, 0, 0), v(0, Infinity, 0)], (value) =>
      flockWith({
        spawn: (_i: number, state: Record<string, object>) => Object.assign(state[name]!, value),
      }),
    ),
  ),
])

table('the fields and methods of a flock', [
  door('maxSpeed', BAD.positive, (value) => (flockWith({}).maxSpeed = value)),
  door('maxForce', BAD.finiteNatural, (value) => (flockWith({}).maxForce = value)),
  door('maxTorque', BAD.natural, (value) => (flockWith({}).maxTorque = value)),
  door('maxTurnRate', BAD.positive, (value) => (flockWith({}).maxTurnRate = value)),
  door('responseTime', BAD.positive, (value) => (flockWith({}).responseTime = value)),
  door('priority', BAD.positive, (value) => (flockWith({}).priority = value)),
  door('fieldOfView', BAD.angle, (value) => (flockWith({}).fieldOfView = value)),
  door('maxNeighbors', BAD.counts, (value) => (flockWith({}).maxNeighbors = value)),
  door('behavior', BAD.behavior, (value) => (flockWith({}).behavior = value)),
  door('locomotion', [null, undefined, 5, {}], (value) => (flockWith({}).locomotion = value)),
  door('add', [NaN, -1, 1.5, '5', {}], (value) => flockWith({}).add(value)),
  door('index', [NaN, -1, 2, 0.5, '0', undefined], (value) => flockWith({}).remove(value)),
  door('index', [NaN, -1, 2, 0.5, '0'], (value) => flockWith({}).position(value, { x: 0, y: 0, z: 0 })),
  door('index', [NaN, -1, 2], (value) => flockWith({}).velocity(value, { x: 0, y: 0, z: 0 })),
  door('index', [NaN, -1, 2], (value) => flockWith({}).quaternion(value, { x: 0, y: 0, z: 0, w: 1 })),
  door('index', [NaN, -1, 2, 0.5], (value) => flockWith({}).member(value)),
])

table('SteeringWorld', [
  door('seed', BAD.whole, (seed) => new SteeringWorld({ seed })),
  door('up', [...BAD.vector, v(0, 0, 0)], (up) => new SteeringWorld({ up })),
  door('gravity', BAD.vector, (gravity) => new SteeringWorld({ gravity })),
  door('wrap.min', BAD.vector, (min) => new SteeringWorld({ wrap: { min, max: v(9, 9, 9) } })),
  door(
    'wrap.max',
    [...BAD.vector, v(1, 0, 1), v(1, 1, -1)],
    (max) => new SteeringWorld({ wrap: { min: v(0, 0, 0), max } }),
  ),
  door('wrap', [null], (wrap) => new SteeringWorld({ wrap })),
  door('fixedStep', [NaN, 0, -1, Infinity, '0.1', {}], (fixedStep) => new SteeringWorld({ fixedStep })),
  door('maxSteps', BAD.counts, (maxSteps) => new SteeringWorld({ maxSteps })),
  door('step', [NaN, -1, Infinity, -Infinity, '0.1', undefined, null, {}], (dt) =>
    new SteeringWorld().step(dt),
  ),
  door('advance', [NaN, -1, Infinity, '1', undefined, null, {}], (seconds) =>
    new SteeringWorld().advance(seconds),
  ),
  door('add', [null, undefined, 5, {}], (value) => new SteeringWorld().add(value)),
  door('remove', [null, undefined, 5, {}], (value) => new SteeringWorld().remove(value)),
  door('addPlanner', [null, undefined, 5, {}, { plan: 5 }], (value) => new SteeringWorld().addPlanner(value)),
])

table('lists of obstacles', [
  door('AvoidObstacles.obstacles[2].shape', [null, undefined, 5, {}], (shape) => {
    const rock = { shape: new SphereShape(1) }
    return new AvoidObstacles({ obstacles: [rock, new Obstacle(rock), { shape }] })
  }),
  door('Contain.bounds[0].shape', [null, undefined, 5, {}], (shape) => new Contain({ bounds: [{ shape }] })),
])

table('combinations', [
  door(
    'within',
    [null, undefined, 5, {}, 'walls'],
    (constraints) => within(constraints, idle()),
    'within of',
  ),
  door('within.constraints[1]', [null, undefined, 5, 'walls', {}, { constrain: 5 }, idle()], (constraint) =>
    within([new Contain({ bounds: [] }), constraint], idle()),
  ),
  door('within.wishes[0]', BAD.behavior, (wish) => within([], wish)),
  door('blend', [null, undefined, 5, 'seek'], (parts) => blend(parts), 'blend of'),
  door('blend.parts[1]', BAD.behavior, (part) => blend([idle(), part]), 'blend of a part'),
  door('blend.parts[0].behavior', [null, undefined, 5, {}], (behavior) => blend([{ behavior }])),
  door('blend.parts[0].weight', BAD.finite, (weight) => blend([{ behavior: idle(), weight }])),
  door('priority', [null, undefined, 5, 'seek'], (behaviors) => priority(behaviors), 'priority of'),
  door('priority.parts[1]', BAD.behavior, (part) => priority([idle(), part]), 'priority of a part'),
])

table('locomotions', [
  door('attitude.roll', [null, 'tilt', 5], (roll) => new Attitude({ roll })),
  door('attitude.facing', [null, 'north', 5], (facing) => new Attitude({ facing })),
  door('attitude.match', [undefined, null, 5, {}], (match) => new Attitude({ roll: 'match', match })),
  door('attitude.bankWeight', BAD.finitePositive, (bankWeight) => new Attitude({ bankWeight })),
])
