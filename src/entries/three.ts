/** For three.js: views of objects in moved groups and of instances, obstacles from meshes. @module */

export { instancedView, objectView, radiusOf } from '../extras/three/three-views.js'
export {
  obstaclesFromObject3D,
  type Fit,
  type Object3DObstaclesOptions,
} from '../extras/three/mesh-obstacles.js'
