// @ts-check
// `npm run release` publishes the package with provenance. It runs in .github/workflows/release.yml, for a tag.
// `npm run release -- --dry-run` does the same without publishing, and needs no account.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/**
 * What a release lacks.
 *
 * @param {object} release
 * @param {string} release.version Of package.json.
 * @param {string} release.locked Version of package-lock.json.
 * @param {string} release.changelog
 * @param {readonly string[]} release.tags Tags of the commit.
 * @param {string} release.changes Changed files, as `git status --porcelain` prints them.
 * @returns {string[]}
 */
export function lacksOf({ version, locked, changelog, tags, changes }) {
  const heading = new RegExp(`^## ${version.replaceAll('.', '\\.')}(?: \\((.*)\\))?$`, 'm').exec(changelog)
  const lacks = []
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) lacks.push(`package.json: ${version} is no version`)
  if (locked !== version) lacks.push(`package-lock.json has the version ${locked}: run npm install`)
  if (heading === null) lacks.push(`CHANGELOG.md has no section "## ${version}"`)
  else if (!/^\d{4}-\d\d-\d\d$/.test(heading[1] ?? ''))
    lacks.push(`CHANGELOG.md: the section ${version} needs its date, "## ${version} (2026-01-31)"`)
  if (!tags.includes(`v${version}`))
    lacks.push(`the commit has the tags ${tags.join(', ') || 'none'}, must have v${version}`)
  if (changes !== '') lacks.push(`files are not committed:\n${changes}`)
  return lacks
}

/** @param {string} command */
function output(command) {
  const { status, stdout } = spawnSync(command, { cwd: ROOT, shell: true, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command}: exit status ${status}`)
  return stdout.trim()
}

/** @param {string} command */
function run(command) {
  console.log(`> ${command}`)
  const { status } = spawnSync(command, { cwd: ROOT, shell: true, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command}: exit status ${status}`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const isDry = process.argv.includes('--dry-run')
  const read = (/** @type {string} */ file) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
  const { version } = JSON.parse(read('package.json'))
  const lacks = lacksOf({
    version,
    locked: JSON.parse(read('package-lock.json')).version,
    changelog: read('CHANGELOG.md'),
    tags: output('git tag --points-at HEAD').split(/\s+/).filter(Boolean),
    changes: output('git status --porcelain'),
  })
  for (const each of lacks) console.error(`${isDry ? 'Before the release' : 'No release'}: ${each}`)
  if (lacks.length > 0 && !isDry) process.exit(1)
  run('npm run build')
  run('npm run test:pack')
  // prepublishOnly has been done
  run(`npm publish --ignore-scripts --access public --provenance${isDry ? '=false --dry-run' : ''}`)
  console.log(isDry ? `${version} can be packed. Nothing was published.` : `${version} is published.`)
}
