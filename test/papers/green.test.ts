import { describe, expect, it } from 'vitest'
import {
  Alignment,
  Arrive,
  AvoidAgents,
  AvoidWalls,
  blend,
  BoxShape,
  Cohesion,
  Cruise,
  dither,
  Evade,
  Flee,
  Flock,
  Flocking,
  freePosition,
  HalfSpaceShape,
  Interpose,
  neighborSearch,
  Obstacle,
  Obstacles,
  PerlinNoise,
  priority,
  Pursue,
  RepelObstacle,
  Seek,
  Separation,
  SphereShape,
  SteeringWorld,
  Strafe,
  truncatedSum,
  Wander,
  wallsFromCells,
  type Behavior,
  type Vec3,
} from 'three-steering'
import { ClassicAvoidance } from 'three-steering/classic'
import { density } from 'three-steering/authoring'
import { FlowField, FollowFlowField } from 'three-steering/flow'
import { dotOf, expectVec, minus, norm, plus, times, unit, v } from '../support/geometry.js'
import { pushing } from '../support/stand-in.js'
import {
  AGENT,
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

/** Robin Green, Steering Behaviours. Each test computes the formula of the paper by itself. */

describe('the vehicle', () => {
  it('G1: forces change the velocity, and the new velocity the position (Euler)', () => {
    const push = v(30, -20, 10)
    const { world, pilot } = place(pushing(push), state)
    world.step(DT)
    const velocity = plus(FLYING, push, DT / MASS)
    expectVec(pilot.velocity, velocity, 1e-9)
    expectVec(pilot.position, plus(AT, velocity, DT), 1e-9)
  })

  it('G2: the forces of a list of behaviours are summed', () => {
    const parts = [v(1, 2, 3), v(-4, 5, 0), v(0.5, 0, -9)]
    expectVec(forceOf(blend(parts.map(pushing)), state), v(-2.5, 7, -6), 1e-9)
  })

  it('G3: the sum is truncated to max_force, in its direction', () => {
    const { world, pilot } = place(pushing(v(300, 400, 0)), { ...state, maxForce: 50, maxSpeed: 1e3 })
    world.step(DT)
    expectVec(pilot.velocity, plus(FLYING, v(30, 40, 0), DT / MASS), 1e-6)
  })

  it('G4: acceleration = force / mass', () => {
    for (const mass of [0.5, 3]) {
      const { world, pilot } = place(pushing(v(6, 0, 3)), { ...state, mass })
      world.step(DT)
      expectVec(times(minus(pilot.velocity, FLYING), mass / DT), v(6, 0, 3), 1e-6)
    }
  })

  it('G5: the speed is limited by max_speed, by the thrust', () => {
    const { world, pilot } = place(new Cruise(), { ...state, velocity: ZERO })
    let most = 0
    for (let i = 0; i < 300; i++) {
      world.step(DT)
      most = Math.max(most, norm(pilot.velocity))
    }
    expect(most).toBeLessThan(TOP * (1 + 1e-9))
    expect(norm(pilot.velocity)).toBeCloseTo(TOP, 3)
  })

  it('G6: the local frame is orthonormal, x along the velocity, also straight up', () => {
    for (const velocity of [FLYING, v(0, 5, 0), v(0, -5, 0)]) {
      let checked = false
      const look: Behavior = {
        steer({ course: { x, y, z } }) {
          expectVec(x, unit(velocity), 1e-9)
          for (const [a, b] of [
            [x, y],
            [y, z],
            [z, x],
          ] as const)
            expect(dotOf(a, b)).toBeCloseTo(0, 9)
          for (const a of [y, z]) expect(norm(a)).toBeCloseTo(1, 9)
          checked = true
        },
      }
      forceOf(look, { velocity })
      expect(checked).toBe(true)
    }
  })

  it('G7: the frame is kept at a very small velocity, and is defined at the start', () => {
    const frames: Vec3[] = []
    const look: Behavior = { steer: ({ course }) => void frames.push({ ...course.x }) }
    const { world, pilot } = place(look, { velocity: v(1e-9, 0, 0) })
    world.step(DT)
    pilot.teleport({ velocity: v(0, 0, -1e-9) })
    for (let i = 0; i < 5; i++) world.step(DT)
    for (const x of frames) expect(norm(x)).toBeCloseTo(1, 9)
    expectVec(frames[2]!, frames[5]!, 1e-9)
  })
})

describe('Seek and Flee', () => {
  it('G8: seek: normalise(target − pos) · max_speed − vel', () => {
    expectVec(forceOf(new Seek({ target: TARGET }), state), servo(towards(AT, TARGET), FLYING), 1e-9)
  })

  it('G9: flee: normalise(pos − target) · max_speed − vel', () => {
    expectVec(forceOf(new Flee({ target: TARGET }), state), servo(towards(TARGET, AT), FLYING), 1e-9)
  })

  it('G10: at the target seek returns −vel', () => {
    expectVec(forceOf(new Seek({ target: AT }), state), servo(ZERO, FLYING), 1e-9)
  })

  it('G11: seek passes its target and comes back, like a moth; the weaker the force, the farther', () => {
    const overshoot = (maxForce: number): number => {
      const { world, pilot } = place(new Seek({ target: v(0, 0, 20) }), { maxForce, velocity: v(0, 0, TOP) })
      let most = 0
      for (let i = 0; i < 600; i++) {
        world.step(DT)
        most = Math.max(most, pilot.position.z - 20)
      }
      return most
    }
    expect(overshoot(100)).toBeGreaterThan(0.5)
    expect(overshoot(50)).toBeGreaterThan(1.5 * overshoot(100))
  })
})

describe('Pursuit', () => {
  const prey = { position: TARGET, velocity: v(3, -1, 2) }

  it('G12: seek target.predict(dist / max_speed), with predict(t) = pos + t · vel', () => {
    const time = gap(AT, TARGET) / TOP
    const force = forceOf(new Pursue({ target: prey, prediction: 'linear' }), state)
    expectVec(force, servo(towards(AT, plus(TARGET, prey.velocity, time)), FLYING), 1e-9)
  })

  it('G13: in front of a prey that faces the agent it heads for its exact position', () => {
    const velocity = times(unit(minus(TARGET, AT)), 4)
    const target = { position: TARGET, velocity: times(velocity, -0.5) }
    for (const prediction of ['facing', 'turn-aware'] as const)
      expectVec(
        forceOf(new Pursue({ target, prediction }), { position: AT, velocity }),
        servo(towards(AT, TARGET), velocity),
        1e-9,
      )
  })

  it('G14: else the time grows with the time to turn, by the dot product of the two facing directions', () => {
    const halfTurn = (Math.PI * MASS * TOP) / 40
    const facing = dotOf(unit(FLYING), unit(prey.velocity))
    const time = gap(AT, TARGET) / TOP + ((1 - facing) / 2) * halfTurn
    const behavior = new Pursue({ target: prey, prediction: 'facing' })
    const desired = servo(towards(AT, plus(TARGET, prey.velocity, time)), FLYING)
    expectVec(unit(forceOf(behavior, { ...state, maxForce: 40 })), unit(desired), 1e-9)
  })

  it('G15: a target with zero velocity has the direction of its nose as its facing', () => {
    const half = Math.SQRT1_2
    const target = { position: TARGET, velocity: ZERO, quaternion: { x: 0, y: half, z: 0, w: half } }
    const ahead = { position: plus(TARGET, v(9, 0, 0)), velocity: v(-4, 0, 0) }
    // nose along +x, towards the agent, which flies towards it: the exact position
    const force = forceOf(new Pursue({ target, prediction: 'facing' }), ahead)
    expectVec(force, servo(towards(ahead.position, TARGET), ahead.velocity), 1e-9)
  })
})

describe('Arrival', () => {
  it('G16: speed = min(distance / decel_time, max_speed)', () => {
    for (const decelerationTime of [0.8, 4]) {
      const speed = Math.min(gap(AT, TARGET) / decelerationTime, TOP)
      const force = forceOf(new Arrive({ target: TARGET, decelerationTime }), state)
      expectVec(force, servo(towards(AT, TARGET, speed), FLYING), 1e-9)
    }
  })
})

describe('Offset Pursuit', () => {
  it('G17: passes a point at the given offset, to the side on which it is (p.y = t.y − offset · sgn(t.y))', () => {
    const target = { position: v(0.4, 0, 60), velocity: ZERO }
    const strafe = new Strafe({ target, missDistance: 6, range: 500 })
    const { world, pilot } = place(strafe, { maxForce: 60, velocity: v(0, 0, TOP) })
    let nearest = Infinity
    for (let i = 0; i < 480; i++) {
      world.step(DT)
      nearest = Math.min(nearest, gap(pilot.position, target.position))
    }
    expect(nearest).toBeGreaterThan(5)
    expect(nearest).toBeLessThan(7.5)
  })
})

describe('Obstacle Avoidance', () => {
  const ball = (radius: number, at: Vec3): Obstacle => new Obstacle({ shape: new SphereShape(radius), at })
  const ahead = { velocity: v(0, 0, TOP), maxForce: 100 }
  const ask = (obstacles: Obstacle[], more = {}, brakingWeight = 0): Vec3 =>
    forceOf(new ClassicAvoidance({ obstacles, brakingWeight }), { ...ahead, ...more })

  it('G18: the force is from the centre of the threat to the x axis, with a zero x component (3D: YZ plane)', () => {
    const force = ask([ball(1, v(0.3, -0.6, 4))])
    expect(force.z).toBeCloseTo(0, 9)
    expectVec(unit(force), unit(v(-0.3, 0.6, 0)), 1e-9)
  })

  it('G19: of several the least positive hit counts', () => {
    const near = ball(1, v(0.5, 0, 4))
    const far = ball(2, v(-0.5, 0.2, 6.5))
    expectVec(ask([far, near]), ask([near]), 1e-9)
  })
})

describe('Separation', () => {
  const others = [v(1, 1, 0), v(-2, 0.5, 1), v(0, -1.5, 2)].map((at) => ({ position: plus(AT, at) }))
  const wide = { neighborDistance: 50 }
  const sumOf = (k: (d: number) => number, list = others): Vec3 =>
    list.reduce((sum, { position }) => plus(sum, unit(minus(AT, position)), k(gap(AT, position))), ZERO)
  /** The law as a share of the force, before it is limited. */
  const ask = (options: object, list = others): Vec3 =>
    times(forceOf(new Separation({ ...wide, ...options }), state, list), 1 / FORCE)

  it('G20: the vectors away from the neighbours are summed with the inverse of the distance', () => {
    const far = others.map(({ position }) => ({ position: plus(AT, minus(position, AT), 4) }))
    expectVec(
      ask({ law: 'inverse' }, far),
      sumOf((d) => (2 * RADIUS) / d, far),
      1e-9,
    )
  })

  it('G21: a buffer keeps the hulls apart: only within radius + radius + buffer', () => {
    const falloff = (): number => 0.1
    const near = others.filter(({ position }) => gap(AT, position) < 2 * RADIUS + 1)
    expect(near.length).toBe(1)
    expectVec(
      ask({ clearance: 1, falloff }),
      sumOf(() => 0.1, near),
      1e-9,
    )
  })

  it('G22: a 1/x² curve, where x is relative to the combined radii', () => {
    const far = others.map(({ position }) => ({ position: plus(AT, minus(position, AT), 4) }))
    expectVec(
      ask({ law: 'inverse-square' }, far),
      sumOf((d) => 1 / (d * d), far),
      1e-9,
    )
  })

  it('G23: coincident centres give a finite force', () => {
    const force = ask({ law: 'inverse-square' }, [{ position: AT }])
    expect(norm(force)).toBeGreaterThan(0.1)
    expect(norm(force)).toBeLessThan(1 + 1e-9)
  })

  it('G24: the force is a penalty: it does not depend on the own velocity', () => {
    const force = forceOf(new Separation(wide), { position: AT, velocity: v(-1, 7, 3) }, others)
    expectVec(force, forceOf(new Separation(wide), state, others), 1e-9)
  })

  it('G25: the top N vehicles by size', () => {
    const sized = others.map((other, i) => ({ ...other, radius: [0.4, 0.5, 0.3][i]! }))
    const falloff = (d: number): number => 0.1 / d
    const force = ask({ maxNeighbors: 2, prefer: 'largest', falloff }, sized)
    expectVec(
      force,
      sumOf((d) => 0.1 / d, [sized[0]!, sized[1]!]),
      1e-9,
    )
  })

  it('G26: any other weighting, such as a table', () => {
    const table = [0.3, 0.2, 0.1]
    const falloff = (d: number): number => table[Math.floor(d)] ?? 0
    expectVec(ask({ falloff }), sumOf(falloff), 1e-9)
  })

  it('G27: however many push, the sum is no more than a given force', () => {
    const crowd = Array.from({ length: 30 }, (_, i) => ({ position: plus(AT, v(1, 0.01 * i, 0)) }))
    expect(norm(ask({ weight: 0.4, law: 'inverse' }, crowd))).toBeCloseTo(0.4, 6)
  })

  it('G28: obstacles repel what intersects them, by 1/x³', () => {
    const rock = { shape: new SphereShape(2), at: ZERO }
    const at = (d: number): number =>
      norm(forceOf(new RepelObstacle({ obstacles: [rock], range: 1e4 }), { position: v(0, 2 + d, 0) })) /
      FORCE
    expect(at(2)).toBeCloseTo((RADIUS / 2) ** 3, 6)
    expect(at(1)).toBeCloseTo(RADIUS ** 3, 6)
    expect(at(0.2)).toBeCloseTo(1, 6)
  })

  it('G29: of relative masses 1 … 5 each takes other / (own + other) of the push', () => {
    const falloff = (): number => 0.9
    for (let you = 1; you <= 5; you++)
      for (let me = 1; me <= 5; me++) {
        const behavior = new Separation({ ...wide, falloff, share: 'mass' })
        const force = forceOf(behavior, { ...state, mass: you }, [{ ...others[0]!, mass: me }])
        expect(norm(force) / FORCE).toBeCloseTo((0.9 * me) / (me + you), 9)
      }
  })

  it('G30: blockers do not react, and the other one takes all', () => {
    const behavior = (): Separation => new Separation({ ...wide, falloff: () => 0.5, share: 'priority' })
    const blocker = { ...others[0]!, priority: Infinity }
    expect(norm(forceOf(behavior(), state, [blocker])) / FORCE).toBeCloseTo(0.5, 9)
    expect(norm(forceOf(behavior(), { ...state, priority: Infinity }, [others[0]!]))).toBe(0)
  })
})

describe('Avoid Walls', () => {
  const floor = { shape: new HalfSpaceShape(v(0, 1, 0)), at: ZERO }
  const horizon = 1.5
  const push = (obstacles: (Obstacle | typeof floor)[], position: Vec3, velocity: Vec3): Vec3 =>
    forceOf(new AvoidWalls({ obstacles, horizon }), { position, velocity })

  it('G31: force = N · −dot(N, I), twice as in the code, for walls moved out by the radius', () => {
    const position = v(1, 3, 2)
    const velocity = v(3, -4, 1)
    const predicted = plus(position, velocity, horizon)
    const penetration = RADIUS - predicted.y
    expectVec(push([floor], position, velocity), v(0, (MASS / TAU) * ((2 * penetration) / horizon), 0), 1e-9)
  })

  it('G32: no intersection, no force; and the force grows with speed and angle', () => {
    expect(norm(push([floor], v(0, 30, 0), v(3, -4, 1)))).toBe(0)
    expect(push([floor], v(0, 3, 0), v(3, -6, 1)).y).toBeGreaterThan(push([floor], v(0, 3, 0), v(3, -4, 1)).y)
  })

  it('G33: half-spaces of any direction', () => {
    const n = unit(v(1, 2, -2))
    const slope = { shape: new HalfSpaceShape(n), at: ZERO }
    const position = times(n, 3)
    const velocity = v(-4, -5, 6)
    const penetration = RADIUS - dotOf(n, plus(position, velocity, horizon))
    expectVec(push([slope], position, velocity), times(n, (MASS / TAU) * ((2 * penetration) / horizon)), 1e-9)
  })

  it('G34: at an external corner the normal is that of a circle of the radius around it', () => {
    const box = new Obstacle({ shape: new BoxShape(v(5, 5, 5)), at: v(-5, -5, 0) })
    // flies at the edge x = y = 0 and meets its circle in the direction (cos 30°, sin 30°)
    const normal = v(Math.cos(Math.PI / 6), Math.sin(Math.PI / 6), 0)
    const velocity = v(-4, 0, 0)
    const hit = times(normal, RADIUS)
    const position = minus(hit, times(velocity, 0.5))
    const behind = dotOf(minus(plus(position, velocity, horizon), hit), normal)
    const expected = times(normal, ((MASS / TAU) * -2 * behind) / horizon)
    expectVec(push([box], position, velocity), expected, 1e-4 * norm(expected))
  })

  it('G35: in a regular grid the wall of a tile is at its index times the tile, less the radius', () => {
    const walls = wallsFromCells({ size: v(4, 3, 3), cell: v(2, 2, 2), isSolid: (x) => x === 3 })
    const position = v(3, 3, 3)
    const velocity = v(4, 0.5, 0)
    const wallpos = 3 * 2 - RADIUS
    const newpos = position.x + velocity.x * horizon
    const expected = v((MASS / TAU) * ((2 * (wallpos - newpos)) / horizon), 0, 0)
    expectVec(push(walls, position, velocity), expected, 1e-9)
  })
})

describe('Wander', () => {
  it('G36: a point on a sphere ahead is steered to, at the full speed', () => {
    for (let seed = 0; seed < 40; seed++) {
      const force = forceOf(new Wander({ radius: 1, distance: 3 }), { ...state, seed })
      const desired = plus(FLYING, force, TAU / MASS)
      expect(norm(desired)).toBeCloseTo(TOP, 9)
      // all points of that sphere are within asin(1 / 3) of straight ahead
      expect(dotOf(unit(desired), unit(FLYING))).toBeGreaterThan(Math.cos(Math.asin(1 / 3)) - 1e-9)
    }
  })

  it('G37: the target moves by a small random vector and is projected back onto the sphere', () => {
    const jitter = 0.5
    const responseTime = 1e8
    // its turn time is no shorter than its response time
    const wander = new Wander({ distance: 0, jitter: jitter * Math.sqrt(responseTime) })
    const { world, pilot } = place(wander, { ...state, responseTime })
    const targets: Vec3[] = []
    for (let i = 0; i < 200; i++) {
      world.step(DT)
      // almost without force the course stays
      targets.push(unit(plus(pilot.velocity, pilot.demand.force, responseTime / MASS)))
    }
    const steps = targets.slice(1).map((target, i) => gap(target, targets[i]!))
    const mean = steps.reduce((sum, step) => sum + step, 0) / steps.length
    // a Gaussian step of jitter · √dt along each of two axes
    expect(mean).toBeGreaterThan(0.8 * jitter * Math.sqrt(DT) * Math.sqrt(Math.PI / 2))
    expect(mean).toBeLessThan(1.2 * jitter * Math.sqrt(DT) * Math.sqrt(Math.PI / 2))
  })

  it('G38: a larger sphere turns more, a sphere around the agent also gives backward vectors', () => {
    const spread = (radius: number, distance: number): number => {
      let most = 0
      for (let seed = 0; seed < 60; seed++) {
        const force = forceOf(new Wander({ radius, distance, turnTime: TAU }), { ...state, seed })
        most = Math.max(
          most,
          Math.acos(Math.min(1, dotOf(unit(plus(FLYING, force, TAU / MASS)), unit(FLYING)))),
        )
      }
      return most
    }
    expect(spread(1, 10)).toBeLessThan(spread(1, 2))
    expect(spread(1, 0)).toBeGreaterThan(Math.PI / 2)
  })

  it('G39: a sphere to one side biases the steering, for spirals', () => {
    const offset = v(0, 0, 2)
    const { world, pilot } = place(new Wander({ offset, jitter: 0, radius: 1e-9 }), {
      velocity: v(0, 0, TOP),
      maxForce: 50,
    })
    const turns: number[] = []
    for (let i = 0; i < 300; i++) {
      const before = { ...pilot.velocity }
      world.step(DT)
      turns.push(unit(before).z * unit(pilot.velocity).x - unit(before).x * unit(pilot.velocity).z)
    }
    // the same way all the time, in one plane
    expect(turns.every((turn) => Math.sign(turn) === Math.sign(turns[0]!) && turn !== 0)).toBe(true)
    expect(pilot.velocity.y).toBeCloseTo(0, 6)
  })

  it('G40: Perlin noise keyed on the position in space is added to the velocity', () => {
    const noise = new PerlinNoise({ wavelength: 4, seed: 3 })
    const random = noise.sample(v(0, 0, 0), AT)
    const desired = times(unit(plus(times(unit(FLYING), 2), random)), TOP)
    expectVec(forceOf(new Wander({ noise, turnTime: TAU }), state), servo(desired, FLYING), 1e-9)
    // gradient noise: zero where all coordinates are whole numbers of wavelengths, and smooth between
    expectVec(noise.sample(v(1, 1, 1), v(4, -8, 12)), ZERO, 1e-12)
    expect(gap(noise.sample(v(0, 0, 0), v(1, 2, 3)), noise.sample(v(0, 0, 0), v(1.001, 2, 3)))).toBeLessThan(
      0.01,
    )
  })
})

describe('Pursue and Evade', () => {
  const foe = { position: TARGET, velocity: v(3, -1, 2) }

  it('G41: the time may be misjudged', () => {
    const time = (0.6 * gap(AT, TARGET)) / TOP
    const behavior = new Pursue({ target: foe, prediction: 'linear', predictionFactor: 0.6 })
    expectVec(forceOf(behavior, state), servo(towards(AT, plus(TARGET, foe.velocity, time)), FLYING), 1e-9)
  })

  it('G42: a random component may be added to the estimated position', () => {
    const aims = Array.from({ length: 200 }, (_, seed) => {
      const force = forceOf(new Pursue({ target: foe, prediction: 'linear', aimError: 2 }), {
        ...state,
        seed,
      })
      return unit(plus(FLYING, force, TAU / MASS))
    })
    const exact = towards(AT, plus(TARGET, foe.velocity, gap(AT, TARGET) / TOP), 1)
    const far = gap(AT, plus(TARGET, foe.velocity, gap(AT, TARGET) / TOP))
    const errors = aims.map((aim) => gap(aim, exact) * far)
    // two of the three axes are across the line of sight
    const mean = Math.sqrt(errors.reduce((sum, e) => sum + e * e, 0) / errors.length)
    expect(mean).toBeGreaterThan(2.2)
    expect(mean).toBeLessThan(3.4)
  })

  it('G43: evade negates the seek of the predicted position', () => {
    const time = gap(AT, TARGET) / (TOP + norm(foe.velocity))
    const force = forceOf(new Evade({ target: foe, method: 'flee' }), state)
    expectVec(force, servo(towards(plus(TARGET, foe.velocity, time), AT), FLYING), 1e-9)
  })
})

describe('Flow Field Following', () => {
  const field = new FlowField({ min: v(-20, -20, -20), max: v(20, 20, 20), size: v(9, 9, 9) }).paint(
    (point, _time, out) => Object.assign(out, { x: 0.2 * point.y, y: 1 + 0.1 * point.z, z: -0.3 * point.x }),
  )
  const flowAt = ({ x, y, z }: Vec3): Vec3 => v(0.2 * y, 1 + 0.1 * z, -0.3 * x)

  it('G44: a grid of vectors is read at any position', () => {
    expectVec(field.velocityAt(v(0, 0, 0), v(3.3, -7.1, 12.9)), flowAt(v(3.3, -7.1, 12.9)), 1e-9)
  })

  it('G45: steering = the vector at the position projected forwards in time − velocity', () => {
    const predictionTime = 0.4
    const force = forceOf(new FollowFlowField({ field, predictionTime }), state)
    expectVec(force, servo(flowAt(plus(AT, FLYING, predictionTime)), FLYING), 1e-9)
  })
})

describe('Interpose', () => {
  const a = { position: v(-6, 2, 1), velocity: v(1, 0, 2) }
  const b = { position: v(8, -4, 9), velocity: v(-2, 1, 0) }
  it.each([
    ['G46: comes to the point halfway between both targets where they will be', 0.5],
    ['G47: or to a point at some other ratio', 0.2],
  ])('%s', (_, ratio) => {
    const targets = [a, b].map(({ position, velocity }) => ({ position: { ...position }, velocity }))
    const { world, pilot } = place(new Interpose({ targets: [targets[0]!, targets[1]!], ratio }), {
      position: v(0, 9, 0),
      maxForce: 100,
    })
    for (let i = 0; i < 300; i++) {
      for (const target of targets) Object.assign(target.position, plus(target.position, target.velocity, DT))
      world.step(DT)
    }
    const [p, q] = [targets[0]!.position, targets[1]!.position]
    expect(gap(pilot.position, plus(times(p, 1 - ratio), q, ratio))).toBeLessThan(0.1)
  })
})

describe('Unaligned Collision Avoidance', () => {
  const meeting = { position: v(0, 0, 0), velocity: v(0, 0, 5), maxForce: 500 }
  const avoid = (): AvoidAgents =>
    new AvoidAgents({ neighborDistance: 100, maxPredictionTime: 4, clearance: 0.5 })

  it('G48: time = −p·v / |v|²; without approach, and beyond max_time, there is no collision', () => {
    // meets in 2 s, in the past, and in 6 s
    expect(
      norm(forceOf(avoid(), meeting, [{ position: v(0.4, 0, 20), velocity: v(0, 0, -5) }])),
    ).toBeGreaterThan(0)
    expect(norm(forceOf(avoid(), meeting, [{ position: v(0.4, 0, -20), velocity: v(0, 0, -5) }]))).toBe(0)
    expect(norm(forceOf(avoid(), meeting, [{ position: v(0.4, 0, 60), velocity: v(0, 0, -5) }]))).toBe(0)
    expect(norm(forceOf(avoid(), meeting, [{ position: v(0.4, 0, 20), velocity: v(0, 0, 5) }]))).toBe(0)
  })

  it('G49: only an approach below the threshold counts', () => {
    const threshold = 2 * RADIUS + 0.5
    const at = (x: number): number =>
      norm(forceOf(avoid(), meeting, [{ position: v(x, 0, 20), velocity: v(0, 0, -5) }]))
    expect(at(threshold - 0.01)).toBeGreaterThan(0)
    expect(at(threshold + 0.01)).toBe(0)
  })

  it('G50: both turn away from each other', () => {
    const other = { position: v(0.4, 0, 20), velocity: v(0, 0, -5), maxForce: 500 }
    const mine = forceOf(avoid(), meeting, [other])
    const theirs = forceOf(avoid(), other, [meeting])
    expect(mine.x).toBeLessThan(0)
    expect(theirs.x).toBeGreaterThan(0)
    expect(mine.x).toBeCloseTo(-theirs.x, 6)
  })

  it('G51: at full speed an agent does not accelerate', () => {
    const fast = { ...meeting, velocity: v(0, 0, TOP) }
    const { world, pilot } = place(avoid(), fast, [{ position: v(9, 0, 9.5), velocity: v(-TOP, 0, 0) }])
    for (let i = 0; i < 90; i++) {
      world.step(DT)
      expect(norm(pilot.velocity)).toBeLessThan(TOP * 1.001)
    }
  })
})

describe('Flocking', () => {
  const wide = { neighborDistance: 60 }
  const flock = [
    { position: plus(AT, v(4, 1, 2)), velocity: v(1, 2, 3) },
    { position: plus(AT, v(-3, 5, 1)), velocity: v(-6, 1, 0) },
    { position: plus(AT, v(2, -6, 9)), velocity: v(0, 0.5, 2) },
  ]
  const n = flock.length

  it('G52: separation: Σ normalise(to) / r²', () => {
    const expected = flock.reduce((sum, { position }) => {
      const to = minus(position, AT)
      return plus(sum, unit(to), -1 / norm(to) ** 2)
    }, ZERO)
    const behavior = new Separation({ ...wide, falloff: (d) => 1 / d ** 2 })
    expectVec(forceOf(behavior, state, flock), times(expected, FORCE), 1e-6)
  })

  it('G53: cohesion steers to the average point of the neighbours', () => {
    const centre = times(
      flock.reduce((sum, { position }) => plus(sum, position), ZERO),
      1 / n,
    )
    const expected = times(minus(centre, AT), FORCE / 60)
    expectVec(forceOf(new Cohesion(wide), state, flock), expected, 1e-6)
  })

  it('G54: without neighbours the centre of the bounding box of the flock is the emergency target', () => {
    const world = new SteeringWorld()
    const positions = [AT, ...flock.map(({ position }) => position)]
    const given = new Flock({
      ...AGENT,
      count: positions.length,
      behavior: new Cohesion({ neighborDistance: 0.1 }),
      spawn: (i, { position, velocity }) => {
        Object.assign(position, positions[i]!)
        Object.assign(velocity, ZERO)
      },
    })
    world.add(given)
    world.step(DT)
    const mid = (key: 'x' | 'y' | 'z'): number =>
      (Math.min(...positions.map((p) => p[key])) + Math.max(...positions.map((p) => p[key]))) / 2
    const velocity = given.velocity(0, v(0, 0, 0))
    expectVec(unit(velocity), unit(minus(v(mid('x'), mid('y'), mid('z')), AT)), 1e-9)
  })

  it('G55: alignment: the average forward vector of the neighbours less the own one', () => {
    const average = times(
      flock.reduce((sum, { velocity }) => plus(sum, unit(velocity)), ZERO),
      1 / n,
    )
    const expected = times(minus(average, unit(FLYING)), FORCE * 0.4)
    expect(norm(minus(average, unit(FLYING)))).toBeGreaterThan(1)
    const small = flock.map((other) => ({ ...other, velocity: plus(times(FLYING, 3), other.velocity) }))
    const near = times(
      small.reduce((sum, { velocity }) => plus(sum, unit(velocity)), ZERO),
      1 / n,
    )
    const behavior = (): Alignment => new Alignment({ ...wide, match: 'heading', weight: 0.4 })
    expectVec(forceOf(behavior(), state, small), times(minus(near, unit(FLYING)), FORCE * 0.4), 1e-6)
    // limited to the weight
    expectVec(forceOf(behavior(), state, flock), times(unit(expected), FORCE * 0.4), 1e-6)
  })

  it('G56: a neighbour is within a circle and within an angle of the forward direction', () => {
    const fieldOfView = 3.5
    const seen = flock.filter(
      ({ position }) => dotOf(unit(minus(position, AT)), unit(FLYING)) >= Math.cos(fieldOfView / 2),
    )
    expect(seen.length).toBeGreaterThan(0)
    expect(seen.length).toBeLessThan(n)
    const behavior = (): Cohesion => new Cohesion({ ...wide, fieldOfView, emergency: false })
    expectVec(forceOf(behavior(), state, flock), forceOf(new Cohesion(wide), state, seen), 1e-9)
  })

  it('G57: only neighbours of the own gang count', () => {
    const gang = flock.map((other, i) => ({ ...other, group: i === 1 ? 2 : 1 }))
    const mine = gang.filter(({ group }) => group === 1)
    expectVec(
      forceOf(new Alignment({ ...wide, groups: 1 }), state, gang),
      forceOf(new Alignment(wide), state, mine),
      1e-9,
    )
  })

  it('G58: the three rules in one run through the neighbours are their weighted sum', () => {
    const rules = {
      separation: { neighborDistance: 7, weight: 0.5 },
      alignment: { ...wide, weight: 0.2 },
      cohesion: { ...wide, weight: 0.3 },
    }
    const sum = [
      new Separation(rules.separation),
      new Alignment(rules.alignment),
      new Cohesion(rules.cohesion),
    ].reduce((total, rule) => plus(total, forceOf(rule, state, flock)), ZERO)
    expectVec(forceOf(new Flocking(rules), state, flock), sum, 1e-6)
  })
})

describe('Combination', () => {
  const A = v(10, 40, 0)
  const B = v(30, 20, -5)

  it('G59: the weighted average: each force times its scale, summed, truncated once', () => {
    const force = forceOf(
      blend([
        { behavior: pushing(A), weight: 1.4 },
        { behavior: pushing(B), weight: 0.2 },
      ]),
    )
    expectVec(force, plus(times(A, 1.4), B, 0.2), 1e-9)
  })

  it('G60: forces may be truncated before they are summed', () => {
    const parts = [pushing(times(A, 100)), pushing(B)]
    const maxForce = 60
    const force = forceOf(blend(parts, { truncate: 'parts' }), { maxForce })
    expectVec(force, plus(times(unit(A), maxForce), B), 1e-9)
  })

  it('G61: prioritised dithering: the first is asked at random, then in order until one is not zero', () => {
    const first = pushing(A)
    const shares = [0, 0]
    const { world, pilot } = place(
      dither([{ behavior: first, probability: 0.65 }, pushing(ZERO), pushing(B)]),
      { maxSpeed: 1e6 },
    )
    const steps = 2000
    for (let i = 0; i < steps; i++) {
      world.step(DT)
      const which = gap(pilot.demand.force, A) < 1e-9 ? 0 : 1
      expectVec(pilot.demand.force, which === 0 ? A : B, 1e-9)
      shares[which]!++
    }
    expect(shares[0]! / steps).toBeGreaterThan(0.61)
    expect(shares[0]! / steps).toBeLessThan(0.69)
  })

  it('G62: an energy budget executes behaviours until a given magnitude is reached', () => {
    const force = forceOf(truncatedSum([pushing(A), pushing(B), pushing(v(0, 0, 99))]), { maxForce: 60 })
    const left = 60 - norm(A)
    expectVec(force, plus(A, unit(B), Math.min(norm(B), left)), 1e-9)
  })

  it('G63: a list of decisions, where each level may be a weighted average', () => {
    const quiet = blend([pushing(ZERO), pushing(ZERO)])
    const second = blend([pushing(A), { behavior: pushing(B), weight: 0.5 }])
    expectVec(forceOf(priority([quiet, second, pushing(v(9, 9, 9))])), plus(A, B, 0.5), 1e-9)
  })

  it('G64: behaviours are turned off by the game', () => {
    const parts = [{ behavior: pushing(A), enabled: false }, { behavior: pushing(B) }]
    expectVec(forceOf(blend(parts)), B, 1e-9)
  })
})

describe('the difficult cases', () => {
  it('G65: an obstacle that is larger than the search area is found by its extent', () => {
    const heart = new Obstacles([{ shape: new BoxShape(v(30, 30, 30)), at: v(0, 0, 33) }])
    const found: Obstacle[] = []
    // the centre is 33 m away, the surface 3 m
    expect(heart.near(ZERO, 4, found)).toBe(1)
    expect(heart.near(ZERO, 2, found)).toBe(0)
  })

  it('G66: a creature is not dropped inside an obstacle or another creature', () => {
    const obstacles = new Obstacles([{ shape: new SphereShape(3), at: AT }])
    const others = [{ position: plus(AT, v(0, 4, 0)), radius: 1 }]
    const at = v(0, 0, 0)
    freePosition(at, { position: AT, radius: RADIUS, obstacles, others })
    expect(gap(at, AT)).toBeGreaterThanOrEqual(3 + RADIUS - 1e-6)
    expect(gap(at, others[0]!.position)).toBeGreaterThanOrEqual(1 + RADIUS - 1e-6)
  })

  it('G67: the areas of the vehicles at a waypoint over a threshold, at most 1, say how crowded it is', () => {
    let measured = NaN
    const look = (): Behavior => ({
      reach: 50,
      neighborSearch,
      steer: (agent) => void (measured = density(agent, TARGET, 2)),
    })
    const inside = [v(0, 0, 0), v(0.5, 0, 0)].map((at) => ({ position: plus(TARGET, at) }))
    forceOf(look(), state, inside)
    expect(measured).toBeCloseTo((2 * RADIUS ** 2) / 2 ** 2, 6)
  })

  it('G68: a creature gives some others a wide berth by a radius of separation for that pair', () => {
    const heroes = (): Separation => new Separation({ neighborDistance: 12, groups: 2 })
    const creatures = (): Separation => new Separation({ neighborDistance: 2, groups: 1 })
    const at = plus(AT, v(6, 0, 0))
    const berth = (group: number): number =>
      norm(forceOf(blend([heroes(), creatures()]), state, [{ position: at, group }]))
    expect(berth(2)).toBeGreaterThan(0)
    expect(berth(1)).toBe(0)
  })
})
