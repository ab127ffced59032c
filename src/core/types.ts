/** The vocabulary of the package: types only, no code. */

import type { Snapshotable } from './snapshot-types.js'
import type { FrameLike, Moving, Placed, Pose, Quat, QuatLike, Vec3, Vec3Like } from './spatial-types.js'

export type * from './snapshot-types.js'
export type * from './spatial-types.js'

/** A fixed point (m), an object with a position, or a function that writes a world point (m) into `out`. */
export type PointSource = Vec3Like | Placed | ((agent: Agent, out: Vec3) => void)

/**
 * A force (N) and a torque (N·m) about the centre of mass, both in world axes. When `turns` is true the
 * torque is wanted even if it is zero ("hold this attitude"). When it is false and the torque is zero, the
 * locomotion turns the body by its own policy.
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
   * `[≥ count]`, in the order of the grid; with a limited number (`maxNeighbors`), the agent with the nearest
   * surface first.
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
   * Upper bound of the radii (m) of all agents of the world. An agent of at least this radius need not read
   * the radii of the others.
   */
  readonly maxRadius: number
  /** Properties of the agent in `row`: m, kg, m/s, and {@link Agent.priority}. */
  radius(row: number): number
  mass(row: number): number
  maxSpeed(row: number): number
  priority(row: number): number
  /**
   * Group bits of the agents that the agent in `row` avoids, and whether a player steers it, see
   * {@link Behavior.avoids}.
   */
  avoids(row: number): number
  isManual(row: number): boolean
  /** Group bits that all agents of the world avoid; absent where that is not known. */
  readonly avoidedByAll?: number
  /** Null or absent while the spaces of all agents are balls. */
  readonly spaces?: Spaces | null
}

/** The neighbours whose courses may cross that of the agent. */
export interface Crossings extends Neighborhood {
  /** What matters to the agent, see `core/neighbors/crossings.ts`. */
  readonly bounds: Float64Array
  /** Finds those within the bounds, and maybe more. False where it cannot: all must be looked at. */
  findCrossing(): boolean
}

/** Makes the lists of a world. A behaviour brings it, so that others do without its code. */
export type CrossingSearch = (agents: never, grid: never) => Crossings

/** The spaces of agents, by their rows, see `AgentOptions.spaceLength`. */
export interface Spaces {
  /** In diameters. */
  spaceLength(row: number): number
  spaceHeight(row: number): number
  /** Writes the unit vector along the nose. */
  nose(out: Vec3, row: number): Vec3
}

/** What a vehicle can push with along a direction. */
export interface Push {
  /** N, ≥ 0. */
  force: number
  /** Time (s, ≥ 0) in which it turns to push like that. */
  turnTime: number
  /** Whether it turns to push along some direction, if not along this one. */
  turns: boolean
}

/**
 * One agent at one instant, as a behaviour sees it. One object is reused for all agents: valid only during
 * `steer`.
 */
