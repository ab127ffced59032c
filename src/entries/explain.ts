/** Why an agent does what it does: which behaviour asked for what in a step, and what it got. @module */

export { explain, type Explanation } from '../extras/explain/explanation.js'
export { trace, type Traced } from '../extras/explain/trace.js'
export type { Contribution, Verdict } from '../extras/explain/explanation-recorder.js'
