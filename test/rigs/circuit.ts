import { Body, Box, Plane, Quaternion, Sphere, Vec3, World } from 'cannon-es'
import {
  AvoidObstacles,
  BoxShape,
  FollowPath,
  Obstacles,
  Path,
  ReciprocalAvoidance,
  SteeringController,
  SteeringWorld,
  Wheels,
  within,
  type Quat,
  type Vec3Like,
} from 'three-steering'
import { frame, seeded } from 'three-steering/authoring'
import { attachToCannon, cannonBody, tuneCannon } from 'three-steering/cannon'
import { distance, Fingerprint, Flips } from '../../demo/scenarios/metrics.js'
import { evenly, inner, minus, plus, turnAbout, vec } from '../../demo/scenarios/vectors.js'

export interface CircuitOptions {
  readonly seed?: number
  /** Whether the road goes over a hill. Default true. */
  readonly hilly?: boolean
}

/** Half the width of the road between its walls (m). */
export const HALF_WIDTH = 7
/** Cars with a mean pace (m/s) between these, and lorries, which they overtake. */
export const CARS = 12
const PACE = [7, 12] as const
export const LORRIES = 3
const LORRY_PACE = 3.5
const CAR_RADIUS = 1.3
const LORRY_RADIUS = 2
const MASS = 900
/** Radius of its wheels (m), and height of the centre above the ground. */
const WHEEL = 0.3
export const CENTER = 0.5

/** Corners of a figure of eight, whose diagonals cross (m), and the radius of its bends. */
const CORNERS = [vec(60, 0, 110), vec(60, 0, -110), vec(-60, 0, 110), vec(-60, 0, -110)]
const BEND = 18
/** The side at x = 60 goes over a hill of such slopes, each this long (m). */
const SLOPES = [1.5, 3, 4.5, 6, 6, 4.5, 3, 1.5, 0, -1.5, -3, -4.5, -6, -6, -4.5, -3, -1.5]
const SLOPE_LENGTH = 4.5
/** A lorry that is parked on the side at x = −60, with its half size (m). */
export const PARKED = { at: vec(-64, 1.5, 10), half: vec(1.3, 1.5, 4) }

/** Length of a piece of wall, its height above and below the road, and half its thickness (m). */
const WALL_PIECE = 6
const WALL_HEIGHT = 8
const WALL_HALF = 0.3

export interface Car {
  readonly body: Body
  readonly pilot: SteeringController
  readonly follow: FollowPath
  readonly isLorry: boolean
  readonly flips: Flips
  /** Its station at the start (m), and the laps that it has completed. */
  readonly start: number
  laps: number
}

/**
 * A closed course with walls, a crossing at grade, a parked lorry and a hill. Cars of different pace overtake
 * each other and slow lorries. All are rigid bodies of cannon-es, which stand on the ground by their weight.
 */
export class Circuit {
  readonly world = new World({ gravity: new Vec3(0, -9.81, 0) })
  readonly steering: SteeringWorld
  readonly path: Path
  readonly walls: Obstacles
  readonly cars: readonly Car[]
  /** Least clearance (m) between two cars, and between a car and a wall, so far. */
  leastGap = Infinity
  leastRoom = Infinity
  /** Greatest height (m) of a centre above where it stands on the ground, and greatest depth below. */
  highest = 0
  deepest = 0
  /** Greatest angle (rad) of a car from upright. */
  tilt = 0
  /** Contacts that cannon-es reports: of two cars, and of a car and a wall. */
  contacts = 0
  readonly #hilly: boolean
  readonly #normal = { x: 0, y: 0, z: 0 }
  readonly #blocks = new Set<Body>()