export interface Agent extends Moving {
  /** Unique in its world, never used again after removal. */
  readonly id: number
  /**
   * Index of this agent among the living ones. It stays while the agent lives; later another agent gets it,
   * with a new `generation`.
   */
  readonly slot: number
  /** Changes each time a slot gets a new owner, and when the world is restored (`restoreSnapshot`). */
  readonly generation: number
  /** Key of the agent's random stream. */
  readonly seed: number
  /** Position of the centre of mass, m. */
  readonly position: Readonly<Vec3>
  /** Velocity of the centre of mass, m/s. */
  readonly velocity: Readonly<Vec3>
  /** m/s */
  readonly speed: number
  /** Attitude of the model or body, unit. For the attitude of the steering frame see `attitude`. */
  readonly orientation: Readonly<Quat>
  /** rad/s, world axes. */
  readonly angularVelocity: Readonly<Vec3>
  /** Frame with x along the velocity; carried from step to step without twist; constant at rest. */
  readonly course: FrameLike
  /** Frame with x along the nose and y along the top of the model. */
  readonly attitude: FrameLike
  /** Rotation from the steering frame (x ahead, y up) to the model's own axes. */
  readonly axes: QuatLike
  /** kg */
  readonly mass: number
  /**
   * Principal moments of inertia, kg·m², about the axes of `inertiaFrame`. Zero: the body cannot turn about
   * that axis.
   */
  readonly inertia: Readonly<Vec3>
  /** Rotation from the principal axes of inertia to the body's axes, unit. */
  readonly inertiaFrame: Readonly<Quat>
  /** Centre of mass in the body's axes, as seen from its origin (m). In world axes it is `position`. */
  readonly center: Readonly<Vec3>
  /** Hull radius, m. */
  readonly radius: number
  /** Length along the nose and height along the world's up of its space, in diameters. Absent: 1. */
  readonly spaceLength?: number
  readonly spaceHeight?: number
  /** Top speed, m/s. */
  readonly maxSpeed: number
  /** Largest force, N. */
  readonly maxForce: number
  /** Largest torque, N·m. */
  readonly maxTorque: number
  /** Largest angular speed, rad/s. */
  readonly maxTurnRate: number
  /** Right of way, dimensionless, > 0; Infinity never gives way. */
  readonly priority: number
  /** Time constant in which velocity errors are corrected, s: the only gain from velocity to force. */
  readonly responseTime: number
  /** Group bits of this agent. */
  readonly group: number
  /** Rate at which the engine's damping reduces the velocity, 1/s (v′ = −rate · v). */
  readonly damping: number
  /** Rate at which it reduces the angular velocity, 1/s. */
  readonly angularDamping: number
  /** Unit direction of the line on which this agent moves; 0 for none. */
  readonly axis: Readonly<Vec3>
  /** Unit normal of the plane in which this agent moves; 0 for none. With an `axis` it does not count. */
  readonly plane: Readonly<Vec3>
  /** Acceleration by gravity acting on this agent, m/s², as far as its `plane` or `axis` lets it fall. */
  readonly gravity: Readonly<Vec3>
  /** Force (N) that its locomotion gave in the last step, world axes. */
  readonly lastForce: Readonly<Vec3>
  /** Height of the highest step that it goes up on the ground, m. */
  readonly stepHeight: number
  /** Steepest slope that it goes up on the ground, rad. */
  readonly maxSlope: number
  /** How far (m) its body reaches from its centre along a unit direction. Absent outside of a world. */
  extent?(direction: Vec3Like): number
  /** Whether the locomotion cancels gravity before it spends force on the demand. */
  readonly compensateGravity: boolean
  /** Whether the locomotion cancels the engine's damping before it spends force on the demand. */
  readonly compensateDamping: boolean
  /** Whether its attitude is not driven by torque, see `Locomotion.pointMass`. Default false. */
  readonly pointMass?: boolean
  /** The neighbours, found at the first read and shared by all behaviours of this agent in this step. */
  readonly neighbors: Neighborhood
  /**
   * The same without a copy, for the behaviours of this package, which only read it. Absent outside of a
   * world. @internal
   */
  readonly nearby?: Neighborhood
  /** Those that may matter, while all are not searched yet; null where they must be. @internal */
  crossings?(lists: CrossingSearch): Crossings | null
  /** Not null while a combination collects wishes. */
  wish: Wish | null
  /** Receives the goal while a sum of forces asks its parts, without a `wish`. @internal */
  aim?: Wish | null
  /**
   * Set by a behaviour that means its force even if that is zero: "keep this velocity". `drive` sets it. On
   * feet and tyres an agent of which nothing is asked, no force and not this, comes to a stand.
   */
  asks?: boolean
  /** See `Locomotion`. Absent outside of a world. */
  readonly standsIdle?: boolean
  /** Not null while the agent is explained, see `explain`. */
  explainer: Explainer | null
  /** The behaviour that is being called, as set by combinations: reports carry its name. */
  activeBehavior?: Behavior | null
  /**
   * Reports that an input (`what`) cannot be used in this step, such as a target that is not finite, and its
   * value (`got`). Emitted as the event `fault`, once per agent, part and `what`. Absent outside of a world.
   */
  report?(what: string, got: unknown): void
  /** Centre of the bounding box of all agents that share this agent's root behaviour, m. */
  readonly flockCenter: Readonly<Vec3>
  /** Largest force (N) the vehicle can produce now along a unit direction in world axes. */
  forceAlong(x: number, y: number, z: number): number
  /**
   * Writes the force that it can push with along a unit direction in world axes if it turns for that first,
   * where it does. Absent outside of a world: it does not turn for it.
   */
  pushAlong?(out: Push, x: number, y: number, z: number): Push
  /** Time (s) by which its force lags behind the demand, ≥ 0. */
  readonly forceLag: number
  /**
   * Time (s) in which it can turn its force by a right angle, ≥ 0; 0 when its force does not depend on its
   * attitude.
   */
  readonly forceTurnTime: number
  /** Least speed (m/s) at which it can fly: above 0 it cannot stop. Default 0. */
  readonly minSpeed?: number
  /**
   * Adds the torque that turns the vehicle to an attitude in which it can give `force` (N, world axes). Adds
   * nothing when `forceTurnTime` is 0.
   */
  turnForForce(force: Vec3Like, step: Step, out: Wrench): void
  /**
   * Whether a joint of the physics engine holds the body of this agent at `thing`: a body of that engine, or
   * what stands for one (a controller, a frame of a door). Absent outside of a world.
   */
  isJoinedTo?(thing: object): boolean
  /** Notes whether a target of `part` is gone. @returns whether it has gone now. @internal */
  noteGone?(part: Behavior, gone: boolean): boolean
  /** The next number of its stream in this step, in [0, 1). */
  random(): number
}

