import { describe, expect, it } from 'vitest'
import {
  blend,
  Flocking,
  Path,
  FollowPath,
  modes,
  SteeringController,
  SteeringWorld,
  Wander,
  type Flock,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { Formation, KeepSlot } from 'three-steering/formation'
import { restoreSnapshot, takeSnapshot, type Snapshot } from 'three-steering/snapshot'
import { bitsOf, firstDifference } from '../laws/kit.js'
import { ALL, FULL } from '../support/tier.js'
import { addFlock } from '../support/flock.js'
import { requireSlots } from '../../src/extras/snapshot/snapshot-check.js'

// Snapshots from strangers. Any number or text is replaced, with a matching checksum: the snapshot is
// restored or refused within a moment. When it is refused, nothing has changed. When it is restored, the
// world goes on, and the positions of its agents are finite.

const CASES = FULL ? 4000 : ALL ? 250 : 45
const NUMBERS = [
  0,
  -1,
  0.5,
  1,
  7,
  1e4,
  2 ** 26,
  2 ** 31,
  1e9,
  1e15,
  1e308,
  -1e308,
  5e-324,
  NaN,
  Infinity,
  -Infinity,
]
const INTEGERS = [0, -1, 1, 2, 7, 1000, 2 ** 26, 2 ** 31 - 1, -(2 ** 31)]
const TEXTS = ['', 'a', 'constructor', '__proto__', 'x'.repeat(1000)]

interface Scene {
  readonly world: SteeringWorld
  readonly ships: readonly SteeringController[]
  readonly flock: Flock
}

function scene(): Scene {
  const world = new SteeringWorld({ seed: 4 })
  world.addEventListener('fault', () => undefined)
  const flocking = new Flocking({
    separation: { neighborDistance: 2 },
    alignment: { neighborDistance: 4 },
    cohesion: { neighborDistance: 4 },
  })
  const flock = addFlock(world, {
    count: 9,
    behavior: blend([flocking, new Wander()]),
    maxSpeed: 5,
    maxForce: 9,
    seed: 3,
  })
  const points = [
    { x: 0, y: 0, z: 0 },
    { x: 9, y: 3, z: 0 },
    { x: 9, y: 0, z: 12 },
  ]
  const formation = new Formation({ spacing: 3 })
  const minds = [
    new FollowPath({ path: new Path({ points, ends: 'closed' }), pilot: true }),
    modes({ a: new Wander(), b: new Wander() }),
    new KeepSlot({ formation, leadBehavior: new Wander() }),
    new KeepSlot({ formation }),
  ]
  const ships = minds.map(
    (behavior, i) =>
      new SteeringController(null, {
        behavior,
        maxSpeed: 6,
        maxForce: 20,
        seed: i,
        position: { x: 20, y: 4 * i, z: 0 },
        name: `ship ${i}`,
      }),
  )
  for (const ship of ships) world.add(ship)
  for (let i = 0; i < 20; i++) world.step(1 / 60)
  return { world, ships, flock }
}

function bits({ flock, ships }: Scene): number[] {
  const members = Array.from({ length: flock.size }, (_, i) => ({
    position: flock.position(i, { x: 0, y: 0, z: 0 }),
    velocity: flock.velocity(i, { x: 0, y: 0, z: 0 }),
    quaternion: flock.quaternion(i, { x: 0, y: 0, z: 0, w: 1 }),
  }))
  return bitsOf([...ships, ...members])
}

const bytesOf = (text: string): Uint8Array => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
const textOf = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))

