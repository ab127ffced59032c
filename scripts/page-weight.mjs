// @ts-check
// How much is loaded until the gallery's index and a scene are seen: `npm run build:demo && node scripts/page-weight.mjs`.
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright'
import { preview } from 'vite'
import { launchOptions } from './chromium.mjs'

const configFile = fileURLToPath(new URL('../vite.config.ts', import.meta.url))
const server = await preview({ configFile, preview: { port: 0 } })
const address = server.resolvedUrls?.local[0] ?? ''
const browser = await chromium.launch(launchOptions)
try {
  console.log('| page | requests | scripts | kB | of which scripts | kB as gzip | of which scripts |')
  console.log('| :-- | --: | --: | --: | --: | --: | --: |')
  for (const query of ['', ...process.argv.slice(2).map((scene) => `?scene=${scene}`)]) {
    // a context has a cache of its own
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    page.setDefaultTimeout(300_000)
    /** @type {Promise<{ isScript: boolean, raw: number, packed: number }>[]} */
    const loaded = []
    page.on('response', (response) => {
      const isScript = response.request().resourceType() === 'script'
      // pictures and models are not made smaller by a server
      const isText = /javascript|css|html|svg/.test(response.headers()['content-type'] ?? '')
      loaded.push(
        response.body().then((body) => {
          return { isScript, raw: body.length, packed: isText ? gzipSync(body).length : body.length }
        }),
      )
    })
    await page.goto(`${address}${query}${query ? '&paused=1&sky=0&aa=0&pixels=1' : ''}`)
    await page.waitForFunction(() => 'demo' in window)
    await page.evaluate(() => window.demo.ready)
    // pictures that load lazily are asked for after the first frame
    await page.waitForTimeout(2000)
    await page.waitForLoadState('networkidle')
    const all = await Promise.all(loaded)
    const scripts = all.filter(({ isScript }) => isScript)
    /** @param {typeof all} some @param {'raw' | 'packed'} kind */
    const sum = (some, kind) => (some.reduce((total, each) => total + each[kind], 0) / 1000).toFixed(0)
    const name = query ? query.slice('?scene='.length) : 'index'
    const cells = [name, all.length, scripts.length, sum(all, 'raw'), sum(scripts, 'raw'), sum(all, 'packed'), sum(scripts, 'packed')] // prettier-ignore
    console.log(`| ${cells.join(' | ')} |`)
    await context.close()
  }
} finally {
  await browser.close()
  await server.close()
}
