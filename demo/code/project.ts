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
  const versionsOf = (names: readonly string[]): Versions =>
    Object.fromEntries(
      names.map((name) => {
        const version = versions[name]
        if (version === undefined) throw new Error(`the version of ${name} is not known`)
        return [name, `^${version}`]
      }),
    )
  const manifest = {
    name: `three-steering-${id}`,
    description: summary,
    private: true,
    type: 'module',
    scripts: { start: 'vite', build: 'vite build' },
    dependencies: versionsOf(packages),
    devDependencies: versionsOf(
      packages.flatMap((name) => (`@types/${name}` in versions ? [`@types/${name}`] : [])).concat('vite'),
    ),
  }
  return {
    files: {
      ...Object.fromEntries(used.map((path) => [`src/${path}`, sources[path]!])),
      'src/main.ts': mainOf(id),
      'index.html': pageOf(title),
      'tsconfig.json': json(TSCONFIG),
      'package.json': json(manifest),
    },
    models: models.filter((name) => text.includes(`'${name}'`)),
  }
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
