// @ts-check The docstrings of options, read from the interfaces in src.
import { readdirSync, readFileSync } from 'node:fs'

const src = new URL('../src/', import.meta.url)

/**
 * Where options are described: an option table, or an interface.
 *
 * @typedef {object} Description
 * @property {readonly string[]} bases Names of the descriptions that an interface extends.
 * @property {ReadonlyMap<string, string>} docs Docstrings by option.
 */

/** Interfaces by name, tables as `typeof ARRIVE` or `typeof Arrive.options`. @type {Map<string, Description>} */
const described = new Map()

/** @param {string} name @param {string} body @param {string} [bases] */
function describe(name, body, bases) {
  const docs = new Map()
  const indent = /^ +/.exec(body)?.[0].length ?? 0
  let shared = ''
  for (const [, doc, { length } = '', option] of body.matchAll(
    /(?:^ +\/\*\*((?:(?!\*\/)[^])*)\*\/\n)?(?:^ +\/\/.*\n)*^( +)(\w+)\??: /gm,
  )) {
    if (length !== indent) continue
    // an option without a docstring shares the one above it
    shared = doc === undefined ? shared : doc.replaceAll(/\s*\n\s*\*\s?/g, ' ').trim()
    docs.set(option, shared)
  }
  described.set(name, { bases: bases?.split(/,\s*/) ?? [], docs })
}

for (const file of readdirSync(src, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.ts')) continue
  const text = readFileSync(new URL(file, src), 'utf8')
  for (const [, name = '', bases, body = ''] of text.matchAll(
    /export interface (\w+)(?:<[^>]*>)?(?:\s+extends ([^{]*?))? \{(?:\n([^]*?)\n)?\}/g,
  ))
    describe(name, body, bases)
  for (const [, name = '', body = ''] of text.matchAll(
    /^(?:export )?const ([A-Z_\d]+) = \{\n((?:(?!^\})[^])*)\} as const/gm,
  ))
    describe(`typeof ${name}`, body)
  for (const [, name = '', body = ''] of text.matchAll(
    /^export (?:abstract )?class (\w+)(?:(?!^export |^\})[^])*?^ {2}static readonly options = \{\n([^]*?)\n {2}\} as const/gm,
  ))
    describe(`typeof ${name}.options`, body)
}

/** Names of the interfaces that are not named as their class. @type {Readonly<Record<string, string>>} */
const NAMED = {
  SteeringController: 'AgentOptions',
  SteeringWorld: 'WorldOptions',
  Formation: 'FormationShape',
  Priority: 'DemandOptions',
  HullShape: 'HullOptions',
}

/** The description that a base is. @param {string} base */
const nameOf = (base) => /^OptionsOf<(.*)>$/.exec(base)?.[1] ?? base.replace(/<.*/, '')

/** @param {string} owner Name of a description. @param {string} option @returns {string} */
function find(owner, option) {
  const found = described.get(owner)
  if (found === undefined) return ''
  const own = found.docs.get(option)
  if (own !== undefined) return own
  for (const base of found.bases) {
    const doc = find(nameOf(base), option)
    if (doc !== '') return doc
  }
  return ''
}

/**
 * The docstring of an option of a class, in one line; empty where there is none.
 *
 * @param {string} name Name of the class.
 * @param {string} option
 */
export function documentOf(name, option) {
  return find(NAMED[name] ?? `${name}Options`, option)
}

/**
 * The options of a class, with their docstrings in one line.
 *
 * @param {string} name Name of the class.
 * @returns {[option: string, doc: string][]}
 */
export function documentsOf(name) {
  /** @type {Map<string, string>} */
  const all = new Map()
  /** @param {string} owner */
  const visit = (owner) => {
    const found = described.get(owner)
    for (const base of found?.bases ?? []) visit(nameOf(base))
    for (const [option, doc] of found?.docs ?? []) all.set(option, doc)
  }
  visit(NAMED[name] ?? `${name}Options`)
  return [...all]
}
