import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  BoxShape,
  CapsuleShape,
  CylinderShape,
  HalfSpaceShape,
  HollowShape,
  Obstacle,
  Obstacles,
  SphereShape,
  type Shape,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { direction, plus, times, unit, v, vector } from '../support/geometry.js'
import { law } from '../support/law.js'
import { pick } from '../support/tier.js'

/** A body that is moved by the test. */
class Thing {
  position = v(0, 0, 0)
  quaternion = { x: 0, y: 0, z: 0, w: 1 }
}

function someVec(random: () => number, size: number): Vec3 {
  return times(v(random() - 0.5, random() - 0.5, random() - 0.5), 2 * size)
}

/** A shape of 0.1 to 1000 m; some are unbounded. */
function someShape(random: () => number): Shape {
  const size = 10 ** (4 * random() - 1)
  const other = size * (0.2 + random())
  const kind = Math.floor(random() * 6)
  if (kind === 0) return new BoxShape({ x: size, y: other, z: size * random() + 0.01 })
  if (kind === 1) return new CapsuleShape(size / 3, other)
  if (kind === 2) return new CylinderShape(size, other)
  if (random() < 0.02) return new HalfSpaceShape(someVec(random, 1))
  if (random() < 0.02) return new HollowShape(new SphereShape(size + 500))
  return new SphereShape(size)
}

function move(thing: Thing, random: () => number, size: number): void {
  Object.assign(thing.position, someVec(random, size))
  if (random() < 0.5) {
    const { x, y, z } = unit(plus(someVec(random, 1), v(0.01, 0, 0)))
    Object.assign(thing.quaternion, { x, y, z, w: random() - 0.5 })
  }
}

interface Scene {
  readonly set: Obstacles
  readonly things: Thing[]
  /** The oracle: all members, in the order of adding. */
  readonly list: Obstacle[]
}

function scene(count: number, seed: number, spread = 1000): Scene {
  const random = seeded(seed)
  const set = new Obstacles()
  const things: Thing[] = []
  const list: Obstacle[] = []
  for (let i = 0; i < count; i++) {
    const shape = someShape(random)
    if (random() < 0.5) {
      list.push(set.add({ shape, at: someVec(random, spread), turn: { ...someVec(random, 1), w: 1 } }))
      continue
    }
    const thing = new Thing()
    move(thing, random, spread)
    things.push(thing)
    list.push(set.add({ shape, at: thing, offset: someVec(random, 3) }))
  }
  return { set, things, list }
}

/** All queries of a set must give the result of a loop over all obstacles. */
function expectSame({ set, list }: Scene, random: () => number, questions = 20): void {
  const normal = v(0, 0, 0)
  expect([...set]).toEqual(list)
  expect(set.size).toBe(list.length)
  for (let i = 0; i < questions; i++) {
    const point = someVec(random, 1200)
    const reach = i === 0 ? Infinity : i === 1 ? 0 : i === 2 ? -1 : 10 ** (4 * random() - 1)
    const out: Obstacle[] = []
    const count = set.near(point, reach, out)
    expect(out.length).toBe(count)
    const expected = list.filter((each) => each.distance(point, normal) < reach)
    expect(out.map((each) => list.indexOf(each))).toEqual(expected.map((each) => list.indexOf(each)))

    const distances = list.map((each) => each.distance(point, v(0, 0, 0)))
    const nearest = distances.indexOf(Math.min(...distances))
    expect(set.distance(point, normal)).toBe(Math.min(Infinity, ...distances))
    const own = v(0, 0, 0)
    if (nearest >= 0) {
      list[nearest]!.distance(point, own)
      expect({ ...normal }).toEqual({ ...own })
    }

    const way = i % 5 === 4 ? v(0, 0, i % 2 ? 1 : -1) : unit(plus(someVec(random, 1), v(0.01, 0, 0)))
    const radius = i % 3 === 0 ? 0 : 5 * random()
    const limit = i % 4 === 0 ? 100 * random() : Infinity
    const ignore = i % 2 ? undefined : (each: Obstacle): boolean => list.indexOf(each) % 3 === 0
    const met = list.map((each) => (ignore?.(each) ? Infinity : each.sweep(point, way, radius, limit)))
    const first = met.indexOf(Math.min(...met))
    const hit = set.sweep(point, way, radius, limit, ignore)
    if (first < 0 || met[first] === Infinity) expect(hit).toBeNull()
    else {
      expect(hit!.distance).toBe(met[first])
      expect(list.indexOf(hit!.obstacle)).toBe(first)
    }

    const ball = { radius, limit, distance: 0, obstacle: null }
    expect(set.isFree(point, way, ball, ignore)).toBe(hit === null)
  }
}

