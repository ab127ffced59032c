import { describe, expect, it } from 'vitest'
import {
  Flight,
  Seek,
  SteeringController,
  SteeringWorld,
  type Behavior,
  type FlightOptions,
  type Vec3Like,
} from 'three-steering'
import { angleBetween, crossOf, dotOf, expectVec, norm, plus, times, unit, v } from '../support/geometry.js'
import { idle, pilot, type PilotOptions } from '../support/pilot.js'
import { pushing } from '../support/stand-in.js'

const DT = 1 / 60
const UP = v(0, 1, 0)
const DEGREE = Math.PI / 180

interface Setting {
  gravity?: number
  flight?: FlightOptions
  options?: PilotOptions
}

/** A bird of 1 kg at 10 m/s along +Z. */
function bird(behavior: Behavior, { gravity = 0, flight = {}, options = {} }: Setting = {}) {
  const world = new SteeringWorld({ gravity: v(0, -gravity, 0) })
  const one = pilot(behavior, {
    locomotion: new Flight(flight),
    velocity: v(0, 0, 10),
    maxSpeed: 20,
    maxForce: 40,
    maxTorque: 50,
    ...options,
  })
  world.add(one)
  return { world, one }
}

function after(seconds: number, world: SteeringWorld, each?: () => void): void {
  for (let i = 0; i < seconds / DT; i++) {
    world.step(DT)
    each?.()
  }
}

/** Holds speed and height, and accelerates to the right by `a`. */
function circling(a: number): Behavior {
  return {
    steer(agent, _step, out) {
      const side = unit(crossOf(agent.velocity, UP))
      const pull = (10 - agent.speed) * 3
      const force = plus(times(side, a), times(unit(agent.velocity), pull))
      Object.assign(out.force, plus(force, UP, -3 * agent.velocity.y))
    },
  }
}

const roll = (one: SteeringController): number => {
  const side = unit(crossOf(one.velocity, UP))
  return Math.atan2(dotOf(one.attitude.y, side), one.attitude.y.y)
}

describe('a turn', () => {
  for (const gravity of [0, 9.81])
    for (const a of [2, 5])
      it(`has the radius v²/a and the bank atan(a/g): a = ${a} m/s², gravity ${gravity}`, () => {
        const { world, one } = bird(circling(a), { gravity })
        after(4, world)
        let turned = 0
        let flown = 0
        let before = { ...one.velocity }
        after(15, world, () => {
          turned += angleBetween(v(before.x, 0, before.z), v(one.velocity.x, 0, one.velocity.z))
          flown += norm(one.velocity) * DT
          before = { ...one.velocity }
        })
        // long enough for at least one whole circle
        expect(turned).toBeGreaterThan(Math.PI * 0.9)
        const speed = norm(one.velocity)
        expect(flown / turned / (speed ** 2 / a)).toBeCloseTo(1, 1)
        expect(Math.abs(flown / turned / (speed ** 2 / a) - 1)).toBeLessThan(0.04)
        expect(Math.abs(roll(one) - Math.atan(a / 9.81))).toBeLessThan(2 * DEGREE)
        expect(Math.abs(one.position.y)).toBeLessThan(1)
      })

  it('is no tighter than m·v²/lift', () => {
    // 20 N of lift at 10 m/s: 5 m at best
    const { world, one } = bird(circling(1000), { flight: { lift: 20, bankWeight: 0 } })
    after(2, world)
    let before = { ...one.velocity }
    after(4, world, () => {
      const turn = angleBetween(before, one.velocity) / DT
      expect(turn * norm(one.velocity)).toBeLessThan(20 * 1.001)
      before = { ...one.velocity }
    })
  })

  it('begins with a roll: the bird has no lateral acceleration before it has banked', () => {
    const { world, one } = bird(pushing(v(-30, 0, 0)), { flight: { sideForce: 0 } })
    world.step(DT)
    expect(Math.abs(one.velocity.x)).toBeLessThan(1e-9)
    after(0.5, world)
    expect(one.velocity.x).toBeLessThan(-1)
  })

  it('body and fin give the side force at once', () => {
    const { world, one } = bird(pushing(v(-30, 0, 0)), { flight: { sideForce: 0.25, lift: 40 } })
    world.step(DT)
    expectVec(one.force, v(-10, 0, 0), 1e-6)
  })
})