/**
 * Properties of a wish that `within` collects while it calls its wishes. During that call forces are not
 * limited: the wanted velocity is v + F·τ/m.
 */
export interface Wish {
  /**
   * Distance (m) to the goal along the wanted velocity: obstacles beyond it are not in the way. Infinity
   * without a goal.
   */
  goalDistance: number
  /**
   * The goal (m, world axes), if `hasGoalPoint`; else the goal is at `goalDistance` along the wanted
   * velocity. If it `rests`, the place of rest in any case.
   */
  readonly goal: Vec3
  hasGoalPoint: boolean
  /** The behaviour whose goal it is. */
  goalOf: Behavior | null
  /** Whether the goal is at rest, and the agent stays there. */
  rests: boolean
  /** Whether that behaviour has told that it arrived, and not that it left. */
  arrived: boolean
  /** Whether the straight line there is not free: a vehicle that rolls searches its way at once. */
  passes: boolean
  /** Whether the agent has come to rest as near to such a goal as it gets. Set by the combination. */
  settled: boolean
  /**
   * Distance (m) for which the agent will keep the direction of the wanted velocity, such as the distance to
   * the next bend of a path. Obstacles beyond it are not in the way. Unlike at the goal, the agent does not
   * stop there. Infinity without a bend.
   */
  straightDistance: number
  /** The obstacles at rest that the constraints of the combination know. Null where these are not known. */
  map: ObstacleQuery | null
  /** The same of the bounds that contain the agent. */
  bounds: ObstacleQuery | null
  /** Obstacles and agents that the wish does not avoid. Default none. */
  exemption?: Exemption | undefined
  /**
   * For a vehicle that rolls: distance (m) to the place of a path to which the wanted velocity leads, on a
   * circle; negative for a path astern. 0: there is no path, and the vehicle chooses its way.
   */
  aim: number
  /**
   * Whether the wish is the input of a player, which nothing redirects: constraints slow it, stop it, and let
   * the part of it along a surface pass. They demand no motion that it does not ask for.
   */
  isManual: boolean
  /** For such a wish: the velocity (m/s) that counts as standing still. */
  readonly rest: Vec3
  /** Least radius (m) of the curves of the vehicle; 0 for one that can turn on the spot. */
  turnRadius: number
  /** The vehicle, if it rolls. Null inside of `within`, which asks the vehicle itself. */
  vehicle: RollingVehicle | null
  /** For a vehicle that rolls: what finds its ways past obstacles at rest. @internal */
  ways: WayFinder | null
}

/** What a vehicle can do on its way. @internal */
export interface WayLimits {
  /** Radius (m) of its curves. */
  radius: number
  /** What a metre astern costs, in metres ahead; Infinity: it never goes astern. */
  asternCost: number
  /** Its gear, +1 or −1. */
  gear: number
  /** Way (m) that it rolls on before it can change its gear. */
  stop: number
  /** The curve (1/m, + to the left) that it is on. */
  curve: number
  /** Share of its clearance from obstacles that it keeps. */
  clearance: number
}

