import { fileURLToPath } from 'node:url'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { launchOptions } from './scripts/chromium.mjs'
import { oneModule } from './scripts/one-module.mjs'
import { alias, publicDir } from './vite.config.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

// Whoever watches files, or wants to know which lines are reached, needs them one by one.
const apart = !process.argv.includes('run') || process.argv.includes('--coverage')

const onNode = apart
  ? []
  : [
      oneModule({
        folders: [at('./src'), at('./demo/scenarios'), at('./test/rigs')],
        // they import React
        apart: [at('./src/entries/react.ts'), at('./src/extras/react/')],
        alias,
      }),
    ]
// What a step allocates depends on what else its compiler has seen: these have a process of their own each.
const allocation = 'test/**/allocation.test.ts'

export default defineConfig({
  publicDir,
  resolve: { alias },
  // Named here because a dependency found late makes the page reload in the middle of a test.
  optimizeDeps: {
    include: [
      'cannon-es',
      'fast-check',
      'lil-gui',
      'three',
      'three/addons/controls/OrbitControls.js',
      'three/addons/loaders/GLTFLoader.js',
    ],
  },
  test: {
    setupFiles: ['./test/support/setup.ts'],
    // for slow machines: no test is one of speed
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: '100%', // by default one core is left to a watcher
    coverage: { provider: 'v8', include: ['src/**/*.ts'], reportsDirectory: 'coverage' },
    projects: [
      {
        extends: true,
        plugins: onNode,
        test: {
          name: 'node',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/browser/**', 'test/e2e/**', allocation],
          // React looks for the hook of hot reloads when it is loaded, by whichever file comes first
          setupFiles: ['./test/support/hot-reload.ts'],
          isolate: false, // half of the time, since what one file has loaded and compiled serves the next
          execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'], // the collector runs less often
        },
      },
      {
        extends: true,
        plugins: onNode,
        test: {
          name: 'allocation',
          include: [allocation],
          // Compiled by a second thread, code is compiled at another moment in each run, for other calls, and boxes
          // more or fewer numbers.
          execArgv: ['--expose-gc', '--no-concurrent-recompilation'],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.{ts,tsx}'],
          browser: {
            enabled: true,
            headless: true,
            provider: playwright({ launchOptions }),
            instances: [{ browser: 'chromium' }],
            viewport: { width: 640, height: 360 },
            screenshotFailures: false,
            connectTimeout: 300_000, // the tests of Node run beside it
          },
        },
      },
    ],
  },
})
