/** The public face of `three-steering`. */

// World, controllers, flocks
export { SteeringController, type ControllerOptions } from './engine/controller.js'
export { Flock } from './engine/flock.js'
export { Guard } from './engine/guard.js'
export type { AgentOptions } from './engine/options.js'
export type { FlockOptions } from './engine/spawn.js'
export type { Viewable } from './engine/views.js'
export type { WorldOptions } from './engine/world-options.js'
export { SteeringWorld } from './engine/world.js'
export { setHints } from './hints/set-hints.js'

// Single-target motion
export { Arrive, type ArriveOptions } from './behaviors/motion/arrive.js'
export { Cruise, type CruiseOptions } from './behaviors/motion/cruise.js'
export { Face, type FaceOptions } from './behaviors/motion/face.js'
export { Flee, type FleeOptions } from './behaviors/motion/flee.js'
export { LookWhereGoing, type LookWhereGoingOptions } from './behaviors/motion/look-where-going.js'
export { MatchAttitude, type MatchAttitudeOptions } from './behaviors/motion/match-attitude.js'
export { MatchVelocity, type MatchVelocityOptions } from './behaviors/motion/match-velocity.js'
export { Seek, type SeekOptions } from './behaviors/motion/seek.js'
export { Stick, type StickOptions } from './behaviors/motion/stick.js'
export { Stop, type StopOptions } from './behaviors/motion/stop.js'
export { Tether, type TetherOptions } from './behaviors/motion/tether.js'
export { PerlinNoise, type PerlinNoiseOptions } from './behaviors/motion/perlin-noise.js'
export { Wander, type WanderOptions } from './behaviors/motion/wander.js'

// Moving targets
export { AttackRun, type AttackRunOptions } from './behaviors/pursuit/attack-run.js'
export { EvadeGroup, type EvadeGroupOptions } from './behaviors/pursuit/evade-group.js'
export { Evade, type EvadeOptions } from './behaviors/pursuit/evade.js'
export { intercept } from './behaviors/pursuit/meeting.js'
export { Interpose, type InterposeOptions } from './behaviors/pursuit/interpose.js'
export { JoinUp, type JoinUpOptions } from './behaviors/pursuit/join-up.js'
export { LeaderFollow, type LeaderFollowOptions } from './behaviors/pursuit/leader-follow.js'
export { OffsetPursue, type OffsetPursueOptions } from './behaviors/pursuit/offset-pursue.js'
export { Orbit, type OrbitOptions } from './behaviors/pursuit/orbit.js'
export { Pursue, type PursueOptions } from './behaviors/pursuit/pursue.js'
export { Strafe, type StrafeOptions } from './behaviors/pursuit/strafe.js'

// Obstacles, walls, other agents
// (for behaviours of your own that look for neighbours)
export { neighborSearch } from './neighbors/neighbor-search.js'
export { AvoidAgents, type AvoidAgentsOptions } from './behaviors/avoidance/avoid-agents.js'
export { AvoidObstacles, type AvoidObstaclesOptions } from './behaviors/avoidance/avoid-obstacles.js'
export { AvoidWalls, type AvoidWallsOptions } from './behaviors/avoidance/avoid-walls.js'
export { Contain, type ContainOptions } from './behaviors/avoidance/contain.js'
export { Hide, type HideOptions } from './behaviors/avoidance/hide.js'
export { Queue, type QueueOptions } from './behaviors/avoidance/queue.js'
export {
  ReciprocalAvoidance,
  type ReciprocalAvoidanceOptions,
} from './behaviors/avoidance/reciprocal-avoidance.js'
export { RepelObstacle, type RepelObstacleOptions } from './behaviors/avoidance/repel-obstacle.js'
export { Sight, type SightOptions } from './behaviors/avoidance/sight.js'
export { SlowInCrowd, type SlowInCrowdOptions } from './behaviors/avoidance/slow-in-crowd.js'
export { WallFollow, type WallFollowOptions } from './behaviors/avoidance/wall-follow.js'

