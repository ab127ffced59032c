/** The vocabulary of the package: types only, no code. */

import type { Snapshotable } from './snapshot-types.js'
import type { FrameLike, Moving, Placed, Pose, Quat, QuatLike, Vec3, Vec3Like } from './spatial-types.js'

export type * from './snapshot-types.js'
export type * from './spatial-types.js'

/** A fixed point, a placed thing, or a function that writes a world point (m) into `out`. */
export type PointSource = Vec3Like | Placed | ((agent: Agent, out: Vec3) => void)

/**
 * A force (N) and a torque (N·m) about the centre of mass, both in world axes. `turns` is true when the
 * torque is an opinion even if it is zero ("hold this attitude"); where it is false and the torque is zero,
 * the locomotion turns the body by its own policy.
 */
export interface Wrench {
  readonly force: Vec3
  readonly torque: Vec3
  turns: boolean
}

/**
 * The agents seen from one agent in this step. `row[i]` for i in `0 … count − 1` is a row of the columns
 * below, which hold all agents of the world and are shared: the i-th neighbour is at x = `position[3 *
 * row[i]]`. Read only; valid only during `steer`.
 */
export interface Neighborhood {
  readonly count: number
  /**
   * `[≥ count]`, in the order of the grid; with a cap on their number, the one whose surface is nearest
   * first.
   */
  readonly row: Int32Array
  /** `[≥ count]`, squared distance of the centre of neighbour i (not of row i), m². */
  readonly distanceSq: Float64Array
  /** `[3 × rows]`, m, world axes. */
  readonly position: Float64Array
  /** `[3 × rows]`, m/s, world axes. */
  readonly velocity: Float64Array
  /** `[rows]`, group bits. */
  readonly group: Int32Array
  /** `[rows]`, see {@link Agent.id}. */
  readonly id: Int32Array
  /** `[rows]`, see {@link Agent.seed}. */
  readonly seed: Int32Array
  /**
   * Radius (m) of the largest agent of the world, and perhaps more. Who is no smaller need not ask for the
   * radii of the others.
   */
  readonly maxRadius: number
  /** Of the agent in `row`: m, kg, m/s, and {@link Agent.priority}. */
  radius(row: number): number
  mass(row: number): number
  maxSpeed(row: number): number
  priority(row: number): number
}

/**
 * What a behaviour sees of one agent at one instant. One object is reused for all agents: valid only during
 * `steer`.
 */
export interface Agent extends Moving {
  /** Unique in its world, never used again after removal. */
  readonly id: number
  /**
   * Number of this agent among the living; stable while it lives, then given to another with a new
   * `generation`.
   */
  readonly slot: number
  /** Another one each time a slot gets a new owner, or the world is put back (`restoreSnapshot`). */
  readonly generation: number
  /** Key of the agent's random stream. */
  readonly seed: number
  readonly position: Readonly<Vec3>
  readonly velocity: Readonly<Vec3>
  /** m/s */
  readonly speed: number
  /** Attitude of the model or body (not of the steering frame: see `attitude`). */
  readonly orientation: Readonly<Quat>
  /** Spin, rad/s, world axes. */
  readonly angularVelocity: Readonly<Vec3>
  /** x along the velocity; carried from step to step without twist; holds at rest. */
  readonly course: FrameLike
  /** x along the nose, y along the top of the model. */
  readonly attitude: FrameLike
  /** Rotation from the steering frame (x ahead, y up) to the model's own axes. */
  readonly axes: QuatLike
  readonly mass: number
  /** Principal moments of inertia in the body's own axes, kg·m². A zero means that axis cannot be turned. */
  readonly inertia: Readonly<Vec3>
  readonly radius: number
  readonly maxSpeed: number
  readonly maxForce: number
  readonly maxTorque: number
  readonly maxTurnRate: number
  /** Right of way, > 0; Infinity yields to nobody. */
  readonly priority: number
  /** Time in which a velocity error is taken out, s. The one gain from velocity to force. */
  readonly responseTime: number
  /** Group bits of this agent. */
  readonly group: number
  /** Rates at which the engine takes momentum away, 1/s (v′ = −rate · v). */
  readonly damping: number
  readonly angularDamping: number
  /** Acceleration by gravity acting on this agent, m/s². */
  readonly gravity: Readonly<Vec3>
  /** Whether the locomotion cancels gravity, and engine damping, before it spends force on the demand. */
  readonly compensateGravity: boolean
  readonly compensateDamping: boolean
  /** Found on first read, then shared by all behaviours of this agent in this step. */
  readonly neighbors: Neighborhood
  /**
   * The same, not copied: for the behaviours of this package, which only read it. Outside of a world absent.
   * @internal
   */
  readonly nearby?: Neighborhood
  /** Not null while a combination collects wishes. */
  wish: Wish | null
  /** Not null while somebody wants to know who asked for what, see `explain`. */
  explainer: Explainer | null
  /** The behaviour that is asked now, as far as combinations tell: what is reported goes by its name. */
  activeBehavior?: Behavior | null
  /**
   * Reports that something this agent was given cannot be used in this step, such as a target that is not
   * finite, and what it was: told as the event `fault`, once per agent, part and `what`. Absent outside of a
   * world.
   */
  report?(what: string, got: unknown): void
  /** Centre of the bounding box of all agents that share this agent's root behaviour, m. */
  readonly flockCenter: Readonly<Vec3>
  /** Largest force (N) the vehicle can produce now along a unit direction in world axes. */
  forceAlong(x: number, y: number, z: number): number
  /** Time (s) by which its force follows a demand, ≥ 0. */
  readonly forceLag: number
  /**
   * Time (s) in which it can turn its force by a right angle, ≥ 0: 0 where that does not depend on its
   * attitude.
   */
  readonly forceTurnTime: number
  /**
   * Adds the torque that turns the vehicle to where it can give `force` (N, world axes). Nothing where
   * `swing` is 0.
   */
  turnForForce(force: Vec3Like, step: Step, out: Wrench): void
  /** The next number of its stream in this step, in [0, 1). */
  random(): number
}

