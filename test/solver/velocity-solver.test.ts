import { describe, expect, it } from 'vitest'
import {
  BoxShape,
  HalfSpaceShape,
  HollowShape,
  Obstacle,
  Obstacles,
  SphereShape,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import type { VelocityConstraints } from '../../src/core/solver/constraint.js'
import {
  lendSolver,
  returnSolver,
  SolverMemory,
  VelocitySolver,
} from '../../src/core/solver/velocity-solver.js'
import {
  direction,
  dotOf,
  expectFinite,
  expectVec,
  minus,
  norm,
  number,
  plus,
  times,
  unit,
  v,
  vector,
} from '../support/geometry.js'
import { law } from '../support/law.js'
import { standIn, stepOf, type StandIn } from '../support/stand-in.js'
import { makeWish } from '../../src/core/control/wish.js'

const HULL = 0.5
const POWER = 20

interface Result {
  readonly velocity: Vec3
  readonly limited: boolean
  readonly chosen: Vec3
}

const limits = new VelocitySolver()

/**
 * The solution for an agent at the origin of 1 kg and 20 N with this wanted velocity, after `say` has added
 * demands.
 */
function solve(
  wanted: Vec3Like,
  say: (limits: VelocityConstraints) => void,
  state: Partial<StandIn> = {},
  reach = Infinity,
  last: Vec3Like = v(0, 0, 0),
): Result {
  const agent = standIn({ radius: HULL, maxForce: POWER, ...state })
  limits.begin(agent, stepOf(), wanted, { ...makeWish(), goalDistance: reach })
  Object.assign(limits.chosen, last)
  say(limits)
  const velocity = v(0, 0, 0)
  const limited = limits.solve(agent, stepOf(), velocity)
  return { velocity, limited, chosen: { ...limits.chosen } }
}

const ball = (at: Obstacle['position'] | { position: Vec3Like; velocity: Vec3Like }, radius = 2): Obstacle =>
  new Obstacle({ shape: new SphereShape(radius), at })

/** A plate across the x axis with its face at `x`. */
function plate(x: number, velocity = v(0, 0, 0)): Obstacle {
  return new Obstacle({ shape: new BoxShape(v(1, 1e3, 1e3)), at: { position: v(x + 1, 0, 0), velocity } })
}

describe('without demands', () => {
  it('the velocity is not limited', () => {
    for (const wanted of [v(0, 0, 0), v(3, -9, 200)]) {
      const { velocity, limited } = solve(wanted, () => undefined, { maxForce: 1e9 })
      expect(limited).toBe(false)
      expectVec(velocity, wanted, 0)
    }
  })

  it('constraints get the wanted velocity and the distance to the goal', () => {
    solve(
      v(1, 2, 3),
      ({ wantedVelocity: wanted, goalDistance: reach }) => {
        expectVec(wanted, v(1, 2, 3), 0)
        expect(reach).toBe(17)
      },
      {},
      17,
    )
  })

  it('no state is left from the previous agent', () => {
    const busy = solve(v(9, 0, 0), (all) => {
      all.addHalfSpace(v(0, 1, 0), 1)
      all.addObstacle(ball(v(8, 0, 0)), 50, HULL, 0.1)
      all.addWall(plate(6), 50, HULL)
      all.setExit(v(0, 0, 1))
    })
    expect(busy.limited).toBe(true)
    const { limited, chosen } = solve(v(1, 0, 0), () => undefined)
    expect(limited).toBe(false)
    expectVec(chosen, v(0, 0, 0), 0)
  })
})

describe('the solver that all share', () => {
  it('is another one for a combination inside a wish, and the same one again after an error', () => {
    const memory = new SolverMemory()
    const outer = lendSolver(memory)
    expect(lendSolver(memory)).not.toBe(outer)
    returnSolver()
    const agent = standIn({ radius: HULL, maxForce: POWER })
    const fail = (): void => {
      throw new Error('no')
    }
    expect(() => memory.obey(agent, stepOf(), { steer: fail, constrain: fail }, v(0, 0, 0))).toThrow('no')
    returnSolver()
    expect(lendSolver(memory)).toBe(outer)
    returnSolver()
  })

  it('shows a constraint alone nothing that a combination has told it', () => {
    const solver = lendSolver(new SolverMemory())
    solver.queueOrder = { rank: () => 1 }
    solver.exemption = { agent: null } as never
    solver.addToMap(new Obstacles([ball(v(0, 0, 0))]), HULL, 0)
    returnSolver()
    let seen: unknown[] = []
    const constrain = (_agent: unknown, _step: unknown, all: VelocityConstraints): void => {
      const { exemption, map, queueOrder } = all as VelocitySolver
      seen = [exemption, map.isEmpty, queueOrder]
    }
    const agent = standIn({ radius: HULL, maxForce: POWER })
    new SolverMemory().obey(agent, stepOf(), { steer: () => undefined, constrain }, v(0, 0, 0))
    expect(seen).toEqual([undefined, true, undefined])
  })
})

describe('half-spaces', () => {
  law(
    'are met as far as the force allows within one response time',
    [direction(), number(-6, 6), vector(10)],
    (n, least, wanted) => {
      const { velocity } = solve(wanted, (all) => all.addHalfSpace(n, least), { responseTime: 0.4 })
      const most = POWER * 0.4
      expect(norm(velocity)).toBeLessThanOrEqual(most * (1 + 1e-9))
      if (least < most - 1e-6) expect(dotOf(velocity, n)).toBeGreaterThan(least - 1e-6)
    },
  )

  it('copy their normal', () => {
    const n = v(0, 1, 0)
    const { velocity } = solve(v(1, 0, 0), (all) => {
      all.addHalfSpace(n, 1)
      n.y = -1
    })
    expectVec(velocity, v(1, 1, 0), 1e-9)
  })
})

describe('obstacles', () => {
  it('no agent flies at a wall faster than it could stop', () => {
    for (const gap of [0.01, 0.1, 0.5, 1, 2, 5, 10])
      for (const speed of [0, 2, 6]) {
        const { velocity } = solve(v(30, 0, 0), (all) => all.addObstacle(plate(HULL + gap), 200, HULL, 0.1), {
          velocity: v(speed, 0, 0),
        })
        // full force, from a speed that it reaches after one response time at most
        expect(velocity.x).toBeLessThan(Math.max(Math.sqrt(2 * POWER * gap), speed - 1))
      }
  })

  it('at the largest speed from which it can stop, the agent stops', () => {
    let x = 0
    let speed = 9
    const agent = standIn({ radius: HULL, maxForce: POWER })
    const wall = plate(6)
    for (let i = 0; i < 600; i++) {
      const velocity = v(speed, 0, 0)
      Object.assign(agent, { position: v(x, 0, 0), velocity, speed })
      limits.begin(agent, stepOf(), v(10, 0, 0), null)
      limits.addObstacle(wall, 200, HULL, 0.1)
      const out = v(0, 0, 0)
      limits.solve(agent, stepOf(), out)
      const force = Math.max(-POWER, Math.min(POWER, (out.x - speed) / agent.responseTime))
      speed += force / 60
      x += speed / 60
      expect(x).toBeLessThan(6 - HULL)
    }
  })

  it('an obstacle that is just missed, is behind, or flies away demands nothing', () => {
    for (const obstacle of [
      ball(v(6, 2 + HULL + 0.1001, 0)),
      ball(v(-4, 0, 0)),
      ball({ position: v(5, 0, 0), velocity: v(30, 0, 0) }),
      ball(v(60, 0, 0)),
    ]) {
      const { velocity, limited } = solve(v(9, 0, 0), (all) => all.addObstacle(obstacle, 45, HULL, 0.1), {
        velocity: v(9, 0, 0),
      })
      expect(limited).toBe(false)
      expectVec(velocity, v(9, 0, 0), 1e-12)
    }
  })

  it('the agent is pushed out of an obstacle that it touches, of any kind', () => {
    for (const depth of [0.05, 0.3])
      for (const wanted of [v(0, 0, 0), v(-9, 0, 0), v(0, 3, 0)]) {
        const { velocity, limited } = solve(wanted, (all) =>
          all.addObstacle(ball(v(-2 - HULL + depth, 0, 0)), 45, HULL, 0.1),
        )
        expect(limited).toBe(true)
        expect(velocity.x).toBeGreaterThan(0)
      }
  })

  it('at or near the centre there is still a direction out', () => {
    for (const off of [0, 1e-300, 3.14e-162, 1e-100, 1e-9]) {
      const { velocity } = solve(v(0, 0, 0), (all) =>
        all.addObstacle(ball(v(0, 0, -off), 0.01), 60, HULL, 0.1),
      )
      expect(norm(velocity)).toBeGreaterThan(0.1)
      expect(norm(velocity)).toBeLessThanOrEqual(POWER * 0.1 * (1 + 1e-6))
    }
  })

  it('the agent brakes for a moving obstacle in the frame of the obstacle', () => {
    const run = (drift: number): number =>
      solve(v(30, 0, 0), (all) => all.addObstacle(plate(HULL + 2, v(drift, 0, 0)), 200, HULL, 0.1), {
        velocity: v(6, 0, 0),
        responseTime: 0.5,
      }).velocity.x
    // an obstacle that flies ahead may be followed faster; from an approaching one the agent retreats
    expect(run(3)).toBeGreaterThan(run(0) + 1)
    expect(run(-6)).toBeLessThan(run(0) - 1)
  })

  it('a slow wish has no direction: the agent stops', () => {
    const { velocity, chosen } = solve(v(0.01, 0, 0), (all) =>
      all.addObstacle(ball(v(4, 0, 0)), 45, HULL, 0.1),
    )
    expectVec(chosen, v(0, 0, 0), 0)
    expect(norm(velocity)).toBeLessThan(0.02)
  })

  it('the chosen direction is a unit vector and is stored for the next step; zero if nothing blocks', () => {
    const blocked = solve(v(9, 0, 0), (all) => all.addObstacle(ball(v(9, 0.5, 0)), 45, HULL, 0.1))
    expect(norm(blocked.chosen)).toBeCloseTo(1, 12)
    const free = solve(
      v(9, 0, 0),
      (all) => all.addObstacle(ball(v(9, 5, 0)), 45, HULL, 0.1),
      {},
      Infinity,
      blocked.chosen,
    )
    expectVec(free.chosen, v(0, 0, 0), 0)
  })
})

describe('walls', () => {
  it('do not turn away an agent that has a goal', () => {
    for (const wanted of [v(9, 0, 0), unit(v(5, 5, 0))]) {
      const { chosen } = solve(wanted, (all) => all.addWall(plate(5), 60, HULL), {}, 30)
      expectVec(chosen, v(0, 0, 0), 0)
    }
  })

  it('count if an obstacle must be passed: the side that ends at the wall is not chosen', () => {
    // a ball straight ahead, with the floor or the ceiling so near that the hull does not fit through
    for (const side of [-1, 1]) {
      const wall = new Obstacle({ shape: new HalfSpaceShape(v(0, -side, 0)), at: v(0, side * 2.3, 0) })
      const rock = ball(v(9, 0, 0))
      const course = { x: v(1, 0, 0), y: v(0, 1, 0), z: v(0, 0, 1) }
      const { chosen } = solve(
        v(9, 0, 0),
        (all) => {
          all.addObstacle(rock, 45, HULL, 0.1)
          all.addWall(wall, 60, HULL)
        },
        { course },
        40,
      )
      expect(side * chosen.y).toBeLessThan(0.05)
      expect(norm(chosen)).toBeCloseTo(1, 9)
    }
  })
})

describe('leaving', () => {
  law('has precedence over the wanted velocity', [direction(), vector(9)], (exit, wanted) => {
    const { velocity, limited, chosen } = solve(wanted, (all) => all.setExit(exit), { responseTime: 0.4 })
    expect(limited).toBe(true)
    expectVec(velocity, times(exit, POWER * 0.4), 1e-9)
    expectVec(chosen, v(0, 0, 0), 0)
  })

  it('without a top speed the agent is as fast as after a second of thrust', () => {
    const { velocity } = solve(v(0, 0, 0), (all) => all.setExit(v(0, 1, 0)), {
      maxSpeed: Infinity,
      responseTime: 5,
    })
    expectVec(velocity, v(0, POWER, 0), 1e-9)
  })
})

law(
  'obstacles, walls and half-spaces of any kind: finite, within the force',
  [vector(20), vector(8), vector(12), vector(12), number(0.01, 8), direction(), number(-5, 5)],
  (wanted, velocity, at, other, radius, n, least) => {
    const { velocity: out } = solve(
      wanted,
      (all) => {
        all.addHalfSpace(n, least)
        all.addObstacle(ball(at, radius), 60, HULL, 0.1)
        all.addObstacle(new Obstacle({ shape: new BoxShape(v(radius, 1, 2)), at: other }), 60, HULL, 0.1)
        all.addObstacle(ball({ position: plus(at, other), velocity: minus(other, at) }, 1), 60, HULL, 0)
        all.addWall(new Obstacle({ shape: new HollowShape(new SphereShape(9)) }), 60, HULL)
      },
      { velocity, speed: norm(velocity) },
    )
    expectFinite(out)
    expect(norm(minus(out, velocity))).toBeLessThanOrEqual(POWER * 0.1 * (1 + 1e-6))
  },
  100,
)
