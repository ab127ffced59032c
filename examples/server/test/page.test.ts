import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { build } from 'vite'
import { errorsInTime, LOSS, slowNetwork } from './network.js'
import type { Foresight } from '../src/net/foresight.js'
import { MODELS } from '../src/page/models.js'
import { VIEW } from '../src/world/plan.js'
import { hasRedis, launchShards, type RunningShards } from '../src/server/shards.js'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const program = at('../build/server/serve.js')
const AGENTS = 20

/** What a page draws, as `WATCH` counts it. */
interface Frames {
  frames: number
  /** Keys of crafts in view that were drawn, not drawn, and drawn again within two seconds. */
  flickers: number[]
  /** Frames in which a craft was drawn twice. */
  doubles: number
}

/** Runs in the page, and looks at what the page draws in each frame. What is far away may be in a room that it is not in. */
const WATCH = `{
  const drawn = (window.drawn = { frames: 0, flickers: [], doubles: 0 })
  const gone = new Map()
  let inView = []
  const look = () => {
    const now = performance.now() / 1000
    const own = window.own()
    const agents = [...window.pilot.buffer.agents]
    const shown = new Set(agents.map(({ key }) => key))
    drawn.frames++
    drawn.doubles += agents.length - shown.size
    for (const key of shown) {
      if (now - (gone.get(key) ?? -Infinity) < 2) drawn.flickers.push(key)
      gone.delete(key)
    }
    for (const key of inView) if (!shown.has(key)) gone.set(key, now)
    const isInView = ({ position: { x, y, z } }) =>
      own && Math.hypot(x - own.position.x, y - own.position.y, z - own.position.z) < ${VIEW}
    inView = agents.filter(isInView).map(({ key }) => key)
    requestAnimationFrame(look)
  }
  look()
}`
const OWN = `window.own = () => window.pilot?.ship && window.pilot.buffer.get(window.pilot.ship.key)`

/** The part of Playwright that is used here. */
interface Tab {
  goto(url: string): Promise<unknown>
  evaluate<T>(script: string): Promise<T>
  on(event: 'pageerror', listener: (error: Error) => void): unknown
  waitForFunction(script: string, argument?: unknown, options?: { timeout: number }): Promise<unknown>
  keyboard: { down(key: string): Promise<void>; up(key: string): Promise<void> }
}
interface Chromium {
  newPage(options: object): Promise<Tab>
  close(): Promise<void>
}

/** The Chromium that the tests of the repository use, or null where its tools are not installed. */
async function launch(): Promise<Chromium | null> {
  try {
    const { launchOptions } = (await import(/* @vite-ignore */ at('../../../scripts/chromium.mjs'))) as {
      launchOptions: { executablePath?: string }
    }
    if (!launchOptions.executablePath) return null
    const playwright = (await import(
      /* @vite-ignore */ at('../../../node_modules/playwright/index.mjs')
    )) as { chromium: { launch(options: object): Promise<Chromium> } }
    return await playwright.chromium.launch(launchOptions)
  } catch {
    return null
  }
}

let chromium: Chromium | null
let shards: RunningShards
beforeAll(async () => {
  await build({ configFile: at('../vite.config.ts'), logLevel: 'error' })
  chromium = await launch()
  if (!chromium) return
  if (!hasRedis()) return
  shards = await launchShards({ port: 0, shards: 2, agents: AGENTS, program, page: at('../build/page') })
  console.info(`records in ${shards.store.name}`)
}, 120_000)
afterAll(async () => {
  await chromium?.close()
  await shards?.close()
})

it('the built program serves the page', async () => {
  const child = spawn(process.execPath, [program, '--port', '0', '--agents', '0'])
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text) => {
      const found = /http:\S+/.exec(String(text))
      if (found) resolve(found[0])
    })
    child.once('exit', () => reject(new Error('the program has ended')))
  })
  const page = await (await fetch(address)).text()
  const script = /<script[^>]*src="([^"]+)"/.exec(page)![1]!
  expect((await fetch(new URL(script, address))).status).toBe(200)
  for (const model of Object.values(MODELS))
    expect([model, (await fetch(new URL(`${model}.glb`, address))).status]).toEqual([model, 200])
  child.kill()
  await once(child, 'exit')
})

it('the built program says that its port is in use, alone and with shards', async () => {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  for (const flags of [[], ['--shards', '1']]) {
    const child = spawn(process.execPath, [program, '--port', String(port), '--agents', '0', ...flags])
    let said = ''
    child.stderr.on('data', (text) => (said += String(text)))
    const [code] = (await once(child, 'close')) as [number]
    expect(code).toBe(1)
    expect(said).toContain(`Port ${port} is in use. Choose another one: npm start -- --port ${port + 1}\n`)
    expect(said).not.toContain('    at ')
  }
  server.close()
})