/** What `within` learns of its wishes. Meanwhile forces are not cut: v + F·τ/m is the velocity wanted. */
export interface Wish {
  /**
   * Distance (m) to the goal, straight ahead along the velocity wanted: what lies beyond is not in the way.
   * Infinity without a goal.
   */
  goalDistance: number
  /** Where the goal is (m, world axes), if `isPlaced`; else at that distance along the velocity wanted. */
  readonly goal: Vec3
  hasGoalPoint: boolean
  /**
   * The velocity wanted leads straight on for this distance (m), and turns elsewhere farther on, as a path
   * does behind a bend: obstacles that are farther are not in the way. Unlike the goal, the end of this
   * distance is only passed. Infinity where it leads straight on for ever.
   */
  straightDistance: number
  /**
   * What lies between two places, as the constraints of the combination know it. Null where it is not known.
   */
  map: ObstacleQuery | null
  /** What it does not keep off. Default nothing. */
  exemption?: Exemption | undefined
}

/** Tells a wish what its way leads through. */
export interface ObstacleQuery {
  /** Whether no obstacle at rest stands between two places (m). */
  isVisible(from: Vec3Like, to: Vec3Like): boolean
  /**
   * Whether the agent can fly straight from one place to another (m) without touching an obstacle at rest.
   */
  isPathFree(from: Vec3Like, to: Vec3Like): boolean
  /** Whether an obstacle at rest contains a place (m). */
  contains(place: Vec3Like): boolean
  /** How near (m) to a place the agent can come: 0 where it can be. */
  distanceToFree(place: Vec3Like): number
}

/**
 * What is in the place (m) that a wish heads for, and is to be touched there: a dock, a patient. Walls are
 * kept off all the same.
 */
export interface Exemption {
  readonly place: Vec3Like
  readonly obstacles: boolean
  readonly agents: boolean
}

/**
 * Takes down, for one agent in one step, who asks for what and what is granted. Combinations write into it
 * where there is one: they tell whom they `ask`, his `answer`, and then what of it is in theirs.
 */
export interface Explainer {
  /**
   * `part` is asked now, in that share (a weight, a probability; default 1); whom it asks itself comes below
   * it.
   */
  enter(part: Behavior, weight?: number): void
  /** Whoever was asked last has answered this. */
  leave(asked: Readonly<Wrench>): void
  /** The last answer, or that of `part`, as it was taken, is granted so many times. Default nothing is. */
  grant(taken: Readonly<Wrench>, force: number, torque: number, part?: Behavior): void
  /** What has been granted so far to those that were asked here is cut to these shares. */
  cut(force: number, torque: number): void
  /**
   * `part` changes the answer by this force (N), as constraints do; all the same it lacks `short` m/s of what
   * it demands. Default 0: it has all.
   */
  addChange(part: Behavior, force: Vec3Like, violation?: number): void
  /**
   * What has been granted so far sums up to this `force` (N): `parts` give way by what there is too much of
   * it, each as much.
   */
  scaleTo(force: Vec3Like, parts: readonly Behavior[]): void
  /** In words, of the last answer. */
  note(words: string): void
}

/** One step, the same for all agents. */
export interface Step {
  /** Length of the step, s, > 0, and simulated time at its start, s. */
  readonly dt: number
  readonly time: number
  /** Number of steps made before this one. */
  readonly tick: number
  /** Direction away from the ground, unit. */
  readonly up: Vec3Like
  /** Tells listeners of the agent's handle and of the world, after the step, that something happened. */
  emit(agent: Agent, type: BehaviorEventType, behavior: Behavior, stage?: string, reason?: string): void
}

/**
 * What a behaviour tells of: a goal reached, a goal left, or a new stage of its work, with a reason where it
 * was not its own will.
 */
export type BehaviorEventType = 'arrive' | 'leave' | 'stage'

/** A new stage of the work of a behaviour, and why, where that was not its own will: else ''. */
export interface StageChange {
  readonly behavior: Behavior
  readonly stage: string
  readonly reason: string
}

