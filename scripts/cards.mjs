// @ts-check
// Takes the pictures of the gallery: of each scene a still and a short loop, and the picture that is shown where the gallery is linked.
// `npm run cards` takes all, `npm run cards -- docking reef` those of two scenes, `npm run cards -- preview` the last.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'
import { build, preview } from 'vite'
import { launchOptions } from './chromium.mjs'

const at = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url))

/** The moment of the still, at which the loop begins (steps of 1/60 s). @type {Readonly<Record<string, number>>} */
const MOMENTS = {
  station: 1380,
  murmuration: 720,
  river: 260,
  gates: 500,
  docking: 3300,
  explain: 1260,
  landing: 90,
  'directed-seek': 960,
  lighthouse: 640,
  'your-scene': 1560,
  asteroids: 480,
  dogfight: 600,
  'air-show': 1990,
  canyon: 420,
  reef: 440,
  antipodes: 420,
  crossroads: 620,
  street: 900,
  needle: 780,
  'black-art': 1621,
}

const STILL = { width: 720, height: 450 }
/** Still and loop are drawn larger than they are, which smooths edges; on the way there next to nothing is drawn. */
const DRAWN = {
  still: { width: 1440, height: 900 },
  loop: { width: 720, height: 450 },
  way: { width: 48, height: 30 },
}
const LOOP = { width: 480, height: 300, fps: 20, frames: 56, faded: 12 }
/** Size of a loop at most (bytes), and the rate with which it is tried first (bits/s). */
const LARGEST = 150_000
const RATE = 420_000
/** The pictures that are shown where the gallery is linked: these scenes, in rows of three. */
const PREVIEW = [
  'dogfight',
  'reef',
  'air-show',
  'murmuration',
  'river',
  'lighthouse',
  'landing',
  'canyon',
  'explain',
]

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => name !== 'preview' && !(name in MOMENTS))
if (unknown.length > 0) throw new Error(`There is no scene named ${unknown.join(', ')}`)

const configFile = at('../vite.config.ts')
// built, so that a change of a file does not load the page again
const outDir = mkdtempSync(join(tmpdir(), 'cards-'))
await build({ configFile, logLevel: 'error', build: { outDir, emptyOutDir: true } })
const server = await preview({ configFile, build: { outDir }, preview: { port: 0 } })
const address = server.resolvedUrls?.local[0] ?? ''
const browser = await chromium.launch(launchOptions)
try {
  for (const scene of Object.keys(MOMENTS))
    if (chosen.length === 0 || chosen.includes(scene)) await take(scene)
  if (chosen.length === 0 || chosen.includes('preview')) await takePreview()
} finally {
  await browser.close()
  await server.close()
  rmSync(outDir, { recursive: true })
}

/** @param {string} scene */
async function take(scene) {
  const page = await browser.newPage({ viewport: DRAWN.still })
  page.setDefaultTimeout(600_000)
  // nothing is drawn except for a picture
  await page.addInitScript(() => (window.requestAnimationFrame = () => 0))
  await page.goto(`${address}?scene=${scene}&paused=1&ui=0&aa=0`)
  await page.waitForFunction(() => 'demo' in window, undefined, { polling: 200 })
  await page.evaluate(() => window.demo.ready)
  await page.setViewportSize(DRAWN.way)
  for (let left = (MOMENTS[scene] ?? 0) - 1; left > 0; left -= 60)
    await page.evaluate((count) => window.demo.step(count), Math.min(60, left))
  await page.setViewportSize(DRAWN.still)
  await resized(page, DRAWN.still)
  await page.evaluate(() => window.demo.step(1))
  const still = await page.screenshot()
  writeFileSync(at(`../assets/thumbnails/${scene}.jpg`), await smaller(page, still))

  await page.setViewportSize(DRAWN.loop)
  await resized(page, DRAWN.loop)
  await page.addScriptTag({ path: at('../node_modules/mediabunny/dist/bundles/mediabunny.cjs') })
  const loop = await page.evaluate(record, { ...LOOP, largest: LARGEST, rate: RATE })
  const bytes = Buffer.from(loop, 'base64')
  mkdirSync(at('../assets/loops'), { recursive: true })
  writeFileSync(at(`../assets/loops/${scene}.webm`), bytes)
  console.log(`${scene}: loop of ${(bytes.length / 1000).toFixed(0)} kB`)
  await page.close()
}

/** Waits until the canvas fills the window. @param {import('playwright').Page} page @param {{ width: number }} size */
async function resized(page, { width }) {
  await page.waitForFunction((wide) => document.querySelector('#stage canvas')?.clientWidth === wide, width, {
    polling: 50,
  })
  // the size of what is drawn follows in an observer
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)))
}

