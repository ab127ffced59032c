import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { pick } from '../support/tier.js'
import { expect, test } from './fixture.js'

type State = Record<string, number | string>

const SCENES = [
  'station',
  'your-scene',
  'murmuration',
  'river',
  'gates',
  'docking',
  'explain',
  'landing',
  'directed-seek',
  'reef',
  'asteroids',
  'dogfight',
  'air-show',
  'canyon',
  'antipodes',
  'crossroads',
  'street',
  'needle',
  'black-art',
  'lighthouse',
] as const
type Scene = (typeof SCENES)[number]

/**
 * Numbers of agents, small because a software renderer is slow. For the same reason pages are opened rarely.
 */
const COUNT: Record<Scene, string> = {
  station: '&count=2',
  murmuration: '&count=200',
  river: '&count=100',
  gates: '&count=3',
  docking: '&count=3',
  explain: '&count=4',
  landing: '&count=2',
  'directed-seek': '&count=2',
  asteroids: '&count=2',
  dogfight: '&count=6',
  'air-show': '&count=4',
  canyon: '&count=6',
  antipodes: '&count=12',
  crossroads: '&count=16',
  street: '&count=4',
  needle: '&count=3',
  'black-art': '&count=3',
  reef: '&count=12',
  lighthouse: '&count=20',
  'your-scene': '&count=4',
}
const USUAL = 'is visible, runs, pauses, steps, depends on its seed only, and fits the window'
// without a graphics card a frame may take seconds, and the first ones of a scene many
const PATIENCE = { timeout: 120_000 }
test.slow()

/** Device pixel ratio: few pixels for the same page size, because a software renderer is slow per pixel. */
const PIXELS = 0.25
// with less motion the picture moves aside for panels at once
test.use({ deviceScaleFactor: PIXELS, contextOptions: { reducedMotion: 'reduce' } })

/**
 * Limits drawing to about four frames a second, because a software renderer would leave little time for the
 * test.
 */
function slowDisplay(): void {
  const onNext = window.requestAnimationFrame.bind(window)
  window.requestAnimationFrame = (callback) => window.setTimeout(() => onNext(callback), 250)
  window.cancelAnimationFrame = (id) => window.clearTimeout(id)
}

async function open(page: Page, query: string): Promise<void> {
  await page.goto(`/?${query}`)
  await page.waitForFunction(() => 'demo' in window)
  await page.evaluate(() => window.demo.ready)
}

async function openScene(page: Page, scene: Scene, seed = 3, more = '&paused=1'): Promise<void> {
  if (scene !== 'murmuration') await page.addInitScript(slowDisplay)
  // one scene suffices to test the light of the sky
  const light = scene === 'docking' ? '' : '&sky=0'
  await open(page, `scene=${scene}&seed=${seed}&aa=0&pixels=1${light}${COUNT[scene]}${more}`)
}

const step = (page: Page, n: number): Promise<State> =>
  page.evaluate((count) => {
    window.demo.step(count)
    return window.demo.state()
  }, n)

const state = (page: Page): Promise<State> => page.evaluate(() => window.demo.state())

const numberOf = (from: State, name: string): number => {
  expect(typeof from[name], name).toBe('number')
  return from[name] as number
}

interface Picture {
  /** Number of different colours, of 4096. */
  colors: number
  /** Share of the most frequent colour. */
  commonest: number
  brightest: number
}

/** Colour statistics of a screenshot of the page. */
const look = async (page: Page): Promise<Picture> => lookAt(page, await page.screenshot())

async function lookAt(page: Page, screenshot: Buffer): Promise<Picture> {
  const png = screenshot.toString('base64')
  return page.evaluate(async (data) => {
    const blob = await (await fetch(`data:image/png;base64,${data}`)).blob()
    const image = await createImageBitmap(blob)
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d')!
    context.drawImage(image, 0, 0)
    const pixels = context.getImageData(0, 0, image.width, image.height).data
    const seen = new Map<number, number>()
    let brightest = 0
    for (let i = 0; i < pixels.length; i += 4) {
      const [r, g, b] = [pixels[i]!, pixels[i + 1]!, pixels[i + 2]!]
      const color = ((r >> 4) << 8) | ((g >> 4) << 4) | (b >> 4)
      seen.set(color, (seen.get(color) ?? 0) + 1)
      brightest = Math.max(brightest, r, g, b)
    }
    return { colors: seen.size, commonest: Math.max(...seen.values()) / (pixels.length / 4), brightest }
  }, png)
}

/** Opens a panel, if it is closed. */
async function openPanel(page: Page, id: 'about' | 'code' | 'readout' | 'controls'): Promise<void> {
  const button = page.locator(`#toggles button[aria-controls=${id}]`)
  if ((await button.getAttribute('aria-expanded')) !== 'true') await button.click()
  await expect(page.locator(`#${id}`)).toBeVisible()
}

/** Closes all panels, and waits until the picture is in the middle of the window. */
async function closePanels(page: Page): Promise<void> {
  for (const button of await page.locator('#toggles button[aria-expanded=true]').all()) await button.click()
  await settle(page)
}

