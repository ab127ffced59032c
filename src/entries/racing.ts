/** Races: a run through gates, and the line that takes them fastest. */

export {
  GateRun,
  type GateRecord,
  type GateRunOptions,
  type GateRunStage,
} from '../blocks/racing/gate-run.js'
export type { Gate } from '../blocks/racing/gate.js'
export { racingLine, type RacingLineOptions } from '../blocks/racing/racing-line.js'
