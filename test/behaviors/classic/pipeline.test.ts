import { describe, expect, it } from 'vitest'
import {
  Arrive,
  MatchAttitude,
  neighborSearch,
  Path,
  type Behavior,
  type PointSource,
  type Vec3Like,
} from 'three-steering'
import {
  ArriveActuator,
  AttitudeTargeter,
  BallConstraint,
  PathDecomposer,
  pipeline,
  PlaceTargeter,
  type PipelineConstraint,
  type PipelineGoal,
  type PipelineOptions,
  type Targeter,
} from 'three-steering/classic'
import { trace } from 'three-steering/explain'
import { about, expectVec, minus, norm, plus, times, unit, v } from '../../support/geometry.js'
import { ask, pilot, quietWorld, xyz } from '../../support/pilot.js'
import { pushing } from '../../support/stand-in.js'
import { counting } from '../../combine/parts.js'

const actuator = new ArriveActuator()

function to(place: PointSource, rest: Partial<PipelineOptions> = {}): Behavior {
  return pipeline({ targeters: [new PlaceTargeter(place)], actuator, ...rest })
}

/** Asks for a velocity and no place. */
function drifting(velocity: Vec3Like): Targeter {
  return {
    target: (_agent, _step, goal) => {
      Object.assign(goal.velocity, velocity)
      goal.hasVelocity = true
    },
  }
}

/** Reports a violation `times` times per step. */
function picky(times: number): PipelineConstraint & { asked: number } {
  let tick = -1
  let left = 0
  const each = {
    asked: 0,
    suggest: (_agent: unknown, step: { tick: number }) => {
      each.asked++
      if (step.tick !== tick) left = times
      tick = step.tick
      return left-- > 0
    },
  }
  return each
}

describe('goals', () => {
  it('a place gives the force of Arrive', () => {
    for (const target of [v(30, -4, 7), v(0.5, 0.1, 0), { position: v(9, 9, 9), velocity: v(1, -2, 3) }]) {
      const state = { velocity: v(3, 1, -2) }
      const followPath = pipeline({ targeters: [new PlaceTargeter(target)], actuator })
      expectVec(ask(followPath, state).force, ask(new Arrive({ target }), state).force, 1e-9)
    }
  })

  it('an attitude and a spin give the torque of MatchAttitude, beside any force', () => {
    const other = { quaternion: about(unit(v(1, 2, -1)), 2), angularVelocity: v(0.2, 0, -0.3) }
    const followPath = pipeline({
      targeters: [new PlaceTargeter(v(30, 0, 0)), new AttitudeTargeter(other)],
      actuator,
    })
    const { force, torque } = ask(followPath)
    expect(norm(torque)).toBeGreaterThan(0.1)
    expectVec(torque, ask(new MatchAttitude({ target: other })).torque, 1e-12)
    expectVec(force, ask(to(v(30, 0, 0))).force, 0)
  })

  it('a velocity alone is matched', () => {
    const followPath = pipeline({ targeters: [drifting(v(1, -2, 4))], actuator })
    const { world } = quietWorld()
    const one = pilot(followPath)
    world.add(one)
    for (let i = 0; i < 120; i++) world.step(1 / 60)
    expectVec(one.velocity, v(1, -2, 4), 1e-6)
  })

  it('later targeters overwrite earlier ones, channel by channel', () => {
    const both = pipeline({
      targeters: [new PlaceTargeter(v(30, 0, 0)), new PlaceTargeter(v(0, 30, 0)), drifting(v(0, 0, 2))],
      actuator,
    })
    const moving = { position: v(0, 30, 0), velocity: v(0, 0, 2) }
    expectVec(ask(both).force, ask(pipeline({ targeters: [new PlaceTargeter(moving)], actuator })).force, 0)
  })

  it('a place that is not finite is ignored', () => {
    const { force, faults } = ask(
      to((_agent, out) => void (out.x = NaN)),
      { velocity: v(3, 0, 0) },
    )
    expect(faults.map(({ message }) => message)).toEqual([expect.stringMatching(/^target: got .*NaN/)])
    expect(force).toEqual(v(0, 0, 0))
  })
})

