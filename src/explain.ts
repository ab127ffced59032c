export { explain, type Explanation } from './explain/explanation.js'
export type { Contribution, Verdict } from './explain/explanation-recorder.js'
