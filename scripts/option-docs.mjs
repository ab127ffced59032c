// @ts-check The docstrings of options, read from the interfaces in src.
import { readdirSync, readFileSync } from 'node:fs'

const src = new URL('../src/', import.meta.url)

/**
 * @typedef {object} OptionInterface
 * @property {readonly string[]} bases Names of the interfaces that it extends.
 * @property {ReadonlyMap<string, string>} docs Docstrings by option.
 */

/** The exported interfaces by name. @type {Map<string, OptionInterface>} */
const interfaces = new Map()
for (const file of readdirSync(src, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.ts')) continue
  const text = readFileSync(new URL(file, src), 'utf8')
  for (const [, name = '', bases, body = ''] of text.matchAll(
    /export interface (\w+)(?:<[^>]*>)?(?: extends ([^{]*))? \{\n([^]*?)\n\}/g,
  )) {
    const docs = new Map()
    let shared = ''
    for (const [, doc, option] of body.matchAll(
      /(?:^ {2}\/\*\*((?:(?!\*\/)[^])*)\*\/\n)?^ {2}(\w+)\??: /gm,
    )) {
      // an option without a docstring shares the one above it
      shared = doc === undefined ? shared : doc.replaceAll(/\s*\n\s*\*\s?/g, ' ').trim()
      docs.set(option, shared)
    }
    interfaces.set(name, { bases: bases?.split(/,\s*/) ?? [], docs })
  }
}

/** Names of the interfaces that are not named as their class. @type {Readonly<Record<string, string>>} */
const NAMED = {
  SteeringController: 'AgentOptions',
  SteeringWorld: 'WorldOptions',
  Formation: 'FormationShape',
  Priority: 'DemandOptions',
  HullShape: 'HullOptions',
}

/** @param {string} owner Name of an interface. @param {string} option @returns {string} */
function find(owner, option) {
  const found = interfaces.get(owner)
  if (found === undefined) return ''
  const own = found.docs.get(option)
  if (own !== undefined) return own
  for (const base of found.bases) {
    const doc = find(base.replace(/<.*/, ''), option)
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
    const found = interfaces.get(owner)
    for (const base of found?.bases ?? []) visit(base.replace(/<.*/, ''))
    for (const [option, doc] of found?.docs ?? []) all.set(option, doc)
  }
  visit(NAMED[name] ?? `${name}Options`)
  return [...all]
}
