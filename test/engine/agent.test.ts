import { describe, expect, it } from 'vitest'
import { Hover, SteeringWorld, type Agent, type Behavior, type Locomotion } from 'three-steering'
import { about, expectFrame, expectRotation, expectVec, norm, turned, unit, v } from '../support/geometry.js'
import { Dummy, idle, pilot, xyz, type PilotOptions } from '../support/pilot.js'
import { addFlock } from '../support/flock.js'

/** Copies the values that a behaviour sees of its agent inside a step. */
function look<T>(options: PilotOptions, see: (agent: Agent) => T, steps = 1): T {
  let seen: T | undefined
  const world = new SteeringWorld()
  world.add(pilot({ steer: (agent) => void (seen = see(agent)) }, options))
  for (let i = 0; i < steps; i++) world.step(1 / 60)
  return seen!
}

describe('the options of an agent', () => {
  const options = {
    maxSpeed: 3,
    maxForce: 4,
    maxTorque: 5,
    maxTurnRate: 6,
    mass: 7,
    inertia: v(1, 2, 3),
    radius: 0.25,
    responseTime: 0.75,
    group: 12,
    seed: 99,
    compensateGravity: true,
    compensateDamping: true,
  }

  it('are all seen by its behaviour', () => {
    const seen = look(options, (agent) => ({
      maxSpeed: agent.maxSpeed,
      maxForce: agent.maxForce,
      maxTorque: agent.maxTorque,
      maxTurnRate: agent.maxTurnRate,
      mass: agent.mass,
      inertia: xyz(agent.inertia),
      radius: agent.radius,
      responseTime: agent.responseTime,
      group: agent.group,
      seed: agent.seed,
      compensateGravity: agent.compensateGravity,
      compensateDamping: agent.compensateDamping,
    }))
    expect(seen).toEqual(options)
  })

  it('are shown by its controller', () => {
    const one = pilot(idle(), options)
    const { maxSpeed, maxForce, maxTorque, maxTurnRate, mass, radius, responseTime } = one
    expect({ maxSpeed, maxForce, maxTorque, maxTurnRate, mass, radius, responseTime }).toEqual({
      maxSpeed: 3,
      maxForce: 4,
      maxTorque: 5,
      maxTurnRate: 6,
      mass: 7,
      radius: 0.25,
      responseTime: 0.75,
    })
  })

  it('may be changed before and after it is added, and read back as given', () => {
    const world = new SteeringWorld()
    const one = pilot(idle(), options)
    const other = pilot(idle(), options)
    const flock = addFlock(world, { behavior: idle(), count: 1, maxSpeed: 1, maxForce: 1 })
    world.add(other)
    const changes = { maxSpeed: 2, maxForce: 3, maxTorque: 4, maxTurnRate: 5, responseTime: 0.3, priority: 6 }
    for (const each of [one, other, flock]) {
      Object.assign(each, changes, { maxNeighbors: 7 })
      expect(each).toMatchObject({ ...changes, maxNeighbors: 7 })
      for (const angle of [0.01, 1, Math.PI / 2, Math.PI, 5, 2 * Math.PI]) {
        each.fieldOfView = angle
        expect(each.fieldOfView).toBeCloseTo(angle, 9)
      }
    }
    world.add(one)
    expect(one).toMatchObject({ ...changes, maxNeighbors: 7 })
  })

  it('default to 1 kg and a solid sphere of 0.5 m radius with thrusters on its hull', () => {
    const world = new SteeringWorld()
    let seen: number[] = []
    const behavior: Behavior = {
      steer: (a) => {
        seen = [a.mass, a.radius, a.inertia.x, a.inertia.y, a.inertia.z, a.maxTorque, a.group]
      },
    }
    addFlock(world, { behavior, count: 1, maxSpeed: 1, maxForce: 8 })
    world.step(1 / 60)
    for (const [i, expected] of [1, 0.5, 0.1, 0.1, 0.1, 4, 1].entries())
      expect(seen[i]).toBeCloseTo(expected, 12)
  })

  it('take effect in the next step when changed', () => {
    const seen: number[] = []
    const world = new SteeringWorld()
    const one = pilot({ steer: (agent) => void seen.push(agent.maxSpeed, agent.maxTurnRate) })
    world.add(one)
    world.step(1 / 60)
    one.maxSpeed = 77
    one.maxTurnRate = 0.5
    world.step(1 / 60)
    expect(seen.slice(2)).toEqual([77, 0.5])
  })
})

