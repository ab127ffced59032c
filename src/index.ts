export { Alignment } from './behaviors/flocking/alignment.js'
export { Arrive, type ArriveOptions } from './behaviors/motion/arrive.js'
export {
  AttackRun,
  type AttackRunOptions,
  type AttackSide,
  type AttackStage,
} from './behaviors/pursuit/attack-run.js'
export { AvoidAgents, type AvoidAgentsOptions } from './behaviors/avoidance/avoid-agents.js'
export { AvoidObstacles, type AvoidObstaclesOptions } from './behaviors/avoidance/avoid-obstacles.js'
export { AvoidWalls, type AvoidWallsOptions } from './behaviors/avoidance/avoid-walls.js'
export { Cohesion, type CohesionOptions } from './behaviors/flocking/cohesion.js'
export { Contain, type ContainOptions } from './behaviors/avoidance/contain.js'
export { Cruise, type CruiseOptions } from './behaviors/motion/cruise.js'
export { Dock, type DockOptions, type DockStage } from './behaviors/docking/dock.js'
export {
  DirectedSeek,
  type DirectedSeekMethod,
  type DirectedSeekOptions,
} from './behaviors/directed-seek/directed-seek.js'
export { Evade, type EvadeMethod, type EvadeOptions } from './behaviors/pursuit/evade.js'
export { EvadeGroup, type EvadeGroupOptions } from './behaviors/pursuit/evade-group.js'
export { Face, type FaceOptions } from './behaviors/motion/face.js'
export { Flee, type FleeOptions } from './behaviors/motion/flee.js'
export { Flocking, type FlockingOptions } from './behaviors/flocking/flocking.js'
export { FollowFlowField, type FollowFlowFieldOptions } from './behaviors/flow/follow-flow-field.js'
export { FollowPath } from './behaviors/paths/follow-path.js'
export type {
  BlockedPath,
  EndContact,
  FollowPathOptions,
  NextPiece,
  PathTechnique,
  PilotMetrics,
  PilotOptions,
} from './behaviors/paths/follow-options.js'
export { blockedWaypoints } from './behaviors/paths/blocked-waypoints.js'
export type { Pilot } from './behaviors/paths/pilot.js'
export {
  GateRun,
  type GateRecord,
  type GateRunOptions,
  type GateRunStage,
} from './behaviors/paths/gate-run.js'
export { Hide, type HideOptions } from './behaviors/avoidance/hide.js'
export { Interpose, type InterposeOptions } from './behaviors/pursuit/interpose.js'
export { KeepPace, type KeepPaceOptions } from './behaviors/formation/keep-pace.js'
export { KeepSlot, type KeepSlotOptions } from './behaviors/formation/keep-slot.js'
export { JoinUp, type JoinUpOptions } from './behaviors/pursuit/join-up.js'
export { Land, type LandOptions, type LandStage } from './behaviors/docking/land.js'
export { LeaderFollow, type LeaderFollowOptions } from './behaviors/pursuit/leader-follow.js'
export { LookWhereGoing, type LookWhereGoingOptions } from './behaviors/motion/look-where-going.js'
export { MatchAttitude, type MatchAttitudeOptions } from './behaviors/motion/match-attitude.js'
export { MatchVelocity, type MatchVelocityOptions } from './behaviors/motion/match-velocity.js'
export { OffsetPursue, type OffsetPursueOptions } from './behaviors/pursuit/offset-pursue.js'
export { Orbit, type OrbitOptions } from './behaviors/pursuit/orbit.js'
export { DRONES, FISH, GEESE, STARLINGS, type FlockPreset } from './behaviors/flocking/flock-presets.js'
export { Pursue, type Prediction, type PursueOptions } from './behaviors/pursuit/pursue.js'
export { Queue, type QueueOptions } from './behaviors/avoidance/queue.js'
export {
  ReciprocalAvoidance,
  type ReciprocalAvoidanceOptions,
} from './behaviors/avoidance/reciprocal-avoidance.js'
export { Refuel, type RefuelOptions, type RefuelStage } from './behaviors/docking/refuel.js'
export { RepelObstacle, type RepelObstacleOptions } from './behaviors/avoidance/repel-obstacle.js'
export { Seek, type SeekOptions } from './behaviors/motion/seek.js'
export { Separation, type SeparationOptions } from './behaviors/flocking/separation.js'
export { Strafe, type Bearing, type StrafeOptions, type StrafeStage } from './behaviors/pursuit/strafe.js'
export { Tether, type TetherOptions } from './behaviors/motion/tether.js'
export { SlowInCrowd, type SlowInCrowdOptions } from './behaviors/avoidance/slow-in-crowd.js'
export { Undock, type UndockOptions } from './behaviors/docking/undock.js'
export { WallFollow, type WallFollowOptions } from './behaviors/avoidance/wall-follow.js'
export { Wander, type WanderOptions } from './behaviors/motion/wander.js'
export { density, isCrowded } from './behaviors/avoidance/crowd.js'
export type { Goal, GoalSource } from './behaviors/directed-seek/goal.js'
export { AttitudeTargeter, PathDecomposer, PlaceTargeter } from './behaviors/classic/pipeline-goals.js'
export {
  ArriveActuator,
  BallConstraint,
  type BallConstraintOptions,
} from './behaviors/classic/pipeline-moves.js'
export { FlockRule, type FlockRuleOptions } from './behaviors/flocking/flock.js'
export { Memory } from './control/memory.js'
export { Blend, blend, type BlendOptions } from './combine/blend.js'
export { ContextMap, contextMap, type ContextMapOptions } from './combine/context-map.js'
export {
  Dither,
  dither,
  type DitherOptions,
  type WithProbability,
  type DitherPart,
} from './combine/dither.js'
export { Modes, modes, type ModesOptions, type SelectMode } from './combine/modes.js'
export { Pipeline, pipeline, type PipelineOptions } from './behaviors/classic/pipeline.js'
export { Priority, priority, type PriorityOptions } from './combine/priority.js'
export { Smooth, smooth, type SmoothOptions } from './combine/smooth.js'
export { TruncatedSum, truncatedSum, type TruncatedSumOptions } from './combine/truncated-sum.js'
export { Within, within } from './combine/within.js'
export { Port, type PortOptions } from './behaviors/docking/port.js'
export type { Constraint, VelocityConstraints } from './solver/constraint.js'
export type { Part, Weighted, WeightedPart } from './combine/part-rules.js'
export { drive } from './control/drive.js'
export {
  PipelineGoal,
  PipelinePath,
  type Actuator,
  type Decomposer,
  type PipelineConstraint,
  type PipelineStage,
  type Targeter,
} from './behaviors/classic/pipeline-types.js'
export { brakingSpeed, stoppingDistance } from './control/profile.js'
export { limitTorque, turnTo } from './control/turn.js'
export { SteeringController, type ControllerEvents, type ControllerOptions } from './engine/controller.js'
export { Emitter } from './engine/emitter.js'
export type { Contribution, Verdict } from './explain/explanation-recorder.js'
export type { Explanation } from './explain/explanation.js'
export { Flock, type FlockEvents } from './engine/flock.js'
export type { FlockOptions, SpawnState } from './engine/spawn.js'
export type { AgentOptions, StateOptions } from './engine/options.js'
export type { InstancedMeshLike, Object3DLike, Viewable } from './engine/views.js'
export type { WorldEvents } from './engine/event-queue.js'
export type { SnapshotOptions } from './snapshot/snapshot.js'
export { SteeringWorld } from './engine/world.js'
export type { WorldOptions } from './engine/world-options.js'
export type { Flow, FlowFunction, FlowSource } from './behaviors/flow/flow.js'
export { brushFlow, type FlowStroke } from './behaviors/flow/brush.js'
export { FlowAround, type FlowAroundOptions } from './behaviors/flow/flow-around.js'
export {
  FlowField,
  type FlowFieldOptions,
  type FlowOutside,
  type FlowPart,
} from './behaviors/flow/flow-field.js'
export { loadFlowField, saveFlowField, type FlowFile } from './behaviors/flow/flow-file.js'
export { FlowSum, type WeightedFlow } from './behaviors/flow/flow-sum.js'
export {
  PathFlow,
  tunnelFlow,
  type PathFlowOptions,
  type TunnelFlowOptions,
} from './behaviors/flow/path-flow.js'
export { VortexFlow, type VortexFlowOptions } from './behaviors/flow/vortex-flow.js'
export { WindFlow, type WindFlowOptions } from './behaviors/flow/wind-flow.js'
export {
  assign,
  Assignment,
  type AssignmentOptions,
  type FormationMember,
} from './behaviors/formation/assignment.js'
export { changeOver } from './behaviors/formation/crossing.js'
export { Formation, type FormationOptions } from './behaviors/formation/formation.js'
export type { FormationPace, FormationShape } from './behaviors/formation/formation-options.js'
export type { FormationSlot, Pattern, PatternOptions } from './behaviors/formation/formation-slot.js'
export type { FormationFrame } from './behaviors/formation/guide.js'
export type { FormationRoute } from './behaviors/formation/passage-search.js'
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
} from './behaviors/formation/patterns.js'
export {
  ringPattern,
  spherePattern,
  type RingOptions,
  type RoundOptions,
} from './behaviors/formation/round-patterns.js'
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
export { ArcPath } from './curves/arc-path.js'
export { dubins2d } from './curves/dubins2d.js'
export { dubins3d, type Dubins3dOptions, type EndRadii } from './curves/dubins3d.js'
export type { Gate } from './behaviors/paths/gate.js'
export { Path } from './behaviors/paths/path.js'
export type { PathCurve, PathEnds, PathOptions } from './behaviors/paths/path-points.js'
export { racingLine, type RacingLineOptions } from './behaviors/paths/racing-line.js'
export { reedsShepp } from './curves/reeds-shepp.js'
export { reverse3d } from './curves/reverse3d.js'
export { BoxShape } from './obstacles/box.js'
export { CapsuleShape } from './obstacles/capsule.js'
export { CylinderShape } from './obstacles/cylinder.js'
export { freePosition, type FreePositionOptions, type Occupant } from './obstacles/free-position.js'
export { HalfSpaceShape } from './obstacles/half-space.js'
export { HollowShape } from './obstacles/hollow.js'
export { HullShape, type HullOptions } from './obstacles/hull.js'
export { Obstacle, type FollowedBody, type ObstacleOptions } from './obstacles/obstacle.js'
export { Obstacles, type ObstacleHit, type ObstacleFilter } from './obstacles/obstacles.js'
export type { OutlineSink, Shape } from './obstacles/shape.js'
export { SphereShape } from './obstacles/sphere.js'
export type * from './types.js'
