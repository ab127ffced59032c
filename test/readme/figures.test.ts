import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { GALLERY } from '../../scripts/repository.mjs'
import sizes from '../../sizes.json' with { type: 'json' }

// The README has few figures, each of which stands elsewhere with its command.

const root = new URL('../../', import.meta.url)
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8')
const readme = read('README.md').replaceAll(/\s+/g, ' ')
const prose = readme.replaceAll(/```[^]*?```/g, '')
const lines = readdirSync(new URL('docs/', root), { encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .flatMap((file) => read(`docs/${file}`).split('\n'))

/** Each figure of the README, with the figure and the words of a line of the measurements. */
const FIGURES: readonly (readonly [inReadme: string, figure: string, ...words: string[]])[] = [
  ['10,000 birds that flock, seven neighbours each | 2.5 ms', '0.252', 'k = 7', '10,000'],
  ['10,000 of the flock above, with wings and wander | 13.4 ms', '13.4 ms', '10,000'],
  ['1,000 ships that avoid obstacles and each other | 9.5 ms', '9.54', '1,000 ships'],
  ['22.5 times as long', '22.5', 'k = 7', '10,000'],
  ['1.36 times as long', '1.36', 'k = 7', '10,000'],
]

describe('the figures of the README', () => {
  it.each(FIGURES)('%s: as measured', (inReadme, figure, ...words) => {
    expect(prose).toContain(inReadme)
    expect(lines.filter((line) => [figure, ...words].every((word) => line.includes(word)))).not.toEqual([])
    // µs for each of so many agents
    const milliseconds = /(\S+) ms$/.exec(inReadme)?.[1]
    const agents = Number(/^[\d,]+/.exec(inReadme)?.[0].replace(',', ''))
    if (milliseconds !== undefined && !figure.endsWith('ms'))
      expect(((Number(figure) * agents) / 1000).toFixed(1)).toBe(milliseconds)
  })

  it('kilobytes are those of the last release', () => {
    for (const [inReadme, name] of [
      ['a ship', 'a ship'],
      ['a flock', 'a flock'],
      ['a ship that avoids', 'a ship that avoids'],
      ['the whole main entry', 'three-steering'],
    ] as const)
      expect(prose).toContain(`${inReadme} ${(sizes[name] / 1000).toFixed(1)} kB`)
  })

  it('scenes without a contact are those that its test flies', () => {
    const [, count, file] = /No contact in the ([\d,]+) seeded scenes of \[one test\]\((\S+)\)/.exec(prose)!
    const kinds = read(file!).matchAll(/\{ kind: '\w+', count: (\d+)/g)
    expect([...kinds].reduce((sum, [, each]) => sum + Number(each), 0)).toBe(Number(count!.replace(',', '')))
  })

  it('versions are those of package.json', () => {
    const { engines, peerDependencies: peers, version } = packageJson
    const least = (range: string): string => range.replace('>=', '').replace(/\.0$/, '')
    for (const words of [
      `three ≥ ${least(peers.three)}`,
      `cannon-es ≥ ${least(peers['cannon-es'])}`,
      `Rapier ≥ ${least(peers['@dimforge/rapier3d-compat'])}`,
      `React ≥ ${least(peers.react)} with Fiber ≥ ${least(peers['@react-three/fiber'])}`,
      `Node ≥ ${least(engines.node)}`,
      `Version ${version}`,
    ])
      expect(prose).toContain(words)
    const oldest = JSON.parse(read('test/consumers/oldest/package.json')).dependencies.typescript
    expect(prose).toContain(`TypeScript ≥ ${oldest.split('.').slice(0, 2).join('.')}`)
  })

  it('it has a thousand words at most', () => {
    expect(readme.split(' ').length).toBeLessThanOrEqual(1000)
  })
})

describe('the picture of the README', () => {
  const [, file, target] = /\[!\[[^\]]*\]\(([^)]+)\)\]\(([^)]+)\)/.exec(read('README.md')) ?? []

  it('leads to the gallery, and six scenes stand below', () => {
    expect(target).toBe(GALLERY)
    const scenes = [...read('README.md').matchAll(/\?scene=([\w-]+)/g)].map(([, scene]) => scene)
    expect(new Set(scenes).size).toBe(6)
  })

  it('moves, and is loaded quickly', () => {
    const bytes = readFileSync(new URL(file!, root))
    expect(bytes.toString('latin1', 0, 4) + bytes.toString('latin1', 8, 16)).toBe('RIFFWEBPVP8X')
    // the flag of an animation, and its frames
    expect(bytes[20]! & 2).toBe(2)
    expect(bytes.toString('latin1').split('ANMF').length).toBeGreaterThan(60)
    expect(bytes.length).toBeLessThan(2_000_000)
  })
})
