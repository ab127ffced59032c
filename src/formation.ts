/** Formations: patterns of slots, their assignment to members, and the behaviours that keep a slot. */

export {
  assign,
  Assignment,
  type AssignmentOptions,
  type FormationMember,
} from './behaviors/formation/assignment.js'
export { changeOver } from './behaviors/formation/transition-paths.js'
export { type FormationPace, type FormationShape } from './behaviors/formation/formation-settings.js'
export {
  type FormationSlot,
  type Pattern,
  type PatternOptions,
} from './behaviors/formation/formation-slot.js'
export { Formation, type FormationOptions } from './behaviors/formation/formation.js'
export { type FormationFrame } from './behaviors/formation/guide.js'
export { KeepPace, type KeepPaceOptions } from './behaviors/formation/keep-pace.js'
export { KeepSlot, type KeepSlotOptions } from './behaviors/formation/keep-slot.js'
export { type FormationRoute } from './behaviors/formation/passage-search.js'
export {
  boxPattern,
  columnPattern,
  customPattern,
  echelonPattern,
  linePattern,
  wallPattern,
  wedgePattern,
  type BlockOptions,
  type BoxOptions,
  type EchelonOptions,
  type SweptOptions,
} from './behaviors/formation/patterns.js'
export {
  ringPattern,
  spherePattern,
  type RingOptions,
  type RoundOptions,
} from './behaviors/formation/round-patterns.js'
