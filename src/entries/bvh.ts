/** Obstacles of triangles, such as terrain and hollow rocks. Needs three-mesh-bvh. @module */

export { MeshShape, type MeshShapeOptions } from '../extras/three/mesh-shape.js'
export type { Triangles } from '../core/obstacles/mesh-maker.js'
