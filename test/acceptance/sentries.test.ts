import { beforeAll, describe, expect, it } from 'vitest'
import { type GuardMode } from '../../demo/scenarios/sentry-guard.js'
import { Sentries } from '../../demo/scenarios/sentries.js'
import { Progress } from '../support/progress.js'
import { FULL, report } from '../support/tier.js'

/**
 * The scene *Explain* without rendering: guards with behaviour trees switched by a state machine, and
 * raiders. The ordinary run flies one seed for about seventy seconds at 1/30 s, ACCEPTANCE=full or =print
 * several for ten minutes, at 1/60 s as well.
 */

interface Flown {
  readonly show: Sentries
  readonly seconds: number
  /** Changes of state, such as `guard 1: patrol > chase`, with their counts. */
  readonly changes: Map<string, number>
  /** Longest time without a completed raid, a repelled raid or a docking (s). */
  readonly idle: number
}

function fly(seed: number, seconds: number, dt = 1 / 30): Flown {
  const show = new Sentries({ seed })
  const changes = new Map<string, number>()
  const before = new Map<string, string>()
  show.onMind = ({ pilot: { name } }, state) => {
    const word = `${before.get(name) ?? (name.startsWith('guard') ? 'patrol' : 'roam')} > ${state}`
    changes.set(word, (changes.get(word) ?? 0) + 1)
    before.set(name, state)
  }
  const progress = new Progress()
  for (let i = 1; i <= Math.round(seconds / dt); i++) {
    show.step(dt)
    progress.update(i * dt, show.hits + show.repelled + show.dockings)
  }
  show.dispose()
  const flown = { show, seconds, changes, idle: progress.longest }
  report(`sentries, seed ${seed}, ${seconds} s`, [show.state()])
  return flown
}

/** The transitions that the state machine of a guard allows. */
const WAYS = [
  'patrol > chase',
  'patrol > flee',
  'patrol > dock.come',
  'chase > patrol',
  'chase > flee',
  'chase > dock.come',
  'flee > patrol',
  'flee > dock.come',
  'dock.come > dock.moored',
  'dock.moored > dock.leave',
  'dock.leave > patrol',
]
const RAIDER_WAYS = ['roam > raid', 'roam > flee', 'raid > flee', 'flee > roam']

describe('guards and raiders', () => {
  const runs: Flown[] = []
  beforeAll(() => {
    if (!FULL) runs.push(fly(1, 75))
    else {
      for (const seed of [1, 2, 3, 4, 5]) runs.push(fly(seed, 600))
      for (const seed of [1, 2]) runs.push(fly(seed, 600, 1 / 60))
    }
  }, 1_800_000)

  it('touch nothing', () => {
    for (const { show } of runs) expect(show.contacts).toBe(0)
  })

  it('achieve something in every minute', () => {
    for (const { idle } of runs) expect(idle).toBeLessThan(!FULL ? 40 : 60)
  })

  it('use all four states, in the long run every guard does; most of the time they patrol and chase', () => {
    for (const { seconds, show } of runs) {
      for (const mode of ['patrol', 'chase', 'flee', 'dock'] as const) {
        const those = show.guards.filter(({ spent }) => spent[mode] > 0)
        // not every guard has every state within a minute
        expect(those.length).toBeGreaterThanOrEqual(seconds > 300 ? show.guards.length : 1)
      }
      const share = (...names: GuardMode[]): number =>
        names.reduce((sum, name) => sum + show.guards.reduce((all, { spent }) => all + spent[name], 0), 0) /
        (seconds * show.guards.length)
      expect(share('patrol', 'chase')).toBeGreaterThan(0.5)
      expect(share('flee')).toBeLessThan(0.2)
      expect(share('dock', 'leave')).toBeLessThan(0.45)
    }
  })

  it('a guard that comes to a port docks there, and leaves charged and repaired', () => {
    for (const { changes, seconds, show } of runs) {
      const docked = changes.get('dock.come > dock.moored') ?? 0
      expect(show.dockings).toBe(docked)
      expect(docked).toBeGreaterThanOrEqual(Math.floor(seconds / 60))
      const left = changes.get('dock.moored > dock.leave') ?? 0
      expect(docked - left).toBe(show.guards.filter(({ release }) => release !== null).length)
    }
  })

  it('some raids are repelled and some succeed', () => {
    for (const { show } of runs) {
      expect(show.repelled).toBeGreaterThan(0)
      expect(show.hits).toBeGreaterThan(10)
    }
  })

  it('change their states only by the allowed transitions', () => {
    for (const { changes } of runs)
      for (const way of changes.keys()) expect([...WAYS, ...RAIDER_WAYS]).toContain(way)
  })

  it('do not dither: no guard changes its state more than a few times a minute', () => {
    for (const { changes, seconds, show } of runs) {
      const all = WAYS.reduce((sum, way) => sum + (changes.get(way) ?? 0), 0)
      expect(all / show.guards.length).toBeLessThan((10 * seconds) / 60)
    }
  })
})
