import * as CANNON from 'cannon-es'
import { describe, expect, it } from 'vitest'
import {
  Arrive,
  blend,
  Face,
  Flight,
  Hover,
  LookWhereGoing,
  OffsetPursue,
  Pursue,
  Seek,
  SteeringController,
  SteeringWorld,
  Thrusters,
  Wander,
  type Vec3Like,
} from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { holdClock } from '../support/clock.js'
import { apart, bitsOf, firstDifference, idle, inner, minus, norm, turnBetween, xyz } from './kit.js'
import { addFlock } from '../support/flock.js'
import { pick } from '../support/tier.js'

const STEP = 1 / 60
const RATES = [30, 60, 144, 240] as const

holdClock()

/** A view with a pose like three's Object3D. */
function shown(): { position: ReturnType<typeof triple>; quaternion: ReturnType<typeof quadruple> } {
  return { position: triple(), quaternion: quadruple() }
}

function triple(): Vec3Like & { set(x: number, y: number, z: number): void } {
  return {
    x: 0,
    y: 0,
    z: 0,
    set(x, y, z) {
      Object.assign(this, { x, y, z })
    },
  }
}

function quadruple(): Vec3Like & { w: number; set(x: number, y: number, z: number, w: number): void } {
  return {
    x: 0,
    y: 0,
    z: 0,
    w: 1,
    set(x, y, z, w) {
      Object.assign(this, { x, y, z, w })
    },
  }
}

function boxAt(x: number, y: number, z: number, options: CANNON.BodyOptions = {}): CANNON.Body {
  return new CANNON.Body({
    mass: 2,
    shape: new CANNON.Box(new CANNON.Vec3(0.3, 0.2, 0.6)),
    position: new CANNON.Vec3(x, y, z),
    ...options,
  })
}

describe('the motion is the same at 30, 60, 144 and 240 rendered frames a second', () => {
  /** Poses after each internal step, of three ships, two of which collide, and of a crate that they push. */
  function record(framesPerSecond: number, steps: number): Map<number, number[]> {
    const world = new CANNON.World({ gravity: new CANNON.Vec3(0, -2, 0) })
    const steering = new SteeringWorld()
    attachToCannon(steering, world)
    const bodies = [boxAt(0, 0, 0), boxAt(6, 0.3, 0), boxAt(0, 5, 5), boxAt(3, 0, 0, { mass: 0.5 })]
    for (const body of bodies) world.addBody(body)
    const minds = [
      new Seek({ target: { x: 5, y: 0, z: 0.4 } }),
      blend([new Arrive({ target: { x: -2, y: 0, z: 0 } }), new Face({ target: { x: 0, y: 9, z: 0 } })]),
      blend([new Wander(), new LookWhereGoing()]),
    ]
    minds.forEach((behavior, i) =>
      steering.add(
        new SteeringController(shown(), {
          body: cannonBody(bodies[i]!),
          behavior,
          maxSpeed: 8,
          maxForce: 40,
          maxTorque: 6,
          compensateGravity: true,
        }),
      ),
    )
    const poses = new Map<number, number[]>()
    world.addEventListener('postStep', () =>
      // the world counts its steps before it emits postStep
      poses.set(world.stepnumber, bitsOf(bodies)),
    )
    while (poses.size < steps) {
      world.step(STEP, 1 / framesPerSecond)
      steering.present()
    }
    return poses
  }

  const STEPS = 240
  const reference = record(60, STEPS)

  it.each(RATES)('in a cannon-es world rendered at %i Hz, bit-identically', (rate) => {
    const poses = record(rate, STEPS)
    for (const [step, bits] of reference) expect(poses.get(step), `step ${step}`).toEqual(bits)
  })

  it('and the ships moved and met', () => {
    const first = reference.get(1)!
    const last = reference.get(STEPS)!
    // position of the fourth body: the crate, pushed by a ship
    expect(Math.abs(last[30]! - first[30]!)).toBeGreaterThan(1)
    expect(Math.abs(last[20]! - first[20]!)).toBeGreaterThan(1)
  })

  it.each(RATES)('in a world that steps itself, advanced at %i Hz, bit-identically', (rate) => {
    const run = (framesPerSecond: number): Map<number, number[]> => {
      const steering = new SteeringWorld({ fixedStep: STEP })
      const pilots = [new Wander(), new Arrive({ target: { x: 30, y: 5, z: 2 } })].map(
        (behavior) => new SteeringController(shown(), { behavior, maxSpeed: 8, maxForce: 20 }),
      )
      for (const pilot of pilots) steering.add(pilot)
      const poses = new Map<number, number[]>()
      while (steering.tick < STEPS) {
        steering.advance(1 / framesPerSecond)
        poses.set(steering.tick, bitsOf(pilots))
      }
      return poses
    }
    const here = run(rate)
    const there = run(60)
    const both = [...here.keys()].filter((tick) => there.has(tick))
    expect(both.length).toBeGreaterThan(STEPS / 3)
    const at = (poses: Map<number, number[]>): number[][] => both.map((tick) => poses.get(tick)!)
    expect(firstDifference(at(here), at(there))).toBeNull()
  })
})

