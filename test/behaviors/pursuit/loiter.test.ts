import { expect, it } from 'vitest'
import { Flight, Loiter, type LoiterOptions, type Vec3 } from 'three-steering'
import { crossOf, dotOf, minus, norm, unit, v } from '../../support/geometry.js'
import { pilot, quietWorld, type PilotOptions } from '../../support/pilot.js'

const RADIUS = 10

interface Setting {
  readonly options?: Partial<LoiterOptions>
  readonly agent?: PilotOptions
  /** Velocity of the target. */
  readonly drift?: Vec3
  readonly rate?: number
  readonly seconds?: number
}

/**
 * Flies, and notes each crossing after the first: how far it missed the target (m), and which way it turned
 * next.
 */
function fly({ options = {}, agent = {}, drift = v(0, 0, 0), rate = 60, seconds = 90 }: Setting): {
  misses: number[]
  turns: number[]
  farthest: number
} {
  const { world, faults } = quietWorld()
  const target = { position: v(0, 0, 0), velocity: drift }
  const one = pilot(new Loiter({ target, radius: RADIUS, ...options }), {
    maxSpeed: 10,
    maxForce: 20,
    position: v(-40, 7, 13),
    ...agent,
  })
  world.add(one)
  const axis = unit(options.axis ?? v(0, 1, 0))
  const misses: number[] = []
  const turns: number[] = []
  let inside = false
  let nearest = Infinity
  let turned = 0
  let farthest = 0
  for (let i = 0; i < seconds * rate; i++) {
    for (const k of ['x', 'y', 'z'] as const) target.position[k] += drift[k] / rate
    const before = minus(one.velocity, drift)
    world.step(1 / rate)
    turned += dotOf(crossOf(before, minus(one.velocity, drift)), axis)
    const gap = norm(minus(one.position, target.position))
    if (misses.length > 1) farthest = Math.max(farthest, gap)
    if (gap < RADIUS / 2) {
      if (!inside && misses.length > 0) turns.push(Math.sign(turned))
      if (!inside) turned = 0
      inside = true
      nearest = Math.min(nearest, gap)
    } else if (inside) {
      misses.push(nearest)
      inside = false
      nearest = Infinity
    }
  }
  expect(faults).toEqual([])
  return { misses: misses.slice(1), turns: turns.slice(1), farthest }
}

it.each<[string, Setting]>([
  ['by default', {}],
  ['at 30 Hz', { rate: 30 }],
  ['at 240 Hz', { rate: 240 }],
  ['with loops that touch', { options: { length: 2 } }],
  ['with long lines between the loops', { options: { length: 6 } }],
  ['upright, about an axis that is not up', { options: { axis: v(0, 0, -3) } }],
  ['from the target', { agent: { position: v(0, 0, 0) } }],
  ['from straight above, flying up', { agent: { position: v(0, 30, 0), velocity: v(0, 10, 0) } }],
  ['with wings', { agent: { locomotion: new Flight({ minSpeed: 5 }) } }],
  ['about a target that moves', { drift: v(1, 1, -1) }],
  ['heavy', { agent: { mass: 1000, maxForce: 20000 } }],
])('crosses the target, and turns to one side and to the other in turn: %s', (_, setting) => {
  const { misses, turns, farthest } = fly(setting)
  expect(misses.length).toBeGreaterThan(4)
  expect(Math.max(...misses)).toBeLessThan(0.03 * RADIUS)
  expect(turns.length).toBeGreaterThan(3)
  for (const [i, turn] of turns.entries()) expect(turn).toBe(i % 2 === 0 ? turns[0] : -turns[0]!)
  const { length = 3 } = setting.options ?? {}
  expect(farthest).toBeCloseTo((length / 2 + 1) * RADIUS, -0.5)
})