/** Finds ways of a vehicle that rolls; they are paths of arcs (`ArcPath`). @internal */
export interface WayFinder {
  /** Whether nothing at rest is on a path, with this share of the clearance. */
  isFree(path: object, map: ObstacleQuery | null, clearance: number): boolean
  /**
   * Writes a way from a place (m) with the nose `nose` to `goal` (m), there with the nose `end`, if any.
   * `isNarrow`: it turns round near the start, in little more room than its own width.
   */
  find(
    out: object,
    map: ObstacleQuery | null,
    start: Vec3Like,
    nose: Vec3Like,
    goal: Vec3Like,
    end: Vec3Like | null,
    normal: Vec3Like,
    limits: WayLimits,
    isNarrow?: boolean,
  ): boolean
}

/** A vehicle that moves along its nose only, ahead or astern, and turns while it moves. */
export interface RollingVehicle {
  /** Notes that something ahead holds the vehicle up: it plans its curve for the pace that it has. */
  hold(agent: Agent): void
  /**
   * Whether it is on a way of its own to `goal`, or along the wanted `velocity`, past the obstacles at rest.
   * To be called before `maneuver`, which then keeps to that way, unless there is a path.
   */
  leads(
    agent: Agent,
    step: Step,
    velocity: Vec3Like,
    goal: Vec3Like | null,
    map: ObstacleQuery | null,
  ): boolean
  /**
   * Replaces the wanted `velocity` (m/s) by the one to have now on the way there: ahead or astern, turned
   * from the nose no farther than the vehicle steers, and not faster than its curve allows. `goal` (m) is
   * the place where it shall stop, if it is known, `aim` that of {@link Wish}, and `map` the
   * obstacles at rest. With `limits` it adds the half-spaces of the velocities that it can have,
   * and the velocity that meets them is taken as it is.
   */
  maneuver(
    agent: Agent,
    step: Step,
    velocity: Vec3,
    goal: Vec3Like | null,
    aim: number,
    map: ObstacleQuery | null,
    limits: VelocityLimits | null,
  ): void
}

/** The demands on the velocity of a vehicle. */
export interface VelocityLimits {
  addHalfSpace(normal: Vec3Like, least: number): void
  /** Whether they allow a velocity (m/s). */
  allows(velocity: Vec3Like): boolean
}

/** Queries about the obstacles at rest, for a wish. */
export interface ObstacleQuery {
  /** How many obstacles there are, near or far, at rest or moving. */
  readonly size: number
  /**
   * How many of those that follow a body are at rest. Writes the mean (m) of a point of each, which moves
   * with it.
   */
  atRest(mean: Vec3): number
  /** Whether no obstacle at rest is between two places (m). */
  isVisible(from: Vec3Like, to: Vec3Like): boolean
  /**
   * Whether the agent can fly straight from one place to another (m) without touching an obstacle at rest.
   * `share`: how much of its clearance it keeps on the way. Default half of it.
   */
  isPathFree(from: Vec3Like, to: Vec3Like, share?: number): boolean
  /**
   * Whether a route leads the agent to a place (m), or the search for one has not looked everywhere. Absent
   * where nothing searches for routes.
   */
  readonly hasRoute?: ((agent: Agent, step: Step, to: Vec3Like) => boolean) | undefined
  /** Whether an obstacle at rest contains a place (m). */
  contains(place: Vec3Like): boolean
  /**
   * Distance (m) from a place to the nearest one that the agent can reach: 0 when it can be at the place
   * itself.
   */
  distanceToFree(place: Vec3Like): number
}

/**
 * Marks the obstacles or agents at the goal (m) of a wish as to be touched: a dock, a patient. Walls are
 * avoided all the same.
 */
export interface Exemption {
  readonly place: Vec3Like
  readonly obstacles: boolean
  readonly agents: boolean
  /** What the agent docks at: neither the obstacles nor the agent that belong to it count. Default none. */
  readonly carrier?: object | undefined
  /**
   * The way (m, world axes) from the place that the agent must not be pushed off. Agents beside it do not
   * count. Never (0, 0, 0). Default none.
   */
  readonly lane?: Vec3Like | undefined
}

/**
 * Records, for one agent in one step, the outputs of its behaviours and what of them was granted. When an
 * agent has an explainer, a combination calls `enter` before each part, `leave` with its output, and then
 * `grant` with what of that output is in its own.
 */
