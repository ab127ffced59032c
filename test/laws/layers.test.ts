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
const HINTS = 'hints/hints.ts'
const NO_HINTS = 'hints/no-hints.ts'

function resolve(from: string, to: string): string {
  if (to === '#hints') return HINTS
  return to.startsWith('.') ? posix.join(posix.dirname(from), to).replace(/\.js$/, '.ts') : to
}

const imports = [...source].flatMap(([file, text]) => importsOf(file, text))

/** Room of a file: its folder, or its own name for a file directly in src. */
function roomOf(file: string): string {
  const folder = posix.dirname(file)
  return folder === '.' ? file : folder
}

const TYPES = ['types.ts', 'snapshot-types.ts', 'spatial-types.ts']

/** The files that package.json names as entries. */
const ENTRIES = files.filter((file) => !file.includes('/') && !TYPES.includes(file))

const SHARED = ['hints', 'math', ...TYPES]

const BEHAVIORS = [
  'behaviors/avoidance',
  'behaviors/classic',
  'behaviors/directed-seek',
  'behaviors/docking',
  'behaviors/flocking',
  'behaviors/flow',
  'behaviors/formation',
  'behaviors/motion',
  'behaviors/paths',
  'behaviors/pursuit',
]

/** The rooms that a room may import from, besides itself. There must be no import circle of files. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'index.ts': [
    ...BEHAVIORS,
    'combine',
    'engine',
    'locomotion',
    'neighbors',
    'obstacles',
    'solver',
    ...SHARED,
  ],
  'authoring.ts': [
    ...BEHAVIORS,
    'combine',
    'control',
    'engine',
    'locomotion',
    'obstacles',
    'solver',
    ...SHARED,
  ],
  'curves.ts': ['behaviors/directed-seek', 'curves'],
  'docking.ts': ['behaviors/docking'],
  'flow.ts': ['behaviors/flow'],
  'formation.ts': ['behaviors/formation'],
  'classic.ts': ['behaviors/classic'],
  'racing.ts': ['behaviors/paths'],
  'cannon.ts': ['adapters/cannon', 'obstacles'],
  'rapier.ts': ['adapters/rapier', 'obstacles'],
  'react.ts': ['adapters/react'],
  'vehicles.ts': ['vehicles'],
  'door-tests.ts': ['door-tests'],
  'three.ts': ['adapters/three'],
  'bvh.ts': ['adapters/bvh', 'obstacles'],
  'debug.ts': ['debug'],
  'explain.ts': ['explain'],
  'net.ts': ['net'],
  'presets.ts': ['presets'],
  'shards.ts': ['shards'],
  'snapshot.ts': ['snapshot'],
  presets: [...BEHAVIORS, 'combine', 'obstacles', 'solver', ...SHARED],
  'adapters/bvh': ['obstacles', ...SHARED],
  'adapters/cannon': ['engine', 'obstacles', ...SHARED],
  'adapters/rapier': ['engine', 'obstacles', ...SHARED],
  'adapters/react': [
    'adapters/cannon',
    'adapters/rapier',
    'adapters/three',
    'debug',
    'engine',
    'explain',
    ...SHARED,
  ],
  'adapters/three': ['engine', 'obstacles', ...SHARED],
  'behaviors/avoidance': ['behaviors/pursuit', 'control', 'neighbors', 'obstacles', 'solver', ...SHARED],
  'behaviors/classic': [
    'behaviors/avoidance',
    'behaviors/paths',
    'combine',
    'control',
    'obstacles',
    'solver',
    ...SHARED,
  ],
  'behaviors/directed-seek': ['control', 'curves', 'solver', ...SHARED],
  'behaviors/docking': ['control', 'obstacles', 'solver', ...SHARED],
  'behaviors/flocking': ['behaviors/avoidance', 'behaviors/motion', 'control', 'neighbors', ...SHARED],
  'behaviors/flow': ['behaviors/paths', 'control', 'obstacles', ...SHARED],
  'behaviors/formation': [
    'behaviors/directed-seek',
    'behaviors/pursuit',
    'control',
    'obstacles',
    'solver',
    ...SHARED,
  ],
  'behaviors/motion': ['control', ...SHARED],
  'behaviors/paths': [
    'behaviors/avoidance',
    'behaviors/directed-seek',
    'control',
    'curves',
    'neighbors',
    'obstacles',
    'solver',
    ...SHARED,
  ],
  'behaviors/pursuit': ['behaviors/directed-seek', 'control', 'neighbors', 'obstacles', 'solver', ...SHARED],
  combine: ['control', 'solver', ...SHARED],
  control: ['obstacles', ...SHARED],
  curves: SHARED,
  debug: ['control', 'engine', 'explain', ...SHARED],
  'door-tests': ['behaviors/motion', 'engine', 'neighbors', ...SHARED],
  // of the locomotions only the default, see below
  engine: ['control', 'locomotion', 'obstacles', 'solver', ...SHARED],
  explain: ['control', 'engine', ...SHARED],
  // of the engine only the columns
  hints: ['engine', ...SHARED],
  locomotion: ['control', 'curves', ...SHARED],
  math: ['hints', 'types.ts'],
  // of the engine only the columns, see below
  neighbors: ['control', 'engine', ...SHARED],
  net: ['engine', ...SHARED],
  obstacles: SHARED,
  // the queue of a port is shared by worlds
  shards: ['behaviors/docking', 'control', 'engine', 'locomotion', 'neighbors', 'snapshot', ...SHARED],
  snapshot: ['engine', 'neighbors', ...SHARED],
  solver: ['control', 'obstacles', ...SHARED],
  vehicles: ['engine', 'locomotion', ...SHARED],
  'types.ts': ['snapshot-types.ts', 'spatial-types.ts'],
  'snapshot-types.ts': ['spatial-types.ts'],
  'spatial-types.ts': [],
}

/** The packages that a file may import; in brackets: types only. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'adapters/bvh/mesh-shape.ts': ['three', 'three-mesh-bvh'],
  'adapters/cannon/attach.ts': ['(cannon-es)'],
  'adapters/cannon/cell-pairs.ts': ['(cannon-es)'],
  'adapters/cannon/latch.ts': ['(cannon-es)'],
  'adapters/cannon/obstacles.ts': ['(cannon-es)'],
  'adapters/cannon/tune.ts': ['(cannon-es)'],
  'adapters/react/driver.ts': ['(cannon-es)'],
  'adapters/react/explanation.ts': ['react'],
  'adapters/react/flock.ts': ['react', '(three)'],
  'adapters/react/handle.ts': ['(three)'],
  'adapters/react/helper.ts': ['react', '@react-three/fiber'],
  'adapters/react/host.ts': ['react'],
  'adapters/react/same.ts': ['react'],
  'adapters/react/steering.ts': ['react', '@react-three/fiber'],
  'adapters/react/use-steering.ts': ['react', '(three)'],
  'adapters/three/extrusion.ts': ['(three)'],
  'adapters/three/fit.ts': ['(three)'],
  'adapters/three/obstacles.ts': ['three'],
  'adapters/three/pose.ts': ['(three)'],
  'adapters/three/torus.ts': ['(three)'],
  'adapters/three/views.ts': ['three'],
  'debug/helper.ts': ['three'],
}

const inside = imports.filter(({ to }) => source.has(to))
const outside = imports.filter(({ to }) => !source.has(to))

const show = ({ from, to }: Import): string => `${from} → ${to}`

/** Imports between rooms that are not in the table. */
function forbidden(edges: readonly Import[]): string[] {
  return edges
    .filter(({ from, to }) => {
      const room = roomOf(from)
      const other = roomOf(to)
      return room !== other && !(ALLOWED[room] ?? []).includes(other)
    })
    .map(show)
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
  it('are all in the table', () => {
    expect([...new Set(files.map(roomOf))].filter((room) => !(room in ALLOWED))).toEqual([])
  })

  it('import only from the rooms below them', () => {
    expect(forbidden(inside)).toEqual([])
  })

  it('have an engine that imports only one locomotion, its default', () => {
    const known = inside
      .filter(({ from, to }) => roomOf(from) === 'engine' && roomOf(to) === 'locomotion')
      .map(({ to }) => to)
    expect([...new Set(known)]).toEqual(['locomotion/hover.ts'])
  })

  it('have a search for neighbours, and hints, that import only the columns of the engine', () => {
    const known = inside
      .filter(({ from, to }) => ['neighbors', 'hints'].includes(roomOf(from)) && roomOf(to) === 'engine')
      .map(({ to }) => to)
    expect([...new Set(known)]).toEqual(['engine/agents.ts'])
  })

  it('have behaviours and combinations that do not import each other', () => {
    const isPart = (file: string): boolean =>
      /^(behaviors|combine)\//.test(file) &&
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

  it('have a core that imports neither three nor cannon-es, not even their types', () => {
    const core = closure('index.ts', true)
    expect(core.size).toBeGreaterThan(30)
    expect(outside.filter(({ from }) => core.has(from)).map(show)).toEqual([])
    expect(
      [...core].filter((file) =>
        ['adapters', 'debug', 'explain', 'presets', 'snapshot'].includes(roomOf(file)),
      ),
    ).toEqual([])
  })

  it('have no file that nobody can reach', () => {
    const reached = new Set(ENTRIES.flatMap((entry) => Array.from(closure(entry, true))))
    expect(files.filter((file) => !reached.has(file))).toEqual([NO_HINTS])
  })

  it('have only types in types.ts', () => {
    const code = codeOf(source.get('types.ts')!)
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

describe('this test', () => {
  it('reads every form of import', () => {
    const text = [
      `import { a, type B } from './b.js'`,
      `import type { C } from '../types.js'`,
      `import {\n  type D,\n  type E,\n} from '../math/vec3.js'`,
      `export * from './f.js'`,
      `export type * from '../types.js'`,
      `import * as T from './agents.js'`,
      `import 'three'`,
      `const x = await import('cannon-es')`,
    ].join('\n')
    expect(importsOf('engine/a.ts', text).map(({ to, typeOnly }) => [to, typeOnly])).toEqual([
      ['engine/b.ts', false],
      ['types.ts', true],
      ['math/vec3.ts', true],
      ['engine/f.ts', false],
      ['types.ts', true],
      ['engine/agents.ts', false],
      ['three', false],
      ['cannon-es', false],
    ])
  })

  it('notices a forbidden import', () => {
    const edge = { from: 'engine/world.ts', to: 'behaviors/seek.ts', typeOnly: false }
    expect(forbidden([edge])).toEqual(['engine/world.ts → behaviors/seek.ts'])
  })
})
