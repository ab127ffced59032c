import * as CANNON from 'cannon-es'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  Arrive,
  blend,
  Face,
  Flight,
  Flocking,
  Hover,
  Seek,
  SteeringController,
  SteeringWorld,
  Thrusters,
  Wander,
  type Behavior,
  type Locomotion,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import {
  apart,
  BEHAVIORS,
  idle,
  inner,
  LOCOMOTIONS,
  norm,
  oneStep,
  plus,
  product,
  randomScene,
  spinOf,
  times,
  turned,
  inverse,
  xyz,
  type Scene,
} from './kit.js'
import { addFlock } from '../support/flock.js'
import { pick } from '../support/tier.js'

const DT = 1 / 60
/** Random cases of a law. */
const RUNS = pick(8, 40, 120)
const AGENT = { maxSpeed: 6, maxForce: 30, maxTorque: 5 }

interface Ship {
  readonly world: CANNON.World
  readonly steering: SteeringWorld
  readonly body: CANNON.Body
  readonly pilot: SteeringController
}

function ship(
  behavior: Behavior,
  locomotion: Locomotion = new Hover(),
  options: CANNON.BodyOptions = {},
  isAttached = true,
): Ship {
  const world = new CANNON.World()
  const steering = new SteeringWorld()
  if (isAttached) attachToCannon(steering, world)
  const body = new CANNON.Body({
    mass: 2,
    shape: new CANNON.Box(new CANNON.Vec3(0.4, 0.3, 0.9)),
    linearDamping: 0,
    angularDamping: 0,
    ...options,
  })
  world.addBody(body)
  const pilot = new SteeringController(null, { ...AGENT, body: cannonBody(body), behavior, locomotion })
  steering.add(pilot)
  return { world, steering, body, pilot }
}

const minds: Record<string, () => Behavior> = {
  Seek: () => new Seek({ target: { x: 50, y: 20, z: -30 } }),
  'Arrive and Face': () =>
    blend([new Arrive({ target: { x: 5, y: 2, z: -3 } }), new Face({ target: { x: 0, y: 50, z: 3 } })]),
  Wander: () => new Wander({ jitter: 3 }),
  nothing: idle,
}

