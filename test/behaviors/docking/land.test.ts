import * as CANNON from 'cannon-es'
import { describe, expect, it } from 'vitest'
import {
  AvoidObstacles,
  Hover,
  Obstacle,
  SphereShape,
  SteeringController,
  SteeringWorld,
  Thrusters,
  within,
  type ControllerOptions,
} from 'three-steering'
import { Land, Port, Undock, type PortOptions } from 'three-steering/docking'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { flyLanding, type LandingResult, type LandingTrialOptions } from '../../rigs/landing-trials.js'
import { apart, inner, norm, turned, UP, ZERO } from '../../laws/kit.js'
import { pick } from '../../support/tier.js'

const DEGREE = Math.PI / 180
const DT = 1 / 60
const G = 9.81

/** Expects a soft touch, and rest after it. */
function expectFeather(trial: LandingResult, speed = 0.5): void {
  expect(trial.landed).toBe(true)
  expect(trial.bumps).toBe(0)
  expect(Math.abs(trial.closing / speed - 1)).toBeLessThan(0.1)
  expect(trial.sliding).toBeLessThan(0.05)
  expect(trial.tilt).toBeLessThan(0.2 * DEGREE)
  expect(trial.aside).toBeLessThan(0.05)
  expect(trial.bounce).toBeLessThan(0.05)
  expect(trial.slid).toBeLessThan(0.05)
  expect(trial.thrust).toBeLessThan(1e-9)
}

describe('Land, on real bodies and real ground', () => {
  const cases: readonly (readonly [string, number, LandingTrialOptions])[] = [
    ['the ground', 60, {}],
    ['the ground, with 1.3 g', 60, { engines: 'weak' }],
    [
      'the ground, with 1.3 g and no compensation of gravity',
      30,
      { engines: 'weak', compensateGravity: false },
    ],
    ['the ground, from upside down', 60, { upsideDown: true }],
    ['the ground, with one strong engine in its belly', 60, { engines: 'jets' }],
    [
      'the ground, with the same and upside down',
      60,
      { engines: 'jets', upsideDown: true, compensateGravity: false },
    ],
    ['a deck that sails, turns and sways', 60, { field: 'deck' }],
    ['a deck, with 1.3 g', 30, { field: 'deck', engines: 'weak' }],
    ['a deck, with one strong engine', 60, { field: 'deck', engines: 'jets', compensateGravity: false }],
    ['an asteroid that spins', 60, { field: 'asteroid' }],
    [
      'an asteroid, with 1.3 times its weight',
      60,
      { field: 'asteroid', engines: 'weak', compensateGravity: false },
    ],
    ['an asteroid, with one strong engine', 30, { field: 'asteroid', engines: 'jets' }],
    ['the ground, fine steps', 240, { engines: 'weak' }],
    ['a deck, fine steps', 240, { field: 'deck' }],
  ]
  it.each(cases)(
    '%s, at %i Hz',
    (_, hertz, options) => {
      const count = pick(1, 2, 100)
      for (let seed = 1; seed <= count; seed++) {
        const trial = flyLanding(seed, { ...options, dt: 1 / hertz })
        expectFeather(trial)
        // a body that stands on a body at rest falls asleep
        if (options.field !== 'deck') expect(trial.asleep).toBe(true)
      }
    },
    600_000,
  )

  it('touches at the closing speed, on springy ground too', () => {
    expectFeather(flyLanding(5, { land: { closingSpeed: 0.2 } }), 0.2)
    const trial = flyLanding(5, { restitution: 0.4, engines: 'weak' })
    expect(trial.landed).toBe(true)
    expect(trial.bounce).toBeLessThan(0.02)
    expect(trial.slid).toBeLessThan(0.02)
  })
})

interface Field {
  position: { x: number; y: number; z: number }
  velocity: { x: number; y: number; z: number }
  quaternion: { x: number; y: number; z: number; w: number }
  forward: { x: number; y: number; z: number }
  up: { x: number; y: number; z: number }
}

/** A pad in the air at the origin, with its normal up and its heading along +x. */
function padAt(options: Partial<PortOptions> = {}): Port {
  const carrier: Field = {
    position: { x: 0, y: 0, z: 0 },
    velocity: { x: 0, y: 0, z: 0 },
    quaternion: { x: 0, y: 0, z: 0, w: 1 },
    forward: { x: 1, y: 0, z: 0 },
    up: { x: 0, y: 1, z: 0 },
  }
  return new Port({ carrier, position: ZERO, outward: UP, ...options })
}

function lander(behavior: Land, options: Partial<ControllerOptions> = {}): SteeringController {
  const body = { mass: 10, inertia: { x: 8, y: 8, z: 8 }, radius: 1, compensateGravity: true }
  const limits = { maxSpeed: 25, maxForce: 200, maxTorque: 16, maxTurnRate: 2, locomotion: new Hover() }
  return new SteeringController(null, { ...body, ...limits, behavior, ...options })
}

