import { describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  blend,
  Cruise,
  dither,
  Flight,
  Flock,
  Flocking,
  Hover,
  MatchVelocity,
  neighborSearch,
  Obstacles,
  ReciprocalAvoidance,
  Seek,
  smooth,
  SphereShape,
  SteeringController,
  SteeringWorld,
  Thrusters,
  Wander,
  within,
  type Behavior,
  type ControllerOptions,
  type FlockingOptions,
  type FlockOptions,
  type Vec3Like,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { ALL } from '../support/tier.js'
import { expectConsole } from '../support/console.js'

// The rows of docs/guides/tuning.md: the symptom is there with the one value, and the option cures it.

const GOAL = { x: 30, y: 20, z: 40 }
const DT = 1 / 60
const length = ({ x, y, z }: Vec3Like): number => Math.hypot(x, y, z)
const gap = (a: Vec3Like, b: Vec3Like): number => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)

function pilotOf(behavior: Behavior, options: Partial<ControllerOptions> = {}): SteeringController {
  return new SteeringController(null, { behavior, maxSpeed: 10, maxForce: 10, ...options })
}

/** Flies for `seconds`, and calls `see` after each step. */
function fly(
  pilots: readonly SteeringController[],
  seconds: number,
  see: (time: number) => void,
  world = new SteeringWorld(),
): void {
  for (const each of pilots) world.add(each)
  for (let i = 0; i < Math.round(seconds / DT); i++) {
    world.step(DT)
    see(world.time)
  }
}

/** Time (s) of the event `arrive`; Infinity without. */
function arrival(pilot: SteeringController, seconds = 60, world = new SteeringWorld()): number {
  let time = Infinity
  pilot.addEventListener('arrive', () => (time = Math.min(time, world.time)))
  fly([pilot], seconds, () => {}, world)
  return time
}