export interface Explainer {
  /**
   * `part` is called now, with this share (a weight, a probability; default 1). Parts that it calls itself
   * are recorded below it.
   */
  enter(part: Behavior, weight?: number): void
  /** The part that was entered last has returned this output. */
  leave(asked: Readonly<Wrench>): void
  /**
   * Adds the wrench `taken`, times the factors `force` and `torque`, to what was granted to the last part, or
   * to `part`. Without a call nothing is granted.
   */
  grant(taken: Readonly<Wrench>, force: number, torque: number, part?: Behavior): void
  /** Multiplies what was granted so far to the parts of this combination by these shares (0…1). */
  cut(force: number, torque: number): void
  /**
   * The constraints of a set of demands (a `ConstraintSet`) are met by the velocity `solved` in place of
   * `wanted` (m/s), as far as they can be, if that `changed`.
   */
  addConstraints(
    agent: Agent,
    step: Step,
    constraintSet: object,
    constraints: readonly Behavior[],
    wanted: Vec3Like,
    solved: Vec3Like,
    changed: boolean,
  ): void
  /** Makes the granted forces sum up to `force` (N): the difference is divided equally among `parts`. */
  scaleTo(force: Vec3Like, parts: readonly Behavior[]): void
  /** Adds a remark in words to the last part. */
  note(words: string): void
}

/** One step, the same for all agents. */
export interface Step {
  /** Length of the step, s, > 0. */
  readonly dt: number
  /** Simulated time at its start, s. */
  readonly time: number
  /** Number of steps made before this one. */
  readonly tick: number
  /** Direction away from the ground, unit. */
  readonly up: Vec3Like
  /**
   * Queues an event of the agent. After the step it is emitted to the listeners of its controller or flock,
   * and of the world.
   */
  emit(agent: Agent, type: BehaviorEventType, behavior: Behavior, stage?: string, reason?: string): void
}

/**
 * Events of a behaviour: it has reached a goal, has left it, has entered a new stage of its work, or cannot
 * do its work, with the reason.
 */
export type BehaviorEventType = 'arrive' | 'leave' | 'stage' | 'cannot'

/**
 * A new stage of the work of a behaviour. `reason` says why, when the behaviour was forced to change; else
 * ''.
 */
export interface StageChange {
  readonly behavior: Behavior
  readonly stage: string
  readonly reason: string
}

/** Makes the search of a world, see `Behavior.neighborSearch`. The package has one, `neighborSearch`. */
export type NeighborSearch = (agents: never) => object

/** Limits and state of one agent, for `Behavior.reachFor`. */
export interface VehicleState {
  /** Radius of the hull, or half of the longest extent of its space (m). */
  readonly radius: number
  /** Mass, kg. */
  readonly mass: number
  /** Largest force, N. */
  readonly maxForce: number
  /** Present speed, m/s. */
  readonly speed: number
  /** Top speed, m/s; Infinity for no limit. */
  readonly maxSpeed: number
  /** Time constant in which velocity errors are corrected, s. */
  readonly responseTime: number
}

/**
 * Largest such radius (m) and speed (m/s) of all agents of a world. The speed of an agent is its `maxSpeed`,
 * or its present speed when that is larger or `maxSpeed` is infinite.
 */
export interface AgentMaxima {
  readonly radius: number
  readonly speed: number
}

/**
 * Steers an agent: `steer` writes a force and a torque into `out`, which is zero at the call. A behaviour
 * that wants nothing leaves `out` as it is. For its name see `Contribution.name`.
 */
