import {
  Alignment,
  Arrive,
  AttackRun,
  AvoidAgents,
  AvoidObstacles,
  AvoidWalls,
  blend,
  BoxShape,
  Cohesion,
  Contain,
  contextMap,
  Cruise,
  DirectedSeek,
  dither,
  Evade,
  EvadeGroup,
  Face,
  Flee,
  Flight,
  Flocking,
  FollowPath,
  Hide,
  HollowShape,
  Hover,
  Interpose,
  JoinUp,
  LeaderFollow,
  LookWhereGoing,
  MatchAttitude,
  MatchVelocity,
  modes,
  Obstacle,
  neighborSearch,
  Obstacles,
  OffsetPursue,
  Path,
  Loiter,
  Orbit,
  priority,
  PerlinNoise,
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
  SteeringController,
  SteeringWorld,
  Stick,
  Stop,
  Strafe,
  Tether,
  Thrusters,
  truncatedSum,
  WallFollow,
  Walker,
  Wheels,
  Wander,
  within,
  type AgentOptions,
  type Behavior,
  type Fault,
  type Locomotion,
  type PathOptions,
  type Quat,
  type QuatLike,
  type Vec3,
  type Vec3Like,
  type Wrench,
} from 'three-steering'
import { GateRun, type Gate } from 'three-steering/racing'
import { type MovingFrame, type SteeringBody, type BodyState, seeded } from 'three-steering/authoring'
import { Dock, Land, Port, Refuel, Undock } from 'three-steering/docking'
import { FollowFlowField, VortexFlow } from 'three-steering/flow'
import { Formation, KeepPace, KeepSlot, linePattern } from 'three-steering/formation'
import {
  ClassicAvoidance,
  ArriveActuator,
  AttitudeTargeter,
  BallConstraint,
  PathDecomposer,
  pipeline,
  PlaceTargeter,
} from 'three-steering/classic'

/** Helpers of the laws: every behaviour, every locomotion, random scenes, and a body in any state. */

export const ZERO: Vec3Like = { x: 0, y: 0, z: 0 }
export const UP: Vec3Like = { x: 0, y: 1, z: 0 }

export interface SceneObject extends MovingFrame {
  readonly position: Vec3
  readonly velocity: Vec3
  readonly quaternion: Quat
  readonly angularVelocity: Vec3
}

/** One agent, the target of its behaviours, and other agents around it. */
export interface Scene {
  readonly self: SceneObject
  readonly target: SceneObject
  readonly others: readonly SceneObject[]
  readonly up: Vec3Like
  readonly gravity: Vec3Like
  /** Traits of the agent, see `AgentOptions`. */
  readonly traits: Omit<AgentOptions, 'behavior' | 'locomotion'> & {
    readonly mass: number
    readonly inertia: Vec3Like
  }
  readonly linearDamping: number
  readonly angularDamping: number
}

type MakeBehavior = (scene: Scene) => Behavior

/** A distance that includes some of the other agents of `randomScene`, and not all. */
const near = { neighborDistance: 9 }
const cone = { neighborDistance: 9, fieldOfView: 4 }

/**
 * A sphere, four boxes and a room around them, placed at the objects of the scene, so that they move and
 * turn with the scene.
 */
function bodies({ target, others }: Scene): Obstacles {
  const boxes = others.slice(0, 4).map((at) => ({ shape: new BoxShape({ x: 2, y: 3, z: 4 }), at }))
  const room = new HollowShape(new SphereShape(15))
  return new Obstacles([{ shape: new SphereShape(5), at: target }, ...boxes, { shape: room, at: others[4]! }])
}

/**
 * Spheres and boxes that follow the other agents and the target, which turn and drift, so that they move
 * with the scene.
 */
function rocks({ target, others }: Scene, size = 1): Obstacle[] {
  const shapes = [new SphereShape(5 * size), new BoxShape({ x: 2 * size, y: 5 * size, z: 4 * size })]
  const offset = { x: 0.4, y: -0.3, z: 0.2 }
  return [target, ...others].map((at, i) => new Obstacle({ shape: shapes[i % 2]!, at, offset }))
}

/** A port on the target, off its centre, with a sphere to be kept clear. */
function port({ target }: Scene): Port {
  const position = { x: 2, y: 1, z: -1 }
  return new Port({ carrier: target, position, outward: { x: 1, y: 0.3, z: -0.5 }, clearance: 3 })
}

