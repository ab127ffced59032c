import { describe, expect, it } from 'vitest'
import { SteeringController, SteeringWorld, type WorldOptions } from 'three-steering'
import type { Pose, View } from 'three-steering/authoring'
import { about, expectRotation, expectVec, v } from '../support/geometry.js'
import { Dummy, idle, pilot, type PilotOptions } from '../support/pilot.js'
import { addFlock } from '../support/flock.js'

/** Records the poses that it gets. */
class Screen implements View {
  readonly poses: Pose[] = []
  flushed: number[] = []

  write(index: number, { position, quaternion }: Pose): void {
    this.poses[index] = { position: { ...position }, quaternion: { ...quaternion } }
  }

  flush(count: number): void {
    this.flushed.push(count)
  }

  get x(): number {
    return this.poses[0]!.position.x
  }
}

/** An agent with a view, without any force. */
function shown(options: PilotOptions, world = new SteeringWorld()) {
  const screen = new Screen()
  const one = new SteeringController(screen, {
    behavior: idle(),
    maxSpeed: 100,
    maxForce: 0,
    maxTorque: 10,
    ...options,
  })
  world.add(one)
  return { world, one, screen }
}

describe('step', () => {
  it('counts steps and time', () => {
    const world = new SteeringWorld()
    expect([world.tick, world.time]).toEqual([0, 0])
    world.step(0.25)
    world.step(0.5)
    expect([world.tick, world.time]).toEqual([2, 0.75])
  })

  it('gives behaviours the time at its start, its length and its number', () => {
    const seen: number[][] = []
    const world = new SteeringWorld({ up: v(0, 0, 3) })
    let up = v(0, 0, 0)
    world.add(
      pilot({
        steer(_agent, step) {
          seen.push([step.time, step.dt, step.tick])
          up = { ...step.up }
        },
      }),
    )
    world.step(0.25)
    world.step(0.5)
    expect(seen).toEqual([
      [0, 0.25, 0],
      [0.25, 0.5, 1],
    ])
    expectVec(up, v(0, 0, 1), 0)
  })

  it('shows all agents the same instant, in whatever order they steer', () => {
    const world = new SteeringWorld()
    const pilots = [0, 1, 2].map((i) => pilot(undefined, { velocity: v(0, 0, i + 1) }))
    const seen: number[][] = []
    for (const each of pilots) {
      each.behavior = { steer: () => void seen.push(pilots.map((p) => p.position.z)) }
      world.add(each)
    }
    world.step(1)
    expect(seen).toEqual([
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
    ])
    expect(pilots.map((p) => p.position.z)).toEqual([1, 2, 3])
  })

  it('integrates velocity first, then position with the new velocity, with mass and gravity', () => {
    const world = new SteeringWorld({ gravity: v(0, -10, 0) })
    const one = pilot(
      {
        steer: (_agent, _step, out) => {
          out.force.x = 8
        },
      },
      { mass: 2, velocity: v(1, 0, 0), maxSpeed: 1000 },
    )
    world.add(one)
    world.step(0.5)
    expectVec(one.velocity, v(3, -5, 0), 1e-12)
    expectVec(one.position, v(1.5, -2.5, 0), 1e-12)
    expectVec(one.force, v(8, 0, 0), 1e-12)
    expectVec(one.demand.force, v(8, 0, 0), 1e-12)
  })

  it('turns by torque and inertia', () => {
    const world = new SteeringWorld()
    const one = pilot(
      {
        steer: (_agent, _step, out) => {
          out.torque.y = 3
          out.turns = true
        },
      },
      { inertia: v(1, 6, 1), maxTorque: 5 },
    )
    world.add(one)
    world.step(0.5)
    expectVec(one.angularVelocity, v(0, 0.25, 0), 1e-12)
    expectRotation(one.quaternion, about(v(0, 1, 0), 0.125), 1e-9)
    expectVec(one.torque, v(0, 3, 0), 1e-12)
  })

  it('uses gravity as it is at present', () => {
    const world = new SteeringWorld({ gravity: v(0, -10, 0) })
    const one = pilot()
    world.add(one)
    world.step(0.5)
    expect(one.velocity.y).toBe(-5)
    world.gravity.y = 4
    world.step(0.5)
    expect(one.velocity.y).toBe(-3)
  })

  it('shows behaviours the gravity that acts', () => {
    const world = new SteeringWorld({ gravity: v(0, -10, 0) })
    let seen = v(0, 0, 0)
    world.add(
      pilot({
        steer: (agent) => {
          seen = { ...agent.gravity }
        },
      }),
    )
    world.step(0.5)
    expectVec(seen, v(0, -10, 0), 0)
    const body = new Dummy({ gravity: v(0, -3, 1) })
    world.add(
      pilot(
        {
          steer: (agent) => {
            seen = { ...agent.gravity }
          },
        },
        { body },
      ),
    )
    world.step(0.5)
    expectVec(seen, v(0, -3, 1), 0)
  })

  it('applies a force to a body once, and never moves it', () => {
    const body = new Dummy({ velocity: v(1, 0, 0), mass: 4 })
    const one = pilot(
      {
        steer: (agent, _step, out) => {
          out.force.x = agent.mass
          out.torque.z = 0.5
          out.turns = true
        },
      },
      { body },
    )
    const world = new SteeringWorld({ gravity: v(0, -10, 0) })
    world.add(one)
    world.step(0.1)
    world.step(0.1)
    expect(body.given).toHaveLength(2)
    expectVec(body.given[1]!.force, v(4, 0, 0), 1e-12)
    expectVec(body.given[1]!.torque, v(0, 0, 0.5), 1e-12)
    expectVec(one.position, v(0, 0, 0), 0)
    expectVec(body.state.position, v(0, 0, 0), 0)
    expect(one.mass).toBe(4)
  })
})

