import {
  neighborSearch,
  Arrive,
  AvoidObstacles,
  blend,
  BoxShape,
  CapsuleShape,
  Contain,
  contextMap,
  CylinderShape,
  dither,
  Face,
  Flee,
  HalfSpaceShape,
  HollowShape,
  HullShape,
  modes,
  Obstacles,
  Orbit,
  Path,
  PathTube,
  priority,
  PerlinNoise,
  PrismShape,
  Seek,
  smooth,
  SphereShape,
  truncatedSum,
  Wander,
  within,
  type Behavior,
  type Obstacle,
  type Vec3Like,
} from 'three-steering'
import { dubins } from 'three-steering/curves'

import { Port } from 'three-steering/docking'
import { FlowAround, FlowField, FlowSum, PathFlow, VortexFlow, WindFlow } from 'three-steering/flow'
import { Formation } from 'three-steering/formation'
import {
  ArriveActuator,
  AttitudeTargeter,
  BallConstraint,
  PathDecomposer,
  pipeline,
  PlaceTargeter,
} from 'three-steering/classic'
import type { Scene } from '../laws/kit.js'
import { oneTable, type AnyTable, type Option, type OptionTables } from '../../src/core/math/options.js'
import { LIBRARY } from '../support/library.js'

const SIDE: Vec3Like = { x: 0.3, y: -0.7, z: 1.1 }

/** A tetrahedron. */
const HULL = {
  vertices: [
    { x: 0, y: 0, z: 0 },
    { x: 3, y: 0, z: 0 },
    { x: 0, y: 3, z: 0 },
    { x: 0, y: 0, z: 3 },
  ],
  faces: [
    [0, 2, 1],
    [0, 1, 3],
    [0, 3, 2],
    [1, 2, 3],
  ],
}

/** A floor plan that is not convex. */
const PLAN = [
  { x: 0, z: 0 },
  { x: 0, z: 3 },
  { x: 1, z: 3 },
  { x: 1, z: 1 },
  { x: 4, z: 1 },
  { x: 4, z: 0 },
]

const spared = ({ shape }: Obstacle): boolean => shape.kind === 'capsule'

/** A law of separation. */
const steep = (distance: number, touch: number): number => (touch / distance) ** 3

/** One of each shape, at rest and on moving objects, turned and off centre. */
function rocks({ target, others }: Scene): Obstacles {
  const ball = new SphereShape(2)
  const turn = { x: 0.1, y: 0.7, z: -0.3, w: 0.4 }
  return new Obstacles([
    { shape: ball, at: target, offset: SIDE, turn, owner: others[1]! },
    { shape: ball, at: { x: 5, y: 1, z: -9 } },
    { shape: new BoxShape({ x: 1, y: 2, z: 3 }), at: { x: 9, y: -4, z: 2 }, offset: SIDE, turn },
    { shape: new CapsuleShape(1, 3), at: others[0]! },
    { shape: new CylinderShape(1, 3), at: { x: -9, y: 4, z: 2 }, turn },
    { shape: new HalfSpaceShape({ x: 0.2, y: 1, z: 0.1 }), at: { x: 0, y: -30, z: 0 } },
    { shape: new HollowShape(new SphereShape(60)) },
    { shape: new HullShape(HULL), at: { x: 3, y: 9, z: 3 }, turn },
    { shape: new PathTube(new Path({ points: [SIDE, target.position, { x: 60, y: 9, z: 3 }] }), 70) },
    { shape: new PrismShape(PLAN, 4), at: { x: -3, y: -9, z: 12 }, turn },
  ])
}

function port({ target }: Scene): Port {
  return new Port({ carrier: target, position: SIDE, outward: { x: 1, y: 0.3, z: -0.5 }, clearance: 3 })
}

function course(scene: Scene): Path {
  return new Path({
    points: scene.others.slice(0, 4).map(({ position }) => position),
    curve: dubins,
    radius: [1, 2, 0.5, 1],
    headings: [SIDE, null, { x: 1, y: 0, z: 0 }, null],
    ends: 'closed',
    tube: [1, 2, 3, 1.5],
    bank: [0, 0.3, -0.2, 0.1],
    up: { x: 0.1, y: 1, z: 0 },
  })
}

const flocks = new WeakMap<Scene, Formation>()