it('pages fly in one world and see each other, also a late one and after a shard was killed', async ({
  skip,
}) => {
  if (!chromium || !shards) {
    console.info('skipped: no Chromium (`npm ci` in the root of the repository), or no redis-server')
    return skip()
  }
  const errors: string[] = []
  const open = async (name: string, cell: number): Promise<Tab> => {
    const tab = await chromium!.newPage({ viewport: { width: 320, height: 180 } })
    tab.on('pageerror', ({ message }) => errors.push(`${name}: ${message}`))
    await tab.goto(`${shards.address}/?name=${name}&cell=${cell}&plain`)
    await tab.evaluate(OWN)
    await tab.waitForFunction(`window.own()`, null, { timeout: 40_000 })
    await tab.evaluate(WATCH)
    return tab
  }
  const lists = (tab: Tab, name: string): Promise<unknown> =>
    tab.waitForFunction(
      `[...document.querySelectorAll('#pilots td:first-child')].map((e) => e.textContent).join() === '${name}'`,
      null,
      { timeout: 40_000 },
    )
  const sees = (tab: Tab, count: number): Promise<unknown> =>
    tab.waitForFunction(
      `[...window.pilot.names.keys()].filter((key) => window.pilot.buffer.get(key)).length === 1 + ${count}`,
      null,
      { timeout: 40_000 },
    )

  const ada = await open('Ada', 0)
  const bo = await open('Bo', 0)
  await sees(ada, 1)
  await sees(bo, 1)
  await lists(ada, 'Bo')
  await lists(bo, 'Ada')

  await ada.evaluate(`window.start = { ...window.own().position }`)
  await ada.keyboard.down('KeyW')
  await ada.waitForFunction(
    `['x', 'y', 'z'].some((axis) => Math.abs(window.own()?.position[axis] - window.start[axis]) > 4)`,
    null,
    { timeout: 40_000 },
  )
  await ada.keyboard.up('KeyW')

  const late = await open('Cy', 0)
  for (const tab of [ada, bo, late]) await sees(tab, 2)
  /** Waits until a page has drawn some pictures more: without a graphics card that takes seconds. */
  const draws = async (tab: Tab): Promise<Frames> => {
    const { frames } = await tab.evaluate<Frames>('window.drawn')
    await tab.waitForFunction(`window.drawn.frames > ${frames + 5}`, null, { timeout: 40_000 })
    return tab.evaluate<Frames>('window.drawn')
  }
  await Promise.all([ada, bo, late].map(draws))
  await shards.kill(0)
  await late.waitForFunction(`!window.pilot.cells.includes(0)`, null, { timeout: 20_000 })
  for (const tab of [ada, bo, late]) {
    await tab.waitForFunction(`window.pilot.cells.includes(0) && window.own()`, null, { timeout: 60_000 })
    await sees(tab, 2)
  }
  for (const { doubles, flickers } of await Promise.all([ada, bo, late].map(draws)))
    expect({ doubles, flickers }).toEqual({ doubles: 0, flickers: [] })
  expect(errors).toEqual([])
}, 240_000)

it('two pages fly their ships 150 ms from the server, where one message in twenty is lost, as the server does', async ({
  onTestFinished,
  skip,
}) => {
  if (!chromium) return skip()
  const child = spawn(process.execPath, [program, '--port', '0', '--agents', '0'])
  onTestFinished(() => void child.kill())
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const network = await slowNetwork(
    Number(/:(\d+)/.exec(/http:\S+/.exec(line.toString())![0].slice(5))![1]),
    LOSS,
  )
  const { port } = network.address() as AddressInfo
  const tabs: Tab[] = []
  for (const name of ['Ada', 'Bo']) {
    const tab = await chromium.newPage({ viewport: { width: 320, height: 180 } })
    await tab.goto(`http://localhost:${port}/?name=${name}&plain`)
    await tab.waitForFunction(`window.pilot?.own?.corrections.length > 20`, null, { timeout: 120_000 })
    tabs.push(tab)
  }
  for (const tab of tabs) await tab.evaluate(`window.pilot.own.corrections.length = 0`)
  for (const keys of ['KeyW', 'KeyD', 'ArrowLeft', 'KeyS', 'KeyR', 'ArrowUp']) {
    for (const tab of tabs) await tab.keyboard.down(keys)
    await sleep(900)
    for (const tab of tabs) await tab.keyboard.up(keys)
  }
  for (const [i, tab] of tabs.entries()) {
    const corrections = await tab.evaluate<Foresight['corrections']>(`window.pilot.own.corrections`)
    const errors = errorsInTime(corrections)
    const millimetres = (share: number): string =>
      (1000 * errors[Math.floor(share * (errors.length - 1))]!).toFixed(1)
    console.info(
      `page ${i + 1}: ${errors.length} of ${corrections.length} corrections in time, median ${millimetres(0.5)} mm, worst ${millimetres(1)} mm`,
    )
    expect(errors.length).toBeGreaterThan(20)
    expect(errors.at(-1)).toBeLessThan(0.05)
  }
  network.close()
}, 300_000)
