import { describe, expect, it } from 'vitest'
import {
  Alignment,
  Arrive,
  Attitude,
  AvoidObstacles,
  blend,
  Cohesion,
  Contain,
  Evade,
  Face,
  Flee,
  Flight,
  Flocking,
  LookWhereGoing,
  MatchAttitude,
  MatchVelocity,
  OffsetPursue,
  priority,
  Pursue,
  Obstacle,
  Seek,
  SphereShape,
  Separation,
  SteeringController,
  SteeringWorld,
  Thrusters,
  Wander,
  within,
  Flock,
} from 'three-steering'
import { ClassicAvoidance } from 'three-steering/classic'
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

const rule: [string, readonly unknown[]][] = [
  ['neighborDistance', [...BAD.finitePositive, undefined]],
  ['weight', BAD.finite],
  ['fieldOfView', BAD.angle],
  ['groups', [NaN, 1.5, '1', {}]],
  ['response', [null, 'soft', 5]],
]

const near = { neighborDistance: 1 }
const parts = { separation: near, alignment: near, cohesion: near }
const RULES: [string, (options: object) => unknown][] = [
  ['Separation', (options) => new Separation({ neighborDistance: 1, ...options })],
  ['Alignment', (options) => new Alignment({ neighborDistance: 1, ...options })],
  ['Cohesion', (options) => new Cohesion({ neighborDistance: 1, ...options })],
  [
    'Flocking.separation',
    (options) => new Flocking({ ...parts, separation: { neighborDistance: 1, ...options } }),
  ],
  [
    'Flocking.alignment',
    (options) => new Flocking({ ...parts, alignment: { neighborDistance: 1, ...options } }),
  ],
  [
    'Flocking.cohesion',
    (options) => new Flocking({ ...parts, cohesion: { neighborDistance: 1, ...options } }),
  ],
]

table(
  'flock rules',
  RULES.flatMap(([what, make]) =>
    rule.map(([name, bad]) => door(`${what}.${name}`, bad, (value) => make({ [name]: value }))),
  ),
)

table(
  'the rules of a flock',
  (['separation', 'alignment', 'cohesion'] as const).map((name) =>
    door(`Flocking.${name}`, [undefined, null, 5], (value) => new Flocking({ ...parts, [name]: value })),
  ),
)

const still = { position: v(0, 0, 0), velocity: v(0, 0, 0) }

