import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const built = fileURLToPath(new URL('./build/package', import.meta.url))

export default defineConfig({
  resolve: {
    alias: [
      { find: /^three-steering$/, replacement: `${built}/index.js` },
      { find: /^three-steering\/(.+)$/, replacement: `${built}/$1.js` },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['./test/build-package.ts'],
    server: { deps: { external: [/\/build\/package\//] } },
    testTimeout: 30_000,
    // the agents of all tests share the compiled code
    isolate: false,
  },
})
