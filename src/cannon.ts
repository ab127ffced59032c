export { attachToCannon, cannonBody } from './adapters/cannon.js'
export { obstaclesFromCannon, type CannonObstaclesOptions } from './adapters/cannon-obstacles.js'