describe('the table of symptoms', () => {
  it('too slow to arrive, brakes early: maxForce; astern of Thrusters', () => {
    const time = (maxForce: number): number => arrival(pilotOf(new Arrive({ target: GOAL }), { maxForce }))
    expect(time(20)).toBeLessThan(0.75 * time(2))
    const engines = (astern: number): number =>
      arrival(pilotOf(new Arrive({ target: GOAL }), { locomotion: new Thrusters({ ahead: 10, astern }) }))
    expect(engines(10)).toBeLessThan(0.95 * engines(1))
  })

  it('brakes too abruptly: maxForce, decelerationTime', () => {
    const brakes = (maxForce: number, options: object): number => {
      const pilot = pilotOf(new Arrive({ target: GOAL, ...options }), { maxForce })
      let most = 0
      fly([pilot], 30, () => {
        const { force, velocity } = pilot
        const along = force.x * velocity.x + force.y * velocity.y + force.z * velocity.z
        if (length(velocity) > 1) most = Math.max(most, -along / length(velocity))
      })
      return most
    }
    const abrupt = brakes(40, {})
    expect(brakes(5, {})).toBeLessThan(0.2 * abrupt)
    expect(brakes(40, { decelerationTime: 3 })).toBeLessThan(0.2 * abrupt)
  })

  it('arrive never for a body that is pushed: tolerance', () => {
    // a hint names compensateGravity
    expectConsole()
    const time = (tolerance: number): number => {
      const pilot = pilotOf(new Arrive({ target: GOAL, tolerance }), { responseTime: 0.5 })
      return arrival(pilot, 60, new SteeringWorld({ gravity: { x: 0, y: -3, z: 0 } }))
    }
    expect(time(0.01)).toBe(Infinity)
    expect(time(3)).toBeLessThan(30)
  })

  it('reacts sluggishly: responseTime', () => {
    const settled = (responseTime: number): number => {
      const behavior = new MatchVelocity({ target: { position: GOAL, velocity: { x: 0, y: 5, z: 0 } } })
      const pilot = pilotOf(behavior, { responseTime, maxForce: 50 })
      let time = Infinity
      fly([pilot], 10, (now) => {
        if (pilot.velocity.y > 4.5) time = Math.min(time, now)
      })
      return time
    }
    expect(settled(0.1)).toBeLessThan(0.3 * settled(1))
  })

  /** What it takes to hold a place that is only known to ± 2 cm, as by a tracker or a network. */
  function hold(options: Partial<ControllerOptions>): { push: number; turn: number } {
    const target = { x: 0, y: 0, z: 0 }
    const pilot = pilotOf(new Arrive({ target }), { maxForce: 50, maxSpeed: 5, ...options })
    let push = 0
    let turn = 0
    let last = { x: 0, y: 0, z: 1 }
    const random = seeded(8)
    fly([pilot], 20, (time) => {
      for (const axis of ['x', 'y', 'z'] as const) target[axis] = 0.04 * (random() - 0.5)
      const { attitude, force } = pilot
      const { x, y, z } = attitude.x
      if (time > 5) {
        push += length(force) * DT
        turn += Math.acos(Math.min(1, x * last.x + y * last.y + z * last.z))
      }
      last = { x, y, z }
    })
    return { push, turn }
  }

  it('shakes on the spot: responseTime; a fixed step; smooth around schemes that change their mind', () => {
    expectConsole()
    expect(hold({ responseTime: 0.5 }).push).toBeLessThan(0.5 * hold({ responseTime: 0.1 }).push)
    const shakes = (wrap: (behavior: Behavior) => Behavior): number => {
      const wishes = [GOAL, { x: -GOAL.x, y: GOAL.y, z: -GOAL.z }].map((target) => ({
        behavior: new Seek({ target }),
        probability: 0.5,
      }))
      const pilot = pilotOf(wrap(dither(wishes)))
      let judder = 0
      let last = { x: 0, y: 0, z: 0 }
      fly([pilot], 10, () => {
        const { x, y, z } = pilot.force
        judder += gap(last, pilot.force)
        last = { x, y, z }
      })
      return judder
    }
    // steps as long as the frames of a busy page, beside steps of one length
    const uneven = (steps: () => number): number => {
      const world = new SteeringWorld({ gravity: { x: 0, y: -3, z: 0 } })
      const pilot = pilotOf(new Arrive({ target: GOAL }), { maxForce: 50, position: GOAL })
      world.add(pilot)
      let most = 0
      for (let i = 0; i < 1200; i++) {
        world.step(steps())
        if (i > 400) most = Math.max(most, length(pilot.velocity))
      }
      return most
    }
    const random = seeded(4)
    expect(uneven(() => 1 / 60)).toBeLessThan(0.2 * uneven(() => 1 / 144 + random() / 8))
    expect(shakes((behavior) => smooth(behavior, { time: 0.3 }))).toBeLessThan(
      0.3 * shakes((behavior) => behavior),
    )
  })

  it('turns its nose back and forth: facing course instead of thrust; responseTime', () => {
    const thrust = (): Hover => new Hover({ attitude: { facing: 'thrust' } })
    const turns = hold({ locomotion: thrust(), maxTorque: 50 }).turn
    expect(hold({ locomotion: thrust(), maxTorque: 50, responseTime: 0.5 }).turn).toBeLessThan(0.5 * turns)
    // in flight: towards a target that is only known to ± 10 m, 300 m away
    const flight = (locomotion: Hover): number => {
      const target = { x: 0, y: 0, z: 300 }
      const pilot = pilotOf(new Seek({ target }), { locomotion, maxTorque: 50 })
      const random = seeded(3)
      let turn = 0
      let last = { x: 0, y: 0, z: 1 }
      fly([pilot], 10, (time) => {
        for (const axis of ['x', 'y'] as const) target[axis] = 20 * (random() - 0.5)
        const { x, y, z } = pilot.attitude.x
        if (time > 3) turn += Math.acos(Math.min(1, x * last.x + y * last.y + z * last.z))
        last = { x, y, z }
      })
      return turn
    }
    expect(flight(new Hover())).toBeLessThan(0.5 * flight(thrust()))
  })

  it('banks too much: sideForce and bankWeight of Flight', () => {
    const bank = (bankWeight: number, sideForce: number): number => {
      const pilot = pilotOf(new Seek({ target: { x: 200, y: 0, z: 0 } }), {
        locomotion: new Flight({ minSpeed: 3, bankWeight, sideForce }),
        velocity: { x: 0, y: 0, z: 10 },
      })
      let most = 0
      fly([pilot], 4, () => (most = Math.max(most, Math.acos(Math.min(1, pilot.attitude.y.y)))))
      return most
    }
    expect(bank(40, 1.3)).toBeLessThan(0.3 * bank(5, 1.3))
    expect(bank(9.81, 1.3)).toBeLessThan(0.7 * bank(9.81, 0.25))
  })

  const ball = (): Obstacles => new Obstacles([{ shape: new SphereShape(5), at: { x: 0, y: 0.1, z: 25 } }])
  /** Least distance to the ball. */
  const pass = (make: (avoid: AvoidObstacles) => Behavior, clearance?: number): number => {
    const avoid = new AvoidObstacles({
      obstacles: ball(),
      ...(clearance === undefined ? {} : { clearance }),
    })
    const pilot = pilotOf(make(avoid), { maxForce: 20 })
    let least = Infinity
    fly([pilot], 12, () => {
      least = Math.min(least, gap(pilot.position, { x: 0, y: 0.1, z: 25 }) - 5 - pilot.radius)
    })
    return least
  }
  const onward = (): Seek => new Seek({ target: { x: 0, y: 0, z: 100 } })

  it('passes obstacles too closely: clearance', () => {
    const close = pass((avoid) => within([avoid], onward()), 0.1)
    expect(close).toBeLessThan(1)
    expect(pass((avoid) => within([avoid], onward()), 3)).toBeGreaterThan(2)
  })

  it('flies through obstacles: within instead of a blend', () => {
    expect(pass((avoid) => blend([{ behavior: avoid, weight: 0.05 }, onward()]))).toBeLessThan(0)
    expect(pass((avoid) => within([avoid], onward()))).toBeGreaterThan(0)
  })

  it('does not pass a gap that looks wide enough: radius, clearance', () => {
    const side = (radius: number, clearance: number): number => {
      const obstacles = new Obstacles(
        [-1, 1].map((x) => ({ shape: new SphereShape(10), at: { x: 12 * x, y: 0, z: 30 } })),
      )
      const behavior = within([new AvoidObstacles({ obstacles, clearance })], onward())
      const pilot = pilotOf(behavior, { radius, maxForce: 20 })
      let aside = 0
      fly([pilot], 14, () => (aside = Math.max(aside, Math.hypot(pilot.position.x, pilot.position.y))))
      expect(pilot.position.z).toBeGreaterThan(50)
      return aside
    }
    expect(side(0.5, 0.3)).toBeLessThan(0.5)
    expect(side(0.5, 2)).toBeGreaterThan(3)
    expect(side(2.5, 0.3)).toBeGreaterThan(3)
  })

  it('agents touch each other: ReciprocalAvoidance inside within, clearance; priority', () => {
    const meet = (clearance: number | null, priority = 1): [gap: number, aside: number] => {
      const make = (z: number): SteeringController => {
        const goal = new Seek({ target: { x: 0, y: 0, z: -z } })
        const behavior = clearance === null ? goal : within([new ReciprocalAvoidance({ clearance })], goal)
        return pilotOf(behavior, { position: { x: 0.05 * Math.sign(z), y: 0, z }, maxForce: 20 })
      }
      const [a, b] = [make(-40), make(40)]
      a.priority = priority
      let least = Infinity
      let aside = 0
      fly([a, b], 6, () => {
        least = Math.min(least, gap(a.position, b.position) - 1)
        aside = Math.max(aside, Math.hypot(a.position.x, a.position.y))
      })
      return [least, aside]
    }
    expect(meet(null)[0]).toBeLessThan(0)
    const [near, shared] = meet(0.2)
    expect(near).toBeGreaterThan(0)
    expect(meet(2)[0]).toBeGreaterThan(near + 0.5)
    const [far, straight] = meet(0.2, Infinity)
    expect(far).toBeGreaterThan(0)
    expect(straight).toBeLessThan(0.5 * shared)
  })

  interface Look {
    /** Largest distance from the middle, mean distance to the nearest, mean of the unit velocities. */
    spread: number
    nearest: number
    polarisation: number
    slowest: number
  }
  const flockOf = (rules: Partial<FlockingOptions>, more: Behavior[] = [], minSpeed = 0): Look => {
    const world = new SteeringWorld({ seed: 5 })
    const behavior = blend([
      new Flocking({
        separation: { neighborDistance: 2, weight: 1 },
        alignment: { neighborDistance: 6, weight: 1 },
        cohesion: { neighborDistance: 6, weight: 1 },
        ...rules,
      }),
      ...more,
    ])
    const flock = new Flock({
      count: 60,
      behavior,
      maxSpeed: 6,
      maxForce: 10,
      seed: 3,
      radius: 0.5,
      ...(minSpeed > 0 ? { locomotion: new Flight({ minSpeed }) } : {}),
    })
    world.add(flock)
    for (let i = 0; i < 60 * 25; i++) world.step(DT)
    const places = Array.from({ length: 60 }, (_, i) => flock.position(i, { x: 0, y: 0, z: 0 }))
    const speeds = Array.from({ length: 60 }, (_, i) => flock.velocity(i, { x: 0, y: 0, z: 0 }))
    const sum = { x: 0, y: 0, z: 0 }
    for (const v of speeds)
      for (const axis of ['x', 'y', 'z'] as const) sum[axis] += v[axis] / Math.max(1e-9, length(v)) / 60
    const nearest = places.map((p) => Math.min(...places.filter((q) => q !== p).map((q) => gap(p, q))))
    return {
      spread: Math.max(...places.map((p) => Math.max(...places.map((q) => gap(p, q))))),
      nearest: nearest.reduce((a, b) => a + b) / 60,
      polarisation: length(sum),
      slowest: Math.min(...speeds.map(length)),
    }
  }

  it.runIf(ALL)('a flock falls apart: cohesion', () => {
    const loose = flockOf({ cohesion: { neighborDistance: 2.5, weight: 0.2 } }, [new Cruise()])
    const held = flockOf({ cohesion: { neighborDistance: 12, weight: 1.5 } }, [new Cruise()])
    expect(held.spread).toBeLessThan(0.5 * loose.spread)
  })

  it.runIf(ALL)('a flock is a dense ball: separation', () => {
    const dense = flockOf({ separation: { neighborDistance: 1.2, weight: 0.5 } })
    const wide = flockOf({ separation: { neighborDistance: 4, weight: 2 } })
    expect(wide.nearest).toBeGreaterThan(1.5 * dense.nearest)
  })

  it.runIf(ALL)('a flock flies in all directions: alignment, less Wander', () => {
    const wander = (weight: number): Behavior[] => [blend([{ behavior: new Wander(), weight }])]
    const wild = flockOf({ alignment: { neighborDistance: 6, weight: 0.05 } }, wander(2))
    expect(
      flockOf({ alignment: { neighborDistance: 8, weight: 3 } }, wander(2)).polarisation,
    ).toBeGreaterThan(wild.polarisation + 0.2)
    expect(
      flockOf({ alignment: { neighborDistance: 6, weight: 1 } }, wander(0.1)).polarisation,
    ).toBeGreaterThan(wild.polarisation + 0.2)
  })

  it.runIf(ALL)('birds stand in the air: minSpeed of Flight; a Cruise', () => {
    expect(flockOf({}).slowest).toBeLessThan(2)
    expect(flockOf({}, [], 4).slowest).toBeGreaterThan(3)
    expect(flockOf({}, [new Cruise()]).slowest).toBeGreaterThan(3)
  })

  it('a flock is slow, because each agent sees many others: maxNeighbors, neighborDistance', () => {
    const work = (neighborDistance: number, options: Partial<FlockOptions> = {}) => {
      const world = new SteeringWorld({ seed: 5 })
      let seen = 0
      const counter: Behavior = {
        reach: neighborDistance,
        neighborSearch,
        steer: (agent) => void (seen += agent.neighbors.count),
      }
      const rule = { neighborDistance, weight: 1 }
      const flock = new Flock({
        count: 200,
        behavior: blend([new Flocking({ separation: rule, alignment: rule, cohesion: rule }), counter]),
        maxSpeed: 6,
        maxForce: 10,
        seed: 3,
        radius: 0.5,
        ...options,
      })
      world.add(flock)
      for (let i = 0; i < 20; i++) world.step(DT)
      return seen / (20 * 200)
    }
    const slow = work(10)
    expect(slow).toBeGreaterThan(20)
    expect(work(10, { maxNeighbors: 7 })).toBeLessThanOrEqual(7)
    expect(work(4)).toBeLessThan(0.3 * slow)
  })

  it('wanders in small circles: turnTime, jitter, distance, radius of Wander', () => {
    const away = (options: object): number => {
      let sum = 0
      for (let seed = 1; seed <= 8; seed++) {
        const pilot = pilotOf(new Wander(options), { seed, velocity: { x: 0, y: 0, z: 3 } })
        fly([pilot], 20, () => {})
        sum += length(pilot.position) / 8
      }
      return sum
    }
    const circles = away({ jitter: 0.2, distance: 0.5 })
    expect(away({ jitter: 0.2, distance: 0.5, turnTime: 4 })).toBeGreaterThan(1.5 * circles)
    expect(away({ jitter: 3, distance: 0.5 })).toBeGreaterThan(1.5 * circles)
    expect(away({ jitter: 0.2, distance: 4 })).toBeGreaterThan(1.5 * circles)
    expect(away({ jitter: 0.2, distance: 0.5, radius: 0.1 })).toBeGreaterThan(1.5 * circles)
  })

  it('another result at another frame rate: advance', () => {
    const end = (fps: number, advance: boolean): number => {
      const world = new SteeringWorld()
      const pilot = pilotOf(new Seek({ target: GOAL }), { velocity: { x: 5, y: 0, z: 0 } })
      world.add(pilot)
      for (let i = 0; i < 4 * fps; i++)
        if (advance) world.advance(1 / fps)
        else world.step(1 / fps)
      return pilot.position.x
    }
    expect(end(30, false)).not.toBe(end(240, false))
    expect(end(30, true)).toBe(end(240, true))
  })
})
