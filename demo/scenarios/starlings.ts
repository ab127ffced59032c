import { type Agent, type Behavior, type Step, type Vec3Like, type Wrench } from 'three-steering'
import { Memory } from 'three-steering/authoring'

/**
 * Asks a behaviour in one step of so many, each bird in steps of its own, and holds its force in between: nobody reacts faster than
 * this, and thousands cost a fraction.
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
    const at = this.#memory.at(agent)
    const { data, fresh } = this.#memory
    const { force } = out
    if (fresh || (step.tick + agent.id) % this.every === 0) {
      this.children[0]!.steer(agent, step, out)
      data[at] = force.x
      data[at + 1] = force.y
      data[at + 2] = force.z
      return
    }
    force.x += data[at]!
    force.y += data[at + 1]!
    force.z += data[at + 2]!
  }
}

/** Middle of the air above the roost, and half sizes of the space in which the flock dances, m. */
export const ROOST = { x: 0, y: 38, z: 0 }
const ROOM = { x: 34, y: 13, z: 26 }
/** How far the two places to turn about are apart at most, m from the middle: one makes a ball, two an hourglass. */
const APART = 20
/** Lower than this birds climb, m. */
const FLOOR = 12
/** Share of the pull that may change the speed; the rest turns. */
const ALONG = 0.25

/**
 * Turns birds back to an ellipsoid of air that strolls about the roost: nothing well inside, a firm pull outside, nearly all of it
 * across the course, as of starlings (Hildenbrandt et al. 2010). A behaviour of your own is any object with `steer`.
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
    let dx = (side * Math.cos(turn) - x) / ROOM.x
    let dz = (side * Math.sin(turn) - z) / ROOM.z
    let dy = (ROOST.y + 5 * Math.sin(0.31 * time + 1) + 0.25 * side - position.y) / ROOM.y
    const off = Math.hypot(dx, dy, dz)
    if (off > 0.3) {
      const pull = (this.strength * maxForce * Math.min(1.4, (off - 0.3) ** 2)) / off
      const { x: ahead } = course
      const along = (1 - ALONG) * (dx * ahead.x + dy * ahead.y + dz * ahead.z)
      dx -= along * ahead.x
      dy -= along * ahead.y
      dz -= along * ahead.z
      force.x += dx * pull
      force.y += dy * pull
      force.z += dz * pull
    }
    // the lake is cold
    if (position.y < FLOOR) force.y += (2 * maxForce * (FLOOR - position.y)) / FLOOR
  }
}

/** A startled bird throws itself to one side and back again, s. */
const ZIG = 0.34
/** It heeds others so long after they began, s. */
const HEED_FROM = 0.06
const HEED_TO = 0.3
/** It is not startled again so soon, s. */
const CALM = 2.2
/** What is left of the fright from bird to bird, and when it is too little to pass on. */
const PASSED_ON = 0.975
const LEAST = 0.25

/**
 * Waves of agitation: a bird that sees the falcon near zigzags, and so does who sees two neighbours do so a moment ago, once; the fright
 * runs through the flock faster than any bird flies (Procaccini et al. 2011). The dark bands are birds that show their wings in a bank
 * (Hemelrijk et al. 2015).
 */
export class Startle implements Behavior {
  /** Share of `maxForce` of the zigzag. */
  weight = 0.9
  /** Who is nearer to the falcon than this is startled, m. */
  range = 20
  /** Birds that began a zigzag. */
  frights = 0
  readonly falcon: { readonly position: Vec3Like }
  /** When each agent began, by its id: s; its side and strength. */
  #since = new Float64Array(64).fill(-Infinity)
  #fright = new Float64Array(64)

  constructor(falcon: { readonly position: Vec3Like }) {
    this.falcon = falcon
  }

  steer(agent: Agent, { time }: Step, out: Wrench): void {
    const { id } = agent
    if (id >= this.#since.length) this.#grow(2 * id)
    const gone = time - this.#since[id]!
    if (gone < 2 * ZIG) {
      const { x } = agent.course
      const level = Math.hypot(x.x, x.z) || 1
      const push = (this.#fright[id]! * (gone < ZIG ? 1 : -1) * this.weight * agent.maxForce) / level
      out.force.x += x.z * push
      out.force.z -= x.x * push
    } else if (gone > CALM) this.#listen(agent, time)
  }

  #listen(agent: Agent, time: number): void {
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
      if (!(ago > HEED_FROM && ago < HEED_TO)) continue
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
