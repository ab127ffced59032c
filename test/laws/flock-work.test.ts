import { afterEach, describe, expect, it, vi } from 'vitest'
import { blend, DRONES, Flocking, scaleFlock, SteeringWorld } from 'three-steering'
import { FlockBatch } from '../../src/core/behaviors/flocking/flock-batch.js'
import { GridSearch } from '../../src/core/neighbors/neighbor-search.js'
import { Neighbors } from '../../src/core/neighbors/neighbors.js'
import { Scan } from '../../src/core/neighbors/scan.js'
import { Arranger } from '../../src/core/neighbors/arrange.js'
import { FLOCK_3D, flock3d } from '../rigs/flock-3d.js'
import { RECIPROCAL_3D, reciprocal3d } from '../rigs/reciprocal-3d.js'
import { readmeFlock } from '../rigs/readme-flock.js'
import { addFlock } from '../support/flock.js'

/**
 * What a bird of a flock costs in a step is counted, not timed: the agents whose place is looked at, the
 * cells whose bounds are looked up, and searches. The bounds are a third above what was counted.
 */
interface Work {
  /** Reads of a place. */
  places: number
  /** Reads of the first or last agent of a cell. */
  bounds: number
}

/** The same array, which counts its reads. */
function counted<T extends Float64Array | Int32Array>(array: T, count: () => void): T {
  return new Proxy(array, {
    get: (target, key): unknown => {
      if (typeof key === 'string' && key >= '0' && key < ':') count()
      return Reflect.get(target, key, target)
    },
  })
}

/** Work per agent and step. The first steps, `before`, are not counted. */
function workOf(agents: number, steps: number, step: () => void, before = 20): Work {
  const work = { places: 0, bounds: 0 }
  // oxlint-disable-next-line typescript/unbound-method -- called with their batch below
  const { end, prepare } = FlockBatch.prototype
  let undo = (): void => {}
  for (let i = 0; i < before; i++) step()
  vi.spyOn(FlockBatch.prototype, 'prepare').mockImplementation(function (this: FlockBatch, table) {
    const isPrepared = prepare.call(this, table)
    const { sorted } = this
    const { position, start } = sorted
    // three coordinates a place
    sorted.position = counted(position, () => (work.places += 1 / 3))
    sorted.start = counted(start, () => work.bounds++)
    undo = () => Object.assign(sorted, { position, start })
    return isPrepared
  })
  vi.spyOn(FlockBatch.prototype, 'end').mockImplementation(function (this: FlockBatch) {
    undo()
    end.call(this)
  })
  for (let i = 0; i < steps; i++) step()
  vi.restoreAllMocks()
  const perAgent = { places: work.places / steps / agents, bounds: work.bounds / steps / agents }
  if (process.env['COUNTS'] === 'print') process.stdout.write(`${JSON.stringify(perAgent)}\n`)
  return perAgent
}

/** Calls per agent and step. */
function callsOf(of: object, method: string, agents: number, steps: number, step: () => void): number {
  const spy = vi.spyOn(of as Record<string, () => void>, method)
  for (let i = 0; i < steps; i++) step()
  const calls = spy.mock.calls.length / steps / agents
  spy.mockRestore()
  if (process.env['COUNTS'] === 'print') process.stdout.write(`${method}: ${calls}\n`)
  return calls
}

afterEach(() => vi.restoreAllMocks())

describe('a bird of a plain flock', () => {
  // half of the neighbours, because each pair is tested once; each that is near enough is read again
  it.each<[k: number, flow: boolean, places: number, bounds: number]>([
    [7, false, 21, 9.5],
    [7, true, 21, 9.5],
    [30, false, 80, 7.7],
  ])('with %i neighbours, on its way: %s, looks at few others, in few cells', (k, flow, places, bounds) => {
    const count = 400
    const { world } = flock3d(count, k, flow)
    const work = workOf(count, 3, () => world.step(FLOCK_3D.dt))
    // none at all: the birds were not steered at once
    expect(work.places).toBeGreaterThan(k / 2)
    expect(work.places).toBeLessThan(places)
    expect(work.bounds).toBeLessThan(bounds)
  })

  it('searches for no neighbour by itself, and keeps its row most of the time', () => {
    const count = 600
    const { world } = flock3d(count, 7, true)
    const step = (): void => world.step(FLOCK_3D.dt)
    for (let i = 0; i < 20; i++) step()
    expect(callsOf(Neighbors.prototype, 'find', count, 5, step)).toBe(0)
    // calls for the whole flock
    expect(callsOf(Arranger.prototype, 'arrange', 1, 40, step)).toBeLessThan(0.2)
  })
})

describe('a bird with seven nearest neighbours', () => {
  it('searches hardly more than once, and looks at few others', () => {
    const count = 400
    const world = readmeFlock(count)
    const step = (): void => world.step(1 / 60)
    for (let i = 0; i < 20; i++) step()
    expect(callsOf(Scan.prototype, 'around', count, 5, step)).toBeLessThan(1.4)
    expect(callsOf(Neighbors.prototype, 'find', count, 5, step)).toBe(0)
    const work = workOf(count, 3, step)
    expect(work.places).toBeGreaterThan(7)
    expect(work.places).toBeLessThan(63)
    expect(work.bounds).toBeLessThan(21)
  })
})

describe('a bird in its first step', () => {
  it('looks for its neighbours where the bird before it found them, not in all of its reach', () => {
    const count = 1500
    const world = new SteeringWorld({ seed: 3 })
    const { flocking, traits } = scaleFlock(DRONES, { count })
    addFlock(world, { ...traits, count, behavior: blend([new Flocking(flocking)]) })
    const work = workOf(count, 1, () => world.step(1 / 60), 0)
    expect(work.places).toBeGreaterThan(8)
    expect(work.places).toBeLessThan(735)
  })
})

describe('an agent that looks for its neighbours by itself', () => {
  it('looks at few others, in few cells', () => {
    const count = 500
    const world = reciprocal3d(count)
    const work = { places: 0, bounds: 0 }
    // oxlint-disable-next-line typescript/unbound-method -- called with their search below
    const { end, index } = GridSearch.prototype
    let undo = (): void => {}
    for (let i = 0; i < 20; i++) world.step(RECIPROCAL_3D.dt)
    vi.spyOn(GridSearch.prototype, 'index').mockImplementation(function (this: GridSearch, bindings) {
      index.call(this, bindings)
      const { grid } = this
      const { position, start } = grid
      grid.position = counted(position, () => (work.places += 1 / 3))
      grid.start = counted(start, () => work.bounds++)
      undo = () => Object.assign(grid, { position, start })
    })
    vi.spyOn(GridSearch.prototype, 'end').mockImplementation(function (this: GridSearch) {
      undo()
      end.call(this)
    })
    for (let i = 0; i < 3; i++) world.step(RECIPROCAL_3D.dt)
    if (process.env['COUNTS'] === 'print') process.stdout.write(`${JSON.stringify(work)}\n`)
    expect(work.places / 3 / count).toBeGreaterThan(1)
    expect(work.places / 3 / count).toBeLessThan(40)
    expect(work.bounds / 3 / count).toBeLessThan(18)
  })
})
