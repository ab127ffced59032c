import { Arrive } from '../../core/behaviors/motion/arrive.js'
import { MatchAttitude } from '../../core/behaviors/motion/match-attitude.js'
import { bodyState, readBody } from '../../core/engine/body-state.js'
import { SteeringController, type ControllerOptions } from '../../core/engine/controller.js'
import { SteeringWorld } from '../../core/engine/world.js'
import { neighborSearch } from '../../core/neighbors/neighbor-search.js'
import { multiply, normalizeQuat, quat, rotate, rotationBetween, unrotate } from '../../core/math/quat.js'
import { add, addScaled, copy, length, scale, sub, vec3 } from '../../core/math/vec3.js'
import type { Behavior, Fault, Pose, QuatLike, Vec3Like } from '../../core/types.js'
import type { DoorFeature, DoorUnderTest, DoorWorld, TestBody, TestSolid } from './types.js'

export type { DoorFeature, DoorUnderTest, DoorWorld, TestBody, TestBodyState, TestSolid } from './types.js'

/** One test. `run` throws an Error that says what differs. */
export interface DoorTest {
  readonly name: string
  readonly run: () => void
}

/** Engines of single precision keep six digits. Their errors add up over the steps of a test. */
const PRECISION = 1e-5

/** Length of a step in tests that fly at one rate, s. */
const STEP: number = 1 / 60
/** Rates at which the same flights must agree, Hz. */
const RATES: readonly number[] = [30, 60, 240]

const ZERO: Vec3Like = { x: 0, y: 0, z: 0 }
const EARTH: Vec3Like = { x: 0, y: -9.81, z: 0 }
/** Oblique, so that no axis is special. */
const TILT: QuatLike = normalizeQuat(quat(), { x: 0.3, y: -0.5, z: 0.2, w: 0.7 })
const SKEW: QuatLike = normalizeQuat(quat(), { x: 0.1, y: 0.35, z: -0.25, w: 0.8 })
const SLIM: Vec3Like = { x: 2, y: 24, z: 25 }

const SHIP: TestSolid = {
  position: ZERO,
  quaternion: quat(),
  velocity: ZERO,
  angularVelocity: ZERO,
  mass: 2,
  inertia: { x: 1, y: 1.5, z: 0.8 },
  inertiaFrame: quat(),
  center: ZERO,
  linearDamping: 0,
  angularDamping: 0,
  canSleep: false,
}

const LIMITS = { maxSpeed: 8, maxForce: 20, maxTorque: 20, radius: 0.5 }

/** The flight of one body. */
class Trial {
  readonly steering: SteeringWorld
  readonly door: DoorWorld
  readonly solid: TestSolid
  readonly body: TestBody
  readonly pilot: SteeringController
  readonly faults: Fault[] = []
  /** Pose that the view of the pilot was given last. */
  readonly shown: Pose = { position: vec3(), quaternion: quat() }

  constructor(
    door: DoorUnderTest,
    behavior: Behavior,
    solid: Partial<TestSolid> = {},
    options: Partial<ControllerOptions> = {},
    gravity: Vec3Like = ZERO,
    timestep = STEP,
  ) {
    this.steering = new SteeringWorld({ gravity })
    this.steering.addEventListener('fault', (fault) => this.faults.push(fault))
    this.door = door.open(this.steering, gravity, timestep)
    this.solid = { ...SHIP, ...solid }
    this.body = this.door.add(this.solid)
    const { shown } = this
    const view = {
      write: (_index: number, { position, quaternion }: Pose) => {
        copy(shown.position, position)
        normalizeQuat(shown.quaternion, quaternion)
      },
    }
    this.pilot = new SteeringController(view, { behavior, ...LIMITS, ...this.body.options, ...options })
    this.steering.add(this.pilot)
  }

  get state(): ReturnType<TestBody['state']> {
    return this.body.state(this.pilot)
  }

  step(steps = 1): this {
    for (let i = 0; i < steps; i++) this.door.step()
    return this
  }

  close(): void {
    this.door.close()
    const [fault] = this.faults
    if (fault !== undefined) throw new Error(`fault of ${fault.behavior}: ${fault.message}`)
  }
}

/**
 * Asks for the same force (N) and torque (N·m, world axes) in every step, while it is on. It holds its spin:
 * without that the locomotion turns the nose along the course.
 */
class Push implements Behavior {
  on = true
  force: Vec3Like
  torque: Vec3Like

