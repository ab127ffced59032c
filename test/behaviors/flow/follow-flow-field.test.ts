import { describe, expect, it } from 'vitest'
import { AvoidObstacles, Obstacles, SphereShape, within, type Vec3, type Vec3Like } from 'three-steering'
import {
  FlowField,
  FollowFlowField,
  VortexFlow,
  WindFlow,
  type FlowSource,
  type FollowFlowFieldOptions,
} from 'three-steering/flow'
import { dotOf, minus, norm, number, plus, times, unit, v, vector } from '../../support/geometry.js'
import { law } from '../../support/law.js'
import { ask, pilot, quietWorld, type PilotOptions } from '../../support/pilot.js'

const WIND = v(3, -2, 4)
const wind = new WindFlow({ velocity: WIND })
const vortex = new VortexFlow({ center: v(0, 0, 0), radius: 10, speed: 5 })

/** A wind with a speed that varies in space and time. */
const gusts = ({ x, y, z }: Vec3Like, time: number, out: Vec3): void => {
  out.x = 4 + Math.sin(0.3 * x + time)
  out.y = Math.cos(0.2 * z - 0.5 * time)
  out.z = 2 * Math.sin(0.25 * y)
}

function flowAt(flow: FlowSource, point: Vec3Like, time: number): Vec3 {
  const out = v(0, 0, 0)
  if (typeof flow === 'function') flow(point, time, out)
  else flow.velocityAt(out, point, time)
  return out
}

/**
 * Greatest relative errors of the velocity after `settle` (s): against the flow half a step before, and
 * against the present flow at the agent.
 */
function follow(
  field: FlowSource,
  dt: number,
  { settle = 3, ...traits }: PilotOptions & { settle?: number } = {},
  options: Partial<FollowFlowFieldOptions> = {},
): { half: number; here: number } {
  const { world, faults } = quietWorld()
  const one = pilot(new FollowFlowField({ field, ...options }), {
    maxForce: 40,
    position: v(8, 1, 2),
    ...traits,
  })
  world.add(one)
  let [half, here] = [0, 0]
  for (let i = 1; i <= 8 / dt; i++) {
    world.step(dt)
    if (i * dt < settle) continue
    const { position, velocity } = one
    const before = flowAt(field, plus(position, times(velocity, -dt / 2)), (i - 0.5) * dt)
    const now = flowAt(field, position, i * dt)
    half = Math.max(half, norm(minus(velocity, before)) / norm(before))
    here = Math.max(here, norm(minus(velocity, now)) / norm(now))
  }
  expect(faults).toEqual([])
  return { half, here }
}

describe.each([1 / 30, 1 / 60, 1 / 240])('following, at %s s', (dt) => {
  it.each<[string, FlowSource]>([
    ['a wind', wind],
    ['a vortex', vortex],
    ['gusts', gusts],
  ])('%s: exact, except for half a step of the integration', (_, field) => {
    const { half, here } = follow(field, dt)
    expect(half).toBeLessThan(1e-5)
    // the fastest turn is 1 rad/s
    expect(here).toBeLessThan(0.55 * dt)
  })

  it('a field on a grid, which has kinks at its nodes', () => {
    const box = { min: v(-30, -30, -30), max: v(30, 30, 30), size: v(13, 13, 13) }
    expect(follow(new FlowField(box).paint(vortex), dt).half).toBeLessThan(2e-3)
  })

  it.each([0.05, 0.5, 5])('with any response time: %s s', (responseTime) => {
    // an initial error decreases with the response time
    const place = v(8, 1, 2)
    const start = flowAt(vortex, plus(place, times(flowAt(vortex, place, 0), -dt / 2)), 0)
    expect(follow(vortex, dt, { responseTime, velocity: start, settle: 1 }).half).toBeLessThan(2e-3)
  })

  it("Reynolds' method lags without prediction, and much less with a prediction of one response time", () => {
    const lagging = follow(vortex, dt, {}, { predictionTime: 0 }).here
    const ahead = follow(vortex, dt, {}, { predictionTime: 0.1 }).here
    expect(lagging).toBeGreaterThan(0.04)
    expect(ahead).toBeLessThan(0.3 * lagging)
  })
})