function flown(pilot: SteeringController, seconds: number, watch: () => void = () => {}): string[] {
  const world = new SteeringWorld({ gravity: { x: 0, y: -G, z: 0 } })
  world.add(pilot)
  const events: string[] = []
  pilot.addEventListener('stage', ({ stage, reason }) => events.push(reason ? `${stage} (${reason})` : stage))
  pilot.addEventListener('arrive', () => events.push('arrive'))
  pilot.addEventListener('leave', () => events.push('leave'))
  for (let i = 0; i < seconds / DT; i++) {
    world.step(DT)
    watch()
  }
  return events
}

describe('Land', () => {
  const start = { x: 40, y: 30, z: -10 }

  it('emits its stages, and with hold keeps its position where there is no ground', () => {
    const pilot = lander(new Land({ port: padAt(), hold: true }), { position: start })
    const events = flown(pilot, 30)
    expect(events).toEqual(['approach', 'align', 'final', 'landed', 'arrive'])
    // its belly, one radius below the centre, is on the pad
    expect(apart(pilot.position, { x: 0, y: 1, z: 0 })).toBeLessThan(0.03)
    expect(norm(pilot.velocity)).toBeLessThan(0.01)
  })

  it('keeps its heading, or takes that of the pad', () => {
    const east = { x: 0, y: 0, z: 1 }
    const free = lander(new Land({ port: padAt(), hold: true }), { position: start })
    flown(free, 30)
    expect(inner(turned(free.quaternion, east), east)).toBeGreaterThan(0.99)
    const pad = padAt({ up: { x: 1, y: 0, z: 0 } })
    const set = lander(new Land({ port: pad, hold: true, heading: 'pad' }), { position: start })
    flown(set, 30)
    expect(turned(set.quaternion, east).x).toBeCloseTo(1, 5)
    for (const pilot of [free, set]) expect(turned(pilot.quaternion, UP).y).toBeCloseTo(1, 5)
  })

  it('flies around the carrier from below', () => {
    const pad = padAt({ clearance: 8, position: { x: 0, y: 3, z: 0 } })
    const pilot = lander(new Land({ port: pad, hold: true }), { position: { x: 3, y: -40, z: 1 } })
    let nearest = Infinity
    const events = flown(pilot, 60, () => {
      if (pilot.position.y < 3.9) nearest = Math.min(nearest, norm(pilot.position))
    })
    expect(events.at(-1)).toBe('arrive')
    expect(nearest).toBeGreaterThan(8 + 1 - 0.4)
  })

  it('climbs to the clearance before it flies to the pad', () => {
    const from = { x: 60, y: 1.2, z: 0 }
    const lowest = [0, 8].map((clearance) => {
      const pilot = lander(new Land({ port: padAt(), hold: true, clearance }), { position: from })
      let low = Infinity
      const events = flown(pilot, 40, () => {
        if (pilot.position.x < 50 && pilot.position.x > 3) low = Math.min(low, pilot.position.y)
      })
      expect(events.at(-1)).toBe('arrive')
      return low
    })
    expect(lowest[0]).toBeLessThan(6)
    expect(lowest[1]).toBeGreaterThan(8)
  })

  it('as a wish within constraints it avoids a rock on its path', () => {
    const rock = { x: 20, y: 21, z: -5 }
    const rocks = new AvoidObstacles({ obstacles: [new Obstacle({ shape: new SphereShape(5), at: rock })] })
    const land = new Land({ port: padAt(), hold: true })
    const pilot = lander(land, { position: start, behavior: within([rocks], land) })
    let nearest = Infinity
    const events = flown(pilot, 40, () => {
      nearest = Math.min(nearest, apart(pilot.position, rock))
    })
    expect(events.at(-1)).toBe('arrive')
    expect(nearest).toBeGreaterThan(5 + 1)
  })

  it('has not landed where it stands beside the pad, on legs', () => {
    const pilot = lander(new Land({ port: padAt() }), { position: { x: 0, y: 15, z: 0 } })
    const told: string[] = []
    pilot.addEventListener('stage', ({ stage }) => told.push(stage))
    const world = new SteeringWorld()
    world.add(pilot)
    for (let i = 0; i < 20 / DT && told.at(-1) !== 'final'; i++) world.step(DT)
    // 0.18 m above the pad, 0.18 m beside its middle
    for (let i = 0; i < 1 / DT; i++) {
      pilot.teleport({ position: { x: 0.18, y: 1.18, z: 0 }, velocity: { x: 0, y: 0, z: 0 } })
      world.step(DT)
    }
    expect(told).not.toContain('landed')
    expect(told.at(-1)).not.toBe('final')
  })

  it('without hold and without ground it aborts with a reason and climbs again', () => {
    const pilot = lander(new Land({ port: padAt() }), { position: { x: 0, y: 15, z: 0 } })
    let deepest = Infinity
    const events = flown(pilot, 25, () => {
      deepest = Math.min(deepest, pilot.position.y)
    })
    expect(events.slice(0, 5)).toEqual(['approach', 'align', 'final', 'abort (nothing there)', 'align'])
    expect(deepest).toBeGreaterThan(-4)
  })

  it('an agent that cannot turn never touches the pad', () => {
    const pilot = lander(new Land({ port: padAt(), hold: true }), {
      position: start,
      maxTorque: 0,
      quaternion: { x: Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 },
    })
    expect(flown(pilot, 40)).toEqual(['approach', 'queue (it cannot be landed)'])
    expect(pilot.position.y).toBeGreaterThan(1)
  })

  it('an agent blown off its pad lands again', () => {
    const pilot = lander(new Land({ port: padAt(), hold: true }), { position: start })
    const world = new SteeringWorld({ gravity: { x: 0, y: -G, z: 0 } })
    world.add(pilot)
    const events: string[] = []
    pilot.addEventListener('stage', ({ stage }) => events.push(stage))
    pilot.addEventListener('leave', () => events.push('leave'))
    const fly = (seconds: number): void => {
      for (let i = 0; i < seconds / DT; i++) world.step(DT)
    }
    fly(25)
    expect(events.at(-1)).toBe('landed')
    events.length = 0
    pilot.teleport({ position: { x: 5, y: 3, z: 0 } })
    fly(20)
    expect(events[0]).toBe('align')
    expect(events[1]).toBe('leave')
    expect(events.at(-1)).toBe('landed')
  })

  it('of two agents at one pad the second waits above it', () => {
    const land = new Land({ port: padAt(), hold: true })
    const world = new SteeringWorld({ gravity: { x: 0, y: -G, z: 0 } })
    const fleet = [lander(land, { position: start }), lander(land, { position: { x: -40, y: 30, z: 10 } })]
    for (const pilot of fleet) world.add(pilot)
    for (let i = 0; i < 40 / DT; i++) world.step(DT)
    const heights = fleet.map(({ position }) => position.y)
    expect(Math.min(...heights)).toBeCloseTo(1, 1)
    expect(Math.max(...heights)).toBeGreaterThan(20)
  })

  it('refuses a distance of its hold inside of the radius', () => {
    expect(() => new Land({ port: padAt(), holdDistance: 0.1 })).toThrow(
      /Land\.holdDistance: got 0\.1, must be > 0\.2/,
    )
  })
})

