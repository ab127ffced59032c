// @ts-check
// What `npm run sizes` measures: each entry of package.json and some common programs, in a production build, which
// contains no hints.
import { readFileSync } from 'node:fs'

/** @type {{ name: string, exports: Record<string, string | { production: string }> }} */
const { name, exports: entries } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))

/** What a program imports from the main entry. @type {Record<string, string>} */
const programs = {
  'a ship': '{ SteeringWorld, SteeringController, Arrive }',
  'a ship that avoids':
    '{ SteeringWorld, SteeringController, Arrive, AvoidObstacles, Obstacles, SphereShape, within }',
  'a patrol': '{ SteeringWorld, SteeringController, FollowPath, Path }',
  'a flock': '{ SteeringWorld, Flock, Flocking }',
}

const MAIN = 'dist/entries/index.js'
const CANNON = 'dist/entries/cannon.js'

/** @type {{ name: string, path: string | string[], import?: string | Record<string, string> }[]} */
const rows = [
  ...Object.entries(entries).flatMap(([path, entry]) =>
    typeof entry === 'string' ? [] : [{ name: `${name}${path.slice(1)}`, path: entry.production }],
  ),
  ...Object.entries(programs).map(([title, names]) => ({ name: title, path: MAIN, import: names })),
  {
    name: 'a ship on cannon-es',
    path: [MAIN, CANNON],
    import: { [MAIN]: programs['a ship'] ?? '', [CANNON]: '{ attachToCannon }' },
  },
]

// a user has no tsconfig.json that maps #hints to its source
const modifyEsbuildConfig = (/** @type {object} */ config) => ({
  ...config,
  conditions: ['production', 'module'],
  tsconfigRaw: '{}',
})

export default rows.map((row) => Object.assign(row, { modifyEsbuildConfig }))