/**
 * Waits until no panel moves any more, the page has measured the panels, which it does once a frame, and the
 * picture and its tags have moved aside.
 */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const moving = document
      .getAnimations()
      .filter(({ effect }) => effect!.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(moving.map(({ finished }) => finished))
  })
  const frames = (): Promise<number> => page.evaluate(() => window.demo.frames)
  const drawn = await frames()
  await expect.poll(frames, PATIENCE).toBeGreaterThan(drawn + 1)
  await step(page, 0)
  await step(page, 0)
}

/** A row of the control panel, by its name. Opens the panel if it is closed, as on a small screen. */
async function row(page: Page, name: string): Promise<Locator> {
  const panel = page.locator('.lil-gui.lil-root')
  await openPanel(page, 'controls')
  const named = page.locator('.lil-name').getByText(name, { exact: true })
  const found = panel.locator('.lil-controller').filter({ has: named })
  await expect(found).toHaveCount(1)
  await found.scrollIntoViewIfNeeded()
  return found
}

/** Drags the slider of a row with the mouse to a share of its width. */
async function drag(page: Page, name: string, share: number): Promise<void> {
  const slider = (await row(page, name)).locator('.lil-slider')
  const box = (await slider.boundingBox())!
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + box.width / 2, y)
  await page.mouse.down()
  await page.mouse.move(box.x + share * box.width, y, { steps: 5 })
  await page.mouse.up()
}

const fingerprint = async (page: Page): Promise<number | string | undefined> =>
  (await state(page))['fingerprint']

/** Expects a picture that is not empty. */
function expectSeen({ colors, commonest, brightest }: Picture): void {
  expect(colors).toBeGreaterThan(20)
  expect(commonest).toBeLessThan(0.95)
  expect(brightest).toBeGreaterThan(120)
}

/** Resizes the window to `width` by `height` (pixels), and waits until the picture fills it. */
async function resize(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height })
  const size = (): Promise<number[]> =>
    page
      .locator('canvas')
      .first()
      .evaluate((canvas: HTMLCanvasElement) => [
        canvas.clientWidth,
        canvas.clientHeight,
        canvas.width,
        canvas.height,
      ])
  await expect
    .poll(size, PATIENCE)
    .toEqual([width, height, Math.floor(width * PIXELS), Math.floor(height * PIXELS)])
}

/** Windows in which nothing may overlap: a desktop, a small window, and a phone held upright and lying. */
const WINDOWS = [
  [1440, 900],
  [1000, 620],
  [390, 844],
  [844, 390],
  [320, 568],
] as const

/** Pairs of panels that overlap, panels that reach out of the window, and a title that is cut. */
const faultsOfLayout = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const panels = '#top > *, #cards > *, #about, #foot > *, #code, #controls, #readout'
    const boxes = [...document.querySelectorAll(panels)]
      .map((panel) => ({ name: panel.id || panel.className, box: panel.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && box.height > 0)
    const { innerHeight: height, innerWidth: width } = window
    const outside = boxes
      .filter(({ box }) => box.left < -0.5 || box.right > width + 0.5 || box.bottom > height + 0.5)
      .map(({ name }) => `${name} reaches out of the window`)
    const crossings = boxes.flatMap(({ name, box: a }, k) =>
      boxes
        .slice(k + 1)
        .filter(({ box: b }) => a.left < b.right - 1 && b.left < a.right - 1)
        .filter(({ box: b }) => a.top < b.bottom - 1 && b.top < a.bottom - 1)
        .map((other) => `${name} and ${other.name} overlap`),
    )
    const title = document.querySelector('#scene-title')!
    const isCut = title.scrollWidth > title.clientWidth || title.scrollHeight > title.clientHeight
    return [...outside, ...crossings, ...(isCut ? ['the title is cut'] : [])]
  })

/** Windows of a scene's test: two of the sizes, and other ones for the next scene; all in the full run. */
function windowsFor(scene: Scene): readonly (readonly [number, number])[] {
  const first = SCENES.indexOf(scene)
  const two = [first, first + 2].map((k) => WINDOWS[k % WINDOWS.length]!)
  return pick(two, two, [...WINDOWS])
}

/** Expects that the picture fills the windows, and that panels lie inside and do not overlap. */
async function expectFits(page: Page, windows: readonly (readonly [number, number])[]): Promise<void> {
  for (const [width, height] of windows) {
    await resize(page, width, height)
    const widthOfPage = (): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth)
    await expect.poll(widthOfPage).toBeLessThanOrEqual(width)
    for (const panel of ['about', 'code', 'controls', 'readout'] as const) {
      await openPanel(page, panel)
      // panels that are new slide in, and the code is loaded when it is asked for
      const faults = (): Promise<string[]> => faultsOfLayout(page)
      await expect.poll(faults, `${width} by ${height}, ${panel} opened`).toEqual([])
    }
  }
  await resize(page, 640, 360)
  await openPanel(page, 'controls')
  const last = page.locator('.lil-gui.lil-root .lil-controller').last()
  await last.scrollIntoViewIfNeeded()
  const { y, height } = (await last.boundingBox())!
  expect(y + height).toBeLessThanOrEqual(360)
}

