/**
 * Curves of bounded curvature: Dubins and Reeds-Shepp paths in a plane, and between poses in space.
 * @module
 */

export { ArcPath } from '../blocks/curves/arc-path.js'
export { dubins } from '../blocks/curves/dubins-legs.js'
export { dubins2d } from '../blocks/curves/dubins2d.js'
export { dubins3d, type Dubins3dOptions, type Effort, type EndRadii } from '../blocks/curves/dubins3d.js'
export { reedsShepp } from '../blocks/curves/reeds-shepp.js'
export { reverse3d } from '../blocks/curves/reverse3d.js'
export { jakobHeading, type JakobOptions, type JakobStage } from '../blocks/directed-seek/jakob.js'
