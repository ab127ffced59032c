import * as CANNON from 'cannon-es'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  SphereShape,
  SteeringController,
  SteeringWorld,
  Thrusters,
  within,
  type ThrustersOptions,
  type Vec3,
  type Vec3Like,
  type Wrench,
} from 'three-steering'
import type { SteeringBody } from 'three-steering/authoring'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import {
  crossOf,
  direction,
  dotOf,
  expectVec,
  minus,
  norm,
  number,
  plus,
  rotation,
  times,
  turned,
  v,
  vector,
} from '../support/geometry.js'
import { law } from '../support/law.js'
import { pilot } from '../support/pilot.js'
import { pushing, standIn, stepOf, wrench, type StandIn } from '../support/stand-in.js'

type Mounts = NonNullable<ThrustersOptions['mounts']>

const AHEAD = v(0, 0, 1)
const UP = v(0, 1, 0)
const STARBOARD = v(-1, 0, 0)
/** Directions of thrust of the engines in the axes of the default model. */
const THRUST: Readonly<Record<keyof Mounts, Vec3>> = {
  ahead: AHEAD,
  astern: times(AHEAD, -1),
  up: UP,
  down: times(UP, -1),
  port: times(STARBOARD, -1),
  starboard: STARBOARD,
}
const SIDES = { ahead: 60, astern: 5, up: 20, down: 10, port: 12, starboard: 16 }

const place = () => vector(3)
const anyMounts = () =>
  fc.record(
    { ahead: place(), astern: place(), up: place(), down: place(), port: place(), starboard: place() },
    { requiredKeys: [] },
  ) as fc.Arbitrary<Mounts>

/** What the locomotion gives when `torque` (N·m) and `force` (N) are demanded. */
function given(locomotion: Thrusters, agent: StandIn, force: Vec3Like, torque = v(0, 0, 0)): Wrench {
  const out = wrench()
  locomotion.actuate(agent, { ...wrench(force, torque), turns: true }, stepOf(), out)
  return out
}

/** Torque (N·m, world axes) about the centre of mass of the engines that give `force`, each at its mount. */
function engineTorque(mounts: Mounts, { center, orientation }: StandIn, force: Vec3Like): Vec3 {
  let sum = v(0, 0, 0)
  for (const [name, thrust] of Object.entries(THRUST) as [keyof Mounts, Vec3][]) {
    const share = dotOf(force, turned(orientation, thrust))
    const mount = mounts[name]
    if (!(share > 0) || mount === undefined) continue
    const arm = turned(orientation, minus(mount, center))
    sum = plus(sum, crossOf(arm, times(turned(orientation, thrust), share)))
  }
  return sum
}

const FREE = { maxSpeed: Infinity, maxForce: 1e6, maxTurnRate: Infinity }

