export { instancedView, objectView, radiusOf } from '../core/adapters/three-views.js'
export {
  obstaclesFromObject3D,
  type Fit,
  type Object3DObstaclesOptions,
} from '../extras/meshes/mesh-obstacles.js'
