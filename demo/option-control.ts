import type GUI from 'lil-gui'
import type { Controller } from 'lil-gui'
import { Alignment, Cohesion, Flock, Separation, SteeringController, type Flocking } from 'three-steering'
import { AGENT_OPTIONS, type Option, type OptionTables } from 'three-steering/authoring'

/** What the panel of a scene says otherwise than the table of the class. */
export interface ControlSettings {
  /** Label without the unit. Default the name of the option in words. */
  readonly label?: string
  /** Range of the slider, in SI units (angles in rad), where that of the table is too wide. */
  readonly min?: number
  readonly max?: number
  /** Table of the class, for an object that only collects settings. Default that of the object's class. */
  readonly table?: OptionTables
}

/** Range of a slider, in the unit of its label. */
export interface SliderRange {
  readonly min: number
  readonly max: number
  readonly step: number
  /** The value of the option in SI units, divided by that of the slider. */
  readonly scale: number
}

/** Degrees for people, radians for options. */
const DEGREE = Math.PI / 180

/**
 * Adds a control of an option: a slider for a number, a checkbox, or a list where the table names all values.
 * Range, unit and values come from the option table of the class. Several objects get the same value; the
 * control shows that of the first.
 * @throws Error for an option that the table does not have or that no control can set.
 */
export function addOption<T extends object>(
  gui: GUI,
  objects: T | readonly T[],
  option: keyof T & string,
  settings: ControlSettings = {},
): Controller {
  const [first, ...others] = (Array.isArray(objects) ? objects : [objects]) as [T, ...T[]]
  const { [option]: entry } = Object.assign({}, ...[settings.table ?? tableOf(first)].flat()) as Record<
    string,
    Option | undefined
  >
  if (entry === undefined) throw new Error(`${first.constructor.name} has no option ${option}`)
  const isRange = entry.kind === 'number' && entry.oneOf === undefined
  const range = isRange ? sliderRange(option, entry, Number(first[option]), settings) : null
  const scale = range?.scale ?? 1
  const shown = {
    get value(): unknown {
      // a change of units makes more digits than the field of the slider shows
      return scale === 1 ? first[option] : Number((Number(first[option]) / scale).toPrecision(4))
    },
    set value(value: unknown) {
      const read = range === null ? value : Math.min(Number(value) * scale, entry.atMost ?? Infinity)
      for (const each of [first, ...others]) each[option] = read as T[typeof option]
    },
  }
  const unit = entry.unit?.replace('rad', '°')
  return control(gui, shown, entry, range).name(
    `${settings.label ?? inWords(option)}${unit === undefined ? '' : `, ${unit}`}`,
  )
}

/** The tables of the rules of `Flocking`. */
const RULE_TABLES = {
  separation: Separation.options,
  alignment: Alignment.options,
  cohesion: Cohesion.options,
}

/** Adds sliders of the weights of the rules, the same for all `flocks`. */
export function addRuleWeights(gui: GUI, flocks: readonly Flocking[]): void {
  for (const rule of ['separation', 'alignment', 'cohesion'] as const) {
    const rules = flocks.map(({ [rule]: each }) => each)
    addOption(gui, rules, 'weight', { table: RULE_TABLES[rule], label: rule })
  }
}

function control(
  gui: GUI,
  shown: { value: unknown },
  { kind, oneOf }: Option,
  range: SliderRange | null,
): Controller {
  if (range !== null) return gui.add(shown, 'value', range.min, range.max, range.step)
  if (oneOf !== undefined) return gui.add(shown, 'value', oneOf)
  if (kind === 'boolean') return gui.add(shown, 'value')
  throw new Error(`no control for an option of the kind ${JSON.stringify(kind)}`)
}

/** The option table of the object's class. */
export function tableOf(object: object): OptionTables {
  if (object instanceof SteeringController || object instanceof Flock) return AGENT_OPTIONS
  const { options } = object.constructor as { options?: OptionTables }
  if (options === undefined) throw new Error(`${object.constructor.name} has no option table`)
  return options
}

/**
 * Range of the slider of a number: that of the table, in about a hundred steps. Where the table has no upper
 * limit, up to at least twice the present value; where it has no lower one, from 0.
 * @throws Error if neither the table nor the settings nor the value give an end.
 */
export function sliderRange(
  name: string,
  { unit, above, atLeast, atMost, whole }: Option,
  value: number,
  settings: ControlSettings = {},
): SliderRange {
  const scale = unit?.startsWith('rad') ? DEGREE : 1
  const max = (settings.max ?? atMost ?? roundUp((2 * value) / scale) * scale) / scale
  if (!(max > 0 && max < Infinity)) throw new Error(`the slider of ${name} needs a max`)
  const step = Math.max(roundUp(max / 100), whole === true ? 1 : 0)
  const least = Math.max(settings.min ?? atLeast ?? 0, atLeast ?? -Infinity) / scale
  return { min: above === undefined ? least : Math.max(least, above / scale + step), max, step, scale }
}

/** The next of 1, 2, 5, 10, 20, 50, …, or of their fractions. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const digit = [1, 2, 5, 10].find((each) => each * power >= value * (1 - 1e-9)) ?? 10
  return power < 1 ? digit / Math.round(1 / power) : digit * power
}

/** `neighborDistance` as 'neighbor distance'. */
function inWords(option: string): string {
  return option.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
