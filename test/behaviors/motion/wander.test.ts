import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  Flight,
  Flock,
  Hover,
  SteeringWorld,
  Walker,
  Wander,
  type FlockOptions,
  type Vec3,
  type WanderOptions,
} from 'three-steering'
import { angleBetween, dotOf, expectFrame, minus, norm, times, unit, v } from '../../support/geometry.js'
import { ask, pilot } from '../../support/pilot.js'
import { addFlock } from '../../support/flock.js'

/** Velocities of many wandering agents after each second. */
function stroll(
  rate: number,
  seconds: number,
  count: number,
  options: WanderOptions = {},
  seed = 1,
): Vec3[][] {
  const world = new SteeringWorld({ seed })
  const flock = addFlock(world, {
    behavior: new Wander(options),
    locomotion: new Hover({ attitude: null }),
    count,
    maxSpeed: 5,
    maxForce: 20,
    responseTime: 0.2,
    spawn: (_i, { position, velocity }) => {
      Object.assign(position, v(0, 0, 0))
      Object.assign(velocity, v(0, 0, 5))
    },
  })
  const snapshots: Vec3[][] = []
  for (let s = 0; s < seconds; s++) {
    for (let i = 0; i < rate; i++) world.step(1 / rate)
    snapshots.push(Array.from({ length: count }, (_, i) => flock.velocity(i, { x: 0, y: 0, z: 0 })))
  }
  return snapshots
}

const mean = (list: readonly number[]): number => list.reduce((s, x) => s + x, 0) / list.length

const VEHICLES: Record<string, Partial<FlockOptions>> = {
  'person on foot': { maxSpeed: 1.5, maxForce: 350, mass: 70, plane: v(0, 1, 0), locomotion: new Walker() },
  fish: { maxSpeed: 1, maxForce: 5 },
  bird: { maxSpeed: 12, maxForce: 25, locomotion: new Flight({ minSpeed: 5 }) },
  drone: { maxSpeed: 10, maxForce: 20 },
  ship: { maxSpeed: 20, maxForce: 10 },
  freighter: { maxSpeed: 50, maxForce: 2 },
}

/** The mean turn rate (rad/s), and the median distance (m) at the end, of many that wander. */
function wanderings(
  options: Partial<FlockOptions>,
  seconds = 60,
  rate = 30,
): { turnRate: number; away: number } {
  const count = 100
  const world = new SteeringWorld({ seed: 2 })
  const flock = new Flock({ count, maxSpeed: 1, maxForce: 1, behavior: new Wander(), ...options })
  world.add(flock)
  const last = Array.from({ length: count }, () => v(0, 0, 0))
  const now = v(0, 0, 0)
  let turned = 0
  for (let step = 0; step < seconds * rate; step++) {
    world.step(1 / rate)
    for (let i = 0; i < count; i++) {
      if (norm(last[i]!) > 0) turned += angleBetween(last[i]!, flock.velocity(i, now)) / count
      flock.velocity(i, last[i]!)
    }
  }
  const ways = Array.from({ length: count }, (_, i) => norm(flock.position(i, now)))
  return { turnRate: turned / seconds, away: ways.sort((a, b) => a - b)[count / 2]! }
}

