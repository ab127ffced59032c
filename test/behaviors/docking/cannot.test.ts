import { describe, expect, it } from 'vitest'
import {
  Flock,
  SteeringController,
  SteeringWorld,
  Thrusters,
  type Behavior,
  type ControllerOptions,
  type Vec3Like,
} from 'three-steering'
import { Dock, Land, Port, Refuel, Undock } from 'three-steering/docking'
import { norm, times } from '../../laws/kit.js'
import { expectConsole } from '../../support/console.js'

const DT = 1 / 60
const ZERO = { x: 0, y: 0, z: 0 }
const X = { x: 1, y: 0, z: 0 }

function station(angularVelocity = ZERO, velocity = ZERO) {
  return {
    position: { ...ZERO },
    velocity: { ...velocity },
    quaternion: { x: 0, y: 0, z: 0, w: 1 },
    angularVelocity,
    forward: X,
    up: { x: 0, y: 1, z: 0 },
  }
}

function ship(behavior: Behavior, options: Partial<ControllerOptions> = {}): SteeringController {
  const body = { mass: 10, inertia: { x: 20, y: 20, z: 20 }, radius: 2 }
  const limits = { maxSpeed: 50, maxForce: 30, maxTorque: 20, maxTurnRate: 2 }
  return new SteeringController(null, {
    ...body,
    ...limits,
    position: { x: 40, y: 5, z: 0 },
    behavior,
    ...options,
  })
}

function dockAt(carrier: ReturnType<typeof station>): Dock {
  return new Dock({ port: new Port({ carrier, position: { x: 5, y: 0, z: 0 }, outward: X }) })
}

/** The reasons that a ship has emitted after some seconds. */
function reasonsAfter(seconds: number, pilot: SteeringController, gravity = ZERO): string[] {
  const world = new SteeringWorld({ gravity })
  const reasons: string[] = []
  pilot.addEventListener('cannot', ({ behavior, reason }) => {
    expect(behavior).toBe(pilot.behavior)
    reasons.push(reason)
  })
  world.add(pilot)
  for (let i = 0; i < seconds / DT; i++) world.step(DT)
  return reasons
}

describe('a ship that cannot dock emits within seconds what is missing, once', () => {
  const fall = { x: 0, y: -9.82, z: 0 }
  it.each([
    ['no thrust', station(), { maxForce: 0 }, ZERO, /^no thrust: maxForce is 0 N$/],
    [
      'thrust below weight',
      station(),
      {},
      fall,
      /^thrust below weight: maxForce is 30 N, the weight 98\.2 N$/,
    ],
    [
      'thrust below weight that is compensated',
      station(),
      { compensateGravity: true },
      fall,
      /^thrust below weight/,
    ],
    ['speed', station(ZERO, { x: 0, y: 60, z: 0 }), {}, ZERO, /^the carrier is too fast: 60\.0 m\/s/],
    [
      'thrust for the spin',
      station({ x: 0, y: 0.6, z: 0 }),
      {},
      ZERO,
      /^the carrier spins too fast: to follow the port takes \d\.\d\d m\/s², the thrust gives 3\.00 m\/s²$/,
    ],
    ['torque', station(), { maxTorque: 0 }, ZERO, /^no torque/],
    [
      'a turn of its engine for the spin',
      station({ x: 0.6, y: 0, z: 0 }),
      { locomotion: new Thrusters({ ahead: 30, astern: 10, up: 10, down: 10, port: 10, starboard: 10 }) },
      ZERO,
      /^the carrier spins too fast: 0\.60 rad\/s, the agent turns its engine by a right angle in 2\.8 s$/,
    ],
    [
      'turn rate',
      station({ x: 0.2, y: 0, z: 0 }),
      { maxTurnRate: 0.1 },
      ZERO,
      /^the carrier spins too fast: 0\.20/,
    ],
  ] as const)('%s', (_, carrier, options, gravity, reason) => {
    expectConsole() // a hint that it falls, where its weight is more than its thrust
    const reasons = reasonsAfter(3, ship(dockAt(carrier), options), gravity)
    expect(reasons).toHaveLength(1)
    expect(reasons[0]).toMatch(reason)
  })

  it('again when it is missing again, and not while the ship can dock', () => {
    const pilot = ship(dockAt(station()), { maxTorque: 0 })
    const world = new SteeringWorld()
    const reasons: string[] = []
    world.addEventListener('cannot', ({ id, reason }) => reasons.push(`${id === pilot.id} ${reason}`))
    world.add(pilot)
    const fly = (seconds: number): void => {
      for (let i = 0; i < seconds / DT; i++) world.step(DT)
    }
    fly(3)
    expect(reasons).toHaveLength(1)
    pilot.maxTorque = 20
    fly(1)
    pilot.maxTorque = 0
    pilot.teleport({ quaternion: { x: 0, y: 0, z: 0, w: 1 }, angularVelocity: ZERO })
    fly(3)
    expect(reasons).toHaveLength(2)
    expect(reasons[1]).toMatch(/^true no torque/)
  })

  it('not for a shorter time than a moment', () => {
    const pilot = ship(dockAt(station()), { maxForce: 0 })
    expect(reasonsAfter(0.8, pilot)).toEqual([])
  })

  it('nothing is missing in an ordinary docking', () => {
    expect(reasonsAfter(40, ship(dockAt(station({ x: 0.02, y: 0.1, z: 0 }))))).toEqual([])
  })

  it('for a flock too', () => {
    const world = new SteeringWorld()
    const flock = new Flock({ count: 1, maxSpeed: 10, maxForce: 0, mass: 10, behavior: dockAt(station()) })
    const reasons: string[] = []
    flock.addEventListener('cannot', ({ index, reason }) => reasons.push(`${index} ${reason}`))
    world.add(flock)
    for (let i = 0; i < 3 / DT; i++) world.step(DT)
    expect(reasons).toEqual(['0 no thrust: maxForce is 0 N'])
  })
})

