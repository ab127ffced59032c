import * as CANNON from 'cannon-es'
import { Arrive, SteeringController, SteeringWorld, type Vec3 } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { distance, magnitude } from '../../demo/scenarios/metrics.js'
import { direction } from '../../demo/scenarios/vectors.js'

/** One flight to a goal. SI units. */
export interface ArriveTrial {
  readonly seed: number
  readonly mass: number
  readonly maxForce: number
  readonly maxSpeed: number
  /** Damping as cannon-es counts it: share of the velocity lost per second. */
  readonly linearDamping: number
  /** Response time of the controller (s). No flight can settle faster. */
  readonly responseTime: number
  readonly start: Readonly<Vec3>
  readonly goal: Readonly<Vec3>
  readonly velocity: Readonly<Vec3>
}

export interface ArriveResult {
  readonly trial: ArriveTrial
  /** Greatest distance past the goal, along the line from the start (m). */
  readonly overshoot: number
  /** Greatest distance from the goal in the last second (m). */
  readonly error: number
  /** Time after which it stays within `SETTLED` of the goal (s). Infinity if it never settles. */
  readonly time: number
  /** Time of the fastest possible flight that ends at rest at the goal (s). */
  readonly optimum: number
  /** Stopping distance from its highest speed (m). */
  readonly braking: number
  /** Number of `arrive` and `leave` events. */
  readonly arrivals: number
  readonly departures: number
}

/** A flight within this distance of the goal counts as settled (m). */
export const SETTLED = 0.02

const DT = 1 / 60

/** A flight ends when it has been settled for this long (s). */
const WATCH = 2

/** Longest flight, as the time at full speed (s). Keeps a thousand trials quick. */
const LONGEST = 12

/**
 * Draws a trial: mass 100 g to 1 t, thrust 0.05 to 5 g, speed 1 to 60 m/s, distance 1 to 500 m, any
 * direction, linear damping 0 to 0.9.
 * The distance is never shorter than full thrust covers in about three response times. Less would test the
 * response time only.
 */
export function arriveTrial(seed: number): ArriveTrial {
  const random = seeded(seed)
  const between = (low: number, high: number): number => low * (high / low) ** random()
  const mass = between(0.1, 1000)
  const acceleration = between(0.5, 50)
  const maxSpeed = between(1, 60)
  const responseTime = 0.1
  const length = between(
    Math.max(1, 10 * acceleration * responseTime ** 2),
    Math.min(500, LONGEST * maxSpeed, 50 * acceleration),
  )
  const linearDamping = [0, 0.01, 0.5, 0.9 * random()][Math.floor(4 * random())]!
  const ahead = direction(random)
  const goal = { x: 50 * random() - 25, y: 50 * random() - 25, z: 50 * random() - 25 }
  // half of the trials start with a velocity in any direction, small enough to brake on half of the distance,
  // response time included
  const brakable = acceleration * (Math.sqrt(responseTime ** 2 + length / acceleration) - responseTime)
  const startSpeed = random() < 0.5 ? Math.min(maxSpeed, brakable) * random() : 0
  const startDirection = direction(random)
  return {
    seed,
    mass,
    maxForce: mass * acceleration,
    maxSpeed,
    linearDamping,
    responseTime,
    start: { x: goal.x - length * ahead.x, y: goal.y - length * ahead.y, z: goal.z - length * ahead.z },
    goal,
    velocity: {
      x: startSpeed * startDirection.x,
      y: startSpeed * startDirection.y,
      z: startSpeed * startDirection.z,
    },
  }
}

