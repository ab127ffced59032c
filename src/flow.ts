/** Flow fields: sampled, painted, computed, and the behaviour that follows them. */

export { brushFlow, type FlowStroke } from './behaviors/flow/brush.js'
export { FlowAround, type FlowAroundOptions } from './behaviors/flow/flow-around.js'
export {
  FlowField,
  type FlowFieldOptions,
  type FlowOutside,
  type FlowPart,
} from './behaviors/flow/flow-field.js'
export { loadFlowField, saveFlowField, type FlowFile } from './behaviors/flow/flow-file.js'
export { FlowSum, type WeightedFlow } from './behaviors/flow/flow-sum.js'
export { type Flow, type FlowFunction, type FlowSource } from './behaviors/flow/flow.js'
export { FollowFlowField, type FollowFlowFieldOptions } from './behaviors/flow/follow-flow-field.js'
export {
  PathFlow,
  tunnelFlow,
  type PathFlowOptions,
  type TunnelFlowOptions,
} from './behaviors/flow/path-flow.js'
export { VortexFlow, type VortexFlowOptions } from './behaviors/flow/vortex-flow.js'
export { WindFlow, type WindFlowOptions } from './behaviors/flow/wind-flow.js'
