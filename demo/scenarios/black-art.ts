import {
  Arrive,
  AvoidObstacles,
  Contain,
  Flock,
  Hover,
  ReciprocalAvoidance,
  smooth,
  SteeringWorld,
  type Smooth,
  type Viewable,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import {
  CONCERNS,
  SCHEMES,
  usualMix,
  type Mix,
  type Parts,
  type Scheme,
  type Tree,
} from './black-art-schemes.js'
import { Tally } from './black-art-tally.js'
import { DRONE, DriftingRocks, makeTube, startsOf, type Start } from './black-art-tube.js'
import { Fingerprint } from './metrics.js'

export interface BlackArtOptions {
  readonly seed?: number
  /** Drones in each column. Default 16, at most 24. */
  readonly count?: number
  /** One column per scheme. Default all. */
  readonly schemes?: readonly Scheme[]
  /** View of the drones of a column. */
  readonly view?: (column: number) => Viewable
}

export const DEFAULT_DRONES = 16
export const MAX_DRONES = 24

/** Top speed (m/s). Also the greatest acceleration (m/s²). */
const SPEED = 5
/** Three times the distance that two drones cover while both stop, plus some radii (m). */
const NEIGHBOR_DISTANCE = 3 * SPEED + 12 * DRONE

/**
 * One tube with its drones in its own world. Places and starts are those of all columns; the tree is its own.
 */
export class Column {
  readonly scheme: Scheme
  readonly steering: SteeringWorld
  readonly flock: Flock
  readonly tally: Tally
  readonly #tree: Tree
  readonly #smooth: Smooth

  // #region code
  constructor(
    scheme: Scheme,
    drift: DriftingRocks,
    starts: readonly Start[],
    seed: number,
    view: Viewable | undefined,
  ) {
    this.scheme = scheme
    this.tally = new Tally(
      starts.map(({ end }) => end),
      drift.rocks,
    )
    const { drones } = this.tally
    const parts: Parts = {
      rocks: new AvoidObstacles({ obstacles: drift.obstacles() }),
      apart: new ReciprocalAvoidance({ neighborDistance: NEIGHBOR_DISTANCE }),
      inside: new Contain({ bounds: makeTube() }),
      there: new Arrive({ target: ({ id }, out) => void Object.assign(out, drones[id]!.goal) }),
    }
    this.#tree = scheme.build(parts)
    this.#smooth = smooth(this.#tree.behavior, { time: 0 })
    this.steering = new SteeringWorld({ seed })
    this.flock = new Flock({
      name: scheme.name,
      count: starts.length,
      ...(view ? { view } : {}),
      behavior: this.#smooth,
      locomotion: new Hover({ attitude: { roll: 'level' } }),
      maxSpeed: SPEED,
      maxForce: SPEED,
      radius: DRONE,
      seed,
      spawn: (index, { position, velocity }) => {
        Object.assign(position, starts[index]!.position)
        velocity.y = 1e-3 * starts[index]!.end
      },
    })
    this.steering.add(this.flock)
    this.#readStates()
  }
  // #endregion

  tune(mix: Mix): void {
    this.#tree.tune(mix)
    this.#smooth.time = mix.smoothing
  }

  step(dt: number): void {
    this.steering.step(dt)
    this.#readStates()
  }

  #readStates(): void {
    for (const { key, position, velocity } of this.tally.drones) {
      this.flock.position(key, position)
      this.flock.velocity(key, velocity)
    }
  }
}

/** The same crowded task in several columns, one per combination scheme, all with the same start. */
export class BlackArt {
  readonly mix = usualMix()
  readonly drift: DriftingRocks
  readonly columns: readonly Column[]
  /** Simulated time (s). */
  time = 0

  constructor({ seed = 1, count = DEFAULT_DRONES, schemes = SCHEMES, view }: BlackArtOptions = {}) {
    const random = seeded(seed)
    this.drift = new DriftingRocks(random)
    const starts = startsOf(Math.max(1, Math.min(count, MAX_DRONES)), this.drift.rocks, random)
    this.columns = schemes.map((scheme, index) => new Column(scheme, this.drift, starts, seed, view?.(index)))
    this.tune()
  }

  /** Applies changed settings to all columns. */
  tune(): void {
    for (const column of this.columns) column.tune(this.mix)
  }

  /** Moves the concern at index `place` of the order one place up. The first becomes the last. */
  raise(place: number): void {
    const { order } = this.mix
    const [concern] = order.splice(place, 1)
    if (concern === undefined) return
    order.splice(place === 0 ? order.length : place - 1, 0, concern)
    this.tune()
  }

  /** Restores the default settings. The drones fly on from where they are. */
  restoreMix(): void {
    const { order, ...rest } = usualMix()
    this.mix.order.splice(0, CONCERNS.length, ...order)
    Object.assign(this.mix.weight, rest.weight)
    Object.assign(this.mix.on, rest.on)
    const { chance, fade, period, project, smoothing } = rest
    Object.assign(this.mix, { chance, fade, period, project, smoothing })
    this.tune()
  }

  /** Resets all counts. */
  recount(): void {
    for (const { tally } of this.columns) tally.reset()
  }

  step(dt: number): void {
    // all columns see the same rocks in this step …
    for (const column of this.columns) column.step(dt)
    this.time += dt
    // … and contacts are counted with the rocks at the end of it
    this.drift.moveTo(this.time)
    for (const { tally } of this.columns) tally.see(this.time, dt)
  }

  dispose(): void {
    for (const { steering } of this.columns) steering.dispose()
  }

  state(): Record<string, number | string> {
    const mark = new Fingerprint()
    for (const { tally } of this.columns) for (const { position } of tally.drones) mark.addVector(position)
    const table = this.columns.map(({ scheme, tally }) => [
      `${scheme.name}: contacts, trips, starved, flips`,
      `${tally.contacts}, ${tally.trips}, ${tally.starved}, ${tally.flips}`,
    ])
    const last = this.columns.at(-1)!.tally
    return {
      drones: this.columns.length * last.drones.length,
      'contacts in all': this.columns.reduce((sum, { tally }) => sum + tally.contacts, 0),
      'contacts, within': last.contacts,
      'trips, within': last.trips,
      ...Object.fromEntries(table),
      fingerprint: mark.toString(),
    }
  }
}