function formation(scene: Scene): Formation {
  const known = flocks.get(scene) ?? new Formation({ spacing: 3, leader: scene.target })
  flocks.set(scene, known)
  return known
}

function painted(): FlowField {
  const max = { x: 20, y: 10, z: 15 }
  const field = new FlowField({
    min: { x: -20, y: -10, z: -15 },
    max,
    size: { x: 3, y: 2, z: 2 },
    outside: 'fade',
    fade: 7,
  })
  return field.paint(new VortexFlow({ center: SIDE, radius: 5, speed: 3 }))
}

/** All flow sources in one sum. */
function flows(scene: Scene): FlowSum {
  const whirl = new VortexFlow({ center: SIDE, axis: { x: 1, y: 2, z: 0.5 }, radius: 12, speed: 6, climb: 2 })
  const river = new PathFlow({
    path: course(scene),
    speed: 3,
    tube: 2,
    width: 4,
    inwardShare: 0.5,
    maxDistance: 30,
  })
  return new FlowSum([
    { flow: new FlowAround({ flow: whirl, obstacles: rocks(scene), range: 9, clearance: 0.4 }), weight: 0.6 },
    { flow: river, weight: -0.5 },
    { flow: new WindFlow({ velocity: { x: 1, y: -0, z: 2 } }), weight: 2 },
    painted(),
    (point, time, out) => Object.assign(out, { x: Math.sin(point.x + time), y: 1, z: 0 }),
  ])
}

/** What an option of this name holds, where its kind does not say it or any value would not do. */
const NAMED: Readonly<Record<string, (scene: Scene) => unknown>> = {
  behavior: ({ target }) => new Seek({ target }),
  bounds: rocks,
  extension: () => 12,
  falloff: () => steep,
  field: flows,
  formation,
  gates: ({ target }) => [
    { position: target.position, heading: SIDE, radius: 9 },
    { position: SIDE, heading: { x: 0, y: 1, z: 0 }, radius: 5 },
  ],
  group: ({ target }) => [SIDE, target],
  ignore: () => spared,
  leadBehavior: () => new Wander(),
  neighborDistance: () => 9,
  next: () => () => null,
  noise: ({ target }) => new PerlinNoise({ wavelength: 4, seed: 7, at: target }),
  obstacles: rocks,
  path: course,
  port,
  pilot: () => ({ window: 1, threshold: 0.5, renavigate: () => null, escape: true }),
  ports: (scene) => [port(scene)],
  range: () => 30,
  targets: ({ target, others }) => [target.position, others[0]!],
}

/** Options that exclude others, or depend on them. */
const GIVEN: Readonly<Record<string, (scene: Scene) => object>> = {
  FollowPath: () => ({ neighborSearch }),
  DirectedSeek: ({ target }) => ({ target: { position: target.position, heading: SIDE } }),
  Land: () => ({ holdDistance: 5 }),
  Orbit: () => ({ sphere: undefined }),
}

function valueOf(option: Option, scene: Scene, i: number): unknown {
  const { kind, oneOf, default: initial, options } = option
  if (options !== undefined) return optionsOf(oneTable(options), scene)
  if (oneOf !== undefined) return oneOf.findLast((each) => each !== initial)
  switch (kind) {
    case 'boolean':
      return initial !== true
    case 'text':
      return 'tank'
    case 'vector':
    case 'side':
      return { ...SIDE, x: 0.3 + 0.1 * i }
    case 'point':
    case 'waypoint':
    case 'named':
      return scene.target
    default:
      return numberIn(option, i)
  }
}

/** A number in the range of an option that is not its default, another one for each option of a table. */
function numberIn(
  { above = -Infinity, atLeast = above, atMost = Infinity, default: initial, whole }: Option,
  i: number,
): number | undefined {
  const all = whole === true ? [3 + i] : [Number(initial) * (0.7 + 0.01 * i), 3 + 0.1 * i, 0.4 + 0.01 * i]
  return all.find((x) => x > above && x >= atLeast && x <= atMost && x !== initial && Number.isFinite(x))
}

/** Every option of a table, none at its default. */
function optionsOf(table: AnyTable, scene: Scene): object {
  return Object.fromEntries(
    Object.entries(table)
      .filter(([, { kind }]) => kind !== 'shorthand')
      .map(([name, option], i) => [name, NAMED[name]?.(scene) ?? valueOf(option as Option, scene, i)]),
  )
}

