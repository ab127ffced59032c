export { MeshShape, type MeshShapeOptions } from './adapters/bvh/mesh-shape.js'
export type { Triangles } from './obstacles/mesh-maker.js'