  constructor({ seed = 1, hilly = true }: CircuitOptions = {}) {
    const random = seeded(seed)
    this.#hilly = hilly
    this.steering = new SteeringWorld({ seed })
    attachToCannon(this.steering, this.world)
    tuneCannon(this.world)
    // the tyres are simulated by `Wheels`
    this.world.defaultContactMaterial.friction = 0
    this.world.defaultContactMaterial.restitution = 0
    this.world.addBody(
      new Body({
        mass: 0,
        shape: new Plane(),
        quaternion: new Quaternion().setFromEuler(-Math.PI / 2, 0, 0),
      }),
    )
    if (hilly) for (const slab of slabs()) this.world.addBody(slab)
    const flat = new Path({ points: CORNERS, curve: 'arcs', radius: BEND, ends: 'closed' })
    this.path = hilly ? lifted(flat, (place) => this.heightAt(place)) : flat
    const blocks = [...walls(flat), { ...PARKED, turn: turnAbout(vec(0, 1, 0), 0) }]
    this.walls = new Obstacles(blocks.map(({ at, half, turn }) => ({ shape: new BoxShape(half), at, turn })))
    for (const { at, half, turn } of blocks) {
      const body = new Body({ mass: 0, shape: new Box(new Vec3(half.x, half.y, half.z)) })
      body.position.set(at.x, at.y, at.z)
      body.quaternion.set(turn.x, turn.y, turn.z, turn.w)
      this.world.addBody(body)
      this.#blocks.add(body)
    }
    const avoid = [new AvoidObstacles({ obstacles: this.walls }), new ReciprocalAvoidance()]
    const total = CARS + LORRIES
    this.cars = Array.from({ length: total }, (_, index) => {
      const isLorry = index % 5 === 2
      const pace = isLorry ? LORRY_PACE : evenly(random, ...PACE)
      const station = ((index + 0.6 * random()) / total) * this.path.length
      return this.#place(station, evenly(random, -3, 3), pace, isLorry, avoid)
    })
  }

  /** How many times a car has passed another one. */
  get overtakings(): number {
    const { length } = this.path
    let count = 0
    for (const a of this.cars)
      for (const b of this.cars) {
        const now = a.follow.stationOf(a.pilot) - b.follow.stationOf(b.pilot)
        count += Math.max(0, Math.floor(now / length) - Math.floor((a.start - b.start) / length))
      }
    return count
  }

  step(dt: number): void {
    this.world.step(dt)
    this.#measure(dt)
  }

