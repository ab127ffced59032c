import { type Agent, type Behavior, type Step, type Vec3Like, type Wrench } from 'three-steering'
import { Memory } from 'three-steering/authoring'

/**
 * Runs a behaviour only in one of `every` steps, different ones for each agent, and repeats its force in
 * between. This limits the reaction time, and makes thousands of agents affordable.
 */
export class Seldom implements Behavior {
  every: number
  readonly children: readonly Behavior[]
  readonly #memory = new Memory(3)

  constructor(behavior: Behavior, every: number) {
    this.children = [behavior]
    this.every = every
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const offset = this.#memory.at(agent)
    const { data, fresh } = this.#memory
    const { force } = out
    if (fresh || (step.tick + agent.id) % this.every === 0) {
      this.children[0]!.steer(agent, step, out)
      data[offset] = force.x
      data[offset + 1] = force.y
      data[offset + 2] = force.z
      return
    }
    force.x += data[offset]!
    force.y += data[offset + 1]!
    force.z += data[offset + 2]!
  }
}

/** Centre of the air space above the roost, and its half sizes (m). */
export const ROOST = { x: 0, y: 38, z: 0 }
const HALF_SIZE = { x: 34, y: 13, z: 26 }
/**
 * Greatest distance of the two attractors from the centre (m). One attractor makes a ball, two an hourglass.
 */
const APART = 20
/** Birds below this height climb (m). */
const FLOOR = 12
/** Share of the pull along the course, which changes the speed. The rest turns. */
const ALONG = 0.25

/**
 * Turns birds back to an ellipsoid that moves slowly about the roost. No force well inside, a strong pull
 * outside, mostly across the course, as observed in starlings (Hildenbrandt et al. 2010). Any object with
 * `steer` is a behaviour.
 */
export class Roost implements Behavior {
  strength = 0.9

  steer({ position, course, maxForce }: Agent, { time }: Step, out: Wrench): void {
    const { force } = out
    const apart = APART * Math.max(0, Math.sin(0.16 * time - 0.5))
    const turn = 0.6 * Math.sin(0.07 * time)
    const x = position.x - ROOST.x - 12 * Math.sin(0.19 * time)
    const z = position.z - ROOST.z - 10 * Math.cos(0.13 * time)
    const side = x * Math.cos(turn) + z * Math.sin(turn) > 0 ? apart : -apart
    let dx = (side * Math.cos(turn) - x) / HALF_SIZE.x
    let dz = (side * Math.sin(turn) - z) / HALF_SIZE.z
    let dy = (ROOST.y + 5 * Math.sin(0.31 * time + 1) + 0.25 * side - position.y) / HALF_SIZE.y
    const distance = Math.hypot(dx, dy, dz)
    if (distance > 0.3) {
      const pull = (this.strength * maxForce * Math.min(1.4, (distance - 0.3) ** 2)) / distance
      const { x: ahead } = course
      const along = (1 - ALONG) * (dx * ahead.x + dy * ahead.y + dz * ahead.z)
      dx -= along * ahead.x
      dy -= along * ahead.y
      dz -= along * ahead.z
      force.x += dx * pull
      force.y += dy * pull
      force.z += dz * pull
    }
    // stay above the lake
    if (position.y < FLOOR) force.y += (2 * maxForce * (FLOOR - position.y)) / FLOOR
  }
}

/** Duration of each half of a zigzag: first to one side, then back (s). */
const ZIG = 0.34
/** A bird reacts to neighbours whose zigzag began this long ago (s). */
const REACT_FROM = 0.06
const REACT_TO = 0.3
/** Least interval between two zigzags of a bird (s). */
const REST = 2.2
/** Factor of the strength passed from bird to bird, and the strength below which it is not passed on. */
const PASSED_ON = 0.975
const LEAST = 0.25

/**
 * Waves of agitation. A bird close to the falcon zigzags. A bird that saw two neighbours begin a zigzag does
 * so, too, once. This wave crosses the flock faster than birds fly (Procaccini et al. 2011). The dark bands
 * are birds that show their wings in a bank (Hemelrijk et al. 2015).
 */
export class Startle implements Behavior {
  /** Force of the zigzag, as a share of `maxForce`. */
  weight = 0.9
  /** Birds closer to the falcon than this zigzag (m). */
  range = 20
  /** Number of zigzags so far. */
  frights = 0
  readonly falcon: { readonly position: Vec3Like }
  /** Time at which the zigzag of each agent began, by id (s), and its side and strength in [−1, 1]. */
  #since = new Float64Array(64).fill(-Infinity)
  #fright = new Float64Array(64)

  constructor(falcon: { readonly position: Vec3Like }) {
    this.falcon = falcon
  }

  steer(agent: Agent, { time }: Step, out: Wrench): void {
    const { id } = agent
    if (id >= this.#since.length) this.#grow(2 * id)
    const elapsed = time - this.#since[id]!
    if (elapsed < 2 * ZIG) {
      const { x } = agent.course
      const level = Math.hypot(x.x, x.z) || 1
      const push = (this.#fright[id]! * (elapsed < ZIG ? 1 : -1) * this.weight * agent.maxForce) / level
      out.force.x += x.z * push
      out.force.z -= x.x * push
    } else if (elapsed > REST) this.#lookForFright(agent, time)
  }

  #lookForFright(agent: Agent, time: number): void {
    const { position, neighbors, id } = agent
    const { x, y, z } = this.falcon.position
    const [dx, dy, dz] = [position.x - x, position.y - y, position.z - z]
    if (dx * dx + dy * dy + dz * dz < this.range * this.range)
      return this.#begin(id, time, dx * agent.course.x.z - dz * agent.course.x.x > 0 ? 1 : -1)
    const since = this.#since
    let seen = 0
    let sum = 0
    for (let i = 0; i < neighbors.count; i++) {
      const other = neighbors.id[neighbors.row[i]!]!
      const ago = time - (since[other] ?? -Infinity)
      if (!(ago > REACT_FROM && ago < REACT_TO)) continue
      seen++
      sum += this.#fright[other]!
    }
    if (seen >= 2 && Math.abs(sum) > LEAST * seen) this.#begin(id, time, (PASSED_ON * sum) / seen)
  }

  #begin(id: number, time: number, fright: number): void {
    this.#since[id] = time
    this.#fright[id] = fright
    this.frights++
  }

  #grow(size: number): void {
    const since = new Float64Array(size + 1).fill(-Infinity)
    const fright = new Float64Array(size + 1)
    since.set(this.#since)
    fright.set(this.#fright)
    this.#since = since
    this.#fright = fright
  }
}
