import {
  Flight,
  FollowPath,
  Hover,
  Path,
  SteeringController,
  SteeringWorld,
  Thrusters,
  type Locomotion,
  type Vec3Like,
} from 'three-steering'
import { racingLine, type Gate } from 'three-steering/racing'
import type { SteeringBody } from 'three-steering/authoring'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { Body, Sphere, Vec3, World } from 'cannon-es'
import { stopsOf, straightTime, type GateCourse } from './gate-courses.js'
import { addRims } from '../../demo/scenarios/gate-rims.js'
import { distance, Flips } from '../../demo/scenarios/metrics.js'
import { inner, minus, plus, times, turnFromZ, unit, vec } from '../../demo/scenarios/vectors.js'

/**
 * The vehicle: a point mass with immediate force in any direction, a ship with weaker side engines, wings
 * that bank.
 */
export type Vehicle = 'point' | 'ship' | 'wings'

export interface GateFlightOptions {
  readonly vehicle?: Vehicle
  /** The path through the centres of the gates, or the fastest one. Default the fastest. */
  readonly line?: 'racing' | 'centre'
  /** Step (s). Default 1/60. */
  readonly dt?: number
  /** Whether cannon-es moves the vehicle, with solid rims. Default 'none'. */
  readonly bodies?: 'none' | 'cannon'
}

export interface GateFlight {
  readonly course: GateCourse
  /** Number of gates passed and missed. The last gate is the first one again. */
  readonly passed: number
  readonly missed: number
  /**
   * Contacts with rims: collisions if the rims are solid, else overlaps of the agent's sphere with their
   * circles.
   */
  readonly contacts: number
  /**
   * TR: flight time over that on straight lines between the centres at top speed. Infinity for a flight that
   * did not finish.
   */
  readonly ratio: number
  /**
   * J: reversals of the turn rate from one step to the next (1/s); and all reversals that the path itself
   * does not have.
   */
  readonly jitter: number
  readonly swings: number
  /** Whether the flight exceeded its force or speed: it does not count. */
  readonly void: boolean
}

/**
 * Force of the ship's side engines as a share of the main engine, and thickness of a rim in radii of the
 * gate.
 */
const SIDES = 0.6
const RIM = 0.06

/** Clearance to the rims in radii of the agent. It is larger for vehicles with a slower response. */
const CLEARANCE: Readonly<Record<Vehicle, number>> = { point: 1.4, ship: 2.2, wings: 2.2 }

/** A gate counts as missed when the vehicle passes beside it within this many gate radii. */
const BESIDE = 2

function locomotionOf(vehicle: Vehicle, { maxForce, maxSpeed }: GateCourse): Locomotion {
  if (vehicle === 'point') return new Hover({ attitude: null })
  if (vehicle === 'wings') return new Flight({ minSpeed: 0.2 * maxSpeed })
  const side = SIDES * maxForce
  return new Thrusters({ ahead: maxForce, astern: side, up: side, down: side, port: side, starboard: side })
}

/** The path of a vehicle. */
export function pathFor(course: GateCourse, vehicle: Vehicle, line: 'racing' | 'centre'): Path {
  const { maxSpeed, maxForce, mass, radius } = course
  const stops = stopsOf(course)
  if (line === 'centre') return new Path({ points: stops.map(({ position }) => position) })
  const acceleration = ((vehicle === 'ship' ? SIDES : 1) * maxForce) / mass
  return new Path(
    racingLine(stops, { speed: maxSpeed, acceleration, clearance: CLEARANCE[vehicle] * radius }),
  )
}