  /** Height (m) of the road at a place. */
  heightAt({ x, z }: Vec3Like): number {
    if (!this.#hilly || Math.abs(x - 60) > HALF_WIDTH + 3) return 0
    let height = 0
    let from = (-SLOPES.length * SLOPE_LENGTH) / 2
    for (const slope of SLOPES) {
      const along = Math.min(SLOPE_LENGTH, Math.max(0, -z - from))
      height += along * Math.tan((slope * Math.PI) / 180)
      from += SLOPE_LENGTH
    }
    return height
  }

  dispose(): void {
    this.steering.dispose()
  }

  state(): Record<string, number | string> {
    const mark = new Fingerprint()
    for (const { body } of this.cars) mark.addVector(body.position)
    return {
      laps: this.cars.reduce((sum, { laps }) => sum + laps, 0),
      contacts: this.contacts,
      overtakings: this.overtakings,
      'least gap': this.leastGap,
      'least room': this.leastRoom,
      fingerprint: mark.toString(),
    }
  }

  #place(
    station: number,
    offset: number,
    pace: number,
    isLorry: boolean,
    avoid: readonly (AvoidObstacles | ReciprocalAvoidance)[],
  ): Car {
    const { x: ahead, z: aside } = this.path.frameAt(frame(), station)
    const size = sizeOf({ isLorry })
    const body = makeCar(size)
    const at = plus(this.path.pointAt({ x: 0, y: 0, z: 0 }, station), aside, offset)
    body.position.set(at.x, this.heightAt(at) + size * CENTER, at.z)
    body.quaternion.setFromVectors(new Vec3(0, 0, 1), new Vec3(ahead.x, 0, ahead.z).unit())
    body.velocity.set(pace * ahead.x, 0, pace * ahead.z)
    this.world.addBody(body)
    const follow = new FollowPath({ path: this.path, speed: pace, tube: isLorry ? 1 : 4 })
    const pilot = new SteeringController(null, {
      body: cannonBody(body),
      behavior: within(avoid, follow),
      locomotion: new Wheels({ wheelbase: 1.6 * size, steerRate: 1.5 }),
      maxSpeed: 1.2 * pace,
      maxForce: 7 * body.mass,
      maxTurnRate: 2,
      maxTorque: 12 * body.mass,
      radius: isLorry ? LORRY_RADIUS : CAR_RADIUS,
      responseTime: 0.2,
      compensateGravity: true,
    })
    this.steering.add(pilot)
    const car: Car = { body, pilot, follow, isLorry, flips: new Flips(1), start: station, laps: 0 }
    pilot.addEventListener('stage', ({ stage }) => {
      if (stage === 'lap') car.laps++
    })
    body.addEventListener('collide', ({ body: other }: { body: Body }) => {
      if (other.mass > 0 || this.#blocks.has(other)) this.contacts++
    })
    return car
  }

  #measure(dt: number): void {
    const { cars, walls } = this
    for (const [i, car] of cars.entries()) {
      const { body, pilot, flips } = car
      const { position, velocity } = body
      this.leastRoom = Math.min(this.leastRoom, walls.distance(position, this.#normal) - pilot.radius)
      const above = position.y - this.heightAt(position) - sizeOf(car) * CENTER
      this.highest = Math.max(this.highest, above)
      this.deepest = Math.max(this.deepest, -above)
      const { x, z } = body.quaternion
      this.tilt = Math.max(this.tilt, Math.acos(1 - 2 * (x * x + z * z)))
      flips.see(vec(velocity.x, 0, velocity.z), dt)
      for (const other of cars.slice(0, i))
        this.leastGap = Math.min(
          this.leastGap,
          distance(position, other.body.position) - pilot.radius - other.pilot.radius,
        )
    }
  }
}

function sizeOf({ isLorry }: Pick<Car, 'isLorry'>): number {
  return isLorry ? LORRY_RADIUS / CAR_RADIUS : 1
}

/** A hull on four wheels of no friction. `size` scales a small car. */
function makeCar(size: number): Body {
  const body = new Body({ mass: MASS * size ** 3, allowSleep: false })
  body.addShape(new Box(new Vec3(0.6 * size, 0.25 * size, 1 * size)), new Vec3(0, 0.1 * size, 0))
  for (const x of [-0.5, 0.5])
    for (const z of [-0.8, 0.8])
      body.addShape(new Sphere(WHEEL * size), new Vec3(x * size, (WHEEL - CENTER) * size, z * size))
  return body
}

/** The boxes whose tops are the hill. Each reaches under the next one. */
function slabs(): Body[] {
  let z = (SLOPES.length * SLOPE_LENGTH) / 2
  let y = 0
  return SLOPES.map((slope) => {
    const angle = (slope * Math.PI) / 180
    const rise = SLOPE_LENGTH * Math.tan(angle)
    const half = new Vec3(HALF_WIDTH + 2, 1, SLOPE_LENGTH / Math.cos(angle) / 2)
    const body = new Body({ mass: 0, shape: new Box(half) })
    body.quaternion.setFromAxisAngle(new Vec3(1, 0, 0), angle)
    const middle = body.quaternion.vmult(new Vec3(0, -half.y, 0))
    body.position.set(60 + middle.x, y + rise / 2 + middle.y, z - SLOPE_LENGTH / 2 + middle.z)
    y += rise
    z -= SLOPE_LENGTH
    return body
  })
}

/** The path over the hill, at the height of the centres. */
function lifted(flat: Path, heightAt: (place: Vec3Like) => number): Path {
  const count = Math.round(flat.length / 4)
  const points = Array.from({ length: count }, (_, i) => {
    const { x, y, z } = flat.pointAt({ x: 0, y: 0, z: 0 }, (i * flat.length) / count)
    return vec(x, y + heightAt({ x, y, z }) + CENTER, z)
  })
  return new Path({ points, ends: 'closed' })
}

/** Walls on both sides of the road, open where it crosses itself. */
function walls(path: Path): { at: Vec3Like; half: Vec3Like; turn: Quat }[] {
  const spot = { x: 0, y: 0, z: 0 }
  const middle = Array.from({ length: Math.ceil(path.length) }, (_, i) => ({
    ...path.pointAt(spot, (i * path.length) / Math.ceil(path.length)),
  }))
  const isOnRoad = (place: Vec3Like): boolean =>
    middle.some((each) => distance(each, place) < HALF_WIDTH - 0.5)
  return [-1, 1].flatMap((hand) => {
    const edge = middle.map((_, i) => {
      const { z: aside } = path.frameAt(frame(), (i * path.length) / middle.length)
      return plus(middle[i]!, aside, hand * (HALF_WIDTH + WALL_HALF))
    })
    const found = []
    for (let from = 0, to = 1; from < edge.length; from = to++) {
      const start = edge[from]!
      while (to < edge.length && distance(start, edge[to % edge.length]!) < WALL_PIECE) to++
      const end = edge[to % edge.length]!
      const along = minus(end, start)
      const at = plus(start, along, 0.5)
      if ([start, at, end].some(isOnRoad)) continue
      const length = Math.sqrt(inner(along, along))
      found.push({
        at: plus(at, vec(0, 1, 0), WALL_HEIGHT / 2 - 1),
        half: vec(WALL_HALF, WALL_HEIGHT / 2, length / 2),
        turn: turnAbout(vec(0, 1, 0), Math.atan2(along.x, along.z)),
      })
    }
    return found
  })
}