/**
 * Tests common to all scenes, in one visit, because loading a scene takes longer than any number of steps.
 * Leaves the scene paused, 60 steps after its start from seed 3.
 */
async function usual(page: Page, scene: Scene): Promise<void> {
  await openScene(page, scene)
  expect(await page.evaluate(() => window.demo.scene)).toBe(scene)
  await expect(page.locator('#message')).toBeHidden()
  const text = page.locator('#code .text')
  await openPanel(page, 'code')
  await expect(text).toContainText('behavior')
  await expect(page.locator('#code header a')).toHaveAttribute('href', /^https:.*\/demo\/.*#L\d+-L\d+$/)
  const before = await page.screenshot()
  const there = await step(page, 60)
  const after = await page.screenshot()
  expectSeen(await lookAt(page, after))
  expect(before.equals(after)).toBe(false)
  expect(await state(page)).toEqual(there)

  const pause = (await row(page, 'pause')).locator('input')
  await pause.click()
  await expect.poll(() => fingerprint(page), PATIENCE).not.toBe(there['fingerprint'])
  await pause.click()
  const paused = await state(page)
  expect(await state(page)).toEqual(paused)
  await (await row(page, 'single step')).locator('button').press('Enter')
  expect(await fingerprint(page)).not.toBe(paused['fingerprint'])
  await expectFits(page, windowsFor(scene))

  await page.evaluate(() => window.demo.reset(4))
  expect((await step(page, 60))['fingerprint']).not.toBe(there['fingerprint'])
  // in two parts
  await page.evaluate(() => window.demo.reset(3))
  await step(page, 23)
  expect(await step(page, 37)).toEqual(there)
  // a scene that is opened again leaves nothing behind on the graphics card; the card holds what was shown
  await settle(page)
  const held = async (): Promise<Record<'geometries' | 'textures', number>> => {
    await page.evaluate(() => window.demo.reset(3))
    await step(page, 60)
    return page.evaluate(() => window.demo.memory())
  }
  const memory = await held()
  const later = await held()
  expect(later.geometries).toBeLessThanOrEqual(memory.geometries)
  expect(later.textures).toBeLessThanOrEqual(memory.textures)
}

// tagged tests run in `npm test`; all others only in `npm run test:all`
test.describe('the gallery', { tag: '@look' }, () => {
  test('shows exactly the scenes that this file tests, each with a picture and a link', async ({ page }) => {
    await open(page, '')
    await expect(page.locator('#gallery h1')).toHaveText('three-steering')
    const preview = page.locator('meta[property="og:image"]')
    await expect(preview).toHaveAttribute('content', /^https:.*preview\.jpg$/)
    const cards = page.locator('#gallery a.card')
    const links = await cards.evaluateAll((all) => all.map((a) => a.getAttribute('href')))
    expect(new Set(links)).toEqual(new Set(SCENES.map((scene) => `?scene=${scene}`)))
    for (const scene of SCENES) {
      const card = page.locator(`#gallery a.card[href="?scene=${scene}"]`)
      await expect(card.locator('h3')).not.toBeEmpty()
      await expect(card.locator('p')).not.toBeEmpty()
      const image = card.locator('img')
      await image.scrollIntoViewIfNeeded()
      await expect
        .poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth), PATIENCE)
        .toBeGreaterThan(100)
    }
    // pointed at, a card plays its loop; whoever asked for less motion sees the still
    const docking = page.locator('#gallery a.card[href="?scene=docking"]')
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await docking.hover()
    await cards.first().hover()
    await expect(page.locator('#gallery video')).toHaveCount(0)
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await docking.hover()
    const video = docking.locator('video')
    await expect
      .poll(() => video.evaluate((v: HTMLVideoElement) => v.currentTime), PATIENCE)
      .toBeGreaterThan(0)
    await cards.first().hover()
    await expect.poll(() => video.evaluate((v: HTMLVideoElement) => v.paused)).toBe(true)
    await cards.first().click()
    await page.waitForFunction(() => 'demo' in window && window.demo.scene !== '')
    await page.evaluate(() => window.demo.ready)
    expect(await page.evaluate(() => window.demo.frames)).toBeGreaterThan(0)
  })

  test('reports an unknown scene, and shows the others', async ({ page }) => {
    await open(page, 'scene=nowhere')
    await expect(page.locator('#message')).toContainText('nowhere')
    await expect(page.locator('#gallery a.card').first()).toBeVisible()
  })

  test('reports an invalid address', async ({ page }) => {
    await page.goto('/?scene=murmuration&count=many')
    await expect(page.locator('#message')).toContainText('count=many')
    await page.goto('/?scene=murmuration&seed=-1')
    await expect(page.locator('#message')).toContainText('seed=-1')
  })
})

