/**
 * Formations: patterns of slots, a captain or a free anchor, and the behaviours that hold a place.
 * @module
 */

export {
  assign,
  Assignment,
  type AssignmentOptions,
  type FormationMember,
} from '../blocks/formation/assignment.js'
export { changeOver } from '../blocks/formation/transition-paths.js'
export {
  type FormationPace,
  type FormationRoute,
  type FormationShape,
} from '../blocks/formation/formation-settings.js'
export { type FormationSlot, type Pattern, type PatternOptions } from '../blocks/formation/formation-slot.js'
export { Formation, type FormationOptions } from '../blocks/formation/formation.js'
export { type FormationFrame } from '../blocks/formation/guide.js'
export { KeepPace, type KeepPaceOptions } from '../blocks/formation/keep-pace.js'
export { KeepSlot, type KeepSlotOptions } from '../blocks/formation/keep-slot.js'
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
} from '../blocks/formation/patterns.js'
export {
  ringPattern,
  spherePattern,
  type RingOptions,
  type RoundOptions,
} from '../blocks/formation/round-patterns.js'
