import { AGENT_OPTIONS } from 'three-steering/authoring'
import type { Scene } from '../scene.js'

/** An option of a scene, as the page shows it. */
export interface Slider {
  readonly label: string
  readonly from: number
  readonly to: number
  readonly value: number
  /** The value with its unit. */
  readonly text: string
}

type Table = Readonly<Record<string, { readonly unit?: string }>>

/** The unit of an option, from the option table of its class. */
function unitOf(owner: object, option: string): string {
  const { options } = owner.constructor as { options?: Table | readonly Table[] }
  const tables: readonly Table[] = [
    ...(options === undefined ? [] : [options].flat()),
    AGENT_OPTIONS as Table,
  ]
  for (const table of tables) if (table[option] !== undefined) return table[option].unit ?? ''
  return option.endsWith('Distance') ? 'm' : ''
}

/** The sliders of a scene, with the values that its options have now. */
export function slidersOf(scene: Scene): readonly Slider[] {
  const controls = scene.controls ?? []
  return controls.map(([owner, option, from, to, label = option]) => {
    const value = (owner as Record<string, number>)[option]!
    return { label, from, to, value, text: `${Number(value.toFixed(2))} ${unitOf(owner, option)}` }
  })
}