test.describe('murmuration', () => {
  // the fastest scene, so features common to all scenes are tested here
  test(
    'runs by itself, pauses, makes single steps, and restarts with another seed',
    { tag: '@look' },
    async ({ page }) => {
      await page.emulateMedia({ reducedMotion: 'no-preference' })
      await openScene(page, 'murmuration', 3, '')
      const first = await fingerprint(page)
      const frames = (): Promise<number> => page.evaluate(() => window.demo.frames)
      await expect.poll(() => fingerprint(page), PATIENCE).not.toBe(first)

      await (await row(page, 'pause')).locator('input').click()
      const paused = await state(page)
      const drawn = await frames()
      // it still draws, because the camera may move
      await expect.poll(frames, PATIENCE).toBeGreaterThan(drawn + 1)
      expect(await state(page)).toEqual(paused)

      await (await row(page, 'single step')).locator('button').press('Enter')
      const stepped = await fingerprint(page)
      expect(stepped).not.toBe(paused['fingerprint'])

      const chosen = 7000
      const seed = (await row(page, 'seed')).locator('input')
      await seed.fill(String(chosen))
      await seed.press('Enter')
      // while the scene is opened again it has none
      await expect.poll(async () => (await fingerprint(page)) ?? stepped, PATIENCE).not.toBe(stepped)
      const moved = await step(page, 30)
      await page.evaluate((next) => window.demo.reset(next), chosen)
      expect(await step(page, 30)).toEqual(moved)

      await page.evaluate(() => window.demo.pause(false))
      await expect.poll(() => fingerprint(page), PATIENCE).not.toBe(moved['fingerprint'])
    },
  )

  test('stands still for whoever prefers less motion, takes keys, and letters can be turned off', async ({
    page,
  }) => {
    await openScene(page, 'murmuration', 3, '')
    const before = await fingerprint(page)
    const start = page.getByRole('button', { name: 'Start the motion' })
    await expect(start).toBeVisible()
    expect(await fingerprint(page)).toBe(before)
    await start.click()
    await expect(start).toBeHidden()
    await expect.poll(() => fingerprint(page), PATIENCE).not.toBe(before)
    await page.evaluate(() => window.demo.pause(true))

    await closePanels(page)
    const canvas = page.locator('#stage canvas')
    await canvas.focus()
    const seen = await page.screenshot()
    for (let k = 0; k < 5; k++) await page.keyboard.press('ArrowRight')
    await settle(page)
    expect((await page.screenshot()).equals(seen)).toBe(false)
    expect(await page.evaluate(() => window.demo.scene)).toBe('murmuration')

    const about = page.locator('#about')
    await page.keyboard.press('i')
    await expect(about).toBeVisible()
    await page.keyboard.press('m')
    await page.getByLabel('Letters are commands').uncheck()
    await page.keyboard.press('Escape')
    await canvas.focus()
    await page.keyboard.press('i')
    await expect(about).toBeVisible()
  })

  test('depends on its seed only: the same after a reset, and in another window', async ({
    page,
    context,
  }) => {
    await openScene(page, 'murmuration')
    const first = await step(page, 120)
    await page.evaluate(() => window.demo.reset(4))
    expect((await step(page, 120))['fingerprint']).not.toBe(first['fingerprint'])
    // in two parts
    await page.evaluate(() => window.demo.reset(3))
    await step(page, 50)
    expect(await step(page, 70)).toEqual(first)
    await page.close()
    const other = await context.newPage()
    await openScene(other, 'murmuration')
    expect(await step(other, 120)).toEqual(first)
  })

  test('is visible, moves, and fills a window of changing size, with and without texts and controls', async ({
    page,
  }) => {
    await openScene(page, 'murmuration', 3, '&paused=1&ui=0')
    await step(page, 60)
    expectSeen(await look(page))
    const before = await page.screenshot()
    await step(page, 120)
    expect(before.equals(await page.screenshot())).toBe(false)
    // upright as on a phone, wide, and back
    for (const [width, height] of [
      [300, 560],
      [500, 280],
      [640, 360],
    ] as const) {
      await resize(page, width, height)
      await step(page, 1)
    }
    expect((await look(page)).colors).toBeGreaterThan(20)
    // opened upright
    await page.setViewportSize({ width: 320, height: 568 })
    await openScene(page, 'murmuration')
    await expectFits(page, WINDOWS)
  })

  test('the birds fly together, near their roost; sliders change the flock', async ({ page }) => {
    await openScene(page, 'murmuration')
    const speed = numberOf(await step(page, 600), 'mean speed')
    const after = await step(page, 300)
    expect(numberOf(after, 'birds')).toBe(200)
    expect(numberOf(after, 'mean speed')).toBeGreaterThan(5)
    expect(numberOf(after, 'mean speed')).toBeLessThan(30)
    expect(numberOf(after, 'polarisation')).toBeGreaterThan(0.2)
    expect(numberOf(after, 'polarisation')).toBeLessThanOrEqual(1)
    expect(numberOf(after, 'spread')).toBeGreaterThan(2)
    expect(numberOf(after, 'spread')).toBeLessThan(120)
    const flock = await step(page, 300)

    await page.evaluate(() => window.demo.reset())
    await drag(page, 'alignment', 0.01)
    const loose = await step(page, 1200)
    expect(loose['fingerprint']).not.toBe(flock['fingerprint'])
    expect(numberOf(loose, 'polarisation')).toBeLessThan(numberOf(flock, 'polarisation') + 0.05)

    await page.evaluate(() => window.demo.reset())
    await drag(page, 'max speed, m/s', 0.02)
    expect(numberOf(await step(page, 600), 'mean speed')).toBeLessThan(0.8 * speed)
  })
})

