import { BoxShape, Obstacles, Path, SphereShape, type Quat, type Vec3, type Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { addSlab, almond, monolith, oval, rectangle, standing, type Corner, type Slab } from './slabs.js'
import { direction, evenly, plus, product, turnAbout, turned, turnFromY, vec } from './vectors.js'

/** Radius of a ship with its wings (m). */
export const SHIP_RADIUS = 2.6

/** The course has two straights and two bends. Their positions (m). */
const HALF_LENGTH = 620
const HALF_WIDTH = 150
const BEND = 140
/** Height of the bends above the mist (m). */
const HEIGHT = 30
/** Positions of the obstacles on the straights (m). */
const EYE = vec(HALF_WIDTH, 34, 300)
const JAWS = vec(HALF_WIDTH, 25, -130)
const WHEEL = vec(-HALF_WIDTH, 36, -250)
const STONES = vec(-HALF_WIDTH, 26, 180)
const WINDOW = vec(0, HEIGHT, HALF_LENGTH)
/** Height of the lower end of the slabs, relative to the opening (m). */
const FOOT = -70

/** Angular velocity of the wheel (rad/s). */
const WHEEL_RATE = 0.35
/** Motion of the jaws: period (s), and least and greatest half width of the gap (m). */
const JAW_PERIOD = 11
const JAW_LEAST = 4.6
const JAW_MOST = 7.6
/** Half the height of a jaw (m). */
const JAW = 12

/**
 * The pipe: inner radius and length (m). Its plates: number around, half the thickness, approximate length
 * (m).
 */
const PIPE = 5.8
const PIPE_LENGTH = 90
const PLATES = 10
const SKIN = 0.4
const PLATE = 8

/** Stones around a free centre: its radius (m), and the number of stones in each ring. */
const FREE_RADIUS = 5.4
const RINGS = [7, 12, 17, 22]

/** An obstacle: its name, and the stations on the path where it begins and ends (m). */
export interface Station {
  readonly name: string
  readonly from: number
  readonly to: number
}

export interface Pipe {
  readonly from: number
  readonly to: number
  /** Inner radius (m). */
  readonly radius: number
}

/** A floating stone. */
export interface Stone {
  readonly radius: number
  readonly position: Vec3Like
  readonly quaternion: Quat
}

/** A closed path through openings. Each is narrower than a block of nine ships. */
export class NeedleCourse {
  readonly path = makePath()
  /** In order along the path. */
  readonly stations: Station[] = []
  /** All flat obstacles, including moving ones. */
  readonly slabs: Slab[] = []
  readonly stones: readonly Stone[]
  readonly pipe: Pipe
  readonly wheel: Slab
  readonly jaws: readonly Slab[]
  readonly obstacles = new Obstacles()

  constructor() {
    const { slabs, obstacles } = this
    this.#stand('eye', EYE, monolith(40, 15, 66, FOOT), almond(6, 13), 8)
    const frame = this.#stand('jaws', JAWS, monolith(44, 30, 40, FOOT), rectangle(7, 19), 9)
    this.jaws = [1, -1].map(() => ({
      outline: rectangle(7, JAW),
      thick: 4,
      at: { ...standing(frame.at.position, frame.at.quaternion), velocity: vec(0, 0, 0) },
    }))
    this.pipe = this.#layPipe()
    const rim = this.#stand('wheel', WHEEL, monolith(46, 34, 42, FOOT), oval(15, 15, 28), 6)
    this.wheel = {
      outline: oval(14.8, 14.8, 28),
      opening: rectangle(5.8, 5.8),
      thick: 3,
      at: { ...standing(rim.at.position, rim.at.quaternion), angularVelocity: vec(0, 0, WHEEL_RATE) },
    }
    this.stones = this.#hangStones()
    this.#stand('window', WINDOW, monolith(42, 22, 46, FOOT), onEdge(rectangle(5.8, 5.8)), 6)
    slabs.push(...this.jaws, this.wheel)
    for (const slab of slabs) addSlab(obstacles, slab)
    for (const { radius, position } of this.stones)
      obstacles.add({ shape: new SphereShape(radius), at: position })
    this.place(0)
  }

  /** Moves the wheel and the jaws to their state at a time (s). */
  place(time: number): void {
    // the path runs along +z here
    Object.assign(this.wheel.at.quaternion, turnAbout(vec(0, 0, 1), WHEEL_RATE * time))
    const rate = (2 * Math.PI) / JAW_PERIOD
    const swing = (JAW_MOST - JAW_LEAST) / 2
    const gap = JAW_LEAST + swing - swing * Math.cos(rate * time)
    this.jaws.forEach(({ at }, k) => {
      const side = k === 0 ? 1 : -1
      at.position.y = JAWS.y + side * (gap + JAW)
      Object.assign(at.velocity!, vec(0, side * swing * rate * Math.sin(rate * time), 0))
    })
  }

  /** Puts a slab across the path at the point nearest to `near`. */
  #stand(name: string, near: Vec3Like, outline: Corner[], opening: Corner[], thick: number): Slab {
    const s = this.path.nearest(near)
    this.stations.push({ name, from: s - thick / 2, to: s + thick / 2 })
    return this.#slabAt(s, outline, opening, thick)
  }

  /** Adds an upright slab at station `s`. */
  #slabAt(s: number, outline: Corner[], opening: Corner[], thick: number): Slab {
    const slab = { outline, opening, thick, at: standing(this.#pointAt(s), this.#headingAt(s)) }
    this.slabs.push(slab)
    return slab
  }

  #pointAt(s: number): Vec3 {
    return this.path.pointAt(vec(0, 0, 0), s)
  }

  #headingAt(s: number): Quat {
    const { x, z } = this.path.tangentAt(vec(0, 0, 0), s)
    return turnAbout(vec(0, 1, 0), Math.atan2(x, z))
  }

  /** Builds a pipe in the middle of the far bend, with a wall at each end. */
  #layPipe(): Pipe {
    const { path, obstacles } = this
    const middle = path.nearest(vec(HALF_WIDTH, HEIGHT, -HALF_LENGTH))
    const pipe = { from: middle - PIPE_LENGTH / 2, to: middle + PIPE_LENGTH / 2, radius: PIPE }
    this.stations.push({ name: 'pipe', from: pipe.from, to: pipe.to })
    for (const s of [pipe.from, pipe.to]) this.#slabAt(s, monolith(30, 20, 32, FOOT), oval(PIPE, PIPE), 4)
    const count = Math.ceil(PIPE_LENGTH / PLATE)
    // wide and long enough to close the gaps on the outer side of the bend
    const halfWide = (PIPE + 2 * SKIN) * Math.tan(Math.PI / PLATES) + 0.1
    const halfLong = (PIPE_LENGTH / count / 2) * (1 + PIPE / BEND) + 0.2
    const shape = new BoxShape({ x: halfWide, y: SKIN, z: halfLong })
    for (let i = 0; i < count; i++) {
      const s = pipe.from + ((i + 0.5) * PIPE_LENGTH) / count
      for (let k = 0; k < PLATES; k++) {
        const turn = product(this.#headingAt(s), turnAbout(vec(0, 0, 1), (2 * Math.PI * k) / PLATES))
        obstacles.add({ shape, at: plus(this.#pointAt(s), turned(turn, vec(0, PIPE + SKIN, 0))), turn })
      }
    }
    return pipe
  }

  /** Places stones in rings around the path, irregular along it, and too close to each other for a ship. */
  #hangStones(): Stone[] {
    const random = seeded(11)
    const s = this.path.nearest(STONES)
    const [middle, heading] = [this.#pointAt(s), this.#headingAt(s)]
    this.stations.push({ name: 'stones', from: s - 8, to: s + 8 })
    const stones: Stone[] = []
    let inner = FREE_RADIUS
    for (const count of RINGS) {
      // neighbours leave at most a metre between them
      const radius = ((inner + 1) * Math.sin(Math.PI / count)) / (1 - Math.sin(Math.PI / count))
      const phase = random()
      for (let k = 0; k < count; k++) {
        const angle = (2 * Math.PI * (k + phase)) / count
        const out = inner + radius
        const place = vec(out * Math.cos(angle), out * Math.sin(angle), evenly(random, -4, 4))
        const own = radius * evenly(random, 0.92, 1)
        stones.push({
          radius: own,
          position: plus(middle, turned(heading, place)),
          quaternion: turnFromY(direction(random)),
        })
      }
      inner += 2 * radius
    }
    return stones
  }
}

/** Two straights and two bends, with small changes of height. */
function makePath(): Path {
  const [a, b] = [HALF_WIDTH, HALF_LENGTH]
  const corners = [vec(a, HEIGHT, -b), vec(-a, HEIGHT, -b), vec(-a, HEIGHT, b), vec(a, HEIGHT, b)]
  const points = [EYE, JAWS, corners[0]!, corners[1]!, WHEEL, STONES, corners[2]!, corners[3]!]
  return new Path({ points, curve: 'arcs', radius: BEND, ends: 'closed' })
}

/** Rotates corners by 45°. */
function onEdge(corners: readonly Corner[]): Corner[] {
  return corners.map(([x, y]) => [(x - y) * Math.SQRT1_2, (x + y) * Math.SQRT1_2])
}