describe('an impulse from outside survives', () => {
  it.each(Object.keys(minds))(
    'the step changes momentum only by the impulse and by the steering force: %s',
    (name) => {
      const { world, body, pilot } = ship(minds[name]!())
      for (let i = 0; i < 240; i++) {
        if (i % 40 === 20) {
          // a kick of 7 to 60 m/s, off centre
          const kick = 5 + i / 2
          body.applyImpulse(new CANNON.Vec3(kick, -kick / 2, 3), new CANNON.Vec3(0.1, 0, -0.2))
        }
        const velocity = xyz(body.velocity)
        const spin = xyz(body.angularVelocity)
        const attitude = { ...xyz(body.quaternion), w: body.quaternion.w }
        const { inertia } = body
        world.step(DT)
        const expected = plus(velocity, pilot.force, DT / body.mass)
        const turning = plus(spin, spinOf(attitude, inertia, pilot.torque), DT)
        // rounding of speeds up to 100 m/s, and of the inverse inertia, which cannon turns by matrices
        expect(apart(body.velocity, expected)).toBeLessThan(1e-12)
        expect(apart(body.angularVelocity, turning)).toBeLessThan(1e-10)
      }
    },
  )

  it.each(Object.keys(minds))(
    'an impulse after the solver changes the velocity by exactly that impulse: %s',
    (name) => {
      const run = (blow: boolean): Vec3 => {
        const { world, body } = ship(minds[name]!())
        for (let i = 0; i < 30; i++) world.step(DT)
        const strike = (): void => body.applyImpulse(new CANNON.Vec3(8, -40, 16))
        if (blow) world.addEventListener('preStep', strike)
        world.step(DT)
        return xyz(body.velocity)
      }
      // 2 kg; the impulse is 50 times the momentum of the ship, so the error is one rounding of 20 m/s
      expect(apart(run(true), plus(run(false), { x: 4, y: -20, z: 8 }))).toBeLessThan(1e-14)
    },
  )

  it('in a collision, momentum changes only by thrust', () => {
    const { world, steering, body, pilot } = ship(minds['Seek']!())
    const other = new CANNON.Body({
      mass: 5,
      shape: new CANNON.Sphere(0.5),
      linearDamping: 0,
      angularDamping: 0,
      position: new CANNON.Vec3(2.2, 0.9, -1.3),
    })
    world.addBody(other)
    const twin = new SteeringController(null, {
      ...AGENT,
      body: cannonBody(other),
      behavior: new Seek({ target: { x: -50, y: -20, z: 30 } }),
    })
    steering.add(twin)
    let contacts = 0
    let momentum: Vec3Like = { x: 0, y: 0, z: 0 }
    for (let i = 0; i < 180; i++) {
      world.step(DT)
      contacts += world.contacts.length
      momentum = plus(plus(momentum, pilot.force, DT), twin.force, DT)
    }
    expect(contacts).toBeGreaterThan(3)
    const now = plus(
      { x: 2 * body.velocity.x, y: 2 * body.velocity.y, z: 2 * body.velocity.z },
      other.velocity,
      5,
    )
    // rounding of about 30 N·s in 180 steps; the solver's impulses are equal and opposite
    expect(apart(now, momentum)).toBeLessThan(1e-11)
  })

  it.each(['Hover', 'Thrusters', 'Flight', 'Hover, point mass'])(
    'an idle agent keeps an impulse far above maxSpeed: %s',
    (gait) => {
      const velocity = new CANNON.Vec3(30, -12, 4)
      const { world, body } = ship(idle(), LOCOMOTIONS[gait]!(randomScene(1)), { velocity })
      for (let i = 0; i < 120; i++) world.step(DT)
      expect(xyz(body.velocity)).toEqual({ x: 30, y: -12, z: 4 })
    },
  )

  it('an agent that wants to go back removes no more speed than its engines can', () => {
    const velocity = new CANNON.Vec3(300, -120, 40)
    const { world, body } = ship(minds['Arrive and Face']!(), new Hover(), { velocity })
    for (let i = 0; i < 120; i++) {
      const before = body.velocity.length()
      world.step(DT)
      const lost = before - body.velocity.length()
      expect(lost).toBeLessThanOrEqual(((AGENT.maxForce * DT) / body.mass) * (1 + 1e-12) + 1e-12)
    }
    // 15 m/s² for two seconds, from 325 m/s
    expect(body.velocity.length()).toBeCloseTo(Math.hypot(300, 120, 40) - 30, 0)
  })

  it('an angular velocity far above maxTurnRate is reduced by maxTorque, never set', () => {
    const { world, body } = ship(minds['Arrive and Face']!(), new Hover())
    body.angularVelocity.set(0, 200, 0)
    const before = body.inertia.y * 200
    world.step(DT)
    const lost = before - body.inertia.y * body.angularVelocity.y
    expect(lost).toBeGreaterThan(0)
    expect(lost).toBeLessThanOrEqual(AGENT.maxTorque * DT * (1 + 1e-12))
  })
})

describe('gravity acts fully', () => {
  it('an idle agent falls freely', () => {
    const { world, body } = ship(idle())
    world.gravity.set(0, -9.82, 0)
    for (let i = 0; i < 120; i++) world.step(DT)
    expect(body.velocity.y).toBeCloseTo(-9.82 * 2, 10)
    expect(body.velocity.x).toBe(0)
  })

  it('the force of the body is its weight plus the steering force', () => {
    const { world, body, pilot } = ship(minds['Wander']!())
    world.gravity.set(1, -9.82, 3)
    let checks = 0
    world.addEventListener('preStep', () => {
      checks++
      const expected = plus({ x: 2, y: -2 * 9.82, z: 6 }, pilot.force)
      expect(apart(body.force, expected)).toBeLessThan(1e-13)
    })
    for (let i = 0; i < 30; i++) world.step(DT)
    expect(checks).toBe(30)
  })
})

