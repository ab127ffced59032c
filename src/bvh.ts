export { MeshShape, type MeshShapeOptions } from './adapters/bvh/mesh-shape.js'
