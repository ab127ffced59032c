/** Curves of bounded curvature: Dubins and Reeds-Shepp paths in a plane, and paths between poses in space. */

export { ArcPath } from './curves/arc-path.js'
export { dubins2d } from './curves/dubins2d.js'
export { dubins3d, type Dubins3dOptions, type Effort, type EndRadii } from './curves/dubins3d.js'
export { reedsShepp } from './curves/reeds-shepp.js'
export { reverse3d } from './curves/reverse3d.js'
export { jakobHeading, type JakobOptions, type JakobStage } from './behaviors/directed-seek/jakob.js'
