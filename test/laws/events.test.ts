import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  Arrive,
  AttackRun,
  DirectedSeek,
  Flight,
  FollowPath,
  Hover,
  JoinUp,
  Path,
  Sight,
  SteeringController,
  SteeringWorld,
  Stop,
  Strafe,
  Thrusters,
  Walker,
  Wheels,
  type Behavior,
  type ControllerOptions,
  type Locomotion,
  type Quat,
  type Vec3,
} from 'three-steering'
import { Dock, Land, Port, Refuel } from 'three-steering/docking'
import { Formation, KeepSlot, linePattern } from 'three-steering/formation'
import { GateRun } from 'three-steering/racing'
import {
  about,
  angleApart,
  angleBetween,
  dotOf,
  minus,
  norm,
  number,
  plus,
  turned,
  v,
} from '../support/geometry.js'
import { law } from '../support/law.js'

/**
 * An event is emitted only when all of its conditions, as its page states them, hold at the start of the
 * step in which it is decided. Each entry states them once more, from the poses alone.
 */

const DT = 1 / 60
const NOSE = v(0, 0, 1)
const UP = v(0, 1, 0)

interface State {
  readonly position: Vec3
  readonly velocity: Vec3
  readonly quaternion: Quat
  readonly angularVelocity: Vec3
}

interface Case {
  readonly make: (target: State) => Behavior
  readonly locomotion?: () => Locomotion
  readonly options?: Partial<ControllerOptions>
  /** Speed of the target, m/s. */
  readonly drift?: number
  /** Conditions of each event, by its name or stage. The others have none. */
  readonly holds: Readonly<Record<string, (ship: State, target: State) => boolean>>
  /** The event that every flight comes to within a minute, if there is one. */
  readonly reaches?: string
  /** How far (m) from the target the flight begins. */
  readonly from?: number
}

const copyOf = ({ position: p, velocity: u, quaternion: q, angularVelocity: w }: State): State => ({
  position: v(p.x, p.y, p.z),
  velocity: v(u.x, u.y, u.z),
  quaternion: { x: q.x, y: q.y, z: q.z, w: q.w },
  angularVelocity: v(w.x, w.y, w.z),
})

const away = (a: State, b: State): number => norm(minus(a.position, b.position))
const slip = (a: State, b: State): number => norm(minus(a.velocity, b.velocity))
const noseOf = ({ quaternion }: State): Vec3 => turned(quaternion, NOSE)
/** The starboard side of a model is −x. */
const inFrameOf = ({ position, quaternion }: State, x: number, y: number, z: number): Vec3 =>
  plus(position, turned(quaternion, v(-z, y, x)))

const TOLERANCE = 0.2
const ANGLE = 0.05
const inPose = (ship: State, target: State): boolean =>
  away(ship, target) <= TOLERANCE &&
  slip(ship, target) <= TOLERANCE &&
  angleBetween(noseOf(ship), noseOf(target)) <= ANGLE
/** By a tenth of its radius of 1 m, per second. */
const rests = ({ velocity }: State): boolean => norm(velocity) <= 0.1
const moves = ({ velocity }: State): boolean => norm(velocity) > 0.2
/** It passed within the last step. */
const passes = (ship: State, target: State): boolean => {
  const off = minus(ship.position, target.position)
  const back = Math.min(DT, dotOf(off, ship.velocity) / dotOf(ship.velocity, ship.velocity))
  return (
    norm(plus(off, ship.velocity, -back)) <= TOLERANCE + 1e-9 &&
    angleBetween(ship.velocity, noseOf(target)) <= ANGLE + 1e-9
  )
}

const still = (arrivalSpeed: number | undefined, method: 'planned' | 'stateless' = 'planned') => ({
  make: (target: State) =>
    new DirectedSeek({
      target,
      tolerance: TOLERANCE,
      angleTolerance: ANGLE,
      method,
      ...(arrivalSpeed !== undefined && { arrivalSpeed }),
    }),
  holds: { arrive: arrivalSpeed === 0 ? inPose : passes },
  reaches: 'arrive',
})
const ground = { plane: UP }
const SIDES = { up: 20, down: 20, port: 20, starboard: 20 }
const port = (carrier: State): Port => new Port({ carrier, position: v(2, 0, 0), outward: v(1, 0, 0) })
/** Tip of the ship, m from where it touches the port, and angle from its attitude there (rad). */
const docked = (ship: State, target: State): boolean => {
  const tip = plus(ship.position, noseOf(ship))
  const off = minus(tip, inFrameOf(target, 2, 0, 0))
  const along = dotOf(off, noseOf(target))
  const aside = norm(plus(off, noseOf(target), -along))
  return (
    Math.abs(along) <= 0.02 &&
    aside <= 0.02 &&
    angleBetween(noseOf(ship), noseOf(target)) >= Math.PI - 0.01 &&
    angleBetween(turned(ship.quaternion, UP), turned(target.quaternion, UP)) <= 0.01
  )
}

