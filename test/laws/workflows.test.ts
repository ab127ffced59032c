import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { lacksOf } from '../../scripts/release.mjs'
import { workflow } from '../../scripts/workflow.mjs'

// The workflows run where no test of ours looks: on other systems, with other versions, and at a release.

const root = new URL('../../', import.meta.url)
const scripts: Readonly<Record<string, string>> = packageJson.scripts
const names = readdirSync(new URL('.github/workflows/', root)).map((file) => file.replace(/\.yml$/, ''))

/** What only some shells understand: cmd.exe has no single quotes, `;`, `$`, nor these commands. */
const SHELL_ONLY = /['`;$]|(^|[&|] *)(\w+=|(rm|cp|mv|mkdir|cat|export|sh|bash|test) )|[^&]&[^&]|\|/

/** The npm script that a command of a workflow runs, or none. */
const scriptOf = (command: string): string | undefined =>
  /^npm (?:run (?:--silent )?)?([\w:]+)/.exec(command.replace(/^npm test\b/, 'npm run test'))?.[1]

/** The scripts that a script starts, and itself, and what npm runs before and after them. */
function scriptsOf(name: string): string[] {
  const parts = (scripts[name] ?? '').split('&&').map((part) => part.trim())
  const others = parts.filter((part) => part.startsWith('npm run')).map((part) => scriptOf(part)!)
  return [name, ...others.flatMap(scriptsOf)]
}

describe.each(names)('the workflow %s', (name) => {
  const { runs, uses } = workflow(name)

  it('runs npm ci and npm scripts that are there, in the words of every shell', () => {
    const ran = runs.filter((command) => command !== 'npm ci').map((command) => scriptOf(command) ?? command)
    const all = [...new Set(ran.flatMap(scriptsOf))]
    expect(all.filter((script) => !(script in scripts))).toEqual([])
    expect(all.filter((script) => SHELL_ONLY.test(scripts[script] ?? ''))).toEqual([])
    expect(runs.filter((command) => SHELL_ONLY.test(command.replaceAll(/\$\{\{[^}]*\}\}/g, '')))).toEqual([])
  })

  it('names the version of each action', () => {
    expect(uses.filter((action) => !/@v\d+\.\d+\.\d+$/.test(action))).toEqual([])
  })
})

describe('the workflows', () => {
  it('test on three systems, with the versions that users have', () => {
    const { matrix } = workflow('test')
    expect(matrix['system']!.toSorted()).toEqual(['macos-latest', 'ubuntu-latest', 'windows-latest'])
    const consumers = readdirSync(new URL('test/consumers/', root), { withFileTypes: true })
    const folders = consumers.filter((file) => file.isDirectory()).map((file) => file.name)
    expect(matrix['versions']!.toSorted()).toEqual(folders.toSorted())
  })

  it('test both ends of the versions of peers that package.json allows', () => {
    const read = (file: string): { dependencies: Record<string, string> } =>
      JSON.parse(readFileSync(new URL(file, root), 'utf8'))
    const oldest = {
      ...read('test/consumers/react-oldest/package.json').dependencies,
      ...read('test/consumers/oldest/package.json').dependencies,
    }
    const newest = {
      ...read('test/consumers/newest/package.json').dependencies,
      ...read('test/consumers/react/package.json').dependencies,
    }
    const present: Readonly<Record<string, string>> = packageJson.devDependencies
    const ends = Object.entries(packageJson.peerDependencies).map(([peer, range]) => ({
      peer,
      // `>=9` begins at 9.0.0; the two packages of Rapier are one engine
      oldest: !(peer in oldest) || oldest[peer] === `${range.slice(2)}.0.0` ? range : `>=${oldest[peer]}`,
      newest: newest[peer],
    }))
    const wanted = Object.entries(packageJson.peerDependencies).map(([peer, range]) => ({
      peer,
      oldest: range,
      newest: present[peer],
    }))
    expect(ends).toEqual(wanted)
  })

  it('test the oldest Node that package.json allows, and the newest', () => {
    expect(workflow('test').matrix['node']).toEqual([`${packageJson.engines.node.slice(2)}.0`, 'latest'])
  })
})

describe('a release', () => {
  const ready = {
    version: '1.2.3',
    locked: '1.2.3',
    changelog: '# Changelog\n\n## 1.2.3 (2026-01-31)\n\n- It flies.\n',
    tags: ['v1.2.3'],
    changes: '',
  }

  it('lacks nothing when tag, version and changelog agree', () => expect(lacksOf(ready)).toEqual([]))

  it.each([
    ['another tag', { tags: ['v1.2.4'] }, 'must have v1.2.3'],
    ['no tag', { tags: [] }, 'must have v1.2.3'],
    ['no section', { changelog: '## 1.2.30 (2026-01-31)' }, 'no section'],
    ['no date', { changelog: '## 1.2.3 (unreleased)' }, 'needs its date'],
    ['another lockfile', { locked: '1.2.2' }, 'package-lock.json'],
    ['changed files', { changes: ' M src/a.ts' }, 'not committed'],
    ['no version', { version: '1.2', locked: '1.2', tags: ['v1.2'] }, 'is no version'],
  ])('is told of %s', (_name, change, message) => {
    expect(lacksOf({ ...ready, ...change }).join('\n')).toContain(message)
  })
})