export interface Behavior extends Snapshotable {
  steer(agent: Agent, step: Step, out: Wrench): void
  /**
   * Distance (m) from the agent's centre to the surface of neighbours, within which the behaviour needs them.
   * 0 or absent: it needs none.
   */
  readonly reach?: number
  /**
   * End of the distance `reach`. `surface` (default): the neighbour's surface. `center`: its centre, as in
   * the rules of a flock; in a neighbour larger than the agent, the nearest place at which the centre of an
   * agent of the own size would touch that surface from inside.
   */
  readonly reachTo?: 'surface' | 'center'
  /**
   * As `reach`, to the surface, for a behaviour that derives it from the vehicle; m, ≥ 0. Called for each of
   * its agents in each step, before any behaviour steers. Both objects are valid during the call only.
   */
  reachFor?(vehicle: Readonly<VehicleState>, others: Readonly<AgentMaxima>): number
  /**
   * The search for neighbours, `neighborSearch` of the package. A behaviour with a `reach` or `reachFor` must
   * have it: a world in which nothing looks for neighbours is smaller without.
   */
  readonly neighborSearch?: NeighborSearch | undefined
  /**
   * Group bits of the agents for which it makes its share of the way, so that these make no more than theirs.
   * An agent avoids those that any part of its tree avoids. Default none.
   */
  readonly avoids?: number
  /** Whether it is the input of a player: the agent stops before those that it avoids, and never evades. */
  readonly isManual?: boolean
  /**
   * A `Batch` of the engine, which computes what this behaviour finds out about the neighbours of all its
   * agents at once; null while it cannot. @internal
   */
  batch?(): object | null
  /** Whether its parts see only some of the neighbours, so that they cannot be batched. @internal */
  readonly hidesNeighbors?: boolean
  /**
   * The parts that can be steered for a block of agents at once (`BlockParts`); null while it has others.
   * @internal
   */
  forBlocks?(step: Step): object | null
  /** Parts of a combination, so that the world finds the reach and the owner of every part. */
  readonly children?: readonly Behavior[]
  /**
   * As `children`, to read only, of a combination whose parts cannot have changed since its last `refresh`
   * (`partLists`); null for others. @internal
   */
  readonly fixedChildren?: readonly Behavior[] | null
  /**
   * As `children`, with the parts that are switched off: their state is part of snapshots too. Default
   * `children`.
   */
  readonly allChildren?: readonly Behavior[]
  /**
   * Called by the world in every step, before any behaviour steers: changes since the last step take effect.
   */
  refresh?(): void
  /**
   * Writes the point (m) at which an agent will be after flying `ahead` metres. Returns whether it knows one.
   * A formation that is led by this behaviour looks there for obstacles.
   */
  placeAhead?(agent: { readonly id: number }, ahead: number, out: Vec3): boolean
  /** Draws its decisions as lines. Never called by `steer`. */
  trace?(agent: Agent, step: Step, draw: DebugDraw): void
}

/**
 * Limits of a vehicle: `actuate` writes into `out` the part of the wanted force and torque (`demand`) that
 * the vehicle can produce.
 */
export interface Locomotion extends Snapshotable {
  actuate(agent: Agent, demand: Readonly<Wrench>, step: Step, out: Wrench): void
  /**
   * Largest force (N) along a unit direction in world axes, after compensation of gravity and damping when
   * the agent has these options.
   */
  forceAlong(agent: Agent, x: number, y: number, z: number): number
  /** See {@link Agent}. `out` holds `forceAlong`, at once, which is also the default. */
  pushAlong?(agent: Agent, x: number, y: number, z: number, out: Push): void
  /** See {@link Agent}. Default 0, 0, and no torque. */
  forceLag?(agent: Agent): number
  forceTurnTime?(agent: Agent): number
  turnForForce?(agent: Agent, force: Vec3Like, step: Step, out: Wrench): void
  /**
   * Called when its agent is about to be steered. With a wish, as inside of `within`, the forces of the
   * behaviours are not limited, so that the locomotion knows the wanted velocity v + F·τ/m, and behaviours
   * report their goal. `plane` is that of the agent: a locomotion on the ground, which is not locked to it,
   * may write its normal there, for this step, where it is 0. `up` is that of the world. Null: the forces are
   * limited as without it.
   */
  beginWish?(agent: Agent, plane: Vec3, up: Vec3Like): Wish | null
  /** A `BlockLocomotion`, which does the same for a block of agents at once; null for none. @internal */
  forBlocks?(): object | null
  /**
   * True when it comes to a stand where nothing is asked of it, as feet and tyres do. Default false: it
   * drifts on.
   */
  readonly standsIdle?: boolean
  /** True when the attitude is not driven by torque: an agent without a body then points along its course. */
  readonly pointMass?: boolean
  /** See {@link Agent}. Default 0. */
  readonly minSpeed?: number
  /** See {@link Agent}. Default what the body says. */
  readonly stepHeight?: number | undefined
  readonly maxSlope?: number
}

/**
 * State of a physics body, written by {@link SteeringBody.read}. m, m/s, rad/s, kg, world axes. `position`
 * and `velocity` are those of the centre of mass, `quaternion` is the attitude of the body.
 */
