import { COMBINATION_TYPES } from './combination-types.js'
import { FLIGHT_TYPES } from './flight-types.js'
import { FLOW_TYPES } from './flow-types.js'
import * as library from './library.js'
import { inOrder, OBSTACLE_TYPES } from './obstacle-types.js'
import { presetType, type PresetType, type Tabled } from './preset-type.js'

/** Classes whose fields are not their options, and those that {@link derived} does not find. */
const GIVEN = [
  ...COMBINATION_TYPES,
  ...FLIGHT_TYPES,
  ...FLOW_TYPES,
  ...OBSTACLE_TYPES,
  presetType('PerlinNoise', library.PerlinNoise),
]

/**
 * All classes of this package that presets can hold: all behaviours, combinations and stages of pipelines,
 * paths, flows, obstacles and their shapes. Their names in presets are the names they are exported by, and do
 * not change.
 */
export const PRESET_TYPES: readonly PresetType[] = [...GIVEN, ...Object.entries(library).flatMap(derived)]

/** The type of a behaviour, a flow or a shape that is exported with a table of its options. */
function derived([name, value]: [string, unknown]): PresetType[] {
  if (typeof value !== 'function' || !('options' in value)) return []
  const type = value as unknown as Tabled
  if (GIVEN.some((each) => each.type === type)) return []
  const methods = type.prototype as object
  if ('support' in methods) return [presetType(name, type, null, { make: inOrder(type) })]
  return 'steer' in methods || 'velocityAt' in methods ? [presetType(name, type)] : []
}
