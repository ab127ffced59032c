import { describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidAgents,
  AvoidWalls,
  HalfSpaceShape,
  Hide,
  Obstacle,
  Separation,
  SphereShape,
  wallsFromCells,
  type Vec3,
} from 'three-steering'
import { ClassicAvoidance } from 'three-steering/classic'
import { seeded } from 'three-steering/authoring'
import { dotOf, expectVec, minus, norm, plus, times, unit, v } from '../support/geometry.js'
import {
  AT,
  FLYING,
  FORCE,
  forceOf,
  gap,
  MASS,
  place,
  RADIUS,
  servo,
  state,
  TAU,
  TOP,
  ZERO,
  DT,
} from './kit.js'

/** Avoidance of obstacles, walls and agents, and hiding: Green and the course deck, row by row. */

const ball = (radius: number, at: Vec3): Obstacle => new Obstacle({ shape: new SphereShape(radius), at })

/** A direction of uniform distribution. */
function direction(random: () => number): Vec3 {
  for (;;) {
    const at = v(2 * random() - 1, 2 * random() - 1, 2 * random() - 1)
    if (norm(at) > 0.1 && norm(at) < 1) return unit(at)
  }
}

/** Scenes of random balls around an agent of any course, with the same numbers in each run. */
function scenes(
  count: number,
  balls: number,
  use: (balls: { radius: number; at: Vec3 }[], course: Vec3) => void,
): void {
  const random = seeded(balls)
  for (let i = 0; i < count; i++) {
    const list = Array.from({ length: balls }, () => ({
      radius: 0.3 + 3 * random(),
      at: plus(AT, direction(random), 22 * random()),
    }))
    use(list, direction(random))
  }
}

