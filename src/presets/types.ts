import { BEHAVIOR_TYPES } from './behavior-types.js'
import { COMBINATION_TYPES } from './combination-types.js'
import { CROWD_TYPES } from './crowd-types.js'
import { FLIGHT_TYPES } from './flight-types.js'
import { FLOW_TYPES } from './flow-types.js'
import { OBSTACLE_TYPES } from './obstacle-types.js'
import type { PresetType } from './preset-type.js'

/**
 * Every class of this package that presets know: all behaviours, combinations and stages of pipelines, paths, flows, obstacles and
 * their shapes. Their names here are those that they are imported by, and stay.
 */
export const PRESET_TYPES: readonly PresetType[] = [
  ...BEHAVIOR_TYPES,
  ...COMBINATION_TYPES,
  ...CROWD_TYPES,
  ...FLIGHT_TYPES,
  ...FLOW_TYPES,
  ...OBSTACLE_TYPES,
]
