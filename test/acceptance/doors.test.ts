import RAPIER from '@dimforge/rapier3d-compat'
import { beforeAll, describe, expect, it } from 'vitest'
import { cannonEngine, noEngine, rapierEngine } from '../adapters/doors.js'
import { DOOR_SCENES, flyDoorScene, type DoorFlight } from '../rigs/door-scenes.js'
import { pick, report } from '../support/tier.js'

/**
 * The same scenes on cannon-es, on Rapier and without an engine, at three rates: the same verdicts. The quick
 * run flies three scenes at one rate.
 */
const VERDICTS: Readonly<Record<string, string>> = {
  arrive: 'at rest at the target',
  'arrive against gravity': 'at rest at the target',
  seek: 'through the target',
  pursue: 'caught',
  evade: 'got away',
  'flip over': 'turned over',
  'dock at a turning station': 'latched',
  'a rock dead ahead': 'at rest at the target, no contact',
  'four change places': '4 arrived, no contact',
  'follow a path': 'at the end',
  'a ship with thrusters': 'at rest at the target',
  'orbit, and wander on a leash': 'on the circle, on the leash',
}
const ENGINES = [noEngine, cannonEngine, rapierEngine]
const RATES = pick([60], [30, 60, 240])
const QUICK = new Set(['arrive against gravity', 'dock at a turning station', 'a rock dead ahead'])
/**
 * Share by which the times of a scene differ between engines and rates. A dock takes up to a step more per
 * stage, and a chase ends within a step.
 */
const TIME_TOLERANCE = 0.05

beforeAll(() => RAPIER.init())

const scenes = DOOR_SCENES.filter(({ name }) => pick(QUICK.has(name), true))

describe.each(scenes)('$name', (scene) => {
  it('has the same verdict, at about the same time, with every engine and at every rate', () => {
    const flights: (DoorFlight & { flight: string })[] = []
    for (const rate of RATES)
      for (const engine of ENGINES)
        flights.push({ flight: `${engine.name} at ${rate} Hz`, ...flyDoorScene(scene, engine, rate) })
    for (const { flight, ...figures } of flights) report(`${scene.name}, ${flight}`, [figures])
    const expected = VERDICTS[scene.name]
    expect(flights.filter(({ verdict }) => verdict !== expected)).toEqual([])
    const times = flights.map(({ time }) => time).filter((time) => !Number.isNaN(time))
    if (times.length > 0) {
      expect(times.length).toBe(flights.length)
      expect(Math.max(...times)).toBeLessThanOrEqual((1 + TIME_TOLERANCE) * Math.min(...times) + 1 / 30)
    }
  })
})
