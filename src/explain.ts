export { explain, type Explanation } from './explain/explanation.js'
export { trace, type Traced } from './explain/trace.js'
export type { Contribution, Verdict } from './explain/explanation-recorder.js'