describe('the wings', () => {
  it('give lift in proportion to the alignment of nose and course: none across, none backwards', () => {
    const lift = (yaw: number): number => {
      const { world, one } = bird(pushing(v(0, 30, 0)), {
        flight: { lift: 40, sideForce: 0 },
        options: { quaternion: { x: 0, y: Math.sin(yaw / 2), z: 0, w: Math.cos(yaw / 2) } },
      })
      world.step(DT)
      return one.force.y
    }
    expect(lift(0)).toBeCloseTo(30, 6)
    expect(lift(Math.PI / 3)).toBeCloseTo(15, 6)
    expect(lift(Math.PI / 2)).toBeCloseTo(0, 6)
    expect(lift(Math.PI)).toBeCloseTo(0, 6)
  })
})

describe('speed', () => {
  it('below minSpeed the engine accelerates, whatever the demand is', () => {
    const { world, one } = bird(pushing(v(0, 0, -30)), {
      // without lift, which would turn it about
      flight: { minSpeed: 8, lift: 0 },
      options: { velocity: v(0, 0, 3) },
    })
    after(3, world)
    // above minSpeed the wish brakes again
    expect(one.velocity.z).toBeGreaterThan(7.5)
    expect(one.velocity.z).toBeLessThan(8.5)
  })

  it('at minSpeed a wish exactly astern turns the agent about, although straight astern has no side', () => {
    const { world, one } = bird(pushing(v(0, 0, -30)), {
      flight: { minSpeed: 8 },
      options: { velocity: v(0, 0, 8) },
    })
    after(3, world)
    expect(one.velocity.z).toBeLessThan(-8)
  })

  it('the agent never slows itself below minSpeed', () => {
    const { world, one } = bird(pushing(v(5, -3, -30)), { flight: { minSpeed: 6 } })
    after(6, world, () => expect(norm(one.velocity)).toBeGreaterThan(6 - 0.7))
  })

  it('without a minSpeed the agent can stop', () => {
    const { world, one } = bird(
      {
        steer(agent, _step, out) {
          Object.assign(out.force, times(agent.velocity, -5))
        },
      },
      {},
    )
    after(4, world)
    expect(norm(one.velocity)).toBeLessThan(0.1)
  })

  it('thrust and brake are limited by their options', () => {
    const flight = { thrust: 6, brake: 2 }
    const faster = bird(pushing(v(0, 0, 100)), { flight })
    after(1, faster.world)
    expect(faster.one.velocity.z).toBeCloseTo(16, 2)
    const slower = bird(pushing(v(0, 0, -100)), { flight })
    after(1, slower.world)
    expect(slower.one.velocity.z).toBeCloseTo(8, 2)
  })

  it('lift falls with the square of the speed below minSpeed', () => {
    const at = (speed: number): number => {
      const { world, one } = bird(pushing(v(0, 100, 0)), {
        flight: { minSpeed: 10, lift: 16, thrust: 0, brake: 0 },
        options: { velocity: v(0, 0, speed) },
      })
      world.step(DT)
      return one.force.y
    }
    expect(at(10)).toBeCloseTo(16, 1)
    expect(at(5)).toBeCloseTo(4, 1)
    expect(at(2.5)).toBeCloseTo(1, 1)
    expect(at(15)).toBeCloseTo(16, 1)
  })
})

describe.each([0, 3])('a bird of four times the mass and force, gravity %s m/s²', (gravity) => {
  it('banks and turns as the light one does', () => {
    const heavy = { mass: 4, maxForce: 160, maxTorque: 200 }
    const rolls = [{}, heavy].map((options) => {
      const steer: Behavior['steer'] = (agent, step, out) => {
        circling(5).steer(agent, step, out)
        Object.assign(out.force, times(out.force, agent.mass))
      }
      const { world, one } = bird({ steer }, { gravity, options })
      after(1.5, world)
      return [roll(one), one.velocity.x, one.velocity.z]
    })
    expect(Math.abs(rolls[0]![0]!)).toBeGreaterThan(0.3)
    expect(rolls[1]).toEqual(rolls[0])
  })
})