/** A path from the target past the other agents; some other path when all of them are at one place. */
function course({ target, others, up }: Scene, options: Partial<PathOptions>): Path {
  try {
    return new Path({ points: [target, ...others].map(({ position }) => position), up, ...options })
  } catch {
    return new Path({ points: [ZERO, UP, { x: 1, y: 2, z: 3 }], ...options })
  }
}

/** A vortex at the present place of the target. */
function whirl({ target, up }: Scene): VortexFlow {
  return new VortexFlow({ center: target.position, axis: up, radius: 12, speed: 6, climb: 2 })
}

/**
 * A wide gate that moves with the target, and one beyond; a gate anywhere if the target's position is not
 * finite.
 */
function ring({ position, quaternion }: SceneObject): Gate[] {
  const heading = turned(quaternion, { x: 0, y: 0, z: 1 })
  if (!Number.isFinite(norm(position) + norm(heading)) || !(norm(heading) > 0)) return [UP, ZERO].map(gateAt)
  const { x, y, z } = position
  const beyond = { x: x + 9 * heading.x, y: y + 9 * heading.y, z: z + 9 * heading.z }
  return [position, beyond].map((at) => ({ position: at, heading, radius: 20 }))
}

function gateAt(position: Vec3Like): Gate {
  return { position, heading: UP, radius: 20 }
}

/** A room that contains the agent in about half of the scenes. */
function room({ target }: Scene): Obstacle[] {
  const inner = new BoxShape({ x: 16, y: 13, z: 15 })
  return [new Obstacle({ shape: new HollowShape(inner), at: target })]
}

