import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixture.js'

type State = Record<string, number | string>

const WHOLLY = ['murmuration', 'ships', 'your-scene'] as const
/** These cost a software renderer many seconds a page: they are opened seldom. */
const BRIEFLY = ['asteroids', 'canyon', 'hide'] as const
const SCENES = [...WHOLLY, ...BRIEFLY] as const
type Scene = (typeof SCENES)[number]

/** Few enough for a software renderer, which is slow: a page is opened as seldom as can be. */
const COUNT: Record<Scene, string> = {
  murmuration: '&count=200',
  ships: '&count=3',
  asteroids: '&count=2',
  canyon: '&count=6',
  hide: '&count=8',
  'your-scene': '',
}
const PATIENCE = { timeout: 20_000 }
const SLOW_START = { timeout: 60_000 }

// the first frames of a scene may take many seconds on a machine without a graphics card
test.slow()

async function open(page: Page, query: string): Promise<void> {
  await page.goto(`/?${query}`)
  await page.waitForFunction(() => 'demo' in window)
  await page.evaluate(() => window.demo.ready)
}

const openScene = (page: Page, scene: Scene, seed = 3, more = '&paused=1'): Promise<void> =>
  open(page, `scene=${scene}&seed=${seed}&aa=0&pixels=1${COUNT[scene]}${more}`)

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
  /** Different colours, of 4096. */
  colors: number
  /** Share of the commonest one. */
  commonest: number
  brightest: number
}

/** What can be seen on the page, by the pixels of a screenshot. */
async function look(page: Page): Promise<Picture> {
  const png = (await page.screenshot()).toString('base64')
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

/** A row of the control panel, by its name. The panel is opened when it is closed, as on a small screen. */
async function row(page: Page, name: string): Promise<Locator> {
  const panel = page.locator('.lil-gui.lil-root')
  if (await panel.evaluate((element) => element.classList.contains('lil-closed')))
    await panel.locator('> .lil-title').click()
  await expect(panel).not.toHaveClass(/lil-(closed|transition)/)
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

test.describe('the gallery', () => {
  test('shows every scene, with a picture, and leads there', async ({ page }) => {
    await open(page, '')
    await expect(page.locator('#gallery h1')).toHaveText('three-steering')
    const cards = page.locator('#gallery a.card')
    expect(await cards.count()).toBeGreaterThanOrEqual(SCENES.length)
    for (const scene of SCENES) {
      const card = page.locator(`#gallery a.card[href="?scene=${scene}"]`)
      await expect(card.locator('h2')).not.toBeEmpty()
      await expect(card.locator('p')).not.toBeEmpty()
      const image = card.locator('img')
      await image.scrollIntoViewIfNeeded()
      await expect
        .poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth))
        .toBeGreaterThan(100)
    }
    await cards.first().click()
    await page.waitForFunction(() => 'demo' in window && window.demo.scene !== '')
    await page.evaluate(() => window.demo.ready)
    expect(await page.evaluate(() => window.demo.frames)).toBeGreaterThan(0)
  })

  test('knows the scenes that this file tests, and no others', async ({ page }) => {
    await open(page, '')
    const links = await page
      .locator('#gallery a.card')
      .evaluateAll((all) => all.map((a) => a.getAttribute('href')))
    expect(new Set(links.map((href) => href?.replace('?scene=', '')))).toEqual(new Set(SCENES))
  })

  test('says so when there is no such scene, and shows the others', async ({ page }) => {
    await open(page, 'scene=nowhere')
    await expect(page.locator('#message')).toContainText('nowhere')
    await expect(page.locator('#gallery a.card').first()).toBeVisible()
  })

  test('says what is wrong with an address', async ({ page }) => {
    await page.goto('/?scene=murmuration&count=many')
    await expect(page.locator('#message')).toContainText('count=many')
    await page.goto('/?scene=murmuration&seed=-1')
    await expect(page.locator('#message')).toContainText('seed=-1')
  })
})

