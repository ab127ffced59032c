import { afterEach, describe, expect, it, vi } from 'vitest'
import { BoxShape, Obstacle, Obstacles } from 'three-steering'
import { Footing } from '../../src/core/solver/footing.js'
import { ObstacleView } from '../../src/core/solver/obstacle-view.js'
import { Silhouettes } from '../../src/core/solver/silhouettes.js'
import { Tree } from '../../src/core/obstacles/tree.js'
import { avoid3d, AVOID_3D } from '../rigs/avoid-3d.js'
import { inBuilding, inHall, movingRocks } from '../rigs/avoid-scenes.js'

/**
 * What a step of an agent costs is counted, not timed: queries of a set, sweeps of shapes, outlines, and
 * their crossings. The bounds are a third above what was counted.
 */
type Counter = [target: object, method: string]

const QUERIES: Counter[] = [
  [Obstacles.prototype, 'near'],
  [Obstacles.prototype, 'ahead'],
  // also of `sweepBall`
  [Tree.prototype, 'along'],
]
const VIEWS: Counter[] = [[ObstacleView.prototype, 'update']]
const CROSSINGS: Counter[] = [[Silhouettes.prototype, 'cross']]
const SWEEPS: Counter[] = [[Obstacle.prototype, 'sweepBall']]
const OUTLINES: Counter[] = [[BoxShape.prototype, 'outline']]

/** Calls per agent and step. */
function perStep(counters: Counter[], steps: number, agents: number, step: () => void): number {
  const spies = counters.map(([target, method]) => vi.spyOn(target as Record<string, () => void>, method))
  for (let i = 0; i < steps; i++) step()
  const calls = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0) / steps / agents
  for (const spy of spies) spy.mockRestore()
  if (process.env['COUNTS'] === 'print')
    process.stdout.write(`${counters.map((c) => c[1]).join(', ')}: ${calls}\n`)
  return calls
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('an agent makes in each step', () => {
  it('a few queries among 50 balls, and looks at a few of them', () => {
    const { world } = avoid3d(50)
    const step = (): void => world.step(AVOID_3D.dt)
    for (let i = 0; i < 30; i++) step()
    expect(perStep(QUERIES, 10, AVOID_3D.pilots, step)).toBeLessThan(1.85)
    expect(perStep(VIEWS, 10, AVOID_3D.pilots, step)).toBeLessThan(1.25)
    expect(perStep(CROSSINGS, 10, AVOID_3D.pilots, step)).toBeLessThan(0.7)
  })

  it('no query without obstacles, and no look at the ground', () => {
    const { world } = avoid3d(0)
    const step = (): void => world.step(AVOID_3D.dt)
    expect(perStep(SWEEPS, 5, AVOID_3D.pilots, step)).toBe(0)
    expect(perStep(VIEWS, 5, AVOID_3D.pilots, step)).toBe(0)
    expect(perStep([[Footing.prototype, 'begin']], 5, AVOID_3D.pilots, step)).toBe(0)
  })

  it('looks at a few of 300 moving rocks', () => {
    const { agents, step } = movingRocks(300)
    for (let i = 0; i < 30; i++) step()
    expect(perStep(VIEWS, 20, agents, step)).toBeLessThan(11)
    expect(perStep(SWEEPS, 20, agents, step)).toBeLessThan(10.5)
  })

  it('a few sweeps, outlines and crossings in a building of 5,000 cubes', () => {
    const { agents, step } = inBuilding(8)
    step()
    expect(perStep(SWEEPS, 12, agents, step)).toBeLessThan(23)
    expect(perStep(OUTLINES, 12, agents, step)).toBeLessThan(0.5)
    expect(perStep(CROSSINGS, 12, agents, step)).toBeLessThan(6)
    expect(perStep(QUERIES, 12, agents, step)).toBeLessThan(5.1)
    expect(perStep(VIEWS, 12, agents, step)).toBeLessThan(4.7)
  })

  // 12,700 where all of the circles of the outlines count, most of which are off the outlines
  it('a third of all crossings where it flees into walls, between columns', () => {
    const { agents, step } = inHall(8)
    for (let i = 0; i < 60; i++) step()
    expect(perStep(CROSSINGS, 20, agents, step)).toBeLessThan(5500)
  })
})
