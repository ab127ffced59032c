import { describe, expect, it } from 'vitest'
import {
  blend,
  contextMap,
  Hover,
  neighborSearch,
  priority,
  truncatedSum,
  within,
  type Behavior,
} from 'three-steering'
import type { WeightedPart } from 'three-steering/authoring'
import { pilot, quietWorld } from '../support/pilot.js'
import { pushing } from '../support/stand-in.js'
import { counting } from './parts.js'

/** Parts that change their weight gradually, without a jump. */

const ONE = { x: 10, y: 0, z: 0 }
const OTHER = { x: 0, y: 10, z: 0 }

interface Faded {
  readonly parts: WeightedPart[]
  /** Makes a step, and returns the share of the other part. */
  readonly share: (dt?: number) => number
  readonly force: () => number[]
}

function setUp(behavior: Behavior & { parts: WeightedPart[] }): Faded {
  const { world } = quietWorld()
  const one = pilot(behavior, { locomotion: new Hover({ attitude: null }) })
  world.add(one)
  return {
    parts: behavior.parts,
    share: (dt = 1 / 60) => {
      world.step(dt)
      return one.demand.force.y / OTHER.y
    },
    force: () => [one.demand.force.x, one.demand.force.y, one.demand.force.z],
  }
}

const faded = (fade: number, other: Behavior = pushing(OTHER)): Faded =>
  setUp(blend([pushing(ONE), { behavior: other, fade }]))

function steps({ share }: Faded, seconds: number, dt = 1 / 60): number[] {
  return Array.from({ length: Math.round(seconds / dt) }, () => share(dt))
}

describe('a new weight', () => {
  it('takes effect linearly, in the given time, at any step', () => {
    for (const dt of [1 / 30, 1 / 60, 1 / 240]) {
      const scene = faded(0.5)
      expect(scene.share(dt)).toBe(1)
      scene.parts[1]!.weight = 3
      const seen = steps(scene, 0.6, dt)
      const rate = (2 * dt) / 0.5
      for (const [i, each] of seen.entries()) expect(each).toBeCloseTo(Math.min(3, 1 + i * rate), 6)
    }
  })

  it('without a fade time it takes effect in the next step', () => {
    const scene = setUp(blend([pushing(ONE), pushing(OTHER)]))
    scene.share()
    scene.parts[1]!.weight = 3
    expect(scene.share()).toBe(3)
  })

  it('changed again meanwhile it continues from the present value', () => {
    const scene = faded(1)
    scene.share()
    scene.parts[1]!.weight = 2
    const up = steps(scene, 0.5)
    scene.parts[1]!.weight = 0
    const down = steps(scene, 1.2)
    const all = [...up, ...down]
    for (let i = 1; i < all.length; i++) expect(Math.abs(all[i]! - all[i - 1]!)).toBeLessThan(2 / 60)
    expect(Math.max(...all)).toBeCloseTo(1.5, 1)
    expect(all.at(-1)).toBe(0)
  })

  it('a weight that is not finite is reported, and the next one takes effect at once', () => {
    const { world, faults } = quietWorld()
    const tree = blend([{ behavior: pushing(ONE), fade: 1 }])
    const one = pilot(tree)
    world.add(one)
    world.step(0.1)
    tree.parts[0]!.weight = NaN
    world.step(0.1)
    expect(faults).toHaveLength(1)
    tree.parts[0]!.weight = 2
    world.step(0.1)
    expect(one.demand.force.x).toBe(20)
  })
})

describe('switched', () => {
  it('off, a part fades out, and is asked until then and no longer', () => {
    const inner = counting(pushing(OTHER))
    const scene = faded(0.5, inner)
    scene.share()
    scene.parts[1]!.enabled = false
    const seen = steps(scene, 1)
    for (let i = 1; i < 30; i++) expect(seen[i]).toBeLessThan(seen[i - 1]!)
    expect(seen[31]).toBe(0)
    const { asked } = inner
    expect(asked).toBeGreaterThan(30)
    expect(asked).toBeLessThan(34)
    steps(scene, 1)
    expect(inner.asked).toBe(asked)
  })

  it('on again, it fades in from 0', () => {
    const scene = faded(0.5)
    scene.share()
    scene.parts[1]!.enabled = false
    steps(scene, 1)
    scene.parts[1]!.enabled = true
    const seen = steps(scene, 0.6)
    expect(seen[0]).toBe(0)
    expect(seen[15]).toBeCloseTo(0.5, 6)
    expect(seen.at(-1)).toBe(1)
  })

  it('while it fades out, it still requests neighbours as far as before', () => {
    const tree = blend([{ behavior: { steer: () => undefined, reach: 30, neighborSearch }, fade: 0.5 }])
    expect(tree.children).toHaveLength(1)
    tree.parts[0]!.enabled = false
    expect(tree.children).toHaveLength(1)
    const { world } = quietWorld()
    world.add(pilot(tree))
    for (let i = 0; i < 60; i++) world.step(1 / 60)
    expect(tree.children).toHaveLength(0)
  })
})

