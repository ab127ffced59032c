import type { Card } from '../cards.js'

/** Versions of packages, by name, as in a package.json. */
export type Versions = Readonly<Record<string, string>>

/** What all projects are made of. */
export interface Parts {
  /** Files of the gallery as text, by their path in `demo/`. */
  readonly sources: Readonly<Record<string, string>>
  /** Names of all models in `assets/`. */
  readonly models: readonly string[]
  /** Versions of all packages that a scene may import. */
  readonly versions: Versions
}

export interface Project {
  /** Files as text, by their path in the project. */
  readonly files: Readonly<Record<string, string>>
  /** Names of the models that the scene loads. They become a file of text, `src/models.json`. */
  readonly models: readonly string[]
}

/** Import, export or dynamic import of a module. */
const IMPORT = /\b(?:from|import)\s*\(?\s*'([^']+)'/g

/** A file with all files that it imports, and the packages that they import. */
export function closureOf(
  entry: string,
  sources: Parts['sources'],
): { files: Record<string, string>; packages: string[] } {
  const files: Record<string, string> = {}
  const packages = new Set<string>()
  const visit = (path: string): void => {
    if (path in files) return
    const text = sources[path]
    if (text === undefined) throw new Error(`there is no file demo/${path}`)
    files[path] = text
    for (const [, name] of text.matchAll(IMPORT))
      if (name!.startsWith('.')) visit(resolve(path, name!, sources))
      else packages.add(packageOf(name!))
  }
  visit(entry)
  return { files, packages: [...packages].sort() }
}

/** The file that a relative import of another file names. */
function resolve(from: string, name: string, sources: Parts['sources']): string {
  // the address is only a way to resolve `..`
  const path = new URL(name, `file:///${from}`).pathname.slice(1)
  const choices = [path, path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx')]
  const found = choices.find((choice) => choice in sources)
  if (found === undefined) throw new Error(`demo/${from} imports ${name}, which is no file`)
  return found
}

/** Name of the package that an import names: `three` of `three/addons/…`. */
function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')
}

/** A project for Vite that runs one scene with the published package, without the gallery around it. */
export function makeProject({ id, title, summary }: Card, { sources, models, versions }: Parts): Project {
  const scene = closureOf(`scenes/${id}.ts`, sources)
  const frame = closureOf('standalone.ts', sources)
  const packages = [...new Set([...scene.packages, ...frame.packages])].sort()
  const used = Object.keys({ ...scene.files, ...frame.files, 'style.css': '' }).sort()
  const text = Object.values(scene.files).join('\n')
  return {
    files: {
      ...Object.fromEntries(used.map((path) => [`src/${path}`, sources[path]!])),
      'src/main.ts': mainOf(id),
      'index.html': pageOf(title),
      'tsconfig.json': json(TSCONFIG),
      'package.json': manifestOf(id, summary, packages, versions),
    },
    models: models.filter((name) => text.includes(`'${name}'`)),
  }
}

/**
 * A project for Vite of blocks of code of a page: files by name. `main.ts` is the program, or `App.tsx` a
 * component that is the program.
 */
export function makeBlockProject(
  title: string,
  blocks: Readonly<Record<string, string>>,
  versions: Versions,
): Record<string, string> {
  const isReact = 'App.tsx' in blocks
  const text = Object.values(blocks).join('\n')
  const used = [...text.matchAll(IMPORT)].map(([, name]) => name!).filter((name) => !name.startsWith('.'))
  const also = [
    ...(isReact ? ['react-dom'] : []),
    ...(used.includes('three-steering/bvh') ? ['three-mesh-bvh'] : []),
  ]
  const packages = [...new Set(['three', ...used.map(packageOf), ...also])].sort()
  const main = isReact ? 'main.tsx' : 'main.ts'
  const files = Object.entries(blocks).map(([name, code]) => [`src/${name}`, code] as const)
  return {
    ...Object.fromEntries(files),
    ...(isReact ? { 'src/main.tsx': REACT_MAIN } : {}),
    'index.html': `<!doctype html>\n<title>${title}</title>\n<div id="root"></div>\n<script type="module" src="/src/${main}"></script>\n`,
    'tsconfig.json': json(TSCONFIG),
    'package.json': manifestOf('example', title, packages, versions),
  }
}

const REACT_MAIN = `import { createRoot } from 'react-dom/client'
import App from './App.tsx'

createRoot(document.getElementById('root')!).render(<App />)
`

function manifestOf(
  id: string,
  description: string,
  packages: readonly string[],
  versions: Versions,
): string {
  const versionsOf = (names: readonly string[]): Versions =>
    Object.fromEntries(
      names.map((name) => {
        const version = versions[name]
        if (version === undefined) throw new Error(`the version of ${name} is not known`)
        return [name, `^${version}`]
      }),
    )
  const types = packages.flatMap((name) => (`@types/${name}` in versions ? [`@types/${name}`] : []))
  return json({
    name: `three-steering-${id}`,
    description,
    private: true,
    type: 'module',
    scripts: { start: 'vite', build: 'vite build' },
    dependencies: versionsOf(packages),
    devDependencies: versionsOf([...types, 'vite']),
  })
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const mainOf = (id: string): string => `import models from './models.json'
import * as scene from './scenes/${id}.js'
import { run } from './standalone.js'

await run(scene, models)
`

const pageOf = (title: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}: three-steering</title>
    <link rel="stylesheet" href="/src/style.css" />
  </head>
  <body>
    <main id="stage"></main>
    <div id="overlay">
      <div id="cards"></div>
      <div id="foot"></div>
      <div id="right"><section id="controls"></section></div>
    </div>
    <script type="module" src="/src/main.ts"></script>
  </body>
</html>
`

/** As that of the repository, where it matters for the code of the scenes. */
const TSCONFIG = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: ['vite/client'],
    jsx: 'react-jsx',
    useDefineForClassFields: false,
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ['src'],
}