describe('decomposers', () => {
  const corner = v(20, 0, 0)
  const end = v(20, 15, 10)
  const path = new Path({ points: [v(0, 0, 0), corner, end], curve: 'polyline' })

  it('lead along a path to the goal', () => {
    for (const dt of [1 / 30, 1 / 60, 1 / 240]) {
      const { world } = quietWorld()
      const one = pilot(to(end, { decomposers: [new PathDecomposer({ path, ahead: 2 })] }))
      world.add(one)
      let distance = Infinity
      let worst = 0
      for (let time = 0; time < 12; time += dt) {
        world.step(dt)
        distance = Math.min(distance, norm(minus(one.position, corner)))
        const nearest = path.pointAt(v(0, 0, 0), path.nearest(one.position))
        worst = Math.max(worst, norm(minus(one.position, nearest)))
      }
      expectVec(one.position, end, 0.1)
      expect(distance).toBeLessThan(2)
      expect(worst).toBeLessThan(2)
    }
  })

  it('do not slow the agent down at intermediate points', () => {
    const straight = new Path({ points: [v(0, 0, 0), v(100, 0, 0)], curve: 'polyline' })
    const { world } = quietWorld()
    const one = pilot(to(v(100, 0, 0), { decomposers: [new PathDecomposer({ path: straight, ahead: 1 })] }))
    world.add(one)
    for (let i = 0; i < 300; i++) world.step(1 / 60)
    expect(one.velocity.x).toBeGreaterThan(9.9)
    for (let i = 0; i < 600; i++) world.step(1 / 60)
    expectVec(one.position, v(100, 0, 0), 0.1)
  })

  it('may be objects of the user, and several refine each other', () => {
    const seen: Vec3Like[] = []
    const halving = {
      decompose: (_agent: unknown, _step: unknown, goal: PipelineGoal): void => {
        goal.position.x /= 2
        seen.push(xyz(goal.position))
      },
    }
    ask(to(v(32, 0, 0), { decomposers: [halving, { ...halving, enabled: false }, halving] }))
    expect(seen.slice(-2)).toEqual([v(16, 0, 0), v(8, 0, 0)])
  })
})

describe('constraints', () => {
  /** Flies from the origin. Returns the smallest clearance to each ball, and the final position. */
  function flight(
    goal: Vec3Like,
    balls: readonly { center: Vec3Like; radius: number }[],
    dt: number,
    from: Vec3Like = v(0, 0, 0),
  ): { clear: number; end: Vec3Like; speed: number; way: number } {
    const { world, faults } = quietWorld()
    const followPath = to(goal, {
      constraints: balls.map((each) => new BallConstraint({ ...each, margin: 0.2 })),
    })
    const one = pilot(followPath, { radius: 0.5, position: from })
    world.add(one)
    let clear = Infinity
    let distance = 0
    for (let time = 0; time < 15; time += dt) {
      world.step(dt)
      distance += norm(one.velocity) * dt
      for (const { center, radius } of balls)
        clear = Math.min(clear, norm(minus(one.position, center)) - radius - 0.5)
    }
    expect(faults).toEqual([])
    return { clear, end: xyz(one.position), speed: norm(one.velocity), way: distance }
  }

  it.each([1 / 30, 1 / 60, 1 / 240])(
    'keep the agent out of balls, one of them exactly on its path, at %f s',
    (dt) => {
      const balls = [
        { center: v(12, 0, 0), radius: 3 },
        { center: v(24, 3, 1), radius: 4 },
      ]
      const { clear, end, way: distance } = flight(v(40, 0, 0), balls, dt)
      expect(clear).toBeGreaterThan(0)
      expectVec(end, v(40, 0, 0), 0.1)
      expect(distance).toBeLessThan(48)
    },
  )

  it('a goal inside is approached as near as possible, where the agent rests', () => {
    const { clear, end, speed } = flight(v(20, 1, 0), [{ center: v(20, 0, 0), radius: 4 }], 1 / 60)
    expect(clear).toBeGreaterThan(0)
    expect(norm(minus(end, v(20, 0, 0)))).toBeLessThan(5.2)
    expect(speed).toBeLessThan(0.05)
  })

  it('an agent inside may leave in any direction', () => {
    const { end } = flight(v(20, 0, 0), [{ center: v(1, 0, 0), radius: 4 }], 1 / 60, v(0, 0, 0))
    expectVec(end, v(20, 0, 0), 0.1)
    expect(flight(v(20, 0, 0), [{ center: v(0, 0, 0), radius: 4 }], 1 / 60).speed).toBeLessThan(0.05)
  })

  it('the path around a ball is convex: each suggestion violates less', () => {
    const ball = new BallConstraint({ center: v(12, 0, 0), radius: 3 })
    const goals: Vec3Like[] = []
    const spy: PipelineConstraint = {
      suggest: (agent, step, path, goal) => {
        const violated = ball.suggest(agent, step, path, goal)
        if (violated) goals.push(xyz(goal.position))
        return violated
      },
    }
    ask(to(v(40, 0, 0), { constraints: [spy] }), { radius: 0.5 })
    expect(goals.length).toBeGreaterThan(0)
    expect(goals.length).toBeLessThan(5)
    for (const goal of goals) expect(norm(minus(goal, v(12, 0, 0)))).toBeCloseTo(3.5 * 1.05, 9)
  })
})

