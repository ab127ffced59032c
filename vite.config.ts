import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type UserConfig } from 'vite'
import { sceneCode } from './scripts/scene-code.mjs'
import { previewOfPages } from './scripts/social-preview.mjs'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Demo and tests use the package's own name, and get its sources: no build in between. */
export const alias = [
  { find: /^three-steering$/, replacement: at('./src/entries/index.ts') },
  { find: /^three-steering\/(.+)$/, replacement: `${at('./src/entries')}/$1.ts` },
  { find: /^#hints$/, replacement: at('./src/core/hints/hints.ts') },
]

/** As a build for production has it. */
const NO_HINTS = { find: /^#hints$/, replacement: at('./src/core/hints/no-hints.ts') }

/** What lies in assets/ is served at the root: assets/ship.glb is /ship.glb. */
export const publicDir = at('./assets')

const pages = () =>
  readdirSync(at('./demo'))
    .filter((file) => file.endsWith('.html'))
    .map((file) => at(`./demo/${file}`))

/** Files of the index, of the page around a scene, and of the scenes have chunks of their own. */
const PAGE =
  /\/demo\/(?:scenes\/.*|views\/dom|preferences|(?!trails|models)[\w-]+)\.ts$|\/(?:scripts|site)\/|preload-helper/

/** Whether a module may be in a chunk that scenes share. */
const isShared = (id: string): boolean =>
  /\/(?:src|demo|node_modules\/(?:three|cannon-es))\//.test(id) && !PAGE.test(id)

// The gallery. `appType: 'mpa'` makes a missing file a 404 instead of index.html with status 200.
export default defineConfig(({ command }): UserConfig => ({
  root: at('./demo'),
  base: './',
  appType: 'mpa',
  publicDir,
  plugins: [sceneCode({ root: at('.'), folder: at('./demo'), assets: publicDir }), previewOfPages()],
  resolve: { alias: command === 'build' ? [NO_HINTS, ...alias] : alias },
  server: { fs: { allow: [at('.')] } },
  build: {
    outDir: at('./demo-dist'),
    emptyOutDir: true,
    target: 'es2022',
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      input: pages(),
      output: {
        chunkFileNames: ({ name }) => `assets/${name.replace(/~.*/, '')}-[hash].js`,
        // without groups each set of scenes has a chunk of its own, and a large scene loads sixty
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            // half of the scenes have no physics engine
            { name: 'cannon', test: /\/node_modules\/cannon-es\/|\/src\/extras\/cannon\//, priority: 2 },
            { name: 'steering', test: isShared, minShareCount: 6, priority: 1 },
            {
              name: 'shared',
              test: isShared,
              minShareCount: 2,
              entriesAware: true,
              entriesAwareMergeThreshold: 15_000,
            },
          ],
        },
      },
    },
  },
}))
