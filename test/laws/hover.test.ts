import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

// What an editor shows of options and fields, asked of the compiler's language service. The docstrings stand
// in the option tables, and reach options and fields by `OptionsOf` and `FieldsOf`.

const root = fileURLToPath(new URL('../../', import.meta.url))
// the site has the compiler that can be asked
const ts = createRequire(`${root}site/package.json`)(
  'typescript',
) as typeof import('../../site/node_modules/typescript/lib/typescript.js')

const PROGRAM = `
import { Arrive } from './src/core/behaviors/motion/arrive.js'
import { Cohesion } from './src/core/behaviors/flocking/cohesion.js'
import { Dock } from './src/blocks/docking/dock.js'
const arrive = new Arrive({ target: { x: 0, y: 0, z: 0 }, dwell: 2 })
arrive.dwell = 3
arrive.speed = undefined
new Cohesion({ neighborDistance: 5, approach: 'seek' }).leaders = 1
new Dock({ closingSpeed: 1 }).timeout = 9
`
const file = `${root}hover.ts`
const service = ts.createLanguageService({
  getScriptFileNames: () => [file],
  getScriptVersion: () => '1',
  getScriptSnapshot(name) {
    const text = name === file ? PROGRAM : ts.sys.readFile(name)
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
  },
  fileExists: (name) => ts.sys.fileExists(name),
  readFile: (name) => ts.sys.readFile(name),
  getCurrentDirectory: () => root,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  getCompilationSettings: () => ({
    strict: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    exactOptionalPropertyTypes: true,
  }),
})

/** What is shown at the first place after `before`. */
function shown(before: string): string {
  const info = service.getQuickInfoAtPosition(file, PROGRAM.indexOf(before) + before.length)
  return `${ts.displayPartsToString(info?.displayParts)}: ${ts.displayPartsToString(info?.documentation)}`
}

describe('an editor', () => {
  it.each([
    ['Arrive({ ', '(property) target: PointSource: Point to come to rest at'],
    ['0 }, ', '(property) dwell?: number: Both must hold'],
    ['neighborDistance: 5, ', '(property) approach?: "pull" | "seek": How the centre'],
    ['Dock({ ', '(property) closingSpeed?: number: Speed at the touch'],
  ])('shows the text of an option after %s', (before, text) => {
    expect(shown(before)).toContain(text)
  })

  it.each([
    ['})\narrive.', '(property) dwell: number: Both must hold'],
    ['= 3\narrive.', '(property) speed: number | undefined: Speed to come at'],
    ["'seek' }).", '(property) leaders: number: Neighbours with'],
    ['closingSpeed: 1 }).', '(property) timeout: number: Time (s'],
  ])('shows the text of a field after %s', (before, text) => {
    expect(shown(before)).toContain(text)
  })
})
