import { beforeAll, describe, expect, it } from 'vitest'
import { seeded } from 'three-steering/authoring'
import { Station, type StationOptions } from '../../demo/scenarios/station.js'
import type { Order } from '../../demo/scenarios/station-wing.js'
import { pick, report } from '../support/tier.js'

/**
 * The scene *Station* without rendering. The quick run plays 50 s of one seed, ACCEPTANCE=full or =print
 * ten minutes of ten seeds.
 */
const STEP = 1 / 60
const SECONDS = pick(50, 90, 600)
const SEEDS = pick([1], [2], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])

interface Run {
  readonly station: Station
  readonly faults: readonly unknown[]
}

/** Plays a seed. `before` is called before each step. */
function play(options: StationOptions, seconds: number, before?: (station: Station) => void): Run {
  const station = new Station(options)
  const faults: unknown[] = []
  station.steering.addEventListener('fault', (fault) => faults.push(fault))
  for (let i = Math.round(seconds / STEP); i > 0; i--) {
    before?.(station)
    station.step(STEP)
  }
  report(`station, seed ${options.seed}, ${seconds} s`, [station.state()])
  station.dispose()
  return { station, faults }
}

describe('the station plays itself', () => {
  const runs: Run[] = []

  beforeAll(() => {
    for (const seed of SEEDS) runs.push(play({ seed, drones: pick(5, 30) }, SECONDS))
  }, 6_000_000)

  it('nothing touches anything but its port, and nothing fails', () => {
    for (const { faults, station } of runs) {
      expect(faults).toEqual([])
      expect(station.state()['contacts']).toBe(0)
    }
  })

  it('freighters dock and unload', () => {
    for (const { station } of runs) {
      expect(station.traffic.touches.length).toBeGreaterThanOrEqual(SECONDS / 20)
      expect(station.traffic.delivered).toBeGreaterThan(0)
    }
  })

  it('raiders come, and the wing stops more of them than rob a freighter', () => {
    for (const { station } of runs) {
      const { intercepted, robbed, waves } = station.raid
      expect(waves).toBeGreaterThanOrEqual(Math.max(1, Math.floor(SECONDS / 150)))
      expect(intercepted).toBeGreaterThan(robbed)
    }
  })

  it('the wing keeps its slots while it flies in formation', () => {
    for (const { station } of runs) {
      expect(station.wing.errorSamples).toBeGreaterThan(0)
      expect(Number(station.state()['mean slot error, m'])).toBeLessThan(1)
    }
  })
})

describe('the player', () => {
  /** Moves the stick like a child: all axes at random, for a second each, and any order. */
  function wild(seed: number): (station: Station) => void {
    const random = seeded(seed)
    const axis = (): number => Math.max(-1, Math.min(1, 3 * random() - 1.5))
    let next = 0
    return ({ time, wing }) => {
      wing.played = true
      if (time < next) return
      next = time + 1
      const { stick } = wing
      stick.ahead = axis()
      stick.up = axis()
      stick.right = axis()
      stick.roll = axis()
      stick.pitch = axis()
      stick.yaw = axis()
      wing.trigger = random() < 0.5
      if (random() < 0.2) wing.order = ['form', 'attack', 'guard', 'break'][Math.floor(4 * random())] as Order
    }
  }

  it('touches nothing, however it moves the stick', () => {
    for (const seed of SEEDS) {
      const { faults, station } = play({ seed, drones: pick(4, 30) }, pick(10, 30, 300), wild(seed))
      expect(faults).toEqual([])
      expect(station.state()['contacts']).toBe(0)
    }
  }, 6_000_000)

  it('is followed by its wing, which obeys', () => {
    const { station } = play({ seed: 4, drones: 2, freighters: 1, rocks: 0 }, 9, ({ wing }) => {
      wing.played = true
      wing.stick.ahead = 0.5
    })
    const { wing } = station
    expect(wing.formation.slotError).toBeLessThan(2)
    expect(new Set(wing.ships.map(({ doing }) => doing))).toEqual(new Set(['form']))
    wing.order = 'guard'
    // without the raiders that a match brings at once
    wing.observe([], station.time)
    expect(new Set(wing.ships.map(({ doing }) => doing))).toEqual(new Set(['guard']))
  })
})
