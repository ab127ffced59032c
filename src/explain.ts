export { explain, type Explanation } from './explain/explanation.js'
export { trace, type Visitable } from './explain/trace.js'
export type { Contribution, Verdict } from './explain/explanation-recorder.js'