for (const scene of WHOLLY)
  test.describe(scene, () => {
    test('runs by itself, pauses, makes single steps, and starts afresh with another seed', async ({
      page,
    }) => {
      await openScene(page, scene, 3, '')
      expect(await page.evaluate(() => window.demo.scene)).toBe(scene)
      await expect(page.locator('#message')).toBeHidden()
      const first = await state(page)
      const frames = (): Promise<number> => page.evaluate(() => window.demo.frames)
      const fingerprint = async () => (await state(page))['fingerprint']
      await expect.poll(fingerprint, PATIENCE).not.toBe(first['fingerprint'])

      await (await row(page, 'pause')).locator('input').click()
      const paused = await state(page)
      const drawn = await frames()
      // it still draws, for the camera may move
      await expect.poll(frames, PATIENCE).toBeGreaterThan(drawn + 1)
      expect(await state(page)).toEqual(paused)

      await (await row(page, 'single step')).locator('button').press('Enter')
      const stepped = await state(page)
      expect(stepped['fingerprint']).not.toBe(paused['fingerprint'])

      const chosen = 7000
      const seed = (await row(page, 'seed')).locator('input')
      await seed.fill(String(chosen))
      await seed.press('Enter')
      await expect.poll(fingerprint, PATIENCE).not.toBe(stepped['fingerprint'])
      const moved = await step(page, 30)
      await page.evaluate((next) => window.demo.reset(next), chosen)
      expect(await step(page, 30)).toEqual(moved)

      await page.evaluate(() => window.demo.pause(false))
      await expect.poll(fingerprint, PATIENCE).not.toBe(moved['fingerprint'])
    })

    test('is a function of its seed: the same after a reset, and in another window', async ({
      page,
      context,
    }) => {
      await openScene(page, scene)
      const first = await step(page, 240)
      await page.evaluate(() => window.demo.reset(4))
      expect((await step(page, 240))['fingerprint']).not.toBe(first['fingerprint'])
      // in two helpings
      await page.evaluate(() => window.demo.reset(3))
      await step(page, 100)
      expect(await step(page, 140)).toEqual(first)
      await page.close()
      const other = await context.newPage()
      await openScene(other, scene)
      expect(await step(other, 240)).toEqual(first)
    })

    test('can be seen, moves, and fills a window that changes its size', async ({ page }) => {
      await openScene(page, scene, 3, '&paused=1&ui=0')
      await step(page, 60)
      const { colors, commonest, brightest } = await look(page)
      expect(colors).toBeGreaterThan(20)
      expect(commonest).toBeLessThan(0.95)
      expect(brightest).toBeGreaterThan(120)
      const before = await page.screenshot()
      await step(page, 120)
      expect(before.equals(await page.screenshot())).toBe(false)

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
      // upright as on a phone, flat, and back
      for (const [width, height] of [
        [300, 560],
        [500, 280],
        [640, 360],
      ] as const) {
        await page.setViewportSize({ width, height })
        await expect.poll(size, PATIENCE).toEqual([width, height, width, height])
        await step(page, 1)
      }
      expect((await look(page)).colors).toBeGreaterThan(20)
    })

    test('its words and controls stay inside the window, on a phone upright and lying', async ({ page }) => {
      await page.setViewportSize({ width: 320, height: 568 })
      await openScene(page, scene)
      await row(page, 'pause')
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(wide).toBeLessThanOrEqual(320)
      for (const id of ['top', 'about', 'readout']) {
        const box = await page.locator(`#${id}`).boundingBox()
        if (box === null) continue
        expect(box.x).toBeGreaterThanOrEqual(0)
        expect(box.x + box.width).toBeLessThanOrEqual(320.5)
      }
      await page.setViewportSize({ width: 640, height: 360 })
      const last = page.locator('.lil-gui.lil-root .lil-controller').last()
      await last.scrollIntoViewIfNeeded()
      const { y, height } = (await last.boundingBox())!
      expect(y + height).toBeLessThanOrEqual(360)
    })
  })

for (const scene of BRIEFLY)
  test.describe(scene, () => {
    test('can be seen, runs by itself, pauses, steps, and is a function of its seed', async ({ page }) => {
      await openScene(page, scene, 3, '')
      const first = await state(page)
      const fingerprint = async () => (await state(page))['fingerprint']
      await expect.poll(fingerprint, SLOW_START).not.toBe(first['fingerprint'])
      await (await row(page, 'pause')).locator('input').click()
      const paused = await state(page)
      expect(await state(page)).toEqual(paused)
      await (await row(page, 'single step')).locator('button').press('Enter')
      expect(await fingerprint()).not.toBe(paused['fingerprint'])

      await page.evaluate(() => window.demo.reset(3))
      const there = await step(page, 90)
      const { colors, commonest, brightest } = await look(page)
      expect(colors).toBeGreaterThan(20)
      expect(commonest).toBeLessThan(0.95)
      expect(brightest).toBeGreaterThan(120)
      // in two helpings
      await page.evaluate(() => window.demo.reset(3))
      await step(page, 37)
      expect(await step(page, 53)).toEqual(there)
      await page.evaluate(() => window.demo.reset(4))
      expect((await step(page, 90))['fingerprint']).not.toBe(there['fingerprint'])
    })
  })