describe('pose and velocity belong to the engine', () => {
  it.each(Object.keys(BEHAVIORS))('%s writes force and torque only', (name) => {
    const scene = randomScene(5)
    const { self, target } = scene
    const state = {
      position: new CANNON.Vec3(self.position.x, self.position.y, self.position.z),
      velocity: new CANNON.Vec3(self.velocity.x, self.velocity.y, self.velocity.z),
    }
    // steered, but not moved by the physics engine
    const { steering, body } = ship(BEHAVIORS[name]!(scene), LOCOMOTIONS['Flight']!(scene), state, false)
    const locked = [
      'position',
      'velocity',
      'quaternion',
      'angularVelocity',
      'previousPosition',
      'interpolatedPosition',
      'initPosition',
      'inertia',
      'invInertia',
      'linearFactor',
    ] as const
    // a write to any of these throws now, which would be a fault
    for (const key of locked) Object.freeze(body[key])
    for (const each of Object.values(target)) Object.freeze(each)
    steering.addEventListener('fault', (fault) => expect(fault).toBeNull())
    const fields = {
      mass: body.mass,
      linearDamping: body.linearDamping,
      type: body.type,
      sleepState: body.sleepState,
    }
    for (let i = 0; i < 5; i++) steering.step(DT)
    expect(body).toMatchObject(fields)
    expect(Number.isFinite(norm(body.force))).toBe(true)
  })
})