/** A picture in the size of a still, as JPEG. @param {import('playwright').Page} page @param {Buffer} png */
async function smaller(page, png) {
  const text = await page.evaluate(
    async ({ data, width, height }) => {
      const image = new Image()
      image.src = `data:image/png;base64,${data}`
      await image.decode()
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width, height })
      const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'))
      context.imageSmoothingQuality = 'high'
      context.drawImage(image, 0, 0, width, height)
      return canvas.toDataURL('image/jpeg', 0.78)
    },
    { data: png.toString('base64'), ...STILL },
  )
  return Buffer.from(text.slice(text.indexOf(',') + 1), 'base64')
}

/**
 * Runs in the page: draws the frames, and encodes them as WebM, in base64. The frames after the last are blended
 * into the first ones, so that the end leads to the beginning.
 *
 * @param {typeof LOOP & { largest: number, rate: number }} options
 */
async function record({ width, height, fps, frames, faded, largest, rate: first }) {
  /** @type {typeof import('mediabunny')} */
  const { BufferTarget, CanvasSource, Output, WebMOutputFormat } = Reflect.get(window, 'Mediabunny')
  const drawn = /** @type {HTMLCanvasElement} */ (document.querySelector('#stage canvas'))
  const canvas = new OffscreenCanvas(width, height)
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'))
  context.imageSmoothingQuality = 'high'
  /** @type {ImageBitmap[]} */
  const shots = []
  for (let k = 0; k < frames + faded; k++) {
    window.demo.step(60 / fps)
    // in the same task, before the browser clears the canvas
    context.drawImage(drawn, 0, 0, width, height)
    shots.push(canvas.transferToImageBitmap())
    // the size of the canvas changes between tasks
    await new Promise((resolve) => setTimeout(resolve))
  }
  for (let rate = first; ; rate *= 0.8) {
    const output = new Output({ format: new WebMOutputFormat(), target: new BufferTarget() })
    const source = new CanvasSource(canvas, {
      codec: 'vp9',
      bitrate: rate,
      keyFrameInterval: 60,
      latencyMode: 'quality',
    })
    output.addVideoTrack(source, { frameRate: fps })
    await output.start()
    for (let k = 0; k < frames; k++) {
      context.globalAlpha = 1
      context.drawImage(/** @type {ImageBitmap} */ (shots[k < faded ? frames + k : k]), 0, 0)
      if (k < faded) {
        context.globalAlpha = (k + 1) / (faded + 1)
        context.drawImage(/** @type {ImageBitmap} */ (shots[k]), 0, 0)
      }
      await source.add(k / fps, 1 / fps)
    }
    await output.finalize()
    const bytes = new Uint8Array(/** @type {ArrayBuffer} */ (output.target.buffer))
    if (bytes.length > largest) continue
    let text = ''
    for (const byte of bytes) text += String.fromCharCode(byte)
    return btoa(text)
  }
}

/** The stills side by side, under the name of the package, in the size that previews of links have. */
async function takePreview() {
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } })
  const images = PREVIEW.map((scene) => {
    const data = readFileSync(at(`../assets/thumbnails/${scene}.jpg`)).toString('base64')
    return `<img src="data:image/jpeg;base64,${data}" />`
  })
  await page.setContent(`<style>
    body { margin: 0; background: #0d1018; color: #fff; font: 500 30px/1.35 'Inter', 'Segoe UI', system-ui, 'Liberation Sans', sans-serif }
    main { display: grid; grid-template: repeat(3, 208px) / repeat(3, 398.67px); gap: 3px 2px }
    img { width: 100%; height: 100%; object-fit: cover }
    div { position: fixed; inset: auto 0 0; padding: 190px 44px 34px; background: linear-gradient(transparent, #0d1018 72%) }
    h1 { display: flex; gap: 18px; align-items: center; margin: 0; font-size: 74px; font-weight: 700; letter-spacing: -0.02em; line-height: 1.1 }
    svg { width: 96px; margin: -12px -8px }
    rect { display: none }
    p { margin: 4px 0 0 4px; color: #d5dae3 }
  </style><main>${images.join('')}</main>
  <div><h1>${readFileSync(at('../assets/icon.svg'), 'utf8')}three-steering</h1>
  <p>Steering behaviours for rigid bodies, by force and torque</p></div>`)
  await page.screenshot({ path: at('../assets/pictures/preview.jpg'), type: 'jpeg', quality: 82 })
  await page.close()
}
