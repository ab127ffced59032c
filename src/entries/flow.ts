/** Flow fields: sampled, painted, computed, and the behaviour that follows them. @module */

export { brushFlow, type FlowStroke } from '../blocks/flow/brush.js'
export { FlowAround, type FlowAroundOptions } from '../blocks/flow/flow-around.js'
export {
  FlowField,
  type FlowFieldOptions,
  type FlowOutside,
  type FlowPart,
} from '../blocks/flow/flow-field.js'
export { loadFlowField, saveFlowField, type FlowFile } from '../blocks/flow/flow-file.js'
export { FlowSum, type WeightedFlow } from '../blocks/flow/flow-sum.js'
export { type Flow, type FlowFunction, type FlowSource } from '../blocks/flow/flow.js'
export { FollowFlowField, type FollowFlowFieldOptions } from '../blocks/flow/follow-flow-field.js'
export {
  PathFlow,
  tunnelFlow,
  type PathFlowOptions,
  type TunnelFlowOptions,
} from '../blocks/flow/path-flow.js'
export { VortexFlow, type VortexFlowOptions } from '../blocks/flow/vortex-flow.js'
export { WindFlow, type WindFlowOptions } from '../blocks/flow/wind-flow.js'
