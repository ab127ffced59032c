/** For behaviours of your own: memory per agent, velocity control, frames, random streams, types. @module */

export { density, isCrowded } from '../core/behaviors/avoidance/crowd.js'
export { FlockRule, type FlockRuleOptions } from '../core/behaviors/flocking/flock.js'
export { drive } from '../core/control/drive.js'
export { Memory } from '../core/control/memory.js'
export { brakingSpeed, stoppingDistance } from '../core/control/profile.js'
export { isGone } from '../core/control/target.js'
export { limitTorque, turnTo } from '../core/control/turn.js'
export { Emitter } from '../core/engine/emitter.js'
export { AGENT_OPTIONS } from '../core/engine/options.js'
export { isSteered } from '../core/engine/steered.js'
export type { InstancedMeshLike, Object3DLike } from '../core/engine/views.js'
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
} from '../core/math/frame.js'
export { readOptions } from '../core/math/options.js'
export type {
  AnyTable,
  FieldsOf,
  Option,
  Options,
  OptionsOf,
  OptionTable,
  OptionTables,
} from '../core/math/options.js'
export { seeded } from '../core/math/random.js'
export type { OutlineSink } from '../core/obstacles/shape.js'
export type { Constraint, Scanner, QueueOrder, VelocityConstraints } from '../core/solver/constraint.js'
export type * from '../core/types.js'

// Types of single options, values and events
export type { SightStage } from '../core/behaviors/avoidance/sight.js'
export type { DirectedSeekMethod } from '../blocks/directed-seek/directed-seek.js'
export type { GoalSource } from '../blocks/directed-seek/goal.js'
export type { FlockScale } from '../blocks/crowds/flock-presets.js'
export type { AlignmentMatch, CohesionApproach } from '../core/behaviors/flocking/flock.js'
export type { SeparationFalloff } from '../core/behaviors/flocking/separation.js'
export type {
  EndContact,
  NextPiece,
  PathTechnique,
  BlockedPath,
  PilotMetrics,
} from '../blocks/paths/follow-options.js'
export type { Curve } from '../blocks/paths/path-legs.js'
export type { PathCurve, PathEnds } from '../blocks/paths/path-points.js'
export type { AttackSide, AttackStage } from '../blocks/combat/attack-run.js'
export type { EvadeMethod } from '../blocks/pursuit/evade.js'
export type { Intercept } from '../blocks/pursuit/meeting.js'
export type { Prediction } from '../blocks/pursuit/pursue.js'
export type { Bearing, StrafeStage } from '../blocks/combat/strafe.js'
export type { WithProbability, DitherPart } from '../core/combine/dither.js'
export type { SelectMode } from '../core/combine/modes.js'
export type { WeightedPart } from '../core/combine/part-rules.js'
export type { ControllerEvents } from '../core/engine/controller.js'
export type { WorldEvents } from '../core/engine/event-queue.js'
export type { FlockEvents } from '../core/engine/flock.js'
export type { StateOptions } from '../core/engine/options.js'
export type { SpawnState } from '../core/engine/spawn.js'
export type { RollPolicy } from '../core/locomotion/attitude.js'
export type { HeightAbove } from '../core/locomotion/walker.js'
export type { Occupant } from '../core/obstacles/free-position.js'
export type { FollowedBody } from '../core/obstacles/obstacle.js'
export type { ObstacleHit, ObstacleFilter } from '../core/obstacles/obstacles.js'