describe('the interpolated view', () => {
  it.each(RATES)('moves evenly at %i Hz when the body does', (rate) => {
    const world = new CANNON.World()
    const steering = new SteeringWorld()
    attachToCannon(steering, world)
    const velocity = new CANNON.Vec3(3, -1, 2)
    const body = boxAt(0, 0, 0, { velocity, linearDamping: 0, angularDamping: 0 })
    body.angularVelocity.set(0, 1, 0)
    world.addBody(body)
    const view = shown()
    const coast = { behavior: idle(), locomotion: new Hover({ attitude: null }) }
    steering.add(new SteeringController(view, { ...coast, body: cannonBody(body), maxSpeed: 9, maxForce: 1 }))
    const places: Vec3Like[] = []
    const turns: number[] = []
    let before = { ...view.quaternion }
    const frames = rate * 2
    for (let i = 0; i < frames; i++) {
      world.step(STEP, 1 / rate)
      steering.present()
      places.push(xyz(view.position))
      turns.push(turnBetween(before, view.quaternion))
      before = { ...view.quaternion }
    }
    // until the second step the view stays at the start of the first
    const skip = Math.ceil((2 * rate) / 60) + 1
    for (let i = skip; i < frames; i++) {
      const moved = minus(places[i]!, places[i - 1]!)
      // sums of 1/rate and multiples of 1/60 agree to 1e-12 s
      expect(apart(moved, { x: 3 / rate, y: -1 / rate, z: 2 / rate })).toBeLessThan(1e-9)
      // cannon turns by a first-order step, the view by linear interpolation of quaternions: equal up to the
      // cube of 1/60 rad
      expect(Math.abs(turns[i]! - 1 / rate)).toBeLessThan(1e-5)
    }
  })

  it.each([144, 240, 50])('at %i Hz agrees with the interpolation of cannon-es', (rate) => {
    const world = new CANNON.World()
    const steering = new SteeringWorld()
    attachToCannon(steering, world)
    const body = boxAt(0, 0, 0)
    world.addBody(body)
    const view = shown()
    steering.add(
      new SteeringController(view, {
        body: cannonBody(body),
        behavior: new Wander({ jitter: 3 }),
        maxSpeed: 9,
        maxForce: 30,
        maxTorque: 2,
      }),
    )
    let checks = 0
    for (let i = 0; i < 300; i++) {
      world.step(STEP, 1 / rate)
      steering.present()
      if (world.stepnumber < 1) continue
      checks++
      expect(apart(view.position, body.interpolatedPosition)).toBeLessThan(1e-12)
      // cannon-es uses slerp, the view a normalised lerp: they differ by the cube of the turn in a step, at
      // most (2π/60)³ / 30
      expect(turnBetween(view.quaternion, body.interpolatedQuaternion)).toBeLessThan(5e-5)
    }
    expect(checks).toBeGreaterThan(200)
  })

  it('never leaves the segment between the last two steps', () => {
    const steering = new SteeringWorld()
    const view = shown()
    const pilot = new SteeringController(view, {
      behavior: new Wander({ jitter: 4 }),
      maxSpeed: 9,
      maxForce: 60,
    })
    steering.add(pilot)
    for (let i = 0; i < 100; i++) {
      const from = xyz(pilot.position)
      steering.step(STEP)
      const to = xyz(pilot.position)
      let last = -1e-12
      for (const alpha of [0, 0.25, 0.5, 0.75, 1]) {
        steering.present(alpha)
        const share = inner(minus(view.position, from), minus(to, from)) / (norm(minus(to, from)) ** 2 || 1)
        expect(apart(view.position, from) + apart(view.position, to)).toBeLessThan(apart(from, to) + 1e-12)
        expect(share).toBeGreaterThanOrEqual(last - 1e-12)
        last = share
      }
      expect(xyz(view.position)).toEqual(to)
    }
  })
})

