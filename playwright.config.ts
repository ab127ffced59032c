import { createServer } from 'node:net'
import { defineConfig } from '@playwright/test'
import { launchOptions } from './scripts/chromium.mjs'

// A free port, so that a gallery left open elsewhere is never tested by mistake. Worker processes inherit the choice.
const port = (process.env['E2E_PORT'] ??= await freePort())

export default defineConfig({
  testDir: './test/e2e',
  testMatch: '*.spec.ts',
  outputDir: './test-results',
  workers: 1,
  // CI draws in software on busy cores: time is no measure here
  timeout: 300_000,
  expect: { timeout: 30_000 },
  forbidOnly: true,
  reporter: [['list'], ['json', { outputFile: 'reports/e2e.json' }]],
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    viewport: { width: 640, height: 360 },
    screenshot: 'only-on-failure',
    launchOptions,
  },
  webServer: {
    command: `node node_modules/vite/bin/vite.js preview --host 127.0.0.1 --port ${port} --strictPort`,
    url: `http://127.0.0.1:${port}`,
    timeout: 300_000,
    reuseExistingServer: false,
  },
})

function freePort(): Promise<string> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(String(typeof address === 'object' && address ? address.port : 4173)))
    })
  })
}
