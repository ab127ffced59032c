export { loadPreset, type LoadPresetOptions } from './presets/load.js'
export type { Preset, PresetNode, PresetValue } from './presets/format.js'
export {
  presetType,
  type Maker,
  type PresetKind,
  type PresetMaking,
  type PresetOptions,
  type PresetType,
} from './presets/preset-type.js'
export { savePreset, type SavePresetOptions } from './presets/save.js'
export { PRESET_TYPES } from './presets/types.js'
