import { readdirSync, readFileSync } from 'node:fs'
import type { Parts } from '../../demo/code/project.js'
import packageJson from '../../package.json' with { type: 'json' }

const demo = new URL('../../demo/', import.meta.url)

/** What the projects of the gallery's scenes are made of, as the gallery itself collects it. */
export const parts: Parts = {
  sources: Object.fromEntries(
    readdirSync(demo, { recursive: true, encoding: 'utf8' })
      .map((path) => path.split('\\').join('/'))
      .filter((path) => /\.(tsx?|css)$/.test(path))
      .map((path) => [path, readFileSync(new URL(path, demo), 'utf8')]),
  ),
  models: readdirSync(new URL('../../assets/', import.meta.url))
    .filter((file) => file.endsWith('.glb'))
    .map((file) => file.slice(0, -4)),
  versions: { ...packageJson.devDependencies, [packageJson.name]: packageJson.version },
}
