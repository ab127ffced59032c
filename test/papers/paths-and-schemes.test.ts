import { describe, expect, it } from 'vitest'
import {
  Arrive,
  blend,
  DirectedSeek,
  FollowPath,
  Interpose,
  OffsetPursue,
  Path,
  priority,
  Pursue,
  truncatedSum,
  Wander,
  type Behavior,
  type Vec3,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { ArcPath, dubins3d, jakobHeading, reedsShepp } from 'three-steering/curves'
import { FlowField } from 'three-steering/flow'
import { dotOf, expectVec, minus, norm, plus, times, unit, v } from '../support/geometry.js'
import { pushing } from '../support/stand-in.js'
import { AT, DT, forceOf, gap, place, state, TARGET, ZERO } from './kit.js'

/** Paths, offsets, combinations and directed seek, row by row. */

const CORNERS = [v(0, 0, 0), v(20, 0, 0), v(20, 12, 9), v(-4, 12, 9), v(-4, 30, 9)]
const LENGTHS = CORNERS.slice(1).map((corner, i) => gap(corner, CORNERS[i]!))
const TOTAL = LENGTHS.reduce((sum, each) => sum + each, 0)

/** The point at a station of the polyline. */
function onLine(s: number): Vec3 {
  let left = Math.min(Math.max(s, 0), TOTAL)
  let i = 0
  while (i < LENGTHS.length - 1 && left > LENGTHS[i]!) left -= LENGTHS[i++]!
  return plus(CORNERS[i]!, unit(minus(CORNERS[i + 1]!, CORNERS[i]!)), left)
}

/** Green's closest point of a line to a point, over all segments. */
function closest(point: Vec3): { at: Vec3; station: number } {
  let best = { at: CORNERS[0]!, station: 0 }
  let start = 0
  for (const [i, length] of LENGTHS.entries()) {
    const along = unit(minus(CORNERS[i + 1]!, CORNERS[i]!))
    const s = Math.min(Math.max(dotOf(minus(point, CORNERS[i]!), along), 0), length)
    const at = plus(CORNERS[i]!, along, s)
    if (gap(at, point) < gap(best.at, point)) best = { at, station: start + s }
    start += length
  }
  return best
}

describe('Green, Follow Path', () => {
  const path = new Path({ points: CORNERS, curve: 'polyline', tube: 1.5 })

  it('G86: a polyline of waypoints and segments', () => {
    expect(path.length).toBeCloseTo(TOTAL, 9)
    for (let i = 0; i <= 200; i++) {
      const s = (i / 200) * TOTAL
      expectVec(path.pointAt(v(0, 0, 0), s), onLine(s), 1e-9)
    }
  })

  const lookAhead = 4
  const follow = (): FollowPath => new FollowPath({ path, technique: 'future-reprojection', lookAhead })
  const flying = (position: Vec3, velocity: Vec3) => ({ position, velocity, maxForce: 1e5 })

  it('G89: seeks the point of the path nearest to the future position', () => {
    // outside the tube on the first segment, on a course that leads away from it
    for (const aside of [2, 3, -2.5]) {
      const position = v(5, aside, 1)
      const velocity = times(unit(v(3, 0.2 * aside, 0)), 8)
      const target = closest(plus(position, unit(velocity), lookAhead)).at
      const wanted = unit(plus(velocity, forceOf(follow(), flying(position, velocity)), 0.25 / 2))
      expectVec(wanted, unit(minus(target, position)), 1e-6)
    }
  })

  it('G90: no steering force while the future position is inside the stroke', () => {
    const position = v(4, 0.4, 0.3)
    for (const velocity of [v(8, 0.5, 0), v(8, -0.6, -0.4)]) {
      const future = plus(position, unit(velocity), lookAhead)
      expect(gap(closest(future).at, future)).toBeLessThan(1.5)
      const force = forceOf(follow(), flying(position, velocity))
      expect(norm(minus(force, times(unit(velocity), dotOf(force, unit(velocity)))))).toBeLessThan(1e-6)
    }
  })

  it('G91: a vehicle that faces the wrong way seeks a point ahead of it on the path', () => {
    const position = v(9, 2.5, 0)
    const velocity = times(unit(v(-3, 0.5, 0.5)), 8)
    const { station } = closest(position)
    const wanted = unit(plus(velocity, forceOf(follow(), flying(position, velocity)), 0.25 / 2))
    expectVec(wanted, unit(minus(onLine(station + lookAhead), position)), 1e-6)
  })

  it('G95: is_finished_path = 1 − distance to go / total', () => {
    for (const s of [0, 7, 25, 48]) {
      const behavior = new FollowPath({ path, pilot: {} })
      const { world, pilot } = place(behavior, { position: onLine(s), maxForce: 1e-9, velocity: ZERO })
      world.step(DT)
      expect(closest(pilot.position).station).toBeCloseTo(s, 6)
      expect(behavior.metricsOf(pilot)!.finished).toBeCloseTo(1 - (TOTAL - s) / TOTAL, 6)
    }
  })

  it('D35: open or looped: a closed path repeats, a ping-pong path returns', () => {
    const out = v(0, 0, 0)
    const there = new Path({ points: CORNERS, curve: 'polyline', ends: 'ping-pong' })
    const round = new Path({ points: CORNERS, curve: 'polyline', ends: 'closed' })
    const lap = TOTAL + gap(CORNERS.at(-1)!, CORNERS[0]!)
    expect(there.lap).toBeCloseTo(2 * TOTAL, 9)
    expect(round.lap).toBeCloseTo(lap, 9)
    for (let i = 0; i < 50; i++) {
      const s = (i / 50) * TOTAL
      expectVec(there.pointAt(out, 2 * TOTAL - s), onLine(s), 1e-9)
      expectVec(there.pointAt(out, 2 * TOTAL + s), onLine(s), 1e-9)
      expectVec(round.pointAt(out, lap + s), onLine(s), 1e-9)
      expectVec(path.pointAt(out, TOTAL + s), onLine(TOTAL), 1e-9)
    }
  })
})

it('G71: an offset in the local space of the target', () => {
  const random = seeded(2)
  for (let i = 0; i < 20; i++) {
    // x ahead (nose +z), y up, z to starboard (−x of the model)
    const offset = v(6 * random() - 3, 6 * random() - 3, 6 * random() - 3)
    const axis = unit(v(random() - 0.5, random() - 0.5, random() - 0.5))
    const half = 3 * random()
    const q = { ...times(axis, Math.sin(half)), w: Math.cos(half) }
    const model = v(-offset.z, offset.y, offset.x)
    // Rodrigues
    const [c, s] = [Math.cos(2 * half), Math.sin(2 * half)]
    const crossed = v(
      axis.y * model.z - axis.z * model.y,
      axis.z * model.x - axis.x * model.z,
      axis.x * model.y - axis.y * model.x,
    )
    const turned = plus(plus(times(model, c), crossed, s), axis, dotOf(axis, model) * (1 - c))
    const target = { position: TARGET, velocity: ZERO, quaternion: q, angularVelocity: ZERO }
    const force = forceOf(new OffsetPursue({ target, offset }), state)
    expectVec(force, forceOf(new Arrive({ target: plus(TARGET, turned) }), state), 1e-6)
  }
})

it('G110: wander is added to a chase with a weight', () => {
  const pursue = (): Behavior => new Pursue({ target: { position: TARGET, velocity: v(1, 2, 3) } })
  const force = forceOf(blend([pursue(), { behavior: new Wander(), weight: 0.5 }]), state)
  expectVec(force, plus(forceOf(pursue(), state), forceOf(new Wander(), state), 0.5), 1e-6)
})

it('G111: a painted field is exact at its nodes, and trilinear between them', () => {
  const paint = ({ x, y, z }: Vec3): Vec3 => v(Math.sin(x), y * y - z, x * y * 0.1)
  const field = new FlowField({ min: v(-3, -2, -1), max: v(3, 4, 5), size: v(7, 4, 3) }).paint(
    (point, _time, out) => Object.assign(out, paint(point)),
  )
  const random = seeded(4)
  const cell = v(1, 2, 3)
  for (let i = 0; i < 100; i++) {
    const at = v(-3 + 6 * random(), -2 + 6 * random(), -1 + 6 * random())
    const g = v(at.x + 3, (at.y + 2) / 2, (at.z + 1) / 3)
    const low = v(Math.floor(g.x), Math.floor(g.y), Math.floor(g.z))
    let sum = ZERO
    for (let k = 0; k < 8; k++) {
      const step = v(k & 1, (k >> 1) & 1, k >> 2)
      const share =
        (step.x ? g.x - low.x : 1 - g.x + low.x) *
        (step.y ? g.y - low.y : 1 - g.y + low.y) *
        (step.z ? g.z - low.z : 1 - g.z + low.z)
      const node = plus(low, step)
      sum = plus(sum, paint(v(-3 + node.x * cell.x, -2 + node.y * cell.y, -1 + node.z * cell.z)), share)
    }
    expectVec(field.velocityAt(v(0, 0, 0), at), sum, 1e-5)
  }
})

it('G112: between fixed points it arrives at the point halfway', () => {
  const [a, b] = [v(-6, 2, 1), v(8, -4, 9)]
  const force = forceOf(new Interpose({ targets: [a, b] }), state)
  expectVec(unit(force), unit(forceOf(new Arrive({ target: times(plus(a, b), 0.5) }), state)), 1e-6)
})

describe('combinations', () => {
  const parts = [v(0, 0, 0), v(3, -4, 12), v(50, 1, 2)]

  it('G129: one behaviour in each step: the first that asks for a force', () => {
    for (let i = 1; i < parts.length; i++)
      expectVec(forceOf(priority(parts.slice(0, 1).concat(parts.slice(i)).map(pushing))), parts[i]!, 1e-9)
  })

  it('D32: each method is on or off', () => {
    for (let mask = 0; mask < 8; mask++) {
      const on = (i: number): boolean => ((mask >> i) & 1) === 1
      const sum = parts.reduce((total, part, i) => (on(i) ? plus(total, part) : total), ZERO)
      expectVec(
        forceOf(blend(parts.map((part, i) => ({ behavior: pushing(part), enabled: on(i) })))),
        sum,
        1e-9,
      )
    }
  })

  it('D39: priority groups with blending inside', () => {
    const quiet = blend([pushing(ZERO), { behavior: pushing(ZERO), weight: 3 }])
    const group = blend(parts.map((part, i) => ({ behavior: pushing(part), weight: 0.1 * (i + 1) })))
    const sum = parts.reduce((total, part, i) => plus(total, part, 0.1 * (i + 1)), ZERO)
    expectVec(forceOf(priority([quiet, group, pushing(v(9, 9, 9))])), sum, 1e-9)
  })

  it('D40: the weighted truncated running sum: as much of each force as the length of the sum leaves', () => {
    const random = seeded(9)
    for (let i = 0; i < 100; i++) {
      const maxForce = 20 + 40 * random()
      const list = Array.from({ length: 5 }, () => ({
        force: v(40 * random() - 20, 40 * random() - 20, 40 * random() - 20),
        weight: 0.2 + 1.5 * random(),
      }))
      let sum = ZERO
      for (const { force, weight } of list) {
        const left = maxForce - norm(sum)
        if (left <= 1e-3 * maxForce) break
        const part = times(force, weight)
        sum = norm(part) < left ? plus(sum, part) : plus(sum, unit(part), left)
      }
      const tree = truncatedSum(
        list.map(({ force, weight }) => ({ behavior: pushing(force), weight })),
        { budget: 'resultant' },
      )
      const found = forceOf(tree, { maxForce })
      expect(gap(found, sum)).toBeLessThan(2e-3 * maxForce)
    }
  })
})

describe('Jakob', () => {
  const W = { position: v(3, -1, 2), heading: unit(v(1, 2, -1)) }

  it('J14: the part of d_A across Ω vanishes on the way, as the agent turns towards d_S', () => {
    const random = seeded(8)
    for (let i = 0; i < 20; i++) {
      let at = plus(W.position, unit(v(random() - 0.5, random() - 0.5, random() - 0.5)), 40)
      let heading = unit(v(random() - 0.5, random() - 0.5, random() - 0.5))
      const out = v(0, 0, 0)
      const across = (): number => {
        const d = unit(minus(at, W.position))
        const fy = unit(minus(d, times(W.heading, dotOf(d, W.heading))))
        const { heading: fx } = W
        return Math.abs(
          dotOf(heading, v(fx.y * fy.z - fx.z * fy.y, fx.z * fy.x - fx.x * fy.z, fx.x * fy.y - fx.y * fy.x)),
        )
      }
      const radius = 2
      let steps = 0
      for (let left = 20; left > 0; left -= 0.05, steps++) {
        jakobHeading(out, { position: at, heading }, W, radius, radius, 0.05, { circles: 'one', plane: null })
        const aside = minus(out, times(heading, dotOf(out, heading)))
        const angle = Math.min(0.05 / radius, Math.atan2(norm(aside), dotOf(out, heading)))
        if (norm(aside) > 1e-9)
          heading = unit(plus(times(heading, Math.cos(angle)), unit(aside), Math.sin(angle)))
        at = plus(at, heading, 0.05)
      }
      expect(steps).toBeGreaterThan(300)
      expect(across()).toBeLessThan(0.02)
    }
  })

  it('J15: of different radii at both ends the larger counts', () => {
    const slow = { arrivalSpeed: 3, speed: 9 }
    const force = (options: object): Vec3 =>
      forceOf(new DirectedSeek({ target: W, method: 'jakob', ...options }), {
        position: v(-9, 6, 12),
        velocity: v(0, 4, -8),
        maxForce: 40,
      })
    // without a radius both follow from the speeds: that of the faster end is the larger
    expectVec(unit(force(slow)), unit(force({ ...slow, arrivalSpeed: 9 })), 0.05)
  })

  it('J16: the tangent of circles of different radii', () => {
    const random = seeded(3)
    const one = { circles: 'one', plane: null } as const
    for (let i = 0; i < 40; i++) {
      const goalRadius = 1 + 3 * random()
      const radius = 1 + 3 * random()
      // backwards from the waypoint: an arc of its own radius through `angle`, then a straight
      const angle = 0.2 + random()
      const t = v(Math.cos(angle), 0, -Math.sin(angle))
      const at = plus(v(-goalRadius * Math.sin(angle), 0, goalRadius * (1 - Math.cos(angle))), t, -12)
      const out = v(0, 0, 0)
      const origin = { position: ZERO, heading: v(1, 0, 0) }
      const stage = jakobHeading(out, { position: at, heading: t }, origin, radius, goalRadius, 0, one)
      expect(stage).toBe(2)
      expectVec(out, t, 1e-6)
    }
  })

  it('J17: backward motion: a goal straight astern is reached astern, by its distance', () => {
    const back = v(0, 0, -7)
    const path = new ArcPath()
    const length = reedsShepp(
      path,
      { position: ZERO, heading: v(0, 0, 1) },
      { position: back, heading: v(0, 0, 1) },
      3,
      v(0, 1, 0),
    )
    expect(length).toBeCloseTo(7, 9)
    expect(path.gearAt(3)).toBe(-1)
    const seek = new DirectedSeek({
      target: { position: back, heading: v(0, 0, 1) },
      radius: 3,
      reverse: true,
    })
    const force = forceOf(seek, { velocity: ZERO })
    expect(Math.abs(unit(force).z)).toBeGreaterThan(0.99)
  })

  it('J18: truly 3D: two planes, with the straight in their intersection', () => {
    const random = seeded(1)
    for (let i = 0; i < 40; i++) {
      const from = { position: AT, heading: unit(v(random() - 0.5, random() - 0.5, random() - 0.5)) }
      const to = {
        position: plus(AT, unit(v(random() - 0.5, random() - 0.5, random() - 0.5)), 30),
        heading: unit(v(random() - 0.5, random() - 0.5, random() - 0.5)),
      }
      const path = new ArcPath()
      dubins3d(path, from, to, 2)
      if (path.count < 3) continue
      const straight = path.tangentAt(v(0, 0, 0), path.startOf(1) + 0.1)
      // segment I lies in the plane of d_A and the straight, segment III in that of d_W and the straight
      const planes = [from.heading, to.heading].map((h) =>
        unit(
          v(
            h.y * straight.z - h.z * straight.y,
            h.z * straight.x - h.x * straight.z,
            h.x * straight.y - h.y * straight.x,
          ),
        ),
      )
      for (let k = 0; k <= 10; k++) {
        const first = minus(path.pointAt(v(0, 0, 0), (k / 10) * path.startOf(1)), from.position)
        const third = minus(
          path.pointAt(v(0, 0, 0), path.length - (k / 10) * (path.length - path.startOf(2))),
          to.position,
        )
        expect(Math.abs(dotOf(first, planes[0]!))).toBeLessThan(1e-6)
        expect(Math.abs(dotOf(third, planes[1]!))).toBeLessThan(1e-6)
      }
    }
  })
})