test.describe('murmuration', () => {
  test('the birds fly, together and near their roost', async ({ page }) => {
    await openScene(page, 'murmuration')
    const after = await step(page, 900)
    expect(numberOf(after, 'birds')).toBe(200)
    expect(numberOf(after, 'mean speed')).toBeGreaterThan(5)
    expect(numberOf(after, 'mean speed')).toBeLessThan(30)
    expect(numberOf(after, 'order')).toBeGreaterThan(0.2)
    expect(numberOf(after, 'order')).toBeLessThanOrEqual(1)
    expect(numberOf(after, 'spread')).toBeGreaterThan(2)
    expect(numberOf(after, 'spread')).toBeLessThan(120)
  })

  test('the slider of the top speed slows them down', async ({ page }) => {
    await openScene(page, 'murmuration')
    const usual = numberOf(await step(page, 600), 'mean speed')
    await page.evaluate(() => window.demo.reset())
    await drag(page, 'top speed, m/s', 0.02)
    const slow = numberOf(await step(page, 600), 'mean speed')
    expect(slow).toBeLessThan(0.8 * usual)
  })

  test('the slider of a rule changes the flock', async ({ page }) => {
    await openScene(page, 'murmuration')
    const usual = await step(page, 300)
    await page.evaluate(() => window.demo.reset())
    await drag(page, 'alignment', 0.01)
    const loose = await step(page, 300)
    expect(loose['fingerprint']).not.toBe(usual['fingerprint'])
    expect(numberOf(loose, 'order')).toBeLessThan(numberOf(usual, 'order') + 0.05)
  })
})

test.describe('ships', () => {
  test('they reach their berths', async ({ page }) => {
    await openScene(page, 'ships')
    const after = await step(page, 3600)
    expect(numberOf(after, 'ships')).toBeGreaterThan(0)
    expect(numberOf(after, 'arrivals')).toBeGreaterThanOrEqual(numberOf(after, 'ships'))
  })

  test('the sliders of the engines change the flight', async ({ page }) => {
    await openScene(page, 'ships')
    const usual = await step(page, 600)
    await page.evaluate(() => window.demo.reset())
    await drag(page, 'main, N', 0.05)
    expect((await step(page, 600))['fingerprint']).not.toBe(usual['fingerprint'])
  })

  test('a rock can be thrown', async ({ page }) => {
    await openScene(page, 'ships')
    await step(page, 300)
    for (let i = 0; i < 6; i++) {
      await (await row(page, 'throw a rock')).locator('button').click()
      await step(page, 200)
    }
    expect(numberOf(await state(page), 'hits')).toBeGreaterThan(0)
  })
})

test.describe('asteroids', () => {
  test('ships get across and touch no rock; by the textbook, beside them, they do', async ({ page }) => {
    await openScene(page, 'asteroids')
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

test.describe('canyon', () => {
  test('birds fly through, and touch nothing', async ({ page }) => {
    await openScene(page, 'canyon')
    const after = await step(page, 600)
    expect(numberOf(after, 'birds')).toBe(6)
    expect(numberOf(after, 'contacts')).toBe(0)
    expect(numberOf(after, 'speed share')).toBeGreaterThan(0.7)
  })
})

test.describe('hide', () => {
  test('fish are seen less when they hide', async ({ page }) => {
    await openScene(page, 'hide', 1)
    const hidden = await step(page, 1200)
    expect(numberOf(hidden, 'fish')).toBe(8)
    await page.evaluate(() => window.demo.reset())
    await (await row(page, 'fish hide')).locator('input').click()
    const shown = await step(page, 1200)
    expect(numberOf(hidden, 'share seen')).toBeLessThan(0.7 * numberOf(shown, 'share seen'))
  })
})

test.describe('your-scene', () => {
  test('the drone flies to its goals, upright', async ({ page }) => {
    await openScene(page, 'your-scene')
    const after = await step(page, 1800)
    expect(numberOf(after, 'arrivals')).toBeGreaterThan(0)
    expect(numberOf(after, 'upright')).toBeGreaterThan(0.5)
  })

  test('a click on the ground sends it there', async ({ page }) => {
    await openScene(page, 'your-scene')
    await step(page, 60)
    const before = numberOf(await state(page), 'to target')
    // beside the panel and above the words
    await page.mouse.click(250, 230)
    const after = numberOf(await state(page), 'to target')
    expect(after).not.toBe(before)
    const later = numberOf(await step(page, 600), 'to target')
    expect(later).toBeLessThan(Math.max(1, after))
  })

  test('the ball can be dropped on it', async ({ page }) => {
    await openScene(page, 'your-scene')
    const usual = await step(page, 240)
    await page.evaluate(() => window.demo.reset())
    await (await row(page, 'drop the ball')).locator('button').click()
    expect((await step(page, 240))['fingerprint']).not.toBe(usual['fingerprint'])
  })
})