describe('in the list', () => {
  it('a part that is in the list from the beginning has its full weight at once', () => {
    expect(faded(5).share()).toBe(1)
  })

  it('a part that is added later starts from 0', () => {
    const scene = setUp(blend([pushing(ONE)]))
    scene.share()
    scene.parts.push({ behavior: pushing(OTHER), weight: 2, fade: 1 })
    const seen = steps(scene, 1.1)
    expect(seen[0]).toBe(0)
    expect(seen[30]).toBeCloseTo(1, 6)
    expect(seen.at(-1)).toBe(2)
  })

  it('a part that is removed stops at once, and starts from 0 when it is added again', () => {
    const scene = faded(1)
    scene.share()
    const [part] = scene.parts.splice(1, 1)
    expect(scene.share()).toBe(0)
    scene.parts.push(part!)
    expect(scene.share()).toBe(0)
    expect(steps(scene, 1.1).at(-1)).toBe(1)
  })

  it('a fade advances with time, even while the combination is not asked', () => {
    const tree = blend([{ behavior: pushing(OTHER), fade: 1 }])
    const first = pushing({ x: 0, y: 0, z: 0 })
    const { world } = quietWorld()
    const one = pilot(priority([first, tree]))
    world.add(one)
    world.step(0.1)
    tree.parts[0]!.weight = 2
    world.step(0.1)
    first.force.z = 1
    for (let i = 0; i < 20; i++) world.step(0.1)
    first.force.z = 0
    world.step(0.1)
    expect(one.demand.force.y).toBe(20)
  })

  it('two agents that share it have the same value', () => {
    const tree = blend([{ behavior: pushing(OTHER), fade: 1 }])
    const { world } = quietWorld()
    const both = [pilot(tree), pilot(tree)]
    for (const each of both) world.add(each)
    world.step(0.1)
    tree.parts[0]!.weight = 0
    for (let i = 0; i < 5; i++) {
      world.step(0.1)
      expect(both[0]!.demand.force.y).toBe(both[1]!.demand.force.y)
    }
    expect(both[0]!.demand.force.y).toBeCloseTo(6, 6)
  })
})

describe('fades also work in', () => {
  it('a truncated sum', () => {
    const scene = setUp(truncatedSum([pushing(ONE), { behavior: pushing(OTHER), fade: 1 }]))
    scene.share()
    scene.parts[1]!.weight = 3
    expect(steps(scene, 0.6)[30]).toBeCloseTo(2, 6)
  })

  it('the wishes of `within`: from one goal to another without a jump', () => {
    const tree = within(
      [],
      [
        { behavior: pushing(ONE), fade: 1 },
        { behavior: pushing(OTHER), enabled: false, fade: 1 },
      ],
    )
    const { world } = quietWorld()
    const one = pilot(tree, { locomotion: new Hover({ attitude: null }) })
    world.add(one)
    world.step(1 / 60)
    tree.wishes[0]!.enabled = false
    tree.wishes[1]!.enabled = true
    let { x, y } = one.demand.force
    for (let i = 0; i < 70; i++) {
      world.step(1 / 60)
      expect(Math.hypot(one.demand.force.x - x, one.demand.force.y - y)).toBeLessThan(0.5)
      ;({ x, y } = one.demand.force)
    }
    expect([x, y]).toEqual([0, 10])
  })

  it('the interest of a context map', () => {
    const tree = contextMap({ interest: [pushing(ONE), { behavior: pushing(OTHER), weight: 0.1, fade: 1 }] })
    const { world } = quietWorld()
    const one = pilot(tree, { locomotion: new Hover({ attitude: null }) })
    world.add(one)
    world.step(1 / 60)
    tree.interest[1]!.weight = 4
    const served = Array.from({ length: 61 }, () => {
      one.teleport({ velocity: { x: 0, y: 0, z: 0 } })
      world.step(1 / 60)
      return one.demand.force.y > one.demand.force.x
    })
    // the strongest interest is followed: the other part becomes it after some time
    expect(served[2]).toBe(false)
    expect(served.at(-1)).toBe(true)
  })
})
