export { explain, type Explanation } from '../core/explain/explanation.js'
export { trace, type Traced } from '../core/explain/trace.js'
export type { Contribution, Verdict } from '../core/explain/explanation-recorder.js'
