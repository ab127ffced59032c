import { BEHAVIOR_TYPES } from './behavior-types.js'
import { COMBINATION_TYPES } from './combination-types.js'
import { CROWD_TYPES } from './crowd-types.js'
import { FLIGHT_TYPES } from './flight-types.js'
import { FLOW_TYPES } from './flow-types.js'
import { OBSTACLE_TYPES } from './obstacle-types.js'
import type { PresetType } from './preset-type.js'

/**
 * All classes of this package that presets can hold: all behaviours, combinations and stages of pipelines,
 * paths, flows, obstacles and their shapes. Their names in presets are the names they are exported by, and do
 * not change.
 */
export const PRESET_TYPES: readonly PresetType[] = [
  ...BEHAVIOR_TYPES,
  ...COMBINATION_TYPES,
  ...CROWD_TYPES,
  ...FLIGHT_TYPES,
  ...FLOW_TYPES,
  ...OBSTACLE_TYPES,
]
