// @ts-check
// Packs the package, and compiles and runs programs of users against it (test/consumers/): one with the oldest supported versions of TypeScript,
// three.js, cannon-es and Rapier, the same with the newest, one with the newest and the oldest React Three Fiber, rendered without a browser, and each block
// of code of the pages. All declarations are checked (`skipLibCheck: false`), but for those of Fiber, of the blocks, and of the old Rapier in Node's resolution.
// `npm run test:consumers -- oldest` does this for one of them.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { testPasted } from '../test/consumers/pasted/pasted.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const OPTIONS = { strict: true, target: 'es2022', lib: ['es2022', 'dom'], skipLibCheck: false, types: [] }

/** @param {string} command @param {string} cwd */
function run(command, cwd) {
  const { status } = spawnSync(command, { cwd, shell: true, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new Error(`${command}: exit status ${status}`)
}

const NAMES = ['oldest', 'newest', 'react', 'react-oldest', 'pasted']
const chosen = process.argv.slice(2)
for (const name of chosen)
  if (!NAMES.includes(name)) throw new RangeError(`got ${name}, must be one of ${NAMES.join(', ')}`)

const folder = mkdtempSync(join(tmpdir(), 'consumers-'))
try {
  run('npm run --silent build', ROOT)
  run(`npm pack --silent --pack-destination "${folder}"`, ROOT)
  const packed = readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? ''
  const unpack = (/** @type {string} */ consumer) => {
    const target = join(consumer, 'node_modules/three-steering')
    mkdirSync(target, { recursive: true })
    run(`tar -xzf "${join('..', '..', '..', packed)}" --strip-components=1`, target)
  }
  for (const name of chosen.length > 0 ? chosen : NAMES) {
    const consumer = join(folder, name)
    if (name === 'pasted') {
      unpack(consumer)
      testPasted(consumer)
      continue
    }
    const isReact = name.startsWith('react')
    const program = isReact ? 'consumer.tsx' : 'consumer.ts'
    cpSync(join(ROOT, 'test/consumers', name), consumer, {
      recursive: true,
      filter: (path) => !path.includes('node_modules'),
    })
    cpSync(join(ROOT, 'test/consumers', program), join(consumer, program))
    run('npm ci --silent --no-audit --no-fund', consumer)
    unpack(consumer)
    for (const [module, moduleResolution] of [
      // TypeScript 7 does not have it
      ...(name.endsWith('oldest') ? [['esnext', 'node']] : []),
      ['esnext', 'bundler'],
      ['nodenext', 'nodenext'],
    ]) {
      const compilerOptions = { ...OPTIONS, module, moduleResolution, outDir: 'out' }
      if (isReact) Object.assign(compilerOptions, { jsx: 'react-jsx', skipLibCheck: true })
      // the declarations of Rapier: the old ones have no endings in their imports, the new ones need a newer library
      if (name === 'oldest') compilerOptions.skipLibCheck = module === 'nodenext'
      if (name === 'newest') compilerOptions.lib = [...OPTIONS.lib, 'esnext.disposable']
      writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [program] }))
      run('npx --no-install tsc', consumer)
    }
    run('node out/consumer.js', consumer)
    console.log(`consumer ${name}: compiled and run`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