  constructor(force: Vec3Like, torque: Vec3Like = ZERO) {
    this.force = force
    this.torque = torque
  }

  steer(...[, , out]: Parameters<Behavior['steer']>): void {
    out.turns = true
    if (!this.on) return
    add(out.force, out.force, this.force)
    add(out.torque, out.torque, this.torque)
  }
}

function expectNear(what: string, got: number, expected: number, tolerance: number): void {
  if (!(Math.abs(got - expected) <= tolerance))
    throw new Error(`${what}: got ${got}, expected ${expected} ± ${tolerance}`)
}

function expectVector(what: string, got: Vec3Like, expected: Vec3Like, tolerance: number): void {
  if (!(length(sub(vec3(), got, expected)) <= tolerance))
    throw new Error(`${what}: got ${text(got)}, expected ${text(expected)} ± ${tolerance}`)
}

function text({ x, y, z }: Vec3Like): string {
  return `(${x}, ${y}, ${z})`
}

function angleBetween(a: QuatLike, b: QuatLike): number {
  return length(rotationBetween(vec3(), a, b))
}

/** The angular acceleration (rad/s²) of a solid under a torque (N·m), both in world axes. */
function accelerationOf({ inertia, inertiaFrame, quaternion }: TestSolid, torque: Vec3Like): Vec3Like {
  const axes = multiply(quat(), quaternion, inertiaFrame)
  const local = unrotate(vec3(), axes, torque)
  return rotate(vec3(), axes, { x: local.x / inertia.x, y: local.y / inertia.y, z: local.z / inertia.z })
}

/** The solid with only what the engine has. */
function possible(door: DoorUnderTest, solid: Partial<TestSolid>): Partial<TestSolid> {
  const { inertiaFrame = SHIP.inertiaFrame, center = SHIP.center } = solid
  return {
    ...solid,
    inertiaFrame: door.features.includes('inertiaFrame') ? inertiaFrame : SHIP.inertiaFrame,
    center: door.features.includes('center') ? center : SHIP.center,
  }
}

const ODD: Partial<TestSolid> = {
  position: { x: 3, y: -4, z: 5 },
  quaternion: TILT,
  velocity: { x: 1, y: 2, z: -3 },
  inertia: SLIM,
  inertiaFrame: SKEW,
  center: { x: 0.4, y: -0.2, z: 1.5 },
  mass: 7,
}

interface Case {
  readonly name: string
  readonly needs?: readonly DoorFeature[]
  readonly run: (door: DoorUnderTest) => void
}

