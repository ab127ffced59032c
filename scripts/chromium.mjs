// @ts-check
// Where the browser tests find Chromium, and how they start it. Run as a script, it says which one, or how to get one.
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright'

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
]

// Drawing in software gives the same pixels with and without a graphics card.
const FLAGS = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
]

const WEBGPU_FLAGS = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader']

// Without these two a WebGPU canvas stays white on Linux; elsewhere they mean nothing.
const LINUX_FLAGS = ['--enable-features=Vulkan', '--use-vulkan=swiftshader']

/**
 * The CHROMIUM variable, else an installed browser, else Playwright's own.
 *
 * @returns {string | undefined}
 */
export function findChromium() {
  const chosen = process.env['CHROMIUM']
  if (chosen) return existsSync(chosen) ? chosen : undefined
  return [...INSTALLED, chromium.executablePath()].find((path) => existsSync(path))
}

const executablePath = findChromium()

/** For Playwright and for vitest's browser mode alike. */
export const launchOptions = {
  ...(executablePath === undefined ? {} : { executablePath }),
  args: [...FLAGS, ...WEBGPU_FLAGS, ...(process.platform === 'linux' ? LINUX_FLAGS : [])],
}

const isScript = import.meta.url === pathToFileURL(process.argv[1] ?? '').href
if (isScript && executablePath === undefined) {
  const chosen = process.env['CHROMIUM']
  console.error(`The browser tests need Chromium or Chrome, and ${chosen ? `CHROMIUM=${chosen} is no file` : 'none was found'}.
Get one in any of these ways:
  apt-get install chromium           Debian and Ubuntu
  npx playwright install chromium    any system
  CHROMIUM=/path/to/chrome npm test  one you already have`)
  process.exit(1)
}
if (isScript) console.log(`Chromium: ${executablePath}`)
