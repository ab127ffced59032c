import { describe, expect, it } from 'vitest'
import { BoxShape, Cruise, Obstacles } from 'three-steering'
import { boxPattern, linePattern, wedgePattern } from 'three-steering/formation'
import { distance, Rails, RADIUS, wing, type Wing } from './formation-kit.js'

/** A house to starboard of the leader's way, past which the port side of a line flies undisturbed. */
function house(): Obstacles {
  return new Obstacles([{ shape: new BoxShape({ x: 6, y: 20, z: 10 }), at: { x: 90, y: 0, z: 16 } }])
}

interface Passage {
  readonly one: Wing
  /** Least clearance to the house, m. */
  readonly gap: number
  /** Greatest distance of a member from the place that it has in the open, m, port and starboard. */
  readonly port: number
  readonly starboard: number
  /** Time (s) for which some member is more than 1 m away from that place. */
  readonly disturbed: number
  readonly wasColumn: boolean
}

function pass(passing: 'together' | 'each'): Passage {
  const obstacles = house()
  const leader = new Rails(6)
  const one = wing({ spacing: 4, pattern: linePattern, leader, leaderApart: false, obstacles, passing })
  const places = [-8, -4, 0, 4, 8, 12]
  for (const z of places) one.add({ x: 0, y: 0, z }, { velocity: leader.velocity })
  const normal = { x: 0, y: 0, z: 0 }
  let gap = Infinity
  let port = 0
  let starboard = 0
  let disturbed = 0
  let wasColumn = false
  for (let k = 0; k < 32 * 60; k++) {
    one.step()
    leader.fly(1 / 60)
    leader.velocity.x = Math.min(6, one.formation.paceLimit)
    wasColumn ||= one.formation.isColumn
    let most = 0
    one.ships.forEach(({ position: { x, y, z } }, i) => {
      gap = Math.min(gap, obstacles.distance({ x, y, z }, normal) - RADIUS)
      if (k < 120) return
      const aside = Math.hypot(y, z - places[i]!)
      most = Math.max(most, aside)
      if (i < 3) port = Math.max(port, aside)
      else starboard = Math.max(starboard, aside)
    })
    if (most > 1) disturbed += 1 / 60
  }
  return { one, gap, port, starboard, disturbed, wasColumn }
}

describe('a formation whose members pass obstacles each by itself', () => {
  it('moves only the members that a house on one side stands in the way of, and for a shorter time', () => {
    const each = pass('each')
    expect(each.gap).toBeGreaterThan(0.1)
    expect(each.port).toBeLessThan(0.3)
    expect(each.starboard).toBeGreaterThan(5)
    expect(each.wasColumn).toBe(false)
    expect(each.one.nearest).toBeGreaterThan(2 * RADIUS)
    expect(each.one.formation.slotError).toBeLessThan(0.1)
    const together = pass('together')
    expect(together.port).toBeGreaterThan(2)
    expect(each.disturbed).toBeLessThan(0.8 * together.disturbed)
  })

  it('comes through a hole that only a column passes', () => {
    const slab = (z: number) => ({ shape: new BoxShape({ x: 0.5, y: 40, z: 20 }), at: { x: 110, y: 0, z } })
    const obstacles = new Obstacles([slab(21.5), slab(-21.5)])
    const leader = new Rails(5)
    const one = wing({
      spacing: 4,
      pattern: (n, s) => boxPattern(n, s, { width: 3 }),
      leader,
      obstacles,
      passing: 'each',
    })
    for (let i = 0; i < 6; i++)
      one.add({ x: -4 * Math.floor(i / 3), y: 0, z: 4 * ((i % 3) - 1) }, { velocity: leader.velocity })
    const normal = { x: 0, y: 0, z: 0 }
    let gap = Infinity
    for (let k = 0; k < 45 * 60; k++) {
      one.step()
      leader.fly(1 / 60)
      leader.velocity.x = Math.min(5, one.formation.paceLimit)
      for (const { position } of one.ships) gap = Math.min(gap, obstacles.distance(position, normal) - RADIUS)
    }
    expect(gap).toBeGreaterThan(0)
    expect(one.formation.slotError).toBeLessThan(0.1)
    const zs = one.ships.map(({ position }) => position.z)
    expect(Math.max(...zs) - Math.min(...zs)).toBeCloseTo(8, 1)
  })
})

describe('the options of a formation', () => {
  it.each([
    [0.9, 13.5],
    [1, 15],
  ])('`leaderShare` %s lets the member that leads fly at %s of 15 m/s', (leaderShare, speed) => {
    const one = wing({ spacing: 4, pattern: wedgePattern, leaderShare })
    for (let i = 0; i < 5; i++)
      one.add({ x: -4 * i, y: 0, z: 3 * i * (i % 2 === 0 ? 1 : -1) }, { lead: new Cruise() })
    for (let k = 0; k < 20 * 60; k++) one.step()
    const captain = one.ships.find(({ id }) => id === one.formation.captain)!
    expect(Math.hypot(captain.velocity.x, captain.velocity.y, captain.velocity.z)).toBeCloseTo(speed, 1)
    expect(one.formation.slotError).toBeLessThan(0.3)
  })

  it('`memberClearance` spaces the slots by the largest member, and follows it when it comes and leaves', () => {
    const leader = new Rails(4)
    const one = wing({ spacing: 2, pattern: linePattern, leader, memberClearance: 1.5 })
    one.add({ x: 0, y: 0, z: -2 })
    one.add({ x: 0, y: 0, z: 2 })
    const nearestSlots = (): number => {
      for (let k = 0; k < 10 * 60; k++) {
        one.step()
        leader.fly(1 / 60)
      }
      const slots = [{ x: 0, y: 0, z: 0 }, ...one.formation.slots.map(({ position }) => position)]
      return Math.min(...slots.flatMap((a, i) => slots.slice(i + 1).map((b) => distance(a, b))))
    }
    expect(nearestSlots()).toBeCloseTo(2 * RADIUS + 1.5, 9)
    const giant = one.add({ x: leader.position.x - 20, y: 5, z: 0 }, { radius: 2 })
    expect(nearestSlots()).toBeCloseTo(2 * 2 + 1.5, 9)
    one.world.remove(giant)
    one.ships.pop()
    expect(nearestSlots()).toBeCloseTo(2 * RADIUS + 1.5, 9)
  })
})
