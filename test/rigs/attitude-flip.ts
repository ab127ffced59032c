import * as CANNON from 'cannon-es'
import {
  Face,
  MatchAttitude,
  SteeringController,
  SteeringWorld,
  type QuatLike,
  type Vec3,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { fastestArrival } from './arrive-trials.js'

/** A half turn of a slim ship from rest, about an axis in its own frame. */
export interface FlipTrial {
  readonly seed: number
  /** Axis of the half turn in the ship's axes (unit vector): x to a side, y top, z nose. */
  readonly axis: Readonly<Vec3>
  /** Attitude at the start. */
  readonly start: QuatLike
  /** Whether the ship shall `match` the opposite attitude or `face` a point behind it. */
  readonly by: 'match' | 'face'
  readonly maxTorque: number
  readonly maxTurnRate: number
}

export interface FlipResult {
  readonly trial: FlipTrial
  /** Overshoot (degrees): the largest growth of the error above its smallest value so far. */
  readonly overshoot: number
  /** Error at the end (degrees). */
  readonly error: number
  /** Time after which the error stays below half a degree (s); Infinity if it never does. */
  readonly time: number
  /** Time of the fastest half turn with this torque and turn rate (s). */
  readonly optimum: number
}

const DT = 1 / 60
const DEGREES = 180 / Math.PI
const AHEAD = new CANNON.Vec3(0, 0, 1)
/** Half extents (m) and mass (kg), for moments of inertia of 20/3, 20/3 and 2/3 kg·m²: ten to one. */
const HALF = { x: 1, y: 1, z: Math.sqrt(19) }
const MASS = 1

/**
 * Axes of the half turns: yaw, pitch, roll, and oblique axes, about which the different moments of inertia
 * couple.
 */
const AXES: readonly Vec3[] = [
  { x: 0, y: 1, z: 0 },
  { x: 1, y: 0, z: 0 },
  { x: 0, y: 0, z: 1 },
  { x: 0, y: Math.SQRT1_2, z: Math.SQRT1_2 },
  { x: Math.SQRT1_2, y: 0, z: Math.SQRT1_2 },
]

/**
 * The trial of a seed. For `face` only axes perpendicular to the nose are used: others do not reverse the
 * nose.
 */
export function flipTrial(seed: number, by: FlipTrial['by']): FlipTrial {
  const random = seeded(seed)
  const spread = (): number => 2 * random() - 1
  const axis = by === 'match' ? AXES[seed % AXES.length]! : AXES[seed % 2]!
  const start = new CANNON.Quaternion(spread(), spread(), spread(), spread()).normalize()
  return {
    seed,
    axis,
    start: seed < AXES.length ? { x: 0, y: 0, z: 0, w: 1 } : start,
    by,
    maxTorque: 0.5 * 40 ** random(),
    maxTurnRate: 0.5 * 12 ** random(),
  }
}

/** Flies a trial on a cannon-es body, and measures it. */
export function flyFlipTrial(trial: FlipTrial): FlipResult {
  const { start, axis } = trial
  const body = new CANNON.Body({
    mass: MASS,
    shape: new CANNON.Box(new CANNON.Vec3(HALF.x, HALF.y, HALF.z)),
    angularDamping: 0,
  })
  body.quaternion.set(start.x, start.y, start.z, start.w)
  const world = new CANNON.World()
  world.addBody(body)
  const steering = new SteeringWorld()
  attachToCannon(steering, world)
  // a half turn about an axis of the ship: start · axis
  const half = new CANNON.Quaternion(axis.x, axis.y, axis.z, 0)
  const goal = body.quaternion.mult(half)
  const nose = goal.vmult(AHEAD)
  const pilot = new SteeringController(null, {
    body: cannonBody(body),
    maxSpeed: 10,
    maxForce: 10,
    maxTorque: trial.maxTorque,
    maxTurnRate: trial.maxTurnRate,
    behavior:
      trial.by === 'match'
        ? new MatchAttitude({ target: { quaternion: goal } })
        : new Face({ target: nose.scale(100), roll: (trial.seed & 2) === 0 ? 'free' : 'level' }),
  })
  steering.add(pilot)

  const moment = { x: body.inertia.x, y: body.inertia.y, z: body.inertia.z }
  const effort = Math.hypot(moment.x * axis.x, moment.y * axis.y, moment.z * axis.z)
  const optimum = fastestArrival(Math.PI, 0, trial.maxTorque / effort, 0, trial.maxTurnRate)
  let least = 180
  let overshoot = 0
  let error = 180
  let time = 0
  for (let i = 0; i < (1.5 * optimum + 3) / DT; i++) {
    world.step(DT)
    error = trial.by === 'match' ? turnBetween(body.quaternion, goal) : angleBetween(ahead(body), nose)
    least = Math.min(least, error)
    overshoot = Math.max(overshoot, error - least)
    if (error > 0.5) time = (i + 2) * DT
  }
  return { trial, overshoot, error, time: error > 0.5 ? Infinity : time, optimum }
}

function ahead(body: CANNON.Body): CANNON.Vec3 {
  return body.quaternion.vmult(AHEAD)
}

/** Angle of the rotation from one attitude to another (degrees). */
function turnBetween(a: QuatLike, b: QuatLike): number {
  const cosine = Math.abs(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w)
  return 2 * DEGREES * Math.acos(Math.min(1, cosine))
}

/** Angle between unit vectors (degrees). */
function angleBetween(a: CANNON.Vec3, b: CANNON.Vec3): number {
  return DEGREES * Math.acos(Math.max(-1, Math.min(1, a.dot(b))))
}