describe('Green, Obstacle Avoidance', () => {
  const maxForce = 100
  const braking = 2 * TAU * TOP + TOP ** 2 / ((2 * 0.9 * maxForce) / MASS)
  const length = braking + RADIUS
  const ask = (balls: { radius: number; at: Vec3 }[], course: Vec3, brakingWeight = 0): Vec3 =>
    forceOf(
      new ClassicAvoidance({ obstacles: balls.map(({ radius, at }) => ball(radius, at)), brakingWeight }),
      { position: AT, velocity: times(course, TOP), maxForce },
    )

  /** Green's numbers of a ball: along and across the axis, the expanded radius, the least positive root. */
  function threatOf({ radius, at }: { radius: number; at: Vec3 }, course: Vec3) {
    const local = minus(at, AT)
    const x = dotOf(local, course)
    const aside = minus(local, times(course, x))
    const y = norm(aside)
    const r = radius + RADIUS
    const inside = norm(local) < r
    // the roots of |x − s|² + y² = r²
    const half = Math.sqrt(Math.max(0, r * r - y * y))
    const roots = [x - half, x + half].filter((root) => root >= 0)
    const rejected = y >= r || x + r < 0 || x - r > length || roots.length === 0
    return { x, y, r, aside, inside, hit: rejected ? Infinity : Math.min(...roots) }
  }

  it('G74: obstacles behind, too far ahead, and beside the box are rejected', () => {
    let rejected = 0
    scenes(160, 1, ([one], course) => {
      const threat = threatOf(one!, course)
      if (threat.hit === Infinity) rejected++
      else if (Math.abs(threat.y) < 1e-6) return
      expect(norm(ask([one!], course, 1)) > 0).toBe(threat.hit < Infinity)
    })
    expect(rejected).toBeGreaterThan(40)
    expect(rejected).toBeLessThan(155)
  })

  it('G75: the radii are expanded by half the width of the box: the radius of the agent', () => {
    const course = unit(v(1, 2, -1))
    const across = unit(v(2, -1, 0))
    const at = (y: number): { radius: number; at: Vec3 } => ({
      radius: 2,
      at: plus(plus(AT, course, 5), across, y),
    })
    expect(norm(ask([at(2 + RADIUS - 1e-3)], course))).toBeGreaterThan(0)
    expect(norm(ask([at(2 + RADIUS + 1e-3)], course))).toBe(0)
  })

  it('G76: only the closest threat counts: the one with the least positive root', () => {
    let several = 0
    scenes(80, 6, (balls, course) => {
      const threats = balls.map((one) => threatOf(one, course).hit)
      const least = Math.min(...threats)
      if (threats.filter((hit) => hit < Infinity).length > 1) several++
      const alone = least < Infinity ? ask([balls[threats.indexOf(least)]!], course, 1) : ZERO
      expectVec(ask(balls, course, 1), alone, 1e-9)
    })
    expect(several).toBeGreaterThan(10)
  })

  it('G77: inside, the agent is pushed from the centre to the point ahead', () => {
    scenes(40, 1, ([one], course) => {
      const at = plus(AT, unit(minus(one!.at, AT)), 0.6 * (one!.radius + RADIUS))
      const ahead = plus(AT, course, braking)
      expectVec(ask([{ ...one!, at }], course), times(unit(minus(ahead, at)), maxForce), 1e-6)
    })
  })

  it('G78: the length of the box: the distance in which the agent reacts and stops, which grows with its speed', () => {
    for (const speed of [2, 5, 9]) {
      const reach = 2 * TAU * speed + speed ** 2 / ((2 * 0.9 * maxForce) / MASS) + RADIUS
      const far = (d: number): number =>
        norm(
          forceOf(new ClassicAvoidance({ obstacles: [ball(1, v(0, 0.4, d))] }), {
            velocity: v(0, 0, speed),
            maxForce,
          }),
        )
      // the deepest point of the expanded ball that reaches into the box
      expect(far(reach + 1 + RADIUS - 1e-3)).toBeGreaterThan(0)
      expect(far(reach + 1 + RADIUS + 1e-3)).toBe(0)
    }
  })

  it('G79: the force across is scaled by the distance: (y / r) · (1 + (length − hit) / length)', () => {
    let seen = 0
    scenes(60, 1, ([random], course) => {
      // on the way, a little aside
      const one = { radius: random!.radius, at: plus(plus(AT, course, 6), unit(minus(random!.at, AT)), 1) }
      const { aside, hit, inside, r } = threatOf(one, course)
      if (hit === Infinity || inside) return
      const share = 1 + Math.max(0, length - hit) / length
      const force = times(aside, (-maxForce * share) / r)
      expectVec(ask([one], course), norm(force) > maxForce ? times(unit(force), maxForce) : force, 1e-6)
      seen++
    })
    expect(seen).toBeGreaterThan(20)
  })

  it('G80: the brakes: weight · hit / length, more for hits farther away', () => {
    const course = unit(v(-1, 0.5, 3))
    for (const d of [4, 6, 8]) {
      const one = { radius: 1, at: plus(plus(AT, course, d), unit(v(3, 0, 1)), 0.2) }
      const { hit } = threatOf(one, course)
      expect(dotOf(ask([one], course, 0.7), course)).toBeCloseTo((-maxForce * 0.7 * hit) / length, 6)
    }
  })

  it('G81: in 3D by spheres and a cylinder: turned about the course, the force turns alike', () => {
    const course = v(0, 0, 1)
    const whole = ask([{ radius: 1, at: plus(AT, v(0.5, 0, 5)) }], course, 0.5)
    for (let i = 1; i < 12; i++) {
      const [c, s] = [Math.cos(i), Math.sin(i)]
      const turned = ask([{ radius: 1, at: plus(AT, v(0.5 * c, 0.5 * s, 5)) }], course, 0.5)
      expectVec(turned, v(whole.x * c, whole.x * s, whole.z), 1e-9)
    }
  })
})

