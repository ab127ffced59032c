import { Obstacles, SteeringController, SteeringWorld, type Behavior, type Vec3Like } from 'three-steering'
import { addBall, boundOf, makePhysics, solidOf } from './bodies.js'
import { clearance, roomIn } from './course.js'
import { Encounters } from './encounters.js'
import { flockBehavior, type FlockContext } from './flock-behavior.js'
import { HUNTER, type FlockScene } from './flock-scenes.js'
import { distance, Flips, magnitude } from '../../demo/scenarios/metrics.js'
import { minus, plus, times } from '../../demo/scenarios/vectors.js'
import { addFlock } from '../support/flock.js'

export interface FlockRunOptions {
  /** Step (s). Default 1/60. */
  readonly dt?: number
  /**
   * Whether cannon-es moves the birds, as spheres without collision response: contacts are measured, but have
   * no effect. Default 'none'.
   */
  readonly bodies?: 'none' | 'cannon'
  /** The behaviour of a bird. Default `flockBehavior`. */
  readonly makeBehavior?: (given: FlockContext) => Behavior
  /** Called after each step. */
  readonly watch?: (birds: readonly Bird[], time: number) => void
}

export interface Bird {
  readonly position: Vec3Like
  readonly velocity: Vec3Like
}

/** The state of a flock at one moment. */
export interface FlockState {
  /** Length of the mean of the directions of flight: 1 when all fly one way. */
  readonly order: number
  /** Mean speed over maxSpeed. */
  readonly speed: number
  /** Number of flocks: groups of birds linked by distance. */
  readonly parts: number
  /** Standard deviation over mean of the distances to the nearest neighbour. */
  readonly unevenness: number
  /** Mean distance to the nearest neighbour (m). */
  readonly spacing: number
}

export interface FlockResult {
  readonly scene: FlockScene
  /** Contacts between two birds or a bird and a hunter, and the smallest gap (radii). */
  readonly contacts: number
  readonly gap: number
  /** Contacts of birds with blocks and exits from the bounds, and the smallest gap (m). */
  readonly hits: number
  readonly clearance: number
  /** Means over the measured time; for `parts` the maximum. */
  readonly mean: FlockState
  /** States every half second, from the start. */
  readonly samples: readonly FlockState[]
  /** J: reversals of the turn rate (1/s), mean of the birds. */
  readonly jitter: number
  /** Share of the birds' steps with an acceleration above 105 % of maxForce / mass. */
  readonly forced: number
  /**
   * Greatest speed over maxSpeed, and greatest difference between a step of a position and its velocity, over
   * maxSpeed.
   */
  readonly fastest: number
  readonly slip: number
  /** Whether a bird exceeded its force or speed, or jumped: the run does not count. */
  readonly void: boolean
}

const UNDAMPED = { linearDamping: 0, angularDamping: 0 }

/** Time between two recorded states (s). */
const LOOK = 0.5

/** Flies a flock and measures it. Deterministic. */
export function flyFlock(scene: FlockScene, options: FlockRunOptions = {}): FlockResult {
  const { dt = 1 / 60, bodies = 'none', makeBehavior = flockBehavior, watch } = options
  const { starts, traits, hunters, blocks, bounds } = scene
  const world = new SteeringWorld({ seed: scene.seed })
  const physics = makePhysics(world, bodies)
  const obstacles = blocks.length === 0 ? null : new Obstacles(blocks.map(solidOf))
  const walls = bounds.length === 0 ? null : new Obstacles(bounds.map(boundOf))
  const behavior = makeBehavior({ scene, obstacles, bounds: walls })
  const flock = addFlock(world, {
    ...traits,
    behavior,
    count: starts.length,
    spawn: (i, { position, velocity }) => {
      Object.assign(position, starts[i]!.position)
      Object.assign(velocity, starts[i]!.velocity)
    },
    ...(physics !== null && {
      body: (i: number) => addBall(physics, { ...traits, ...starts[i]! }, UNDAMPED),
    }),
  })
  const birds: readonly Bird[] = physics?.bodies ?? starts.map((_, i) => flock.member(i))
  const chasers = hunters.map((hunter) => {
    const idle: Behavior = { steer: () => {} }
    const { position, velocity, radius } = hunter
    const own = { behavior: idle, radius, maxSpeed: magnitude(velocity), maxForce: 0, group: HUNTER }
    const chaser = new SteeringController(null, { ...own, priority: Infinity, position, velocity })
    world.add(chaser)
    return chaser
  })
  const watcher = new Watcher(scene, birds, chasers, dt)
  const steps = Math.round(scene.limit / dt)
  for (let i = 1; i <= steps; i++) {
    if (physics === null) world.step(dt)
    else physics.step(dt)
    watcher.see(i * dt)
    watch?.(birds, i * dt)
  }
  world.dispose()
  return watcher.result()
}

/** Measures a flock, step by step. */
class Watcher {
  readonly #scene: FlockScene
  readonly #birds: readonly Bird[]
  readonly #hunters: readonly Bird[]
  readonly #dt: number
  readonly #encounters: Encounters
  readonly #samples: FlockState[] = []
  readonly #before: { position: Vec3Like; velocity: Vec3Like }[]
  readonly #flips: readonly Flips[]
  /**
   * Distance (m) that each bird may fly before its clearance is measured again, and whether it has a contact.
   */
  readonly #far: Float64Array
  readonly #touching: Uint8Array
  #hits = 0
  #clearance = Infinity
  #forced = 0
  #fastest = 0
  #slip = 0
  #steps = 0

