import { describe, expect, it } from 'vitest'
import { CARDS } from '../../demo/cards.js'
import { closureOf, makeBlockProject, makeProject } from '../../demo/code/project.js'
import { parts } from '../support/gallery-parts.js'

// The projects that the gallery opens at StackBlitz. test/e2e/stackblitz.spec.ts runs some of them.

describe('the project', () => {
  it.each(CARDS)('of $id has its scene, all that it imports, and each package with its version', (card) => {
    const { files, models: used } = makeProject(card, parts)
    expect(files[`src/scenes/${card.id}.ts`]).toBe(parts.sources[`scenes/${card.id}.ts`])
    // what is shown beside the scene is part of it
    expect(files[`src/${card.code}`]).toBe(parts.sources[card.code])
    const manifest = JSON.parse(files['package.json']!) as Record<string, Record<string, string>>
    const installed = Object.keys(manifest['dependencies']!)
    // the install line beside the scene names them, and the project has a panel of sliders
    const line = ['three-steering', 'three', 'lil-gui', ...(card.needs?.split(' ') ?? [])]
    expect(installed.toSorted()).toEqual(line.toSorted())
    expect(manifest['devDependencies']).toHaveProperty('vite')
    // nothing of the gallery itself, which has a page that a project lacks
    expect(Object.keys(files)).not.toContain('src/bar.ts')
    expect(Object.keys(files)).not.toContain('src/open-scene.ts')
    const code = Object.entries(files).filter(([path]) => /\.tsx?$/.test(path) && path !== 'src/main.ts')
    for (const [, text] of code) {
      for (const [, name] of text.matchAll(/(?:from|import)\s*\(?'([^'.][^']*)'/g))
        expect(installed.filter((each) => name === each || name!.startsWith(`${each}/`))).toHaveLength(1)
      for (const [, name] of text.matchAll(/load(?:Model|Geometry)\('([^']+)'\)/g))
        expect(used).toContain(name)
    }
  })

  it('of a block of code has its files, its packages with their peers, and for a component a page', () => {
    const versions = { ...parts.versions, 'react-dom': '19.2.1' }
    const code = "import { MeshShape } from 'three-steering/bvh'\nimport { part } from './part.js'\n"
    const project = makeBlockProject(
      'Title',
      { 'main.ts': code, 'part.ts': 'export const part = 1\n' },
      versions,
    )
    expect(project['src/main.ts']).toBe(code)
    expect(Object.keys(project)).toContain('src/part.ts')
    expect(project['index.html']).toContain('src="/src/main.ts"')
    const manifest = JSON.parse(project['package.json']!) as Record<string, Record<string, string>>
    expect(Object.keys(manifest['dependencies']!)).toEqual(['three', 'three-mesh-bvh', 'three-steering'])
    expect(Object.keys(manifest['devDependencies']!)).toEqual(['@types/three', 'vite'])
    const app = makeBlockProject(
      'Title',
      { 'App.tsx': "import { Canvas } from '@react-three/fiber'\n" },
      versions,
    )
    expect(app['src/main.tsx']).toContain("from './App.tsx'")
    expect(app['index.html']).toContain('src="/src/main.tsx"')
    expect(app['package.json']).toContain('"react-dom": "^19.2.1"')
  })

  it('has all files that a file imports, statically, for types, or when asked for, and says which is missing', () => {
    const files = {
      'a/main.ts': "import { b } from '../b.js'\nimport type { C } from './c.js'\nexport * from 'x/deep'\n",
      'b.tsx': "const later = import('./a/d.js')\nimport {\n  e,\n} from '@scope/e/more'\n",
      'a/c.ts': "import '../b.js'\n",
      'a/d.ts': "import { main } from './main.js'\n",
      'a/unused.ts': '',
    }
    const { files: found, packages } = closureOf('a/main.ts', files)
    expect(Object.keys(found).sort()).toEqual(['a/c.ts', 'a/d.ts', 'a/main.ts', 'b.tsx'])
    expect(packages).toEqual(['@scope/e', 'x'])
    expect(() => closureOf('a.ts', { 'a.ts': "import './gone.js'" })).toThrow('demo/a.ts imports ./gone.js')
    expect(() => closureOf('gone.ts', {})).toThrow('demo/gone.ts')
  })
})