describe('the force', () => {
  law(
    'corrects the error over the response time in a constant field',
    [vector(50), vector(9), number(0.2, 50)],
    (position, velocity, mass) => {
      const { force } = ask(
        new FollowFlowField({ field: wind }),
        { position, velocity, mass, maxForce: 1e6, responseTime: 0.25 },
        [],
        1 / 60,
      )
      const wanted = times(minus(WIND, velocity), mass / 0.25)
      expect(norm(minus(force, wanted))).toBeLessThan(1e-9 * (1 + norm(wanted)))
    },
    50,
  )

  it('of an agent that flies with a vortex is its centripetal force', () => {
    const position = v(10, 3, 0)
    const velocity = flowAt(vortex, position, 0)
    const { force } = ask(new FollowFlowField({ field: vortex }), { position, velocity, mass: 3 }, [], 1e-4)
    // v² / r inwards
    expect(norm(minus(force, v((-3 * 25) / 10, 0, 0)))).toBeLessThan(2e-2)
  })

  it.each<[string, FlowSource, string]>([
    ['without a flow', (): void => undefined, ''],
    [
      'outside of a bounded field',
      new FlowField({ min: v(5, 5, 5), max: v(9, 9, 9), size: v(2, 2, 2), outside: 'zero' }).paint(wind),
      '',
    ],
    ['for a flow that is NaN', (_p: Vec3Like, _t: number, out: Vec3): void => void (out.x = NaN), 'NaN'],
    [
      'for a flow that is infinite',
      (_p: Vec3Like, _t: number, out: Vec3): void => void (out.z = Infinity),
      'Infinity',
    ],
  ])('is zero %s', (_, field, value) => {
    const { force, faults } = ask(new FollowFlowField({ field }), { velocity: v(1, 2, 3) })
    expect(force).toEqual(v(0, 0, 0))
    const bad = value === '' ? [] : [expect.stringMatching(`^flow: got .*${value}`)]
    expect(faults.map(({ message }) => message)).toEqual(bad)
  })
})

describe('the speed', () => {
  function speedIn(field: FlowSource, options: Partial<FollowFlowFieldOptions>, traits?: PilotOptions): Vec3 {
    const { world } = quietWorld()
    const one = pilot(new FollowFlowField({ field, ...options }), { maxForce: 40, ...traits })
    world.add(one)
    for (let i = 0; i < 240; i++) world.step(1 / 60)
    return { ...one.velocity }
  }

  it('is that of the flow', () => {
    expect(norm(minus(speedIn(wind, {}), WIND))).toBeLessThan(1e-6)
  })

  it('can be an option; then only the direction is that of the flow', () => {
    const velocity = speedIn(wind, { speed: 9 })
    expect(norm(minus(velocity, times(unit(WIND), 9)))).toBeLessThan(1e-6)
    expect(norm(speedIn(wind, { speed: Infinity }))).toBeCloseTo(10, 6)
  })

  it('is limited to the top speed, in the direction of the flow', () => {
    const velocity = speedIn(wind, {}, { maxSpeed: 2 })
    expect(norm(minus(velocity, times(unit(WIND), 2)))).toBeLessThan(1e-6)
  })

  it('given as an option follows the turns of the flow as exactly', () => {
    const { world } = quietWorld()
    const one = pilot(new FollowFlowField({ field: vortex, speed: 8 }), {
      maxForce: 40,
      position: v(9, 0, 0),
    })
    world.add(one)
    for (let i = 0; i < 300; i++) world.step(1 / 60)
    const out = Math.hypot(one.position.x, one.position.z)
    for (let i = 0; i < 300; i++) world.step(1 / 60)
    // the path is the same circle
    expect(Math.hypot(one.position.x, one.position.z)).toBeCloseTo(out, 3)
  })
})

describe('as a wish within constraints', () => {
  it('the agent flies around an obstacle and follows the flow again', () => {
    const obstacles = new Obstacles([{ shape: new SphereShape(4), at: v(30, 0, 0) }])
    const field = new WindFlow({ velocity: v(6, 0, 0) })
    const { world } = quietWorld()
    const one = pilot(within([new AvoidObstacles({ obstacles })], new FollowFlowField({ field })), {
      radius: 0.5,
    })
    world.add(one)
    const normal = v(0, 0, 0)
    let gap = Infinity
    for (let i = 0; i < 900; i++) {
      world.step(1 / 60)
      gap = Math.min(gap, obstacles.distance(one.position, normal))
    }
    expect(gap).toBeGreaterThan(0.5)
    expect(one.position.x).toBeGreaterThan(75)
    expect(norm(minus(one.velocity, v(6, 0, 0)))).toBeLessThan(1e-3)
  })
})

describe('FollowFlowField', () => {
  it('can be given another field at any time', () => {
    const behavior = new FollowFlowField({ field: wind })
    behavior.field = vortex
    expect(behavior.field).toBe(vortex)
    expect(() => (behavior.field = null as unknown as FlowSource)).toThrow(TypeError)
    const { force } = ask(behavior, { position: v(0, 0, 10) })
    expect(dotOf(unit(force), v(1, 0, 0))).toBeGreaterThan(0.9)
  })

  it('draws the stream line ahead of the agent', () => {
    const behavior = new FollowFlowField({ field: vortex })
    const lines: Vec3[] = []
    const { world } = quietWorld()
    const one = pilot(
      {
        steer: (agent, step) =>
          behavior.trace(agent, step, {
            line: (layer, from) => {
              expect(layer).toBe('flow')
              lines.push({ ...from })
            },
          }),
      },
      { position: v(10, 3, 0) },
    )
    world.add(one)
    world.step(1 / 60)
    expect(lines.length).toBeGreaterThan(20)
    for (const { x, y, z } of lines) expect([Math.hypot(x, z), y]).toEqual([expect.closeTo(10, 2), 3])
  })
})
