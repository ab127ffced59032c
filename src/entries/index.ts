/** The public face of `three-steering`. */

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

// Behaviours, and what goes with them
export * from '../blocks/behaviors.js'
export { intercept } from '../blocks/pursuit/meeting.js'
export type { Goal } from '../blocks/directed-seek/goal.js'
// (for behaviours of your own that look for neighbours)
export { neighborSearch } from '../core/neighbors/neighbor-search.js'
export {
  DRONES,
  FISH,
  flockCenter,
  GEESE,
  scaleFlock,
  STARLINGS,
  type FlockPreset,
} from '../blocks/crowds/flock-presets.js'

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
