// @ts-check
// The limits (size-limits.json) hold for a production build, which contains no hints.
import { readFileSync } from 'node:fs'

/** @type {object[]} */
const rows = JSON.parse(readFileSync(new URL('size-limits.json', import.meta.url), 'utf8'))

// a user has no tsconfig.json that maps #hints to its source
const modifyEsbuildConfig = (/** @type {object} */ config) => ({
  ...config,
  conditions: ['production', 'module'],
  tsconfigRaw: '{}',
})

export default rows.map((row) => Object.assign(row, { modifyEsbuildConfig }))
