// @ts-check
// Takes the pictures of the gallery: of each scene a still and a short loop, the picture that is shown where the gallery is linked, and the moving one
// of the README. `npm run cards` takes all, `npm run cards -- docking reef` those of two scenes, `npm run cards -- preview moving` the last two.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'
import { build, preview } from 'vite'
import { animatedWebp } from './animated-webp.mjs'
import { launchOptions } from './chromium.mjs'

const at = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url))

/** The moment of the still, at which the loop begins (steps of 1/60 s). @type {Readonly<Record<string, number>>} */
const MOMENTS = {
  station: 1380,
  murmuration: 720,
  river: 260,
  gates: 1200,
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

const MEDIABUNNY = at('../node_modules/mediabunny/dist/bundles/mediabunny.cjs')

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
/** The moving picture: the loops of these scenes, one after another, by every second frame after those that blend. */
const MOVING = {
  scenes: ['murmuration', 'docking', 'reef', 'needle', 'street', 'station'],
  width: 560,
  height: 350,
  every: 2,
  frames: 20,
  quality: 0.62,
}

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => name !== 'preview' && name !== 'moving' && !(name in MOMENTS))
if (unknown.length > 0) throw new Error(`There is no scene named ${unknown.join(', ')}`)

const browser = await chromium.launch(launchOptions)
const scenes = Object.keys(MOMENTS).filter((scene) => chosen.length === 0 || chosen.includes(scene))
try {
  if (scenes.length > 0) await takeScenes()
  if (chosen.length === 0 || chosen.includes('preview')) await takePreview()
  if (chosen.length === 0 || chosen.includes('moving')) await takeMoving()
} finally {
  await browser.close()
}

/** Stills and loops, from a gallery that is built for it, so that a change of a file does not load the page again. */
async function takeScenes() {
  const configFile = at('../vite.config.ts')
  const outDir = mkdtempSync(join(tmpdir(), 'cards-'))
  await build({ configFile, logLevel: 'error', build: { outDir, emptyOutDir: true } })
  const server = await preview({ configFile, build: { outDir }, preview: { port: 0 } })
  try {
    for (const scene of scenes) await take(server.resolvedUrls?.local[0] ?? '', scene)
  } finally {
    await server.close()
    rmSync(outDir, { recursive: true })
  }
}

/** @param {string} address Of the gallery. @param {string} scene */
async function take(address, scene) {
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
  await page.addScriptTag({ path: MEDIABUNNY })
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

/** Loops as an animated WebP: GitHub plays no other film that lies in a repository. */
async function takeMoving() {
  // with WebGL, each frame of a film would go through the graphics process and back, which takes seconds
  const player = await chromium.launch({ ...launchOptions, args: ['--no-sandbox', '--disable-gpu'] })
  const page = await player.newPage()
  page.setDefaultTimeout(600_000)
  // browsers decode films on pages of https only
  await page.route('https://cards.test/', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
  await page.goto('https://cards.test/')
  await page.addScriptTag({ path: MEDIABUNNY })
  const loops = MOVING.scenes.map((scene) => readFileSync(at(`../assets/loops/${scene}.webm`), 'base64'))
  const { every, width, height } = MOVING
  const files = await page.evaluate(joinLoops, { ...MOVING, loops, from: LOOP.faded })
  const frames = files.map((file) => Buffer.from(file, 'base64'))
  const bytes = animatedWebp(frames, { width, height, milliseconds: (1000 * every) / LOOP.fps })
  writeFileSync(at('../assets/pictures/gallery.webp'), bytes)
  console.log(`moving: ${(bytes.length / 1000).toFixed(0)} kB`)
  await player.close()
}

/**
 * Runs in a page: frames of all loops as WebP, in base64.
 *
 * @param {{ loops: string[], from: number, width: number, height: number, every: number, frames: number, quality: number }} options
 */
async function joinLoops({ loops, from, width, height, every, frames, quality }) {
  /** @type {typeof import('mediabunny')} */
  const { ALL_FORMATS, BlobSource, Input, VideoSampleSink } = Reflect.get(window, 'Mediabunny')
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width, height })
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', { alpha: false }))
  context.imageSmoothingQuality = 'high'
  const files = []
  for (const loop of loops) {
    const bytes = Uint8Array.from(atob(loop), (letter) => letter.charCodeAt(0))
    const input = new Input({ formats: ALL_FORMATS, source: new BlobSource(new Blob([bytes])) })
    const track = await input.getPrimaryVideoTrack()
    if (track === null) throw new Error('a loop has no picture')
    let k = 0
    for await (const frame of new VideoSampleSink(track).samples()) {
      if (k >= from && (k - from) % every === 0 && k - from < every * frames) {
        frame.draw(context, 0, 0, width, height)
        files.push(canvas.toDataURL('image/webp', quality).split(',')[1] ?? '')
      }
      frame.close()
      k++
    }
  }
  return files
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
