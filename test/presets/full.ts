import {
  Alignment,
  Arrive,
  AttackRun,
  AvoidAgents,
  AvoidObstacles,
  AvoidWalls,
  blend,
  BoxShape,
  CapsuleShape,
  Cohesion,
  Contain,
  contextMap,
  Cruise,
  CylinderShape,
  DirectedSeek,
  dither,
  Evade,
  EvadeGroup,
  Face,
  Flee,
  Flocking,
  FollowPath,
  HalfSpaceShape,
  Hide,
  HollowShape,
  HullShape,
  Interpose,
  JoinUp,
  LeaderFollow,
  LookWhereGoing,
  MatchAttitude,
  MatchVelocity,
  modes,
  Obstacles,
  OffsetPursue,
  Orbit,
  Path,
  PathTube,
  priority,
  PerlinNoise,
  PrismShape,
  Pursue,
  Queue,
  ReciprocalAvoidance,
  RepelObstacle,
  Seek,
  Separation,
  Sight,
  SlowInCrowd,
  smooth,
  SphereShape,
  Stick,
  Stop,
  Strafe,
  Tether,
  truncatedSum,
  WallFollow,
  Wander,
  within,
  type Behavior,
  type Obstacle,
  type Vec3Like,
} from 'three-steering'
import { GateRun } from 'three-steering/racing'
import { Dock, Land, Port, Refuel, Undock } from 'three-steering/docking'
import {
  FlowAround,
  FlowField,
  FlowSum,
  FollowFlowField,
  PathFlow,
  VortexFlow,
  WindFlow,
} from 'three-steering/flow'
import { Formation, KeepPace, KeepSlot } from 'three-steering/formation'
import {
  ClassicAvoidance,
  ArriveActuator,
  AttitudeTargeter,
  BallConstraint,
  PathDecomposer,
  pipeline,
  PlaceTargeter,
} from 'three-steering/classic'
import type { Scene } from '../laws/kit.js'

const RULE = {
  neighborDistance: 9,
  weight: 0.7,
  fieldOfView: 4,
  groups: 3,
  response: 'unit',
  maxNeighbors: 5,
  leaders: 2,
  leaderWeight: 3,
} as const

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
    curve: 'dubins',
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