describe('Wander', () => {
  it.each(Object.entries(VEHICLES))('of a %s is as its page says', (name, options) => {
    const page = readFileSync(new URL('../../../docs/behaviors/wander.md', import.meta.url), 'utf8')
    const row = page.split('\n').find((line) => line.startsWith(`| ${name} `))!
    const [, , speed, acceleration, turnRate, away] = row.split('|').map((cell) => Number.parseFloat(cell))
    expect([speed, acceleration]).toEqual([options.maxSpeed, options.maxForce! / (options.mass ?? 1)])
    const minute = wanderings(options)
    expect(Math.abs(minute.turnRate / turnRate! - 1)).toBeLessThan(0.1)
    expect(Math.abs(minute.away / away! - 1)).toBeLessThan(0.15)
    expect(minute.away).toBeGreaterThan(0.2 * 60 * speed!)
  })

  const flying: FlockOptions['spawn'] = (_i, { velocity }) => Object.assign(velocity, v(0, 0, 10))

  it('turns alike at any response time and step rate', () => {
    for (const [responseTime, rate] of [
      [0.02, 60],
      [0.1, 30],
      [0.1, 144],
      [0.4, 60],
    ] as const) {
      const { turnRate } = wanderings({ ...VEHICLES['drone'], responseTime, spawn: flying }, 10, rate)
      expect(Math.abs(turnRate / 0.38 - 1), `${responseTime} s, ${rate} Hz`).toBeLessThan(0.1)
    }
  })

  it('turnTime scales its path: twice the time and half the speed fly the same curve', () => {
    const path = (speed: number, turnTime: number, rate: number): Vec3[] => {
      const world = new SteeringWorld({ seed: 3 })
      const one = pilot(new Wander({ turnTime }), {
        velocity: v(0, 0, speed),
        maxSpeed: speed,
        maxForce: 1000,
        responseTime: turnTime / 10,
      })
      world.add(one)
      return Array.from({ length: 300 }, () => {
        world.step(1 / rate)
        return { ...one.position }
      })
    }
    const slow = path(5, 2, 30)
    for (const [i, place] of path(10, 1, 60).entries())
      expect(norm(minus(place, slow[i]!))).toBeLessThan(1e-9)
  })

  it('prefers none of the three dimensions', () => {
    const last = stroll(30, 25, 400).at(-1)!
    for (const axis of ['x', 'y', 'z'] as const) {
      // Uniform on the sphere: mean 0, mean square 25/3.
      expect(Math.abs(mean(last.map((w) => w[axis])))).toBeLessThan(4 * Math.sqrt(25 / 3 / 400) + 0.2)
      expect(mean(last.map((w) => w[axis] ** 2)) / (25 / 3)).toBeGreaterThan(0.72)
      expect(mean(last.map((w) => w[axis] ** 2)) / (25 / 3)).toBeLessThan(1.28)
    }
  })

  it('keeps its speed: wandering turns and does not brake', () => {
    for (const each of stroll(60, 8, 50).at(-1)!) {
      expect(norm(each)).toBeGreaterThan(4)
      expect(norm(each)).toBeLessThan(5 + 1e-9)
    }
  })

  it('speedShare is the share of maxSpeed', () => {
    const speeds = stroll(60, 8, 50, { speedShare: 0.4, jitter: 0.3 }).at(-1)!.map(norm)
    expect(mean(speeds)).toBeGreaterThan(1.7)
    expect(mean(speeds)).toBeLessThan(2.05)
  })

  it('steers to a point on a sphere ahead: never more than asin(radius / distance) off its course', () => {
    for (let seed = 0; seed < 200; seed++) {
      const { force } = ask(new Wander({ radius: 1, distance: 2 }), {
        velocity: v(0, 10, 0),
        seed,
        maxForce: 1e4,
      })
      const wanted = unit({ x: force.x / 10, y: force.y / 10 + 10, z: force.z / 10 })
      expect(angleBetween(wanted, v(0, 1, 0))).toBeLessThanOrEqual(Math.PI / 6 + 1e-9)
    }
  })

  it('its first target lies anywhere on the sphere', () => {
    const targets = Array.from({ length: 600 }, (_, seed) => {
      const { force } = ask(new Wander({ distance: 0, speedShare: 1 }), { seed, maxForce: 1e4 })
      return times(force, 1 / 100)
    })
    for (const each of targets) expect(norm(each)).toBeCloseTo(1, 6)
    for (const axis of ['x', 'y', 'z'] as const) {
      expect(Math.abs(mean(targets.map((t) => t[axis])))).toBeLessThan(5 / Math.sqrt(3 * 600))
      expect(Math.abs(mean(targets.map((t) => t[axis] ** 2)) - 1 / 3)).toBeLessThan(0.07)
    }
  })

  it('agents of one behaviour wander differently', () => {
    const last = stroll(60, 3, 20).at(-1)!
    for (const [i, each] of last.entries())
      for (const other of last.slice(i + 1)) expect(angleBetween(each, other)).toBeGreaterThan(1e-3)
  })

  it('flies straight up as in any direction, and its course frame stays orthonormal', () => {
    const world = new SteeringWorld()
    const one = pilot(new Wander({ jitter: 2 }), { velocity: v(0, 10, 0) })
    world.add(one)
    let [left, right] = [0, 0]
    for (let i = 0; i < 3000; i++) {
      world.step(1 / 60)
      expectFrame(one.course, 1e-9)
      if (dotOf(one.velocity, v(1, 0, 0)) < 0) left++
      else right++
    }
    expect(Math.min(left, right)).toBeGreaterThan(100)
  })
})