for (const scene of ['antipodes', 'crossroads', 'reef'] as const)
  test(`${scene} › ${USUAL}`, ({ page }) => usual(page, scene))

test.describe('river', () => {
  test(`${USUAL}; touches no rock; birds follow a drawn flow until it is cleared`, async ({ page }) => {
    await usual(page, 'river')
    expect(numberOf(await state(page), 'touching rock')).toBe(0)
    const undisturbed = (await step(page, 30))['fingerprint']
    await page.evaluate(() => window.demo.reset(3))
    await step(page, 60)
    const { width, height } = page.viewportSize()!
    await page.mouse.move(0.3 * width, 0.6 * height)
    await page.mouse.down()
    await page.mouse.move(0.7 * width, 0.65 * height, { steps: 8 })
    await page.mouse.up()
    expect(numberOf(await state(page), 'strokes')).toBeGreaterThan(2)
    expect((await step(page, 30))['fingerprint']).not.toBe(undisturbed)
    await (await row(page, 'clear what was painted')).locator('button').click()
    expect(numberOf(await state(page), 'strokes')).toBe(0)
    await (await row(page, 'river')).locator('select').selectOption({ label: 'an eight' })
    expect(numberOf(await step(page, 60), 'mean speed')).toBeGreaterThan(8)
  })
})

test.describe('lighthouse', () => {
  test(`${USUAL}; boats sail on from each buoy; components mount and unmount`, async ({ page }) => {
    await usual(page, 'lighthouse')
    const there = await state(page)
    expect([there['boats'], there['gulls'], there['agents']]).toEqual([4, 20, 24])
    expect(numberOf(await step(page, 2400), 'arrivals')).toBeGreaterThan(4)
    await drag(page, 'boats', 0.999)
    await drag(page, 'gulls', 0.01)
    const after = await step(page, 1)
    expect([after['boats'], after['gulls'], after['agents']]).toEqual([8, 0, 8])
  })
})

test.describe('street', () => {
  test(`${USUAL}; cars come through; cars no longer stop for walkers`, async ({ page }) => {
    await usual(page, 'street')
    // with this seed eleven walkers cross at once, and the cars wait for them until 1800
    const there = await step(page, 2100)
    expect(numberOf(there, 'came through')).toBeGreaterThan(2)
    expect(numberOf(there, 'contacts')).toBe(0)
    await (await row(page, 'cars let walkers cross')).locator('input').click()
    await drag(page, 'max steer, °', 0.4)
    expect((await step(page, 300))['fingerprint']).not.toBe(there['fingerprint'])
  })
})

/** Points of the picture, not of a panel, below the tags that are seen. One of them is near the ship. */
function pointsBelowTags(page: Page): Promise<readonly { x: number; y: number }[]> {
  return page.evaluate(() => {
    const points: { x: number; y: number }[] = []
    for (const tag of document.querySelectorAll('.tags button:not([hidden])')) {
      const { left, width, bottom } = tag.getBoundingClientRect()
      const x = left + width / 2
      // a ship is 15 to 240 px below its tag, and a click finds it 34 px away
      for (let y = bottom + 25; y < bottom + 240; y += 40) {
        if (document.elementFromPoint(x, y)?.tagName === 'CANVAS') points.push({ x, y })
      }
    }
    return points
  })
}

test.describe('station', () => {
  test(`${USUAL}; a key takes the stick, orders go to the wing, and a ship explains itself`, async ({
    page,
  }) => {
    await usual(page, 'station')
    expect(numberOf(await step(page, 1), 'contacts')).toBe(0)
    await page.keyboard.down('KeyW')
    const flown = await step(page, 60)
    await page.keyboard.up('KeyW')
    expect(numberOf(flown, 'played')).toBe(1)
    expect(numberOf(flown, 'contacts')).toBe(0)
    await resize(page, 1000, 600)
    const orders = page.locator('.command')
    await page.keyboard.press('3')
    await step(page, 15)
    await expect(orders.locator('button', { hasText: 'Guard' })).toHaveAttribute('aria-pressed', 'true')
    await orders.locator('button', { hasText: 'Autopilot' }).click()
    expect(numberOf(await step(page, 15), 'played')).toBe(0)
    await (await row(page, 'explain')).locator('select').selectOption({ label: 'wing 1' })
    expect((await step(page, 20))['explained']).toBe('wing 1')
    await expect(page.locator('.tree h2')).toHaveText('wing 1')
    await page.keyboard.press('Escape')
    expect((await step(page, 1))['explained']).toBe('')
    await settle(page)
    let explained: unknown = ''
    for (let attempt = 0; attempt < 10 && explained === ''; attempt++) {
      for (const { x, y } of await pointsBelowTags(page)) {
        await page.mouse.click(x, y)
        explained = (await step(page, 1))['explained']
        if (explained !== '') break
      }
      if (explained === '') await step(page, 30)
    }
    expect(explained).not.toBe('')
    await expect(page.locator('.tree h2')).toHaveText(String(explained))
  })
})

