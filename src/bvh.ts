export { MeshShape, type MeshShapeOptions } from './adapters/bvh.js'