const CASES: readonly Case[] = [
  {
    name: 'the agent is where the centre of mass of its body is, and moves as it does',
    run(door) {
      const spin = { x: 0.5, y: -0.3, z: 0.2 }
      const trial = new Trial(door, new Push(ZERO), possible(door, { ...ODD, angularVelocity: spin }))
      for (let i = 0; i < 3; i++) {
        // the agent shows the state at the start of the last step
        const { position, quaternion, velocity, angularVelocity } = trial.state
        const before = [position, velocity, angularVelocity].map((each) => copy(vec3(), each))
        const turn = normalizeQuat(quat(), quaternion)
        trial.step()
        if (!door.features.includes('engine')) continue
        const { pilot } = trial
        expectVector('position', pilot.position, before[0]!, PRECISION)
        expectVector('velocity', pilot.velocity, before[1]!, PRECISION)
        expectVector('angularVelocity', pilot.angularVelocity, before[2]!, PRECISION)
        expectNear('angle to the quaternion of the body', angleBetween(pilot.quaternion, turn), 0, 1e-3)
      }
      trial.close()
    },
  },
  {
    name: 'read writes mass, inertia, centre of mass, damping and gravity',
    needs: ['engine'],
    run(door) {
      const solid = possible(door, ODD)
      const trial = new Trial(door, new Push(ZERO), solid, {}, EARTH)
      trial.step()
      readBody(trial.pilot.body!)
      expectNear('mass', bodyState.mass, 7, 7 * PRECISION)
      expectVector('gravity', bodyState.gravity, EARTH, 10 * PRECISION)
      expectVector('center', bodyState.center, solid.center ?? ZERO, PRECISION)
      // the engine may write the axes in another order
      for (const torque of [
        { x: 1, y: 0, z: 0 },
        { x: 0, y: 1, z: 0 },
        { x: 0, y: 0, z: 1 },
      ]) {
        const { inertia, inertiaFrame } = bodyState
        const read = { ...trial.solid, inertia, inertiaFrame }
        const answer = accelerationOf(read, torque)
        expectVector('inertia', answer, accelerationOf(trial.solid, torque), 1e-3)
      }
      expectNear('linearDamping', bodyState.linearDamping, 0, 0)
      expectNear('angularDamping', bodyState.angularDamping, 0, 0)
      trial.close()
      if (!door.features.includes('damping')) return
      const damped = new Trial(door, new Push(ZERO), { linearDamping: 0.3, angularDamping: 0.1 })
      damped.step()
      readBody(damped.pilot.body!)
      expectNear('linearDamping', bodyState.linearDamping, 0.3, 0.01)
      expectNear('angularDamping', bodyState.angularDamping, 0.1, 0.01)
      damped.close()
    },
  },
  {
    name: 'a force acts once in each step, at the centre of mass, and ends with the wish',
    run(door) {
      const push = new Push({ x: 3, y: -4, z: 1 })
      const trial = new Trial(door, push, possible(door, { ...ODD, velocity: ZERO }))
      trial.step(60)
      expectVector('velocity after 1 s', trial.state.velocity, scale(vec3(), push.force, 1 / 7), 1e-4)
      expectVector('angularVelocity', trial.state.angularVelocity, ZERO, 1e-4)
      push.on = false
      trial.step()
      const coasting = copy(vec3(), trial.state.velocity)
      trial.step(60)
      expectVector('velocity after 1 s more without a wish', trial.state.velocity, coasting, 1e-4)
      trial.close()
    },
  },
  {
    name: 'a torque turns the body by its tensor of inertia',
    run(door) {
      const torque = { x: 2, y: -1, z: 3 }
      const trial = new Trial(door, new Push(ZERO, torque), possible(door, { ...ODD, velocity: ZERO }), {
        maxTurnRate: 100,
      })
      trial.step()
      const expected = scale(vec3(), accelerationOf(trial.solid, torque), STEP)
      expectVector('angularVelocity', trial.state.angularVelocity, expected, 1e-3 * length(expected))
      expectVector('velocity', trial.state.velocity, ZERO, PRECISION)
      trial.close()
    },
  },
  {
    name: 'Arrive comes to rest at its target, at every rate at the same time',
    run(door) {
      const target = { x: 6, y: 9, z: -4 }
      const times = RATES.map((rate) => {
        let time = NaN
        const behavior = new Arrive({ target })
        const trial = new Trial(door, behavior, possible(door, { inertiaFrame: SKEW }), {}, ZERO, 1 / rate)
        trial.pilot.addEventListener('arrive', () => (time = trial.steering.time))
        trial.step(8 * rate)
        expectVector(`position at ${rate} Hz`, trial.state.position, target, 0.01)
        expectVector(`velocity at ${rate} Hz`, trial.state.velocity, ZERO, 0.01)
        if (trial.steering.tick !== 8 * rate)
          throw new Error(`got ${trial.steering.tick} steps of the steering in ${8 * rate} of the engine`)
        trial.close()
        return time
      })
      for (const [i, time] of times.entries())
        expectNear(`time of arrival (s) at ${RATES[i]!} Hz`, time, times[2]!, 0.15)
    },
  },
  ...[
    { name: 'along its own axes', inertiaFrame: quat(), needs: [] },
    { name: 'skew to its own axes', inertiaFrame: SKEW, needs: ['inertiaFrame'] as const },
  ].map(({ name, inertiaFrame, needs }) => ({
    name: `a slim body with principal axes ${name} flips over and holds its attitude`,
    needs,
    run(door: DoorUnderTest) {
      for (const axis of [
        { x: 1, y: 0, z: 0 },
        { x: 0, y: 0.6, z: 0.8 },
        { x: 0.6, y: 0, z: -0.8 },
        { x: 0.48, y: -0.64, z: 0.6 },
      ]) {
        const goal = { quaternion: multiply(quat(), { ...axis, w: 0 }, TILT) }
        const behavior = new MatchAttitude({ target: goal })
        const solid = { inertia: SLIM, inertiaFrame, quaternion: TILT }
        const trial = new Trial(door, behavior, solid, { maxTorque: 120 })
        trial.step(6 * 60)
        const { angularVelocity, quaternion } = trial.state
        const what = `after 6 s of a flip about ${text(axis)}`
        expectNear(`angle (rad) to the goal ${what}`, angleBetween(quaternion, goal.quaternion), 0, 0.005)
        expectVector(`angularVelocity ${what}`, angularVelocity, ZERO, 0.005)
        trial.close()
      }
    },
  })),
  {
    name: 'an impulse from outside survives the step',
    run(door) {
      const trial = new Trial(door, new Push({ x: 1, y: 0, z: 0 }), {
        velocity: { x: 0, y: 1, z: 0 },
      })
      trial.step(10)
      const expected = copy(vec3(), trial.state.velocity)
      const impulse = { x: -30, y: 5, z: 12 }
      trial.body.push(impulse, trial.pilot)
      trial.step()
      // 15 m/s is above maxSpeed, so the pilot may push only so that it does not fly faster
      addScaled(expected, expected, impulse, 1 / 2)
      expectVector('velocity', trial.state.velocity, expected, (1.01 * STEP) / 2)
      trial.close()
    },
  },
  {
    name: 'gravity: a body falls; with compensateGravity it hovers and climbs',
    run(door) {
      const falling = new Trial(door, new Push(ZERO), {}, {}, EARTH)
      falling.step(60)
      expectVector('velocity after a fall of 1 s', falling.state.velocity, EARTH, 0.01)
      falling.close()
      const options = { compensateGravity: true, maxForce: 60 }
      const hovering = new Trial(door, new Push(ZERO), {}, options, EARTH)
      hovering.step(120)
      expectVector('position after 2 s of hovering', hovering.state.position, ZERO, 1e-3)
      hovering.close()
      const target = { x: 1, y: 5, z: 2 }
      const climbing = new Trial(door, new Arrive({ target }), {}, options, EARTH)
      climbing.step(6 * 60)
      expectVector('position after the climb', climbing.state.position, target, 0.01)
      climbing.close()
    },
  },
  {
    name: 'damping is read as the fraction that is lost in a second',
    needs: ['damping'],
    run(door) {
      for (const rate of RATES) {
        const solid = { linearDamping: 0.4, velocity: { x: 0, y: 0, z: 5 } }
        const coasting = new Trial(door, new Push(ZERO), solid, {}, ZERO, 1 / rate)
        coasting.step(rate)
        expectVector(`velocity after 1 s at ${rate} Hz`, coasting.state.velocity, { x: 0, y: 0, z: 3 }, 0.05)
        coasting.close()
        const options = { compensateDamping: true }
        const holding = new Trial(door, new Push(ZERO), solid, options, ZERO, 1 / rate)
        holding.step(2 * rate)
        const what = `velocity after 2 s with compensateDamping at ${rate} Hz`
        expectVector(what, holding.state.velocity, { x: 0, y: 0, z: 5 }, 0.02)
        holding.close()
        const heavy = { compensateDamping: true, compensateGravity: true, maxForce: 60 }
        const hovering = new Trial(door, new Push(ZERO), { linearDamping: 0.4 }, heavy, EARTH, 1 / rate)
        hovering.step(2 * rate)
        expectVector(`velocity after 2 s of hovering at ${rate} Hz`, hovering.state.velocity, ZERO, 0.01)
        hovering.close()
      }
    },
  },
  {
    name: 'a body that has arrived falls asleep; a new target and a slow start keep it awake',
    needs: ['sleep'],
    run(door) {
      const behavior = new Arrive({ target: { x: 0, y: 2, z: 0 } })
      const trial = new Trial(door, behavior, { canSleep: true })
      trial.step(10 * 60)
      if (trial.body.isAsleep?.() !== true)
        throw new Error('got a body awake 10 s after the start, expected asleep')
      trial.step(60)
      if (!trial.body.isAsleep()) throw new Error('got a body awake, expected it to stay asleep')
      behavior.target = { x: 0, y: -2, z: 0 }
      trial.step(8 * 60)
      expectVector('position at the new target', trial.state.position, behavior.target, 0.02)
      trial.close()
      // so slow that an engine which looks at the speed only puts it to sleep
      const creep = new Push({ x: 0.02, y: 0, z: 0 })
      const creeping = new Trial(door, creep, { canSleep: true })
      creeping.step(10 * 60)
      expectVector(
        'velocity after 10 s with 0.01 m/s²',
        creeping.state.velocity,
        { x: 0.1, y: 0, z: 0 },
        1e-3,
      )
      creeping.close()
    },
  },
  {
    name: 'a controller that leaves its world leaves the body its momentum',
    run(door) {
      const trial = new Trial(door, new Push({ x: 2, y: 0, z: 0 }))
      trial.step(30)
      const { velocity } = trial.state
      const expected = copy(vec3(), velocity)
      trial.steering.remove(trial.pilot)
      trial.step(30)
      expectVector('velocity', trial.state.velocity, expected, PRECISION)
      trial.steering.add(trial.pilot)
      trial.step(30)
      add(expected, expected, { x: 0.5, y: 0, z: 0 })
      expectVector('velocity after it came back', trial.state.velocity, expected, 1e-4)
      trial.close()
    },
  },
  {
    name: 'a body that leaves its engine is not steered, and no fault is reported',
    needs: ['engine'],
    run(door) {
      const push = new Push({ x: 2, y: 0, z: 0 })
      const trial = new Trial(door, push)
      const other = trial.door.add({ ...SHIP, position: { x: 0, y: 50, z: 0 } })
      const seen: number[] = []
      const watch: Behavior = {
        reach: 100,
        neighborSearch,
        steer: ({ neighbors }) => void seen.push(neighbors.count),
      }
      trial.steering.add(new SteeringController(null, { behavior: watch, ...LIMITS, ...other.options }))
      trial.step(2)
      trial.body.remove!()
      trial.step(2)
      if (seen.join() !== '1,1,0,0')
        throw new Error(`got ${seen.join()} neighbours of another agent, expected 1,1,0,0`)
      if (trial.pilot.body!.isThere?.() !== false)
        throw new Error('isThere: got no false for a body that was removed')
      trial.steering.present()
      trial.close()
    },
  },
  {
    name: 'a body has one controller only',
    needs: ['engine'],
    run(door) {
      const trial = new Trial(door, new Push(ZERO))
      // a second door to the same body
      const { engineBody } = trial.pilot.body!
      if (engineBody === undefined)
        throw new Error('engineBody: got undefined, must be the object of the engine')
      const body = { ...doorTo(trial.pilot.body!), engineBody }
      const second = new SteeringController(null, { behavior: new Push(ZERO), ...LIMITS, body })
      if (!isRefused(() => trial.steering.add(second)))
        throw new Error('got two controllers of one body, expected a TypeError')
      trial.close()
    },
  },
  {
    name: 'the engine makes the steps: the world refuses its own until it is let go',
    needs: ['engine'],
    run(door) {
      const trial = new Trial(door, new Push(ZERO))
      trial.step()
      if (!isRefused(() => trial.steering.step(STEP)) || !trial.steering.isDriven)
        throw new Error('got a step besides those of the engine, expected an error: use SteeringWorld.drive')
      trial.close()
      if (trial.steering.isDriven)
        throw new Error('got a world that is driven after close, expected a free one')
    },
  },
  {
    name: 'a view shows the origin of a body whose centre of mass is elsewhere',
    needs: ['center'],
    run(door) {
      const target = { x: 4, y: -6, z: 3 }
      const trial = new Trial(door, new Arrive({ target }), {
        center: { x: 0.4, y: -0.2, z: 1.5 },
        quaternion: TILT,
      })
      trial.steering.present()
      const start = rotate(vec3(), TILT, trial.solid.center)
      expectVector(
        'position of the view at the start',
        trial.shown.position,
        scale(start, start, -1),
        PRECISION,
      )
      trial.step(6 * 60)
      trial.steering.present(1)
      expectVector('position of the centre of mass', trial.state.position, target, 0.01)
      const arm = rotate(vec3(), trial.state.quaternion, trial.solid.center)
      const origin = sub(vec3(), trial.state.position, arm)
      expectVector('position of the view', trial.shown.position, origin, 1e-4)
      trial.close()
    },
  },
]

function isRefused(run: () => void): boolean {
  try {
    run()
  } catch {
    return true
  }
  return false
}

/** A door to the same body as another door. */
function doorTo(body: NonNullable<ControllerOptions['body']>): NonNullable<ControllerOptions['body']> {
  return { read: (out) => body.read(out), apply: (wrench, step) => body.apply(wrench, step) }
}

/**
 * The tests that a door to a physics engine passes. For any test runner:
 * `for (const { name, run } of doorTests(door)) it(name, run)`. Tests of features that the engine has not are
 * left out.
 */
export function doorTests(door: DoorUnderTest): DoorTest[] {
  return CASES.filter(({ needs = [] }) => needs.every((each) => door.features.includes(each))).map(
    ({ name, run }) => ({
      name,
      run() {
        try {
          run(door)
        } catch (error) {
          throw new Error(
            `${door.name}: ${name}: ${error instanceof Error ? error.message : String(error)}`,
            {
              cause: error,
            },
          )
        }
      },
    }),
  )
}