/** Every behaviour, in each of its forms. A test checks that the list is complete. */
export const BEHAVIORS: Readonly<Record<string, MakeBehavior>> = {
  Alignment: () => new Alignment(near),
  'Alignment, heading': () => new Alignment({ ...near, match: 'heading', leaders: 1 }),
  'Alignment, unit': () => new Alignment({ ...cone, response: 'unit' }),
  Arrive: ({ target }) => new Arrive({ target }),
  'Arrive at a point': ({ target }) => new Arrive({ target: target.position }),
  'Arrive, at a speed': ({ target }) => new Arrive({ target, speed: 3 }),
  'Arrive, Green': ({ target }) => new Arrive({ target, decelerationTime: 0.8 }),
  AttackRun: ({ target }) => new AttackRun({ target, range: 30, projectileSpeed: 20 }),
  'AttackRun from behind': ({ target }) => new AttackRun({ target, range: 20, side: 'behind' }),
  'AttackRun from above': ({ target }) => new AttackRun({ target, range: 20, side: 'above' }),
  'AttackRun, with the nose': ({ target }) =>
    new AttackRun({ target, range: 90, firingAngle: 3, aim: 'nose' }),
  AvoidAgents: () => new AvoidAgents({ neighborDistance: 25, clearance: 6, maxPredictionTime: 9 }),
  AvoidObstacles: (scene) => new AvoidObstacles({ obstacles: rocks(scene) }),
  ClassicAvoidance: (scene) => new ClassicAvoidance({ obstacles: rocks(scene, 1.3) }),
  'ClassicAvoidance, deck': (scene) => new ClassicAvoidance({ obstacles: rocks(scene, 1.3), method: 'deck' }),
  'ClassicAvoidance, Bevilacqua': (scene) =>
    new ClassicAvoidance({ obstacles: rocks(scene, 1.3), method: 'bevilacqua' }),
  AvoidWalls: (scene) => new AvoidWalls({ obstacles: bodies(scene) }),
  'AvoidWalls, far': (scene) => new AvoidWalls({ obstacles: bodies(scene), horizon: 3, gain: 1 }),
  'AvoidWalls, feelers': (scene) =>
    new AvoidWalls({ obstacles: bodies(scene), method: 'feelers', horizon: 2, feelers: 6, angle: 1 }),
  Blend: (scene) =>
    blend([
      { behavior: new Seek({ target: scene.target }), weight: 0.7 },
      { behavior: new Face({ target: scene.target }), weight: 0.5 },
      new Wander(),
    ]),
  'Blend, averaged, cut part by part': ({ target }) =>
    blend([{ behavior: new Seek({ target }), weight: -3 }, new Face({ target }), new Wander()], {
      truncate: 'parts',
      average: true,
    }),
  'Blend, cut': ({ target }) =>
    blend([{ behavior: new Seek({ target }), weight: 3 }, new Face({ target })], { truncate: 'sum' }),
  Cohesion: () => new Cohesion(near),
  'Cohesion, seek': () => new Cohesion({ ...near, approach: 'seek', weight: 0.7 }),
  'Cohesion, unit': () => new Cohesion({ ...cone, response: 'unit' }),
  Contain: (scene) => new Contain({ bounds: room(scene) }),
  ContextMap: (scene) =>
    contextMap({
      interest: [new Arrive({ target: scene.target }), { behavior: new Wander(), weight: 0.4 }],
      danger: [new AvoidObstacles({ obstacles: rocks(scene) }), new Contain({ bounds: room(scene) })],
    }),
  Cruise: () => new Cruise({ speedShare: 0.8 }),
  Dock: (scene) => new Dock({ port: port(scene) }),
  'Dock, by the belly': (scene) => new Dock({ port: port(scene), probe: { x: 0.1, y: -0.5, z: 0 } }),
  DirectedSeek: ({ target }) => new DirectedSeek({ target }),
  'DirectedSeek, turn radius, astern': ({ target }) => new DirectedSeek({ target, radius: 2, reverse: true }),
  'DirectedSeek in a plane': ({ target, up }) => new DirectedSeek({ target, plane: up, arrivalSpeed: 0 }),
  'DirectedSeek, stateless': ({ target }) => new DirectedSeek({ target, method: 'stateless' }),
  'DirectedSeek, Jakob': ({ target }) => new DirectedSeek({ target, method: 'jakob', radius: 1.5 }),
  Dither: ({ target }) =>
    dither([{ behavior: new Seek({ target }), probability: 0.4 }, new Face({ target }), new Wander()]),
  'Dither, for a time': ({ target }) =>
    dither([{ behavior: new Flee({ target }), probability: 0.5 }, new Wander()], { period: 0.2 }),
  Evade: ({ target }) => new Evade({ target }),
  'Evade, turning inside': ({ target: { position, velocity } }) =>
    new Evade({ target: { position, velocity: times(velocity, 3) } }),
  'Evade, flee': ({ target }) => new Evade({ target, method: 'flee' }),
  EvadeGroup: () => new EvadeGroup({ groups: 1, neighborDistance: 12 }),
  Face: ({ target }) => new Face({ target }),
  'Face, free': ({ target }) => new Face({ target, roll: 'free' }),
  Flee: ({ target }) => new Flee({ target }),
  Flocking: () =>
    new Flocking({
      separation: { neighborDistance: 5, weight: 0.8 },
      alignment: { ...near, weight: 0.5 },
      cohesion: { ...cone, weight: 0.4 },
    }),
  'Flocking, nearest': () =>
    new Flocking({
      separation: { neighborDistance: 8, weight: 0.8, maxNeighbors: 2 },
      alignment: { ...near, weight: 0.5, maxNeighbors: 4, leaders: 1, match: 'heading' },
      cohesion: { ...cone, weight: 0.4, maxNeighbors: 3, approach: 'seek' },
    }),
  FollowFlowField: (scene) => new FollowFlowField({ field: whirl(scene) }),
  'FollowFlowField, its own speed': (scene) => new FollowFlowField({ field: whirl(scene), speed: 7 }),
  'FollowFlowField, a point ahead': (scene) =>
    new FollowFlowField({ field: whirl(scene), predictionTime: 0.3 }),
  FollowPath: (scene) => new FollowPath({ path: course(scene, { ends: 'closed' }) }),
  'FollowPath, tube, ping-pong': (scene) =>
    new FollowPath({ path: course(scene, { ends: 'ping-pong', tube: 4 }), direction: -1 }),
  'FollowPath, dog-on-a-string': (scene) =>
    new FollowPath({
      path: course(scene, { curve: 'arcs', radius: 2 }),
      technique: 'dog-on-a-string',
      end: 'pass',
    }),
  'FollowPath, future reprojection, from the first point': (scene) =>
    new FollowPath({
      path: course(scene, { tube: 0.5 }),
      technique: 'future-reprojection',
      lookAhead: 4,
      start: 'first',
    }),
  'FollowPath, future reprojection': (scene) =>
    new FollowPath({ path: course(scene, { ends: 'closed', tube: 2 }), technique: 'future-reprojection' }),
  'FollowPath, grappling-hooks, a group': (scene) =>
    new FollowPath({
      path: course(scene, { curve: 'polyline' }),
      technique: 'grappling-hooks',
      group: scene.others,
    }),
  'FollowPath, grappling-hooks, a pilot, facing, in a crowd': (scene) =>
    new FollowPath({
      path: course(scene, { curve: 'polyline' }),
      technique: 'grappling-hooks',
      facing: 1,
      crowdRadius: 9,
      crowdSpeed: 0.3,
      neighborSearch,
      obstacles: new Obstacles(rocks(scene)),
      pilot: { window: 1 },
      next: () => null,
    }),
  'FollowPath, grappling-hooks': (scene) =>
    new FollowPath({
      path: course(scene, { curve: 'polyline' }),
      technique: 'grappling-hooks',
      direction: -1,
    }),
  GateRun: ({ target }) => new GateRun({ gates: ring(target), behavior: new Seek({ target }) }),
  'GateRun, as a constraint': ({ target }) => new GateRun({ gates: ring(target), ends: 'open' }),
  Hide: (scene) => new Hide({ target: scene.target, obstacles: bodies(scene) }),
  'Hide, in a field of view': (scene) =>
    new Hide({
      target: scene.target,
      obstacles: bodies(scene),
      onlyIfSeen: true,
      targetFieldOfView: 5,
    }),
  'Hide, in panic': (scene) =>
    new Hide({ target: scene.target, obstacles: bodies(scene), panicDistance: 30 }),
  Interpose: ({ target, others }) => new Interpose({ targets: [target, others[0]!] }),
  'Interpose, a point': ({ target, others }) =>
    new Interpose({ targets: [target.position, others[0]!], ratio: 0.2 }),
  JoinUp: ({ target }) => new JoinUp({ target, offset: { x: -3, y: 1, z: 2 } }),
  'JoinUp, no attitude': ({ target: { position, velocity } }) =>
    new JoinUp({ target: { position, velocity }, offset: { x: 3, y: -1, z: 2 }, clearance: 20 }),
  KeepPace: () => new KeepPace({ formation: new Formation({ spacing: 3 }) }),
  KeepSlot: ({ target }) =>
    new KeepSlot({ formation: new Formation({ spacing: 3, leader: target, pattern: linePattern }) }),
  Land: (scene) => new Land({ port: port(scene) }),
  'Land, its heading as the pad has it': (scene) =>
    new Land({ port: port(scene), heading: 'pad', hold: true, clearance: 4 }),
  LeaderFollow: ({ target }) => new LeaderFollow({ target, distance: 4 }),
  'LeaderFollow, in its way': ({ target, others }) =>
    new LeaderFollow({
      target: { ...others[0]!, velocity: target.velocity },
      distance: 3,
      headway: 0.5,
      clearance: 30,
    }),
  LookWhereGoing: () => new LookWhereGoing(),
  'LookWhereGoing, free': () => new LookWhereGoing({ roll: 'free', smoothing: 0 }),
  MatchAttitude: ({ target }) => new MatchAttitude({ target }),
  MatchVelocity: ({ target }) => new MatchVelocity({ target }),
  Modes: (scene) =>
    modes({ far: new Seek({ target: scene.target }), near: new Wander() }, { initial: 'far' }),
  'Modes, each its own': ({ target }) =>
    modes(
      { come: new Arrive({ target }), look: new Face({ target }), go: new Flee({ target }) },
      {
        select: ({ seed }, { tick }) => (['go', 'look', 'come'] as const)[((seed + tick) >>> 0) % 3],
        fade: 0.1,
      },
    ),
  OffsetPursue: ({ target }) => new OffsetPursue({ target, offset: { x: -3, y: 1, z: 2 } }),
  'OffsetPursue, no attitude': ({ target: { position, velocity } }) =>
    new OffsetPursue({ target: { position, velocity }, offset: { x: -3, y: 1, z: 2 } }),
  Loiter: ({ target }) => new Loiter({ target, radius: 6 }),
  'Loiter about an axis': ({ target, up }) =>
    new Loiter({ target: target.position, radius: 9, length: 2, axis: up, speed: 5 }),
  Orbit: ({ target }) => new Orbit({ target, radius: 6 }),
  'Orbit about an axis': ({ target, up }) =>
    new Orbit({ target: target.position, radius: 20, axis: up, speed: 5 }),
  'Orbit, a sphere': ({ target }) => new Orbit({ target, radius: 6, sphere: true }),
  Pipeline: (scene) =>
    pipeline({
      targeters: [new PlaceTargeter(scene.target), new AttitudeTargeter(scene.target)],
      decomposers: [new PathDecomposer({ path: course(scene, {}), ahead: 3 })],
      constraints: scene.others.map((center) => new BallConstraint({ center, radius: 3 })),
      actuator: new ArriveActuator(),
    }),
  'Pipeline, without a way': ({ target }) =>
    pipeline({
      targeters: [new PlaceTargeter(target)],
      constraints: [{ suggest: () => true }],
      actuator: new ArriveActuator(),
      fallback: new Flee({ target }),
    }),
  Priority: ({ target }) => priority([new Flee({ target, panicDistance: 4 }), new Seek({ target })]),
  Pursue: ({ target }) => new Pursue({ target }),
  'Pursue, intercept': ({ target }) => new Pursue({ target, prediction: 'intercept' }),
  'Pursue, turn-aware': ({ target }) => new Pursue({ target, prediction: 'turn-aware' }),
  'Pursue, facing': ({ target }) => new Pursue({ target, prediction: 'facing' }),
  'Pursue, closing': ({ target }) => new Pursue({ target, prediction: 'closing' }),
  'Pursue, linear': ({ target }) => new Pursue({ target, prediction: 'linear', predictionFactor: 0.7 }),
  Queue: ({ target }) => new Queue({ target, radius: 60, sideClearance: 30, clearance: 15 }),
  // the bias by seeds does not turn with the scene, so it is 0
  ReciprocalAvoidance: () => new ReciprocalAvoidance({ neighborDistance: 25, clearance: 7, bias: 0 }),
  'ReciprocalAvoidance, its own look-out': () => new ReciprocalAvoidance({ clearance: 7, bias: 0 }),
  Refuel: ({ target }) => new Refuel({ target, offset: { x: -3, y: -1, z: 0 } }),
  'Refuel, its own attitude': ({ target }) =>
    new Refuel({
      target,
      offset: { x: -3, y: -1, z: 0 },
      attitude: 'own',
      velocityTurns: false,
      clearance: 4,
    }),
  RepelObstacle: (scene) => new RepelObstacle({ obstacles: bodies(scene), range: 4 }),
  Seek: ({ target }) => new Seek({ target }),
  'Seek, at a speed': ({ target }) => new Seek({ target, speed: 3 }),
  Separation: () => new Separation(near),
  'Separation, inverse': () => new Separation({ ...cone, law: 'inverse', maxNeighbors: 3 }),
  'Separation, inverse square': () =>
    new Separation({ ...near, law: 'inverse-square', clearance: 6, share: 'priority' }),
  'Separation, a law of its own': () =>
    new Separation({ ...near, falloff: (d, touch, range) => (touch * (range - d)) / (d * d) }),
  'Separation, the largest': () => new Separation({ ...near, maxNeighbors: 3, prefer: 'largest' }),
  'Separation, unit': () => new Separation({ ...near, response: 'unit' }),
  Sight: ({ target }) => {
    const obstacles = [{ shape: new SphereShape(2), at: target }]
    return new Sight({ behavior: new Separation(near), obstacles, range: 9 })
  },
  'Sight, ahead': (scene) =>
    new Sight({
      behavior: blend([new Seek({ target: scene.target }), new Cohesion(near)]),
      target: scene.target,
      obstacles: rocks(scene, 0.3),
      fieldOfView: 4,
      memoryTime: 0.5,
    }),
  'Sight, at a point': ({ target }) =>
    new Sight({ behavior: new Flee({ target }), target: target.position, range: 30 }),
  SlowInCrowd: ({ target }) => new SlowInCrowd({ behavior: new Seek({ target }), radius: 6 }),
  'SlowInCrowd, at a place': ({ target }) =>
    new SlowInCrowd({
      behavior: new Arrive({ target }),
      target,
      radius: 9,
      neighborDistance: 60,
      fullDensity: 0.1,
    }),
  Smooth: ({ target }) =>
    smooth(priority([new Flee({ target, panicDistance: 9 }), new Seek({ target })]), { time: 0.2 }),
  'Smooth, the torque too': ({ target }) =>
    smooth(blend([new Face({ target }), new Wander()]), { time: 0.1, torqueTime: 0.1 }),
  Stick: () => new Stick({ ahead: 0.7, up: -0.2, right: 0.4, roll: 0.3, pitch: -0.5, yaw: 0.2 }),
  'Stick, at rest': () => new Stick(),
  'Stick, of a camera, drifting': ({ target }) =>
    new Stick({ frame: target, killDrift: false, ahead: 0.5, right: -1, holdAttitude: false }),
  'Stick, beside a target': ({ target }) => new Stick({ target, up: 0.5, speed: 3, deadzone: 0.1 }),
  Stop: () => new Stop(),
  'Stop, and hold the place': () => new Stop({ hold: true }),
  Strafe: ({ target }) => new Strafe({ target, missDistance: 4 }),
  'Strafe, with the side': ({ target }) => new Strafe({ target, missDistance: 9, range: 90, aim: 'port' }),
  Tether: ({ target }) => new Tether({ target, radius: 3, fadeWidth: 30 }),
  TruncatedSum: ({ target }) =>
    truncatedSum([new Seek({ target }), new Face({ target }), { behavior: new Wander(), weight: 2 }]),
  'TruncatedSum, Buckland': ({ target }) =>
    truncatedSum([{ behavior: new Seek({ target }), weight: 0.4 }, new Wander(), new Flee({ target })], {
      budget: 'resultant',
    }),
  'TruncatedSum, until the force is spent': ({ target }) =>
    truncatedSum([new Seek({ target }), { behavior: new Face({ target }), weight: 0.5 }], { until: 'force' }),
  'TruncatedSum, projected': ({ target }) =>
    truncatedSum([{ behavior: new Seek({ target }), weight: 0.4 }, new Wander(), new Flee({ target })], {
      project: true,
    }),
  'TruncatedSum, the sum': ({ target }) =>
    truncatedSum([{ behavior: new Seek({ target }), weight: 0.4 }, new Wander(), new Flee({ target })], {
      budget: 'sum',
    }),
  Undock: (scene) => new Undock({ port: port(scene) }),
  WallFollow: (scene) => new WallFollow({ obstacles: bodies(scene), distance: 1 }),
  'WallFollow, to port': (scene) =>
    new WallFollow({ obstacles: rocks(scene), distance: 2, side: 'port', speed: 3 }),
  Wander: () => new Wander(),
  'Wander, to one side': () => new Wander({ offset: { x: 0.2, y: -0.4, z: 1.5 }, jitter: 0.3 }),
  'Wander, Perlin noise': ({ target }) =>
    new Wander({ noise: new PerlinNoise({ wavelength: 3, seed: 5, at: target }) }),
  Within: (scene) =>
    within(
      [new AvoidObstacles({ obstacles: rocks(scene) }), new Contain({ bounds: room(scene) })],
      new Arrive({ target: scene.target }),
    ),
}

