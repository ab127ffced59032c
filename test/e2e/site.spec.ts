import { existsSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { expect, test } from './fixture.js'

// The site, as `npm run test:all` has built it: under a path of its host.
const folder = fileURLToPath(new URL('../../site-dist/', import.meta.url))
const BASE = '/some/folder/'
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
}

test.slow()
test.use({ viewport: { width: 1280, height: 800 } })
test.beforeEach(async ({ context }) => {
  await context.route('http://site.test/**', async (route) => {
    const { pathname } = new URL(route.request().url())
    const path = join(folder, decodeURI(pathname.slice(BASE.length)))
    const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'index.html') : path
    if (!pathname.startsWith(BASE) || !existsSync(file)) return route.fulfill({ status: 404 })
    return route.fulfill({
      contentType: TYPES[extname(file)] ?? 'application/octet-stream',
      body: readFileSync(file),
    })
  })
})

/** Opens a page, and waits until its script has taken over: before that its buttons do nothing. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(`http://site.test${BASE}${path}`)
  await page.waitForFunction(() => '__vue_app__' in document.querySelector('#app')!)
}

/** Number of pictures that the page asked for in a second. */
function framesIn(page: Page, ms: number): Promise<number> {
  return page.evaluate(
    (ms) =>
      new Promise<number>((resolve) => {
        const request = window.requestAnimationFrame.bind(window)
        let count = 0
        window.requestAnimationFrame = (callback) => {
          count++
          return request(callback)
        }
        setTimeout(() => {
          window.requestAnimationFrame = request
          resolve(count)
        }, ms)
      }),
    ms,
  )
}

test('a page of a behaviour shows its scene while it is seen, its code and its options', async ({ page }) => {
  await open(page, 'behaviors/arrive.html')
  await expect(page.locator('h1')).toContainText('Arrive')
  await expect(page.locator('meta[property="og:title"]')).toHaveAttribute('content', /Arrive/)
  await expect(page.locator('meta[property="og:image"]')).toHaveAttribute('content', /^https:.*preview\.jpg$/)
  await expect(page.locator('.live-scene canvas')).toBeVisible({ timeout: 120_000 })
  await expect(page.locator('.scene-and-code pre')).toContainText('new Arrive({ target })')
  await expect(page.locator('table.options')).toContainText('decelerationTime')
  await expect(page.locator('.sliders output').first()).toContainText('8 N')
  await expect.poll(() => framesIn(page, 1000)).toBeGreaterThan(0)
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await expect.poll(() => framesIn(page, 1000)).toBe(0)
})

test('a block of code is sent to StackBlitz as a project', async ({ page, context }) => {
  let sent = ''
  await context.route('https://stackblitz.com/run**', async (route) => {
    sent = route.request().postData() ?? ''
    await route.fulfill({ contentType: 'text/html', body: 'received' })
  })
  await open(page, 'behaviors/dock.html')
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Open in StackBlitz' }).first().click(),
  ])
  await expect(popup.locator('body')).toHaveText('received')
  const fields = new URLSearchParams(sent)
  expect(fields.get('project[title]')).toBe('Dock: three-steering')
  expect(fields.get('project[files][src/main.ts]')).toMatch(/\nshow\(world, \{\r?\n {2}obstacles: \[/)
  expect(fields.get('project[files][package.json]')).toContain('"three-steering"')
})

test('the search finds a behaviour', async ({ page }) => {
  await open(page, 'getting-started.html')
  await page.locator('.VPNavBarSearch button').click()
  await page.locator('.VPLocalSearchBox input').fill('interpose')
  await page.locator('.VPLocalSearchBox .result').first().click()
  await expect(page.locator('h1')).toContainText('Interpose')
})

test('links lead from the first page to the reference and the gallery', async ({ page }) => {
  await open(page, 'index.html')
  await expect(page.locator('.hero-film video')).toBeVisible()
  await expect
    .poll(() => page.locator('.hero-film video').evaluate((film: HTMLVideoElement) => film.currentTime))
    .toBeGreaterThan(0)
  await page.locator('.VPNavBarMenu a', { hasText: 'API' }).click()
  await expect(page).toHaveURL(`http://site.test${BASE}api/index.html`)
  await page.getByRole('link', { name: 'Gallery' }).first().click()
  await expect(page).toHaveTitle(/three-steering/)
  await expect(page.getByText('Starlings and falcon').first()).toBeVisible()
})
