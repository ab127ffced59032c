export { instancedView, objectView, radiusOf } from './adapters/three.js'
