import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const SRC = fileURLToPath(new URL('../../src', import.meta.url))

interface Import {
  readonly from: string
  /** A file of src, or the name of a package. */
  readonly to: string
  readonly typeOnly: boolean
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((file) => file.split('\\').join('/'))
  .filter((file) => file.endsWith('.ts'))
  .sort()

const source = new Map(files.map((file) => [file, readFileSync(join(SRC, file), 'utf8')]))

/** The imports and export-from statements of a file, also those over several lines, and dynamic imports. */
function importsOf(from: string, text: string): Import[] {
  const found: Import[] = []
  const lines = /^\s*(import|export)\b([^'"`;]*?)\bfrom\s*['"]([^'"]+)['"]/gm
  for (const [, , what, to] of text.matchAll(lines)) {
    const names = /^\s*\{([^}]*)\}\s*$/.exec(what!)?.[1]
    const typeOnly =
      /^\s*type\b/.test(what!) ||
      (names !== undefined &&
        names
          .split(',')
          .filter((name) => name.trim() !== '')
          .every((name) => /^\s*type\b/.test(name)))
    found.push({ from, to: resolve(from, to!), typeOnly })
  }
  for (const [, to] of text.matchAll(/^\s*import\s*['"]([^'"]+)['"]/gm))
    found.push({ from, to: resolve(from, to!), typeOnly: false })
  for (const [, to] of text.matchAll(/\b(?:import|require)\s*\(\s*['"]([^'"]+)['"]/g))
    found.push({ from, to: resolve(from, to!), typeOnly: false })
  return found
}

/** What `#hints` stands for, but in production, see `imports` of package.json. */
const HINTS = 'core/hints/hints.ts'
const NO_HINTS = 'core/hints/no-hints.ts'

function resolve(from: string, to: string): string {
  if (to === '#hints') return HINTS
  return to.startsWith('.') ? posix.join(posix.dirname(from), to).replace(/\.js$/, '.ts') : to
}

const imports = [...source].flatMap(([file, text]) => importsOf(file, text))

/** Room of a file: its folder. That of types alone is `core`. */
const roomOf = (file: string): string => posix.dirname(file)

/** The ring of a room. */
const ringOf = (room: string): string => room.split('/', 1)[0]!

/** The files that package.json names as entries. */
const ENTRIES = files.filter((file) => roomOf(file) === 'entries')

/** What every file may import. */
const SHARED = new Set(['core', 'core/hints', 'core/math'])

const BEHAVIORS = ['avoidance', 'flocking', 'motion'].map((name) => `core/behaviors/${name}`)

/** What a block stands on: what behaviours and vehicles are made of, and no engine. */
const AUTHORING = new Set([
  ...BEHAVIORS,
  'core/combine',
  'core/control',
  'core/locomotion',
  'core/neighbors',
  'core/obstacles',
  'core/solver',
])

/** The rooms that a room may import from, besides itself and `SHARED`. No files import in a circle. */
const CORE: Readonly<Record<string, readonly string[]>> = {
  core: [],
  'core/behaviors/avoidance': ['core/control', 'core/neighbors', 'core/obstacles', 'core/solver'],
  'core/behaviors/flocking': [
    'core/behaviors/avoidance',
    'core/behaviors/motion',
    'core/control',
    'core/neighbors',
  ],
  'core/behaviors/motion': ['core/control'],
  'core/combine': ['core/control', 'core/solver'],
  'core/control': [],
  // of the locomotions only the default, see below
  'core/engine': ['core/control', 'core/locomotion', 'core/obstacles'],
  // of the engine only the columns
  'core/hints': ['core/engine'],
  'core/locomotion': ['core/control'],
  'core/math': [],
  // of the engine only the columns, see below
  'core/neighbors': ['core/control', 'core/engine'],
  'core/obstacles': [],
  'core/solver': ['core/control', 'core/obstacles'],
}

/** The blocks that a block stands on, besides `AUTHORING`. */
const BLOCKS: Readonly<Record<string, readonly string[]>> = {
  'blocks/classic': ['blocks/paths'],
  'blocks/combat': ['blocks/curves', 'blocks/directed-seek', 'blocks/pursuit'],
  'blocks/context-map': [],
  'blocks/cover': ['blocks/pursuit'],
  'blocks/crowds': [],
  'blocks/curves': [],
  'blocks/directed-seek': ['blocks/curves', 'blocks/pursuit'],
  'blocks/docking': [],
  'blocks/flow': ['blocks/paths', 'blocks/pursuit'],
  'blocks/formation': ['blocks/curves', 'blocks/pursuit'],
  'blocks/paths': ['blocks/curves'],
  'blocks/pursuit': [],
  'blocks/racing': ['blocks/curves', 'blocks/paths'],
  'blocks/shapes': [],
  'blocks/wheels': ['blocks/curves'],
}

/** The blocks and the extras that an extra stands on, besides the core. */
const EXTRAS: Readonly<Record<string, readonly string[]>> = {
  'extras/cannon': ['blocks/shapes'],
  'extras/debug': ['extras/explain'],
  'extras/door-tests': [],
  'extras/explain': [],
  'extras/net': [],
  'extras/presets': Object.keys(BLOCKS),
  'extras/rapier': ['blocks/shapes'],
  'extras/react': ['extras/cannon', 'extras/debug', 'extras/explain', 'extras/rapier', 'extras/three'],
  // the queue of a port is shared by worlds
  'extras/shards': ['blocks/docking', 'extras/snapshot'],
  'extras/snapshot': [],
  'extras/three': ['blocks/shapes'],
  'extras/vehicles': ['blocks/wheels'],
}

const ROOMS = [CORE, BLOCKS, EXTRAS].flatMap(Object.keys)

/** Whether a file of `room` may import one of `other`. */
function mayImport(room: string, other: string): boolean {
  if (room === other || SHARED.has(other)) return true
  switch (ringOf(room)) {
    case 'entries':
      return true
    case 'extras':
      return ringOf(other) === 'core' || EXTRAS[room]!.includes(other)
    case 'blocks':
      return AUTHORING.has(other) || BLOCKS[room]!.includes(other)
    default:
      return CORE[room]!.includes(other)
  }
}

/** The packages that a file may import; in brackets: types only. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'extras/three/mesh-shape.ts': ['three', 'three-mesh-bvh'],
  'extras/cannon/cannon.ts': ['(cannon-es)'],
  'extras/cannon/cell-pairs.ts': ['(cannon-es)'],
  'extras/cannon/cannon-latch.ts': ['(cannon-es)'],
  'extras/cannon/cannon-obstacles.ts': ['(cannon-es)'],
  'extras/cannon/tune.ts': ['(cannon-es)'],
  'extras/react/driver.ts': ['(cannon-es)'],
  'extras/react/explanation.ts': ['react'],
  'extras/react/flock.ts': ['react', '(three)'],
  'extras/react/handle.ts': ['(three)'],
  'extras/react/helper.ts': ['react', '@react-three/fiber'],
  'extras/react/host.ts': ['react'],
  'extras/react/same.ts': ['react'],
  'extras/react/steering.ts': ['react', '@react-three/fiber'],
  'extras/react/use-steering.ts': ['react', '(three)'],
  'extras/three/extrusion.ts': ['(three)'],
  'extras/three/fit.ts': ['(three)'],
  'extras/three/mesh-obstacles.ts': ['three'],
  'extras/three/pose.ts': ['(three)'],
  'extras/three/torus.ts': ['(three)'],
  'extras/three/three-views.ts': ['three'],
  'extras/debug/helper.ts': ['three'],
  'extras/debug/show.ts': ['three'],
}

const inside = imports.filter(({ to }) => source.has(to))
const outside = imports.filter(({ to }) => !source.has(to))

const show = ({ from, to }: Import): string => `${from} → ${to}`

/** Imports between rooms that are not in the tables. */
function forbidden(edges: readonly Import[]): string[] {
  return edges.filter(({ from, to }) => !mayImport(roomOf(from), roomOf(to))).map(show)
}

/** Files reachable from `file` by run-time imports (or by all imports). */
function closure(file: string, withTypes: boolean): Set<string> {
  const seen = new Set<string>()
  const visit = (at: string): void => {
    if (seen.has(at)) return
    seen.add(at)
    for (const { from, to, typeOnly } of imports)
      if (from === at && (withTypes || !typeOnly) && source.has(to)) visit(to)
  }
  visit(file)
  return seen
}

/** Files on a circle of imports, including type imports. */
function circles(): string[] {
  const found: string[] = []
  const state = new Map<string, 'open' | 'done'>()
  const visit = (at: string, way: readonly string[]): void => {
    if (state.get(at) === 'done') return
    if (state.get(at) === 'open') {
      found.push([...way.slice(way.indexOf(at)), at].join(' → '))
      return
    }
    state.set(at, 'open')
    for (const { from, to } of inside) if (from === at) visit(to, [...way, at])
    state.set(at, 'done')
  }
  for (const file of files) visit(file, [])
  return found
}

/** Code without comments and strings. */
function codeOf(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, ' ').replace(/\/\/.*$/gm, ' ')
}

describe('the rooms of src', () => {
  it('are all in the tables, and lie in four folders', () => {
    expect([...new Set(files.map(roomOf))].sort()).toEqual([...ROOMS, 'entries'].sort())
    expect([...new Set(files.map(ringOf))].sort()).toEqual(['blocks', 'core', 'entries', 'extras'])
  })

  it('import only from their own ring and the rings inside it, and there only what the tables allow', () => {
    expect(forbidden(inside)).toEqual([])
  })

  it('have an engine that imports only one locomotion, its default', () => {
    const known = inside
      .filter(({ from, to }) => roomOf(from) === 'core/engine' && roomOf(to) === 'core/locomotion')
      .map(({ to }) => to)
    expect([...new Set(known)]).toEqual(['core/locomotion/hover.ts'])
  })

  it('have a search for neighbours, and hints, that import only the columns of the engine', () => {
    const known = inside
      .filter(
        ({ from, to }) =>
          ['core/neighbors', 'core/hints'].includes(roomOf(from)) && roomOf(to) === 'core/engine',
      )
      .map(({ to }) => to)
    expect([...new Set(known)]).toEqual(['core/engine/agents.ts'])
  })

  it('have behaviours and combinations that do not import each other', () => {
    const isPart = (file: string): boolean =>
      /^(blocks|core\/(behaviors|combine))\//.test(file) &&
      /export class \w+[^{]*implements [^{]*\b(Behavior|Constraint)\b/.test(source.get(file)!)
    expect(files.filter(isPart).length).toBeGreaterThan(40)
    const siblings = inside.filter(({ from, to, typeOnly }) => isPart(from) && isPart(to) && !typeOnly)
    expect(siblings.map(show)).toEqual([])
  })

  it('have no import circles, including type imports', () => {
    expect(circles()).toEqual([])
  })

  it('import packages only where the table allows it', () => {
    const wrong = outside.filter(({ from, to, typeOnly }) => {
      const allowed = PACKAGES[from] ?? []
      return !allowed.includes(to) && !(typeOnly && allowed.includes(`(${to})`))
    })
    expect(wrong.map(show)).toEqual([])
  })

  it('have a main entry that imports neither three nor cannon-es, not even their types', () => {
    const main = closure('entries/index.ts', true)
    expect(main.size).toBeGreaterThan(30)
    expect(outside.filter(({ from }) => main.has(from)).map(show)).toEqual([])
    expect([...main].filter((file) => ringOf(file) === 'extras')).toEqual([])
  })

  it('have no file that nobody can reach', () => {
    const reached = new Set(ENTRIES.flatMap((entry) => Array.from(closure(entry, true))))
    expect(files.filter((file) => !reached.has(file))).toEqual([NO_HINTS])
  })

  it('have only types in core/types.ts', () => {
    const code = codeOf(source.get('core/types.ts')!)
    expect(code).not.toMatch(/^\s*(export\s+)?(const|let|var|function|class|enum)\b/m)
  })

  it('export only, in the entry files', () => {
    for (const entry of ENTRIES) {
      const rest = codeOf(source.get(entry)!).replace(
        /export\s+(type\s+)?(\{[^}]*\}|\*)\s+from\s+['"][^'"]+['"]/g,
        '',
      )
      expect(rest.trim(), `in ${entry}`).toBe('')
    }
  })
})

describe('no file of src', () => {
  const clocks =
    /\bMath\s*\.\s*random\b|\bDate\b|\bperformance\b|\bsetTimeout\b|\bsetInterval\b|\brequestAnimationFrame\b|\bcrypto\b/

  it('reads a clock or draws unseeded random numbers', () => {
    const guilty = [...source].filter(([, text]) => clocks.test(codeOf(text)))
    // hints compare simulated with real time, and change nothing
    expect(guilty.map(([file]) => file)).toEqual([HINTS])
  })
})
