import {
  Arrive,
  AvoidObstacles,
  BoxShape,
  FollowPath,
  Obstacles,
  ReciprocalAvoidance,
  SteeringController,
  SteeringWorld,
  Walker,
  Wheels,
  within,
  type Path,
  type Quat,
  type Vec3Like,
} from 'three-steering'
import { type View, seeded } from 'three-steering/authoring'
import { distance, Fingerprint, magnitude } from './metrics.js'
import {
  angleOf,
  makePavements,
  makeRoute,
  onArm,
  PAVEMENT,
  RING,
  RING_HALF,
  ROAD,
  ZEBRA_HALF,
  type Node,
  type Route,
  type Zebra,
} from './street-map.js'
import { evenly, inner, minus, plus, times, vec } from './vectors.js'

export interface StreetOptions {
  readonly seed?: number
  /** Number of cars. */
  readonly count?: number
  /** View of car or walker `index`. */
  readonly carView?: (index: number) => View
  readonly walkerView?: (index: number) => View
}

export const DEFAULT_CARS = 14
export const MAX_CARS = 20
export const WALKERS = 26
const GROUND = vec(0, 1, 0)
const CARS_ONLY = 1
const WALKERS_ONLY = 2

/** Half the length and width of a car (m), and the radius that others keep clear of. */
export const CAR_HALF = { length: 1.95, width: 0.85 }
const CAR_RADIUS = 1.5
const CAR_SPEED = 8
const WALKER_RADIUS = 0.3

/** A van that is being unloaded, half on the road and half on the pavement, and its half size (m). */
export const VAN = { at: onArm(0, 37, ROAD + 0.15), half: vec(2.4, 1.3, 0.95) }

/** Braking for walkers at the last moment (m/s²). Who follows a car expects as much. */
const HARD_BRAKE = 4
/** Comfortable braking (m/s²), and distance at which cars stop before a line and behind each other (m). */
const BRAKE = 2.2
const STOP_BEFORE = 0.8
const STOP_BEHIND = 1.1
const STOP_CROSSING = 2.2
/** A car that has stopped by this much (m) over the line of a crossing stays there. */
const SLIP = 0.6
/** Who has passed the middle of a lane by this much (m) is no longer in its way. */
const PASSED = 1.8
/** How far a car looks ahead along its way (m). */
const SIGHT = 26
/** Others within this distance of its way are in the way (m). */
const IN_THE_WAY = 2.2
/** Walkers who have waited so long (s) are let over; before, they look for a gap. */
const PATIENCE = 4
/** Who is slower than this (m/s) in the roundabout or at its exit blocks it. */
const STANDS = 1.2
/** Cars that come round within this angle (rad) before the yield line are waited for. */
const BEHIND = 1.6

/** A place in the traffic. A car that has left by a gate is followed by a new one. */
export interface Car {
  readonly index: number
  /** Null while the place waits for its next car. */
  pilot: SteeringController | null
  follow: FollowPath | null
  route: Route
  /** Distance along its route (m), and its pace on free roads (m/s). */
  station: number
  pace: number
  /** Why it is slower than that. */
  waitsFor: 'nothing' | 'car' | 'roundabout' | 'walkers'
  /** Time (s) from which it may set out. */
  since: number
}

export interface Pedestrian {
  readonly pilot: SteeringController
  readonly goal: { x: number; y: number; z: number }
  from: number
  to: number
  /** Lateral distance from the middle of the pavement, as a share of half its width. */
  readonly lane: number
  phase: 'walks' | 'waits' | 'crosses'
  /** Time (s) until which it stands. */
  until: number
}