describe('Green, Separation', () => {
  it('G83: the grid of cells finds exactly the candidates within the distance', () => {
    const random = seeded(3)
    const others = Array.from({ length: 300 }, () => ({
      position: v(60 * random() - 30, 60 * random() - 30, 60 * random() - 30),
      velocity: times(direction(random), 8),
      maxForce: 0,
    }))
    const falloff = (): number => 1e-3
    const { world, pilot, rest } = place(
      new Separation({ neighborDistance: 12, falloff }),
      { maxForce: FORCE, maxNeighbors: 300 },
      others,
    )
    for (let i = 0; i < 20; i++) {
      const here = { ...pilot.position }
      const sum = rest
        .map(({ position }) => minus(here, position))
        .filter((away) => norm(away) < 12)
        .reduce((total, away) => plus(total, unit(away), 1e-3), ZERO)
      world.step(DT)
      expectVec(times(pilot.demand.force, 1 / FORCE), sum, 1e-9)
    }
  })
})

describe('Green, Avoid Walls', () => {
  const wall = (normal: Vec3, at: Vec3): Obstacle => new Obstacle({ shape: new HalfSpaceShape(normal), at })
  const room = [v(1, 0, 0), v(-1, 0, 0), v(0, 1, 0), v(0, -1, 0), v(0, 0, 1), v(0, 0, -1)].map((normal) => ({
    normal,
    wall: wall(normal, plus(AT, normal, -4)),
  }))
  const ask = (walls: readonly Obstacle[], velocity: Vec3): Vec3 =>
    forceOf(new AvoidWalls({ obstacles: [...walls], horizon: 1 }), { position: AT, velocity })

  it('G107: only the walls on the side of the ray are tested', () => {
    const random = seeded(5)
    for (let i = 0; i < 50; i++) {
      const velocity = times(direction(random), TOP)
      const ahead = room.filter(({ normal }) => dotOf(normal, velocity) < 0).map((each) => each.wall)
      expect(ahead.length).toBe(3)
      expectVec(
        ask(ahead, velocity),
        ask(
          room.map((each) => each.wall),
          velocity,
        ),
        1e-9,
      )
    }
  })

  it('G108: several walls at once: each gives N · −dot(N, I)', () => {
    const random = seeded(6)
    for (let i = 0; i < 50; i++) {
      const velocity = times(direction(random), TOP)
      const sum = room.reduce((total, each) => plus(total, ask([each.wall], velocity)), ZERO)
      const force = ask(
        room.map((each) => each.wall),
        velocity,
      )
      expectVec(force, norm(sum) > FORCE ? times(unit(sum), FORCE) : sum, 1e-6)
    }
  })
})

it('G137: a rule for a pair of cells makes thin walls between free ones', () => {
  const isWall = (x: number, _y: number, _z: number, axis: string): boolean => x === 2 && axis === 'x'
  const size = v(5, 3, 3)
  const walls = wallsFromCells({ size, cell: v(2, 2, 2), isSolid: () => false, isWall, thickness: 1e-6 })
  const velocity = v(4, 0.5, -0.3)
  for (const position of [v(5, 3, 3), v(4.2, 1.1, 2.5)]) {
    const force = forceOf(new AvoidWalls({ obstacles: walls, horizon: 1 }), { position, velocity })
    // Green: 2 · (wallpos − newpos), where the wall is at the end of the tile, less the radius
    const expected = (MASS / TAU) * 2 * (3 * 2 - RADIUS - (position.x + velocity.x))
    expectVec(force, v(expected, 0, 0), 1e-4)
  }
})