describe('limits', () => {
  const seeds = fc.integer({ min: 0, max: 1e6 })
  const gaits = Object.keys(LOCOMOTIONS)
  const anyMind = fc.oneof(fc.constant('shout'), fc.constantFrom(...Object.keys(BEHAVIORS)))
  /** Rounding of one addition and one scaling. */
  const ROUND = 1 + 1e-12

  /** A scene at, below or above the maximal speed and turn rate, with weak to very strong demands. */
  function pushed(seed: number, share: number, eager: number): Scene {
    const scene = randomScene(seed)
    const { self, traits } = scene
    const k = (share * traits.maxSpeed) / norm(self.velocity)
    const w = (share * traits.maxTurnRate!) / norm(self.angularVelocity)
    return {
      ...scene,
      self: {
        ...self,
        velocity: plus({ x: 0, y: 0, z: 0 }, self.velocity, k),
        angularVelocity: plus({ x: 0, y: 0, z: 0 }, self.angularVelocity, w),
      },
      traits: { ...traits, maxForce: traits.maxForce * eager, maxTorque: traits.maxTorque! * eager },
    }
  }

  /** A behaviour that asks for far more than the limits, in any direction. */
  function shout(seed: number): Behavior {
    const random = seeded(seed)
    const anything = (): Vec3 => ({ x: random() - 0.5, y: random() - 0.5, z: random() - 0.5 })
    const [force, torque] = [times(anything(), 1e3), times(anything(), 1e3)]
    return {
      steer(_agent, _step, out): void {
        Object.assign(out.force, force)
        Object.assign(out.torque, torque)
      },
    }
  }

  const mindOf = (name: string, seed: number, scene: Scene): Behavior =>
    name === 'shout' ? shout(seed) : BEHAVIORS[name]!(scene)

  const share = fc.constantFrom(0, 0.3, 0.999, 1, 1.0001, 1.5, 20)
  const eager = fc.constantFrom(0, 0.1, 1, 30)

  it.each(gaits)('thrust alone never raises the speed above maxSpeed: %s', (gait) => {
    fc.assert(
      fc.property(seeds, anyMind, share, eager, (seed, mind, fast, power) => {
        const scene = pushed(seed, fast, power)
        // without gravity and damping, all force is thrust
        const calm = { ...scene, gravity: { x: 0, y: 0, z: 0 }, linearDamping: 0 }
        const { force } = oneStep(calm, mindOf(mind, seed, calm), LOCOMOTIONS[gait]!(calm, power), DT)
        const { velocity } = calm.self
        const after = norm(plus(velocity, force, DT / calm.traits.mass))
        expect(after).toBeLessThanOrEqual(Math.max(calm.traits.maxSpeed, norm(velocity)) * ROUND)
      }),
      { seed: 31, numRuns: RUNS },
    )
  })

  it('thrust with gravity and damping compensation does not, together with gravity and damping', () => {
    fc.assert(
      fc.property(seeds, anyMind, share, (seed, mind, fast) => {
        const scene = pushed(seed, fast, 30)
        const paid = {
          ...scene,
          traits: { ...scene.traits, compensateGravity: true, compensateDamping: true },
        }
        const { force } = oneStep(paid, mindOf(mind, seed, paid), new Hover(), DT)
        const { mass, maxSpeed } = paid.traits
        const { velocity } = paid.self
        // as in cannon: gravity and thrust act on the velocity after damping
        const damped = plus({ x: 0, y: 0, z: 0 }, velocity, (1 - paid.linearDamping) ** DT)
        const after = norm(plus(plus(damped, force, DT / mass), paid.gravity, DT))
        expect(after).toBeLessThanOrEqual(Math.max(maxSpeed, norm(velocity)) * ROUND)
      }),
      { seed: 32, numRuns: RUNS },
    )
  })

  it.each(gaits)(
    'torque stays within maxTorque, and raises no angular velocity above maxTurnRate: %s',
    (gait) => {
      fc.assert(
        fc.property(seeds, anyMind, share, eager, (seed, mind, fast, power) => {
          const scene = pushed(seed, fast, power)
          const { torque } = oneStep(scene, mindOf(mind, seed, scene), LOCOMOTIONS[gait]!(scene, power), DT)
          const { self, traits } = scene
          expect(norm(torque)).toBeLessThanOrEqual(traits.maxTorque! * ROUND)
          const after = norm(plus(self.angularVelocity, spinOf(self.quaternion, traits.inertia, torque), DT))
          expect(after).toBeLessThanOrEqual(Math.max(traits.maxTurnRate!, norm(self.angularVelocity)) * ROUND)
        }),
        { seed: 33, numRuns: RUNS },
      )
    },
  )

  it.each(gaits.filter((gait) => gait.startsWith('Hover')))('force stays within maxForce: %s', (gait) => {
    fc.assert(
      fc.property(seeds, anyMind, share, eager, (seed, mind, fast, power) => {
        const scene = pushed(seed, fast, power)
        const { force } = oneStep(scene, mindOf(mind, seed, scene), LOCOMOTIONS[gait]!(scene), DT)
        expect(norm(force)).toBeLessThanOrEqual(scene.traits.maxForce * ROUND)
      }),
      { seed: 34, numRuns: RUNS },
    )
  })

  /** A force in the ship's own axes: ahead, up, starboard. */
  function local({ self, traits }: Scene, force: Vec3Like): Vec3 {
    const own = turned(inverse(self.quaternion), force)
    const { forward, up } = traits
    const starboard = {
      x: forward!.y * up!.z - forward!.z * up!.y,
      y: forward!.z * up!.x - forward!.x * up!.z,
      z: forward!.x * up!.y - forward!.y * up!.x,
    }
    return { x: inner(own, forward!), y: inner(own, up!), z: inner(own, starboard) }
  }

  it('each of the Thrusters stays within its own limit', () => {
    const engines = { ahead: 30, astern: 12, up: 9, down: 2, port: 5, starboard: 0 }
    const used = { ahead: 0, astern: 0, up: 0, down: 0, port: 0, starboard: 0 }
    fc.assert(
      fc.property(seeds, anyMind, share, (seed, mind, fast) => {
        const scene = pushed(seed, fast, 1)
        const { force } = oneStep(scene, mindOf(mind, seed, scene), new Thrusters(engines), DT)
        const { x, y, z } = local(scene, force)
        const pushes = { ahead: x, astern: -x, up: y, down: -y, starboard: z, port: -z }
        for (const key of ['ahead', 'astern', 'up', 'down', 'port', 'starboard'] as const) {
          expect(pushes[key], `thruster ${key}`).toBeLessThanOrEqual(engines[key] * ROUND + 1e-12)
          used[key] = Math.max(used[key], pushes[key])
        }
      }),
      { seed: 35, numRuns: pick(50, 150, 300) },
    )
    for (const key of ['ahead', 'astern', 'up', 'down', 'port'] as const)
      expect(used[key], `thruster ${key}`).toBeCloseTo(engines[key], 6)
  })

  it('Flight keeps thrust, brakes and lift within their limits', () => {
    const wings = { thrust: 20, brake: 8, lift: 35 }
    fc.assert(
      fc.property(seeds, anyMind, share, (seed, mind, fast) => {
        const scene = pushed(seed, fast, 1)
        const { force } = oneStep(scene, mindOf(mind, seed, scene), new Flight(wings), DT)
        const speed = norm(scene.self.velocity)
        if (speed === 0) return
        const course = plus({ x: 0, y: 0, z: 0 }, scene.self.velocity, 1 / speed)
        const along = inner(force, course)
        const across = norm(plus(force, course, -along))
        expect(norm(force)).toBeLessThanOrEqual((wings.thrust + wings.lift) * ROUND)
        // when flying tail first, the engine pushes where the nose points
        if (inner(turned(scene.self.quaternion, scene.traits.forward!), course) <= 0) return
        expect(along).toBeLessThanOrEqual(wings.thrust * ROUND)
        expect(-along).toBeLessThanOrEqual(wings.brake * ROUND)
        if (along <= 0) expect(across).toBeLessThanOrEqual(wings.lift * ROUND + 1e-9)
      }),
      { seed: 36, numRuns: pick(50, 150, 300) },
    )
  })

  it.each(gaits)('hold over a whole flight in a cannon-es world: %s', (gait) => {
    const mind = blend([new Wander({ jitter: 4 }), { behavior: minds['Arrive and Face']!(), weight: 2 }])
    const { world, body, pilot } = ship(mind, LOCOMOTIONS[gait]!(randomScene(2)))
    pilot.maxTurnRate = 2
    // it must turn about
    body.quaternion.setFromEuler(0, 2.5, 0)
    let spun = 0
    for (let i = 0; i < 300; i++) {
      world.step(DT)
      expect(body.velocity.length()).toBeLessThanOrEqual(AGENT.maxSpeed * (1 + 1e-9))
      expect(body.angularVelocity.length()).toBeLessThanOrEqual(2 * (1 + 1e-9))
      spun = Math.max(spun, body.angularVelocity.length())
    }
    // the agent did turn, so the limit was tested; a point mass has no torque
    if (gait !== 'Hover, point mass') expect(spun).toBeGreaterThan(1)
  })
})

