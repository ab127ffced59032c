export { attachToCannon, cannonBody } from './adapters/cannon.js'
