/**
 * The door to cannon-es: forces on its bodies in each of its steps, its bodies as obstacles, latches.
 * @module
 */

export { attachToCannon, cannonBody } from '../extras/cannon/cannon.js'
export { obstaclesFromCannon, type CannonObstaclesOptions } from '../extras/cannon/cannon-obstacles.js'
export type { MeshMaker, Triangles } from '../core/obstacles/mesh-maker.js'
export { latch, type LatchOptions, type LockConstraintClass } from '../extras/cannon/cannon-latch.js'
export { tuneCannon } from '../extras/cannon/tune.js'