/** Flies a course and measures it. Deterministic. */
export function flyGates(course: GateCourse, options: GateFlightOptions = {}): GateFlight {
  const { vehicle = 'point', line = 'racing', dt = 1 / 60, bodies = 'none' } = options
  const { start, velocity, radius, mass, maxSpeed, maxForce, gates, seed } = course
  const path = pathFor(course, vehicle, line)
  const world = new SteeringWorld({ seed })
  const physics = bodies === 'cannon' ? new World() : null
  const judge = new GateJudge(gates, start, radius)
  // the nose points to the first gate
  const turn = turnFromZ(unit(stopsOf(course)[0]!.heading))
  let felt = 0
  let body: SteeringBody | undefined
  let hull: Body | undefined
  if (physics !== null) {
    attachToCannon(world, physics)
    addRims(physics, gates, RIM * gates[0]!.radius)
    hull = new Body({ mass, shape: new Sphere(radius) })
    hull.position.copy(new Vec3(start.x, start.y, start.z))
    hull.velocity.copy(new Vec3(velocity.x, velocity.y, velocity.z))
    hull.quaternion.set(turn.x, turn.y, turn.z, turn.w)
    hull.addEventListener('collide', () => felt++)
    physics.addBody(hull)
    body = cannonBody(hull)
  }
  const pilot = new SteeringController(null, {
    ...(body === undefined ? { position: start, velocity, quaternion: turn } : { body }),
    behavior: new FollowPath({ path, end: 'pass' }),
    locomotion: locomotionOf(vehicle, course),
    radius,
    mass,
    maxSpeed,
    maxForce,
    // enough to roll over in a fraction of a second
    maxTorque: 40 * mass * radius * radius,
  })
  world.add(pilot)
  const flips = new Flips(0.01 * maxSpeed)
  const least = straightTime(course)
  const total = gates.length + 1
  let before: Vec3Like = velocity
  let forced = 0
  let fastest = 0
  let steps = 0
  for (let time = 0; judge.dealt < total && time < 3 * least; time = ++steps * dt) {
    if (physics === null) world.step(dt)
    else physics.step(dt)
    const { position, velocity: now } = hull ?? pilot
    flips.see(now, dt)
    judge.see(position)
    if (distance(now, before) > (1.05 * dt * maxForce) / mass) forced++
    fastest = Math.max(fastest, Math.hypot(now.x, now.y, now.z))
    before = vec(now.x, now.y, now.z)
  }
  world.dispose()
  const time = steps * dt
  return {
    course,
    passed: judge.passed,
    missed: judge.missed,
    contacts: physics === null ? judge.touches : felt,
    ratio: judge.dealt < total ? Infinity : time / least,
    jitter: flips.jumps / time,
    swings: Math.max(0, flips.count - ownFlips(path, maxSpeed, dt)) / time,
    // a collision has more force than the engines
    void: (physics === null && forced > 0.005 * steps) || fastest > 1.02 * maxSpeed,
  }
}

/** Reversals of the path itself, as a vehicle at top speed would show them. */
function ownFlips(path: Path, speed: number, dt: number): number {
  const flips = new Flips(0.01 * speed)
  const tangent = vec(0, 0, 0)
  for (let s = 0; s < path.length; s += speed * dt) flips.see(times(path.tangentAt(tangent, s), speed), dt)
  return flips.count
}

/** Counts gates independently of `GateRun`, so that the test does not share its mistakes. */
class GateJudge {
  passed = 0
  missed = 0
  /** Number of gates with a rim that overlapped the agent's sphere as it passed. */
  touches = 0
  readonly #gates: readonly Gate[]
  readonly #radius: number
  #before: Vec3Like

  constructor(gates: readonly Gate[], start: Vec3Like, radius: number) {
    this.#gates = gates
    this.#before = { ...start }
    this.#radius = radius
  }

  get dealt(): number {
    return this.passed + this.missed
  }

  see({ x, y, z }: Vec3Like): void {
    const now = vec(x, y, z)
    const due = this.#gates[this.dealt % this.#gates.length]!
    const then = this.#gates[(this.dealt + 1) % this.#gates.length]!
    const off = this.#offAt(due, now)
    if (off <= BESIDE * due.radius) {
      if (off <= due.radius) this.passed++
      else this.missed++
      if (off > due.radius - this.#radius && off <= due.radius) this.touches++
    } else if (this.#offAt(then, now) <= then.radius) {
      this.missed++
      this.passed++
    }
    this.#before = now
  }

  /**
   * Distance from the centre of a gate at which the agent passed in this step (m); Infinity if it did not
   * pass.
   */
  #offAt({ position, heading }: Gate, now: Vec3Like): number {
    const normal = unit(heading)
    const [from, to] = [this.#before, now].map((place) => inner(minus(place, position), normal))
    if (!(from! <= 0 && to! > 0)) return Infinity
    const at = plus(this.#before, minus(now, this.#before), from! / (from! - to!))
    return distance(at, position)
  }
}