type Tabled = (new (options: object) => Behavior) & { readonly options: OptionTables }

/** Behaviours whose constructor takes their options, with every option that their table has. */
function derived(): Record<string, (scene: Scene) => Behavior> {
  const classes = Object.entries(LIBRARY).filter(
    ([name, value]) =>
      typeof value === 'function' &&
      'options' in value &&
      'steer' in (value.prototype as object) &&
      !(name in BY_HAND),
  ) as [string, Tabled][]
  return Object.fromEntries(
    classes.map(([name, type]) => [
      name,
      (scene) => new type({ ...optionsOf(oneTable(type.options), scene), ...GIVEN[name]?.(scene) }),
    ]),
  )
}

/** Combinations, and what the other options of a class exclude. */
const BY_HAND: Readonly<Record<string, (scene: Scene) => Behavior>> = {
  Blend: ({ target }) =>
    blend(
      [
        { behavior: new Seek({ target }), weight: -0.3, fade: 0.5 },
        { behavior: new Flee({ target }), enabled: false },
        new Wander(),
      ],
      { truncate: 'parts', average: true },
    ),
  ContextMap: (scene) =>
    contextMap({
      interest: [new Arrive({ target: scene.target }), { behavior: new Wander(), weight: 0.4 }],
      danger: [
        new AvoidObstacles({ obstacles: rocks(scene) }),
        { behavior: new Contain({ bounds: rocks(scene) }), enabled: false },
      ],
      directions: 40,
      horizon: 3,
    }),
  Dither: ({ target }) =>
    dither(
      [
        { behavior: new Seek({ target }), probability: 0.4, enabled: false },
        { behavior: new Flee({ target }), probability: 0.6 },
        new Wander(),
      ],
      { period: 0.3, forceShare: 0.01, torqueShare: 0.02 },
    ),
  Modes: ({ target }) =>
    modes(
      { come: new Arrive({ target }), look: new Face({ target }), go: new Flee({ target }) },
      { initial: 'look', fade: 0.1, select: ({ id }, { tick }) => (tick % 50 > id ? 'go' : 'come') },
    ),
  'Orbit, a sphere': ({ target }) => new Orbit({ target, radius: 6, sphere: true }),
  Pipeline: (scene) => {
    const aside = new PlaceTargeter(SIDE)
    const off = new AttitudeTargeter(scene.others[1]!)
    const path = new PathDecomposer({ path: course(scene), ahead: 3 })
    const ball = new BallConstraint({ center: scene.others[0]!, radius: 3, margin: 0.4 })
    for (const stage of [aside, off, path, ball]) stage.enabled = false
    return pipeline({
      targeters: [aside, new PlaceTargeter(scene.target), off, new AttitudeTargeter(scene.target)],
      decomposers: [path],
      constraints: [ball, new BallConstraint({ center: SIDE, radius: 2 })],
      actuator: new ArriveActuator(),
      fallback: new Flee({ target: scene.target }),
      attempts: 3,
    })
  },
  Priority: ({ target }) =>
    priority([{ behavior: new Flee({ target }), enabled: false }, new Seek({ target })], {
      forceShare: 0.01,
      torqueShare: 0.02,
    }),
  Smooth: ({ target }) => smooth(new Seek({ target }), { time: 0.4, torqueTime: 0.1 }),
  TruncatedSum: ({ target }) =>
    truncatedSum([{ behavior: new Seek({ target }), weight: 0.4 }, new Wander()], {
      budget: 'resultant',
      until: 'force',
      project: true,
    }),
  Within: (scene) =>
    within(
      [
        new AvoidObstacles({ obstacles: rocks(scene) }),
        { behavior: new Contain({ bounds: rocks(scene) }), enabled: false },
      ],
      [
        { behavior: new Arrive({ target: scene.target }), weight: 0.7, fade: 0.4 },
        { behavior: new Face({ target: scene.target }), enabled: false },
        new Wander(),
      ],
    ),
}

/** Every type with every option given, and no option at its default. */
export const FULL: Readonly<Record<string, (scene: Scene) => Behavior>> = { ...derived(), ...BY_HAND }
