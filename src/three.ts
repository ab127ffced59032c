export { instancedView, objectView, radiusOf } from './adapters/three/views.js'
export { obstaclesFromObject3D, type Fit, type Object3DObstaclesOptions } from './adapters/three/obstacles.js'
