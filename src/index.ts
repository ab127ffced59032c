export { Alignment } from './behaviors/alignment.js'
export { Arrive, type ArriveOptions } from './behaviors/arrive.js'
export {
  AttackRun,
  type AttackRunOptions,
  type AttackSide,
  type AttackStage,
} from './behaviors/attack-run.js'
export { AvoidAgents, type AvoidAgentsOptions } from './behaviors/avoid-agents.js'
export { AvoidObstacles, type AvoidObstaclesOptions } from './behaviors/avoid-obstacles.js'
export { AvoidWalls, type AvoidWallsOptions } from './behaviors/avoid-walls.js'
export { Cohesion, type CohesionOptions } from './behaviors/cohesion.js'
export { Contain, type ContainOptions } from './behaviors/contain.js'
export { Cruise, type CruiseOptions } from './behaviors/cruise.js'
export { Dock, type DockOptions, type DockStage } from './behaviors/dock.js'
export { DirectedSeek, type DirectedSeekMethod, type DirectedSeekOptions } from './behaviors/directed-seek.js'
export { Evade, type Escape, type EvadeOptions } from './behaviors/evade.js'
export { EvadeGroup, type EvadeGroupOptions } from './behaviors/evade-group.js'
export { Face, type FaceOptions } from './behaviors/face.js'
export { Flee, type FleeOptions } from './behaviors/flee.js'
export { Flocking, type FlockingOptions } from './behaviors/flocking.js'
export { FollowFlowField, type FollowFlowFieldOptions } from './behaviors/follow-flow-field.js'
export { FollowPath } from './behaviors/follow-path.js'
export type {
  EndContact,
  FollowPathOptions,
  NextPiece,
  PathTechnique,
} from './behaviors/support/follow-options.js'
export { blockedWaypoints } from './behaviors/support/blocked-waypoints.js'
export type { Pilot } from './behaviors/support/pilot.js'
export type { Blocked, PilotMetrics, PilotOptions } from './behaviors/support/pilot-options.js'
export { GateRun, type GateRecord, type GateRunOptions, type GateRunStage } from './behaviors/gate-run.js'
export { Hide, type HideOptions } from './behaviors/hide.js'
export { Interpose, type InterposeOptions } from './behaviors/interpose.js'
export { KeepPace, type KeepPaceOptions } from './behaviors/keep-pace.js'
export { KeepSlot, type KeepSlotOptions } from './behaviors/keep-slot.js'
export { JoinUp, type JoinUpOptions } from './behaviors/join-up.js'
export { Land, type LandOptions, type LandStage } from './behaviors/land.js'
export { LeaderFollow, type LeaderFollowOptions } from './behaviors/leader-follow.js'
export { LookWhereGoing, type LookWhereGoingOptions } from './behaviors/look-where-going.js'
export { MatchAttitude, type MatchAttitudeOptions } from './behaviors/match-attitude.js'
export { MatchVelocity, type MatchVelocityOptions } from './behaviors/match-velocity.js'
export { OffsetPursue, type OffsetPursueOptions } from './behaviors/offset-pursue.js'
export { Orbit, type OrbitOptions } from './behaviors/orbit.js'
export { DRONES, FISH, GEESE, STARLINGS, type FlockPreset } from './behaviors/presets.js'
export { Pursue, type Prediction, type PursueOptions } from './behaviors/pursue.js'
export { Queue, type QueueOptions } from './behaviors/queue.js'
export { ReciprocalAvoidance, type ReciprocalAvoidanceOptions } from './behaviors/reciprocal-avoidance.js'
export { Refuel, type RefuelOptions, type RefuelStage } from './behaviors/refuel.js'
export { RepelObstacle, type RepelObstacleOptions } from './behaviors/repel-obstacle.js'
export { Seek, type SeekOptions } from './behaviors/seek.js'
export { Separation, type SeparationOptions } from './behaviors/separation.js'
export { Strafe, type Bearing, type StrafeOptions, type StrafeStage } from './behaviors/strafe.js'
export { Tether, type TetherOptions } from './behaviors/tether.js'
export { SlowInCrowd, type SlowInCrowdOptions } from './behaviors/slow-in-crowd.js'
export { Undock, type UndockOptions } from './behaviors/undock.js'
export { WallFollow, type WallFollowOptions } from './behaviors/wall-follow.js'
export { Wander, type WanderOptions } from './behaviors/wander.js'
export { density, isCrowded } from './behaviors/support/crowd.js'
export type { Goal, GoalSource } from './behaviors/support/goal.js'
export { AttitudeTargeter, PathDecomposer, PlaceTargeter } from './behaviors/support/pipeline-goals.js'
export {
  ArriveActuator,
  BallConstraint,
  type BallConstraintOptions,
} from './behaviors/support/pipeline-moves.js'
export { FlockRule, type FlockRuleOptions } from './behaviors/support/flock.js'
export { Memory } from './control/memory.js'
export { Blend, blend, type BlendOptions } from './combine/blend.js'
export { ContextMap, contextMap, type ContextMapOptions } from './combine/context-map.js'
export { Dither, dither, type DitherOptions, type Likely, type LikelyPart } from './combine/dither.js'
export { Modes, modes, type ModesOptions, type SelectMode } from './combine/modes.js'
export { Pipeline, pipeline, type PipelineOptions } from './combine/pipeline.js'
export { Priority, priority, type PriorityOptions } from './combine/priority.js'
export { Smooth, smooth, type SmoothOptions } from './combine/smooth.js'
export { TruncatedSum, truncatedSum, type TruncatedSumOptions } from './combine/truncated-sum.js'
export { Within, within } from './combine/within.js'
export { Port, type PortOptions } from './docking/port.js'
export type { Constraint, Limits } from './control/constraint.js'
export type { Part, Weighted, WeightedPart } from './control/part-rules.js'
export { drive } from './control/drive.js'
export {
  PipelineGoal,
  PipelinePath,
  type Actuator,
  type Decomposer,
  type PipelineConstraint,
  type PipelineStage,
  type Targeter,
} from './control/pipeline.js'
export { brakingSpeed, stoppingDistance } from './control/profile.js'
export { limitTorque, turnTo } from './control/turn.js'
export { SteeringController, type ControllerEvents, type ControllerOptions } from './engine/controller.js'
export { Emitter } from './engine/emitter.js'
export type { Contribution, Verdict } from './engine/book.js'
export type { Explanation } from './engine/explanation.js'
export { Flock, type FlockEvents } from './engine/flock.js'
export type { FlockOptions, SpawnState } from './engine/spawn.js'
export type { AgentOptions, StateOptions } from './engine/options.js'
export type { InstancedMeshLike, Object3DLike, Viewable } from './engine/views.js'
export type { WorldEvents } from './engine/announcer.js'
export type { SnapshotOptions } from './engine/snapshot.js'
export { SteeringWorld } from './engine/world.js'
export type { WorldOptions } from './engine/world-options.js'
export type { Flow, FlowFunction, FlowSource } from './flow/flow.js'
export { brushFlow, type FlowStroke } from './flow/brush.js'
export { FlowAround, type FlowAroundOptions } from './flow/flow-around.js'
export { FlowField, type FlowFieldOptions, type FlowOutside, type FlowPart } from './flow/flow-field.js'
export { loadFlowField, saveFlowField, type FlowFile } from './flow/flow-file.js'
export { FlowSum, type WeightedFlow } from './flow/flow-sum.js'
export { PathFlow, tunnelFlow, type PathFlowOptions, type TunnelFlowOptions } from './flow/path-flow.js'
export { VortexFlow, type VortexFlowOptions } from './flow/vortex-flow.js'
export { WindFlow, type WindFlowOptions } from './flow/wind-flow.js'
export { assign, Assignment, type AssignmentOptions, type FormationMember } from './formation/assignment.js'
export { changeOver } from './formation/crossing.js'
export { Formation, type FormationOptions } from './formation/formation.js'
export type { FormationPace, FormationShape } from './formation/formation-options.js'
export type { FormationSlot, Pattern, PatternOptions } from './formation/formation-slot.js'
export type { FormationFrame } from './formation/guide.js'
export type { Route } from './formation/lookout.js'
export {
  boxPattern,
  columnPattern,
  customPattern,
  echelonPattern,
  linePattern,
  wallPattern,
  wedgePattern,
  type BlockOptions,
  type BoxOptions,
  type EchelonOptions,
  type SweptOptions,
} from './formation/patterns.js'
export {
  ringPattern,
  spherePattern,
  type RingOptions,
  type RoundOptions,
} from './formation/round-patterns.js'
export { Attitude, type AttitudeOptions, type RollPolicy } from './locomotion/attitude.js'
export { Flight, type FlightOptions } from './locomotion/flight.js'
export { Hover, type HoverOptions } from './locomotion/hover.js'
export { Thrusters, type ThrustersOptions } from './locomotion/thrusters.js'
export {
  attitudeFrame,
  axesQuat,
  carryFrame,
  frame,
  frameFromQuat,
  frameOf,
  pointToLocal,
  pointToWorld,
  vectorToLocal,
  vectorToWorld,
} from './math/frame.js'
export { seeded } from './math/random.js'
export { ArcPath } from './path/arc-path.js'
export { dubins2d } from './path/dubins2d.js'
export { dubins3d, type Dubins3dOptions, type EndRadii } from './path/dubins3d.js'
export type { Gate } from './path/gate.js'
export { Path } from './path/path.js'
export type { PathCurve, PathEnds, PathOptions } from './path/path-points.js'
export { racingLine, type RacingLineOptions } from './path/racing-line.js'
export { reedsShepp } from './path/reeds-shepp.js'
export { reverse3d } from './path/reverse3d.js'
export { BoxShape } from './obstacles/box.js'
export { CapsuleShape } from './obstacles/capsule.js'
export { CylinderShape } from './obstacles/cylinder.js'
export { freePosition, type FreePositionOptions, type Occupant } from './obstacles/free-position.js'
export { HalfSpaceShape } from './obstacles/half-space.js'
export { HollowShape } from './obstacles/hollow.js'
export { HullShape, type HullOptions } from './obstacles/hull.js'
export { Obstacle, type Followed, type ObstacleOptions } from './obstacles/obstacle.js'
export { Obstacles, type Hit, type Ignore } from './obstacles/obstacles.js'
export type { Rim, Shape } from './obstacles/shape.js'
export { SphereShape } from './obstacles/sphere.js'
export type * from './types.js'