describe('an agent with a body', () => {
  it('has the whole state of its body', () => {
    const q = about(unit(v(1, -2, 3)), 1.2)
    const body = new Dummy({
      position: v(1, 2, 3),
      velocity: v(0, 3, 4),
      angularVelocity: v(0.1, 0.2, 0.3),
      quaternion: q,
      mass: 5,
      inertia: v(2, 3, 0),
      gravity: v(0, -2, 0),
      linearDamping: 0.5,
      angularDamping: 0.1,
    })
    const seen = look({ body }, (agent) => ({
      position: xyz(agent.position),
      velocity: xyz(agent.velocity),
      speed: agent.speed,
      spin: xyz(agent.angularVelocity),
      orientation: { ...agent.orientation },
      mass: agent.mass,
      inertia: xyz(agent.inertia),
      gravity: xyz(agent.gravity),
      damping: agent.damping,
      angularDamping: agent.angularDamping,
    }))
    expect(seen.position).toEqual(v(1, 2, 3))
    expect(seen.velocity).toEqual(v(0, 3, 4))
    expect(seen.speed).toBe(5)
    expect(seen.spin).toEqual(v(0.1, 0.2, 0.3))
    expectRotation(seen.orientation, q, 1e-9)
    expect([seen.mass, seen.inertia, seen.gravity]).toEqual([5, v(2, 3, 0), v(0, -2, 0)])
    // v · (1 − d)^t = v · e^(−rate · t)
    expect(seen.damping).toBeCloseTo(Math.LN2, 12)
    expect(seen.angularDamping).toBeCloseTo(-Math.log(0.9), 12)
  })

  it.each([0, 1, 0.999999, -1])('a damping of %s is a finite rate', (linearDamping) => {
    const damping = look({ body: new Dummy({ linearDamping }) }, (agent) => agent.damping)
    expect(Number.isFinite(damping)).toBe(true)
    expect(damping).toBeGreaterThanOrEqual(0)
  })

  it('has an attitude frame along its model axes', () => {
    const q = about(unit(v(1, -2, 3)), 1.2)
    const [forward, up] = [v(1, 0, 0), v(0, 0, -1)]
    const seen = look({ quaternion: q, forward, up, maxTorque: 0 }, ({ attitude: { x, y, z } }) => ({
      x: xyz(x),
      y: xyz(y),
      z: xyz(z),
    }))
    expectFrame(seen)
    expectVec(seen.x, turned(q, forward), 1e-9)
    expectVec(seen.y, turned(q, up), 1e-9)
  })
})

describe('random numbers', () => {
  const draws = (seed: number, tick: number, world = 1): number[] => {
    const w = new SteeringWorld({ seed: world })
    let seen: number[] = []
    w.add(pilot({ steer: (a) => void (seen = [a.random(), a.random(), a.random()]) }, { seed }))
    for (let i = 0; i <= tick; i++) w.step(1 / 60)
    return seen
  }

  it('are in [0, 1), and differ within a step, between steps, agents and worlds', () => {
    const all = [draws(1, 0), draws(1, 1), draws(2, 0), draws(1, 0, 2)].flat()
    for (const x of all) expect(x >= 0 && x < 1).toBe(true)
    expect(new Set(all).size).toBe(all.length)
  })

  it('are the same for the same agent, step and world, whichever other agents exist', () => {
    expect(draws(5, 3)).toEqual(draws(5, 3))
    const w = new SteeringWorld()
    let seen: number[] = []
    const others = [pilot({ steer: (a) => void a.random() }), pilot({ steer: (a) => void a.random() })]
    others.forEach((each) => w.add(each))
    w.add(pilot({ steer: (a) => void (seen = [a.random(), a.random(), a.random()]) }, { seed: 5 }))
    w.step(1 / 60)
    w.remove(others[0]!)
    for (let i = 0; i < 3; i++) w.step(1 / 60)
    expect(seen).toEqual(draws(5, 3))
  })

  it('may have negative and large seeds', () => {
    const lists = [-1, -(2 ** 31), 7, 2 ** 32 - 2].map((seed) => draws(seed, 0).join(' '))
    expect(new Set(lists).size).toBe(4)
  })
})

describe('the locomotion', () => {
  it('gets the demand of the behaviour, and its output is what is given', () => {
    const locomotion: Locomotion = {
      actuate: (_agent, demand, _step, out) => {
        out.force.x = demand.force.x / 2
        out.torque.y = demand.torque.y + 1
      },
      forceAlong: () => 42,
    }
    const world = new SteeringWorld()
    let along = 0
    const one = pilot(
      {
        steer: (agent, _step, out) => {
          along = agent.forceAlong(0, 1, 0)
          out.force.x = 8
          out.torque.y = 2
        },
      },
      { locomotion },
    )
    world.add(one)
    world.step(1 / 60)
    expectVec(one.force, v(4, 0, 0), 0)
    expectVec(one.torque, v(0, 3, 0), 0)
    expect(along).toBe(42)
  })

  it('forceAlong is never negative', () => {
    const locomotion: Locomotion = { actuate() {}, forceAlong: () => -3 }
    expect(look({ locomotion }, (agent) => agent.forceAlong(1, 0, 0))).toBe(0)
  })

  it('may be replaced at any time', () => {
    const world = new SteeringWorld()
    const one = pilot(idle(), { velocity: v(1, 0, 0) })
    world.add(one)
    world.step(1 / 60)
    expect(norm(one.torque)).toBeGreaterThan(0)
    one.locomotion = new Hover({ attitude: null })
    world.step(1 / 60)
    expectVec(one.torque, v(0, 0, 0), 0)
    expectVec(one.attitude.x, v(1, 0, 0), 1e-9)
  })
})