/** Every locomotion, for vehicles with `k` times the usual forces. */
export const LOCOMOTIONS: Readonly<Record<string, (scene: Scene, k?: number) => Locomotion>> = {
  Hover: () => new Hover(),
  'Hover, level': () => new Hover({ attitude: { roll: 'level', facing: 'thrust' } }),
  'Hover, free': () => new Hover({ attitude: { roll: 'free' } }),
  'Hover, match': ({ target }) => new Hover({ attitude: { roll: 'match', match: target } }),
  'Hover, point mass': () => new Hover({ attitude: null }),
  Thrusters: (_scene, k = 1) => new Thrusters({ ahead: 30 * k, astern: 12 * k, port: 5 * k }),
  'Thrusters, off the centre': (_scene, k = 1) =>
    new Thrusters({
      ahead: 30 * k,
      mounts: { ahead: { x: 0.1, y: -0.3, z: -1 }, up: { x: 0, y: 0, z: 0.4 } },
    }),
  Flight: () => new Flight(),
  'Flight, slow': () => new Flight({ minSpeed: 4 }),
  Walker: () => new Walker(),
  Wheels: () => new Wheels({ wheelbase: 1.5 }),
}

/** A body without a physics engine, in any state. It records the applied wrench. */
export class Dummy implements SteeringBody {
  readonly state: BodyState
  /** Sum of the wrenches applied since the last `step`; null when there were none. */
  given: Wrench | null = null

