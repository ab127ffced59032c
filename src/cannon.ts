export { attachToCannon, cannonBody } from './adapters/cannon/attach.js'
export { obstaclesFromCannon, type CannonObstaclesOptions } from './adapters/cannon/obstacles.js'
export { latch, type LatchOptions, type LockConstraintClass } from './adapters/cannon/latch.js'
export { tuneCannon } from './adapters/cannon/tune.js'