describe('advance', () => {
  const world = (options: WorldOptions = {}): SteeringWorld => new SteeringWorld(options)

  it('makes as many fixed steps as fit, and keeps the rest of the time', () => {
    const w = world({ fixedStep: 0.1 })
    expect([w.advance(0.05), w.advance(0.04), w.advance(0.02), w.advance(0.2)]).toEqual([0, 0, 1, 2])
    expect(w.tick).toBe(3)
    expect(w.time).toBeCloseTo(0.3, 12)
  })

  it('makes exactly one step for each frame of one step, for an hour', () => {
    const w = world()
    let odd = 0
    for (let i = 0; i < 216_000; i++) if (w.advance(1 / 60) !== 1) odd++
    expect([odd, w.tick]).toEqual([0, 216_000])
  })

  for (const rate of [24, 30, 60, 75, 90, 144, 240, 1000])
    it(`${rate} frames a second make 60 steps a second`, () => {
      const w = world()
      for (let i = 0; i < rate * 10; i++) w.advance(1 / rate)
      expect(Math.abs(w.tick - 600)).toBeLessThanOrEqual(1)
    })

  for (const rate of [120, 180, 240, 300, 360, 600])
    it(`${rate} frames a second: one step in every ${rate / 60} frames, never a frame late by rounding`, () => {
      const w = world()
      for (let i = 1; i <= 20 * rate; i++) {
        w.advance(1 / rate)
        if (w.tick !== Math.floor((60 * i) / rate)) expect.fail(`${w.tick} steps after ${i} frames`)
      }
      expect(w.tick).toBe(1200)
    })

  it('makes as many steps as time has passed, with uneven frames', () => {
    const w = world()
    let seconds = 0
    for (let i = 0; i < 500; i++) {
      const frame = 0.001 + 0.03 * Math.abs(Math.sin(12.9898 * i))
      seconds += frame
      w.advance(frame)
    }
    expect(Math.abs(w.time - seconds)).toBeLessThanOrEqual(1 / 60 + 1e-9)
  })

  it('makes five steps in a frame of 30 s and drops the rest', () => {
    const w = world()
    expect(w.advance(30)).toBe(5)
    expect(w.advance(0)).toBe(0)
    expect(w.advance(1 / 60)).toBe(1)
    expect(w.tick).toBe(6)
  })

  it('makes at most maxSteps steps', () => {
    const w = world({ maxSteps: 2, fixedStep: 0.5 })
    expect(w.advance(100)).toBe(2)
    expect(w.time).toBe(1)
  })

  it('makes three steps in a frame of 0.3 s, though 0.3 / 0.1 is less than 3 in floating point', () => {
    const w = world({ fixedStep: 0.1 })
    expect([w.advance(0.3), w.advance(0.3), w.advance(0.1)]).toEqual([3, 3, 1])
  })

  it('makes no step in no time', () => {
    expect(world().advance(0)).toBe(0)
  })

  it('presents between the steps, so the picture moves evenly at any frame rate', () => {
    for (const rate of [50, 144, 240]) {
      const { world: w, screen } = shown({ velocity: v(6, 0, 0) })
      let before = Number.NaN
      for (let i = 0; i < rate; i++) {
        w.advance(1 / rate)
        const { x } = screen
        // the picture lags by one step, but not at the start
        if (i > rate / 10) expect(x - before).toBeCloseTo(6 / rate, 9)
        before = x
      }
      expect(screen.x).toBeCloseTo(6 * (1 - 1 / 60), 1)
    }
  })

  it('throws in a world that its physics engine steps', () => {
    const w = world()
    w.drive(() => 0.5)
    expect(() => w.advance(1 / 60)).toThrow(/physics engine/)
    expect(w.tick).toBe(0)
  })
})