/** The checksum of the format, as an independent implementation. */
function checksum(numbers: Uint8Array, integers: Uint8Array, texts: readonly string[]): number {
  let hash = 0x811c9dc5
  for (const bytes of [numbers, integers])
    for (const word of new Int32Array(bytes.slice().buffer)) hash = Math.imul(hash ^ word, 0x01000193)
  for (const text of texts)
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/** Replaces one number or text by another. */
function forge(snapshot: Snapshot, random: () => number): { forged: Snapshot; what: string } {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const numbers = bytesOf(snapshot.numbers)
  const integers = bytesOf(snapshot.integers)
  const texts = [...snapshot.texts]
  let what: string
  const kind = random()
  if (kind < 0.55) {
    const view = new Float64Array(numbers.buffer)
    // half of them among the first and last, where counts are
    const at =
      random() < 0.3 ? Math.floor(random() * Math.min(60, view.length)) : Math.floor(random() * view.length)
    view[at] = pick(NUMBERS)
    what = `number ${at} = ${view[at]}`
  } else if (kind < 0.97 || texts.length === 0) {
    const view = new Int32Array(integers.buffer)
    const at = Math.floor(random() * view.length)
    view[at] = pick(INTEGERS)
    what = `integer ${at} = ${view[at]}`
  } else {
    const at = Math.floor(random() * texts.length)
    texts[at] = pick(TEXTS)
    what = `text ${at} = '${texts[at]}'`
  }
  const forged = {
    ...snapshot,
    texts,
    numbers: textOf(numbers),
    integers: textOf(integers),
    checksum: checksum(numbers, integers, texts),
  }
  return { forged, what }
}

describe('a forged snapshot', () => {
  it(`is restored, or refused without any change, within a moment (${CASES} cases)`, () => {
    const random = seeded(17)
    const text = JSON.stringify(takeSnapshot(scene().world))
    let refused = 0
    let one = scene()
    let calm: number[][] | null = null
    for (let n = 0; n < CASES; n++) {
      const { forged, what } = forge(JSON.parse(text) as Snapshot, random)
      const began = performance.now()
      let failed: unknown = null
      try {
        restoreSnapshot(one.world, forged)
      } catch (error) {
        failed = error
      }
      expect(performance.now() - began, `case ${n}: ${what}`).toBeLessThan(3000)
      const flown: number[][] = []
      for (let i = 0; i < 3; i++) {
        one.world.step(1 / 60)
        flown.push(bits(one))
      }
      expect(performance.now() - began, `case ${n}: ${what}: steps`).toBeLessThan(6000)
      if (failed === null) {
        expect(flown.flat().every(Number.isFinite), `case ${n}: ${what}: finite`).toBe(true)
        one.world.dispose()
        one = scene()
        continue
      }
      refused++
      expect(failed, `case ${n}: ${what}`).toSatisfy(
        (error) => error instanceof RangeError || error instanceof TypeError,
      )
      // as if restoring had never been tried
      if (calm === null) {
        const other = scene()
        calm = []
        for (let i = 0; i < 3; i++) {
          other.world.step(1 / 60)
          calm.push(bits(other))
        }
      }
      expect(
        firstDifference(flown, calm),
        `case ${n}: ${what}: ${String(failed)}\n${(failed as Error).stack}`,
      ).toBeNull()
      one.world.dispose()
      one = scene()
    }
    expect(refused).toBeGreaterThan(CASES / 10)
  })

  it('with lists, texts or counts missing, or of another kind, is refused', () => {
    const text = JSON.stringify(takeSnapshot(scene().world))
    const { world } = scene()
    const wrong: string[] = []
    for (const key of Object.keys(JSON.parse(text) as object))
      for (const value of [undefined, null, {}, [], 'x', 1e9, [null], [1e9], [{}]]) {
        const forged = { ...(JSON.parse(text) as Record<string, unknown>), [key]: value }
        let failed: unknown = null
        try {
          restoreSnapshot(world, forged as never)
        } catch (error) {
          failed = error
        }
        if (failed !== null && !(failed instanceof RangeError || failed instanceof TypeError))
          wrong.push(`${key} = ${JSON.stringify(value)}: ${String(failed)}`)
        world.step(1 / 60)
      }
    expect(wrong).toEqual([])
  })
})

it.each([
  ['more agents than slots', { capacity: 1 }, '2 agents in 1 slots'],
  ['more slots than numbers', { capacity: 9 }, '2 agents in 9 slots'],
  ['a slot that is not there', { slot: [0, 4] }, 'in slot 4'],
  ['one slot for two', { slot: [1, 1] }, 'in slot 1'],
  ['an agent of nobody', { handle: [0, 2] }, 'belongs to number 2'],
  ['one id for two', { id: [5, 5] }, 'the same id'],
])('a snapshot with %s is refused', (_, damage, message) => {
  const sound = { capacity: 4, count: 2, handle: [0, 1], id: [5, 6], slot: [3, 0] }
  expect(() => requireSlots(sound as never, 8, 2)).not.toThrow()
  expect(() => requireSlots({ ...sound, ...damage } as never, 8, 2)).toThrow(message)
})