/** What one agent can do, as `Behavior.reachFor` needs it. */
export interface VehicleState {
  /** m, kg, N, and the present speed, m/s. */
  readonly radius: number
  readonly mass: number
  readonly maxForce: number
  readonly speed: number
  /** m/s; Infinity: none. */
  readonly maxSpeed: number
  /** s */
  readonly responseTime: number
}

/**
 * What all agents of a world have at most: radius, m, and speed, m/s: `maxSpeed`, or the present speed of
 * those that have none.
 */
export interface AgentMaxima {
  readonly radius: number
  readonly speed: number
}

/**
 * One idea of where to go. `out` arrives zeroed; leaving it untouched means having no opinion. For its name
 * see `Contribution`.
 */
export interface Behavior extends Snapshotable {
  steer(agent: Agent, step: Step, out: Wrench): void
  /**
   * Neighbours whose surface is farther than this (m) from the agent's centre are not needed. 0 or absent:
   * none are.
   */
  readonly reach?: number
  /**
   * To where `reach` is measured. `surface` (default): the neighbour's surface. `center`: its centre, as the
   * rules of a flock count; in a neighbour larger than the agent, the nearest place at which an agent of its
   * own size would touch that surface from inside.
   */
  readonly reachTo?: 'surface' | 'center'
  /**
   * As `reach`, to the surface, for a behaviour that derives it from the vehicle, m, ≥ 0: asked in each step
   * of each of its agents, before anybody steers. The objects are valid during the call only.
   */
  reachFor?(vehicle: Readonly<VehicleState>, others: Readonly<AgentMaxima>): number
  /** Parts of a combination, so that the world can find the reach and the owner of every part. */
  readonly children?: readonly Behavior[]
  /**
   * As `children`, with those that are switched off: what they remember is remembered all the same. Default
   * `children`.
   */
  readonly allChildren?: readonly Behavior[]
  /**
   * Called by the world before every step, before anybody thinks: what was changed in it since the last step
   * takes effect.
   */
  refresh?(): void
  /** Draws what it thinks. Never called by `steer`. */
  trace?(agent: Agent, step: Step, draw: DebugDraw): void
}

/** What of a wanted force and torque this vehicle can really produce. */
export interface Locomotion extends Snapshotable {
  actuate(agent: Agent, demand: Readonly<Wrench>, step: Step, out: Wrench): void
  /**
   * Largest force (N) along a unit direction in world axes, after gravity and damping are paid when asked
   * for.
   */
  forceAlong(agent: Agent, x: number, y: number, z: number): number
  /** See {@link Agent}. Default 0, 0 and nothing. */
  forceLag?(agent: Agent): number
  forceTurnTime?(agent: Agent): number
  turnForForce?(agent: Agent, force: Vec3Like, step: Step, out: Wrench): void
  /** True when orientation is not driven by torque: a body-less agent then points along its course. */
  readonly pointMass?: boolean
}

/** The state a physics body reports. Written by {@link SteeringBody.read}. */
export interface BodyState extends Pose {
  readonly velocity: Vec3
  readonly angularVelocity: Vec3
  mass: number
  /** Principal moments in the body's axes, kg·m²; 0 = that axis cannot be turned. */
  readonly inertia: Vec3
  /** Fractions of velocity lost per second, as the engine counts them: v · (1 − d)^dt. In [0, 1]. */
  linearDamping: number
  angularDamping: number
  readonly gravity: Vec3
}

/** The one door to physics. */
export interface SteeringBody {
  /** Copies pose, velocity, mass and surroundings into `out`. */
  read(out: BodyState): void
  /** Adds force and torque for the next internal step of the engine only. */
  apply(wrench: Readonly<Wrench>): void
  /**
   * Bounding radius of the body, m. That of its agent, unless that was given one of its own; may change with
   * the shapes of the body.
   */
  readonly radius?: number
  /** The engine's own object, so that no body is steered twice. Default this object. */
  readonly engineBody?: object
  /**
   * Whether the body is in the world of its engine. While it is not, its agent is nowhere: it has no will,
   * and nobody sees it. Default it is.
   */
  isThere?(): boolean
}

/** Shown on screen: `write` once per agent per rendered frame, `flush` once after all. */
export interface View {
  write(index: number, pose: Pose): void
  flush?(count: number): void
}

/** Called once per step before any agent thinks: formations, docks. */
export interface Planner extends Snapshotable {
  plan(step: Step): void
}

/** Sink for debug lines, m, world axes. Implemented outside the core. `layer` names what is drawn. */
export interface DebugDraw {
  line(layer: string, from: Vec3Like, to: Vec3Like): void
}

/** Why something was dropped. */
export interface Fault {
  /** Of the agent; −1 for what belongs to no agent: a planner, the guard, the gravity of the world. */
  readonly id: number
  /** Of the agent or its flock; '' for none. */
  readonly name: string
  /**
   * The part that produced it: the class of a behaviour, locomotion, body, view or planner, or what it is to
   * the world, e.g. `listener of 'stage'`.
   */
  readonly behavior: string
  readonly message: string
}