/** The formation of the flight now. */
let wing: Formation

const CASES: Readonly<Record<string, Case>> = {
  Arrive: {
    make: (target) => new Arrive({ target, tolerance: 0.3, speedTolerance: 0.2 }),
    drift: 2,
    holds: {
      arrive: (ship, target) => away(ship, target) <= 0.3 && slip(ship, target) <= 0.2,
      leave: (ship, target) => away(ship, target) > 0.6,
    },
    reaches: 'arrive',
  },
  'DirectedSeek to rest': still(0),
  'DirectedSeek to rest, thrusters': {
    ...still(0),
    locomotion: () => new Thrusters({ ahead: 20, astern: 20, ...SIDES }),
  },
  'DirectedSeek to rest, stateless': { ...still(0, 'stateless'), from: 12 },
  'DirectedSeek to rest, a walker': { ...still(0), locomotion: () => new Walker(), options: ground },
  'DirectedSeek to rest, a car': {
    ...still(0),
    locomotion: () => new Wheels({ wheelbase: 1 }),
    options: ground,
  },
  'DirectedSeek, passing': still(undefined),
  'DirectedSeek, slower': { ...still(3), locomotion: () => new Flight() },
  JoinUp: {
    make: (target) => new JoinUp({ target, offset: v(-6, 0, 2), tolerance: 0.5, speedTolerance: 0.4 }),
    drift: 3,
    holds: {
      arrive: (ship, target) =>
        norm(minus(ship.position, inFrameOf(target, -6, 0, 2))) <= 0.5 && slip(ship, target) <= 0.4,
    },
    reaches: 'arrive',
  },
  KeepSlot: {
    make: (target) =>
      new KeepSlot({
        // the slot is beside the target, and moves as it does
        formation: (wing = new Formation({ leader: target, pattern: linePattern, spacing: 5 })),
      }),
    drift: 2,
    holds: {
      // within its radius
      arrive: (ship, target) =>
        norm(minus(wing.placeOf(0)!, ship.position)) <= 1.1 && slip(ship, target) <= 1.3,
      leave: (ship) => norm(minus(wing.placeOf(0)!, ship.position)) > 1.5,
    },
    reaches: 'arrive',
  },
  FollowPath: {
    make: ({ position }) =>
      new FollowPath({ path: new Path({ points: [plus(position, v(9, 4, -8)), position] }) }),
    holds: { arrive: (ship, target) => away(ship, target) <= 0.2 && norm(ship.velocity) <= 0.2 },
    reaches: 'arrive',
  },
  GateRun: {
    make: (target) =>
      new GateRun({
        gates: [{ position: target.position, heading: noseOf(target), radius: 1.5 }],
        ends: 'open',
        behavior: new DirectedSeek({ target }),
      }),
    holds: {
      'gate 0': (ship, target) =>
        Math.abs(dotOf(minus(ship.position, target.position), noseOf(target))) <= 10 * DT &&
        away(ship, target) <= 1.51,
    },
  },
  Dock: {
    make: (target) => new Dock({ port: port(target) }),
    holds: { latched: docked },
    reaches: 'latched',
  },
  Land: {
    make: (carrier) =>
      new Land({
        port: new Port({ carrier, position: v(0, 2, 0), outward: UP }),
        hold: true,
        heading: 'pad',
        tolerance: 0.1,
        angleTolerance: 0.02,
        latchDistance: 0.1,
      }),
    holds: {
      landed: (ship, target) =>
        norm(minus(plus(ship.position, turned(ship.quaternion, v(0, -1, 0))), inFrameOf(target, 0, 2, 0))) <=
          0.15 && angleApart(ship.quaternion, target.quaternion) <= 0.02,
    },
    reaches: 'landed',
  },
  Refuel: {
    make: (target) => new Refuel({ target, offset: v(-5, -3, 0), clearance: 0 }),
    drift: 3,
    holds: {
      contact: (ship, target) =>
        norm(minus(ship.position, inFrameOf(target, -5, -3, 0))) <= 0.3 * Math.SQRT2 &&
        angleApart(ship.quaternion, target.quaternion) <= 0.1 &&
        slip(ship, target) < 0.3,
    },
    reaches: 'contact',
  },
  AttackRun: {
    make: (target) => new AttackRun({ target, range: 20, firingAngle: 0.2 }),
    drift: 2,
    holds: {
      attack: (ship, target) =>
        away(ship, target) <= 20 && angleBetween(ship.velocity, minus(target.position, ship.position)) <= 0.2,
    },
    reaches: 'attack',
  },
  Stop: { make: () => new Stop(), holds: { arrive: rests, leave: moves }, reaches: 'arrive' },
  'Stop, a walker': {
    make: () => new Stop({ hold: true }),
    locomotion: () => new Walker(),
    options: ground,
    holds: { arrive: rests, leave: moves },
    reaches: 'arrive',
  },
  Strafe: {
    make: (target) => new Strafe({ target, missDistance: 3, range: 12 }),
    holds: { pass: (ship, target) => away(ship, target) <= 12 },
    reaches: 'pass',
  },
  Sight: {
    make: (target) =>
      new Sight({ target, range: 15, fieldOfView: 2, behavior: new Arrive({ target: v(0, 0, 0) }) }),
    drift: 2,
    holds: {
      seen: (ship, target) =>
        away(ship, target) <= 15 && angleBetween(noseOf(ship), minus(target.position, ship.position)) <= 1,
    },
  },
}

