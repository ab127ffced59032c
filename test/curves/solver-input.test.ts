import { describe, expect, it } from 'vitest'
import type { Waypoint } from 'three-steering'
import { ArcPath, dubins2d, dubins3d, reedsShepp, reverse3d } from 'three-steering/curves'
import { vec } from '../../demo/scenarios/vectors.js'

type Solver = (out: ArcPath, from: Waypoint, to: Waypoint, radius: number) => number

const path = new ArcPath()
const from: Waypoint = { position: vec(0, 0, 0), heading: vec(1, 0, 0) }
const to: Waypoint = { position: vec(4, 0, 3), heading: vec(0, 0, 1) }
const solvers: Record<string, Solver> = { dubins2d, dubins3d, reedsShepp, reverse3d }

describe.each(Object.entries(solvers))('bad input of %s', (name, solve) => {
  const wrong = (...args: unknown[]): (() => void) => {
    return () => void (solve as (...all: unknown[]) => number)(path, ...args)
  }

  it('a negative radius or one that is no number is an error that names it', () => {
    expect(wrong(from, to, -1)).toThrow(new RangeError(`${name}.radius: got -1, must be ≥ 0 (m)`))
    expect(wrong(from, to, '5')).toThrow(TypeError)
    expect(wrong(from, to, '5')).toThrow(`${name}.radius`)
    expect(wrong(from, to)).toThrow(`${name}.radius: got undefined`)
  })

  it('a pose without position or heading is an error that names it', () => {
    expect(wrong(from, { position: to.position }, 1)).toThrow(`${name}.to.heading: got undefined`)
    expect(wrong({ heading: from.heading }, to, 1)).toThrow(`${name}.from.position: got undefined`)
    expect(wrong(from, { ...to, heading: { x: '1', y: 0, z: 0 } }, 1)).toThrow(`${name}.to.heading`)
    expect(wrong(null, to, 1)).toThrow(`${name}.from.position`)
    expect(wrong(from, undefined, 1)).toThrow(TypeError)
  })

  it('numbers that are not finite are no error: there is no path', () => {
    expect(solve(path, from, { ...to, position: vec(NaN, 0, 0) }, 1)).toBe(Infinity)
    expect(solve(path, from, to, NaN)).toBe(Infinity)
  })
})

describe('bad options of the solvers', () => {
  const solve = (options: unknown, radius: unknown = 1) => {
    return () => dubins3d(path, from, to, radius as number, options as object)
  }

  it('an unknown effort and a misspelt option are errors that name them', () => {
    expect(solve({ effort: 'most' })).toThrow(/dubins3d.effort: got 'most'.*'quick', 'good', 'best'/)
    expect(solve({ effort: 2 })).toThrow(RangeError)
    expect(solve({ efort: 'best' })).toThrow(/option 'efort'.*'effort'/)
    expect(solve('best')).toThrow(TypeError)
    expect(solve({ effort: undefined })()).toBe(solve({})())
  })

  it('radii for both ends are checked one by one', () => {
    expect(solve({}, { start: 1 })).toThrow('dubins3d.radius.end: got undefined')
    expect(solve({}, { start: -2, end: 1 })).toThrow('dubins3d.radius.start: got -2')
    expect(solve({}, null)).toThrow('dubins3d.radius: got null')
  })

  it.each([['dubins2d', dubins2d] as const, ['reedsShepp', reedsShepp] as const])(
    'a normal of %s that is no vector is an error that names it',
    (name, planar) => {
      const up = 'y' as unknown as Waypoint['heading']
      expect(() => planar(path, from, to, 1, up)).toThrow(`${name}.up`)
    },
  )
})
