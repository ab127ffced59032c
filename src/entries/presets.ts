/** Trees of behaviours and obstacles as JSON, with types of your own. @module */

export { loadPreset, type LoadPresetOptions } from '../extras/presets/load.js'
export type { Preset, PresetNode, PresetValue } from '../extras/presets/format.js'
export {
  presetType,
  type Maker,
  type PresetKind,
  type PresetMaking,
  type PresetOptions,
  type PresetType,
} from '../extras/presets/preset-type.js'
export { savePreset, type SavePresetOptions } from '../extras/presets/save.js'
export { PRESET_TYPES } from '../extras/presets/types.js'
