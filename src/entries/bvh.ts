export { MeshShape, type MeshShapeOptions } from '../extras/three/mesh-shape.js'
export type { Triangles } from '../core/obstacles/mesh-maker.js'
