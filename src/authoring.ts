/** Parts for behaviours of your own: memory per agent, velocity control, frames, random streams, types. */

export { density, isCrowded } from './behaviors/avoidance/crowd.js'
export { FlockRule, type FlockRuleOptions } from './behaviors/flocking/flock.js'
export { drive } from './control/drive.js'
export { Memory } from './control/memory.js'
export { brakingSpeed, stoppingDistance } from './control/profile.js'
export { isGone } from './control/target.js'
export { limitTorque, turnTo } from './control/turn.js'
export { Emitter } from './engine/emitter.js'
export { AGENT_OPTIONS } from './engine/options.js'
export { isSteered } from './engine/steered.js'
export type { InstancedMeshLike, Object3DLike } from './engine/views.js'
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
export { readOptions, type Option, type OptionTable, type OptionTables } from './math/options.js'
export { seeded } from './math/random.js'
export type { OutlineSink } from './obstacles/shape.js'
export type { Constraint, Scanner, QueueOrder, VelocityConstraints } from './solver/constraint.js'
export type * from './types.js'

// Types of single options, values and events
export type { SightStage } from './behaviors/avoidance/sight.js'
export type { DirectedSeekMethod } from './behaviors/directed-seek/directed-seek.js'
export type { GoalSource } from './behaviors/directed-seek/goal.js'
export type { FlockScale } from './behaviors/flocking/flock-presets.js'
export type { AlignmentMatch, CohesionApproach } from './behaviors/flocking/flock.js'
export type { SeparationFalloff } from './behaviors/flocking/separation.js'
export type {
  EndContact,
  NextPiece,
  PathTechnique,
  BlockedPath,
  PilotMetrics,
} from './behaviors/paths/follow-options.js'
export type { PathCurve, PathEnds } from './behaviors/paths/path-points.js'
export type { AttackSide, AttackStage } from './behaviors/pursuit/attack-run.js'
export type { EvadeMethod } from './behaviors/pursuit/evade.js'
export type { Intercept } from './behaviors/pursuit/meeting.js'
export type { Prediction } from './behaviors/pursuit/pursue.js'
export type { Bearing, StrafeStage } from './behaviors/pursuit/strafe.js'
export type { WithProbability, DitherPart } from './combine/dither.js'
export type { SelectMode } from './combine/modes.js'
export type { WeightedPart } from './combine/part-rules.js'
export type { ControllerEvents } from './engine/controller.js'
export type { WorldEvents } from './engine/event-queue.js'
export type { FlockEvents } from './engine/flock.js'
export type { StateOptions } from './engine/options.js'
export type { SpawnState } from './engine/spawn.js'
export type { RollPolicy } from './locomotion/attitude.js'
export type { HeightAbove } from './locomotion/walker.js'
export type { Occupant } from './obstacles/free-position.js'
export type { FollowedBody } from './obstacles/obstacle.js'
export type { ObstacleHit, ObstacleFilter } from './obstacles/obstacles.js'