it('a flock of bodies keeps the same laws', () => {
  const world = new CANNON.World()
  const steering = new SteeringWorld()
  attachToCannon(steering, world)
  const bodies = Array.from({ length: 12 }, (_, i) => {
    const body = new CANNON.Body({ mass: 1 + i / 4, shape: new CANNON.Sphere(0.3), linearDamping: 0 })
    body.position.set(Math.sin(i) * 4, i / 3, Math.cos(i) * 4)
    world.addBody(body)
    return body
  })
  addFlock(steering, {
    count: bodies.length,
    body: (i) => cannonBody(bodies[i]!),
    behavior: new Flocking({
      separation: { neighborDistance: 3 },
      alignment: { neighborDistance: 6 },
      cohesion: { neighborDistance: 8 },
    }),
    ...AGENT,
  })
  let momentum: Vec3Like = { x: 0, y: 0, z: 0 }
  const total = (): Vec3Like =>
    bodies.reduce((sum, { mass, velocity }) => plus(sum, velocity, mass), { x: 0, y: 0, z: 0 })
  world.addEventListener('preStep', () => {
    for (const { force } of bodies) momentum = plus(momentum, force, DT)
  })
  for (let i = 0; i < 120; i++) {
    if (i === 60) {
      bodies[3]!.applyImpulse(new CANNON.Vec3(50, 0, 20))
      momentum = plus(momentum, { x: 50, y: 0, z: 20 })
    }
    world.step(DT)
  }
  expect(apart(total(), momentum)).toBeLessThan(1e-11)
})

it('the mathematics of this test agrees with that of cannon-es', () => {
  const a = new CANNON.Quaternion(0.1, 0.7, -0.3, 0.4).normalize()
  const b = new CANNON.Quaternion(0.6, -0.2, 0.3, 0.5).normalize()
  const c = a.mult(b)
  expect(product(a, b).x).toBeCloseTo(c.x, 14)
  expect(apart(turned(a, { x: 1, y: 2, z: 3 }), a.vmult(new CANNON.Vec3(1, 2, 3)))).toBeLessThan(1e-14)
})
