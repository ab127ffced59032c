/**
 * Takes the pictures of the gallery from a running demo: `node assets/make/thumbnails.mjs http://localhost:5173`.
 * Each is the scene itself after a number of fixed steps.
 */
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'
import { launchOptions } from '../../scripts/chromium.mjs'

const MOMENTS = {
  murmuration: 720,
  river: 260,
  ships: 1260,
  gates: 500,
  docking: 3300,
  explain: 1260,
  landing: 735,
  'directed-seek': 470,
  lighthouse: 640,
  'your-scene': 900,
  asteroids: 480,
  dogfight: 600,
  'air-show': 1990,
  canyon: 420,
  hide: 460,
  reef: 440,
  antipodes: 420,
  crossroads: 620,
  street: 900,
  doorway: 285,
  needle: 780,
  'black-art': 1621,
}

const [address = 'http://localhost:5173', ...only] = process.argv.slice(2)
const browser = await chromium.launch(launchOptions)
const page = await browser.newPage({ viewport: { width: 960, height: 600 } })
page.setDefaultTimeout(300_000)
for (const [scene, steps] of Object.entries(MOMENTS)) {
  if (only.length > 0 && !only.includes(scene)) continue
  await page.goto(`${address}/?scene=${scene}&paused=1&ui=0`)
  await page.waitForFunction(() => 'demo' in window)
  await page.evaluate(() => window.demo.ready)
  for (let left = steps; left > 0; left -= 30) {
    await page.evaluate((count) => window.demo.step(count), Math.min(30, left))
  }
  const path = fileURLToPath(new URL(`../thumbnails/${scene}.jpg`, import.meta.url))
  await page.screenshot({ path, type: 'jpeg', quality: 82 })
  console.log(path)
}
await browser.close()