  constructor(scene: Scene) {
    const { self, traits, gravity, linearDamping, angularDamping } = scene
    this.state = {
      position: { ...self.position },
      quaternion: { ...self.quaternion },
      velocity: { ...self.velocity },
      angularVelocity: { ...self.angularVelocity },
      mass: traits.mass,
      inertia: { ...traits.inertia },
      inertiaFrame: { x: 0, y: 0, z: 0, w: 1 },
      center: { x: 0, y: 0, z: 0 },
      linearDamping,
      angularDamping,
      gravity: { ...gravity },
      plane: { x: 0, y: 0, z: 0 },
      axis: { x: 0, y: 0, z: 0 },
    }
  }

  read(out: BodyState): void {
    const { state } = this
    Object.assign(out.position, state.position)
    Object.assign(out.quaternion, state.quaternion)
    Object.assign(out.velocity, state.velocity)
    Object.assign(out.angularVelocity, state.angularVelocity)
    Object.assign(out.inertia, state.inertia)
    Object.assign(out.inertiaFrame, state.inertiaFrame)
    Object.assign(out.center, state.center)
    Object.assign(out.gravity, state.gravity)
    out.mass = state.mass
    out.linearDamping = state.linearDamping
    out.angularDamping = state.angularDamping
  }

  apply({ force, torque, turns }: Readonly<Wrench>): void {
    this.given = { force: { ...force }, torque: { ...torque }, turns }
  }
}

