import { fileURLToPath } from 'node:url'
import { defineConfig, type UserConfig } from 'vite'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/**
 * The package and the gallery are taken from the sources of this repository, so that nothing has to be built
 * or installed in its root. In a project of your own these lines go, and `three-steering` is a dependency.
 */
export const alias = [
  { find: /^three-steering$/, replacement: at('../../src/entries/index.ts') },
  { find: /^three-steering\/(.+)$/, replacement: `${at('../../src/entries')}/$1.ts` },
  { find: /^#hints$/, replacement: at('../../src/core/hints/hints.ts') },
]

/** `vite build` makes the page, `vite build --ssr` the programs for Node. */
export default defineConfig(({ isSsrBuild }): UserConfig => {
  const programs = { serve: at('./src/server/serve.ts'), load: at('./src/server/load.ts') }
  return {
    root: at('./src/page'),
    base: './',
    publicDir: isSsrBuild ? false : at('../../assets'),
    // the files of the gallery use the three of this package
    resolve: { alias, dedupe: ['three'] },
    server: { fs: { allow: [at('../..')] } },
    build: {
      outDir: at(isSsrBuild ? './build/server' : './build/page'),
      emptyOutDir: !isSsrBuild,
      target: 'es2022',
      chunkSizeWarningLimit: 1500,
      // all programs in one folder: they look for the page beside it
      ...(isSsrBuild && {
        ssr: true,
        rolldownOptions: { input: programs, output: { chunkFileNames: '[name].js' } },
      }),
    },
  }
})