/** Every type with every option given, and no option at its default. */
export const FULL: Readonly<Record<string, (scene: Scene) => Behavior>> = {
  Alignment: () => new Alignment({ ...RULE, match: 'heading' }),
  Arrive: ({ target }) =>
    new Arrive({ target, tolerance: 0.3, speedTolerance: 0.2, dwell: 0.5, decelerationTime: 0.8, speed: 3 }),
  AttackRun: ({ target }) =>
    new AttackRun({
      target,
      range: 30,
      minRange: 4,
      firingAngle: 0.3,
      side: SIDE,
      speed: 9,
      projectileSpeed: 50,
      aim: 'nose',
      extension: 12,
    }),
  AvoidAgents: () =>
    new AvoidAgents({ neighborDistance: 25, maxPredictionTime: 9, clearance: 6, groups: 3, weight: 0.8 }),
  AvoidObstacles: (scene) =>
    new AvoidObstacles({
      obstacles: rocks(scene),
      ignore: spared,
      horizon: 2,
      clearance: 0.7,
      maxDrop: 0.4,
    }),
  ClassicAvoidance: (scene) =>
    new ClassicAvoidance({ obstacles: rocks(scene), ignore: spared, method: 'deck', brakingWeight: 0.3 }),
  AvoidWalls: (scene) =>
    new AvoidWalls({
      obstacles: rocks(scene),
      ignore: spared,
      method: 'feelers',
      horizon: 2,
      gain: 1.5,
      feelers: 6,
      angle: 1,
      sideShare: 0.7,
      clearance: 0.2,
    }),
  Blend: ({ target }) =>
    blend(
      [
        { behavior: new Seek({ target }), weight: -0.3, fade: 0.5 },
        { behavior: new Flee({ target }), enabled: false },
        new Wander(),
      ],
      { truncate: 'parts', average: true },
    ),
  Cohesion: () => new Cohesion({ ...RULE, emergency: false, approach: 'seek' }),
  Contain: (scene) => new Contain({ bounds: rocks(scene), clearance: 0.3 }),
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
  Cruise: () => new Cruise({ speedShare: 0.4 }),
  DirectedSeek: ({ target }) =>
    new DirectedSeek({
      target: { position: target.position, heading: SIDE },
      method: 'jakob',
      radius: 3,
      speed: 8,
      arrivalSpeed: 2,
      plane: { x: 0, y: 1, z: 0.1 },
      reverse: true,
      effort: 'quick',
      leastDistance: 0.4,
      tolerance: 0.3,
      angleTolerance: 0.1,
      planningTime: 0.003,
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
  Dock: (scene) =>
    new Dock({
      ports: [port(scene)],
      probe: { x: 0.1, y: -0.5, z: 0.2 },
      axis: { x: 0.2, y: -1, z: 0.1 },
      top: { x: 1, y: 0.2, z: 0.3 },
      closingSpeed: 0.3,
      entrySpeed: 3,
      holdDistance: 3,
      latchDistance: 0.03,
      tolerance: 0.04,
      angleTolerance: 0.05,
      speedTolerance: 0.06,
      spinTolerance: 0.07,
      dwell: 0.08,
      hold: false,
      timeout: 90,
    }),
  Evade: ({ target }) =>
    new Evade({
      target,
      panicDistance: 40,
      maxPredictionTime: 3,
      predictionFactor: 0.8,
      method: 'flee',
      agilityRatio: 0.5,
      catchDistance: 2,
      speed: 3,
    }),
  EvadeGroup: () => new EvadeGroup({ groups: 1, neighborDistance: 12, maxPredictionTime: 2, speed: 3 }),
  Face: ({ target }) => new Face({ target, roll: 'free' }),
  Flee: ({ target }) => new Flee({ target, panicDistance: 70, speed: 3 }),
  Flocking: () =>
    new Flocking({
      separation: RULE,
      alignment: { ...RULE, match: 'heading' },
      cohesion: { ...RULE, emergency: false, approach: 'seek' },
    }),
  FollowFlowField: (scene) => new FollowFlowField({ field: flows(scene), speed: 7, predictionTime: 0.3 }),
  FollowPath: (scene) =>
    new FollowPath({
      path: course(scene),
      technique: 'grappling-hooks',
      speed: 6,
      lookAhead: 3,
      end: 'pass',
      direction: -1,
      tube: 2,
      closeness: 3,
      endCloseness: 1,
      endObstacles: 'ignore',
      endAgents: 'ignore',
      crowdRadius: 9,
      crowdSpeed: 0.3,
      start: 'first',
      group: [SIDE, scene.target],
      facing: 1,
      obstacles: rocks(scene),
      pilot: { window: 1, threshold: 0.5, renavigate: () => null, escape: true },
      next: () => null,
    }),
  GateRun: ({ target }) =>
    new GateRun({
      gates: [
        { position: target.position, heading: SIDE, radius: 9 },
        { position: SIDE, heading: { x: 0, y: 1, z: 0 }, radius: 5 },
      ],
      behavior: new Seek({ target }),
      ends: 'open',
      laps: 2,
      missRadii: 3,
    }),
  Hide: (scene) =>
    new Hide({
      target: scene.target,
      obstacles: rocks(scene),
      clearance: 2,
      lookAhead: 60,
      panicDistance: 50,
      onlyIfSeen: true,
      memoryTime: 3,
      targetFieldOfView: 4,
      ignore: spared,
      speed: 3,
    }),
  Interpose: ({ target, others }) =>
    new Interpose({ targets: [target.position, others[0]!], ratio: 0.2, speed: 3 }),
  JoinUp: ({ target }) =>
    new JoinUp({ target, offset: SIDE, clearance: 3, speed: 9, tolerance: 0.4, speedTolerance: 0.3 }),
  KeepPace: (scene) => new KeepPace({ formation: formation(scene) }),
  KeepSlot: (scene) =>
    new KeepSlot({ formation: formation(scene), role: 'tank', leadBehavior: new Wander(), attitude: false }),
  Land: (scene) =>
    new Land({
      ports: [port(scene)],
      probe: { x: 0.1, y: -0.5, z: 0.2 },
      axis: { x: 0.2, y: -1, z: 0.1 },
      top: { x: 1, y: 0.2, z: 0.3 },
      heading: 'pad',
      closingSpeed: 0.3,
      entrySpeed: 3,
      holdDistance: 3,
      clearance: 2,
      latchDistance: 0.03,
      tolerance: 0.04,
      angleTolerance: 0.05,
      dwell: 0.08,
      hold: true,
      timeout: 90,
    }),
  LeaderFollow: ({ target }) =>
    new LeaderFollow({ target, distance: 4, headway: 0.5, clearance: 30, speed: 3 }),
  LookWhereGoing: () => new LookWhereGoing({ smoothing: 0.7, roll: 'free' }),
  MatchAttitude: ({ target }) => new MatchAttitude({ target }),
  MatchVelocity: ({ target }) => new MatchVelocity({ target }),
  Modes: ({ target }) =>
    modes(
      { come: new Arrive({ target }), look: new Face({ target }), go: new Flee({ target }) },
      { initial: 'look', fade: 0.1, select: ({ id }, { tick }) => (tick % 50 > id ? 'go' : 'come') },
    ),
  OffsetPursue: ({ target }) => new OffsetPursue({ target, offset: SIDE, speed: 3 }),
  Orbit: ({ target }) => new Orbit({ target, radius: 6, speed: 4, axis: SIDE }),
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
  Pursue: ({ target }) =>
    new Pursue({
      target,
      prediction: 'turn-aware',
      maxPredictionTime: 5,
      predictionFactor: 0.7,
      aimError: 2,
      aimErrorTime: 0.5,
      speed: 3,
    }),
  Queue: ({ target }) =>
    new Queue({
      target,
      radius: 60,
      clearance: 15,
      sideClearance: 30,
      exitDirection: { x: 1, y: 0, z: 0 },
      groups: 3,
    }),
  ReciprocalAvoidance: () =>
    new ReciprocalAvoidance({
      neighborDistance: 25,
      clearance: 7,
      horizon: 5,
      caution: 2,
      groups: 3,
      bias: 0.05,
    }),
  Refuel: ({ target }) =>
    new Refuel({
      target,
      offset: SIDE,
      precontact: { x: -9, y: -4, z: 1 },
      closingSpeed: 2,
      clearance: 4,
      tolerance: 0.4,
      angleTolerance: 0.2,
      speedTolerance: 0.5,
      dwell: 0.7,
      slack: 3,
      attitude: 'own',
      velocityTurns: false,
    }),
  RepelObstacle: (scene) =>
    new RepelObstacle({ obstacles: rocks(scene), range: 4, weight: 0.6, ignore: spared }),
  Separation: () =>
    new Separation({
      ...RULE,
      law: 'inverse',
      falloff: steep,
      prefer: 'largest',
      clearance: 6,
      share: 'priority',
    }),
  Sight: (scene) =>
    new Sight({
      behavior: new Seek({ target: scene.target }),
      target: scene.target,
      fieldOfView: 4,
      range: 90,
      obstacles: rocks(scene),
      ignore: spared,
      memoryTime: 3,
    }),
  SlowInCrowd: ({ target }) =>
    new SlowInCrowd({
      behavior: new Seek({ target }),
      radius: 9,
      target,
      minSpeedShare: 0.2,
      fullDensity: 0.1,
      neighborDistance: 60,
    }),
  Smooth: ({ target }) => smooth(new Seek({ target }), { time: 0.4, torqueTime: 0.1 }),
  Stick: ({ target }) =>
    new Stick({
      ahead: 0.7,
      up: -0.2,
      right: 0.4,
      roll: 0.3,
      pitch: -0.5,
      yaw: 0.2,
      deadzone: 0.1,
      frame: target,
      killDrift: false,
      speed: 3,
      target,
      holdAttitude: false,
      turnRate: 2,
    }),
  Strafe: ({ target }) =>
    new Strafe({
      target,
      missDistance: 9,
      range: 90,
      side: SIDE,
      speed: 9,
      aim: 'port',
      projectileSpeed: 50,
      extension: 30,
    }),
  Stop: () => new Stop({ hold: true }),
  Tether: ({ target }) => new Tether({ target, radius: 3, fadeWidth: 30, weight: 0.7 }),
  TruncatedSum: ({ target }) =>
    truncatedSum([{ behavior: new Seek({ target }), weight: 0.4 }, new Wander()], {
      budget: 'resultant',
      until: 'force',
      project: true,
    }),
  Undock: (scene) =>
    new Undock({
      port: port(scene),
      probe: { x: 0.1, y: -0.5, z: 0.2 },
      axis: { x: 0.2, y: -1, z: 0.1 },
      top: { x: 1, y: 0.2, z: 0.3 },
      exitSpeed: 3,
    }),
  WallFollow: (scene) => new WallFollow({ obstacles: rocks(scene), distance: 2, speed: 3, side: 'port' }),
  Wander: ({ target }) =>
    new Wander({
      radius: 2,
      distance: 3,
      offset: SIDE,
      jitter: 4,
      turnTime: 3,
      noise: new PerlinNoise({ wavelength: 4, seed: 7, at: target }),
      speedShare: 0.5,
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