describe('engines of Thrusters with mounts', () => {
  law(
    'give the wanted torque, within maxTorque beside the torque of their thrust, and no more than their thrust',
    [anyMounts(), rotation(), vector(200), vector(40), vector(2), number(0, 60)],
    (mounts, orientation, force, torque, center, maxTorque) => {
      const agent = standIn({ ...FREE, orientation, center, maxTorque })
      const free = given(new Thrusters(SIDES), agent, force, torque)
      const out = given(new Thrusters({ ...SIDES, mounts }), agent, force, torque)
      expectVec(out.torque, free.torque, 1e-12)
      const held = minus(out.torque, engineTorque(mounts, agent, out.force))
      expect(norm(held)).toBeLessThanOrEqual(maxTorque * (1 + 1e-9) + 1e-9)
      for (const thrust of Object.values(THRUST)) {
        const n = turned(orientation, thrust)
        const whole = dotOf(free.force, n)
        expect(dotOf(out.force, n)).toBeLessThanOrEqual(Math.max(0, whole) + 1e-9)
      }
    },
  )

  law(
    'keep their whole thrust where maxTorque suffices, and nearly all that it suffices for',
    [anyMounts(), rotation(), direction(), number(1, 60)],
    (mounts, orientation, n, maxTorque) => {
      const agent = standIn({ ...FREE, orientation, maxTorque })
      const thrusters = new Thrusters({ ...SIDES, mounts })
      const free = given(new Thrusters(SIDES), agent, times(n, 200)).force
      const out = given(thrusters, agent, times(n, 200)).force
      const load = norm(engineTorque(mounts, agent, out))
      if (norm(minus(out, free)) < 1e-9) return
      // some engine is at the limit of what is held: with a little more of all, it would be too much
      const more = engineTorque(mounts, agent, times(out, 1.001))
      const single = Object.values(THRUST).some((thrust) => {
        const axis = turned(orientation, thrust)
        const part = times(axis, Math.max(0, dotOf(out, axis)))
        return norm(engineTorque(mounts, agent, part)) > maxTorque * 0.999
      })
      expect(norm(more) > maxTorque * 0.999 || single || load > maxTorque * 0.999).toBe(true)
    },
  )

  law(
    'forceAlong is a force that they give while no turn is wanted',
    [anyMounts(), rotation(), direction(), number(0, 60)],
    (mounts, orientation, n, maxTorque) => {
      const agent = standIn({ ...FREE, orientation, maxTorque })
      const thrusters = new Thrusters({ ...SIDES, mounts })
      const most = thrusters.forceAlong(agent, n.x, n.y, n.z)
      expect(most).toBeGreaterThanOrEqual(0)
      expect(most).toBeLessThanOrEqual(new Thrusters(SIDES).forceAlong(agent, n.x, n.y, n.z) + 1e-9)
      expectVec(given(thrusters, agent, times(n, most)).force, times(n, most), 1e-6)
    },
  )

  law(
    'their force and torque turn with the scene',
    [anyMounts(), rotation(), vector(99)],
    (mounts, q, force) => {
      const agent = standIn({ ...FREE })
      const there = standIn({ ...FREE, orientation: q })
      const thrusters = new Thrusters({ ...SIDES, mounts })
      const a = given(thrusters, agent, force, v(1, 2, 3))
      const b = given(thrusters, there, turned(q, force), turned(q, v(1, 2, 3)))
      expectVec(b.force, turned(q, a.force), 1e-6)
      expectVec(b.torque, turned(q, a.torque), 1e-9)
    },
  )

  law(
    'a mirrored ship does the mirrored thing',
    [anyMounts(), vector(99), vector(5)],
    (mounts, force, torque) => {
      const flip = ({ x, y, z }: Vec3Like): Vec3 => v(-x, y, z)
      const flipTorque = ({ x, y, z }: Vec3Like): Vec3 => v(x, -y, -z)
      const agent = standIn({ ...FREE })
      const mirrored: Mounts = {}
      for (const [name, at] of Object.entries(mounts) as [keyof Mounts, Vec3][])
        mirrored[name === 'port' ? 'starboard' : name === 'starboard' ? 'port' : name] = flip(at)
      const { port, starboard } = SIDES
      const a = given(new Thrusters({ ...SIDES, mounts }), agent, force, torque)
      const swapped = { ...SIDES, port: starboard, starboard: port, mounts: mirrored }
      const b = given(new Thrusters(swapped), agent, flip(force), flipTorque(torque))
      expectVec(b.force, flip(a.force), 1e-9)
      expectVec(b.torque, flipTorque(a.torque), 1e-9)
    },
  )

  it('on lines through the centre of mass they are as without', () => {
    const center = v(0.3, -0.2, 1)
    const mounts: Mounts = {}
    for (const [name, thrust] of Object.entries(THRUST) as [keyof Mounts, Vec3][])
      mounts[name] = plus(center, thrust, -2)
    const agent = standIn({ ...FREE, center, maxTorque: 0 })
    for (const force of [v(10, 20, 30), v(-300, 4, -90)])
      expectVec(
        given(new Thrusters({ ...SIDES, mounts }), agent, force).force,
        given(new Thrusters(SIDES), agent, force).force,
        1e-9,
      )
  })

  it('an engine at the origin of a body whose centre of mass is elsewhere turns it', () => {
    const thrusters = new Thrusters({ ...SIDES, mounts: { ahead: v(0, 0, 0) } })
    const above = standIn({ ...FREE, center: v(0, 1.5, 0), maxTorque: 30 })
    expect(thrusters.forceAlong(above, 0, 0, 1)).toBeCloseTo(20, 9)
    expect(
      thrusters.forceAlong(standIn({ ...FREE, center: v(0, 0, 9), maxTorque: 30 }), 0, 0, 1),
    ).toBeCloseTo(60, 9)
  })

  it('without torque of its own, a ship does not fire an engine off its centre of mass', () => {
    const agent = standIn({ ...FREE, maxTorque: 0 })
    const thrusters = new Thrusters({ ...SIDES, mounts: { ahead: v(0, 0.01, 0) } })
    expectVec(given(thrusters, agent, v(0, 9, 50)).force, v(0, 9, 0), 1e-12)
    expect(thrusters.forceAlong(agent, 0, 0, 1)).toBe(0)
    expect(thrusters.forceTurnTime(agent)).toBeGreaterThanOrEqual(0)
    thrusters.turnForForce(agent, v(0, 0, 5), stepOf(), wrench())
  })

  it('may be changed at any time; mounts that are no vectors, or of no engine, are refused', () => {
    const thrusters = new Thrusters({ ahead: 60, mounts: { ahead: v(0, 1, 0) } })
    const agent = standIn({ ...FREE, maxTorque: 30 })
    expect(thrusters.forceAlong(agent, 0, 0, 1)).toBeCloseTo(30, 9)
    thrusters.mounts = { ahead: v(0, 2, 0) }
    expect(thrusters.forceAlong(agent, 0, 0, 1)).toBeCloseTo(15, 9)
    thrusters.mounts = undefined
    expect(thrusters.forceAlong(agent, 0, 0, 1)).toBeCloseTo(60, 9)
    const make = (mounts: unknown) => () => new Thrusters({ ahead: 1, mounts: mounts as Mounts })
    expect(make(3)).toThrow(/Thrusters\.mounts/)
    expect(make({ ahead: 3 })).toThrow(/mounts\.ahead.*x, y, z/)
    expect(make({ ahead: v(NaN, 0, 0) })).toThrow(/mounts\.ahead.*finite/)
    expect(make({ aft: v(0, 0, 0) })).toThrow(/engine: got 'aft', allowed are 'ahead'/)
  })
})

