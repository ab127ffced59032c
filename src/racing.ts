/** Races: a run through gates, and the line that takes them fastest. */

export {
  GateRun,
  type GateRecord,
  type GateRunOptions,
  type GateRunStage,
} from './behaviors/paths/gate-run.js'
export type { Gate } from './behaviors/paths/gate.js'
export { racingLine, type RacingLineOptions } from './behaviors/paths/racing-line.js'
