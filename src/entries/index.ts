/** The core: worlds, controllers, flocks, behaviours, combinations, locomotion, obstacles. @module */

// World, controllers, flocks
export { SteeringController, type ControllerOptions } from '../core/engine/controller.js'
export { Flock } from '../core/engine/flock.js'
export { Guard } from '../core/engine/guard.js'
export type { AgentOptions } from '../core/engine/options.js'
export type { FlockOptions } from '../core/engine/spawn.js'
export type { Viewable } from '../core/engine/views.js'
export type { WorldOptions } from '../core/engine/world-options.js'
export { SteeringWorld } from '../core/engine/world.js'
export { setHints } from '../core/hints/set-hints.js'

// Single-target motion
export { Arrive, type ArriveOptions } from '../core/behaviors/motion/arrive.js'
export { Cruise, type CruiseOptions } from '../core/behaviors/motion/cruise.js'
export { Face, type FaceOptions } from '../core/behaviors/motion/face.js'
export { Flee, type FleeOptions } from '../core/behaviors/motion/flee.js'
export { LookWhereGoing, type LookWhereGoingOptions } from '../core/behaviors/motion/look-where-going.js'
export { MatchAttitude, type MatchAttitudeOptions } from '../core/behaviors/motion/match-attitude.js'
export { MatchVelocity, type MatchVelocityOptions } from '../core/behaviors/motion/match-velocity.js'
export { Seek, type SeekOptions } from '../core/behaviors/motion/seek.js'
export { Stick, type StickOptions } from '../core/behaviors/motion/stick.js'
export { Stop, type StopOptions } from '../core/behaviors/motion/stop.js'
export { Tether, type TetherOptions } from '../core/behaviors/motion/tether.js'
export { PerlinNoise, type PerlinNoiseOptions } from '../core/behaviors/motion/perlin-noise.js'
export { Wander, type WanderOptions } from '../core/behaviors/motion/wander.js'

// Moving targets
export { AttackRun, type AttackRunOptions } from '../blocks/combat/attack-run.js'
export { EvadeGroup, type EvadeGroupOptions } from '../blocks/pursuit/evade-group.js'
export { Evade, type EvadeOptions } from '../blocks/pursuit/evade.js'
export { intercept } from '../blocks/pursuit/meeting.js'
export { Interpose, type InterposeOptions } from '../blocks/pursuit/interpose.js'
export { JoinUp, type JoinUpOptions } from '../blocks/pursuit/join-up.js'
export { LeaderFollow, type LeaderFollowOptions } from '../blocks/pursuit/leader-follow.js'
export { OffsetPursue, type OffsetPursueOptions } from '../blocks/pursuit/offset-pursue.js'
export { Loiter, type LoiterOptions } from '../blocks/pursuit/loiter.js'
export { Orbit, type OrbitOptions } from '../blocks/pursuit/orbit.js'
export { Pursue, type PursueOptions } from '../blocks/pursuit/pursue.js'
export { Strafe, type StrafeOptions } from '../blocks/combat/strafe.js'

// Obstacles, walls, other agents
// (for behaviours of your own that look for neighbours)
export { neighborSearch } from '../core/neighbors/neighbor-search.js'
export { AvoidAgents, type AvoidAgentsOptions } from '../blocks/classic/avoid-agents.js'
export { AvoidObstacles, type AvoidObstaclesOptions } from '../core/behaviors/avoidance/avoid-obstacles.js'
export { AvoidWalls, type AvoidWallsOptions } from '../core/behaviors/avoidance/avoid-walls.js'
export { Contain, type ContainOptions } from '../core/behaviors/avoidance/contain.js'
export { Hide, type HideOptions } from '../blocks/cover/hide.js'
export { Queue, type QueueOptions } from '../blocks/crowds/queue.js'
export {
  ReciprocalAvoidance,
  type ReciprocalAvoidanceOptions,
} from '../blocks/crowds/reciprocal-avoidance.js'
export { RepelObstacle, type RepelObstacleOptions } from '../core/behaviors/avoidance/repel-obstacle.js'
export { Sight, type SightOptions } from '../core/behaviors/avoidance/sight.js'
export { SlowInCrowd, type SlowInCrowdOptions } from '../blocks/crowds/slow-in-crowd.js'
export { WallFollow, type WallFollowOptions } from '../blocks/cover/wall-follow.js'