describe('deadlock', () => {
  it('occurs when every tried goal violates a constraint: then the fallback steers, by default the brakes', () => {
    const never = picky(Infinity)
    const fallback = counting(pushing(v(0, 0, 9)))
    const stuck = ask(to(v(30, 0, 0), { constraints: [never], fallback, attempts: 4 }))
    expect(stuck.force).toEqual(v(0, 0, 9))
    expect(never.asked).toBe(4)
    const { force } = ask(to(v(30, 0, 0), { constraints: [picky(Infinity)] }), { velocity: v(1, -2, 3) })
    expect(norm(force)).toBeGreaterThan(1)
    expectVec(unit(force), unit(v(-1, 2, -3)), 1e-9)
  })

  it('does not occur when the last try succeeds', () => {
    const fallback = counting()
    const last = picky(3)
    const { force } = ask(to(v(30, 0, 0), { constraints: [last], fallback, attempts: 4 }))
    expect([fallback.asked, last.asked]).toEqual([0, 4])
    expect(force.x).toBeGreaterThan(1)
  })

  it('a violated constraint ends a try, so that all constraints check the next path', () => {
    const [first, second] = [picky(1), picky(0)]
    ask(to(v(30, 0, 0), { constraints: [first, second] }))
    expect([first.asked, second.asked]).toEqual([2, 1])
  })

  it('is emitted once, and so is its end', () => {
    const gate = { ...picky(Infinity), enabled: false }
    const followPath = pipeline({
      targeters: [new PlaceTargeter(v(30, 0, 0))],
      constraints: [gate],
      actuator,
    })
    const { world } = quietWorld()
    const one = pilot(followPath)
    const events: string[] = []
    one.addEventListener('stage', ({ stage, reason }) => events.push(`${world.tick}: ${stage} ${reason}`))
    world.add(one)
    for (let i = 0; i < 12; i++) {
      gate.enabled = i >= 4 && i < 8
      world.step(1 / 60)
    }
    expect(events).toEqual(['5: deadlock no goal violates nothing', '9: path '])
  })
})

describe('the pipeline as a behaviour', () => {
  it('reports the reach of its stages', () => {
    let seen = -1
    const looking: PipelineConstraint = {
      reach: 5,
      neighborSearch,
      suggest: (agent) => {
        seen = agent.neighbors.count
        return false
      },
    }
    ask(to(v(30, 0, 0), { constraints: [looking] }), {}, [{ position: v(0, 0, 4) }, { position: v(0, 0, 6) }])
    expect(seen).toBe(1)
  })

  it('draws its path without changing anything', () => {
    const { world } = quietWorld()
    const ball = new BallConstraint({ center: v(12, 0, 0), radius: 3 })
    world.add(pilot(to(v(40, 0, 0), { constraints: [ball] })))
    world.step(1 / 60)
    const lines: [string, Vec3Like, Vec3Like][] = []
    trace(world, { line: (layer, a, b) => lines.push([layer, xyz(a), xyz(b)]) })
    const own = lines.find(([layer]) => layer === 'pipeline')
    expect(norm(plus(own![2], times(v(12, 0, 0), -1)))).toBeGreaterThan(3)
  })

  it('checks its parts', () => {
    expect(() => new PlaceTargeter(5 as never)).toThrow(/PlaceTargeter: got 5/)
    expect(() => new AttitudeTargeter({} as never)).toThrow(/AttitudeTargeter: got/)
  })
})
