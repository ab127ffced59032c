// @ts-check Writes the API reference with TypeDoc.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Application, ReflectionKind } from 'typedoc'

const at = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url))
const { exports, repository } = JSON.parse(readFileSync(at('../package.json'), 'utf8'))
const base = process.env['SITE_BASE'] ?? '/'
const entries = Object.keys(exports).filter((entry) => entry !== './package.json')

const app = await Application.bootstrap({
  name: 'three-steering',
  entryPoints: entries.map((entry) => at(`../src/entries/${entry === '.' ? 'index' : entry.slice(2)}.ts`)),
  tsconfig: at('tsconfig.api.json'),
  readme: 'none',
  excludeInternal: true,
  excludePrivate: true,
  excludeExternals: true,
  disableGit: true,
  sourceLinkTemplate: `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main/{path}#L{line}`,
  navigationLinks: {
    Guide: `${base}getting-started.html`,
    Behaviours: `${base}behaviors.html`,
    Gallery: `${base}gallery/index.html`,
  },
  customCss: at('theme/api.css'),
  favicon: at('../assets/icon.svg'),
  validation: false,
  // its links name headings that are not there, where an interface merges with a class
  includeHierarchySummary: false,
  // lists of modules and of members say what each is for
  useFirstParagraphOfCommentAsSummary: true,
  // `npm run typecheck` does that
  skipErrorChecking: true,
  logLevel: 'Error',
})
const project = await app.convert()
if (project === undefined) process.exit(1)
// the initializer of an option is its entry in the table, no default
for (const property of project.getReflectionsByKind(ReflectionKind.Property))
  if ('defaultValue' in property && property.defaultValue === '...') delete property.defaultValue
// modules are named as they are imported
for (const module of project.children ?? [])
  module.name = module.name === 'index' ? 'three-steering' : `three-steering/${module.name}`
await app.generateDocs(project, at('../node_modules/.cache/typedoc'))
if (app.logger.hasErrors()) process.exit(1)