table('behaviours', [
  door('AvoidObstacles.obstacles', BAD.obstacles, (obstacles) => new AvoidObstacles({ obstacles })),
  door('AvoidObstacles.obstacles[2].shape', [null, undefined, 5, {}], (shape) => {
    const rock = { shape: new SphereShape(1) }
    return new AvoidObstacles({ obstacles: [rock, new Obstacle(rock), { shape }] })
  }),
  door(
    'AvoidObstacles.ignore',
    [null, 5, 'all', {}],
    (ignore) => new AvoidObstacles({ obstacles: [], ignore }),
  ),
  door(
    'ClassicAvoidance.method',
    [null, 'guess', 5, 'silhouette'],
    (method) => new ClassicAvoidance({ obstacles: [], method }),
  ),
  door(
    'AvoidObstacles.horizon',
    BAD.finitePositive,
    (horizon) => new AvoidObstacles({ obstacles: [], horizon }),
  ),
  door(
    'AvoidObstacles.clearance',
    BAD.finiteNatural,
    (margin) => new AvoidObstacles({ obstacles: [], clearance: margin }),
  ),
  door(
    'ClassicAvoidance.brakingWeight',
    BAD.finiteNatural,
    (brakingWeight) => new ClassicAvoidance({ obstacles: [], brakingWeight }),
  ),
  door('Contain.bounds', BAD.obstacles, (bounds) => new Contain({ bounds })),
  door('Contain.bounds[0].shape', [null, undefined, 5, {}], (shape) => new Contain({ bounds: [{ shape }] })),
  door('Contain.clearance', BAD.finiteNatural, (skin) => new Contain({ bounds: [], clearance: skin })),
  door('Seek.target', BAD.point, (target) => new Seek({ target })),
  door('Flee.target', BAD.point, (target) => new Flee({ target })),
  door(
    'Flee.panicDistance',
    BAD.positive,
    (panicRadius) => new Flee({ target: v(0, 0, 0), panicDistance: panicRadius }),
  ),
  door('Arrive.target', BAD.point, (target) => new Arrive({ target })),
  door('Arrive.tolerance', BAD.positive, (tolerance) => new Arrive({ target: still, tolerance })),
  door(
    'Arrive.speedTolerance',
    BAD.positive,
    (speedTolerance) => new Arrive({ target: still, speedTolerance }),
  ),
  door('Arrive.dwell', BAD.natural, (dwell) => new Arrive({ target: still, dwell })),
  door(
    'Arrive.decelerationTime',
    BAD.positive,
    (decelerationTime) => new Arrive({ target: still, decelerationTime }),
  ),
  door('Pursue.target', BAD.moving, (quarry) => new Pursue({ target: quarry })),
  door('Pursue.prediction', [null, 'guess', 5], (prediction) => new Pursue({ target: still, prediction })),
  door(
    'Pursue.maxPredictionTime',
    BAD.positive,
    (maxTime) => new Pursue({ target: still, maxPredictionTime: maxTime }),
  ),
  door(
    'Pursue.predictionFactor',
    BAD.finiteNatural,
    (misjudge) => new Pursue({ target: still, predictionFactor: misjudge }),
  ),
  door('Pursue.aimError', BAD.finiteNatural, (scatter) => new Pursue({ target: still, aimError: scatter })),
  door(
    'Pursue.aimErrorTime',
    BAD.positive,
    (scatterTime) => new Pursue({ target: still, aimErrorTime: scatterTime }),
  ),
  door('Evade.target', BAD.moving, (threat) => new Evade({ target: threat })),
  door(
    'Evade.panicDistance',
    BAD.positive,
    (panicRadius) => new Evade({ target: still, panicDistance: panicRadius }),
  ),
  door(
    'Evade.maxPredictionTime',
    BAD.positive,
    (maxTime) => new Evade({ target: still, maxPredictionTime: maxTime }),
  ),
  door('Evade.method', [null, 'hide', 5], (method) => new Evade({ target: still, method })),
  door('Evade.agilityRatio', BAD.finiteNatural, (grip) => new Evade({ target: still, agilityRatio: grip })),
  door(
    'Evade.catchDistance',
    BAD.finitePositive,
    (catchRadius) => new Evade({ target: still, catchDistance: catchRadius }),
  ),
  door(
    'OffsetPursue.target',
    BAD.moving,
    (leader) => new OffsetPursue({ target: leader, offset: v(0, 0, 0) }),
  ),
  door('OffsetPursue.offset', BAD.vector, (offset) => new OffsetPursue({ target: still, offset })),
  door('Wander.radius', BAD.finitePositive, (radius) => new Wander({ radius })),
  door('Wander.distance', BAD.finiteNatural, (distance) => new Wander({ distance })),
  door('Wander.jitter', BAD.finiteNatural, (jitter) => new Wander({ jitter })),
  door('Wander.speedShare', [NaN, 0, -1, 1.1, Infinity, '1', {}], (speedShare) => new Wander({ speedShare })),
  door('MatchVelocity.target', BAD.moving, (target) => new MatchVelocity({ target })),
  door('Face.target', BAD.point, (target) => new Face({ target })),
  door('Face.roll', [null, 'bank', 'match', 5], (roll) => new Face({ target: still, roll })),
  door('LookWhereGoing.smoothing', BAD.natural, (smoothing) => new LookWhereGoing({ smoothing })),
  door('LookWhereGoing.roll', [null, 'bank', 'match', 5], (roll) => new LookWhereGoing({ roll })),
  door(
    'MatchAttitude.target',
    [null, undefined, 5, {}, { quaternion: {} }],
    (target) => new MatchAttitude({ target }),
  ),
])

table('combinations', [
  door(
    'within',
    [null, undefined, 5, {}, 'walls'],
    (constraints) => within(constraints, idle()),
    'within of',
  ),
  door('within: constraint', [null, undefined, 5, 'walls', {}, { constrain: 5 }, idle()], (constraint) =>
    within([new Contain({ bounds: [] }), constraint], idle()),
  ),
  door('within: wish', BAD.behavior, (wish) => within([], wish)),
  door('blend', [null, undefined, 5, 'seek'], (parts) => blend(parts), 'blend of'),
  door('blend', BAD.behavior, (part) => blend([idle(), part]), 'blend of a part'),
  door('blend', [null, undefined, 5, {}], (behavior) => blend([{ behavior }])),
  door('weight', BAD.finite, (weight) => blend([{ behavior: idle(), weight }])),
  door('priority', [null, undefined, 5, 'seek'], (behaviors) => priority(behaviors), 'priority of'),
  door('priority', BAD.behavior, (part) => priority([idle(), part]), 'priority of a part'),
  door('priority.forceShare', [NaN, -1, '1', {}], (forceShare) => priority([], { forceShare })),
  door('priority.torqueShare', [NaN, -1, '1', {}], (torqueShare) => priority([], { torqueShare })),
])

table('locomotions', [
  door('attitude.roll', [null, 'tilt', 5], (roll) => new Attitude({ roll })),
  door('attitude.facing', [null, 'north', 5], (facing) => new Attitude({ facing })),
  door('attitude.match', [undefined, null, 5, {}], (match) => new Attitude({ roll: 'match', match })),
  door('attitude.bankWeight', BAD.finitePositive, (bankWeight) => new Attitude({ bankWeight })),
  door('Thrusters.ahead', [...BAD.natural, undefined, null], (ahead) => new Thrusters({ ahead })),
  ...(['astern', 'up', 'down', 'port', 'starboard'] as const).map((name) =>
    door(`Thrusters.${name}`, BAD.natural, (value) => new Thrusters({ ahead: 1, [name]: value })),
  ),
  ...(['minSpeed', 'thrust', 'brake', 'lift', 'sideForce', 'bankWeight'] as const).map((name) =>
    door(`Flight.${name}`, BAD.natural, (value) => new Flight({ [name]: value })),
  ),
])
