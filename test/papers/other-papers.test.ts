import { describe, expect, it } from 'vitest'
import {
  Alignment,
  Arrive,
  AvoidWalls,
  blend,
  Cohesion,
  DirectedSeek,
  dither,
  Evade,
  Flee,
  FollowPath,
  HalfSpaceShape,
  Hide,
  Interpose,
  Obstacle,
  OffsetPursue,
  Path,
  priority,
  Pursue,
  Seek,
  Separation,
  smooth,
  SphereShape,
  SteeringController,
  SteeringWorld,
  truncatedSum,
  Wander,
  type Behavior,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import { ClassicAvoidance } from 'three-steering/classic'
import { jakobHeading } from 'three-steering/curves'
import { expectVec, dotOf, minus, norm, plus, times, unit, v } from '../support/geometry.js'
import { pushing } from '../support/stand-in.js'
import {
  AT,
  DT,
  FLYING,
  FORCE,
  forceOf,
  gap,
  MASS,
  place,
  RADIUS,
  servo,
  state,
  TARGET,
  TAU,
  TOP,
  towards,
  ZERO,
} from './kit.js'

/** The course deck IMGD 4000, Bevilacqua, Methods for Combining, and Jakob. */

const ball = (radius: number, at: Vec3): Obstacle => new Obstacle({ shape: new SphereShape(radius), at })

/** Reaction and braking distance (m) from `speed`: 2 · τ · v + v² / (2 · 0.9 · F / m). */
const stopping = (speed: number, force: number): number =>
  2 * TAU * speed + speed ** 2 / ((2 * 0.9 * force) / MASS)

describe('the course deck', () => {
  it('D1: the body: acceleration = force / mass, velocity += acceleration · dt, position += velocity · dt', () => {
    const { world, pilot } = place(pushing(v(8, 0, -4)), state)
    world.step(0.05)
    const velocity = plus(FLYING, v(8, 0, -4), 0.05 / MASS)
    expectVec(pilot.velocity, velocity, 1e-9)
    expectVec(pilot.position, plus(AT, velocity, 0.05), 1e-9)
  })

  it('D2: the heading is updated only if the body moves enough', () => {
    const seen: Vec3[] = []
    const look: Behavior = { steer: ({ course }) => void seen.push({ ...course.x }) }
    const { world, pilot } = place(look, { velocity: v(1, 0, 0) })
    world.step(DT)
    pilot.teleport({ velocity: v(0, 0, 1e-9) })
    world.step(DT)
    world.step(DT)
    expectVec(seen[0]!, v(1, 0, 0), 1e-9)
    expectVec(seen[2]!, seen[1]!, 1e-9)
  })

  it('D3: seek: truncate(target − position, maxSpeed) − velocity', () => {
    for (const target of [TARGET, plus(AT, v(1, -2, 0.5))]) {
      const to = minus(target, AT)
      const desired = norm(to) > TOP ? times(unit(to), TOP) : to
      expectVec(forceOf(new Arrive({ target, decelerationTime: 1 }), state), servo(desired, FLYING), 1e-9)
    }
    // far away both are the same
    expectVec(forceOf(new Seek({ target: TARGET }), state), servo(towards(AT, TARGET), FLYING), 1e-9)
  })

  it('D4: arrive: speed = min(distance / DECELERATION, maxSpeed), and −velocity at the target', () => {
    const target = plus(AT, v(3, 1, -2))
    const speed = gap(AT, target) / 2
    const arrive = (at: Vec3): Arrive => new Arrive({ target: at, decelerationTime: 2 })
    expectVec(forceOf(arrive(target), state), servo(towards(AT, target, speed), FLYING), 1e-9)
    expectVec(forceOf(arrive(AT), state), servo(ZERO, FLYING), 1e-9)
  })

  it('D5: flee: position − target at maxSpeed, if near', () => {
    const flee = (panicDistance: number): Flee => new Flee({ target: TARGET, panicDistance })
    expectVec(forceOf(flee(100), state), servo(towards(TARGET, AT), FLYING), 1e-9)
    expect(norm(forceOf(flee(5), state))).toBe(0)
  })

  const body = { position: TARGET, velocity: v(3, -1, 2) }

  it('D6: pursue: dt = distance / (maxSpeed + pace), seek position + velocity · dt', () => {
    const dt = gap(AT, TARGET) / (TOP + norm(body.velocity))
    const force = forceOf(new Pursue({ target: body, prediction: 'closing' }), state)
    expectVec(force, servo(towards(AT, plus(TARGET, body.velocity, dt)), FLYING), 1e-9)
  })

  it('D7: pursue: within 20 degrees ahead, simply seek', () => {
    const to = unit(minus(TARGET, AT))
    const aside = unit(v(to.y, -to.x, 0))
    for (const [degrees, predicted] of [
      [9, false],
      [11, true],
    ] as const) {
      const angle = (degrees * Math.PI) / 180
      const velocity = times(plus(times(to, Math.cos(angle)), aside, Math.sin(angle)), 5)
      const dt = predicted ? gap(AT, TARGET) / (TOP + norm(body.velocity)) : 0
      const force = forceOf(new Pursue({ target: body, prediction: 'closing' }), { position: AT, velocity })
      expectVec(force, servo(towards(AT, plus(TARGET, body.velocity, dt)), velocity), 1e-9)
    }
  })

  it('D8: evade: the same time, without the special case', () => {
    const dt = gap(AT, TARGET) / (TOP + norm(body.velocity))
    const velocity = times(unit(minus(TARGET, AT)), 5)
    const force = forceOf(new Evade({ target: body, method: 'flee' }), { position: AT, velocity })
    expectVec(force, servo(towards(plus(TARGET, body.velocity, dt), AT), velocity), 1e-9)
  })

  it('D9: pursue with offset: arrives at the offset of a body that moves on', () => {
    const leader = { position: { ...TARGET }, velocity: v(0, 0, 4), quaternion: { x: 0, y: 0, z: 0, w: 1 } }
    const offset = v(-3, 1, 2)
    const { world, pilot } = place(new OffsetPursue({ target: leader, offset }), { ...state, maxForce: 200 })
    for (let i = 0; i < 600; i++) {
      world.step(DT)
      Object.assign(leader.position, plus(leader.position, leader.velocity, DT))
    }
    // x ahead (nose +z), y up, z to starboard (−x of the model)
    expectVec(minus(pilot.position, leader.position), v(-2, 1, -3), 0.02)
  })

  it('D10: interpose: arrives at the midpoint of the predicted positions', () => {
    const a = { position: v(0, 0, 0), velocity: v(0, 0, 3) }
    const b = { position: v(10, 0, 0), velocity: v(0, 0, 3) }
    const { world, pilot } = place(new Interpose({ targets: [a, b] }), {
      position: v(5, 8, 0),
      maxForce: 100,
    })
    for (let i = 0; i < 300; i++) {
      for (const target of [a, b]) target.position.z += 3 * DT
      world.step(DT)
    }
    expect(gap(pilot.position, v(5, 0, a.position.z))).toBeLessThan(0.1)
  })

  it('D11: a path: seek each waypoint within SEEK_DISTANCE, arrive at the last', () => {
    const points = [v(0, 0, 0), v(20, 0, 0), v(20, 0, 20)]
    const path = new Path({ points, curve: 'polyline' })
    const follow = new FollowPath({ path, technique: 'grappling-hooks', closeness: 4 })
    const { world, pilot } = place(follow, { position: v(1, 0, 0), maxForce: 100 })
    let arrived = false
    pilot.addEventListener('arrive', () => (arrived = true))
    let switched = NaN
    for (let i = 0; i < 900; i++) {
      const before = follow.stationOf(pilot)
      world.step(DT)
      if (before < 20 && follow.stationOf(pilot) >= 20) switched = gap(pilot.position, points[1]!)
    }
    expect(switched).toBeLessThan(4 * RADIUS + 0.2)
    expect(arrived).toBe(true)
    expect(gap(pilot.position, points[2]!)).toBeLessThan(0.1)
  })

  describe('obstacle avoidance', () => {
    const maxForce = 100
    const length = stopping(TOP, maxForce) + RADIUS
    const flight = { velocity: v(0, 0, TOP), maxForce }
    const ask = (obstacles: Obstacle[], brakingWeight = 0): Vec3 =>
      forceOf(new ClassicAvoidance({ obstacles, method: 'deck', brakingWeight }), flight)

    it('D12: lateral force = (radius − y) · multiplier, multiplier = 1 + (length − x) / length', () => {
      const radius = 2
      const at = v(0.9, 1.2, 5)
      const y = Math.hypot(at.x, at.y)
      const multiplier = 1 + (length - at.z) / length
      const share = ((radius - y) / radius) * multiplier
      expectVec(ask([ball(radius, at)]), times(v(-at.x / y, -at.y / y, 0), maxForce * share), 1e-9)
    })

    it('D13: braking force = (radius − x) · 2, proportional to the distance', () => {
      const radius = 3
      const at = v(0, 2.9, 4)
      const weight = 0.8
      const force = ask([ball(radius, at)], weight)
      expect(force.z).toBeCloseTo((maxForce * weight * (radius - at.z)) / radius, 9)
    })

    it('D14: obstacles that do not overlap the box of the width of the body are discarded', () => {
      expect(norm(ask([ball(1, v(0, 1.6, 5))], 1))).toBe(0)
      expect(norm(ask([ball(1, v(0, 1.4, 5))], 1))).toBeGreaterThan(0)
      expect(norm(ask([ball(1, v(0, 0, -3))], 1))).toBe(0)
      expect(norm(ask([ball(1, v(0, 0, length + 2))], 1))).toBe(0)
    })
  })

  describe('Hide', () => {
    const seeker = { position: v(0, 0, -30), velocity: v(0, 0, 0), quaternion: { x: 0, y: 0, z: 0, w: 1 } }
    const rock = (): Obstacle => ball(3, ZERO)

    it('D15: the hiding spot is the point opposite of each obstacle', () => {
      const { world, pilot } = place(new Hide({ target: seeker, obstacles: [rock()] }), {
        position: v(4, 1, 2),
        maxForce: 100,
      })
      for (let i = 0; i < 600; i++) world.step(DT)
      const away = unit(minus(ZERO, seeker.position))
      expect(dotOf(unit(pilot.position), away)).toBeGreaterThan(0.999)
      expect(norm(pilot.position)).toBeGreaterThan(3 + RADIUS)
    })

    it('D16: without hiding spots it evades', () => {
      const force = forceOf(new Hide({ target: seeker.position, obstacles: [] }), state)
      expectVec(force, servo(towards(seeker.position, AT), FLYING), 1e-9)
    })

    it('D17: only if it can be seen, and for some time after', () => {
      const hidden = { position: v(0, 0, 8) }
      const hide = (): Hide => new Hide({ target: seeker, obstacles: [rock()], onlyIfSeen: true })
      expect(norm(forceOf(hide(), hidden))).toBe(0)
      expect(norm(forceOf(hide(), { position: v(9, 0, 0) }))).toBeGreaterThan(0)
    })

    it('D18: only from a seeker that can see it: a view cone of the seeker', () => {
      const ask = (position: Vec3, fieldOfView: number): number =>
        norm(
          forceOf(
            new Hide({
              target: seeker,
              obstacles: [rock()],
              onlyIfSeen: true,
              targetFieldOfView: fieldOfView,
            }),
            { position },
          ),
        )
      // 45° off the nose of the seeker, which points along +z
      const aside = v(30, 0, 0)
      expect(ask(aside, Math.PI / 2 + 0.05)).toBeGreaterThan(0)
      expect(ask(aside, Math.PI / 2 - 0.05)).toBe(0)
      expect(ask(v(9, 0, -60), 3)).toBe(0)
      expect(ask(v(9, 0, -60), 2 * Math.PI)).toBeGreaterThan(0)
    })

    it('D19: panic distance: if super close, flee', () => {
      const hide = new Hide({ target: seeker.position, obstacles: [rock()], panicDistance: 50 })
      expectVec(forceOf(hide, state), servo(towards(seeker.position, AT), FLYING), 1e-9)
    })
  })

  it('D20: wall avoidance: the deepest of the feelers gives its depth, perpendicular to the wall', () => {
    const floor = new Obstacle({ shape: new HalfSpaceShape(v(0, 1, 0)) })
    const velocity = v(0, -3, 4)
    const position = v(0, 2, 0)
    const horizon = 1
    const walls = new AvoidWalls({ obstacles: [floor], method: 'feelers', feelers: 0, horizon, gain: 1 })
    const tip = plus(position, unit(velocity), norm(velocity) * horizon + 2 * RADIUS)
    expectVec(forceOf(walls, { position, velocity }), v(0, ((MASS / TAU) * -tip.y) / horizon, 0), 1e-9)
  })

  describe('flocking', () => {
    const wide = { neighborDistance: 60 }
    const flock = [
      { position: plus(AT, v(4, 1, 2)), velocity: v(3, 5, -2) },
      { position: plus(AT, v(-3, 5, 1)), velocity: v(2, 2, -3) },
    ]

    it('D21: separation: normalize(direction) / distance', () => {
      const sum = flock.reduce((total, { position }) => {
        const away = minus(AT, position)
        return plus(total, unit(away), 1 / norm(away))
      }, ZERO)
      const behavior = new Separation({ ...wide, falloff: (d) => 1 / d })
      expectVec(forceOf(behavior, state, flock), times(sum, FORCE), 1e-6)
    })

    it('D22: alignment: the average heading − heading', () => {
      const average = times(
        flock.reduce((sum, { velocity }) => plus(sum, unit(velocity)), ZERO),
        1 / 2,
      )
      const force = forceOf(new Alignment({ ...wide, match: 'heading' }), state, flock)
      expectVec(force, times(minus(average, unit(FLYING)), FORCE), 1e-6)
    })

    it('D23: cohesion: seek(center)', () => {
      const center = times(plus(flock[0]!.position, flock[1]!.position), 1 / 2)
      const behavior = new Cohesion({ ...wide, approach: 'seek' })
      expectVec(forceOf(behavior, state, flock), servo(towards(AT, center), FLYING), 1e-9)
    })

    it('D24: an isolated neighbour wanders, by a weighted sum of four', () => {
      const four = (): Behavior =>
        blend([
          new Separation({ ...wide, weight: 0.5 }),
          new Alignment({ ...wide, weight: 0.3 }),
          new Cohesion({ ...wide, weight: 0.2, emergency: false }),
          { behavior: new Wander(), weight: 0.4 },
        ])
      const alone = forceOf(four(), state)
      expectVec(alone, times(forceOf(new Wander(), state), 0.4), 1e-9)
      expect(norm(alone)).toBeGreaterThan(0)
    })
  })

  const A = v(10, 40, 0)
  const B = v(30, 20, -5)

  it('D25: blending: w1·F1 + w2·F2, weights need not sum to 1, truncated by maxForce', () => {
    const parts = () => [
      { behavior: pushing(A), weight: 2 },
      { behavior: pushing(B), weight: 3 },
    ]
    const sum = plus(times(A, 2), B, 3)
    expectVec(forceOf(blend(parts())), sum, 1e-9)
    expectVec(forceOf(blend(parts(), { truncate: 'sum' }), { maxForce: 50 }), times(unit(sum), 50), 1e-9)
  })

  it('D26: priority: in order until the first returns a non-zero force, and later ones are not called', () => {
    let asked = 0
    const last: Behavior = { steer: () => void asked++ }
    expectVec(forceOf(priority([pushing(ZERO), pushing(B), last])), B, 1e-9)
    expect(asked).toBe(0)
  })

  it('D27: the variation: forces are added until the sum has maxForce, and truncated', () => {
    const sum = plus(times(A, 0.5), B, 0.8)
    const parts = (): Behavior =>
      truncatedSum(
        [{ behavior: pushing(A), weight: 0.5 }, { behavior: pushing(B), weight: 0.8 }, pushing(v(0, 0, 99))],
        { budget: 'sum' },
      )
    expectVec(forceOf(parts(), { maxForce: norm(sum) - 1 }), times(unit(sum), norm(sum) - 1), 1e-9)
  })

  it('D28: dithering: with a probability for each, what is let through is added until maxForce', () => {
    const only = (behavior: Behavior, probability: number): Behavior => dither([{ behavior, probability }])
    const { world, pilot } = place(
      truncatedSum([only(pushing(A), 0.9), only(pushing(B), 0.2)], { budget: 'sum' }),
      { maxSpeed: 1e6 },
    )
    const counts = [0, 0]
    for (let i = 0; i < 2000; i++) {
      world.step(DT)
      const { y, z } = pilot.demand.force
      if (y > 30) counts[0]!++
      if (z < -1) counts[1]!++
    }
    expect(counts[0]! / 2000).toBeCloseTo(0.9, 1)
    expect(counts[1]! / 2000).toBeCloseTo(0.2, 1)
  })

  it('D29: smoothing averages over several ticks', () => {
    let sign = 1
    const judder: Behavior = { steer: (_agent, _step, out) => void (out.force.x += 100 * (sign = -sign)) }
    const { world, pilot } = place(smooth(judder, { time: 10 * DT }), { maxSpeed: 1e6 })
    let most = 0
    for (let i = 0; i < 600; i++) {
      world.step(DT)
      if (i > 500) most = Math.max(most, Math.abs(pilot.demand.force.x))
    }
    // an exponential mean of ± F: F · s / (2 − s), s = 1 − e^(−1/10)
    const s = 1 - Math.exp(-0.1)
    expect(most).toBeCloseTo((100 * s) / (2 - s), 6)
  })
})

describe('Bevilacqua', () => {
  const maxForce = 100
  const see = (speed: number): number => (stopping(TOP, maxForce) * speed) / TOP
  const ask = (obstacles: Obstacle[], speed = TOP, position: Vec3 = ZERO): Vec3 =>
    forceOf(new ClassicAvoidance({ obstacles, method: 'bevilacqua' }), {
      position,
      velocity: v(0, 0, speed),
      maxForce,
    })

  it('B1: ahead = position + normalize(velocity) · MAX_SEE_AHEAD, and blocked if its distance ≤ radius', () => {
    const far = see(TOP)
    expect(norm(ask([ball(1, v(1.4, 0, far))]))).toBeCloseTo(maxForce, 9)
    expect(norm(ask([ball(1, v(1.6, 0, far))]))).toBe(0)
  })

  it('B2: ahead2 has half of its length', () => {
    expect(norm(ask([ball(0.5, v(0.9, 0, see(TOP) / 2))]))).toBeCloseTo(maxForce, 9)
    // between the points nothing is noticed, as published
    expect(norm(ask([ball(0.2, v(0, 0, see(TOP) / 4))]))).toBe(0)
  })

  it('B3: avoidance_force = normalize(ahead − center) · MAX_AVOID_FORCE', () => {
    const center = v(0.7, -0.4, see(TOP) - 0.3)
    const force = ask([ball(1, center)])
    expectVec(force, times(unit(minus(v(0, 0, see(TOP)), center)), maxForce), 1e-9)
  })

  it('B4: also inside, by a third vector: the position', () => {
    const center = v(0.2, 0.5, -0.6)
    const force = ask([ball(1, center)], 2)
    expectVec(force, times(unit(minus(v(0, 0, see(2)), center)), maxForce), 1e-9)
  })

  it('B5: the closest obstacle to the position is the most threatening', () => {
    const near = ball(1, v(0.5, 0.3, see(TOP) / 2))
    const far = ball(1, v(-0.5, 0.3, see(TOP)))
    expectVec(ask([far, near]), ask([near]), 1e-9)
  })

  it('B6: no obstacle, no force', () => {
    expect(norm(ask([]))).toBe(0)
    expect(norm(ask([ball(1, v(0, 5, 2))]))).toBe(0)
  })

  it('B7: the length is scaled by velocity / MAX_VELOCITY', () => {
    const center = v(0, 1.2, see(5) + 0.2)
    expectVec(ask([ball(1, center)], 5), times(unit(minus(v(0, 0, see(5)), center)), maxForce), 1e-9)
    expect(norm(ask([ball(1, v(0, 0, see(TOP)))], 1))).toBe(0)
  })

  it('B8: steering = seek() + collisionAvoidance(), truncated by max_force', () => {
    const obstacles = [ball(1, v(0.7, -0.4, see(TOP) - 0.3))]
    const target = v(0, 30, 30)
    const both = (): Behavior =>
      blend([new Seek({ target }), new ClassicAvoidance({ obstacles, method: 'bevilacqua' })], {
        truncate: 'sum',
      })
    const flight = { velocity: v(0, 0, TOP), maxForce }
    const sum = plus(
      forceOf(new Seek({ target }), flight),
      forceOf(new ClassicAvoidance({ obstacles, method: 'bevilacqua' }), flight),
    )
    expectVec(forceOf(both(), flight), times(unit(sum), Math.min(maxForce, norm(sum))), 1e-9)
  })
})

describe('Methods for Combining Autonomous Steering Behaviours', () => {
  /** A force below a thousandth of this counts as none. */
  const limit = { maxForce: 100 }
  const A = v(1, 4, 0)
  const B = v(3, 2, 0)
  const C = v(1, -2, 0)
  const sum = (options?: object, maxForce = FORCE, torque = ZERO): Vec3 =>
    forceOf(
      truncatedSum(
        [
          { behavior: pushing(A), weight: 0.25 },
          { behavior: turning(B, torque), weight: 0.5 },
          { behavior: pushing(C), weight: 0.25 },
        ],
        options,
      ),
      { maxForce, maxTorque: 5 },
    )

  /** A part with a force and a torque. */
  function turning(force: Vec3Like, torque: Vec3Like): Behavior {
    return {
      steer: (_agent, _step, out) => {
        Object.assign(out.force, plus(out.force, force))
        Object.assign(out.torque, plus(out.torque, torque))
      },
    }
  }

  it('C1: desired velocity towards the target at top speed; the force is along desired − current, at most the limit', () => {
    const wanted = servo(towards(AT, TARGET), FLYING)
    expectVec(forceOf(new Seek({ target: TARGET }), { ...state, maxForce: 9 }), times(unit(wanted), 9), 1e-9)
  })

  it('C2: priority arbitration of A, B, C: (1, 4)', () => {
    expectVec(forceOf(priority([pushing(A), pushing(B), pushing(C)]), limit), v(1, 4, 0), 1e-9)
  })

  it('C3: the highest non-zero one', () => {
    expectVec(forceOf(priority([pushing(ZERO), pushing(B), pushing(C)]), limit), v(3, 2, 0), 1e-9)
  })

  it('C4: priorities may be set dynamically', () => {
    const tree = priority([pushing(A), pushing(B)])
    const { world, pilot } = place(tree, limit)
    world.step(DT)
    expectVec(pilot.demand.force, A, 1e-9)
    tree.parts.reverse()
    world.step(DT)
    expectVec(pilot.demand.force, B, 1e-9)
  })

  it('C5: weighted blending 0.25, 0.5, 0.25: (2, 1.5)', () => {
    const parts = [A, B, C].map((force, i) => ({ behavior: pushing(force), weight: [0.25, 0.5, 0.25][i]! }))
    expectVec(forceOf(blend(parts)), v(2, 1.5, 0), 1e-9)
  })

  it('C6: dithering: A not chosen, then B: (3, 2)', () => {
    const parts = [A, B, C].map((force, i) => ({ behavior: pushing(force), probability: i === 0 ? 0 : 1 }))
    expectVec(forceOf(dither(parts), limit), v(3, 2, 0), 1e-9)
  })

  it('C7: a new random number for each: B steers with p(B) · (1 − p(A))', () => {
    const parts = [A, B, C].map((force, i) => ({ behavior: pushing(force), probability: [0.5, 0.5, 1][i]! }))
    const { world, pilot } = place(dither(parts), { ...limit, maxSpeed: 1e6 })
    const counts = [0, 0, 0]
    for (let i = 0; i < 2000; i++) {
      world.step(DT)
      const which = [A, B, C].findIndex((force) => gap(force, pilot.demand.force) < 1e-9)
      counts[which]!++
    }
    for (const [i, share] of [0.5, 0.25, 0.25].entries()) expect(counts[i]! / 2000).toBeCloseTo(share, 1)
  })

  it('C8: the truncated sum, where the limit is exceeded after B: (1.75, 2)', () => {
    const spent = norm(times(A, 0.25)) + norm(times(B, 0.5))
    expectVec(sum({}, spent), v(1.75, 2, 0), 1e-9)
  })

  it('C9: what does not fit is truncated', () => {
    const spent = norm(times(A, 0.25)) + 1
    expectVec(sum({}, spent), plus(times(A, 0.25), unit(B), 1), 1e-9)
  })

  it('C10: once the force is spent nobody else is asked, whatever torque is left', () => {
    let asked = 0
    const last = (): Behavior => ({ steer: () => void asked++ })
    const limits = { maxForce: norm(A), maxTorque: 5 }
    forceOf(truncatedSum([pushing(A), last()], { until: 'force' }), limits)
    expect(asked).toBe(0)
    forceOf(truncatedSum([pushing(A), last()]), limits)
    expect(asked).toBe(1)
  })
})

describe('Jakob', () => {
  const R = 2
  const one = { circles: 'one', plane: null } as const
  /** In the plane y = 0, x to the right, z up on the page; the waypoint at the origin, direction +x. */
  const W = { position: ZERO, heading: v(1, 0, 0) }
  const ask = (position: Vec3, heading: Vec3, options: Parameters<typeof jakobHeading>[6] = one) => {
    const out = v(0, 0, 0)
    const stage = jakobHeading(out, { position, heading }, W, R, R, 0, options)
    return { out, stage }
  }
  /** Angle (rad, 0 … 2π) from a to b, turning in the sense that turns +x to +z for `sense` 1. */
  const directed = (sense: number, a: Vec3, b: Vec3): number => {
    const turned = sense * Math.atan2(a.x * b.z - a.z * b.x, a.x * b.x + a.z * b.z)
    return turned < 0 ? turned + 2 * Math.PI : turned
  }
  /** Centre of the circle to the left (+1) or right (−1) of a heading. */
  const centre = (at: Vec3, heading: Vec3, side: number): Vec3 =>
    plus(at, v(-heading.z, 0, heading.x), side * R)

  it('J1: figure 5, for 2000 poses: the direct or the cross path by the total angle Φ, and min of d_S', () => {
    let crossings = 0
    let seed = 1
    const random = (): number => {
      seed = (seed * 16807) % 2147483647
      return seed / 2147483647
    }
    for (let i = 0; i < 2000; i++) {
      const A = v(30 * (random() - 0.5), 0, 0.5 + 15 * random())
      const angle = 2 * Math.PI * random()
      const d = v(Math.cos(angle), 0, Math.sin(angle))
      // k_W lies on the side of A, here +z: the agent flies it to the left
      const SW = v(0, 0, R)
      const sDirect = minus(SW, centre(A, d, 1))
      const sCross = minus(SW, centre(A, d, -1))
      if (norm(sDirect) < 0.1) continue
      const tDirect = unit(sDirect)
      if (Math.abs(directed(1, d, tDirect)) < 0.05) continue
      const phi = (sense: number, t: Vec3): number => directed(sense, d, t) + directed(1, t, W.heading)
      let t = tDirect
      let sense = 1
      if (norm(sCross) > 2 * R) {
        // the cross tangent leaves the line of centres by asin(2 r / |s|), to the left of it
        const lean = Math.asin((2 * R) / norm(sCross))
        const s = unit(sCross)
        const tCross = v(
          s.x * Math.cos(lean) - s.z * Math.sin(lean),
          0,
          s.z * Math.cos(lean) + s.x * Math.sin(lean),
        )
        const tOther = v(
          s.x * Math.cos(lean) + s.z * Math.sin(lean),
          0,
          s.z * Math.cos(lean) - s.x * Math.sin(lean),
        )
        const admissible = [tCross, tOther].find((each) => {
          const from = plus(centre(A, d, -1), v(-each.z, 0, each.x), R)
          const to = plus(SW, v(-each.z, 0, each.x), -R)
          return gap(unit(minus(to, from)), each) < 1e-6
        })!
        if (Math.abs(phi(-1, admissible) - phi(1, tDirect)) < 1e-6) continue
        if (phi(-1, admissible) < phi(1, tDirect)) {
          t = admissible
          sense = -1
          crossings++
        }
      }
      const side = times(v(-d.z, 0, d.x), sense)
      // min_w: of the side vector and the tangent the one that is nearer to the heading
      const expected = dotOf(t, d) < dotOf(side, d) ? side : t
      const { out, stage } = ask(A, d)
      if (Math.abs(directed(sense, d, t)) < 0.05) continue
      expect(stage).toBe(1)
      expectVec(out, expected, 1e-6, `case ${i}`)
    }
    expect(crossings).toBeGreaterThan(200)
  })

  it('J2: stage II: on the tangent no steering is needed', () => {
    const d = unit(v(1, 0, 0))
    // on the line z = 0 towards the waypoint both circles have the same height
    const { out, stage } = ask(v(-20, 0, 1e-6), d)
    expect(stage).toBe(2)
    expectVec(out, d, 1e-3)
  })

  it('J3: stage III: on the circle of the waypoint it turns into d_W', () => {
    const angle = -0.8
    const A = plus(v(0, 0, R), v(Math.sin(angle), 0, -Math.cos(angle)), R)
    const d = v(Math.cos(angle), 0, Math.sin(angle))
    const { out, stage } = ask(A, d)
    expect(stage).toBe(3)
    expectVec(out, W.heading, 1e-9)
  })

  it('J4: d_S is a unit vector, at most a right angle from the heading', () => {
    let turns = 0
    for (let i = 0; i < 200; i++) {
      const d = v(Math.cos(i), 0, Math.sin(i))
      const { out } = ask(v(12 * Math.cos(2 * i), 0, 9 * Math.sin(5 * i)), d)
      expect(norm(out)).toBeCloseTo(1, 9)
      expect(dotOf(out, d)).toBeGreaterThan(-1e-9)
      if (dotOf(out, d) < 1e-9) turns++
    }
    // the tightest turn is a right angle
    expect(turns).toBeGreaterThan(50)
  })

  it('J5: in 3D f_x = d_W, f_y is the part of d_WA across it, and d_S lies in that plane', () => {
    const heading = unit(v(1, 2, -1))
    const position = v(4, 1, 7)
    const A = { position: v(-9, 6, 2), heading: unit(v(0.3, -1, 0.5)) }
    const out = v(0, 0, 0)
    jakobHeading(out, A, { position, heading }, R, R, 0, one)
    const dWA = unit(minus(A.position, position))
    const fy = unit(minus(dWA, times(heading, dotOf(dWA, heading))))
    const inPlane = plus(times(heading, dotOf(out, heading)), fy, dotOf(out, fy))
    expectVec(out, inPlane, 1e-9)
  })

  it('J6: the condition on the least distance of A and W', () => {
    const leastDistance = 6
    const across = unit(v(0.5, 1, 0))
    const near = ask(v(-3, 0, 1), across, { ...one, leastDistance })
    expect(near.stage).toBe(0)
    expectVec(near.out, across, 1e-9)
    expect(ask(v(-30, 0, 1), across, { ...one, leastDistance }).stage).toBe(1)
    // in the plane there is no such problem
    expect(ask(v(-3, 0, 1), v(0, 0, 1), { ...one, leastDistance }).stage).toBe(1)
  })

  it('J6 in flight: nearer than the least distance an agent that heads across the plane flies straight on', () => {
    const target = { position: v(1, 2, 3), heading: unit(v(1, 0.5, -0.2)) }
    const force = (distance: number, leastDistance: number): Vec3 => {
      const position = plus(target.position, unit(v(0.3, 1, -2)), distance)
      const velocity = times(unit(v(0.6, -0.3, 2)), 5)
      const behavior = new DirectedSeek({ target, method: 'jakob', radius: 3, speed: 5, leastDistance })
      return forceOf(behavior, { position, velocity })
    }
    const across = (given: Vec3): number =>
      norm(minus(given, times(unit(v(0.6, -0.3, 2)), dotOf(given, unit(v(0.6, -0.3, 2))))))
    expect(across(force(4, 0))).toBeGreaterThan(1)
    expect(across(force(4, 6))).toBeLessThan(1e-9)
    expectVec(force(20, 6), force(20, 0), 0)
  })

  it('J7: both circles at the waypoint may give a shorter path', () => {
    const both = { circles: 'both', plane: null } as const
    // beside the waypoint, flying its way: the far circle is shorter in many poses
    let different = 0
    for (let i = 0; i < 200; i++) {
      const d = v(Math.cos(i), 0, Math.sin(i))
      const A = v(10 * Math.cos(7 * i), 0, 1 + 5 * Math.abs(Math.sin(3 * i)))
      if (gap(ask(A, d).out, ask(A, d, both).out) > 0.1) different++
    }
    expect(different).toBeGreaterThan(20)
  })

  it.each(['jakob', 'stateless', 'planned'] as const)(
    'J8: an agent reaches the waypoint in its direction, by `%s`',
    (method) => {
      const target = { position: v(25, 3, -8), heading: unit(v(1, 0.3, 0.5)) }
      const behavior = new DirectedSeek({ target, method, radius: 3, speed: 5 })
      const world = new SteeringWorld()
      const pilot = new SteeringController(null, {
        maxSpeed: 6,
        maxForce: 200,
        radius: 0.3,
        responseTime: 0.05,
        behavior,
        velocity: v(0, 0, 5),
      })
      world.add(pilot)
      const arrivals: { position: Vec3; velocity: Vec3 }[] = []
      pilot.addEventListener('arrive', () => {
        arrivals.push({ position: { ...pilot.position }, velocity: { ...pilot.velocity } })
      })
      for (let i = 0; i < 600; i++) world.step(DT)
      expect(arrivals.length).toBe(1)
      expect(gap(arrivals[0]!.position, target.position)).toBeLessThan(0.4)
      expect(dotOf(unit(arrivals[0]!.velocity), target.heading)).toBeGreaterThan(0.998)
    },
  )

  it('J9: the procedure has no state: the same pose gives the same direction', () => {
    const A = v(-7, 2, 5)
    const d = unit(v(0.2, 0.1, -1))
    const first = ask(A, d).out
    ask(v(3, 3, 3), v(1, 0, 0))
    expectVec(ask(A, d).out, first, 0)
  })
})