describe('in gravity', () => {
  it('the lift holds the weight: a bird without a wish keeps its height', () => {
    const { world, one } = bird(idle(), { gravity: 9.81 })
    after(10, world)
    expect(Math.abs(one.position.y)).toBeLessThan(0.01)
    expect(one.velocity.z).toBeCloseTo(10, 3)
  })

  it('the lift holds the weight also at full speed', () => {
    const { world, one } = bird(idle(), { gravity: 9.81, options: { maxSpeed: 10 } })
    after(10, world)
    expect(Math.abs(one.position.y)).toBeLessThan(0.1)
  })

  it('a bird with too little lift sinks', () => {
    const { world, one } = bird(idle(), { gravity: 9.81, flight: { lift: 5 } })
    after(1, world)
    expect(one.position.y).toBeLessThan(-1)
  })

  it('a bird that is too slow stalls, gains speed and recovers', () => {
    const { world, one } = bird(idle(), {
      gravity: 9.81,
      flight: { minSpeed: 8 },
      options: { velocity: v(0, 0, 2) },
    })
    after(6, world)
    expect(norm(one.velocity)).toBeGreaterThan(7.5)
    const { y } = one.position
    after(2, world)
    // without a wish to climb it glides on at the same angle, with the nose along the course
    expect(Math.abs(one.position.y - y)).toBeLessThan(0.1 * 2 * norm(one.velocity))
  })
})

/** Accelerates along the up axis of its course frame, at constant speed. */
function looping(pull: number): Behavior {
  return {
    steer(agent, _step, out) {
      const { x, y } = agent.course
      Object.assign(out.force, plus(times(y, pull), times(x, (10 - agent.speed) * 4)))
    },
  }
}

describe('through the vertical', () => {
  for (const gravity of [0, 9.81])
    it(`a vertical loop is flown without a flip, gravity ${gravity}`, () => {
      const { world, one } = bird(looping(20), {
        gravity,
        options: { maxForce: 60, compensateGravity: true },
      })
      let turned = 0
      let before = { ...one.velocity }
      let top = { ...one.attitude.y }
      after(8, world, () => {
        turned += angleBetween(before, one.velocity)
        before = { ...one.velocity }
        // the up axis stays within 40° of that of the course frame
        expect(angleBetween(one.attitude.y, one.course.y)).toBeLessThan(40 * DEGREE)
        expect(angleBetween(top, one.attitude.y)).toBeLessThan(4 * DEGREE)
        top = { ...one.attitude.y }
      })
      expect(turned).toBeGreaterThan(2 * Math.PI)
      // the bird stays in the plane of the loop
      expect(Math.abs(one.position.x)).toBeLessThan(1e-6)
    })

  // with gravity the lift vanishes, and only its noise gives a direction for the up axis, so the bird would
  // spin
  const cases: [number, Vec3Like][] = [
    [0, v(0, 1e6, 0)],
    [0, v(0, -1e6, 0)],
    [9.81, v(0, 1e6, 0)],
    [9.81, v(0, -1e6, 0)],
  ]
  for (const [gravity, target] of cases)
    it(`straight ${target.y > 0 ? 'up' : 'down'} is flown without spinning, gravity ${gravity}`, () => {
      const { world, one } = bird(new Seek({ target }), {
        gravity,
        options: { compensateGravity: true, maxSpeed: 10 },
      })
      after(2.5, world)
      const way = v(0, Math.sign(target.y), 0)
      expectVec(unit(one.velocity), way, 0.01)
      expectVec(one.attitude.x, way, 0.02)
      after(7.5, world, () => expect(norm(one.angularVelocity)).toBeLessThan(0.1))
    })

  it('the nose lies along the course', () => {
    const { world, one } = bird(idle(), { options: { velocity: v(4, 5, 6) } })
    after(4, world)
    expectVec(one.attitude.x, unit(v(4, 5, 6)), 1e-2)
  })
})