  constructor(scene: FlockScene, birds: readonly Bird[], hunters: readonly Bird[], dt: number) {
    this.#scene = scene
    this.#birds = birds
    this.#hunters = hunters
    this.#dt = dt
    const { radius } = scene.traits
    this.#encounters = new Encounters([
      ...birds.map(() => ({ radius })),
      ...scene.hunters.map((hunter) => ({ radius: hunter.radius, blind: true })),
    ])
    this.#before = scene.starts.map(({ position, velocity }) => ({ position, velocity }))
    this.#flips = birds.map(() => new Flips(0.01 * scene.traits.maxSpeed))
    this.#far = new Float64Array(birds.length)
    this.#touching = new Uint8Array(birds.length)
  }

  see(time: number): void {
    const { maxForce, mass, maxSpeed } = this.#scene.traits
    const dt = this.#dt
    this.#encounters.update([...this.#birds, ...this.#hunters])
    for (const [i, { position, velocity }] of this.#birds.entries()) {
      const before = this.#before[i]!
      const speed = magnitude(velocity)
      this.#steps++
      if (magnitude(minus(velocity, before.velocity)) > (1.05 * dt * maxForce) / mass) this.#forced++
      const slip = magnitude(minus(minus(position, before.position), times(velocity, dt)))
      this.#slip = Math.max(this.#slip, slip / dt / maxSpeed)
      this.#fastest = Math.max(this.#fastest, speed / maxSpeed)
      this.#flips[i]!.see(velocity, dt)
      this.#far[i]! -= speed * dt
      if (!(this.#far[i]! > 0)) this.#touch(i, position)
      before.position = { x: position.x, y: position.y, z: position.z }
      before.velocity = { x: velocity.x, y: velocity.y, z: velocity.z }
    }
    if (time >= LOOK * (this.#samples.length + 1) - dt / 2)
      this.#samples.push(measureFlock(this.#birds, this.#scene))
  }

  #touch(i: number, position: Vec3Like): void {
    const { blocks, bounds, traits } = this.#scene
    const inside = Math.min(...bounds.map((bound) => roomIn(bound, position)))
    const room = Math.min(clearance(blocks, position), inside) - traits.radius
    if (room < 0 && this.#touching[i] === 0) this.#hits++
    if (room < 0) this.#touching[i] = 1
    else if (room > 0.01 * traits.radius) this.#touching[i] = 0
    this.#clearance = Math.min(this.#clearance, room)
    this.#far[i] = room - traits.radius
  }

  result(): FlockResult {
    const scene = this.#scene
    const late = this.#samples.filter((_, i) => LOOK * (i + 1) > scene.from)
    const average = (key: keyof FlockState): number =>
      late.reduce((sum, look) => sum + look[key], 0) / late.length
    const forced = this.#forced / this.#steps
    return {
      scene,
      contacts: this.#encounters.contacts,
      gap: this.#encounters.gap,
      hits: this.#hits,
      clearance: this.#clearance,
      mean: {
        order: average('order'),
        speed: average('speed'),
        parts: Math.max(...late.map(({ parts }) => parts)),
        unevenness: average('unevenness'),
        spacing: average('spacing'),
      },
      samples: this.#samples,
      jitter: this.#flips.reduce((sum, { count }) => sum + count, 0) / (this.#steps * this.#dt),
      forced,
      fastest: this.#fastest,
      slip: this.#slip,
      void: forced > 0.005 || this.#fastest > 1.02 || this.#slip > 1e-6,
    }
  }
}

/** Measures a flock. Birds nearer to each other than `link` (m) are in one flock. */
export function measureFlock(
  birds: readonly Bird[],
  { link, traits }: Pick<FlockScene, 'link' | 'traits'>,
): FlockState {
  const count = birds.length
  const root = birds.map((_, i) => i)
  const find = (i: number): number => {
    let at = i
    while (root[at] !== at) at = root[at] = root[root[at]!]!
    return at
  }
  const nearest = birds.map(() => Infinity)
  let heading: Vec3Like = { x: 0, y: 0, z: 0 }
  let pace = 0
  for (let i = 0; i < count; i++) {
    const { position, velocity } = birds[i]!
    const speed = magnitude(velocity)
    pace += speed / traits.maxSpeed / count
    if (speed > 0) heading = plus(heading, velocity, 1 / speed / count)
    for (let j = 0; j < i; j++) {
      const apart = distance(position, birds[j]!.position)
      nearest[i] = Math.min(nearest[i]!, apart)
      nearest[j] = Math.min(nearest[j]!, apart)
      if (apart < link) root[find(i)] = find(j)
    }
  }
  const spacing = nearest.reduce((sum, apart) => sum + apart, 0) / count
  const variance = nearest.reduce((sum, apart) => sum + (apart - spacing) ** 2, 0) / count
  return {
    order: magnitude(heading),
    speed: pace,
    parts: root.filter((at, i) => at === i).length,
    unevenness: Math.sqrt(variance) / spacing,
    spacing,
  }
}
