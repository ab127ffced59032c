/**
 * The door to Rapier: forces on its bodies and characters in each step, its colliders as obstacles, latches.
 * @module
 */

export type { RapierFrame } from '../extras/rapier/body.js'
export type { RapierCharacterOptions } from '../extras/rapier/character.js'
export { RapierDoor, rapierDoor } from '../extras/rapier/door.js'
export { latch, type JointDataClass, type RapierLatchOptions } from '../extras/rapier/latch.js'
export { obstaclesFromRapier, type RapierObstaclesOptions } from '../extras/rapier/obstacles.js'
export type { MeshMaker, Triangles } from '../core/obstacles/mesh-maker.js'
export type {
  ColliderOf,
  RapierBody,
  RapierCharacterController,
  RapierCollider,
  RapierBodySet,
  RapierJoint,
  RapierVector,
  RapierWorld,
} from '../extras/rapier/types.js'
