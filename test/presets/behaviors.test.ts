import { describe, expect, it } from 'vitest'
import * as core from 'three-steering'
import type { Behavior } from 'three-steering'
import { loadPreset, PRESET_TYPES, savePreset } from 'three-steering/presets'
import {
  BEHAVIORS,
  bitsOf,
  firstDifference,
  idle,
  LOCOMOTIONS,
  randomScene,
  type Scene,
} from '../laws/kit.js'
import { LIBRARY } from '../support/library.js'
import { FULL } from './full.js'
import { copyOf, difference, optionsIn, referencesOf, throughJson, type References } from './kit.js'
import { pick } from '../support/tier.js'

const STEPS = pick(12, 80, 200)
const DT = 1 / 60

/** Every behaviour in each of its forms, and every behaviour with all options given. */
const MAKERS = Object.entries({
  ...BEHAVIORS,
  ...Object.fromEntries(Object.entries(FULL).map(([name, make]) => [`${name}, in full`, make])),
})

/** Flies in a scene with a moving target and moving agents, and records every number. */
function fly(scene: Scene, behavior: Behavior): number[][] {
  const { position, velocity, quaternion, angularVelocity } = scene.self
  const world = new core.SteeringWorld({ up: scene.up, gravity: scene.gravity, seed: 3 })
  const locomotion = LOCOMOTIONS['Hover']!(scene)
  const state = { position, velocity, quaternion, angularVelocity, seed: 7 }
  const pilot = new core.SteeringController(null, { ...scene.traits, ...state, behavior, locomotion })
  world.add(pilot)
  scene.others.forEach((other, i) => {
    const drift = { behavior: idle(), maxSpeed: 50, maxForce: 0, seed: 100 + i }
    world.add(
      new core.SteeringController(null, { ...drift, position: other.position, velocity: other.velocity }),
    )
  })
  return Array.from({ length: STEPS }, () => {
    for (const { position, velocity } of [scene.target, ...scene.others]) {
      position.x += velocity.x * DT
      position.y += velocity.y * DT
      position.z += velocity.z * DT
    }
    world.step(DT)
    const { force, torque } = pilot.demand
    return [...bitsOf([pilot]), force.x, force.y, force.z, torque.x, torque.y, torque.z]
  })
}

describe.each(MAKERS)('%s', (name, make) => {
  const seed = 1000 + name.length
  const original = (): { scene: Scene; behavior: Behavior; references: References } => {
    const scene = randomScene(seed)
    const behavior = make(scene)
    return { scene, behavior, references: referencesOf(scene, behavior) }
  }

  it('is equal after JSON to the last private field, and is saved again as the same preset', () => {
    const { behavior, references } = original()
    const copy = copyOf(behavior, references)
    expect(difference(behavior, copy)).toBe(null)
    expect(copy).not.toBe(behavior)
    const [first, second] = [behavior, copy].map((each) => JSON.stringify(savePreset(each, { references })))
    expect(second).toBe(first)
  })

  it('flies bit-identically when it is loaded in another scene with the same names', () => {
    const { behavior, references, scene } = original()
    const twin = original()
    const copy = loadPreset(throughJson(savePreset(behavior, { references })), {
      references: twin.references,
    })
    expect(firstDifference(fly(scene, behavior), fly(twin.scene, copy))).toBe(null)
  })
})

describe('the types of presets', () => {
  const types = new Map(PRESET_TYPES.map(({ type, name }) => [type as unknown, name]))
  const classes = Object.entries(LIBRARY).filter(([, value]) => isClass(value))

  // a new class of one of these kinds needs a line in src/extras/presets
  it.each([
    ['behaviours', 'steer'],
    ['targeters', 'target'],
    ['decomposers', 'decompose'],
    ['constraints of pipelines', 'suggest'],
    ['actuators', 'follow'],
    ['shapes', 'support'],
    ['flows', 'velocityAt'],
  ])('include all %s that the package exports, by their export names', (_, method) => {
    const of = classes.filter(([, value]) => method in (value as { prototype: object }).prototype)
    expect(of.length).toBeGreaterThan(0)
    expect(of.map(([, value]) => types.get(value))).toEqual(of.map(([name]) => name))
  })

  it('are all exported by the package', () => {
    const exported = new Map(classes.map(([name, value]) => [value, name]))
    expect(PRESET_TYPES.map(({ type }) => exported.get(type))).toEqual(PRESET_TYPES.map(({ name }) => name))
  })

  it('are saved here with each of their options at least once', () => {
    const found = new Set<string>()
    for (const [, make] of MAKERS) {
      const scene = randomScene(5)
      const behavior = make(scene)
      optionsIn(savePreset(behavior, { references: referencesOf(scene, behavior) }), found)
    }
    const all = PRESET_TYPES.flatMap(({ name, options }) =>
      Object.keys(options).map((key) => `${name}.${key}`),
    )
    expect(all.filter((each) => !found.has(each))).toEqual([])
  })
})

describe('every value in a preset', () => {
  /** Other values of the same kind. */
  const others = (value: unknown): unknown[] => {
    if (typeof value === 'number') return [value + 1, 0.8 * value - 0.37]
    if (typeof value === 'boolean') return [!value]
    return typeof value === 'string' ? ['nonsense'] : []
  }

  it.each(Object.keys(FULL))(
    'has an effect: a changed value makes another tree or is refused: %s',
    (name) => {
      const scene = randomScene(9)
      const behavior = FULL[name]!(scene)
      const references = referencesOf(scene, behavior)
      const preset = throughJson(savePreset(behavior, { references }))
      const idle: string[] = []
      const visit = (holder: Record<string, unknown>, at: string): void => {
        for (const [key, value] of Object.entries(holder)) {
          for (const other of others(value).slice(0, pick(1, 2))) {
            holder[key] = other
            let copy: Behavior | null = null
            try {
              copy = loadPreset(preset, { references })
            } catch (error) {
              expect((error as Error).message).toMatch(/^loadPreset: /)
            }
            if (copy !== null && difference(behavior, copy) === null)
              idle.push(`${at}.${key}: ${String(other)}`)
          }
          holder[key] = value
          // all sets of obstacles behave the same: one is enough
          const again = key === 'obstacles' && name !== 'AvoidObstacles'
          if (typeof value === 'object' && value !== null && !again)
            visit(value as Record<string, unknown>, `${at}.${key}`)
        }
      }
      visit(preset as Record<string, unknown>, '')
      expect(idle).toEqual([])
    },
  )
})

function isClass(value: unknown): boolean {
  return typeof value === 'function' && /^class\b/.test(String(value))
}
