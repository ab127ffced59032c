import { describe, expect, it } from 'vitest'
import { type Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import {
  assign,
  Assignment,
  boxPattern,
  wedgePattern,
  type FormationMember,
  type FormationSlot,
} from 'three-steering/formation'
import { anyTurn, plus, turned, type Random } from '../../../demo/scenarios/vectors.js'
import { allowed, byFlow, byPermutations, squared, type Best } from './solvers.js'
import { pick } from '../../support/tier.js'

const ROLES = [undefined, 'tanker', 'scout']

/** A random point; on a coarse grid if `coarse`, so that there are ties and coincident points. */
function place(random: Random, coarse: boolean): Vec3Like {
  const at = (): number => (coarse ? Math.floor(3 * random()) : 40 * random() - 20)
  return { x: at(), y: at(), z: at() }
}

function role(random: Random, share: number): { role?: string } {
  const name = random() < share ? ROLES[Math.floor(3 * random())] : undefined
  return name === undefined ? {} : { role: name }
}

interface Case {
  readonly members: FormationMember[]
  readonly slots: FormationSlot[]
}

function anyCase(random: Random, n: number, m: number, roles = 0): Case {
  const coarse = random() < 0.3
  return {
    members: Array.from({ length: n }, (_, key) => ({
      key,
      position: place(random, coarse),
      ...role(random, roles),
    })),
    slots: Array.from({ length: m }, () => ({ position: place(random, coarse), ...role(random, roles) })),
  }
}

/** Number of pairs and cost of an answer. Throws if it is not a valid assignment. */
function worth({ members, slots }: Case, answer: readonly number[]): Best {
  const taken = new Set<number>()
  let cost = 0
  answer.forEach((j, i) => {
    if (j < 0) return
    const slot = slots[j]
    if (slot === undefined || taken.has(j) || !allowed(members[i]!, slot))
      throw new Error(`member ${i} in slot ${j}`)
    taken.add(j)
    cost += squared(members[i]!, slot)
  })
  return { pairs: taken.size, cost }
}

function expectAsGood(found: Best, best: Best, where: string): void {
  expect(found.pairs, `pairs of ${where}`).toBe(best.pairs)
  expect(Math.abs(found.cost - best.cost), `cost of ${where}`).toBeLessThanOrEqual(1e-9 * (1 + best.cost))
}

function shuffled<T>(random: Random, list: readonly T[]): T[] {
  return list
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

const whole = (random: Random, most: number): number => Math.floor(random() * (most + 1))

describe('an assignment', () => {
  it('has the least cost of all permutations (seed 1)', () => {
    const random = seeded(1)
    for (let i = 0; i < pick(600, 3000); i++) {
      const few = anyCase(random, whole(random, 6), whole(random, 6), i % 2 === 0 ? 0 : 0.7)
      expectAsGood(
        worth(few, assign(few.members, few.slots)),
        byPermutations(few.members, few.slots),
        `case ${i}`,
      )
    }
    for (let i = 0; i < 40; i++) {
      const seven = anyCase(random, 7, 7)
      expectAsGood(
        worth(seven, assign(seven.members, seven.slots)),
        byPermutations(seven.members, seven.slots),
        `${i}`,
      )
    }
  })

  it('has the cost of a minimum-cost flow (cases of up to 60, seed 2)', () => {
    const random = seeded(2)
    for (let i = 0; i < pick(60, 300); i++) {
      const square = whole(random, 60)
      const other = i % 3 === 0 ? square : whole(random, 60)
      const many = anyCase(random, square, other, i % 4 === 0 ? 0.6 : 0)
      expectAsGood(
        worth(many, assign(many.members, many.slots)),
        byFlow(many.members, many.slots),
        `case ${i}`,
      )
    }
  })

  it('gives the same result when its arrays are reused for other problems', () => {
    const random = seeded(3)
    const kept = new Assignment({ hysteresis: 0 })
    for (let i = 0; i < 300; i++) {
      const any = anyCase(random, whole(random, 12), whole(random, 12), 0.3)
      kept.forget()
      const pairs = kept.solve(any.members, any.slots)
      const answer = any.members.map((_, member) => kept.slotOf(member))
      expect(answer).toEqual(assign(any.members, any.slots))
      expect(pairs).toBe(worth(any, answer).pairs)
      any.slots.forEach((_, j) => expect(kept.memberOf(j)).toBe(answer.indexOf(j)))
      expect([kept.slotOf(any.members.length), kept.memberOf(any.slots.length)]).toEqual([-1, -1])
    }
  })

  it('is the same for positions so far apart that squared distances overflow', () => {
    const random = seeded(5)
    for (const scale of [1e10, 1e120, 1e170, 1e300]) {
      const { members, slots } = anyCase(random, 8, 8, 0.3)
      const far = <T extends { readonly position: Vec3Like }>(list: readonly T[]): T[] =>
        list.map((each) => {
          const { x, y, z } = each.position
          return { ...each, position: { x: scale * x, y: scale * y, z: scale * z } }
        })
      const answer = assign(members, slots)
      expect(answer.some((slot) => slot >= 0)).toBe(true)
      expect(assign(far(members), far(slots)), `times ${scale}`).toEqual(answer)
    }
  })

  it('does not depend on the order of the members, also with ties', () => {
    const random = seeded(4)
    for (let i = 0; i < 500; i++) {
      const { members, slots } = anyCase(random, whole(random, 9), whole(random, 9), 0.3)
      const answer = new Map(assign(members, slots).map((slot, member) => [members[member]!.key, slot]))
      const others = shuffled(random, members)
      const again = assign(others, slots)
      others.forEach(({ key }, at) => expect(again[at], `case ${i}`).toBe(answer.get(key)))
    }
  })

  it('is the same when everything is moved and turned, and for any distance of the slots as a whole', () => {
    const random = seeded(5)
    for (let i = 0; i < 200; i++) {
      // without ties, because rounding may decide them differently
      const position = (): Vec3Like => place(random, false)
      const members = Array.from({ length: 9 }, (_, key) => ({ key, position: position() }))
      const slots = Array.from({ length: 9 }, () => ({ position: position() }))
      const turn = anyTurn(random)
      const shift = place(random, false)
      const moved = <T extends FormationSlot>(thing: T): T => ({
        ...thing,
        position: plus(turned(turn, thing.position), shift),
      })
      const answer = assign(members, slots)
      expect(assign(members.map(moved), slots.map(moved))).toEqual(answer)
      const away = slots.map((slot) => ({ position: plus(slot.position, shift, 100) }))
      expect(assign(members, away)).toEqual(answer)
    }
  })

  it('leaves no two members for which an exchange of slots is a gain', () => {
    const random = seeded(6)
    for (let i = 0; i < pick(40, 200); i++) {
      const { members, slots } = anyCase(random, 25, 25)
      const answer = assign(members, slots)
      let least = Infinity
      for (let a = 0; a < 25; a++)
        for (let b = 0; b < a; b++) {
          const start = plus(members[a]!.position, members[b]!.position, -1)
          const end = plus(slots[answer[a]!]!.position, slots[answer[b]!]!.position, -1)
          least = Math.min(least, start.x * end.x + start.y * end.y + start.z * end.z)
        }
      expect(least, `case ${i}`).toBeGreaterThan(-1e-9)
    }
  })

  it('gives no slot to members without a finite position, and works with huge coordinates', () => {
    const slots = wedgePattern(3, 2)
    const at = (key: number, x: number): FormationMember => ({ key, position: { x, y: 0, z: 0 } })
    expect(assign([at(0, NaN), at(1, 0), at(2, Infinity)], slots)).toEqual([-1, 0, -1])
    expect(assign([], slots)).toEqual([])
    expect(assign([at(0, 1)], [])).toEqual([-1])
    const far = [1e300, -1e300, 1e-300].map((x) => ({ position: { x, y: 0, z: 0 } }))
    expect(assign([at(0, -1e300), at(1, 0), at(2, 1e300)], far)).toEqual([1, 2, 0])
    const heap = assign(
      [at(0, 5), at(1, 5), at(2, 5)],
      Array.from({ length: 3 }, () => slots[0]!),
    )
    expect(new Set(heap)).toEqual(new Set([0, 1, 2]))
  })
})

describe('roles', () => {
  const slots: readonly FormationSlot[] = [
    { position: { x: 0, y: 0, z: 0 } },
    { position: { x: 2, y: 0, z: 0 } },
    { position: { x: 4, y: 0, z: 0 }, role: 'tanker' },
  ]
  const at = (key: number, x: number, name?: string): FormationMember => ({
    key,
    position: { x, y: 0, z: 0 },
    ...(name === undefined ? {} : { role: name }),
  })

  it('reserve a slot for members of its role, even if another member is nearer', () => {
    expect(assign([at(0, 4), at(1, 0), at(2, -50, 'tanker')], slots)).toEqual([1, 0, 2])
  })

  it('leave a slot empty, and a member without a slot, if no role fits', () => {
    expect(assign([at(0, 4), at(1, 0), at(2, 1)], slots)).toEqual([-1, 0, 1])
  })

  it('have priority over any distance', () => {
    // the tanker is nearest to slot 0, but then no member could have slot 2
    expect(assign([at(0, 0, 'tanker'), at(1, 1000), at(2, 1000)], slots)[0]).toBe(2)
  })
})

describe('hysteresis', () => {
  /** Cycles of members that exchange their slots, each as [cost before, cost after]. */
  function exchanges(
    { members, slots }: Case,
    before: readonly number[],
    after: readonly number[],
  ): [number, number][] {
    const found: [number, number][] = []
    const seen = new Set<number>()
    before.forEach((_, first) => {
      const sums: [number, number] = [0, 0]
      for (let i = first; !seen.has(i) && before[i] !== after[i]; i = before.indexOf(after[i]!)) {
        seen.add(i)
        sums[0] += squared(members[i]!, slots[before[i]!]!)
        sums[1] += squared(members[i]!, slots[after[i]!]!)
      }
      if (sums[0] > 0) found.push(sums)
    })
    return found
  }

  it('allows only exchanges that save its share of the cost', () => {
    const random = seeded(7)
    let changes = 0
    for (let i = 0; i < 400; i++) {
      const share = random()
      const kept = new Assignment({ hysteresis: share })
      const first = anyCase(random, 8, 8)
      kept.solve(first.members, first.slots)
      const before = first.members.map((_, member) => kept.slotOf(member))
      const members = first.members.map(({ key, position }) => ({
        key,
        position: plus(position, place(random, false), 0.6),
      }))
      const then = { members, slots: first.slots }
      kept.solve(members, first.slots)
      const after = members.map((_, member) => kept.slotOf(member))
      for (const [old, now] of exchanges(then, before, after)) {
        expect(now, `case ${i}`).toBeLessThanOrEqual((1 - share) * old + 1e-9)
        changes++
      }
      for (const [old, now] of exchanges(then, before, assign(members, first.slots)))
        if (now < (1 - share) * old) expect(after, `case ${i}`).not.toEqual(before)
    }
    expect(changes).toBeGreaterThan(100)
  })

  it('of 1 never changes the slots, of 0 always takes the cheapest assignment', () => {
    const random = seeded(8)
    const stubborn = new Assignment({ hysteresis: 1 })
    const eager = new Assignment({ hysteresis: 0 })
    const slots = boxPattern(12, 3)
    let first: number[] | undefined
    for (let i = 0; i < 50; i++) {
      const inOrder = Array.from({ length: 12 }, (_, key) => ({ key, position: place(random, false) }))
      const members = shuffled(random, inOrder)
      stubborn.solve(members, slots)
      eager.solve(members, slots)
      const answer = inOrder.map((member) => stubborn.slotOf(members.indexOf(member)))
      first ??= answer
      expect(answer).toEqual(first)
      expect(members.map((_, member) => eager.slotOf(member))).toEqual(assign(members, slots))
    }
  })

  it('recognizes members by key: a newcomer takes the slot of a member that has left, and no other member changes', () => {
    const slots = wedgePattern(9, 3)
    const random = seeded(9)
    const kept = new Assignment()
    const members = slots.map(({ position }, key) => ({
      key,
      position: plus(position, place(random, false), 0.05),
    }))
    kept.solve(members, slots)
    const wing = shuffled(
      random,
      members.filter(({ key }) => key !== 4),
    )
    kept.solve(wing, slots)
    wing.forEach(({ key }, i) => expect(kept.slotOf(i)).toBe(key))
    expect(kept.memberOf(4)).toBe(-1)
    // it comes from above, so no member would save distance by closing up
    const newcomer = { key: 77, position: plus(slots[4]!.position, { x: 0, y: 30, z: 0 }) }
    kept.solve([newcomer, ...wing], slots)
    expect(kept.slotOf(0)).toBe(4)
    wing.forEach(({ key }, i) => expect(kept.slotOf(i + 1)).toBe(key))
  })

  it('has no effect after forget', () => {
    const slots = [0, 1].map((z) => ({ position: { x: 0, y: 0, z } }))
    const members = slots.map(({ position }, key) => ({ key, position }))
    const kept = new Assignment({ hysteresis: 1 })
    kept.solve(members, slots)
    kept.solve(members, slots.toReversed())
    expect(kept.slotOf(0)).toBe(0)
    kept.forget()
    kept.solve(members, slots.toReversed())
    expect(kept.slotOf(0)).toBe(1)
  })

  it('prevents changes back and forth if two members have the same cost except for noise', () => {
    const random = seeded(10)
    const slots = [-1, 1].map((z) => ({ position: { x: 0, y: 0, z } }))
    const kept = new Assignment()
    const eager = new Assignment({ hysteresis: 0 })
    const count = (assignment: Assignment): number => {
      let changes = 0
      let last = -1
      for (let i = 0; i < 200; i++) {
        const noise = (): number => 0.1 * (random() - 0.5)
        assignment.solve(
          [
            { key: 0, position: { x: -5, y: 0, z: noise() } },
            { key: 1, position: { x: -5, y: 0, z: noise() } },
          ],
          slots,
        )
        if (i > 0 && assignment.slotOf(0) !== last) changes++
        last = assignment.slotOf(0)
      }
      return changes
    }
    expect(count(kept)).toBe(0)
    expect(count(eager)).toBeGreaterThan(20)
  })
})
