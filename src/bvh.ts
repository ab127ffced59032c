export { MeshShape, type MeshShapeOptions, type Triangles } from './adapters/bvh/mesh-shape.js'