describe('an event is emitted when all of its conditions hold, and the flight comes to it', () => {
  for (const [name, each] of Object.entries(CASES))
    law(
      name,
      [number(0.05, 1), number(-Math.PI, Math.PI), number(-Math.PI, Math.PI), number(0, 6), fc.boolean()],
      (share, side, turn, speed, isNear) => {
        const { drift = 0, from = 25, holds, options = {}, locomotion } = each
        const flat = options.plane !== undefined
        const target: State = {
          position: v(0, 0, 0),
          velocity: v(drift, 0, 0),
          quaternion: about(UP, drift > 0 ? Math.PI / 2 : 0.3),
          angularVelocity: v(0, 0, 0),
        }
        const d = isNear ? 0.19 * share : from * share
        const behavior = each.make(target)
        const pilot = new SteeringController(null, {
          behavior,
          locomotion: locomotion?.() ?? new Hover(),
          maxSpeed: 10,
          maxForce: 20,
          maxTorque: 8,
          radius: 1,
          position: v(d * Math.cos(side), flat ? 0 : d * Math.sin(2 * side) * 0.5, d * Math.sin(side)),
          quaternion: about(UP, turn),
          velocity: isNear ? v(0, 0, 0) : v(speed * Math.cos(turn), 0, speed * Math.sin(turn)),
          ...options,
        })
        const world = new SteeringWorld()
        world.add(pilot)
        let before = copyOf(pilot)
        const told: string[] = []
        const check = (event: string): void => {
          told.push(event)
          const condition = holds[event]
          if (condition !== undefined)
            expect(condition(before, target), `${event} at ${JSON.stringify({ before, target })}`).toBe(true)
        }
        const failures: unknown[] = []
        const attempt = (event: string): void => {
          try {
            check(event)
          } catch (error) {
            failures.push(error)
          }
        }
        pilot.addEventListener('arrive', () => attempt('arrive'))
        pilot.addEventListener('leave', () => attempt('leave'))
        pilot.addEventListener('stage', ({ stage }) => attempt(stage))
        const isReached = (): boolean => each.reaches === undefined || told.includes(each.reaches)
        for (let i = 0; i < 60 / DT && (i < 120 || !isReached()); i++) {
          before = copyOf(pilot)
          world.step(DT)
          for (const failure of failures) throw failure
          const { position, velocity } = target
          Object.assign(position, plus(position, velocity, DT))
        }
        expect(isReached(), `told: ${told.join()}`).toBe(true)
      },
      60,
    )
})

it('each file that emits an event has its entry here, or a test of its own', () => {
  const files = sourceFiles().filter((file) => readFileSync(file, 'utf8').includes('step.emit('))
  expect(files.map((file) => basename(file, '.ts')).sort()).toEqual([
    'arrive',
    'attack-run',
    'barred', // test/repro/no-way-into-a-closed-room-is-told.test.ts
    'cannot', // test/behaviors/docking/cannot.test.ts
    'directed-seek',
    'follow-path',
    'gate-run',
    'join-up',
    'keep-slot',
    'modes', // test/combine/modes.test.ts
    'mooring', // Dock, Land, Refuel
    'pipeline', // test/behaviors/classic
    'settling', // test/laws/as-near-as-it-gets.test.ts
    'sight',
    'stop',
    'strafe',
    'target', // test/laws/gone-targets.test.ts
    'undock', // test/behaviors/docking/dock.test.ts
  ])
})

function sourceFiles(): string[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join('src', file))
}