describe('present', () => {
  it('shows the start of the last step at 0, its end at 1, and poses between them', () => {
    const { world, screen } = shown({ velocity: v(6, 0, 0) })
    world.step(1)
    for (const alpha of [0, 0.25, 0.5, 1]) {
      world.present(alpha)
      expect(screen.x).toBeCloseTo(6 * alpha, 12)
    }
    world.step(1)
    world.present(0.5)
    expect(screen.x).toBeCloseTo(9, 12)
    world.present()
    expect(screen.x).toBeCloseTo(12, 12)
  })

  it('interpolates the rotation at a constant rate', () => {
    const { world, screen } = shown({
      angularVelocity: v(0, 1, 0),
      behavior: {
        steer: (_a, _s, out) => {
          out.turns = true
        },
      },
    })
    world.step(0.5)
    for (const alpha of [0, 0.5, 1]) {
      world.present(alpha)
      expectRotation(screen.poses[0]!.quaternion, about(v(0, 1, 0), 0.5 * alpha), 1e-9)
    }
    world.present(0.25)
    // the error of a normalised lerp is below 0.1 % of half a radian
    expectRotation(screen.poses[0]!.quaternion, about(v(0, 1, 0), 0.125), 5e-4)
  })

  it('shows an agent at rest, also before the first step', () => {
    const { world, screen } = shown({ position: v(3, 4, 5), quaternion: about(v(1, 0, 0), 1) })
    world.present(0.3)
    expectVec(screen.poses[0]!.position, v(3, 4, 5), 1e-12)
    expectRotation(screen.poses[0]!.quaternion, about(v(1, 0, 0), 1), 1e-9)
  })

  it('does not sweep across a teleport', () => {
    const { world, one, screen } = shown({ velocity: v(6, 0, 0) })
    world.step(1)
    one.teleport({ position: v(1000, 0, 0), quaternion: about(v(0, 1, 0), 2) })
    for (const alpha of [0, 0.5, 1]) {
      world.present(alpha)
      expectVec(screen.poses[0]!.position, v(1000, 0, 0), 1e-9)
      expectRotation(screen.poses[0]!.quaternion, about(v(0, 1, 0), 2), 1e-7)
    }
    expect(one.velocity.x).toBe(6)
    world.step(1)
    world.present(0.5)
    expect(screen.x).toBeCloseTo(1003, 9)
  })

  it('does not sweep across a teleport of a body either', () => {
    const body = new Dummy()
    const { world, one, screen } = shown({ body })
    world.step(1)
    body.state.position.x = 500
    one.teleport()
    world.present(0.5)
    expect(screen.x).toBe(500)
    world.step(1)
    body.state.position.x = 502
    world.present(0.5)
    expect(screen.x).toBe(501)
  })

  it('shows a body between where it was when the step began and where it is now', () => {
    const body = new Dummy({ position: v(2, 0, 0) })
    const { world, screen } = shown({ body })
    world.step(1)
    // the engine moves the body after the step
    body.state.position.x = 4
    world.present(0.5)
    expect(screen.x).toBe(3)
    world.present(1)
    expect(screen.x).toBe(4)
  })

  it('shows an agent that is added between steps at its position', () => {
    const { world } = shown({})
    world.step(1)
    const { screen } = shown({ position: v(7, 0, 0) }, world)
    world.present(0.5)
    expect(screen.x).toBe(7)
  })

  it('writes the view of each agent, when others are removed as well', () => {
    const world = new SteeringWorld()
    const all = [0, 1, 2, 3].map((i) => shown({ position: v(i, 0, 0), velocity: v(0, 0, i) }, world))
    world.step(1)
    world.remove(all[0]!.one)
    world.remove(all[2]!.one)
    world.present(0.5)
    expect(all[0]!.screen.poses).toEqual([])
    expect(all[2]!.screen.poses).toEqual([])
    for (const i of [1, 3]) expectVec(all[i]!.screen.poses[0]!.position, v(i, 0, i / 2), 1e-12)
  })

  it('interpolates an agent that is shown for the first time after many steps', () => {
    const world = new SteeringWorld()
    const { screen } = shown({ velocity: v(6, 0, 0) }, world)
    for (let i = 0; i < 10; i++) world.step(1)
    world.present(0.5)
    expect(screen.x).toBeCloseTo(57, 9)
  })

  it('flushes the view of a flock with the number of members, once a frame', () => {
    const screen = new Screen()
    const world = new SteeringWorld()
    const flock = addFlock(world, { behavior: idle(), count: 3, maxSpeed: 1, maxForce: 1, view: screen })
    world.present(1)
    flock.remove(1)
    world.present(1)
    flock.remove(0)
    flock.remove(0)
    world.present(1)
    expect(screen.flushed).toEqual([3, 2, 0])
  })

  it('flushes the view of a disposed flock with 0', () => {
    const screen = new Screen()
    const world = new SteeringWorld()
    const flock = addFlock(world, { behavior: idle(), count: 3, maxSpeed: 1, maxForce: 1, view: screen })
    world.present(1)
    flock.dispose()
    world.present(1)
    expect(screen.flushed.at(-1)).toBe(0)
  })

  it('teleport keeps the values that are not given', () => {
    const one = pilot(idle(), { velocity: v(1, 2, 3), angularVelocity: v(0, 1, 0), position: v(9, 9, 9) })
    one.teleport({ quaternion: about(v(0, 1, 0), 1) })
    expectVec(one.position, v(9, 9, 9), 0)
    expectVec(one.velocity, v(1, 2, 3), 0)
    expectVec(one.angularVelocity, v(0, 1, 0), 0)
    expectRotation(one.quaternion, about(v(0, 1, 0), 1), 1e-9)
  })
})
