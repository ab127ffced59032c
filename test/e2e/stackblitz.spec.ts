import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { CARDS } from '../../demo/cards.js'
import { makeBlockProject, makeProject } from '../../demo/code/project.js'
import { blocksOf } from '../../site/program.mjs'
import { parts } from '../support/gallery-parts.js'
import { pick } from '../support/tier.js'
import { expect, test } from './fixture.js'

// "Open in StackBlitz" sends a project. Here it is taken from the form that the browser sends, installed with
// the package as it is packed, built, and opened.

const root = fileURLToPath(new URL('../..', import.meta.url))
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
}
const VERSIONS = { ...parts.versions, 'react-dom': parts.versions['react']! }
const RUN = 'https://stackblitz.com/run'

let folder = ''
let archive = ''

/** Runs a command, and returns what it prints. A shell, because npm is a .cmd file on Windows. */
function run(command: string, cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, { cwd, shell: true, encoding: 'utf8' })
  expect(status, `${command}\n${stdout}${stderr}`).toBe(0)
  return stdout
}

test.describe.configure({ timeout: 900_000 })
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'projects-'))
  run('npm run --silent build', root)
  archive = join(folder, run(`npm pack --silent --pack-destination "${folder}"`, root).trim())
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

function write(project: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), text)
  }
}

/** Opens a scene, presses the button, and returns the fields of the form that is sent. */
async function sent(page: Page, scene: string): Promise<URLSearchParams> {
  const body = new Promise<string>((resolve) => {
    void page.context().route(`${RUN}**`, async (route) => {
      resolve(route.request().postData() ?? '')
      await route.fulfill({ contentType: 'text/html', body: 'received' })
    })
  })
  await page.goto(`/?scene=${scene}&count=6&paused=1&sky=0&aa=0&pixels=1`)
  await page.waitForFunction(() => 'demo' in window)
  await page.evaluate(() => window.demo.ready)
  await page.locator('#toggles button[aria-controls=code]').click()
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Open in StackBlitz' }).click(),
  ])
  await expect(popup.locator('body')).toHaveText('received', { timeout: 120_000 })
  expect(popup.url()).toContain(encodeURIComponent('src/'))
  await popup.close()
  return new URLSearchParams(await body)
}

/** Installs a project with the package as it is packed, builds it, and opens it. */
async function open(page: Page, name: string, files: Readonly<Record<string, string>>): Promise<void> {
  const manifest = JSON.parse(files['package.json']!) as { dependencies: Record<string, string> }
  expect(manifest.dependencies['three-steering']).toMatch(/^\^\d/)
  manifest.dependencies['three-steering'] = `file:${archive}`
  const project = join(folder, name)
  write(project, { ...files, 'package.json': JSON.stringify(manifest) })
  run('npm install --silent --no-audit --no-fund --prefer-offline', project)
  run('npx --no-install vite build --logLevel error', project)
  await page.context().route('http://project.test/**', async (route) => {
    const { pathname } = new URL(route.request().url())
    if (pathname === '/favicon.ico') return route.fulfill({ status: 204 })
    const path = pathname === '/' ? '/index.html' : pathname
    const contentType = TYPES[extname(path)] ?? 'application/octet-stream'
    return route.fulfill({ contentType, body: readFileSync(join(project, 'dist', path)) })
  })
  await page.setViewportSize({ width: 320, height: 200 })
  await page.goto('http://project.test/')
}

async function expectToMove(page: Page): Promise<void> {
  const canvas = page.locator('canvas')
  const first = await canvas.screenshot()
  await expect.poll(async () => (await canvas.screenshot()).equals(first), { timeout: 120_000 }).toBe(false)
}

/** Fiber has a clock that three.js will not have for long. */
function forgiveClock(complaints: Set<string>): void {
  for (const complaint of complaints) if (complaint.includes('THREE.Clock')) complaints.delete(complaint)
}

// a behaviour, a component, a worker; scripts/consumers.mjs compiles and runs all of them without a browser
for (const name of pick(
  ['behaviors/dock'],
  ['guides/react', 'guides/node-and-workers'],
  ['guides/small-game'],
))
  test(`the program of the page ${name} is installed, built, and moves`, async ({ page, complaints }) => {
    const scene = (file: string): string => readFileSync(join(root, 'site/scenes', file), 'utf8')
    const blocks = blocksOf(readFileSync(join(root, `docs/${name}.md`), 'utf8'), scene)
    const main = blocks.find((block) => block.name === (name === 'guides/react' ? 'App.tsx' : 'main.ts'))!
    const parts = blocks.filter((block) => /^[\w-]+\.ts$/.test(block.name) && block.name !== 'main.ts')
    const texts = Object.fromEntries([...parts, main].map((block) => [block.name, block.text]))
    await open(page, name.replace('/', '-'), makeBlockProject(name, texts, VERSIONS))
    await expectToMove(page)
    if (name === 'guides/react') forgiveClock(complaints)
  })

// a flock without models; rigid bodies of cannon-es with models; React
for (const scene of pick(['docking'], ['docking'], ['antipodes', 'docking', 'lighthouse']))
  test(`the project of ${scene} is installed, built, and moves`, async ({ page, complaints }) => {
    const form = await sent(page, scene)
    expect(form.get('project[template]')).toBe('node')
    expect(form.get('project[title]')).not.toBe('')
    const files = Object.fromEntries(
      [...form].flatMap(([name, value]) => {
        const path = /^project\[files\]\[(.+)\]$/.exec(name)?.[1]
        return path === undefined ? [] : [[path, value]]
      }),
    )
    await open(page, scene, files)
    await expect(page.locator('#controls .lil-gui').first()).toBeAttached({ timeout: 120_000 })
    await expectToMove(page)
    if (scene === 'lighthouse') forgiveClock(complaints)
  })

test('the projects of all scenes have the right types', () => {
  const all = join(folder, 'all')
  // the packages that a project installs, with the package as it is packed in place of its sources
  const modules = join(all, 'node_modules')
  mkdirSync(modules, { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!name.startsWith('.') && name !== 'three-steering')
      symlinkSync(join(root, 'node_modules', name), join(modules, name))
  mkdirSync(join(modules, 'three-steering'))
  run(`tar -xzf "${archive}" -C "${join(modules, 'three-steering')}" --strip-components=1`, folder)
  for (const card of CARDS) {
    const { files } = makeProject(card, parts)
    write(join(all, card.id), { ...files, 'src/models.json': '{}' })
  }
  const { compilerOptions } = JSON.parse(readFileSync(join(all, CARDS[0]!.id, 'tsconfig.json'), 'utf8')) as {
    compilerOptions: object
  }
  writeFileSync(join(all, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*/src'] }))
  expect(run(`node "${join(root, 'node_modules/typescript/bin/tsc')}" -p .`, all)).toBe('')
})
