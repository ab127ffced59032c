import { givenFlow } from '../../blocks/flow/flow.js'
import { FlowAround } from '../../blocks/flow/flow-around.js'
import { FlowField } from '../../blocks/flow/flow-field.js'
import { loadFlowField, saveFlowField } from '../../blocks/flow/flow-file.js'
import { FlowSum, type WeightedFlow } from '../../blocks/flow/flow-sum.js'
import { PathFlow } from '../../blocks/flow/path-flow.js'
import { VortexFlow, type VortexFlowOptions } from '../../blocks/flow/vortex-flow.js'
import { WindFlow } from '../../blocks/flow/wind-flow.js'
import { copy } from '../../core/math/vec3.js'
import { dubins } from '../../blocks/curves/dubins-legs.js'
import { Path } from '../../blocks/paths/path.js'
import type { PathOptions } from '../../blocks/paths/path-points.js'
import { presetType, presetTypes, type PresetType } from './preset-type.js'

/** Flows and paths. A flow field is saved in the format of `saveFlowField`. */
export const FLOW_TYPES: readonly PresetType[] = [
  ...presetTypes({ PathFlow, WindFlow }),
  presetType('FlowAround', FlowAround, null, {
    read: (each) => Object.assign({}, each, { flow: givenFlow(each.flow) }),
  }),
  presetType(
    'FlowField',
    FlowField,
    { file: 'data' },
    {
      read: (field) => ({ file: saveFlowField(field) }),
      make: ({ file }: { file: unknown }) => loadFlowField(file),
    },
  ),
  presetType(
    'FlowSum',
    FlowSum,
    { parts: [{ flow: 'instance', weight: 'number' }] },
    {
      read: ({ parts }) => ({ parts: parts.map(({ flow, weight }) => ({ flow: givenFlow(flow), weight })) }),
      make: ({ parts }: { parts: WeightedFlow[] }) => new FlowSum(parts),
    },
  ),
  presetType('Path', Path, null, {
    // data holds no function
    read: ({ options }) => (options.curve === dubins ? { ...options, curve: 'dubins' } : { ...options }),
    make: (options: PathOptions | (Omit<PathOptions, 'curve'> & { curve: 'dubins' })) =>
      new Path(options.curve === 'dubins' ? { ...options, curve: dubins } : options),
  }),
  presetType('VortexFlow', VortexFlow, null, {
    make(options: VortexFlowOptions) {
      const flow = new VortexFlow(options)
      // the saved axis has unit length; normalizing it again could change the last digit
      if (options.axis !== undefined) copy(flow.axis, options.axis)
      return flow
    },
  }),
]
