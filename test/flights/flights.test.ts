import { readFileSync, writeFileSync } from 'node:fs'
import RAPIER from '@dimforge/rapier3d-compat'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Fingerprint } from '../../demo/scenarios/metrics.js'
import { expectConsole } from '../support/console.js'
import { aroundWalls } from './crafted.js'
import { MOMENTS, type FlownScene } from './flown.js'
import { SCENES, TWINS } from './scenes.js'

/**
 * Recorded flights: a changed motion shows at once, also one that no bound of a test notices. A record is a
 * hash of the state of all agents at three moments, and some of their places.
 *
 * `UPDATE=flights` writes the records anew and prints which flights have changed, and by how many metres. A
 * commit that changes a motion lists them; one that only moves code changes none.
 *
 * Another version of V8 may compute sine and cosine differently in the last bit. There the places after half
 * a second are compared, to 1 mm.
 */
/** Agents whose places are recorded, evenly chosen. */
const SAMPLE = 6
const CLOSE = 1e-3
const FILE = new URL('flights.json', import.meta.url)
const UPDATE = process.env['UPDATE'] === 'flights'
const V8 = process.versions.v8.split('.').slice(0, 2).join('.')

/** Hashes at the moments, and places (m) at the first and the last one. */
interface Flight {
  readonly hashes: readonly string[]
  readonly early: readonly number[]
  readonly late: readonly number[]
}

const recorded = JSON.parse(readFileSync(FILE, 'utf8')) as { v8: string; flights: Record<string, Flight> }
const flown: Record<string, Flight> = {}

/** Slots of all agents, in the order of their numbers, because rows and slots may be given otherwise. */
function agentsOf({ worlds }: FlownScene): { position: number[]; state: number[] }[] {
  return worlds.flatMap(({ agents }) => {
    const { position, velocity, orientation, angularVelocity } = agents
    const rows = Array.from({ length: agents.count }, (_, row) => row)
    rows.sort((a, b) => agents.id[a]! - agents.id[b]!)
    return rows.map((row) => {
      const of = (column: Float64Array, width: number): number[] => [
        ...column.subarray(row * width, (row + 1) * width),
      ]
      const place = of(position, 3)
      const state = [...place, ...of(velocity, 3), ...of(orientation, 4), ...of(angularVelocity, 3)]
      return { position: place, state }
    })
  })
}

/** A hash of the state of all agents. */
function markOf(scene: FlownScene): string {
  const mark = new Fingerprint()
  for (const { state } of agentsOf(scene)) for (const value of state) mark.add(value)
  return mark.toString()
}

function fly(scene: FlownScene): Flight {
  const hashes: string[] = []
  const places: number[][] = []
  for (let i = 1; i <= MOMENTS.at(-1)!; i++) {
    scene.step()
    if (!MOMENTS.includes(i)) continue
    const agents = agentsOf(scene)
    hashes.push(markOf(scene))
    const stride = Math.max(1, Math.floor(agents.length / SAMPLE))
    const sample = agents.filter((_, k) => k % stride === 0).slice(0, SAMPLE)
    places.push(sample.flatMap(({ position }) => position.map((value) => Math.round(1e4 * value) / 1e4)))
  }
  for (const world of scene.worlds) world.dispose()
  return { hashes, early: places[0]!, late: places.at(-1)! }
}

/** Largest difference of two lists of coordinates (m); Infinity when they have different lengths. */
function farthest(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) return Infinity
  return Math.max(0, ...a.map((value, i) => Math.abs(value - b[i]!)))
}

beforeAll(() => RAPIER.init())

describe.each(Object.entries(SCENES))('%s', (group, scenes) => {
  it.each(Object.entries(scenes))('%s', (name, open) => {
    // hints about a scene are not what is tested here
    expectConsole()
    const id = `${group}/${name}`
    const flight = (flown[id] = fly(open()))
    expect(flight.late.every(Number.isFinite)).toBe(true)
    if (UPDATE) return
    const known = recorded.flights[id]
    expect(known, 'is not recorded: UPDATE=flights').toBeDefined()
    const moved = farthest(flight.late, known!.late)
    if (V8 === recorded.v8)
      expect(flight.hashes, `moved by ${moved} m in ${MOMENTS.at(-1)} steps`).toEqual(known!.hashes)
    else expect(farthest(flight.early, known!.early)).toBeLessThan(CLOSE)
  })
})

// What a module keeps from one step to the next, it keeps for all worlds. One on a route leaves most of it.
it('each world flies alike alone and in turns with all others', () => {
  expectConsole()
  const routed = aroundWalls()
  const { gallery: _, ...others } = SCENES
  const opened = Object.entries(others).flatMap(([group, scenes]) =>
    Object.entries(scenes).map(([name, open]) => ({
      id: `${group}/${name}`,
      scene: open(),
      twin: TWINS[name]?.(),
    })),
  )
  for (let i = 0; i < MOMENTS[0]!; i++)
    for (const { scene, twin } of i % 2 === 0 ? opened : opened.toReversed()) {
      if (i % 3 === 0) routed.step()
      else twin?.step()
      scene.step()
    }
  const moved = opened.filter(({ id, scene }) => markOf(scene) !== flown[id]!.hashes[0])
  expect(moved.map(({ id }) => id)).toEqual([])
}, 300_000)

it.skipIf(UPDATE)('no record is left of a scene that is gone', () => {
  expect(Object.keys(recorded.flights).sort()).toEqual(Object.keys(flown).sort())
})

afterAll(() => {
  if (!UPDATE) return
  const before = recorded.flights
  const ids = Object.keys(flown)
  for (const id of ids) {
    const was = before[id]
    if (was === undefined) console.info(`new: ${id}`)
    else if (was.hashes.join() !== flown[id]!.hashes.join()) {
      const step = MOMENTS[was.hashes.findIndex((hash, i) => hash !== flown[id]!.hashes[i])]
      const metres = `${farthest(was.early, flown[id]!.early).toFixed(4)} m, then ${farthest(was.late, flown[id]!.late).toFixed(4)} m`
      console.info(`changed by step ${step}, by ${metres}: ${id}`)
    }
  }
  for (const id of Object.keys(before)) if (!(id in flown)) console.info(`gone: ${id}`)
  const lines = ids.map((id) => `    ${JSON.stringify(id)}: ${JSON.stringify(flown[id])}`)
  writeFileSync(FILE, `{\n  "v8": "${V8}",\n  "flights": {\n${lines.join(',\n')}\n  }\n}\n`)
})
