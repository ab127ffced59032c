import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CARDS } from '../../demo/cards.js'
import { regionOf } from '../../scripts/scene-code.mjs'

// The code that the gallery shows beside a scene.

const read = (file: string): string => readFileSync(new URL(`../../demo/${file}`, import.meta.url), 'utf8')

/** Length of a region at most (lines): about what a reader takes in beside a running scene. */
const LONGEST = 80

describe('the region code', () => {
  it.each(CARDS)('of $id is one part of its file, which steers', ({ code }) => {
    const region = regionOf(read(code))
    expect(region).toBeDefined()
    const { text, first, last } = region!
    const lines = text.split('\n')
    expect(lines.length).toBeGreaterThanOrEqual(15)
    expect(lines.length).toBeLessThanOrEqual(LONGEST)
    expect(text).toMatch(/behavior/i)
    expect(text).toMatch(/\bnew [A-Z]/)
    // whole lines of the file, at the given place, without the common indentation
    const same = read(code).split('\n').slice(first - 1, last) // prettier-ignore
    expect(same.map((line) => line.trim())).toEqual(lines.map((line) => line.trim()))
    expect(lines.some((line) => /^\S/.test(line))).toBe(true)
  })

  it('is of another file for each scene', () => {
    expect(new Set(CARDS.map(({ code }) => code)).size).toBe(CARDS.length)
  })

  it('is refused where it is not one part', () => {
    expect(regionOf('const a = 1\n')).toBeUndefined()
    const [open, close] = ['// #region code\n', '// #endregion\n']
    expect(() => regionOf(`${open}a\n`)).toThrow('// #endregion after it')
    expect(() => regionOf(`${close}a\n${open}`)).toThrow('// #endregion after it')
    expect(() => regionOf(`${open}a\n${close}${open}b\n${close}`)).toThrow('expected one')
    expect(regionOf(`x\n  ${open}  a\n\n    b\n  ${close}y\n`)).toEqual({
      before: 'x\n',
      text: 'a\n\n  b',
      first: 3,
      last: 5,
    })
  })
})
