export type { RapierFrame } from './adapters/rapier/body.js'
export type { RapierCharacterOptions } from './adapters/rapier/character.js'
export { RapierDoor, rapierDoor } from './adapters/rapier/door.js'
export { latch, type JointDataClass, type RapierLatchOptions } from './adapters/rapier/latch.js'
export { obstaclesFromRapier, type RapierObstaclesOptions } from './adapters/rapier/obstacles.js'
export type { MeshMaker, Triangles } from './obstacles/mesh-maker.js'
export type {
  ColliderOf,
  RapierBody,
  RapierCharacterController,
  RapierCollider,
  RapierBodySet,
  RapierJoint,
  RapierVector,
  RapierWorld,
} from './adapters/rapier/types.js'