describe('steps of 1/60 s and of 1/240 s agree within one per cent of the distance flown', () => {
  const AGENT = { mass: 3, maxSpeed: 14, maxForce: 45, maxTorque: 30, radius: 0.6 }
  const thrusters = (): Thrusters =>
    new Thrusters({ ahead: 45, astern: 30, up: 20, down: 20, port: 20, starboard: 20 })

  /** Flies with steps of `dt` (s), and records the position or attitude every tenth of a second. */
  type Flight01 = (dt: number) => { places: Vec3Like[]; attitudes: SteeringController['quaternion'][] }

  function flight(make: (world: SteeringWorld) => SteeringController, seconds: number): Flight01 {
    return (dt) => {
      const world = new SteeringWorld()
      const pilot = make(world)
      world.add(pilot)
      const places: Vec3Like[] = []
      const attitudes: SteeringController['quaternion'][] = []
      const perTenth = Math.round(0.1 / dt)
      for (let i = 1; i <= seconds * 10 * perTenth; i++) {
        world.step(dt)
        if (i % perTenth !== 0) continue
        places.push(xyz(pilot.position))
        attitudes.push({ ...xyz(pilot.quaternion), w: pilot.quaternion.w })
      }
      return { places, attitudes }
    }
  }

  function leader(world: SteeringWorld): SteeringController {
    // a point mass in a steady turn
    const target = new SteeringController(null, {
      behavior: {
        steer({ velocity: { x, z } }, _step, out): void {
          Object.assign(out.force, { x: 0.4 * z, y: 0, z: -0.4 * x })
          Object.assign(out.torque, { x: 0, y: 0, z: 0 })
        },
      },
      locomotion: new Hover({ attitude: null }),
      maxSpeed: 7,
      maxForce: 100,
      position: { x: 12, y: 4, z: 0 },
      velocity: { x: 0, y: 0, z: 6 },
    })
    world.add(target)
    return target
  }

  const START = { velocity: { x: 2, y: -1, z: 3 }, position: { x: 1, y: 2, z: 3 } }
  const goal = { x: 25, y: 14, z: -18 }

  const flights: Record<string, Flight01> = {
    'Arrive, Hover': flight(
      () => new SteeringController(null, { ...AGENT, ...START, behavior: new Arrive({ target: goal }) }),
      8,
    ),
    'Arrive, Thrusters': flight(
      () =>
        new SteeringController(null, {
          ...AGENT,
          ...START,
          behavior: new Arrive({ target: goal }),
          locomotion: thrusters(),
        }),
      8,
    ),
    'Arrive, Flight': flight(
      () =>
        new SteeringController(null, {
          ...AGENT,
          ...START,
          behavior: new Arrive({ target: goal }),
          locomotion: new Flight(),
        }),
      8,
    ),
    Pursue: flight(
      (world) =>
        new SteeringController(null, { ...AGENT, ...START, behavior: new Pursue({ target: leader(world) }) }),
      // until about the catch: behind the target, the last bit decides on which side the pursuer flies around
      // it
      1.5,
    ),
    OffsetPursue: flight(
      (world) =>
        new SteeringController(null, {
          ...AGENT,
          ...START,
          behavior: new OffsetPursue({ target: leader(world), offset: { x: -3, y: 1, z: 2 } }),
        }),
      8,
    ),
  }

  it.each(Object.keys(flights))('%s', (name) => {
    const coarse = flights[name]!(1 / 60).places
    const fine = flights[name]!(1 / 240).places
    let way = 0
    let worst = 0
    fine.forEach((place, i) => {
      if (i > 0) way += apart(place, fine[i - 1]!)
      worst = Math.max(worst, apart(place, coarse[i]!))
    })
    expect(way).toBeGreaterThan(10)
    expect(worst / way).toBeLessThan(0.01)
  })

  it('a turn of the attitude', () => {
    const slew = flight(
      () =>
        new SteeringController(null, {
          ...AGENT,
          maxTorque: 4,
          inertia: { x: 5, y: 4, z: 0.5 },
          behavior: new Face({ target: { x: 30, y: 20, z: -60 } }),
        }),
      6,
    )
    const coarse = slew(1 / 60).attitudes
    const fine = slew(1 / 240).attitudes
    let way = 0
    let worst = 0
    fine.forEach((attitude, i) => {
      if (i > 0) way += turnBetween(attitude, fine[i - 1]!)
      worst = Math.max(worst, turnBetween(attitude, coarse[i]!))
    })
    expect(way).toBeGreaterThan(2)
    expect(worst / way).toBeLessThan(0.01)
  })
})