describe('a set of obstacles gives the same results as a loop over all', () => {
  it.each([0, 1, 2, 5, 17, 40, 150, 600])('for %i obstacles', (count) => {
    for (let seed = 0; seed < 5; seed++) expectSame(scene(count, seed), seeded(seed + 99))
  })

  it('after obstacles have moved', () => {
    const random = seeded(5)
    const all = scene(200, 3)
    for (let step = 0; step < 15; step++) {
      for (const thing of all.things) if (random() < 0.7) move(thing, random, step % 3 === 0 ? 3000 : 300)
      all.set.refresh()
      expectSame(all, random, 6)
    }
  })

  it('after obstacles were added and removed', () => {
    const random = seeded(6)
    const all = scene(100, 4)
    for (let step = 0; step < 60; step++) {
      for (let i = random() * 12; i > 0; i--) {
        const gone = Math.floor(random() * all.list.length)
        all.set.remove(all.list[gone]!)
        all.list.splice(gone, 1)
      }
      for (let i = random() * 13; i > 0; i--)
        all.list.push(all.set.add({ shape: someShape(random), at: someVec(random, 1000) }))
      if (step % 4 === 0) {
        for (const thing of all.things) move(thing, random, 1000)
        all.set.refresh()
      }
      expectSame(all, random, 4)
    }
    for (const each of all.list) all.set.remove(each)
    all.list.length = 0
    expectSame(all, random)
  })

  it('after it was cleared and filled again', () => {
    const all = scene(100, 8)
    expectSame(all, seeded(1))
    all.set.clear()
    expectSame({ ...all, list: [] }, seeded(1))
    for (const each of all.list) all.set.add(each)
    expectSame(all, seeded(1))
  })

  it('for many obstacles at one position', () => {
    const set = new Obstacles()
    const list = Array.from({ length: 100 }, () => set.add({ shape: new SphereShape(1), at: v(1, 2, 3) }))
    expectSame({ set, list, things: [] }, seeded(2))
    const hit = set.sweep(v(9, 2, 3), v(-1, 0, 0), 0.5)
    expect(hit).toEqual({ distance: 6.5, obstacle: list[0] })
  })

  law(
    'for obstacles anywhere',
    [
      fc.array(fc.tuple(vector(1e6), fc.constantFrom(0.1, 10, 1e3)), { maxLength: 60 }),
      vector(1e6),
      direction(),
    ],
    (all, point, way) => {
      const list = all.map(([at, radius]) => new Obstacle({ shape: new SphereShape(radius), at }))
      const set = new Obstacles(list)
      const out: Obstacle[] = []
      for (const reach of [0, 1, 1e5, 1e7]) {
        out.length = set.near(point, reach, out)
        expect(out).toEqual(list.filter((each) => each.distance(point, v(0, 0, 0)) < reach))
      }
      const met = list.map((each) => each.sweep(point, way, 1, Infinity))
      expect(set.sweep(point, way, 1)?.distance ?? Infinity).toBe(Math.min(Infinity, ...met))
    },
    100,
  )
})

describe('a set of obstacles', () => {
  it('finds a huge obstacle by its surface, however far its centre is (the Dungeon Heart)', () => {
    const heart = new Obstacle({ shape: new BoxShape({ x: 300, y: 300, z: 300 }) })
    const pebbles = Array.from(
      { length: 50 },
      (_, i) => new Obstacle({ shape: new SphereShape(0.1), at: v(302 + i, 250, 250) }),
    )
    const out: Obstacle[] = []
    expect(new Obstacles([heart, ...pebbles]).near(v(302, 280, 280), 3, out)).toBe(1)
    expect(out).toEqual([heart])
  })

  it('may be shared, and an obstacle may be in several', () => {
    const thing = new Thing()
    const obstacle = new Obstacle({ shape: new SphereShape(1), at: thing })
    const others = Array.from(
      { length: 30 },
      (_, i) => new Obstacle({ shape: new SphereShape(1), at: v(5 * i, 50, 0) }),
    )
    const [one, two] = [new Obstacles([obstacle, ...others]), new Obstacles([...others, obstacle])]
    const out: Obstacle[] = []
    expect([one.near(v(0, 0, 0), 2, out), two.near(v(0, 0, 0), 2, out)]).toEqual([1, 1])
    thing.position.x = 1000
    // the first refresh moves the obstacle, the second must detect it nevertheless
    one.refresh()
    two.refresh()
    expect([one.near(v(1000, 0, 0), 2, out), two.near(v(1000, 0, 0), 2, out)]).toEqual([1, 1])
    expect([one.near(v(0, 0, 0), 2, out), two.near(v(0, 0, 0), 2, out)]).toEqual([0, 0])
  })

  it('may change while a result is read, or its members are iterated', () => {
    const all = scene(100, 1)
    const answer: Obstacle[] = []
    const count = all.set.near(v(0, 0, 0), Infinity, answer)
    for (let i = 0; i < count; i++) all.set.remove(answer[i]!)
    expect(all.set.size).toBe(0)
    expect(answer.length).toBe(100)
    for (const each of answer) all.set.add(each)
    for (const each of all.set) {
      all.set.remove(each)
      all.set.near(v(0, 0, 0), 1, [])
    }
    expect(all.set.size).toBe(0)
  })

  it('leaves the entries of the array after its result', () => {
    const out: Obstacle[] = [...new Obstacles([{ shape: new SphereShape(1) }, { shape: new SphereShape(2) }])]
    const [first, second] = out
    expect(new Obstacles([first!]).near(v(0, 0, 0), 1, out)).toBe(1)
    expect(out).toEqual([first, second])
  })

  it('refreshes once per step, and calls sync first', () => {
    let syncs = 0
    class Mirror extends Obstacles {
      protected override sync(): void {
        syncs++
        if (syncs === 2) this.add({ shape: new SphereShape(1) })
      }
    }
    const thing = new Thing()
    const set = new Mirror([{ shape: new SphereShape(1), at: thing }])
    const step = { tick: 0 }
    set.refreshFor(step)
    set.refreshFor(step)
    expect(syncs).toBe(1)
    step.tick = 1
    thing.position.x = 9
    set.refreshFor(step)
    expect([syncs, set.size]).toEqual([2, 2])
    expect(set.distance(v(9, 0, 0), v(0, 0, 0))).toBe(-1)
    set.refreshFor({ tick: 1 })
    expect(syncs).toBe(3)
  })

  it('finds nothing when empty, and for a point that is not finite', () => {
    const set = new Obstacles()
    expect(set.near(v(0, 0, 0), Infinity, [])).toBe(0)
    expect(set.distance(v(0, 0, 0), v(0, 0, 0))).toBe(Infinity)
    expect(set.sweep(v(0, 0, 0), v(1, 0, 0), 1)).toBeNull()
    expect(set.sees(v(0, 0, 0), v(1, 0, 0))).toBe(true)
    const { set: full } = scene(50, 2)
    expect(full.near(v(NaN, 0, 0), 5, [])).toBe(0)
    expect(full.sweep(v(NaN, 0, 0), v(1, 0, 0), 1)).toBeNull()
  })
})