/** A behaviour that asks for nothing. A new one each time, because a behaviour serves one world only. */
export function idle(): Behavior {
  return { steer: () => undefined }
}

export interface Stage {
  readonly world: SteeringWorld
  readonly pilot: SteeringController
  readonly body: Dummy
  readonly faults: Fault[]
}

/**
 * Makes a world of a scene: the agent with a body in exactly that state, the others as idle drifting
 * agents.
 */
export function stage(scene: Scene, behavior: Behavior, locomotion: Locomotion): Stage {
  const world = new SteeringWorld({ up: scene.up, gravity: ZERO })
  const faults: Fault[] = []
  world.addEventListener('fault', (fault) => faults.push(fault))
  const body = new Dummy(scene)
  const pilot = new SteeringController(null, { ...scene.traits, body, behavior, locomotion, seed: 7 })
  world.add(pilot)
  scene.others.forEach(({ position, velocity }, i) => {
    const drift = { behavior: idle(), locomotion: new Hover({ attitude: null }), maxSpeed: 50, maxForce: 0 }
    world.add(new SteeringController(null, { ...drift, position, velocity, seed: 100 + i }))
  })
  return { world, pilot, body, faults }
}

export interface Outcome {
  readonly demand: { readonly force: Vec3; readonly torque: Vec3 }
  readonly force: Vec3
  readonly torque: Vec3
  readonly faults: readonly Fault[]
}

