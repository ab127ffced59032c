import { describe, expect, it } from 'vitest'
import { Dogfight } from '../../demo/scenarios/dogfight.js'
import { Tanker } from '../../demo/scenarios/tanker.js'
import { Tracers, type Hit } from '../../demo/scenarios/tracers.js'
import { Progress } from '../support/progress.js'
import { minus, norm, plus, times, turned, v } from '../support/geometry.js'
import { FULL, pick } from '../support/tier.js'

/** The whole sweep: `ACCEPTANCE=full npx vitest run test/acceptance/dogfight-show.test.ts`. */
const SEEDS = pick([1], [1, 2], [1, 2, 3, 4, 5, 6, 7, 8])
const SECONDS = pick(30, 40, 120)

/** Longest time without a shot (s). */
const idle = new WeakMap<Dogfight, number>()

function fought(seed: number, count = 12, seconds = SECONDS): Dogfight {
  const fight = new Dogfight({ seed, count })
  const progress = new Progress()
  for (let i = 1; i <= 60 * seconds; i++) {
    fight.step(1 / 60)
    progress.update(i / 60, numberOf(fight, 'shots'))
  }
  idle.set(fight, progress.longest)
  return fight
}

const numberOf = (fight: Dogfight, name: string): number => Number(fight.state()[name])

describe.each(SEEDS)('two teams (seed %i)', (seed) => {
  const fight = fought(seed)

  it('shoot when their guns point at a target, and hit', () => {
    expect(numberOf(fight, 'shots')).toBeGreaterThan(50)
    expect(numberOf(fight, 'hits') / numberOf(fight, 'shots')).toBeGreaterThan(0.15)
    expect(numberOf(fight, 'time on target')).toBeGreaterThan(0.02)
    expect(numberOf(fight, 'kills')).toBeGreaterThan(1)
    expect(idle.get(fight)).toBeLessThan(30)
  })

  it('have no collisions', () => {
    expect(numberOf(fight, 'collisions')).toBe(0)
  })

  it('keep flying, within their region and at their speed', () => {
    expect(numberOf(fight, 'mean speed')).toBeGreaterThan(40)
    for (const { pilot, mood } of fight.fighters) {
      if (mood === 'down' || mood === 'away') continue
      expect(Math.hypot(pilot.position.x, pilot.position.z)).toBeLessThan(1300)
      expect(pilot.position.y).toBeGreaterThan(-190)
      expect(norm(pilot.velocity)).toBeGreaterThan(25)
    }
  })

  it('return after a hit, and form up on their tanker', () => {
    const first = (fight.fighters.length / 2 - 1) * 2
    expect(numberOf(fight, 'joined')).toBeGreaterThan(FULL ? first : 3)
  })
})

it('two aircraft alone fight, too', () => {
  const duel = fought(3, 2, pick(40, 60))
  expect(numberOf(duel, 'fighters')).toBe(2)
  expect(numberOf(duel, 'shots')).toBeGreaterThan(0)
  expect(numberOf(duel, 'collisions')).toBe(0)
})

it('a tanker flies along its nose, and turns by its angular velocity', () => {
  const tanker = new Tanker(1)
  const dt = 1e-4
  for (const time of [0, 3, 11]) {
    tanker.place(time)
    const { position, velocity, quaternion, angularVelocity } = structuredClone({
      position: tanker.position,
      velocity: tanker.velocity,
      quaternion: tanker.quaternion,
      angularVelocity: tanker.angularVelocity,
    })
    const nose = turned(quaternion, v(0, 0, 1))
    expect(norm(minus(velocity, times(nose, norm(velocity))))).toBeLessThan(1e-9)
    tanker.place(time + dt)
    expect(norm(minus(times(minus(tanker.position, position), 1 / dt), velocity))).toBeLessThan(0.01)
    const top = turned(quaternion, v(0, 1, 0))
    const change = times(minus(turned(tanker.quaternion, v(0, 1, 0)), top), 1 / dt)
    const { x, y, z } = angularVelocity
    expect(
      norm(minus(change, v(y * top.z - z * top.y, z * top.x - x * top.z, x * top.y - y * top.x))),
    ).toBeLessThan(0.01)
    // it banks into its turn: its top points to the inside
    const inside = minus(v(0, tanker.position.y, 520), tanker.position)
    expect(top.x * inside.x + top.z * inside.z).toBeGreaterThan(0)
  }
})

it('a shot hits a sphere of the other team on its path, at any speed, and no other', () => {
  const tracers = new Tracers()
  const hits: Hit[] = []
  tracers.fire(5, 0, v(0, 0, 0), v(0, 0, 6000))
  const balls = [
    { position: v(0, 1, 30), radius: 2, team: 0 },
    { position: v(0, 3, 50), radius: 2, team: 1 },
    { position: plus(v(0, 1, 0), v(0, 0, 70)), radius: 2, team: 1 },
    null,
  ]
  for (let i = 0; i < 5; i++) tracers.step(1 / 60, balls, (hit) => hits.push(hit))
  expect(hits.map(({ target, shooter }) => [target, shooter])).toEqual([[2, 5]])
})
