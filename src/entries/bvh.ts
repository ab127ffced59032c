export { MeshShape, type MeshShapeOptions } from '../extras/meshes/mesh-shape.js'
export type { Triangles } from '../core/obstacles/mesh-maker.js'