// Flocks
export { Alignment } from '../core/behaviors/flocking/alignment.js'
export { Cohesion } from '../core/behaviors/flocking/cohesion.js'
export type { AlignmentOptions, CohesionOptions } from '../core/behaviors/flocking/flock.js'
export {
  DRONES,
  FISH,
  flockCenter,
  GEESE,
  scaleFlock,
  STARLINGS,
  type FlockPreset,
} from '../blocks/crowds/flock-presets.js'
export { Flocking, type FlockingOptions } from '../core/behaviors/flocking/flocking.js'
export { Separation, type SeparationOptions } from '../core/behaviors/flocking/separation.js'

// Paths and races
export { blockedWaypoints } from '../blocks/paths/blocked-waypoints.js'
export { findRoute, type FindRouteOptions } from '../blocks/paths/find-route.js'
export type { FollowPathOptions } from '../blocks/paths/follow-options.js'
export { FollowPath } from '../blocks/paths/follow-path.js'

export type { PathOptions } from '../blocks/paths/path-points.js'
export { Path } from '../blocks/paths/path.js'
export { PathTube } from '../blocks/paths/path-tube.js'
export type { PilotOptions } from '../blocks/paths/follow-options.js'
export type { Pilot } from '../blocks/paths/pilot.js'

// Poses under a minimum turn radius
export { DirectedSeek, type DirectedSeekOptions } from '../blocks/directed-seek/directed-seek.js'
export type { Goal } from '../blocks/directed-seek/goal.js'

// Combination schemes
export { type Blend, blend, type BlendOptions } from '../core/combine/blend.js'
export { type ContextMap, contextMap, type ContextMapOptions } from '../blocks/context-map/context-map.js'
export { type Dither, dither, type DitherOptions } from '../core/combine/dither.js'
export { type Modes, modes, type ModesOptions } from '../core/combine/modes.js'
export type { Part, Weighted } from '../core/combine/part-rules.js'
export { type Priority, priority, type PriorityOptions } from '../core/combine/priority.js'
export { type Smooth, smooth, type SmoothOptions } from '../core/combine/smooth.js'
export { type TruncatedSum, truncatedSum, type TruncatedSumOptions } from '../core/combine/truncated-sum.js'
export { type Within, within } from '../core/combine/within.js'

// Vehicles
export { Attitude, type AttitudeOptions } from '../core/locomotion/attitude.js'
export { Flight, type FlightOptions } from '../core/locomotion/flight.js'
export { Hover, type HoverOptions } from '../core/locomotion/hover.js'
export { Walker, type WalkerOptions } from '../core/locomotion/walker.js'
export { Wheels, type WheelsOptions } from '../blocks/wheels/wheels.js'
export { Thrusters, type ThrustersOptions } from '../core/locomotion/thrusters.js'

// Obstacles
export { BoxShape } from '../core/obstacles/box.js'
export { CapsuleShape } from '../core/obstacles/capsule.js'
export { wallsFromCells, type CellsOptions } from '../blocks/shapes/cells.js'
export { CylinderShape } from '../core/obstacles/cylinder.js'
export { freePosition, type FreePositionOptions } from '../core/obstacles/free-position.js'
export { convexHull } from '../blocks/shapes/convex-hull.js'
export { HalfSpaceShape } from '../core/obstacles/half-space.js'
export { HollowShape } from '../core/obstacles/hollow.js'
export { HullShape, type HullOptions } from '../blocks/shapes/hull.js'
export { Obstacle, type ObstacleOptions } from '../core/obstacles/obstacle.js'
export { Obstacles } from '../core/obstacles/obstacles.js'
export { PrismShape } from '../blocks/shapes/prism.js'
export type { PlanPoint } from '../blocks/shapes/polygon.js'
export type { Shape } from '../core/obstacles/shape.js'
export { SphereShape } from '../core/obstacles/sphere.js'

// The vocabulary; the rest of it is in three-steering/authoring
export type { Agent, Behavior, Fault, Locomotion, PointSource, Step, Wrench } from '../core/types.js'
export type { Moving, Placed, Quat, QuatLike, Vec3, Vec3Like, Waypoint } from '../core/spatial-types.js'