it('`ahead` returns all obstacles that a ball can touch that flies into the cone, in the order of adding', () => {
  const random = seeded(12)
  for (let seed = 0; seed < 10; seed++) {
    const { set, list } = scene(10 + 40 * seed, seed)
    for (let question = 0; question < pick(7, 20); question++) {
      const point = someVec(random, 1000)
      const axis = unit(plus(someVec(random, 1), v(0.01, 0, 0)))
      const angle = 0.05 + 1.5 * random()
      const extra = 5 * random()
      const distance = 1000 * random()
      const out: Obstacle[] = []
      out.length = set.ahead(
        point,
        axis,
        { angle, extra, beyond: -Infinity, distance: distance + extra, enough: Infinity, isPartial: false },
        out,
      )
      const numbers = out.map((each) => list.indexOf(each))
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
      const found = new Set(out)
      for (let i = 0; i < 50; i++) {
        const way = unit(plus(axis, someVec(random, Math.sin(angle))))
        if (way.x * axis.x + way.y * axis.y + way.z * axis.z < Math.cos(angle)) continue
        const missed = list.filter(
          (each) => !found.has(each) && each.sweep(point, way, extra, distance) < Infinity,
        )
        expect(missed).toEqual([])
      }
    }
  }
})

describe('line of sight', () => {
  const wall = new Obstacle({ shape: new BoxShape({ x: 0.5, y: 5, z: 5 }) })
  const set = new Obstacles([wall])
  const sees = (from: Vec3Like, to: Vec3Like): boolean => set.sees(from, to)

  it('ends at a wall', () => {
    expect(sees(v(-3, 0, 0), v(3, 0, 0))).toBe(false)
    expect(sees(v(-3, 6, 0), v(3, 6, 0))).toBe(true)
    expect(sees(v(-3, 0, 0), v(-1, 0, 0))).toBe(true)
  })

  it('reaches the surface, not the inside', () => {
    expect(sees(v(-3, 1, 0), v(-0.5, 1, 0))).toBe(true)
    expect(sees(v(-3, 1, 0), v(-0.499, 1, 0))).toBe(false)
    expect(sees(v(-0.5, 1, 0), v(-3, 1, 0))).toBe(true)
    expect(sees(v(-0.5, 1, 0), v(3, 1, 0))).toBe(false)
  })

  it('is not blocked by ignored obstacles, nor between equal points', () => {
    expect(set.sees(v(-3, 0, 0), v(3, 0, 0), (each) => each === wall)).toBe(true)
    expect(sees(v(0, 0, 0), v(0, 0, 0))).toBe(true)
  })

  law('is symmetric for points outside', [vector(10), vector(10)], (a, b) => {
    const outside = ({ x, y, z }: Vec3Like): boolean =>
      Math.abs(x) > 0.6 || Math.abs(y) > 5.1 || Math.abs(z) > 5.1
    if (outside(a) && outside(b)) expect(sees(a, b)).toBe(sees(b, a))
  })
})
