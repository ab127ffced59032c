import {
  ArriveActuator,
  BallConstraint,
  type BallConstraintOptions,
} from '../../blocks/classic/pipeline-moves.js'
import { AttitudeTargeter, PathDecomposer, PlaceTargeter } from '../../blocks/classic/pipeline-goals.js'
import { Blend } from '../../core/combine/blend.js'
import { ContextMap } from '../../blocks/context-map/context-map.js'
import { Dither } from '../../core/combine/dither.js'
import { Modes } from '../../core/combine/modes.js'
import { ClassicAvoidance } from '../../blocks/classic/classic-avoidance.js'
import { Pipeline } from '../../blocks/classic/pipeline.js'
import { Priority } from '../../core/combine/priority.js'
import { Smooth } from '../../core/combine/smooth.js'
import { TruncatedSum } from '../../core/combine/truncated-sum.js'
import { Within } from '../../core/combine/within.js'
import type { Constraint } from '../../core/solver/constraint.js'
import type { Part, Weighted } from '../../core/combine/part-rules.js'
import { presetType, presetTypes, type PresetMaking, type PresetType } from './preset-type.js'

/** Combinations of behaviours, published methods, and the stages of pipelines. */
export const COMBINATION_TYPES: readonly PresetType[] = [
  ...presetTypes({ ClassicAvoidance, ContextMap, Pipeline }),
  presetType('ArriveActuator', ArriveActuator, {}),
  presetType(
    'AttitudeTargeter',
    AttitudeTargeter,
    { of: 'named', enabled: 'boolean' },
    switched(({ of }: Pick<AttitudeTargeter, 'of'>) => new AttitudeTargeter(of)),
  ),
  presetType(
    'BallConstraint',
    BallConstraint,
    { center: 'point', radius: 'number', margin: 'number', enabled: 'boolean' },
    switched((options: BallConstraintOptions) => new BallConstraint(options)),
  ),
  presetType('Blend', Blend, null, { make: before('parts', Blend) }),
  presetType('Dither', Dither, null, { make: before('parts', Dither) }),
  presetType('Modes', Modes, null, {
    read: ({ trees, current, fade, select }) => ({
      trees: Object.fromEntries(trees),
      initial: current,
      fade,
      select,
    }),
    make: before('trees', Modes),
  }),
  presetType(
    'PathDecomposer',
    PathDecomposer,
    { path: 'instance', ahead: 'number', enabled: 'boolean' },
    switched((options: Pick<PathDecomposer, 'path' | 'ahead'>) => new PathDecomposer(options)),
  ),
  presetType(
    'PlaceTargeter',
    PlaceTargeter,
    { place: 'point', enabled: 'boolean' },
    switched(({ place }: Pick<PlaceTargeter, 'place'>) => new PlaceTargeter(place)),
  ),
  presetType('Priority', Priority, null, { make: before('parts', Priority) }),
  presetType('Smooth', Smooth, null, { make: before('behavior', Smooth) }),
  presetType('TruncatedSum', TruncatedSum, null, { make: before('parts', TruncatedSum) }),
  presetType('Within', Within, null, {
    read: ({ parts, wishes }) => ({ constraints: parts, wishes }),
    make: ({ constraints, wishes }: { constraints: Part<Constraint>[]; wishes: Weighted[] }) =>
      new Within(constraints, wishes),
  }),
]

/** Makes an object by a constructor that takes one option before the others. */
function before<T>(name: string, type: new (first: never, options: never) => T) {
  return ({ [name]: first, ...options }: object & Record<string, unknown>) =>
    new type(first as never, options as never)
}

interface Switch {
  enabled?: boolean
}

/** Stages of pipelines are enabled when made. */
function switched<O extends object, T extends object>(make: (options: O) => T): PresetMaking<T, O & Switch> {
  return {
    make: ({ enabled = true, ...options }) => Object.assign(make(options as unknown as O), { enabled }),
  }
}
