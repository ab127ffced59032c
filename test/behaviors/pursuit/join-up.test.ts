import * as CANNON from 'cannon-es'
import { describe, expect, it } from 'vitest'
import {
  Flight,
  Hover,
  JoinUp,
  SteeringController,
  type Fault,
  type JoinUpOptions,
  type Locomotion,
  type Quat,
  type Vec3,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { quat, spin } from '../../../src/core/math/quat.js'
import {
  angleBetween,
  crossOf,
  dotOf,
  expectVec,
  minus,
  norm,
  plus,
  turned,
  unit,
  v,
} from '../../support/geometry.js'
import { pilot, quietWorld } from '../../support/pilot.js'
import { pick } from '../../support/tier.js'

const SPEED = 40
const SHIP = {
  maxSpeed: 60,
  mass: 1000,
  maxForce: 40_000,
  maxTorque: 40_000,
  maxTurnRate: 4,
  responseTime: 0.2,
}
const SHIPS: Readonly<Record<string, () => Locomotion>> = {
  'a drone': () => new Hover(),
  'an aircraft': () => new Flight({ minSpeed: 25 }),
}
/** Angular velocity of a leader (rad/s) in its own axes: nose +Z, up +Y. */
const TURNS: Readonly<Record<string, Vec3>> = {
  'straight on': v(0, 0, 0),
  'in a flat turn': v(0, 0.2, 0),
  'in a climbing turn': v(-0.03, 0.12, 0),
  'in a loop': v(-0.25, 0, 0),
}
const OFFSET = v(-15, 2, 12)

/** Of the default model: nose +Z, up +Y, starboard −X. */
const place = (q: Quat, { x, y, z }: Vec3): Vec3 => turned(q, v(-z, y, x))

interface Joining {
  /** Time when it joined (s); Infinity if it never did. */
  readonly time: number
  /**
   * From then on: largest distance from the slot (m), largest speed relative to it (m/s), and largest angle
   * between the courses (rad).
   */
  readonly off: number
  readonly drift: number
  readonly askew: number
  /** Smallest distance from the leader all the way (m), and how far it went beyond the slot (m). */
  readonly least: number
  readonly beyond: number
  readonly events: readonly string[]
  readonly faults: readonly Fault[]
}

interface Setting {
  readonly turn?: Vec3
  readonly ship?: () => Locomotion
  readonly from?: Vec3
  readonly course?: Vec3
  readonly options?: Partial<JoinUpOptions>
  readonly rate?: number
  readonly body?: boolean
}

/** Joins a leader that flies a given path exactly. */
function join(setting: Setting): Joining {
  const {
    turn = v(0, 0, 0),
    ship = SHIPS['a drone']!,
    from = v(150, 30, -250),
    course = v(0, 0, 45),
  } = setting
  const { options, rate = 60, body: solid = false } = setting
  const { world, faults } = quietWorld()
  const leader = {
    position: v(0, 0, 0),
    velocity: v(0, 0, SPEED),
    quaternion: quat(),
    angularVelocity: v(0, 0, 0),
  }
  const behavior = new JoinUp({
    target: leader,
    offset: OFFSET,
    tolerance: 1,
    speedTolerance: 1,
    clearance: 10,
    ...options,
  })
  const engine = new CANNON.World()
  const body = new CANNON.Body({
    mass: 1000,
    shape: new CANNON.Box(new CANNON.Vec3(1.2, 1.2, 1.2)),
    linearDamping: 0,
    angularDamping: 0,
  })
  body.position.set(from.x, from.y, from.z)
  body.velocity.set(course.x, course.y, course.z)
  const { mass, ...traits } = SHIP
  const own = solid
    ? { body: cannonBody(body) }
    : { position: from, velocity: course, mass, inertia: v(1000, 1000, 1000) }
  const one = new SteeringController(null, { behavior, locomotion: ship(), ...traits, ...own })
  if (solid) {
    engine.addBody(body)
    attachToCannon(world, engine)
  }
  world.add(one)
  const events: string[] = []
  let time = Infinity
  for (const type of ['arrive', 'leave'] as const)
    one.addEventListener(type, () => {
      events.push(type)
      if (type === 'arrive') time = Math.min(time, world.time)
    })
  const dt = 1 / rate
  const worst = { off: 0, drift: 0, askew: 0, least: Infinity, beyond: 0 }
  const seconds = 45
  for (let i = 0; i < seconds * rate; i++) {
    const omega = turned(leader.quaternion, turn)
    leader.angularVelocity = omega
    leader.velocity = turned(leader.quaternion, v(0, 0, SPEED))
    if (solid) engine.step(dt)
    else world.step(dt)
    // Midpoint rule: its path is exact to 1e-5.
    const half = spin(quat(), leader.quaternion, omega, dt / 2)
    leader.position = plus(leader.position, turned(half, v(0, 0, SPEED)), dt)
    leader.quaternion = spin(quat(), leader.quaternion, omega, dt)
    const arm = place(leader.quaternion, OFFSET)
    const now = turned(leader.quaternion, v(0, 0, SPEED))
    const velocity = plus(now, crossOf(turned(leader.quaternion, turn), arm))
    const distance = minus(one.position, plus(leader.position, arm))
    worst.least = Math.min(worst.least, norm(minus(one.position, leader.position)))
    if (world.time < time + 1) continue
    worst.off = Math.max(worst.off, norm(distance))
    worst.drift = Math.max(worst.drift, norm(minus(one.velocity, velocity)))
    worst.askew = Math.max(worst.askew, angleBetween(one.velocity, velocity))
    worst.beyond = Math.max(worst.beyond, dotOf(distance, unit(now)))
  }
  return { time, ...worst, events, faults }
}

describe.each(Object.keys(SHIPS))('%s', (name) => {
  const ship = SHIPS[name]!

  it.each(Object.keys(TURNS))(
    "meets its slot beside a leader %s with the slot's velocity, and stays",
    (turn) => {
      const {
        time,
        off: distance,
        drift,
        askew,
        least: smallest,
        beyond,
        events,
        faults,
      } = join({ turn: TURNS[turn]!, ship })
      expect(time).toBeLessThan(25)
      expect(distance).toBeLessThan(1.2)
      expect(drift).toBeLessThan(1)
      expect(askew).toBeLessThan(0.03)
      expect(beyond).toBeLessThan(1)
      expect(smallest).toBeGreaterThan(7)
      expect(events).toEqual(['arrive'])
      expect(faults).toEqual([])
    },
  )

  it('joins from any position and course, and never through the leader', () => {
    const random = seeded(5)
    const times: number[] = []
    for (let k = 0; k < pick(5, 12); k++) {
      const angle = 2 * Math.PI * random()
      const from = v(300 * (random() - 0.5), 200 * (random() - 0.5), 500 * (random() - 0.5))
      const course = v(45 * Math.sin(angle), 0, 45 * Math.cos(angle))
      const {
        time,
        off: distance,
        least: smallest,
        beyond,
      } = join({ turn: TURNS['in a flat turn']!, ship, from, course })
      times.push(time)
      expect(distance).toBeLessThan(1.2)
      expect(beyond).toBeLessThan(1)
      if (norm(from) > 40) expect(smallest).toBeGreaterThan(5)
    }
    expect(Math.max(...times)).toBeLessThan(30)
  })

  it.each([30, 240])('%i steps per second give the same as 60', (rate) => {
    const here = join({ turn: TURNS['in a flat turn']!, ship })
    const there = join({ turn: TURNS['in a flat turn']!, ship, rate })
    expect(Math.abs(there.time - here.time)).toBeLessThan(0.5)
    expect(there.off).toBeLessThan(1.6)
    expect(there.beyond).toBeLessThan(1.6)
  })

  it('works on a cannon-es body', () => {
    const {
      time,
      off: distance,
      askew,
      least: smallest,
      faults,
    } = join({ turn: TURNS['in a flat turn']!, ship, body: true })
    expect(time).toBeLessThan(25)
    expect(distance).toBeLessThan(1.5)
    expect(askew).toBeLessThan(0.03)
    expect(smallest).toBeGreaterThan(7)
    expect(faults).toEqual([])
  })
})

describe('while joining', () => {
  // The slot is on the far side of the leader.
  const across = { from: v(200, 0, 5), course: v(0, 0, SPEED) }
  const offset = v(0, 0, 25)

  it('the agent flies around the leader at the given clearance', () => {
    const wide = join({ ...across, options: { offset, clearance: 15 } })
    const narrow = join({ ...across, options: { offset, clearance: 0 } })
    expect(wide.least).toBeGreaterThan(13)
    expect(narrow.least).toBeLessThan(wide.least - 2)
    expect(wide.time).toBeLessThan(narrow.time + 4)
  })

  it('the agent approaches on a constant bearing as seen from the leader', () => {
    const leader = { position: v(0, 0, 0), velocity: v(0, 0, SPEED), quaternion: quat() }
    const { world } = quietWorld()
    const one = pilot(new JoinUp({ target: leader, offset: v(0, 0, 0), clearance: 0 }), {
      ...SHIP,
      position: v(400, 100, 60),
      velocity: v(0, 0, SPEED),
    })
    world.add(one)
    const seen: Vec3[] = []
    for (let i = 0; i < 60 * 9; i++) {
      world.step(1 / 60)
      leader.position = plus(leader.position, leader.velocity, 1 / 60)
      if (i % 60 === 0 && i > 150) seen.push(unit(minus(one.position, leader.position)))
    }
    expect(seen.length).toBeGreaterThan(4)
    for (const each of seen) expect(angleBetween(each, seen[0]!)).toBeLessThan(0.01)
  })

  it('leaving the slot is emitted, and the agent joins again', () => {
    const leader = { position: v(0, 0, 0), velocity: v(0, 0, 10), quaternion: quat() }
    const { world } = quietWorld()
    const one = pilot(new JoinUp({ target: leader, offset: v(0, 0, 8), tolerance: 1 }), {
      ...SHIP,
      position: v(-8, 0, 0),
      velocity: v(0, 0, 10),
    })
    world.add(one)
    const events: string[] = []
    for (const type of ['arrive', 'leave'] as const) one.addEventListener(type, () => events.push(type))
    for (let i = 0; i < 600; i++) {
      if (i === 200) leader.position = plus(leader.position, v(0, 30, 0))
      world.step(1 / 60)
      leader.position = plus(leader.position, leader.velocity, 1 / 60)
    }
    expect(events).toEqual(['arrive', 'leave', 'arrive'])
  })

  it('the agent keeps to the given speed', () => {
    const leader = { position: v(0, 0, 300), velocity: v(0, 0, 20), quaternion: quat() }
    const { world } = quietWorld()
    const behavior = new JoinUp({ target: leader, offset: v(-10, 0, 0), speed: 30 })
    const one = pilot(behavior, { ...SHIP, velocity: v(0, 0, 20) })
    world.add(one)
    for (let i = 0; i < 900; i++) {
      world.step(1 / 60)
      leader.position = plus(leader.position, leader.velocity, 1 / 60)
      expect(norm(one.velocity)).toBeLessThan(30.1)
    }
  })
})

describe('special cases', () => {
  it('a leader with a non-finite position is not followed', () => {
    const { world, faults } = quietWorld()
    const leader = { position: v(NaN, 0, 0), velocity: v(0, 0, 1) }
    const one = pilot(new JoinUp({ target: leader, offset: OFFSET }), { ...SHIP, velocity: v(5, 0, 5) })
    world.add(one)
    for (let i = 0; i < 60; i++) world.step(1 / 60)
    expectVec(unit(one.velocity), unit(v(1, 0, 1)), 1e-9)
    expect(faults.map(({ message }) => message)).toEqual([expect.stringMatching(/^target: got .*NaN/)])
  })
})

it.each([30, 60, 144])(
  'keeps its place behind a leader that turns and tells no angular velocity, at %i Hz',
  (rate) => {
    const leader = { position: v(50, 0, 0), velocity: v(0, 0, 15) }
    const put = (time: number): void => {
      const angle = 0.3 * time
      leader.position = v(50 * Math.cos(angle), time, 50 * Math.sin(angle))
      leader.velocity = v(-15 * Math.sin(angle), 1, 15 * Math.cos(angle))
    }
    const behavior = new JoinUp({ target: leader, offset: v(-6, 0, 5), clearance: 0 })
    const ship = pilot(behavior, { position: v(40, 0, -4), mass: 100, maxSpeed: 40, maxForce: 2500 })
    const { world } = quietWorld({ fixedStep: 1 / rate })
    world.add(ship)
    for (let step = 1; step <= 25 * rate; step++) {
      put((step - 1) / rate)
      world.step(1 / rate)
      if (step < 18 * rate) continue
      put(step / rate)
      const ahead = dotOf(minus(ship.position, leader.position), unit(leader.velocity))
      expect(Math.abs(ahead + 6)).toBeLessThan(0.01)
      expect(Math.abs(norm(minus(ship.position, leader.position)) - Math.hypot(6, 5))).toBeLessThan(0.01)
    }
  },
)
