import { describe, expect, it } from 'vitest'
import { Antipodes } from '../../demo/scenarios/antipodes.js'
import { Crossroads } from '../../demo/scenarios/crossroads.js'
import { DoorwayShow, DRONE } from '../rigs/doorway-show.js'
import { Street } from '../../demo/scenarios/street.js'
import { Progress } from '../support/progress.js'
import { FULL, pick } from '../support/tier.js'

const DT = 1 / 60

function run<T extends { step(dt: number): void }>(scene: T, seconds: number): T {
  for (let i = 0; i < seconds * 60; i++) scene.step(DT)
  return scene
}

/** Runs a scene, and returns the longest time in which its number of achievements did not grow (s). */
function longestIdle(scene: { step(dt: number): void }, seconds: number, achievements: () => number): number {
  const progress = new Progress()
  for (let i = 1; i <= seconds * 60; i++) {
    scene.step(DT)
    progress.update(i * DT, achievements())
  }
  return progress.longest
}

/** Number of agents that queue at the door. */
const QUEUE = pick(8, 60)
/** Number of agents that change places, and that cross. */
const ANTIPODES = pick(16, 40)
const CROSSING = pick(24, 60)

describe('the crowds of the gallery', () => {
  it('antipodes change places and back without a contact; the textbook method has many contacts', () => {
    const scene = new Antipodes({ seed: 3, count: ANTIPODES })
    expect(longestIdle(scene, 24, () => scene.crowd.arrivals)).toBeLessThan(12)
    expect(scene.crossings).toBeGreaterThanOrEqual(2)
    expect(scene.crowd.arrivals).toBeGreaterThanOrEqual(ANTIPODES)
    expect(scene.crowd.touches.contacts).toBe(0)
    expect(scene.textbook!.touches.contacts).toBeGreaterThan(2 * ANTIPODES)
    scene.dispose()
  })

  it('streams cross without a contact and without much delay; without avoidance there are contacts', () => {
    const scene = new Crossroads({ seed: 3, count: CROSSING })
    expect(longestIdle(scene, 25, () => scene.trips)).toBeLessThan(12)
    expect(scene.trips).toBeGreaterThan(CROSSING / 2)
    expect(scene.touches.contacts).toBe(0)
    expect(scene.delay).toBeLessThan(1)
    // a freighter, which does not yield, keeps its line
    for (const { freighter, pilot, line, stream } of scene.craft)
      if (freighter && pilot && stream === 0) {
        expect(pilot.position.y).toBeCloseTo(line.y, 6)
        expect(pilot.position.z).toBeCloseTo(line.z, 6)
      }
    scene.dispose()
    const careless = new Crossroads({ seed: 3, count: CROSSING })
    careless.avoiding = false
    expect(run(careless, 25).touches.contacts).toBeGreaterThan(5)
    careless.dispose()
  })

  it('a crowd comes through the gate without a contact', () => {
    const scene = run(new DoorwayShow({ seed: 3, count: 24 }), 7)
    expect(scene.through).toBe(24)
    expect(scene.touches.contacts).toBe(0)
    expect(scene.wallContacts).toBe(0)
    scene.dispose()
  })

  it.each(pick([1], [2], [1, 2]))(
    'cars and walkers of the street come through without a contact, seed %d',
    (seed) => {
      const scene = run(new Street({ seed }), pick(30, 90))
      expect(scene.contacts).toBe(0)
      expect(scene.crossings).toBeGreaterThan(10)
      expect(scene.trips).toBeGreaterThan(pick(0, 10))
      scene.dispose()
    },
  )

  it.each(FULL ? Array.from({ length: 20 }, (_, i) => i + 1) : [3])(
    `${QUEUE} queueing agents come through a door of 2.5 diameters in 40 s, without a contact: seed %d`,
    (seed) => {
      const scene = new DoorwayShow({ seed, count: QUEUE, gate: 2.5 * DRONE, queueing: true })
      while (scene.took < 0 && scene.time < 40) scene.step(DT)
      expect(scene.through).toBe(QUEUE)
      expect(scene.touches.contacts).toBe(0)
      expect(scene.wallContacts).toBe(0)
      scene.dispose()
    },
  )
})
