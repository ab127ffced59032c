import { describe, expect, it } from 'vitest'
import { BoxShape, Cruise, Obstacles } from 'three-steering'
import {
  boxPattern,
  columnPattern,
  customPattern,
  echelonPattern,
  linePattern,
  ringPattern,
  spherePattern,
  wallPattern,
  wedgePattern,
  type Pattern,
} from 'three-steering/formation'
import { distance, Rails, RADIUS, remove, wing, type Wing } from './formation-kit.js'
import { pick } from '../../support/tier.js'

/** A leader that is no member: no slot of its formation is nearer to it than the spacing. */

const SPACING = 2.5

/** Slots at these places (m), fewer members have the first of them. */
function at(...places: [number, number, number][]): Pattern {
  return customPattern(places.map(([x, y, z]) => ({ position: { x, y, z } })))
}

const PATTERNS: Readonly<Record<string, Pattern>> = {
  line: linePattern,
  column: columnPattern,
  wedge: wedgePattern,
  vee: (n, s) => wedgePattern(n, s, { sweep: -0.4, rise: 0.5 }),
  'echelon to starboard': echelonPattern,
  'echelon to port': (n, s) => echelonPattern(n, s, { side: 'port', sweep: 1.2, rise: -0.3 }),
  box: boxPattern,
  'box, 3 wide and 1 high': (n, s) => boxPattern(n, s, { width: 3, height: 1 }),
  'box in a column': (n, s) => boxPattern(n, s, { width: 1, height: 1 }),
  wall: wallPattern,
  'wall, 3 wide': (n, s) => wallPattern(n, s, { width: 3 }),
  ring: ringPattern,
  sphere: spherePattern,
  'ring about a middle': (n, s) => [{ position: { x: 0, y: 0, z: 0 } }, ...ringPattern(n - 1, s)],
  'middle of a ring last': (n, s) => [...ringPattern(n - 1, s), { position: { x: 0, y: 0, z: 0 } }],
  'line ahead': (n, s) => Array.from({ length: n }, (_, i) => ({ position: { x: s * i, y: 0, z: 0 } })),
  'line through the leader': (n, s) =>
    Array.from({ length: n }, (_, i) => ({ position: { x: s * (i - 1.3), y: 0, z: 0.4 * s } })),
  'fixed slots': at([0, 0, 0], [0, 0, 3], [-3, 0, 0], [0, 3, 0]),
  'one slot, that of the leader': at([0, 0, 0]),
  'ignores the spacing': (n) => Array.from({ length: n }, (_, i) => ({ position: { x: 1, y: 0, z: 1 - i } })),
}
const COUNTS = [...Array.from({ length: 13 }, (_, i) => i + 1), 27]

function led(pattern: Pattern, count: number, leader: Rails): Wing {
  const one = wing({ spacing: SPACING, pattern, leader })
  for (let i = 0; i < count; i++)
    one.add({ x: -5 - 3 * i, y: 0, z: 3 * (i % 3) }, { velocity: leader.velocity })
  return one
}

/** Distance (m) of the nearest slot from the origin. */
function nearestSlot({ formation }: Wing): number {
  return Math.min(...formation.slots.map(({ position: { x, y, z } }) => Math.hypot(x, y, z)))
}

/** Flies on. Returns the least distance (m) of a ship from the leader meanwhile. */
function fly(one: Wing, leader: Rails, time: number): number {
  let least = Infinity
  for (let k = 0; k < 60 * time; k++) {
    one.step()
    leader.fly(1 / 60)
    for (const { position } of one.ships) least = Math.min(least, distance(position, leader.position))
  }
  return least
}

describe.each(Object.entries(PATTERNS))('the pattern %s with a leader that is no member', (name, pattern) => {
  it('leaves the place of the leader free, for every number of members', () => {
    for (const count of COUNTS) {
      const one = led(pattern, count, new Rails(6))
      one.step()
      one.step()
      const { slots } = one.formation
      const few = { 'fixed slots': 3, 'one slot, that of the leader': 0 }[name]
      expect(slots, `${count}`).toHaveLength(Math.min(count, few ?? count))
      expect(nearestSlot(one), `${count}`).toBeGreaterThanOrEqual(SPACING * (1 - 1e-8))
      if (name === 'ignores the spacing') continue
      for (const [i, a] of slots.entries())
        for (const b of slots.slice(0, i))
          expect(distance(a.position, b.position)).toBeGreaterThanOrEqual(SPACING * (1 - 1e-8))
    }
  })
})