test.describe('docking', () => {
  test(`${USUAL}; ships dock and unload without other contacts; the camera can look out of a port and follow a ship`, async ({
    page,
  }) => {
    await usual(page, 'docking')
    const early = await state(page)
    await expect(page.locator('.board li')).toHaveCount(3)
    const after = await step(page, 1740)
    expect(numberOf(after, 'ships')).toBe(3)
    expect(numberOf(after, 'dockings')).toBeGreaterThanOrEqual(2)
    expect(numberOf(after, 'mean offset, mm')).toBeLessThan(20)
    expect(numberOf(after, 'contacts')).toBe(0)
    await expect(page.locator('.board')).toContainText('port')

    const camera = (await row(page, 'camera')).locator('select')
    const overview = await page.screenshot()
    for (const view of ['out of port 2', 'with freighter 3']) {
      await camera.selectOption({ label: view })
      await step(page, 1)
      expect(overview.equals(await page.screenshot())).toBe(false)
    }
    await camera.selectOption({ label: 'overview' })

    await page.evaluate(() => window.demo.reset())
    await drag(page, 'station turns, rad/s', 0.95)
    expect((await step(page, 60))['fingerprint']).not.toBe(early['fingerprint'])
  })
})

test.describe('explain', () => {
  test(`${USUAL}; a click, a key and a tag select a ship, and its tree shows the deciding part`, async ({
    page,
  }) => {
    await usual(page, 'explain')
    await resize(page, 1000, 600)
    const tree = page.locator('.tree')
    await expect(tree.locator('h2')).toHaveText('guard 1')
    await expect(tree.locator('.states [data-is=patrol]')).toContainText('patrol')
    await expect(tree.locator('li', { hasText: 'FollowPath' })).toHaveAttribute('data-is', /granted|cut/)
    await expect(tree.locator('li', { hasText: 'Undock' })).toHaveAttribute('data-is', 'not asked')
    await page.keyboard.press('ArrowRight')
    expect((await step(page, 60))['explained']).toBe('guard 2')
    await expect(tree.locator('h2')).toHaveText('guard 2')
    // the menu closes first
    await page.keyboard.press('m')
    await expect(page.locator('#menu')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.locator('#menu')).toBeHidden()
    await expect(tree).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(tree).toBeHidden()
    await step(page, 150)
    await settle(page)
    // next to the tag, on the ship itself
    const tag = page.locator('.tags button:not([hidden])', { hasText: 'guard' }).first()
    const name = (await tag.textContent())!.slice(0, 'guard 1'.length)
    const box = (await tag.boundingBox())!
    await page.mouse.click(box.x + box.width / 2, box.y + box.height + 14)
    expect((await step(page, 1))['explained']).toBe(name)

    const after = await step(page, 1500)
    expect(numberOf(after, 'guards')).toBe(2)
    expect(numberOf(after, 'contacts')).toBe(0)
    expect(numberOf(after, 'lines')).toBeGreaterThan(4)
    expect(numberOf(after, 'parts granted')).toBeGreaterThan(1)
    const before = await page.screenshot()
    await (await row(page, 'arrows')).locator('input').click()
    await step(page, 1)
    expect(before.equals(await page.screenshot())).toBe(false)
  })
})

test.describe('gates', () => {
  test(`${USUAL}; ships race through the gates; course and number of ships can be chosen`, async ({
    page,
  }) => {
    await usual(page, 'gates')
    const after = await step(page, 840)
    expect(numberOf(after, 'ships')).toBe(3)
    expect(numberOf(after, 'gates passed')).toBeGreaterThan(12)
    expect(numberOf(after, 'missed')).toBe(0)
    expect(numberOf(after, 'contacts')).toBe(0)
    await expect(page.locator('.board h2')).toContainText('of 14')
    const before = await page.screenshot()
    await (await row(page, 'camera')).locator('select').selectOption('overview')
    await step(page, 1)
    expect(before.equals(await page.screenshot())).toBe(false)
    await page.evaluate(() => window.demo.reset())
    await (await row(page, 'course')).locator('select').selectOption('through the middles')
    expect((await step(page, 900))['fingerprint']).not.toBe(after['fingerprint'])
  })
})

test.describe('asteroids', () => {
  test(`${USUAL}; ships cross the field without contacts; those by the textbook method touch rocks`, async ({
    page,
  }) => {
    await usual(page, 'asteroids')
    await (await row(page, 'compare with the textbook')).locator('input').click()
    await expect(page.locator('.versus p')).toHaveCount(2)
    const after = await step(page, 840)
    expect(numberOf(after, 'arrivals')).toBeGreaterThanOrEqual(2)
    expect(numberOf(after, 'hits')).toBe(0)
    expect(numberOf(after, 'bumps')).toBe(0)
    expect(numberOf(after, 'speed share')).toBeGreaterThan(0.4)
    expect(numberOf(after, 'textbook hits')).toBeGreaterThan(0)
    await expect(page.locator('.versus .worse b')).toContainText(String(after['textbook hits']))
    await expect(page.locator('.versus .better b')).toHaveText('0 hits')
    await (await row(page, 'compare with the textbook')).locator('input').click()
    await expect(page.locator('.versus')).toHaveCount(0)
    expect(await state(page)).not.toHaveProperty('textbook hits')

    await step(page, 150)
    const before = await page.screenshot()
    await (await row(page, 'show the YZ plane')).locator('input').click()
    await step(page, 1)
    expect(before.equals(await page.screenshot())).toBe(false)
    await (await row(page, 'show the YZ plane')).locator('input').click()
    await step(page, 1)
  })
})

