// @ts-check Builds the site in site-dist/: the pages of docs/, the API reference, and the gallery, which is taken from
// demo-dist/. SITE_BASE is the path that it has on its host, such as `/three-steering/`; without it the root. With --public
// it is the path of the public site.
import { spawn } from 'node:child_process'
import { cpSync, existsSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'vitepress'
import { deadLinks } from '../scripts/check-links.mjs'
import { SITE } from '../scripts/repository.mjs'

const at = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url))
const chosen = process.argv[2] ?? process.env['SITE_BASE'] ?? '/'
const base = chosen === '--public' ? new URL(SITE).pathname : chosen
if (!/^\/(.*\/)?$/.test(base)) throw new RangeError(`SITE_BASE: got ${base}, must begin and end with /`)
process.env['SITE_BASE'] = base
if (!existsSync(at('../demo-dist/index.html'))) throw new Error('The gallery is missing: npm run build:demo')

/** TypeDoc runs in a process of its own, beside VitePress. @returns {Promise<void>} */
function buildReference() {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [at('api.mjs')], { stdio: 'inherit' })
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`TypeDoc ended with ${code}`))))
  })
}

await Promise.all([build(at('.')), buildReference()])
const output = at('../site-dist')
cpSync(at('../node_modules/.cache/typedoc'), `${output}/api`, { recursive: true })
cpSync(at('../demo-dist'), `${output}/gallery`, { recursive: true })
rmSync(at('../node_modules/.cache/typedoc'), { recursive: true })

const dead = deadLinks(output, base)
for (const link of dead) console.error(`dead link: ${link}`)
if (dead.length > 0) process.exitCode = 1
else console.log(`site-dist/ is ready to be served at ${base}. No dead links.`)