describe('a leader that is no member', () => {
  it('stays free while members come and leave, and when it is appointed, recalled or made a mere point', () => {
    const leader = new Rails(6)
    const one = led(wedgePattern, 4, leader)
    const { formation } = one
    fly(one, leader, 10)
    remove(one, one.ships[1]!)
    one.add({ x: leader.position.x - 20, y: 2, z: 1 }, { velocity: leader.velocity })
    one.add({ x: leader.position.x - 24, y: 2, z: 1 }, { velocity: leader.velocity })
    expect(fly(one, leader, 15)).toBeGreaterThan(2 * RADIUS)
    expect(formation.slotError).toBeLessThan(0.1)
    expect(nearestSlot(one)).toBeCloseTo(SPACING, 6)
    formation.leader = null
    fly(one, leader, 1)
    expect(nearestSlot(one)).toBe(0)
    formation.leader = leader
    fly(one, leader, 10)
    expect(nearestSlot(one)).toBeCloseTo(SPACING, 6)
    formation.leaderApart = false
    fly(one, leader, 10)
    expect(nearestSlot(one)).toBe(0)
    expect(() => (formation.leaderApart = 1 as never)).toThrow('Formation.leaderApart: got 1')
  })

  it('takes the place of a captain, which then flies beside it', () => {
    const leader = new Rails(6)
    const one = wing({ spacing: SPACING })
    for (let i = 0; i < 4; i++)
      one.add({ x: -3 * i, y: 0, z: 3 * (i % 2) }, { velocity: leader.velocity, lead: new Cruise() })
    fly(one, leader, 5)
    expect(one.formation.captain).not.toBe(-1)
    expect(nearestSlot(one)).toBe(0)
    one.formation.leader = leader
    fly(one, leader, 40)
    expect(one.formation.captain).toBe(-1)
    expect(fly(one, leader, 10)).toBeGreaterThan(SPACING - 0.1)
    expect(one.formation.slotError).toBeLessThan(0.1)
  })

  it('stays free in a change of the pattern', () => {
    const names = ['level ring', 'box', 'column', 'line', 'wedge', 'wall']
    const level: Pattern = (n, s) => ringPattern(n, s, { plane: 'level' })
    const patterns: Readonly<Record<string, Pattern>> = { ...PATTERNS, 'level ring': level }
    for (const from of names)
      for (const to of names.filter((name) => name !== from).slice(0, pick(2, 5)))
        for (const count of pick([1], [1, 2, 4, 7])) {
          const leader = new Rails(6)
          const one = led(patterns[from]!, count, leader)
          expect(fly(one, leader, 8), `to ${from}`).toBeGreaterThan(2 * RADIUS)
          one.formation.pattern = patterns[to]!
          expect(fly(one, leader, 6), `${count} from ${from} to ${to}`).toBeGreaterThan(2 * RADIUS)
        }
  })

  it('stays free in a change from one side to the other, and no two members touch', () => {
    const sides: Readonly<Record<string, Pattern>> = {
      starboard: (n, s) =>
        Array.from({ length: n }, (_, i) => ({ position: { x: 0, y: 0, z: s * (i + 1) } })),
      port: (n, s) => Array.from({ length: n }, (_, i) => ({ position: { x: 0, y: 0, z: -s * (i + 1) } })),
      above: (n, s) => Array.from({ length: n }, (_, i) => ({ position: { x: 0, y: s * (i + 1), z: 0 } })),
      below: (n, s) => Array.from({ length: n }, (_, i) => ({ position: { x: 0, y: -s * (i + 1), z: 0 } })),
      ahead: (n, s) => Array.from({ length: n }, (_, i) => ({ position: { x: s * (i + 1), y: 0, z: 0 } })),
      behind: columnPattern,
      box: (n, s) => boxPattern(n, s, { width: 5, height: 1 }),
      echelon: (n, s) => echelonPattern(n, s, { side: 'port' }),
    }
    const pairs = [
      ['starboard', 'port'],
      ['behind', 'ahead'],
      ['above', 'below'],
      ['ahead', 'box'],
      ['echelon', 'starboard'],
    ] as const
    for (const [from, to] of pairs)
      for (const count of pick([5], [1, 2, 5, 8, 13]))
        for (const spacing of pick(
          [2 * Math.SQRT2 * RADIUS],
          [2 * Math.SQRT2 * RADIUS, SPACING],
          [SPACING],
        )) {
          const leader = new Rails(6)
          const one = led(sides[from]!, count, leader)
          one.formation.spacing = spacing
          fly(one, leader, 12)
          one.nearest = Infinity
          one.formation.pattern = sides[to]!
          const nearest = Math.min(fly(one, leader, 12), one.nearest)
          expect(nearest, `${count} from ${from} to ${to}, ${spacing} m`).toBeGreaterThan(2 * RADIUS)
          expect(one.formation.changing).toBe(false)
        }
  })

  it('stays free in a passage, through which the members fly as a column', () => {
    const slab = (z: number) => ({ shape: new BoxShape({ x: 1, y: 40, z: 20 }), at: { x: 90, y: 0, z } })
    const leader = new Rails(5)
    const one = led(wedgePattern, 5, leader)
    // options may be changed in flight
    one.formation.obstacles = new Obstacles([slab(21.6), slab(-21.6)])
    let wasColumn = false
    let least = Infinity
    for (let k = 0; k < 40 * 60; k++) {
      one.step()
      leader.fly(1 / 60)
      leader.velocity.x = Math.min(5, one.formation.paceLimit)
      if (one.formation.isColumn) wasColumn = true
      if (one.formation.isColumn) least = Math.min(least, nearestSlot(one))
    }
    expect(wasColumn).toBe(true)
    expect(least).toBeCloseTo(Math.min(SPACING, 4 * RADIUS), 9)
    expect(one.formation.isColumn).toBe(false)
    expect(nearestSlot(one)).toBeCloseTo(SPACING, 9)
  })
})