/** Cars and walkers of a small town: a roundabout, zebra crossings, pavements, and a van in the way. */
export class Street {
  readonly steering: SteeringWorld
  readonly cars: readonly Car[]
  readonly #walkers: Pedestrian[] = []
  readonly avoidCars = new ReciprocalAvoidance({ groups: CARS_ONLY, horizon: 1 })
  readonly avoidWalkers = new ReciprocalAvoidance({ groups: WALKERS_ONLY })
  readonly wheels = new Wheels({ wheelbase: 2.3, maxSteer: 0.6, grip: 4.5, steerRate: 1.2 })
  readonly walking = new Walker()
  /** Whether cars let walkers cross. */
  courteous = true
  trips = 0
  crossings = 0
  contacts = 0
  #pace = CAR_SPEED
  readonly #routes = [0, 1, 2, 3].map((from) => [0, 1, 2, 3].map((to) => makeRoute(from, to)))
  readonly #nodes: readonly Node[] = makePavements()
  readonly #avoidVan = new AvoidObstacles({
    obstacles: new Obstacles([{ shape: new BoxShape(VAN.half), at: plus(VAN.at, GROUND, VAN.half.y) }]),
    clearance: 0.3,
  })
  readonly #touching = new Set<string>()
  readonly #random: () => number
  readonly #carView: StreetOptions['carView']

  constructor({ seed = 1, count = DEFAULT_CARS, carView, walkerView }: StreetOptions = {}) {
    this.#random = seeded(seed)
    this.#carView = carView
    this.steering = new SteeringWorld({ seed })
    this.cars = Array.from({ length: Math.min(count, MAX_CARS) }, (_, index) => ({
      index,
      pilot: null,
      follow: null,
      route: this.#routes[index % 4]![(index + 2) % 4]!,
      station: 0,
      pace: CAR_SPEED,
      waitsFor: 'nothing' as const,
      since: 0.9 * index,
    }))
    // some are on their way already
    for (const car of this.cars.slice(0, 8)) this.#launch(car, 12 + 14 * Math.floor(car.index / 4))
    for (let index = 0; index < WALKERS; index++)
      this.#walkers.push(this.#addWalker(walkerView?.(index) ?? null))
    this.steering.addPlanner({ plan: () => this.#decide() })
  }

  get walkers(): readonly Pedestrian[] {
    return this.#walkers
  }

  /** Pace of cars on free roads (m/s). */
  get pace(): number {
    return this.#pace
  }

  set pace(pace: number) {
    for (const car of this.cars) car.pace *= pace / this.#pace
    this.#pace = pace
  }

  step(dt: number): void {
    this.steering.step(dt)
    const { time } = this.steering
    for (const car of this.cars) {
      const { pilot, route } = car
      if (pilot === null) {
        if (time >= car.since) this.#launch(car, 0)
        continue
      }
      car.station = route.path.nearest(pilot.position, car.station - 1, car.station + 4)
      if (car.station > route.path.length - 1) this.#leave(car, pilot)
    }
    this.#countContacts()
  }

  dispose(): void {
    this.steering.dispose()
  }

  state(): Record<string, number | string> {
    const mark = new Fingerprint()
    let under = 0
    let waiting = 0
    for (const { pilot, waitsFor } of this.cars) {
      if (pilot === null) continue
      mark.addVector(pilot.position)
      under++
      if (waitsFor !== 'nothing') waiting++
    }
    for (const { pilot } of this.walkers) mark.addVector(pilot.position)
    return {
      'cars under way': under,
      'slow for others': waiting,
      'came through': this.trips,
      'crossed the road': this.crossings,
      contacts: this.contacts,
      fingerprint: mark.toString(),
    }
  }

  // #region code
  /** A car comes out of its gate, if there is room. */
  #launch(car: Car, station: number): void {
    const random = this.#random
    const from = Math.floor(4 * random())
    // mostly straight on, sometimes back
    const to = (from + [2, 2, 2, 1, 1, 3, 3, 0][Math.floor(8 * random())]!) % 4
    const route = this.#routes[station > 0 ? car.index % 4 : from]![to]!
    const { path } = route
    const at = { ...path.pointAt({ x: 0, y: 0, z: 0 }, station) }
    for (const { pilot } of this.cars) if (pilot && distance(pilot.position, at) < 11) return
    const ahead = path.tangentAt({ x: 0, y: 0, z: 0 }, station)
    car.pace = this.#pace * evenly(random, 0.8, 1.15)
    car.route = route
    car.station = station
    car.follow = new FollowPath({ path, speed: car.pace, end: 'pass' })
    const mass = 1100
    car.pilot = new SteeringController(this.#carView?.(car.index) ?? null, {
      name: 'car',
      behavior: within([this.#avoidVan, this.avoidCars], car.follow),
      locomotion: this.wheels,
      plane: GROUND,
      position: at,
      velocity: times(ahead, 0.7 * car.pace),
      quaternion: facing(ahead),
      mass,
      maxSpeed: 1.3 * car.pace,
      maxForce: 5 * mass,
      maxTurnRate: 1.5,
      maxTorque: 9000,
      radius: CAR_RADIUS,
      responseTime: 0.3,
      group: CARS_ONLY,
      seed: Math.floor(random() * 2 ** 31),
    })
    this.steering.add(car.pilot)
  }
  // #endregion

  #leave(car: Car, pilot: SteeringController): void {
    this.trips++
    pilot.dispose()
    car.pilot = null
    car.since = this.steering.time + 0.5 + 3 * this.#random()
  }

  #addWalker(view: View | null): Pedestrian {
    const random = this.#random
    const { from, to, lane, position } = this.#placeOfWalker()
    const goal = { x: 0, y: 0, z: 0 }
    const pilot = new SteeringController(view, {
      name: 'walker',
      behavior: within([this.#avoidVan, this.avoidWalkers], new Arrive({ target: goal })),
      locomotion: this.walking,
      plane: GROUND,
      position,
      mass: 70,
      maxSpeed: evenly(random, 0.9, 1.5),
      maxForce: 280,
      maxTurnRate: 3,
      radius: WALKER_RADIUS,
      responseTime: 0.25,
      group: WALKERS_ONLY,
      seed: Math.floor(random() * 2 ** 31),
    })
    this.steering.add(pilot)
    const walker: Pedestrian = { pilot, goal, from, to, lane, phase: 'walks', until: 0 }
    this.#aim(walker)
    return walker
  }

  /** A place on a pavement, clear of all other walkers. */
  #placeOfWalker(): { from: number; to: number; lane: number; position: Vec3Like } {
    const random = this.#random
    for (;;) {
      const from = Math.floor(this.#nodes.length * random())
      const { at, next } = this.#nodes[from]!
      const to = next[Math.floor(next.length * random())]!
      const start = plus(at, minus(this.#nodes[to]!.at, at), random())
      const lane = evenly(random, -0.7, 0.7)
      const position = plus(start, vec(lane, 0, evenly(random, -0.7, 0.7)))
      if (this.#walkers.every(({ pilot }) => distance(pilot.position, position) > 4 * WALKER_RADIUS))
        return { from, to, lane, position }
    }
  }

  /** All cars choose their speed, and all walkers where to go. */
  #decide(): void {
    for (const walker of this.walkers) this.#walk(walker)
    for (const car of this.cars) {
      if (car.pilot === null || car.follow === null) continue
      const speed = this.#speedOf(car, car.pilot)
      car.follow.speed = Math.max(0.01, speed)
      // a car that waits stays where it is; others make way
      car.pilot.priority = speed > STANDS ? 1 : Infinity
    }
  }

  /** Speed (m/s) of a car: ready to stop behind others, before the roundabout and before zebra crossings. */
  #speedOf(car: Car, pilot: SteeringController): number {
    const { route, station } = car
    let speed = car.pace
    // how far (m) it can go until it stands in a queue
    let queue = Infinity
    car.waitsFor = 'nothing'
    const limit = (most: number, why: Car['waitsFor']): void => {
      if (most >= speed) return
      speed = most
      car.waitsFor = why
    }
    for (const other of this.cars) {
      if (other.pilot === null || other === car) continue
      const gap = this.#gapAlong(route.path, station, pilot, other.pilot)
      if (gap === null) continue
      const along = inner(other.pilot.velocity, route.path.tangentAt({ x: 0, y: 0, z: 0 }, station + gap))
      const room = gap - 2 * CAR_HALF.length - STOP_BEHIND
      limit(stoppingSpeed(room, Math.max(0, along) * Math.sqrt(BRAKE / HARD_BRAKE)), 'car')
      if (along < STANDS) queue = Math.min(queue, room)
    }
    const toYield = route.yieldAt - station - CAR_HALF.length
    if (toYield > -1 && (this.#isRingTaken(route.from) || this.#isBlocked(car)))
      limit(stoppingSpeed(toYield - STOP_BEFORE), 'roundabout')
    if (!this.courteous) return speed
    for (const zebra of route.zebras) {
      const gap = zebra.station - ZEBRA_HALF - station - CAR_HALF.length
      if (gap < -SLIP || gap < brakingDistance(magnitude(pilot.velocity), HARD_BRAKE)) continue
      const through = gap + 2 * ZEBRA_HALF + 2 * CAR_HALF.length
      // nobody stops on the stripes
      if (queue > gap - STOP_CROSSING && queue < through) limit(stoppingSpeed(gap - STOP_CROSSING), 'car')
      if (this.#isClaimed(zebra)) limit(stoppingSpeed(gap - STOP_CROSSING), 'walkers')
    }
    return speed
  }

  /** Distance (m) along the way to another car that is in it; null if it is not. */
  #gapAlong(
    path: Path,
    station: number,
    pilot: SteeringController,
    other: SteeringController,
  ): number | null {
    if (distance(pilot.position, other.position) > SIGHT) return null
    const at = path.nearest(other.position, station, station + SIGHT)
    const gap = at - station
    if (gap < 0.5 || gap > SIGHT - 1) return null
    return distance(path.pointAt({ x: 0, y: 0, z: 0 }, at), other.position) < IN_THE_WAY ? gap : null
  }

  /** Whether a car in the roundabout comes to where the street `arm` joins it. */
  #isRingTaken(arm: number): boolean {
    return this.cars.some(({ pilot, route, station }) => {
      if (pilot === null) return false
      const { x, z } = pilot.position
      if (Math.hypot(x, z) > RING + RING_HALF + 0.5 || station < route.yieldAt) return false
      const before = (angleOf(arm) + 0.45 - Math.atan2(-z, x) + 4 * Math.PI) % (2 * Math.PI)
      // it leaves before
      if (route.to === arm && before > 0.5) return false
      return before < BEHIND
    })
  }

  /**
   * Whether somebody stands on the way of a car through the roundabout, up to the zebra crossing behind it.
   * Who entered would have to stop in the roundabout, in the way of all others.
   */
  #isBlocked({ route: { path, yieldAt, zebras }, pilot: own }: Car): boolean {
    return this.cars.some(({ pilot, route, station }) => {
      if (pilot === null || pilot === own || station < route.yieldAt) return false
      if (magnitude(pilot.velocity) > STANDS) return false
      const end = zebras[1]!.station
      const at = path.nearest(pilot.position, yieldAt, end)
      if (at < yieldAt + 0.1 || at > end - 0.1) return false
      return distance(path.pointAt({ x: 0, y: 0, z: 0 }, at), pilot.position) < IN_THE_WAY
    })
  }

  /** Whether somebody crosses a street, or has waited for long, and has not passed this lane yet. */
  #isClaimed({ arm, aside }: Zebra): boolean {
    const right = minus(onArm(arm, 0, 1), onArm(arm, 0, 0))
    const { time } = this.steering
    // nobody can go before that car has gone
    const isOccupied = this.cars.some(({ pilot, route, station }) =>
      route.zebras.some(
        (zebra) =>
          pilot !== null &&
          zebra.arm === arm &&
          Math.abs(zebra.station - station) < ZEBRA_HALF + CAR_HALF.length - SLIP,
      ),
    )
    return this.walkers.some(({ phase, from, pilot, until }) => {
      const { crossing } = this.#nodes[from]!
      if (phase === 'waits' && (time < until + PATIENCE || isOccupied)) return false
      if (phase === 'walks' || crossing!.arm !== arm) return false
      const heading = inner(minus(this.#nodes[crossing!.over]!.at, this.#nodes[from]!.at), right)
      return (aside - inner(pilot.position, right)) * Math.sign(heading) > -PASSED
    })
  }

  #walk(walker: Pedestrian): void {
    const { pilot, goal } = walker
    const { time } = this.steering
    const { crossing } = this.#nodes[walker.to]!
    if (walker.phase === 'waits') {
      if (time < walker.until || !this.#isClear(this.#nodes[walker.from]!.crossing!.arm)) return
      walker.phase = 'crosses'
      this.#aim(walker)
      return
    }
    if (distance(pilot.position, goal) > (walker.phase === 'crosses' ? 0.6 : 1.1) || time < walker.until)
      return
    if (walker.phase === 'crosses') {
      this.crossings++
      walker.phase = 'walks'
      this.#choose(walker)
    } else if (
      crossing !== undefined &&
      this.#random() < 0.55 &&
      this.#nodes[walker.from]!.crossing?.arm !== crossing.arm
    ) {
      walker.from = walker.to
      walker.to = crossing.over
      walker.phase = 'waits'
      walker.until = time + 0.6
      Object.assign(goal, this.#kerb(walker.from, walker.lane))
    } else this.#choose(walker)
  }

  /** Chooses the next node. At the end of a street it turns back. */
  #choose(walker: Pedestrian): void {
    const { next } = this.#nodes[walker.to]!
    const others = next.filter((node) => node !== walker.from)
    const choice = others[Math.floor(others.length * this.#random())] ?? walker.from
    walker.from = walker.to
    walker.to = choice
    this.#aim(walker)
  }

  #aim(walker: Pedestrian): void {
    const { from, to, goal, lane, phase } = walker
    const { at } = this.#nodes[to]!
    if (phase === 'crosses') {
      // straight over, on the stripes
      const over = minus(at, this.#nodes[from]!.at)
      Object.assign(goal, plus(this.#kerb(from, lane), over, 1 - (0.6 * PAVEMENT) / magnitude(over)))
      return
    }
    // in its own lane, on the right
    const along = minus(at, this.#nodes[from]!.at)
    const length = magnitude(along)
    const aside = vec(-along.z / length, 0, along.x / length)
    Object.assign(goal, plus(at, aside, (0.32 + 0.4 * lane) * 0.5 * PAVEMENT))
  }

  /** Where a walker waits at the kerb of a zebra crossing. */
  #kerb(node: number, lane: number): Vec3Like {
    const { at, crossing } = this.#nodes[node]!
    const over = minus(this.#nodes[crossing!.over]!.at, at)
    const length = magnitude(over)
    const along = vec(-over.z / length, 0, over.x / length)
    return plus(plus(at, over, (0.3 * PAVEMENT) / length), along, lane * (ZEBRA_HALF - 0.3))
  }

  /** Whether all cars that come to the zebra crossing of a street can stop, or have passed it. */
  #isClear(arm: number): boolean {
    return this.cars.every(({ pilot, route, station }) => {
      if (pilot === null) return true
      const speed = magnitude(pilot.velocity)
      return route.zebras.every((zebra) => {
        if (zebra.arm !== arm) return true
        const gap = zebra.station - ZEBRA_HALF - station - CAR_HALF.length
        if (gap > (this.courteous ? brakingDistance(speed, 1.8) + 1 : 5 * speed)) return true
        return gap > -SLIP && this.courteous
          ? speed < 0.5
          : station > zebra.station + ZEBRA_HALF + CAR_HALF.length
      })
    })
  }

  #countContacts(): void {
    const { cars, walkers } = this
    for (const [i, { pilot: a }] of cars.entries()) {
      if (a === null) continue
      for (const { pilot: b } of cars.slice(0, i)) if (b) this.#touch(a, b, areTouching(a, b))
      const { x: ahead, z: aside } = a.attitude
      for (const { pilot: b } of walkers) {
        const offset = minus(b.position, a.position)
        // to the nearest point of the car, whose corners are sharp
        const beyond = Math.max(0, Math.abs(inner(offset, ahead)) - CAR_HALF.length)
        const beside = Math.max(0, Math.abs(inner(offset, aside)) - CAR_HALF.width)
        this.#touch(a, b, Math.hypot(beyond, beside) < WALKER_RADIUS)
      }
    }
    for (const [i, { pilot: a }] of walkers.entries())
      for (const { pilot: b } of walkers.slice(0, i))
        this.#touch(a, b, distance(a.position, b.position) < 2 * WALKER_RADIUS)
  }

  #touch(a: SteeringController, b: SteeringController, touches: boolean): void {
    const key = `${a.id} ${b.id}`
    if (!touches) this.#touching.delete(key)
    else if (!this.#touching.has(key)) {
      this.#touching.add(key)
      this.contacts++
    }
  }
}

/** Whether two cars touch, each taken as three discs. */
function areTouching(a: SteeringController, b: SteeringController): boolean {
  if (distance(a.position, b.position) > 2 * CAR_HALF.length) return false
  const places = ({ attitude, position }: SteeringController): Vec3Like[] =>
    [-1, 0, 1].map((end) => plus(position, attitude.x, end * (CAR_HALF.length - CAR_HALF.width)))
  const others = places(b)
  return places(a).some((place) => others.some((other) => distance(place, other) < 2 * CAR_HALF.width))
}

/** Speed (m/s) from which a car can slow down comfortably to `last` (m/s) within `gap` (m). */
function stoppingSpeed(gap: number, last = 0): number {
  const lag = 0.3 * BRAKE
  return Math.max(0, Math.sqrt(lag * lag + last * last + 2 * BRAKE * Math.max(0, gap)) - lag)
}

function brakingDistance(speed: number, brake: number): number {
  return (speed * speed) / (2 * brake) + 0.3 * speed
}

/** Nose (+Z) along a level unit vector. */
function facing({ x, z }: Vec3Like): Quat {
  const half = Math.atan2(x, z) / 2
  return { x: 0, y: Math.sin(half), z: 0, w: Math.cos(half) }
}
