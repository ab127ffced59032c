import { expectConsole } from '../../support/console.js'
import { describe, expect, it } from 'vitest'
import { Seek, SteeringController, within } from 'three-steering'
import {
  boxPattern,
  columnPattern,
  Formation,
  KeepPace,
  linePattern,
  ringPattern,
  spherePattern,
  wallPattern,
  wedgePattern,
  type Pattern,
} from 'three-steering/formation'
import {
  distance,
  errors,
  placesOf,
  Rails,
  RADIUS,
  scatter,
  TRAITS,
  wing,
  type Wing,
} from './formation-kit.js'
import { ALL, FULL, pick } from '../../support/tier.js'

const SEEDS = FULL ? 20 : 1

const PATTERNS: Readonly<Record<string, Pattern>> = {
  box: (n, s) => boxPattern(n, s, { width: 5, height: 1 }),
  column: columnPattern,
  cube: boxPattern,
  line: linePattern,
  ring: ringPattern,
  sphere: spherePattern,
  wall: wallPattern,
  wedge: wedgePattern,
}

/**
 * Flies for `time` seconds with the leader on rails. Returns the squares of all slot errors after `from`
 * seconds.
 */
function fly(
  one: Wing,
  leader: Rails | null,
  time: number,
  dt = 1 / 60,
  from = 0,
  rate = 0,
  climb = 0,
): number[] {
  const squares: number[] = []
  for (let k = 0; k * dt < time - 1e-9; k++) {
    const before = placesOf(one.ships)
    one.step(dt)
    leader?.fly(dt, rate, climb)
    if (k * dt >= from) for (const error of errors(one, before)) squares.push(error * error)
  }
  return squares
}

function rms(squares: readonly number[]): number {
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length)
}

describe('a formation', () => {
  it('refuses invalid values that are set later', () => {
    const formation = new Formation({ spacing: 3 })
    expect(() => (formation.spacing = -1)).toThrow('Formation.spacing: got -1')
    expect(() => (formation.pattern = null as never)).toThrow('Formation.pattern: got null')
    expect(() => (formation.pace = 'no' as never)).toThrow("Formation.pace: got 'no'")
    expect(() => (formation.leader = 3 as never)).toThrow('Formation.leader: got 3')
  })

  const some = Object.keys(PATTERNS).filter((_, i) => ALL || i % 3 === 0)

  const SCATTERED = pick(13, 25)
  it.each(some)('of scattered members becomes a %s, and no two members touch', (name) => {
    for (let seed = 0; seed < SEEDS; seed++) {
      const leader = new Rails(6)
      const one = wing({
        spacing: 2 * Math.SQRT2 * RADIUS,
        pattern: PATTERNS[name]!,
        leader,
      })
      for (const place of scatter(SCATTERED, 12, 2 * Math.SQRT2 * RADIUS, 10 + seed)) one.add(place)
      fly(one, leader, 25)
      expect(one.formation.changing).toBe(false)
      expect(one.formation.slotError).toBeLessThan(0.02)
      expect(one.nearest).toBeGreaterThan(2 * RADIUS)
    }
  })

  it('changes from any pattern to any other, and no two members touch', () => {
    const leader = new Rails(6)
    const one = wing({ spacing: 3, leader, frame: 'course' })
    for (const place of scatter(25, 14, 2, 3)) one.add(place)
    fly(one, leader, 20)
    const names = Object.keys(PATTERNS)
    for (let k = 0; k < pick(2, 8); k++) {
      one.formation.pattern = PATTERNS[names[(k * 3) % names.length]!]!
      fly(one, leader, 12, 1 / 60, 0, 0.1)
      expect(one.formation.slotError).toBeLessThan(0.05)
    }
    expect(one.nearest).toBeGreaterThan(2 * RADIUS)
  })

  it('that gets another pattern in the middle of a change loses no member', () => {
    const leader = new Rails(6)
    const one = wing({ spacing: 3, leader })
    for (const place of scatter(9, 9, 2, 8)) one.add(place)
    fly(one, leader, 15)
    for (const pattern of [linePattern, ringPattern, wedgePattern, columnPattern, spherePattern]) {
      one.formation.pattern = pattern
      fly(one, leader, 1.1)
    }
    fly(one, leader, 20)
    expect(one.formation.slotError).toBeLessThan(0.01)
    expect(one.nearest).toBeGreaterThan(2 * RADIUS)
  })

  it.each(pick([1 / 30], [1 / 30, 1 / 60, 1 / 240]))(
    'turns and climbs as a rigid body with steps of %f s',
    (dt) => {
      const leader = new Rails(8)
      const one = wing({ spacing: 4, pattern: PATTERNS['box']!, leader })
      for (const place of scatter(9, 8, 2, 2)) one.add(place)
      fly(one, leader, 15, dt)
      expect(rms(fly(one, leader, 20, dt, 5, 0.25, 2))).toBeLessThan(0.05)
      expect(one.nearest).toBeGreaterThan(2 * RADIUS)
    },
  )

  it('flies nearly the same with steps of any length', () => {
    const ends = [1 / 30, 1 / 60, 1 / 240].map((dt) => {
      const leader = new Rails(8)
      const one = wing({ spacing: 4, leader })
      for (const place of scatter(9, 8, 2, 4)) one.add(place)
      fly(one, leader, 15, dt)
      fly(one, leader, 10, dt, 0, 0.2)
      return placesOf(one.ships)
    })
    // the paths are 200 m long
    for (const places of ends)
      places.forEach((place, i) => expect(distance(place, ends[2]![i]!)).toBeLessThan(2))
  })
})

