/** Parts for behaviours of your own: memory per agent, velocity control, frames, random streams, types. */

export { density, isCrowded } from './behaviors/avoidance/crowd.js'
export { FlockRule, type FlockRuleOptions } from './behaviors/flocking/flock.js'
export { drive } from './control/drive.js'
export { Memory } from './control/memory.js'
export { brakingSpeed, stoppingDistance } from './control/profile.js'
export { limitTorque, turnTo } from './control/turn.js'
export { Emitter } from './engine/emitter.js'
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
export { readOptions, type Option, type OptionTable } from './math/options.js'
export { seeded } from './math/random.js'
export type { OutlineSink } from './obstacles/shape.js'
export type { Constraint, Scanner, QueueOrder, VelocityConstraints } from './solver/constraint.js'
export type * from './types.js'