// Flocks
export { Alignment } from './behaviors/flocking/alignment.js'
export { Cohesion } from './behaviors/flocking/cohesion.js'
export type { AlignmentOptions, CohesionOptions } from './behaviors/flocking/flock.js'
export {
  DRONES,
  FISH,
  flockCenter,
  GEESE,
  scaleFlock,
  STARLINGS,
  type FlockPreset,
} from './behaviors/flocking/flock-presets.js'
export { Flocking, type FlockingOptions } from './behaviors/flocking/flocking.js'
export { Separation, type SeparationOptions } from './behaviors/flocking/separation.js'

// Paths and races
export { blockedWaypoints } from './behaviors/paths/blocked-waypoints.js'
export { findRoute, type FindRouteOptions } from './behaviors/paths/find-route.js'
export type { FollowPathOptions } from './behaviors/paths/follow-options.js'
export { FollowPath } from './behaviors/paths/follow-path.js'

export type { PathOptions } from './behaviors/paths/path-points.js'
export { Path } from './behaviors/paths/path.js'
export { PathTube } from './behaviors/paths/path-tube.js'
export type { PilotOptions } from './behaviors/paths/follow-options.js'
export type { Pilot } from './behaviors/paths/pilot.js'

// Poses under a minimum turn radius
export { DirectedSeek, type DirectedSeekOptions } from './behaviors/directed-seek/directed-seek.js'
export type { Goal } from './behaviors/directed-seek/goal.js'

// Combination schemes
export { type Blend, blend, type BlendOptions } from './combine/blend.js'
export { type ContextMap, contextMap, type ContextMapOptions } from './combine/context-map.js'
export { type Dither, dither, type DitherOptions } from './combine/dither.js'
export { type Modes, modes, type ModesOptions } from './combine/modes.js'
export type { Part, Weighted } from './combine/part-rules.js'
export { type Priority, priority, type PriorityOptions } from './combine/priority.js'
export { type Smooth, smooth, type SmoothOptions } from './combine/smooth.js'
export { type TruncatedSum, truncatedSum, type TruncatedSumOptions } from './combine/truncated-sum.js'
export { type Within, within } from './combine/within.js'

// Vehicles
export { Attitude, type AttitudeOptions } from './locomotion/attitude.js'
export { Flight, type FlightOptions } from './locomotion/flight.js'
export { Hover, type HoverOptions } from './locomotion/hover.js'
export { Walker, type WalkerOptions } from './locomotion/walker.js'
export { Wheels, type WheelsOptions } from './locomotion/wheels.js'
export { Thrusters, type ThrustersOptions } from './locomotion/thrusters.js'

// Obstacles
export { BoxShape } from './obstacles/box.js'
export { CapsuleShape } from './obstacles/capsule.js'
export { wallsFromCells, type CellsOptions } from './obstacles/cells.js'
export { CylinderShape } from './obstacles/cylinder.js'
export { freePosition, type FreePositionOptions } from './obstacles/free-position.js'
export { convexHull } from './obstacles/convex-hull.js'
export { HalfSpaceShape } from './obstacles/half-space.js'
export { HollowShape } from './obstacles/hollow.js'
export { HullShape, type HullOptions } from './obstacles/hull.js'
export { Obstacle, type ObstacleOptions } from './obstacles/obstacle.js'
export { Obstacles } from './obstacles/obstacles.js'
export { PrismShape } from './obstacles/prism.js'
export type { PlanPoint } from './obstacles/polygon.js'
export type { Shape } from './obstacles/shape.js'
export { SphereShape } from './obstacles/sphere.js'

// The vocabulary; the rest of it is in three-steering/authoring
export type { Agent, Behavior, Fault, Locomotion, PointSource, Step, Wrench } from './types.js'
export type { Moving, Placed, Quat, QuatLike, Vec3, Vec3Like, Waypoint } from './spatial-types.js'