describe('take-off by Undock', () => {
  const side = 0.3 * 10 * G
  it.each([
    ['any way, 3 g', new Hover(), 3, true],
    ['1.3 g, its weight its own matter', new Hover(), 1.3, false],
    [
      'one strong engine',
      new Thrusters({ up: 20 * G, ahead: side, astern: side, down: side, port: side, starboard: side }),
      2,
      true,
    ],
  ] as const)(
    'leads straight up, level and without a turn: %s',
    (_, locomotion, strength, compensateGravity) => {
      const world = new CANNON.World({ gravity: new CANNON.Vec3(0, -G, 0), allowSleep: true })
      const ground = new CANNON.Body({ mass: 0 })
      const flat = new CANNON.Quaternion().setFromAxisAngle(new CANNON.Vec3(1, 0, 0), -Math.PI / 2)
      ground.addShape(new CANNON.Plane(), new CANNON.Vec3(), flat)
      const body = new CANNON.Body({ mass: 10, shape: new CANNON.Box(new CANNON.Vec3(0.9, 0.6, 0.9)) })
      body.position.set(0.03, 0.6, 0)
      body.quaternion.setFromAxisAngle(new CANNON.Vec3(0, 1, 0), 1.1)
      world.addBody(ground)
      world.addBody(body)
      const steering = new SteeringWorld()
      attachToCannon(steering, world)
      const pad = new Port({ carrier: ground, position: ZERO, outward: UP })
      const probe = { x: 0, y: -0.6, z: 0 }
      const limits = { maxSpeed: 30, maxForce: strength * 10 * G, maxTorque: 10, maxTurnRate: 2 }
      const behavior = new Land({ port: pad, probe })
      const pilot = new SteeringController(null, {
        body: cannonBody(body),
        locomotion,
        compensateGravity,
        behavior,
        ...limits,
      })
      steering.add(pilot)
      const stages: string[] = []
      pilot.addEventListener('stage', ({ stage }) => stages.push(stage))
      for (let i = 0; i < 300; i++) world.step(DT)
      expect(stages.at(-1)).toBe('landed')
      expect(body.sleepState).toBe(CANNON.Body.SLEEPING)
      const heading = body.vectorToWorldFrame(new CANNON.Vec3(0, 0, 1))
      pilot.behavior = new Undock({ port: pad })
      let fastest = 0
      for (let i = 0; i < 900 && stages.at(-1) !== 'free'; i++) {
        world.step(DT)
        fastest = Math.max(fastest, body.velocity.y)
        expect(body.vectorToWorldFrame(new CANNON.Vec3(0, 1, 0)).y).toBeGreaterThan(Math.cos(DEGREE))
      }
      expect(stages.at(-1)).toBe('free')
      expect(body.position.y).toBeGreaterThan(10)
      expect(fastest).toBeCloseTo(2, 1)
      expect(Math.hypot(body.position.x, body.position.z)).toBeLessThan(0.1)
      expect(body.vectorToWorldFrame(new CANNON.Vec3(0, 0, 1)).dot(heading)).toBeGreaterThan(Math.cos(DEGREE))
    },
  )
})
