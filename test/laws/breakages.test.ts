import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

interface Breakage {
  readonly name: string
  readonly file: string
  readonly from: string
  /** The test file that noticed it the last time. */
  readonly test?: string
}

it('the code that each deliberate mistake of test/breakages.json changes occurs exactly once, and the noted test exists', () => {
  const root = new URL('../../', import.meta.url)
  const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')
  const breakages = JSON.parse(read('test/breakages.json')) as Breakage[]
  expect(breakages.length).toBeGreaterThan(0)
  const stale = breakages.filter(
    ({ file, from, test }) =>
      read(file).split(from).length !== 2 || (test !== undefined && !existsSync(new URL(test, root))),
  )
  expect(stale.map(({ name }) => name)).toEqual([])
})