/** Flies a trial with a cannon-es body and measures it. */
export function flyArriveTrial(trial: ArriveTrial): ArriveResult {
  const { goal, start } = trial
  const body = new CANNON.Body({
    mass: trial.mass,
    shape: new CANNON.Sphere(0.5),
    linearDamping: trial.linearDamping,
    position: new CANNON.Vec3(start.x, start.y, start.z),
    velocity: new CANNON.Vec3(trial.velocity.x, trial.velocity.y, trial.velocity.z),
  })
  const world = new CANNON.World()
  world.addBody(body)
  const steering = new SteeringWorld()
  attachToCannon(steering, world)
  const pilot = new SteeringController(null, {
    body: cannonBody(body),
    maxSpeed: trial.maxSpeed,
    maxForce: trial.maxForce,
    responseTime: trial.responseTime,
    behavior: new Arrive({ target: goal }),
  })
  steering.add(pilot)
  let arrivals = 0
  let departures = 0
  pilot.addEventListener('arrive', () => arrivals++)
  pilot.addEventListener('leave', () => departures++)

  const length = distance(start, goal)
  const ahead = {
    x: (goal.x - start.x) / length,
    y: (goal.y - start.y) / length,
    z: (goal.z - start.z) / length,
  }
  const loss = -Math.log1p(-trial.linearDamping)
  // cannon damps first and then accelerates: v becomes v·e^(−k·dt) + a·dt. In continuous time a slightly
  // larger acceleration does the same.
  const acceleration = (trial.maxForce / trial.mass) * (loss > 0 ? (loss * DT) / -Math.expm1(-loss * DT) : 1)
  const { velocity: v } = trial
  const optimum = fastestArrival(
    length,
    v.x * ahead.x + v.y * ahead.y + v.z * ahead.z,
    acceleration,
    loss,
    trial.maxSpeed,
  )
  const steps = Math.ceil((1.5 * optimum + 3) / DT)
  let overshoot = 0
  let time = 0
  let fastest = magnitude(trial.velocity)
  let error = 0
  let calm = 0
  for (let i = 0; i < steps && calm < WATCH; i++) {
    world.step(DT)
    const { position } = body
    const past =
      (position.x - goal.x) * ahead.x + (position.y - goal.y) * ahead.y + (position.z - goal.z) * ahead.z
    overshoot = Math.max(overshoot, past)
    fastest = Math.max(fastest, magnitude(body.velocity))
    const offset = distance(position, goal)
    calm = offset > SETTLED ? 0 : calm + DT
    if (calm === 0) time = (i + 2) * DT
    error = calm > WATCH - 1 || i >= steps - 60 ? Math.max(error, offset) : 0
  }
  return {
    trial,
    overshoot,
    error,
    time: error > SETTLED ? Infinity : time,
    optimum,
    braking: stoppingDistance(fastest, acceleration, loss),
    arrivals,
    departures,
  }
}

/**
 * Least time (s) to come to rest `length` m ahead, starting with `speed` (m/s) along the line, with at most
 * `acceleration` (m/s²) in both directions, a drag of `loss` · v (`loss` in 1/s), and at most `maxSpeed`:
 * full thrust, cruise, full brakes.
 */
export function fastestArrival(
  length: number,
  speed: number,
  acceleration: number,
  loss: number,
  maxSpeed: number,
): number {
  const terminal = loss > 0 ? (acceleration / loss) * (1 - 1e-9) : Infinity
  // a start faster than thrust can sustain counts as the fastest sustainable speed, which makes the result
  // slightly too short
  speed = Math.min(speed, terminal, maxSpeed)
  let low = Math.max(0, speed)
  let high = Math.min(maxSpeed, terminal, Math.sqrt(speed * speed + 2 * acceleration * length))
  const distanceFor = (top: number): number =>
    thrustDistance(speed, top, acceleration, loss) + stoppingDistance(top, acceleration, loss)
  if (distanceFor(high) > length)
    for (let i = 0; i < 100; i++) {
      const middle = (low + high) / 2
      if (distanceFor(middle) > length) high = middle
      else low = middle
    }
  const cruise = Math.max(0, length - distanceFor(high)) / high
  return thrustTime(speed, high, acceleration, loss) + cruise + brakingTime(high, acceleration, loss)
}

// v′ = a − k·v from `from` to `to`
function thrustTime(from: number, to: number, a: number, k: number): number {
  return k > 0 ? Math.log((a - k * from) / (a - k * to)) / k : (to - from) / a
}

function thrustDistance(from: number, to: number, a: number, k: number): number {
  return k > 0 ? (a * thrustTime(from, to, a, k) - (to - from)) / k : (to * to - from * from) / (2 * a)
}

// v′ = −a − k·v from `from` to rest
function brakingTime(from: number, a: number, k: number): number {
  return k > 0 ? Math.log1p((k * from) / a) / k : from / a
}

function stoppingDistance(from: number, a: number, k: number): number {
  return k > 0 ? (from - a * brakingTime(from, a, k)) / k : (from * from) / (2 * a)
}
