// @ts-check
// `npm start`: builds the page and the programs, then starts the server with the given options.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const options = process.argv.slice(2)
const configFile = fileURLToPath(new URL('./vite.config.ts', import.meta.url))
for (const ssr of [false, true]) await build({ configFile, logLevel: 'warn', build: { ssr } })
if (!options.includes('--build-only')) {
  const program = fileURLToPath(new URL('./build/server/serve.js', import.meta.url))
  const server = spawn(process.execPath, [program, ...options], { stdio: 'inherit' })
  server.on('exit', (code) => process.exit(code ?? 0))
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
    process.on(signal, () => server.kill(signal))
}