describe('a ship with its main engine below its centre of mass', () => {
  /** On cannon-es: the engines push at their mounts, and the vehicle adds its own torque. */
  function shipOf(
    mounts: Mounts,
    maxTorque: number,
  ): { own: () => number; body: CANNON.Body; fly: (s: number) => void; one: SteeringController } {
    const physics = new CANNON.World()
    const body = new CANNON.Body({ mass: 2, shape: new CANNON.Box(new CANNON.Vec3(0.5, 0.4, 1)) })
    physics.addBody(body)
    const world = new SteeringWorld()
    attachToCannon(world, physics)
    const door = cannonBody(body)
    let own = 0
    const atTheEngines: SteeringBody = {
      engineBody: body,
      radius: 1,
      read: (out) => door.read(out),
      apply({ force, torque }) {
        const { x, y, z, w } = body.quaternion
        let rest: Vec3 = { ...torque }
        for (const [name, thrust] of Object.entries(THRUST) as [keyof Mounts, Vec3][]) {
          const n = turned({ x, y, z, w }, thrust)
          const share = Math.max(0, dotOf(force, n))
          const arm = turned({ x, y, z, w }, mounts[name] ?? v(0, 0, 0))
          const f = times(n, share)
          body.applyForce(new CANNON.Vec3(f.x, f.y, f.z), new CANNON.Vec3(arm.x, arm.y, arm.z))
          rest = minus(rest, crossOf(arm, f))
        }
        own = Math.max(own, norm(rest))
        body.torque.vadd(new CANNON.Vec3(rest.x, rest.y, rest.z), body.torque)
      },
    }
    const obstacles = [{ shape: new SphereShape(3), at: v(0, 0.3, 20) }]
    const one = new SteeringController(null, {
      body: atTheEngines,
      behavior: within([new AvoidObstacles({ obstacles })], new Arrive({ target: v(0, 0, 40) })),
      maxSpeed: 8,
      maxForce: 20,
      maxTorque,
      locomotion: new Thrusters({ ahead: 20, astern: 10, mounts }),
    })
    world.add(one)
    const fly = (seconds: number): void => {
      for (let i = 0; i < 60 * seconds; i++) physics.step(1 / 60)
    }
    return { own: () => own, body, fly, one }
  }

  it('arrives past a rock with engines that push where they are, and needs no more than maxTorque', () => {
    const mounts = { ahead: v(0, -0.3, -1), astern: v(0, -0.3, 1) }
    const { own, body, fly } = shipOf(mounts, 8)
    let least = Infinity
    for (let i = 0; i < 80; i++) {
      fly(0.25)
      least = Math.min(least, Math.hypot(body.position.x, body.position.y - 0.3, body.position.z - 20) - 3)
    }
    expect(Math.hypot(body.position.x, body.position.y, body.position.z - 40)).toBeLessThan(0.1)
    expect(body.velocity.length()).toBeLessThan(0.05)
    expect(least).toBeGreaterThan(0.9)
    expect(own()).toBeLessThanOrEqual(8 * (1 + 1e-9))
    expect(own()).toBeGreaterThan(4)
  })

  it('flies no faster than its torque allows, and still arrives with its nose ahead', () => {
    const mounts = { ahead: v(0, -1, -1), astern: v(0, -1, 1) }
    const strong = shipOf(mounts, 100)
    const weak = shipOf(mounts, 2)
    for (const { fly } of [strong, weak]) fly(2)
    expect(weak.body.velocity.length()).toBeLessThan(0.3 * strong.body.velocity.length())
    expect(dotOf(weak.one.attitude.x, AHEAD)).toBeGreaterThan(0.95)
    weak.fly(30)
    expect(Math.hypot(weak.body.position.x, weak.body.position.y, weak.body.position.z - 40)).toBeLessThan(
      0.2,
    )
  })

  it('without a body, one with a point of thrust is steered as with one', () => {
    const locomotion = (): Thrusters => new Thrusters({ ahead: 20, mounts: { ahead: v(0, -1, 0) } })
    const one = pilot(pushing(v(0, 0, 20)), { locomotion: locomotion(), maxTorque: 5, mass: 1, maxSpeed: 99 })
    const world = new SteeringWorld()
    world.add(one)
    for (let i = 0; i < 60; i++) world.step(1 / 60)
    expect(one.velocity.z).toBeCloseTo(5, 6)
    expect(norm(one.angularVelocity)).toBeLessThan(1e-9)
  })
})