describe('Wander has the same statistics at 30, 60 and 240 steps a second', () => {
  const SECONDS = pick(14, 24)
  const COUNT = 150

  /**
   * Mean square of the turn in half a second (rad²), and mean and spread of the speed (m/s), over many
   * agents.
   */
  function statistics(rate: number): { turning: number; speed: number; spread: number } {
    const world = new SteeringWorld({ seed: 4 })
    const flock = addFlock(world, {
      count: COUNT,
      behavior: new Wander({ turnTime: 0.5 }),
      locomotion: new Hover({ attitude: null }),
      maxSpeed: 10,
      maxForce: 30,
      responseTime: 0.2,
      seed: 100,
    })
    const before: Vec3Like[] = []
    const velocity = { x: 0, y: 0, z: 0 }
    let turning = 0
    let samples = 0
    let sum = 0
    let squares = 0
    for (let half = 0; half < 2 * SECONDS; half++) {
      for (let i = 0; i < rate / 2; i++) world.step(1 / rate)
      for (let i = 0; i < COUNT; i++) {
        flock.velocity(i, velocity)
        const speed = norm(velocity)
        if (half > 4) {
          const cosine = inner(before[i]!, velocity) / (norm(before[i]!) * speed)
          turning += Math.acos(Math.max(-1, Math.min(1, cosine))) ** 2
          sum += speed
          squares += speed * speed
          samples++
        }
        before[i] = xyz(velocity)
      }
    }
    const mean = sum / samples
    return { turning: turning / samples, speed: mean, spread: Math.sqrt(squares / samples - mean * mean) }
  }

  const at60 = statistics(60)

  it.each([30, 240])('%i Hz as at 60 Hz', (rate) => {
    const here = statistics(rate)
    expect(at60.turning).toBeGreaterThan(0.05)
    // about 150 × 14 independent turns give their mean square to 4 %, and a reaction late by half a step of
    // 1/30 s is a twelfth of the response time. A random walk that did not scale with √dt would be off by a
    // factor of 2 and of 4.
    expect(Math.abs(here.turning / at60.turning - 1)).toBeLessThan(0.1)
    expect(Math.abs(here.speed / at60.speed - 1)).toBeLessThan(0.03)
    expect(Math.abs(here.spread - at60.spread)).toBeLessThan(0.02 * at60.speed)
  })
})