test.describe('dogfight', () => {
  test(`${USUAL}; aircraft shoot and hit without collisions; the camera can follow, and break turns can be disabled`, async ({
    page,
  }) => {
    await usual(page, 'dogfight')
    const after = await step(page, 1140)
    expect(numberOf(after, 'fighters')).toBe(6)
    expect(numberOf(after, 'shots')).toBeGreaterThan(0)
    expect(numberOf(after, 'hits')).toBeGreaterThan(0)
    expect(numberOf(after, 'collisions')).toBe(0)
    const before = await page.screenshot()
    await (await row(page, 'camera')).locator('select').selectOption('behind red 2')
    await step(page, 1)
    expect(before.equals(await page.screenshot())).toBe(false)
    await page.evaluate(() => window.demo.reset())
    await (await row(page, 'break turns')).locator('input').click()
    expect((await step(page, 1200))['fingerprint']).not.toBe(after['fingerprint'])
  })
})

test.describe('air-show', () => {
  test(`${USUAL}; the wing stays together, changes its formation, and closes up when a member leaves`, async ({
    page,
  }) => {
    await usual(page, 'air-show')
    await expect(page.locator('.announcer')).toContainText('arrow')
    await (await row(page, 'formation')).locator('select').selectOption('line')
    expect((await step(page, 30))['pattern']).toBe('line')
    await page.getByRole('button', { name: 'one falls out' }).press('Enter')
    // not before the line stands
    expect(numberOf(await step(page, 120), 'jets')).toBe(3)
    await expect(page.locator('.announcer')).toContainText('closes up')
    const after = await step(page, 300)
    expect(numberOf(after, 'collisions')).toBe(0)
    expect(numberOf(after, 'slot error')).toBeLessThan(0.3)
    const before = await page.screenshot()
    await (await row(page, 'camera')).locator('select').selectOption('chase')
    await step(page, 1)
    expect(before.equals(await page.screenshot())).toBe(false)
  })
})

test.describe('canyon', () => {
  test(`${USUAL}; birds fly through without contacts`, async ({ page }) => {
    await usual(page, 'canyon')
    const after = await step(page, 540)
    expect(numberOf(after, 'birds')).toBe(6)
    expect(numberOf(after, 'contacts')).toBe(0)
    expect(numberOf(after, 'speed share')).toBeGreaterThan(0.7)
  })
})

test.describe('needle', () => {
  test(`${USUAL}; ships close up, pass the gate without contacts, and form again`, async ({ page }) => {
    await usual(page, 'needle')
    const after = await step(page, 1620)
    expect(numberOf(after, 'ships')).toBe(3)
    expect(numberOf(after, 'passages')).toBe(1)
    expect(numberOf(after, 'contacts')).toBe(0)
    expect(numberOf(after, 'formed after, s')).toBeGreaterThan(0)
    const before = await page.screenshot()
    await (await row(page, 'camera')).locator('select').selectOption('beside them')
    await step(page, 1)
    expect(before.equals(await page.screenshot())).toBe(false)
  })
})

test.describe('your-scene', () => {
  test(`${USUAL}; a model of one's own flies, also when it is dropped; bad files are explained`, async ({
    page,
  }) => {
    await usual(page, 'your-scene')
    await closePanels(page)
    const card = page.locator('.hangar')
    await expect(card.locator('h2')).toHaveText('ship')
    const before = await page.screenshot()

    await card.locator('input[type=file]').setInputFiles('assets/shark.glb')
    await expect(card.locator('h2')).toHaveText('shark.glb')
    await expect(card.locator('p')).toContainText('triangles, 5.0 ×')
    await step(page, 30)
    expect(before.equals(await page.screenshot())).toBe(false)
    await card.getByTitle('Turn its nose: left').click()
    await expect(card.locator('p')).toContainText('× 5.0 ×')

    // dropped anywhere
    const drop = (name: string, bytes: number[]): Promise<void> =>
      page.evaluate(
        ([title, content]) => {
          const data = new DataTransfer()
          data.items.add(new File([new Uint8Array(content)], title))
          const canvas = document.querySelector('canvas')!
          const init = { bubbles: true, cancelable: true, dataTransfer: data }
          canvas.dispatchEvent(new DragEvent('dragover', init))
          canvas.dispatchEvent(new DragEvent('drop', init))
        },
        [name, bytes] as const,
      )
    await drop('mine.glb', [...readFileSync('assets/bird.glb')])
    await expect(card.locator('h2')).toHaveText('mine.glb')
    await drop('holiday.jpg', [0xff, 0xd8, 0xff, 0xe0])
    await expect(card.locator('p.error')).toContainText('holiday.jpg is not a GLB')
    await expect(card.locator('h2')).toHaveText('mine.glb')

    await card.getByRole('button', { name: 'arrive' }).click()
    expect(numberOf(await step(page, 1200), 'arrivals')).toBeGreaterThan(0)
    // the model stays when the scene starts again
    await page.evaluate(() => window.demo.reset(5))
    await expect(card.locator('h2')).toHaveText('mine.glb')
    expect(numberOf(await step(page, 300), 'contacts')).toBe(0)
  })
})