/** The wanted and the given wrench of an agent in one step of a scene. */
export function oneStep(scene: Scene, behavior: Behavior, locomotion: Locomotion, dt = 1 / 60): Outcome {
  const { world, pilot, faults } = stage(scene, behavior, locomotion)
  world.step(dt)
  const { demand, force, torque } = pilot
  return {
    demand: { force: xyz(demand.force), torque: xyz(demand.torque) },
    force: xyz(force),
    torque: xyz(torque),
    faults,
  }
}

// scenes

/** A scene in general position: no object is at rest or on an axis, and none are coincident or parallel. */
export function randomScene(seed: number): Scene {
  const random = seeded(seed)
  const spread = (size: number): number => size * (2 * random() - 1)
  const vector = (size: number): Vec3 => ({ x: spread(size), y: spread(size), z: spread(size) })
  const thing = (place: number, speed: number): SceneObject => ({
    position: vector(place),
    velocity: vector(speed),
    quaternion: unitQuat(spread(1), spread(1), spread(1), spread(1)),
    angularVelocity: vector(1.5),
  })
  const axes = [
    { forward: { x: 0, y: 0, z: 1 }, up: { x: 0, y: 1, z: 0 } },
    { forward: { x: 1, y: 0, z: 0 }, up: { x: 0, y: 0, z: 1 } },
    { forward: { x: 0, y: -1, z: 0 }, up: { x: 1, y: 0, z: 0 } },
  ][Math.floor(3 * random())]!
  return {
    self: thing(10, 5),
    target: thing(25, 5),
    others: Array.from({ length: 8 }, () => thing(12, 5)),
    up: UP,
    gravity: { x: 0, y: random() < 0.5 ? -9.81 : 0, z: 0 },
    traits: {
      ...axes,
      mass: 2.5,
      inertia: { x: 1.6, y: 0.9, z: 0.4 },
      radius: 0.7,
      maxSpeed: 12,
      maxForce: 60,
      maxTorque: 7,
      maxTurnRate: 3,
      responseTime: 0.15,
      compensateGravity: random() < 0.5,
      compensateDamping: random() < 0.5,
    },
    linearDamping: 0.3,
    angularDamping: 0.2,
  }
}