export interface BodyState extends Pose {
  readonly velocity: Vec3
  readonly angularVelocity: Vec3
  mass: number
  /**
   * Principal moments of inertia about the axes of `inertiaFrame`, kg·m²; 0: the body cannot turn about that
   * axis.
   */
  readonly inertia: Vec3
  /**
   * Rotation from the principal axes of inertia to the body's axes, unit. Preset to none, for an engine whose
   * moments are in the body's axes.
   */
  readonly inertiaFrame: Quat
  /**
   * Centre of mass in the body's axes (m), as seen from the body's origin. Views show the origin. Preset to
   * 0, for an engine whose bodies have their centre of mass at the origin.
   */
  readonly center: Vec3
  /** Fraction of the velocity that is lost per second, as the engine counts it: v · (1 − d)^dt. In [0, 1]. */
  linearDamping: number
  /** Fraction of the angular velocity that is lost per second. In [0, 1]. */
  angularDamping: number
  /** Acceleration by gravity, m/s². */
  readonly gravity: Vec3
  /**
   * Normal of the plane to which the engine locks the position of the body, any length. Preset to 0, for a
   * body that moves in space.
   */
  readonly plane: Vec3
  /** Direction of the line to which the engine locks it, any length. Preset to 0, for a body without. */
  readonly axis: Vec3
}

/**
 * A body of a physics engine: the only interface through which the package reads bodies and applies forces.
 */
export interface SteeringBody {
  /** Copies pose, velocities, mass, damping and gravity into `out`. */
  read(out: BodyState): void
  /**
   * Adds force and torque for the next internal step of the engine only, of length `step.dt`: an engine
   * without forces for one step gets the impulse `force · step.dt`. The force acts at the centre of mass.
   */
  apply(wrench: Readonly<Wrench>, step: Step): void
  /**
   * Takes another velocity (m/s) and angular velocity (rad/s), of `teleport` of its agent. Absent where these
   * belong to the engine.
   */
  setVelocity?(velocity: Readonly<Vec3>, angularVelocity: Readonly<Vec3>): void
  /**
   * Bounding radius of the body, m: the radius of its agent, unless the agent has a radius option. May change
   * with the shapes of the body.
   */
  readonly radius?: number
  /**
   * Height (m) of the highest step, and the steepest slope (rad), that the engine lets it go up. Default a
   * twentieth of the radius, and 45°: what a round body is pushed over.
   */
  readonly stepHeight?: number
  readonly maxSlope?: number
  /**
   * How far (m) it reaches from its centre of mass along a unit direction, at most: an agent on the ground
   * goes under what is higher than its head. Default its radius.
   */
  extent?(direction: Vec3Like): number
  /**
   * The engine's own object, by which the package detects that a body is steered twice. Default this object.
   */
  readonly engineBody?: object
  /**
   * Whether the body is in the world of its engine. While it is not, its agent gets no force, and other
   * agents do not see it. Default true.
   */
  isThere?(): boolean
  /**
   * Whether a joint of the engine holds the body at another one (`engineBody`), directly or through other
   * bodies. Ropes and springs hold nothing. Default false: moored agents then hold themselves by force.
   */
  isJoinedTo?(engineBody: object): boolean
}

/** Shows agents: `write` is called once per agent and rendered frame, `flush` once after all of them. */
export interface View {
  write(index: number, pose: Pose): void
  flush?(count: number): void
  /**
   * The `Object3D` that it moves. By it the agent knows its own meshes among obstacles, and
   * `obstaclesFromObject3D` leaves them out. Default none.
   */
  readonly object?: object
}

/** Plans for several agents: called once per step before any behaviour steers. */
export interface Planner extends Snapshotable {
  plan(step: Step): void
}

/**
 * Receives debug lines, m, world axes. Implemented outside the core. `layer` is a name by which lines are
 * shown, hidden and coloured.
 */
export interface DebugDraw {
  line(layer: string, from: Vec3Like, to: Vec3Like): void
}

/** A failure of one part. Its result was dropped for the step, and all others go on. */
export interface Fault {
  /**
   * Id of the agent; −1 when the part belongs to no agent: a planner, the guard, the gravity of the world.
   */
  readonly id: number
  /** Name of the agent or its flock; '' for none. */
  readonly name: string
  /**
   * The part that failed: the class of a behaviour, locomotion, body, view or planner, or its role in the
   * world, e.g. `listener of 'stage'`.
   */
  readonly behavior: string
  readonly message: string
}
