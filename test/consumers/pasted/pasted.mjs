// @ts-check
// Each block of code of each page, put into an empty project: compiled as Vite's template for TypeScript does, and run.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { blocksOf } from '../../../site/program.mjs'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** What the blocks import, beside the package. */
const PACKAGES = [
  '@dimforge/rapier3d-compat',
  '@react-three/fiber',
  '@react-three/rapier',
  '@types',
  'cannon-es',
]
PACKAGES.push('react', 'three', 'three-mesh-bvh', 'vite', 'vitest', 'yuka')

/** As in the templates of Vite. */
const TSCONFIG = {
  compilerOptions: {
    target: 'es2023',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: ['vite/client'],
    jsx: 'react-jsx',
    strict: true,
    verbatimModuleSyntax: true,
    moduleDetection: 'force',
    useDefineForClassFields: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    erasableSyntaxOnly: true,
    noFallthroughCasesInSwitch: true,
    noUncheckedSideEffectImports: true,
    skipLibCheck: true,
    rootDir: 'src',
    outDir: 'out',
  },
  include: ['src'],
}

/**
 * A part of a program of several files, a test, or a component, whose program is run elsewhere; or a program
 * without a picture.
 */
const WITHOUT_PICTURE =
  /\/(server|birds-worker|door|door-under-test|door\.test|small-game(-\w+)?|App)\.tsx?$|from-yuka\/0/

/** Writes the blocks of all pages, each into a folder of its own. @param {string} folder @returns {string[]} */
function writeBlocks(folder) {
  const scene = (/** @type {string} */ name) => readFileSync(join(ROOT, 'site/scenes', name), 'utf8')
  const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((page) => `docs/${page.split('\\').join('/')}`)
    .filter((page) => page.endsWith('.md'))
  return ['README.md', ...pages].flatMap((page) => {
    const blocks = blocksOf(readFileSync(join(ROOT, page), 'utf8'), scene)
    const byName = new Map(blocks.map((block) => [block.name, block]))
    return blocks.map((block, i) => {
      const name = page.replace(/^docs\//, '').replace(/\.md$/, '')
      const place = `${name}/${i}`
      const write = (/** @type {{ name: string, text: string }} */ { name, text }) => {
        mkdirSync(join(folder, place), { recursive: true })
        writeFileSync(join(folder, place, name), text)
        for (const [, other] of text.matchAll(/'\.\/([\w-]+)\.js'/g)) {
          const file = byName.get(`${other}.ts`)
          if (file === undefined)
            throw new Error(`${page}: a block imports ${other}, which the page does not show`)
          write(file)
        }
      }
      write(block)
      return `${place}/${block.name}`
    })
  })
}

/**
 * @param {string} project An empty folder with the package in its node_modules.
 * @throws Error that names each block that does not compile, stops, says something on the console, or does not move.
 */
export function testPasted(project) {
  for (const name of PACKAGES) {
    mkdirSync(dirname(join(project, 'node_modules', name)), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), join(project, 'node_modules', name), 'junction')
  }
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }\n')
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(TSCONFIG))
  for (const file of ['hooks.mjs', 'no-picture.mjs', 'run.mjs']) cpSync(join(HERE, file), join(project, file))
  const blocks = writeBlocks(join(project, 'src'))
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const { stdout: errors } = spawnSync(process.execPath, [tsc], { cwd: project, encoding: 'utf8' })
  const broken = blocks.filter((block) => errors.includes(`src/${dirname(block)}/`))
  const toRun = blocks.filter((block) => !broken.includes(block) && !/App\.tsx$|\.test\.ts$/.test(block))
  const files = toRun.map((block) => `./out/${block.replace(/\.tsx?$/, '.js')}`)
  const { stdout, stderr } = spawnSync(process.execPath, ['run.mjs', ...files], {
    cwd: project,
    encoding: 'utf8',
  })
  /** @type {{ file: string, pages: number, moves: boolean, said: string[] }[]} */
  const runs = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  const failed = runs.flatMap(({ file, moves, said }) => {
    const stands = !moves && !WITHOUT_PICTURE.test(file.replace('./out', '').replace(/\.js$/, '.ts'))
    return [...said, ...(stands ? ['nothing moves'] : [])].map((what) => `${file}: ${what}`)
  })
  if (runs.length < files.length) failed.push(`run.mjs ended early: ${stderr}`)
  const moving = runs.filter(({ moves }) => moves).length
  console.log(
    `blocks of the pages: ${blocks.length}, compiled ${blocks.length - broken.length}, run ${runs.length}, with a picture that moves ${moving}`,
  )
  if (errors !== '' || failed.length > 0) throw new Error(`${errors}\n${failed.join('\n')}`)
}