test.describe('black-art', () => {
  test(`${USUAL}; a name shows its tree; weights, order and switches change trees in flight`, async ({
    page,
  }) => {
    await usual(page, 'black-art')
    await resize(page, 1100, 600)
    await page.evaluate(() => window.demo.reset(3))
    const free = await step(page, 120)
    expect(numberOf(free, 'contacts, within')).toBe(0)
    await page.evaluate(() => window.demo.reset(3))
    const code = page.locator('.code pre')
    await expect(code).toHaveText('within([rocks, apart, inside], there)')
    const column = (name: string): Locator => page.locator('.columns button', { hasText: name })
    await column('weighted sum').click()
    await expect(code).toContainText('{ behavior: apart, weight: 4 }')
    await drag(page, 'keep apart', 1)
    await expect(code).toContainText('{ behavior: apart, weight: 8 }')
    await expect(column('truncated sum')).toHaveClass(/heard/)
    await (await row(page, '2 keep apart')).locator('button').click()
    await column('priority').click()
    await expect(code).toHaveText('priority([apart, rocks, inside, there])')
    await (await row(page, 'rocks')).locator('input').click()
    await expect(code).toContainText('{ behavior: rocks, enabled: false }')
    const changed = await step(page, 120)
    expect(changed['fingerprint']).not.toBe(free['fingerprint'])
    await expect(column('within').locator('p')).toHaveText(/^\d+ ?touch/)
  })
})

test.describe('landing', () => {
  test(`${USUAL}; landers land softly; the camera can ride along`, async ({ page }) => {
    await usual(page, 'landing')
    const flown = await step(page, 840)
    expect(numberOf(flown, 'landings')).toBeGreaterThanOrEqual(2)
    expect(numberOf(flown, 'error on the pad, cm')).toBeLessThan(2)
    expect(numberOf(flown, 'off level, degrees')).toBeLessThan(0.1)
    expect(numberOf(flown, 'bumps')).toBe(0)
    const before = await page.screenshot()
    await (await row(page, 'camera')).locator('select').selectOption('with lander 2')
    await step(page, 1)
    expect(before.equals(await page.screenshot())).toBe(false)
  })
})

test.describe('directed-seek', () => {
  test(`${USUAL}; aircraft land; the mathematics is behind a switch`, async ({ page }) => {
    await usual(page, 'directed-seek')
    await page.evaluate(() => window.demo.reset(3))
    const landed = await step(page, 1500)
    expect(numberOf(landed, 'landings')).toBeGreaterThan(0)
    expect(numberOf(landed, 'largest error at the threshold, cm')).toBeLessThan(5)
    expect(numberOf(landed, 'contacts')).toBe(0)
    const plain = await page.screenshot()
    const choice = (await row(page, 'mathematics')).locator('select')
    await choice.selectOption('on an aircraft')
    await step(page, 1)
    expect(plain.equals(await page.screenshot())).toBe(false)
    await choice.selectOption('three methods compared')
    await expect(page.locator('.score h2')).toBeVisible()
    await choice.selectOption('off')
    await expect(page.locator('.score')).toBeHidden()
    expect(numberOf(await state(page), 'landings')).toBeGreaterThan(0)
  })

  test('compares three methods; the waypoint can be dragged; courses and radius can be chosen', async ({
    page,
  }) => {
    await openScene(page, 'directed-seek')
    await resize(page, 1000, 600)
    await (await row(page, 'mathematics')).locator('select').selectOption('three methods compared')
    const first = await step(page, 1)
    const handle = (): Promise<{ x: number; y: number }> => page.evaluate(() => window.demo.placeOf('handle'))
    await settle(page)
    const aside = await handle()
    await settle(page)
    expect((await handle()).x).toBeCloseTo(aside.x, 1)
    await closePanels(page)
    const { x, y } = await handle()
    expect(x).toBeGreaterThan(aside.x + 50)
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 39, y + 39, { steps: 4 })
    await expect(page.locator('.score h2')).toContainText('yours', PATIENCE)
    const held = await state(page)
    expect(held['shortest, m']).not.toBe(first['shortest, m'])
    // all agents wait until the handle is released
    expect(await step(page, 30)).toEqual(held)
    await page.mouse.up()
    const flown = await step(page, 700)
    expect(numberOf(flown, 'arrivals')).toBeGreaterThan(0)
    expect(numberOf(flown, 'planned / shortest length')).toBeLessThan(1.01)
    await (await row(page, 'course')).locator('select').selectOption('planar')
    await expect.poll(() => page.locator('.score h2').textContent(), PATIENCE).toContain('planar')
    const planar = await state(page)
    await drag(page, 'turn radius of all, m', 0.9)
    expect((await state(page))['shortest, m']).not.toBe(planar['shortest, m'])
    const before = await page.screenshot()
    await (await row(page, 'turn circles')).locator('input').click()
    await step(page, 1)
    expect(before.equals(await page.screenshot())).toBe(false)
  })
})