/** A world whose carrier accelerates by `thrust` (m/s²). */
function flyAtBurning(pilot: SteeringController, carrier: Burning, thrust: Vec3Like, seconds: number) {
  const world = new SteeringWorld()
  const told: string[] = []
  const stages: string[] = []
  pilot.addEventListener('cannot', ({ reason }) => told.push(`${world.time < 2} ${reason}`))
  pilot.addEventListener('stage', ({ stage }) => stages.push(stage))
  world.add(pilot)
  for (let i = 0; i < seconds / DT && stages.at(-1) !== 'latched'; i++) {
    for (const k of ['x', 'y', 'z'] as const) carrier.velocity[k] += thrust[k] * DT
    world.step(DT)
    for (const k of ['x', 'y', 'z'] as const) carrier.position[k] += carrier.velocity[k] * DT
  }
  return { told, stages }
}

type Burning = ReturnType<typeof station>
const LIMITS = { maxSpeed: 1e3, position: { x: 40, y: 5, z: 10 } }

it.each([X, { x: -1, y: 0, z: 0 }, { x: 0, y: 1, z: 0 }])(
  'a ship docks at a carrier that accelerates along %o with half of its thrust',
  (way) => {
    const carrier = station()
    const pilot = ship(dockAt(carrier), LIMITS)
    const { told, stages } = flyAtBurning(pilot, carrier, times(way, 1.5), 60)
    expect(told).toEqual([])
    expect(stages).toEqual(['approach', 'align', 'final', 'latched'])
  },
)

it('a ship says within two seconds that a carrier accelerates more than its engines can, or one of them', () => {
  const carrier = station()
  const strong = flyAtBurning(ship(dockAt(carrier), LIMITS), carrier, { x: 0, y: 4, z: 0 }, 3)
  expect(strong.told.join()).toMatch(
    /^true the carrier accelerates too much: .* the thrust gives 3\.00 m\/s²$/,
  )
  const locomotion = new Thrusters({ ahead: 30, astern: 30, up: 10, down: 10, port: 10, starboard: 10 })
  const other = station()
  const weak = flyAtBurning(ship(dockAt(other), { ...LIMITS, locomotion }), other, { x: 0, y: 2, z: 0 }, 3)
  expect(weak.told.join()).toMatch(/^true .* 1\.9\d m\/s² of an engine that gives 1\.00 m\/s²$/)
})

describe('a carrier that is no longer finite', () => {
  const pad = (carrier: ReturnType<typeof station>): Port =>
    new Port({ carrier, position: { x: 5, y: 0, z: 0 }, outward: X })
  it.each([
    ['Dock', (carrier: ReturnType<typeof station>) => new Dock({ port: pad(carrier) })],
    ['Land', (carrier: ReturnType<typeof station>) => new Land({ port: pad(carrier) })],
    ['Refuel', (carrier: ReturnType<typeof station>) => new Refuel({ target: carrier, offset: X })],
    ['Undock', (carrier: ReturnType<typeof station>) => new Undock({ port: pad(carrier) })],
  ] as const)('is reported by %s, which then exerts no force, and goes on when it is finite', (_, make) => {
    const carrier = station()
    const pilot = ship(make(carrier), { position: { x: 9, y: 0, z: 0 } })
    const world = new SteeringWorld()
    const faults: string[] = []
    const reasons: string[] = []
    world.addEventListener('fault', ({ message }) => faults.push(message))
    pilot.addEventListener('cannot', ({ reason }) => reasons.push(reason))
    world.add(pilot)
    for (const property of ['position', 'velocity', 'angularVelocity', 'quaternion'] as const) {
      for (let i = 0; i < 10; i++) world.step(DT)
      expect(norm(pilot.demand.force) + norm(pilot.demand.torque)).toBeGreaterThan(0)
      reasons.length = faults.length = 0
      const was = carrier[property].y
      carrier[property].y = NaN
      for (let i = 0; i < 2 / DT; i++) world.step(DT)
      expect(norm(pilot.demand.force) + norm(pilot.demand.torque)).toBe(0)
      expect(reasons).toEqual(['the carrier of the port is not finite'])
      expect(faults).toHaveLength(1)
      carrier[property].y = was
    }
  })
})
