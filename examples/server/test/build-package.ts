import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { alias } from '../vite.config.ts'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The package in few files, as a server has it. One by one, its files run several times slower in Vitest. */
export async function setup(): Promise<void> {
  const entries = readdirSync(at('../../../src/entries')).filter((file) =>
    /^(index|authoring|cannon|docking|formation|net|shards)\.ts$/.test(file),
  )
  await build({
    configFile: false,
    logLevel: 'error',
    resolve: { alias },
    build: {
      ssr: true,
      outDir: at('../build/package'),
      minify: false,
      target: 'es2022',
      rolldownOptions: {
        input: Object.fromEntries(
          entries.map((file) => [file.slice(0, -3), at(`../../../src/entries/${file}`)]),
        ),
        output: { entryFileNames: '[name].js' },
      },
    },
  })
  const configFile = at('../vite.config.ts')
  await build({ configFile, logLevel: 'error', build: { ssr: true } })
  await build({
    configFile: false,
    logLevel: 'error',
    resolve: { alias },
    build: {
      ssr: true,
      outDir: at('../build/part'),
      target: 'es2022',
      rolldownOptions: { input: { part: at('./part.ts') } },
    },
  })
}
