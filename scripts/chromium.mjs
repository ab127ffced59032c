// @ts-check Finds a Chromium for the browser tests, and its launch options. Run as a script, it prints the
// path, or how to get one.
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
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

// Software rendering draws the same pixels with and without a graphics card.
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

/**
 * The headless Chromium of `@sparticuz/chromium` is a program for Linux on x64. It is unpacked here once, 210
 * MB.
 */
const UNPACKED = fileURLToPath(new URL('../node_modules/.cache/chromium', import.meta.url))

/** Where it finds its fonts. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(UNPACKED, 'fonts')}</dir>
  <cachedir>${join(UNPACKED, 'fonts-cache')}</cachedir>
</fontconfig>
`

/**
 * @typedef {object} Browser
 * @property {string} executablePath
 * @property {Record<string, string>} [env] Additional environment variables that it needs.
 */

/**
 * The first that exists of: the one named by the CHROMIUM variable, an installed one, Playwright's own, the
 * one from the npm registry.
 *
 * @returns {Promise<Browser | undefined>}
 */
export async function findChromium() {
  const chosen = process.env['CHROMIUM']
  if (chosen) return existsSync(chosen) ? { executablePath: chosen } : undefined
  const executablePath = [...INSTALLED, chromium.executablePath()].find((path) => existsSync(path))
  return executablePath === undefined ? unpacked() : { executablePath }
}

/** @returns {Promise<Browser | undefined>} */
async function unpacked() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  try {
    if (!existsSync(UNPACKED)) await unpack()
    // written each time: a folder that was moved would have no fonts, and Chromium crashes without any
    await writeFile(join(UNPACKED, 'fonts', 'fonts.conf'), FONTS)
  } catch (error) {
    console.error(`The Chromium of @sparticuz/chromium could not be unpacked: ${String(error)}`)
    return undefined
  }
  const libraries = join(UNPACKED, 'al2023', 'lib')
  const others = process.env['LD_LIBRARY_PATH']
  return {
    executablePath: join(UNPACKED, 'chromium'),
    env: {
      FONTCONFIG_PATH: join(UNPACKED, 'fonts'),
      LD_LIBRARY_PATH: others ? `${libraries}:${others}` : libraries,
    },
  }
}

/** Unpacks to a temporary place first, so that another run never finds a partly unpacked browser. */
async function unpack() {
  const partial = `${UNPACKED}-${process.pid}`
  const before = process.env['TMPDIR']
  await mkdir(partial, { recursive: true })
  // the package unpacks to the folder for temporary files; as on AWS Lambda, it includes the libraries that a
  // minimal system lacks
  process.env['TMPDIR'] = partial
  process.env['AWS_LAMBDA_JS_RUNTIME'] ??= 'nodejs22.x'
  try {
    const { default: packed } = await import('@sparticuz/chromium')
    await packed.executablePath()
    await rename(partial, UNPACKED)
  } catch (error) {
    // another run may have unpacked it first
    if (!existsSync(UNPACKED)) throw error
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    await rm(partial, { recursive: true, force: true })
  }
}

const found = await findChromium()

/** For Playwright and for vitest's browser mode alike. */
export const launchOptions = {
  ...(found === undefined ? {} : { executablePath: found.executablePath }),
  ...(found?.env === undefined ? {} : { env: { ...process.env, ...found.env } }),
  args: FLAGS,
}

const isScript = import.meta.url === pathToFileURL(process.argv[1] ?? '').href
if (isScript && found === undefined) {
  const chosen = process.env['CHROMIUM']
  console.error(`The browser tests need Chromium or Chrome, and ${chosen ? `CHROMIUM=${chosen} is no file` : 'none was found'}.
Get one in any of these ways:
  apt-get install chromium           Debian and Ubuntu
  npx playwright install chromium    any system
  CHROMIUM=/path/to/chrome npm test  one you already have`)
  process.exit(1)
}
if (isScript) console.log(`Chromium: ${found?.executablePath}`)
