export { Alignment } from './behaviors/alignment.js'
export { Arrive, type ArriveOptions } from './behaviors/arrive.js'
export { Cohesion, type CohesionOptions } from './behaviors/cohesion.js'
export { Evade, type EvadeOptions } from './behaviors/evade.js'
export { Face, type FaceOptions } from './behaviors/face.js'
export { Flee, type FleeOptions } from './behaviors/flee.js'
export { Flocking, type FlockingOptions } from './behaviors/flocking.js'
export { LookWhereGoing, type LookWhereGoingOptions } from './behaviors/look-where-going.js'
export { MatchAttitude, type MatchAttitudeOptions } from './behaviors/match-attitude.js'
export { MatchVelocity, type MatchVelocityOptions } from './behaviors/match-velocity.js'
export { OffsetPursue, type OffsetPursueOptions } from './behaviors/offset-pursue.js'
export { Pursue, type Prediction, type PursueOptions } from './behaviors/pursue.js'
export { Seek, type SeekOptions } from './behaviors/seek.js'
export { Separation } from './behaviors/separation.js'
export { Wander, type WanderOptions } from './behaviors/wander.js'
export { FlockRule, type FlockRuleOptions } from './behaviors/support/flock.js'
export { Memory } from './control/memory.js'
export { Blend, blend, type Weighted } from './combine/blend.js'
export { Priority, priority, type PriorityOptions } from './combine/priority.js'
export { drive } from './control/drive.js'
export { brakingSpeed, stoppingDistance } from './control/profile.js'
export { limitTorque, turnTo } from './control/turn.js'
export { SteeringController, type ControllerEvents, type ControllerOptions } from './engine/controller.js'
export { Emitter } from './engine/emitter.js'
export { Flock, type FlockEvents } from './engine/flock.js'
export type { FlockOptions, SpawnState } from './engine/spawn.js'
export type { AgentOptions, StateOptions } from './engine/options.js'
export type { InstancedMeshLike, Object3DLike, Viewable } from './engine/views.js'
export type { WorldEvents } from './engine/announcer.js'
export { SteeringWorld } from './engine/world.js'
export type { WorldOptions } from './engine/world-options.js'
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
export type * from './types.js'
