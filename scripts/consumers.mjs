// @ts-check
// Packs the package, and compiles and runs a program of a user against it: once with the oldest supported versions of TypeScript, three.js and
// cannon-es, once with the newest (test/consumers/). All declarations are checked (`skipLibCheck: false`).
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const OPTIONS = { strict: true, target: 'es2022', lib: ['es2022', 'dom'], skipLibCheck: false, types: [] }

/** @param {string} command @param {string} cwd */
function run(command, cwd) {
  const { status } = spawnSync(command, { cwd, shell: true, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new Error(`${command}: exit status ${status}`)
}

const folder = mkdtempSync(join(tmpdir(), 'consumers-'))
try {
  run('npm run --silent build', ROOT)
  run(`npm pack --silent --pack-destination "${folder}"`, ROOT)
  for (const name of ['oldest', 'newest']) {
    const consumer = join(folder, name)
    cpSync(join(ROOT, 'test/consumers', name), consumer, {
      recursive: true,
      filter: (path) => !path.includes('node_modules'),
    })
    cpSync(join(ROOT, 'test/consumers/consumer.ts'), join(consumer, 'consumer.ts'))
    run('npm ci --silent --no-audit --no-fund', consumer)
    const target = join(consumer, 'node_modules/three-steering')
    mkdirSync(target)
    run(`tar -xzf "${join('..', '..', '..')}"/*.tgz --strip-components=1`, target)
    for (const [module, moduleResolution] of [
      ['esnext', 'bundler'],
      ['nodenext', 'nodenext'],
    ]) {
      const compilerOptions = { ...OPTIONS, module, moduleResolution, outDir: 'out' }
      writeFileSync(
        join(consumer, 'tsconfig.json'),
        JSON.stringify({ compilerOptions, files: ['consumer.ts'] }),
      )
      run('npx --no-install tsc', consumer)
    }
    run('node out/consumer.js', consumer)
    console.log(`consumer with the ${name} versions: compiled and run`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
