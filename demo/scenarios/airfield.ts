import {
  AvoidObstacles,
  DirectedSeek,
  Flight,
  ReciprocalAvoidance,
  SteeringController,
  SteeringWorld,
  within,
  type Vec3,
  type Vec3Like,
  type Viewable,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { ArcPath, dubins3d } from 'three-steering/curves'
import {
  heightAbove,
  makeObstacles,
  onRunway,
  raised,
  RUNWAYS,
  runwayPoint,
  type Runway,
} from './airfield-map.js'
import { distance, Fingerprint, magnitude } from './metrics.js'
import { angleBetween } from './passage.js'
import { Touches } from './touches.js'
import { minus, outer, plus, times, turnFromZ, unit, vec } from './vectors.js'

export interface AirfieldOptions {
  readonly seed?: number
  readonly count?: number
  readonly view?: (index: number) => Viewable
}

export const DEFAULT_AIRCRAFT = 5
export const MAX_AIRCRAFT = 8
export const DEFAULT_TURN_RADIUS = 36 // m

/** Speeds on the way and at the threshold (m/s). */
export const CRUISE = 24
const TOUCH = 15
/** Height of the centre of an aircraft above its wheels, and radius of fuselage and wings (m). */
export const WHEELS = 2.5
export const SIZE = 8
const MASS = 900 // kg
/** Greatest acceleration of the engine, and deceleration by brakes and flaps (m/s²). */
const THRUST = 7
const BRAKE = 6
/** Least speed in cruising flight (m/s). Below it the lift falls with v², so no turn is tighter. */
const LEAST_SPEED = 0.95 * CRUISE
/** Planned turn radius over the least one. The rest of the lift holds an aircraft on its path. */
export const PLANNED = 1.2

/** Distances (m) from the end to the threshold, from there to the stop, and from there to the lift-off. */
const THRESHOLD = 22
const ROLL_OUT = 46
const TAKE_OFF = 34
/** Final approach: length (m) and angle of descent against the runway (rad). Climb after the take-off. */
const APPROACH = 72
const DESCENT = 0.1
const CLIMB_OUT = 62
const CLIMB = 0.16
/** Priority on a waiting loop, on the way, near the final approach, and near a runway. */
const RIGHTS = [0.2, 1, 20, 100] as const
/** Distance from the final approach within which others give way (m). */
const NEAR = 170
/** Rest on the runway (s). */
const REST = 1.6
/** Height of the lowest waiting loop, and the distance between two (m). */
const LOOP_HEIGHT = 108
const LOOP_STEP = 11
const LOOP = 86
/** Planned paths keep this height above ground and sea (m). */
const LEAST_HEIGHT = 11

/** What an aircraft does. Each is a pose to reach. */
export type Leg = 'waiting loop' | 'on the way' | 'approach' | 'roll-out' | 'stands' | 'take-off' | 'climb'

/** A pose to reach. */
export interface Pose {
  readonly position: Vec3Like
  readonly heading: Vec3Like
}

export interface Aircraft {
  readonly index: number
  readonly pilot: SteeringController
  leg: Leg
  /** The pose that it flies to, and the behaviour that does it. */
  goal: Pose
  helm: DirectedSeek
  /** Index of the runway that it flies to, stands on, or leaves. −1 on a waiting loop. */
  runway: number
  /** End of the rest (s). */
  until: number
  /** Errors at its last threshold: distance (m), angle (rad). −1 before the first. */
  missedBy: number
  headingError: number
  /** Distance flown since the last take-off, length of the plan then (m), and time of that (s). */
  flown: number
  planned: number
  since: number
}

/**
 * Aircraft with a least turn radius land on runways of all directions, heights and slopes, and take off
 * again. Each part of a flight is a pose that `DirectedSeek` reaches.
 */
export class Airfield {
  readonly steering: SteeringWorld
  readonly aircraft: readonly Aircraft[]
  landings = 0
  /** Largest errors at a threshold so far: distance (m), angle (rad). */
  readonly worst = { missedBy: 0, headingError: 0 }
  /** Tightest turn so far (m), among all aircraft in flight. */
  tightest = Infinity
  /** Least free height off the runways so far (m). */
  lowest = Infinity
  #radius = DEFAULT_TURN_RADIUS
  #wings = makeWings(DEFAULT_TURN_RADIUS)
  readonly #random: () => number
  readonly #path = new ArcPath()
  readonly #touches = new Touches()
  /** What an aircraft on a waiting loop evades, and one on the way to each of the runways. */
  readonly #clear: readonly Parameters<typeof within>[0][]

  constructor({ seed = 1, count = DEFAULT_AIRCRAFT, view }: AirfieldOptions = {}) {
    this.#random = seeded(seed + 5)
    this.steering = new SteeringWorld({ seed })
    const apart = new ReciprocalAvoidance({ neighborDistance: 110, clearance: 3 })
    this.#clear = [-1, ...RUNWAYS.keys()].map((goal) => [
      new AvoidObstacles({ obstacles: makeObstacles(goal), clearance: 3 }),
      apart,
    ])
    const total = Math.max(1, Math.min(count, MAX_AIRCRAFT))
    const order = [...RUNWAYS.keys()]
    for (let k = order.length - 1; k > 0; k--) {
      const other = Math.floor(this.#random() * (k + 1))
      ;[order[k], order[other]] = [order[other]!, order[k]!]
    }
    this.aircraft = Array.from({ length: total }, (_, index) =>
      this.#make(index, order, view?.(index) ?? null),
    )
    const arrive = (target: unknown, behavior: unknown): void => {
      const craft = this.aircraft.find(({ pilot }) => pilot === target)
      if (craft?.helm === behavior) this.#next(craft!)
    }
    this.steering.addEventListener('arrive', ({ target, behavior }) => arrive(target, behavior))
    // pushed off its path by another aircraft
    this.steering.addEventListener('stage', ({ target, behavior, stage }) => {
      const craft = this.aircraft.find(({ pilot }) => pilot === target)
      if (craft?.helm === behavior && craft?.leg === 'on the way' && stage === 'missed') this.#choose(craft)
    })
    for (const craft of this.aircraft) if (craft.runway < 0) this.#choose(craft)
  }

  get time(): number {
    return this.steering.time
  }

  get contacts(): number {
    return this.#touches.contacts
  }

  /** Least turn radius (m). The lift of the wings allows no less in cruising flight. */
  get turnRadius(): number {
    return this.#radius
  }

  set turnRadius(radius: number) {
    this.#radius = radius
    this.tightest = Infinity
    this.#wings = makeWings(radius)
    for (const craft of this.aircraft) {
      craft.pilot.maxForce = this.#wings.most
      if (craft.leg === 'stands') craft.pilot.locomotion = this.#wings.slow
      else this.#fly(craft, craft.leg, craft.goal)
    }
  }

  step(dt: number): void {
    for (const craft of this.aircraft)
      if (craft.leg === 'stands' && this.time >= craft.until) this.#next(craft)
    for (const { leg, pilot, goal } of this.aircraft)
      if (leg === 'on the way' && distance(pilot.position, goal.position) < NEAR) pilot.priority = RIGHTS[2]
    const before = this.aircraft.map(({ pilot }) => ({
      at: { ...pilot.position },
      pace: { ...pilot.velocity },
    }))
    this.steering.step(dt)
    this.#measure(before, dt)
  }

  dispose(): void {
    this.steering.dispose()
  }

  state(): Record<string, number | string> {
    const mark = new Fingerprint()
    for (const { pilot } of this.aircraft) mark.addVector(pilot.position).addVector(pilot.angularVelocity)
    return {
      aircraft: this.aircraft.length,
      landings: this.landings,
      'in the air': this.aircraft.filter(({ leg }) => inFlight(leg)).length,
      'largest error at the threshold, cm': 100 * this.worst.missedBy,
      'largest error of heading, degrees': (180 / Math.PI) * this.worst.headingError,
      'least turn radius, m': this.#radius,
      contacts: this.contacts,
      fingerprint: mark.toString(),
    }
  }

  #make(index: number, order: readonly number[], view: Viewable | null): Aircraft {
    const runway = order[index] ?? -1
    const loop = loopsOf(index)[0]!
    const stands = runway >= 0 && index % 2 === 1
    const start = stands
      ? {
          position: runwayPoint(RUNWAYS[runway]!, stationOfStop(RUNWAYS[runway]!), WHEELS),
          heading: RUNWAYS[runway]!.ahead,
        }
      : { position: plus(loop.position, loop.heading, -40 * this.#random()), heading: loop.heading }
    const speed = stands ? 0 : CRUISE
    const helm = this.#helm(start, CRUISE, CRUISE)
    const pilot = new SteeringController(view, {
      behavior: helm,
      name: `aircraft ${index + 1}`,
      mass: MASS,
      inertia: { x: 1200, y: 2000, z: 700 },
      maxSpeed: 1.1 * CRUISE,
      maxForce: this.#wings.most,
      maxTorque: 24_000,
      maxTurnRate: 3,
      responseTime: 0.2,
      radius: SIZE,
      position: start.position,
      velocity: times(start.heading, speed),
      quaternion: stands ? RUNWAYS[runway]!.turn : turnFromZ(start.heading),
      locomotion: stands ? this.#wings.slow : this.#wings.cruise,
    })
    const craft: Aircraft = {
      index,
      pilot,
      leg: 'stands',
      goal: start,
      helm,
      runway,
      until: 1 + 2.5 * index,
      missedBy: -1,
      headingError: -1,
      flown: 0,
      planned: 0,
      since: 0,
    }
    this.steering.add(pilot)
    if (!stands) {
      craft.runway = -1
      craft.goal = loop
    }
    return craft
  }

  // #region code
  #helm(target: Pose, speed: number, arrivalSpeed: number, precise = true): DirectedSeek {
    const radius = PLANNED * this.#radius
    const tolerances = precise ? {} : { tolerance: 0.15 * radius, angleTolerance: 0.1 }
    return new DirectedSeek({ target, radius, speed, arrivalSpeed, ...tolerances })
  }

  /** Begins a leg: the pose `goal` is to be reached. */
  #fly(craft: Aircraft, leg: Leg, goal: Pose): void {
    const [speed, arrivalSpeed] = SPEEDS[leg]
    craft.leg = leg
    craft.goal = goal
    const free = leg === 'on the way' || leg === 'waiting loop'
    craft.helm = this.#helm(goal, speed, arrivalSpeed, !free)
    // low over a runway it has the right of way
    craft.pilot.behavior = free ? within(this.#clear[craft.runway + 1]!, craft.helm) : craft.helm
    craft.pilot.locomotion = free || leg === 'climb' ? this.#wings.cruise : this.#wings.slow
    craft.pilot.priority = free ? RIGHTS[leg === 'on the way' ? 1 : 0] : RIGHTS[3]
  }

  /** Begins the leg after one that is finished. */
  #next(craft: Aircraft): void {
    const runway = RUNWAYS[craft.runway]
    switch (craft.leg) {
      case 'on the way':
        return this.#fly(craft, 'approach', poseOn(runway!, stationOfThreshold(runway!)))
      case 'approach':
        this.#land(craft)
        return this.#fly(craft, 'roll-out', poseOn(runway!, stationOfStop(runway!)))
      case 'roll-out':
        craft.leg = 'stands'
        craft.until = this.time + REST + this.#random()
        return
      case 'stands':
        return this.#fly(craft, 'take-off', poseOn(runway!, stationOfStop(runway!) + TAKE_OFF))
      case 'take-off': {
        const heading = raised(runway!, CLIMB)
        const end = runwayPoint(runway!, runway!.length / 2, WHEELS + 3)
        return this.#fly(craft, 'climb', { position: plus(end, heading, CLIMB_OUT), heading })
      }
      default:
        return this.#choose(craft)
    }
  }
  // #endregion

  /** Flies to a free runway, chosen at random, or to a pose of a waiting loop. */
  #choose(craft: Aircraft): void {
    const { runway: last, leg, pilot, index } = craft
    if (leg === 'climb') {
      craft.flown = 0
      craft.since = this.time
    }
    // an aircraft that stands on a runway is gone before the next one lands
    const holding = this.aircraft.filter(
      ({ leg: now }) => now !== 'stands' && now !== 'take-off' && now !== 'climb',
    )
    const taken = new Set(holding.map(({ runway }) => runway))
    const free = [...RUNWAYS.keys()].filter((k) => !taken.has(k) && (k !== last || leg !== 'climb'))
    for (let k = free.length; k > 0; k--) {
      const [chosen] = free.splice(Math.floor(this.#random() * k), 1)
      const goal = approachTo(RUNWAYS[chosen!]!)
      if (this.#freeHeight(pilot, goal) < LEAST_HEIGHT) continue
      craft.runway = chosen!
      return this.#fly(craft, 'on the way', goal)
    }
    craft.runway = -1
    const loops = loopsOf(index).filter((pose) => distance(pose.position, craft.goal.position) > 1)
    loops.push(...goAround(pilot))
    const heights = loops.map((pose) => this.#freeHeight(pilot, pose))
    const clear = heights.findIndex((height) => height > LEAST_HEIGHT)
    this.#fly(craft, 'waiting loop', loops[clear >= 0 ? clear : heights.indexOf(Math.max(...heights))]!)
  }

  /** Least free height (m) along the shortest path to a pose. */
  #freeHeight({ position, velocity }: SteeringController, goal: Pose): number {
    const length = dubins3d(this.#path, { position, heading: velocity }, goal, PLANNED * this.#radius)
    const point = vec(0, 0, 0)
    let least = Infinity
    for (let s = 0; s < length; s += 5) least = Math.min(least, heightAbove(this.#path.pointAt(point, s), 10))
    return least
  }

  #land(craft: Aircraft): void {
    const { pilot, goal } = craft
    this.landings++
    craft.missedBy = distance(pilot.position, goal.position)
    craft.headingError = angleBetween(pilot.velocity, goal.heading)
    const along = unit(goal.heading)
    // across the threshold: an arrival is noticed up to one step after it
    const offset = minus(pilot.position, goal.position)
    craft.missedBy = magnitude(outer(offset, along))
    this.worst.missedBy = Math.max(this.worst.missedBy, craft.missedBy)
    this.worst.headingError = Math.max(this.worst.headingError, craft.headingError)
  }

  #measure(before: readonly { at: Vec3; pace: Vec3 }[], dt: number): void {
    this.#touches.see(
      this.aircraft.map(({ index, pilot }) => ({ key: index, position: pilot.position, radius: SIZE })),
    )
    for (const { index, pilot, leg, runway } of this.aircraft) {
      const { at, pace } = before[index]!
      this.aircraft[index]!.flown += distance(at, pilot.position)
      if (!inFlight(leg)) continue
      const speed = magnitude(pilot.velocity)
      const turn = magnitude(outer(pace, pilot.velocity)) / (magnitude(pace) * speed * dt)
      if (turn > 0) this.tightest = Math.min(this.tightest, speed / turn)
      const place = RUNWAYS[runway]
      const spot = place && onRunway(place, pilot.position)
      const over = place && spot && Math.abs(spot.x) < place.half && Math.abs(spot.z) < place.length / 2
      if (!over) this.lowest = Math.min(this.lowest, heightAbove(pilot.position) - WHEELS)
    }
  }
}

/** Wings for cruising flight, and for the approach and the runway, of aircraft with a least turn radius. */
function makeWings(radius: number): { cruise: Flight; slow: Flight; most: number } {
  const lift = (MASS * LEAST_SPEED ** 2) / radius
  const options = { lift, thrust: MASS * THRUST, brake: MASS * BRAKE, sideForce: 0.35 }
  return {
    cruise: new Flight({ ...options, minSpeed: LEAST_SPEED }),
    slow: new Flight(options),
    most: Math.max(lift, options.thrust, options.brake),
  }
}

/** Speed on a leg, and at its end (m/s). */
const SPEEDS: Record<Leg, readonly [number, number]> = {
  'waiting loop': [CRUISE, CRUISE],
  'on the way': [CRUISE, CRUISE],
  approach: [CRUISE, TOUCH],
  'roll-out': [TOUCH, 0],
  stands: [TOUCH, 0],
  'take-off': [CRUISE, 0.9 * CRUISE],
  climb: [CRUISE, CRUISE],
}

/** The pose at the beginning of the final approach. */
function approachTo(runway: Runway): Pose {
  const heading = raised(runway, -DESCENT)
  const threshold = runwayPoint(runway, stationOfThreshold(runway), WHEELS)
  return { position: plus(threshold, heading, -APPROACH), heading }
}

/** Poses of the waiting loop of an aircraft, on both sides and in both directions. */
function loopsOf(index: number): readonly Pose[] {
  return [1, -1].flatMap((way) =>
    [1, -1].map((sign) => ({
      position: vec(10 + sign * LOOP, LOOP_HEIGHT + LOOP_STEP * index + 5 * sign, -30),
      heading: unit(vec(0, 0.1 * sign, sign * way)),
    })),
  )
}

/** Poses beside and above an aircraft that cannot fly to a waiting loop at once. */
function goAround({ position, velocity }: SteeringController): readonly Pose[] {
  const ahead = unit(vec(velocity.x, 0.001, velocity.z))
  const side = unit(outer(ahead, vec(0, 1, 0)))
  return [1, -1].flatMap((way) =>
    [0, 60].map((on) => ({
      position: plus(plus(plus(position, ahead, on), side, 90 * way), vec(0, 1, 0), 30),
      heading: unit(plus(vec(ahead.x, 0.25, ahead.z), side, way)),
    })),
  )
}

export function inFlight(leg: Leg): boolean {
  return leg !== 'roll-out' && leg !== 'stands' && leg !== 'take-off'
}

export function stationOfThreshold({ length }: Runway): number {
  return THRESHOLD - length / 2
}

function stationOfStop(runway: Runway): number {
  return stationOfThreshold(runway) + ROLL_OUT
}

function poseOn(runway: Runway, station: number): Pose {
  return { position: runwayPoint(runway, station, WHEELS), heading: runway.ahead }
}
