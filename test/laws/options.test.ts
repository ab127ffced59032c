import { describe, expect, it } from 'vitest'
import * as core from 'three-steering'
import * as docking from 'three-steering/docking'
import * as flow from 'three-steering/flow'
import * as formation from 'three-steering/formation'
import * as net from 'three-steering/net'
import * as classic from 'three-steering/classic'
import * as racing from 'three-steering/racing'
import { AGENT_OPTIONS } from 'three-steering/authoring'
import { WORLD } from '../../src/core/engine/world-options.js'
import { documentOf } from '../../scripts/option-docs.mjs'
import { ATTITUDE } from '../../src/core/locomotion/attitude.js'
import {
  checkOption,
  oneTable,
  type AnyTable,
  type Option,
  type OptionTables,
} from '../../src/core/math/options.js'

// The tables of options, their docstrings and the reference say the same. After a change of a table,
// `npx vitest run --project node test/laws/options.test.ts --update` writes docs/reference/options.md again.

const tables = new Map<string, AnyTable>()
for (const entry of [classic, core, docking, flow, formation, net, racing])
  for (const [name, value] of Object.entries(entry)) {
    const { options } = Object(value) as { options?: OptionTables }
    if (typeof value === 'function' && options !== undefined) tables.set(name, oneTable(options))
  }
tables.set('SteeringController', AGENT_OPTIONS)
tables.set('SteeringWorld', WORLD)
tables.set('Attitude', ATTITUDE)

const names = [...tables.keys()].sort()

const entries = names.flatMap((name) =>
  Object.entries(tables.get(name)!).map(
    ([option, entry]) => [name, option, entry as Option, documentOf(name, option)] as const,
  ),
)

const FRACTIONS = [1, 2, 3, 4, 60, 90]

/** The forms in which a docstring may give a value. */
function formsOf(value: unknown, option: string): readonly string[] {
  if (typeof value === 'string') return [`\`${value}\``, `\`'${value}'\``, `'${value}'`]
  if (typeof value !== 'number') return [String(value)]
  if (option === 'groups' && value === -1) return ['all']
  if (value === Infinity) return ['Infinity', 'all']
  const forms = [String(value), `${value * 100} %`, `${(value * 180) / Math.PI}°`]
  if (value === 1e-3) forms.push('1e-3')
  for (const n of FRACTIONS) {
    if (value === Math.PI / n) forms.push(n === 1 ? 'π' : `π/${n}`)
    if (value === 1 / n) forms.push(`1/${n}`)
  }
  if (value === 2 * Math.PI) forms.push('2π')
  return forms
}

const isPlain = (value: unknown): boolean => ['number', 'string', 'boolean'].includes(typeof value)

/** What the docstring says of the default. */
const saidDefault = (doc: string): string | undefined =>
  /\bdefaults?:? ((?:[^.]|\.(?=\d|s?pec))*)/i.exec(doc)?.[1]?.trim()

describe('an option', () => {
  it('has a docstring', () => {
    expect(entries.length).toBeGreaterThan(250)
    expect(entries.filter(([, , , doc]) => doc !== '').length).toBeGreaterThan(0.9 * entries.length)
  })

  it('has the default that its docstring says', () => {
    const wrong = entries.flatMap(([name, option, { default: value }, doc]) => {
      if (doc === '' || !isPlain(value) || value === '') return []
      const forms = formsOf(value, option)
      const says = saidDefault(doc) ?? ''
      const isSaid = forms.some((form) => says.startsWith(form) || doc.includes(`${form} (default)`))
      return isSaid ? [] : [`${name}.${option}: ${forms[0]}, but: ${says === '' ? doc : says}`]
    })
    expect(wrong).toEqual([])
  })

  it('may be left out only where its docstring says what happens then', () => {
    const silent = entries.flatMap(([name, option, { required }, doc]) =>
      doc === '' || required === true || /default|required/i.test(doc) ? [] : [`${name}.${option}: ${doc}`],
    )
    expect(silent).toEqual([])
  })

  it('has the unit that its docstring says', () => {
    const wrong = entries.flatMap(([name, option, { unit, kind }, doc]) => {
      if (doc === '' || unit === undefined || kind !== 'number') return []
      return new RegExp(`(^|[ (=])${unit.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')}([,;:.) ]|$)`).test(doc)
        ? []
        : [`${name}.${option}: ${unit}, but: ${doc}`]
    })
    expect(wrong).toEqual([])
  })

  it('has a default that passes its own check', () => {
    expect.hasAssertions()
    for (const [name, option, entry] of entries.filter(([, , entry]) => isPlain(entry.default)))
      expect(() => checkOption(`${name}.${option}`, entry.default, entry)).not.toThrow()
  })
})

function rangeOf({ above, atLeast, atMost, infinite, whole, oneOf, kind }: Option): string {
  if (oneOf !== undefined) return oneOf.map((each) => `\`${String(each)}\``).join(', ')
  if (kind !== 'number' && kind !== 'number?') return ''
  if (atMost === 2 ** 32 - 1) return 'whole, 32 bits'
  const parts = whole === true ? ['whole'] : []
  if (above !== undefined) parts.push(`> ${above}`)
  if (atLeast !== undefined) parts.push(`≥ ${atLeast}`)
  if (atMost !== undefined) parts.push(`≤ ${Number(atMost.toFixed(4))}`)
  if (infinite === true) parts.push('or Infinity')
  return parts.join(', ')
}

const kindOf = (kind: unknown): string =>
  Array.isArray(kind) ? `list of ${kindOf(kind[0])}` : typeof kind === 'object' ? 'object' : String(kind)

function defaultOf({ default: value, required, kind }: Option, doc: string): string {
  if (required === true) return 'required'
  if (kind === 'shorthand') return ''
  if (typeof value === 'number') return `${Number(value.toFixed(6))}`
  if (isPlain(value) && value !== '') return `\`${String(value)}\``
  return (saidDefault(doc) ?? 'none').replaceAll(/, …$/g, '')
}

/** The reference, as docs/reference/options.md has it. */
function reference(): string {
  const lines = [
    '# Options',
    '',
    'All options of the classes, from the tables that their constructors check. SI units. The meaning of each option',
    'is in the docstring of its interface, as `ArriveOptions`. This page is written by `test/laws/options.test.ts`.',
  ]
  for (const name of names) {
    const own = entries.filter(([owner]) => owner === name)
    if (own.length === 0) continue
    lines.push(
      '',
      `## ${name}`,
      '',
      '| option | kind | range | unit | default |',
      '| --- | --- | --- | --- | --- |',
    )
    for (const [, option, entry, doc] of own)
      lines.push(
        `| \`${option}\` | ${kindOf(entry.kind).replace('?', ' or null')} | ${rangeOf(entry)} | ${entry.unit ?? ''} | ${defaultOf(entry, doc)} |`,
      )
  }
  return `${lines.join('\n')}\n`
}

describe('the reference of options', () => {
  it('is up to date', async () => {
    await expect(reference()).toMatchFileSnapshot('../../docs/reference/options.md')
  })
})
