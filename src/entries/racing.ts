/** Races through gates: a behaviour that passes them in order, and a fast line through them. @module */

export {
  GateRun,
  type GateRecord,
  type GateRunOptions,
  type GateRunStage,
} from '../blocks/racing/gate-run.js'
export type { Gate } from '../blocks/racing/gate.js'
export { racingLine, type RacingLineOptions } from '../blocks/racing/racing-line.js'