describe('Green, Interpose and Hide', () => {
  const seeker = v(-20, 6, 3)
  const rock = { radius: 3, at: v(4, -2, 1) }

  it('G113: hides on the line from the seeker through the obstacle, beyond it', () => {
    const behavior = new Hide({ target: seeker, obstacles: [ball(rock.radius, rock.at)], clearance: 2 })
    const force = forceOf(behavior, { position: v(0, 30, 0) })
    // beyond the surface by the clearance and the radius of the agent
    const spot = plus(rock.at, unit(minus(rock.at, seeker)), rock.radius + 2 + RADIUS)
    expectVec(unit(force), unit(minus(spot, v(0, 30, 0))), 1e-6)
  })

  it('G114: the extent of the obstacle, and the distance beyond it', () => {
    for (const radius of [1, 3, 6])
      for (const clearance of [0.5, 4]) {
        const behavior = new Hide({ target: seeker, obstacles: [ball(radius, rock.at)], clearance })
        const spot = plus(rock.at, unit(minus(rock.at, seeker)), radius + clearance + RADIUS)
        expect(norm(forceOf(behavior, { position: spot }))).toBeLessThan(1e-6 * FORCE)
      }
  })

  it('D36: the closest of several spots, where both lie aside of the seeker', () => {
    const home = ZERO
    const rocks = [v(4, 9, 0), v(4, -11, 0)].map((at) => ball(2, at))
    const watcher = v(-300, 0, 0)
    const force = forceOf(new Hide({ target: watcher, obstacles: rocks, clearance: 1 }), { position: home })
    expectVec(
      unit(force),
      unit(plus(rocks[0]!.position, unit(minus(rocks[0]!.position, watcher)), 2 + 1 + RADIUS)),
      1e-6,
    )
  })
})

describe('Green, Unaligned Collision Avoidance', () => {
  const maxPredictionTime = 4
  const avoid = (): AvoidAgents =>
    new AvoidAgents({ neighborDistance: 1e3, maxPredictionTime, clearance: 0.5 })
  const threshold = 2 * RADIUS + 0.5

  /** Green: time of the closest approach and the distance then; Infinity by one of the exits. */
  function meeting(other: { position: Vec3; velocity: Vec3 }): { time: number; miss: number } {
    const p = minus(other.position, AT)
    const w = minus(other.velocity, FLYING)
    const time = -dotOf(p, w) / dotOf(w, w)
    return { time, miss: norm(plus(p, w, time)) }
  }

  it('G117: the early exits: parting, too late, and too far off', () => {
    const random = seeded(11)
    const counts = [0, 0]
    for (let i = 0; i < 150; i++) {
      const velocity = times(direction(random), 5)
      const time = 8 * random() - 2
      const miss = 3 * threshold * random()
      const w = minus(velocity, FLYING)
      const away = unit(v(w.y, -w.x, 0))
      const position = plus(plus(AT, w, -time), away, miss)
      const other = { position, velocity }
      const met = meeting(other)
      expect(met.time).toBeCloseTo(time, 6)
      expect(met.miss).toBeCloseTo(miss, 6)
      if (gap(position, AT) < threshold) continue
      const exits = time < 0 || time >= maxPredictionTime || miss >= threshold
      counts[exits ? 1 : 0]!++
      expect(norm(forceOf(avoid(), state, [other])) > 0).toBe(!exits)
    }
    expect(Math.min(...counts)).toBeGreaterThan(10)
  })

  it('G116: only the closest encounter counts', () => {
    const random = seeded(12)
    for (let i = 0; i < 60; i++) {
      const others = Array.from({ length: 4 }, () => {
        const velocity = times(direction(random), 5)
        const w = minus(velocity, FLYING)
        const time = 1 + 2.5 * random()
        return {
          position: plus(plus(AT, w, -time), unit(v(w.y, -w.x, 0)), 1.2 * threshold * random()),
          velocity,
        }
      })
      const threats = others
        .map((other) => ({ other, ...meeting(other) }))
        .filter(({ miss }) => miss < threshold)
        .toSorted((a, b) => a.time - b.time)
      const alone = threats.length === 0 ? ZERO : forceOf(avoid(), state, [threats[0]!.other])
      expectVec(forceOf(avoid(), state, others), alone, 1e-9)
    }
  })
})

it('G70: arrival at a moving target: its velocity is added to that of the arrival', () => {
  const target = { position: v(-8, 6, 11), velocity: v(1, -2, 0.5) }
  const to = minus(target.position, AT)
  const wanted = plus(times(unit(to), Math.min(norm(to) / 4, TOP)), target.velocity)
  expectVec(forceOf(new Arrive({ target, decelerationTime: 4 }), state), servo(wanted, FLYING), 1e-9)
})
