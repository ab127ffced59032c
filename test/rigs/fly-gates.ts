import {
  Flight,
  FollowPath,
  Hover,
  Path,
  racingLine,
  SteeringController,
  SteeringWorld,
  Thrusters,
  type Gate,
  type Locomotion,
  type SteeringBody,
  type Vec3Like,
} from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { Body, Sphere, Vec3, World } from 'cannon-es'
import { stopsOf, straightTime, type GateCourse } from './gate-courses.js'
import { addRims } from '../../demo/scenarios/gate-rims.js'
import { distance, Flips } from '../../demo/scenarios/metrics.js'
import { inner, minus, plus, times, turnFromZ, unit, vec } from '../../demo/scenarios/vectors.js'

/** Who flies: one that pushes any way at once, a ship with weaker sides, wings that bank. */
export type Vehicle = 'point' | 'ship' | 'wings'

export interface GateFlightOptions {
  readonly vehicle?: Vehicle
  /** Through the middles, or the fastest way. Default the fastest. */
  readonly line?: 'racing' | 'centre'
  /** Step, s. Default 1/60. */
  readonly dt?: number
  /** Whether cannon-es moves it, among rims that are solid. Default 'none'. */
  readonly bodies?: 'none' | 'cannon'
}

export interface GateFlight {
  readonly course: GateCourse
  /** Gates passed, the last being the first once more, and missed. */
  readonly passed: number
  readonly missed: number
  /** Contacts with rims: felt where they are solid, else of its ball with their circles. */
  readonly contacts: number
  /** TR: its time over that of the straight lines, at top speed, from middle to middle. Infinity for who never came to the end. */
  readonly ratio: number
  /** J: sign flips of the turn rate from one step to the next, 1/s; and all of those that the way itself does not have. */
  readonly jitter: number
  readonly swings: number
  /** More force or speed than it had: the flight does not count. */
  readonly void: boolean
}

/** Share of the main engine that the sides of the ship have, and thickness of a rim, in radii of the gate. */
const SIDES = 0.6
const RIM = 0.06

/** What is kept free at the rims, in radii of the agent: the more, the later its force follows. */
const CLEARANCE: Readonly<Record<Vehicle, number>> = { point: 1.4, ship: 2.2, wings: 2.2 }

/** Whoever passes beside a gate within so many of its radii has missed it. */
const BESIDE = 2

function locomotionOf(vehicle: Vehicle, { maxForce, maxSpeed }: GateCourse): Locomotion {
  if (vehicle === 'point') return new Hover({ attitude: null })
  if (vehicle === 'wings') return new Flight({ minSpeed: 0.2 * maxSpeed })
  const side = SIDES * maxForce
  return new Thrusters({ ahead: maxForce, astern: side, up: side, down: side, port: side, starboard: side })
}

/** The way that a vehicle is to fly. */
export function wayOf(course: GateCourse, vehicle: Vehicle, line: 'racing' | 'centre'): Path {
  const { maxSpeed, maxForce, mass, radius } = course
  const stops = stopsOf(course)
  if (line === 'centre') return new Path({ points: stops.map(({ position }) => position) })
  const acceleration = ((vehicle === 'ship' ? SIDES : 1) * maxForce) / mass
  return new Path(
    racingLine(stops, { speed: maxSpeed, acceleration, clearance: CLEARANCE[vehicle] * radius }),
  )
}

/** Flies a course and measures. The same arguments give the same bits. */
export function flyGates(course: GateCourse, options: GateFlightOptions = {}): GateFlight {
  const { vehicle = 'point', line = 'racing', dt = 1 / 60, bodies = 'none' } = options
  const { start, velocity, radius, mass, maxSpeed, maxForce, gates, seed } = course
  const path = wayOf(course, vehicle, line)
  const world = new SteeringWorld({ seed })
  const physics = bodies === 'cannon' ? new World() : null
  const judge = new GateJudge(gates, start, radius)
  // with the nose to the first gate
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
    // turns over in a fraction of a second
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
    // a hit takes more force than there is
    void: (physics === null && forced > 0.005 * steps) || fastest > 1.02 * maxSpeed,
  }
}

/** Changes of sense of the way itself, as one at top speed would show them. */
function ownFlips(path: Path, speed: number, dt: number): number {
  const flips = new Flips(0.01 * speed)
  const tangent = vec(0, 0, 0)
  for (let s = 0; s < path.length; s += speed * dt) flips.see(times(path.tangentAt(tangent, s), speed), dt)
  return flips.count
}

/** Counts gates, apart from `GateRun`, because the judge must not make the mistakes of those it judges. */
class GateJudge {
  passed = 0
  missed = 0
  /** Gates whose rim was touched by a ball about the agent as it passed. */
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

  /** How far from the middle of a gate it has passed in this step, m; Infinity where it has not. */
  #offAt({ position, heading }: Gate, now: Vec3Like): number {
    const normal = unit(heading)
    const [from, to] = [this.#before, now].map((place) => inner(minus(place, position), normal))
    if (!(from! <= 0 && to! > 0)) return Infinity
    const at = plus(this.#before, minus(now, this.#before), from! / (from! - to!))
    return distance(at, position)
  }
}
