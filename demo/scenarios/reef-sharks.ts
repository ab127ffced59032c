import {
  Hover,
  Pursue,
  Seek,
  SteeringController,
  within,
  type Behavior,
  type Constraint,
  type Flock,
  type Obstacles,
  type Vec3,
  type Viewable,
} from 'three-steering'
import { distance } from './metrics.js'
import { LAGOON } from './reef.js'
import { evenly } from './vectors.js'

/** Radius of a shark at its thickest (m). Its length is greater. */
export const SHARK = 0.75
/** Speed on patrol and in a chase (m/s). */
const PATROL = 2.6
const CHASE = 5.2
/** Longest chase, and least rest after it (s). */
const CHASE_TIME = 5
const REST = 7

interface Prey {
  readonly flock: Flock
}

/** Patrols, and chases the nearest fish from time to time. It does not give way. */
export class Shark {
  readonly controller: SteeringController
  /** Whether it may chase fish. */
  hunting = true
  chases = 0
  readonly #walls: readonly Constraint[]
  readonly #random: () => number
  readonly #goal: Vec3 = { x: 0, y: 4, z: 0 }
  readonly #place: Vec3 = { x: 0, y: 0, z: 0 }
  readonly #normal: Vec3 = { x: 0, y: 0, z: 0 }
  #chasing = false
  #until: number

  constructor(
    index: number,
    walls: readonly Constraint[],
    group: number,
    random: () => number,
    view?: Viewable,
  ) {
    this.#walls = walls
    this.#random = random
    this.#until = 4 + 5 * index
    const side = index % 2 === 0 ? 1 : -1
    this.controller = new SteeringController(view ?? null, {
      name: `shark ${index + 1}`,
      behavior: within(walls, new Seek({ target: this.#goal })),
      locomotion: new Hover({ attitude: { roll: 'bank', bankWeight: 4 } }),
      maxSpeed: PATROL,
      maxForce: 5,
      maxTurnRate: 1.5,
      responseTime: 0.5,
      radius: SHARK,
      group,
      priority: Infinity,
      position: { x: side * (LAGOON - 3), y: 5 + 3 * index, z: 4 * side },
      velocity: { x: -side * 2, y: 0, z: 0 },
    })
  }

  /** Decides between patrol and a chase of the nearest fish. */
  update(time: number, schools: readonly Prey[], reef: Obstacles): void {
    const { controller } = this
    if (this.#chasing) {
      if (time < this.#until && this.hunting) return
      this.#chasing = false
      this.#until = time + REST
      controller.maxSpeed = PATROL
      return this.#patrol(reef)
    }
    if (distance(this.#goal, controller.position) < 4) this.#patrol(reef)
    if (!this.hunting || time < this.#until) return
    this.#chasing = true
    this.#until = time + CHASE_TIME
    this.chases++
    controller.maxSpeed = CHASE
    const { flock, index } = this.#nearest(schools)
    this.#steer(new Pursue({ target: flock.member(index), maxPredictionTime: 1 }))
  }

  #nearest(schools: readonly Prey[]): { flock: Flock; index: number } {
    let least = Infinity
    let found = { flock: schools[0]!.flock, index: 0 }
    for (const { flock } of schools)
      for (let index = 0; index < flock.size; index++) {
        const distanceToShark = distance(flock.position(index, this.#place), this.controller.position)
        if (distanceToShark >= least) continue
        least = distanceToShark
        found = { flock, index }
      }
    return found
  }

  /** Seeks a random point in open water. */
  #patrol(reef: Obstacles): void {
    do {
      const far = (LAGOON - 7) * Math.sqrt(this.#random())
      const turn = 2 * Math.PI * this.#random()
      this.#goal.x = far * Math.cos(turn)
      this.#goal.y = evenly(this.#random, 2.5, 9)
      this.#goal.z = far * Math.sin(turn)
    } while (reef.distance(this.#goal, this.#normal) < SHARK + 0.8)
    this.#steer(new Seek({ target: this.#goal }))
  }

  #steer(wish: Behavior): void {
    this.controller.behavior = within(this.#walls, wish)
  }
}