describe('the leader of a formation', () => {
  it.each(['attitude', 'course', 'level'] as const)(
    'can turn back at once: the formation wheels, and no member is lost: %s',
    (frame) => {
      const leader = new Rails(8)
      const one = wing({ spacing: 4, pattern: linePattern, leader, frame })
      for (let i = 0; i < 9; i++) one.add({ x: 0, y: 0, z: 4 * (i - 4) }, { velocity: leader.velocity })
      fly(one, leader, 5)
      leader.fly(1 / 60, 60 * Math.PI)
      // the formation cannot follow at once: it flies sideways, and turns as fast as the outermost member can
      // fly
      fly(one, leader, 40)
      expect(one.formation.slotError).toBeLessThan(0.05)
      expect(one.formation.anchor.frame.x.x).toBeLessThan(-0.99)
      expect(one.formation.anchor.frame.y.y).toBeGreaterThan(0.99)
      expect(one.nearest).toBeGreaterThan(2 * RADIUS)
    },
  )

  it('can be moved to another place at once', () => {
    const leader = new Rails(8)
    const one = wing({ spacing: 4, leader })
    for (const place of scatter(9, 8, 2, 2)) one.add(place)
    fly(one, leader, 15)
    leader.position.y += 300
    fly(one, leader, 60)
    expect(one.formation.slotError).toBeLessThan(0.05)
    expect(one.nearest).toBeGreaterThan(2 * RADIUS)
  })

  it('can be missing or not finite: the formation flies straight on, and accepts another leader', () => {
    const messages = expectConsole()
    const leader = new Rails(8)
    const one = wing({ spacing: 4, leader })
    for (const place of scatter(9, 8, 2, 2)) one.add(place)
    fly(one, leader, 15)
    fly(one, leader, 4, 1 / 60, 0, 0.4)
    leader.position.x = NaN
    const course = { ...one.formation.anchor.velocity }
    fly(one, null, 10)
    expect(distance(one.formation.anchor.velocity, course)).toBeLessThan(1e-9)
    expect(one.formation.slotError).toBeLessThan(0.1)
    expect(messages.map(({ text }) => text)).toEqual([
      expect.stringContaining('KeepSlot: leader of the formation: got (NaN'),
    ])
    one.formation.leader = null
    fly(one, null, 5)
    const other = new Rails(5)
    one.formation.leader = other
    fly(one, other, 60)
    expect(one.formation.slotError).toBeLessThan(0.05)
    expect(distance(one.formation.anchor.position, other.position)).toBeLessThan(0.2)
    expect(one.nearest).toBeGreaterThan(2 * RADIUS)
  })

  it('with KeepPace flies no faster than the slowest member', () => {
    const one = wing({ spacing: 4 })
    const pilot = new SteeringController(null, {
      ...TRAITS,
      group: 0,
      behavior: within(
        [new KeepPace({ formation: one.formation })],
        new Seek({ target: { x: 9999, y: 0, z: 0 } }),
      ),
    })
    one.world.add(pilot)
    one.formation.leader = pilot
    for (const [i, place] of scatter(9, 8, 2, 2).entries()) one.add(place, i === 4 ? { maxSpeed: 6 } : {})
    fly(one, null, 30)
    expect(Math.hypot(pilot.velocity.x, pilot.velocity.y, pilot.velocity.z)).toBeLessThan(6)
    expect(pilot.velocity.x).toBeGreaterThan(5)
    expect(one.formation.slotError).toBeLessThan(0.05)
    one.formation.pace = 'leader'
    fly(one, null, 20)
    expect(pilot.velocity.x).toBeGreaterThan(14)
  })
})