/** The same scene, turned by `q` about the origin, then moved by `shift` (m). */
export function movedScene(scene: Scene, q: QuatLike, shift: Vec3Like = ZERO): Scene {
  const moved = (thing: SceneObject): SceneObject => ({
    position: plus(turned(q, thing.position), shift),
    velocity: turned(q, thing.velocity),
    quaternion: product(q, thing.quaternion),
    angularVelocity: turned(q, thing.angularVelocity),
  })
  return {
    ...scene,
    self: moved(scene.self),
    target: moved(scene.target),
    others: scene.others.map(moved),
    up: turned(q, scene.up),
    gravity: turned(q, scene.gravity),
  }
}

// the mathematics of the tests, independent of that of the package

export function xyz({ x, y, z }: Vec3Like): Vec3 {
  return { x, y, z }
}

export function plus(a: Vec3Like, b: Vec3Like, k = 1): Vec3 {
  return { x: a.x + k * b.x, y: a.y + k * b.y, z: a.z + k * b.z }
}

export function minus(a: Vec3Like, b: Vec3Like): Vec3 {
  return plus(a, b, -1)
}

export function times(a: Vec3Like, k: number): Vec3 {
  return { x: a.x * k, y: a.y * k, z: a.z * k }
}

export function inner(a: Vec3Like, b: Vec3Like): number {
  return a.x * b.x + a.y * b.y + a.z * b.z
}

export function norm({ x, y, z }: Vec3Like): number {
  return Math.hypot(x, y, z)
}

export function apart(a: Vec3Like, b: Vec3Like): number {
  return norm(minus(a, b))
}

export function unitQuat(x: number, y: number, z: number, w: number): Quat {
  const d = Math.hypot(x, y, z, w)
  return d > 1e-3 ? { x: x / d, y: y / d, z: z / d, w: w / d } : { x: 0, y: 0, z: 0, w: 1 }
}

/** `b`, then `a`. */
export function product(a: QuatLike, b: QuatLike): Quat {
  return {
    x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
    y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
    z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
    w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
  }
}

export function inverse({ x, y, z, w }: QuatLike): Quat {
  return { x: -x, y: -y, z: -z, w }
}

/** q · v · q⁻¹, written out. */
export function turned(q: QuatLike, { x, y, z }: Vec3Like): Vec3 {
  const { x: a, y: b, z: c } = product(product(q, { x, y, z, w: 0 }), inverse(q))
  return { x: a, y: b, z: c }
}

/** Angle of the rotation from one attitude to another (rad). Exact near 0, unlike an arc cosine. */
export function turnBetween(a: QuatLike, b: QuatLike): number {
  const { x, y, z, w } = product(inverse(a), b)
  return 2 * Math.atan2(Math.hypot(x, y, z), Math.abs(w))
}

/** Angular acceleration that a torque gives a solid with principal moments `inertia`. */
export function spinOf(orientation: QuatLike, inertia: Vec3Like, torque: Vec3Like): Vec3 {
  const own = turned(inverse(orientation), torque)
  return turned(orientation, { x: own.x / inertia.x, y: own.y / inertia.y, z: own.z / inertia.z })
}

/** A number that depends on a name only. */
export function numberOf(name: string): number {
  let number = 7
  for (const letter of name) number = (31 * number + letter.charCodeAt(0)) % 9973
  return number
}

/** All numbers of the agents in one array, for exact comparison. */
export function bitsOf(
  things: Iterable<{ position: Vec3Like; velocity: Vec3Like; quaternion: QuatLike }>,
): number[] {
  return [...things].flatMap(({ position: p, velocity: v, quaternion: q }) => [
    p.x,
    p.y,
    p.z,
    v.x,
    v.y,
    v.z,
    q.x,
    q.y,
    q.z,
    q.w,
  ])
}

/**
 * The first step in which two recordings differ; null when they are bit-identical. (A diff of thousands of
 * numbers takes minutes.)
 */
export function firstDifference(a: readonly number[][], b: readonly number[][]): string | null {
  if (a.length !== b.length) return `${a.length} and ${b.length} steps`
  for (let i = 0; i < a.length; i++) {
    if (a[i]!.length !== b[i]!.length) return `step ${i}: ${a[i]!.length} and ${b[i]!.length} numbers`
    for (let k = 0; k < a[i]!.length; k++)
      if (!Object.is(a[i]![k], b[i]![k])) return `step ${i}, number ${k}: ${a[i]![k]} and ${b[i]![k]}`
  }
  return null
}
