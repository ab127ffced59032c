import type GUI from 'lil-gui'
import { describe, expect, it } from 'vitest'
import * as core from 'three-steering'
import { AGENT_OPTIONS, type Option, type OptionTables } from 'three-steering/authoring'
import { addOption, sliderRange } from '../../demo/option-control.js'
import { checkOption } from '../../src/core/math/options.js'

/** All options that are numbers of a range, of all classes and of agents. */
const numbers = Object.values(core)
  .map((value) => (Object(value) as { options?: OptionTables }).options ?? {})
  .concat(AGENT_OPTIONS)
  .flatMap((tables) => [tables].flat())
  .flatMap((table) => Object.entries(table))
  .filter(([, { kind, check, oneOf }]) => kind === 'number' && (check ?? oneOf) === undefined) as [
  string,
  Option,
][]

/** A panel that notes what is added to it. */
function panel(): { gui: GUI; holder: () => { value: unknown }; args: unknown[]; label: () => string } {
  const args: unknown[] = []
  let label = ''
  const controller = { name: (text: string) => ((label = text), controller) }
  const gui = { add: (...given: unknown[]) => (args.push(...given), controller) } as unknown as GUI
  return { gui, args, holder: () => args[0] as { value: unknown }, label: () => label }
}

describe('the slider of an option', () => {
  it('gives only values that the class allows, and contains the value that the option has', () => {
    expect(numbers.length).toBeGreaterThan(80)
    const wrong = numbers.flatMap(([name, option]) =>
      [0.003, 0.3, 1, 7, 40, 1e6].filter((value) => {
        if (value > (option.atMost ?? Infinity) || value < (option.atLeast ?? 0)) return false
        const { min, max, step, scale } = sliderRange(name, option, value)
        const least = Math.max(value, scale * (option.whole ? 1 : step))
        for (const each of [min, min + step, max])
          checkOption(name, Math.min(each * scale, option.atMost ?? Infinity), option)
        return !(min * scale <= least && max * scale >= value)
      }),
    )
    expect(wrong).toEqual([])
  })

  it('has a hundred to two hundred stops, at whole numbers, halves or fifths of a power of ten', () => {
    for (const value of [0.02, 0.9, 1.6, 22, 350]) {
      const { min, max, step } = sliderRange('clearance', { kind: 'number', atLeast: 0 }, value)
      expect((max - min) / step).toBeGreaterThanOrEqual(50)
      expect((max - min) / step).toBeLessThanOrEqual(200)
      expect(max).toBeGreaterThanOrEqual(2 * value)
      expect(max).toBeLessThanOrEqual(5 * value)
    }
  })

  it('needs an end where the option has no limit and its value is 0 or infinite', () => {
    for (const value of [0, Infinity])
      expect(() => sliderRange('lookAhead', { kind: 'number', infinite: true }, value)).toThrow('lookAhead')
    expect(sliderRange('fade', { kind: 'number', atLeast: 0 }, 0, { max: 2 })).toMatchObject({
      min: 0,
      max: 2,
    })
  })

  it('keeps a narrower range that the scene gives', () => {
    const option: Option = { kind: 'number', above: 0, unit: 'm' }
    expect(sliderRange('spacing', option, 9, { min: 6, max: 12 })).toMatchObject({ min: 6, max: 12 })
  })
})

describe('addOption', () => {
  it('sets the option of all objects, and shows angles in degrees', () => {
    const rules = [1, 2].map((fieldOfView) => new core.Cohesion({ neighborDistance: 5, fieldOfView }))
    const { gui, holder, label } = panel()
    addOption(gui, rules, 'fieldOfView')
    expect(label()).toBe('field of view, °')
    expect(holder().value).toBe(57.3)
    holder().value = 360
    expect(rules.map(({ fieldOfView }) => fieldOfView)).toEqual([2 * Math.PI, 2 * Math.PI])
  })

  it('reads the table of agents for controllers and flocks', () => {
    const pilot = new core.SteeringController(null, {
      behavior: new core.Cruise(),
      maxSpeed: 5,
      maxForce: 3,
    })
    const { gui, holder, args, label } = panel()
    addOption(gui, pilot, 'maxSpeed', { label: 'top speed' })
    expect(label()).toBe('top speed, m/s')
    expect(args.slice(2)).toEqual([0.1, 10, 0.1])
    holder().value = 7
    expect(pilot.maxSpeed).toBe(7)
  })

  it('lists the values that a text may have', () => {
    const { gui, holder, args } = panel()
    const separation = new core.Separation({ neighborDistance: 3 })
    addOption(gui, separation, 'law')
    expect(args[2]).toEqual(['smooth', 'inverse', 'inverse-square'])
    holder().value = 'inverse'
    expect(separation.law).toBe('inverse')
  })

  it('refuses what is no option, and options that no control can set', () => {
    const { gui } = panel()
    const seek = new core.Seek({ target: { x: 1, y: 0, z: 0 } })
    expect(() => addOption(gui, seek, 'steer')).toThrow('Seek has no option steer')
    expect(() => addOption(gui, seek, 'target')).toThrow('point')
    expect(() => addOption(gui, { speed: 1 }, 'speed')).toThrow('Object has no option table')
  })
})
