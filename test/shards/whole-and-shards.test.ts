import { describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  blend,
  Flocking,
  Obstacles,
  ReciprocalAvoidance,
  SphereShape,
  SteeringController,
  SteeringWorld,
  Tether,
  Wander,
  within,
  type Behavior,
  type Vec3,
} from 'three-steering'
import { Dock, Port } from 'three-steering/docking'
import { seeded, type MovingFrame } from 'three-steering/authoring'
import {
  addGhost,
  exportAgent,
  importAgent,
  orderNeighbors,
  type Ghost,
  type Parcel,
} from 'three-steering/shards'
import { bitsOf } from '../laws/kit.js'
import { pick, PRINT } from '../support/tier.js'

const DT = 1 / 30
const STEPS = pick(60, 500, 10_000)
const COUNT = pick(36, 80, 120)

/** How far agents look for others (m): what is nearer to a border than this is shown to the neighbour. */
const LOOK = 12

const ORIGIN = { x: 0, y: 0, z: 0 }

const NOWHERE = {
  position: ORIGIN,
  velocity: ORIGIN,
  quaternion: { x: 0, y: 0, z: 0, w: 1 },
  angularVelocity: ORIGIN,
}

const ROCKS = Array.from({ length: 6 }, (_, i) => ({
  shape: new SphereShape(3),
  at: { position: { x: 11 * (i - 2.5), y: (7 * i) % 13, z: 9 * Math.sin(2 * i) } },
}))

/** Keys of a station that drifts to and fro across the borders, and of a shuttle that docks at it. */
const STATION = 1000
const SHUTTLE = 1001

/** The minds of the other agents: a flock that wanders, and ships that avoid rocks and each other. */
function minds(): Behavior[] {
  const flock = blend([
    new Flocking({
      separation: { neighborDistance: 4 },
      alignment: { neighborDistance: LOOK },
      // the way back to the flock needs the whole flock
      cohesion: { neighborDistance: LOOK, emergency: false },
    }),
    { behavior: new Wander(), weight: 0.5 },
    { behavior: new Tether({ target: ORIGIN, radius: 25 }), weight: 2 },
  ])
  const wander = within(
    [
      new AvoidObstacles({ obstacles: new Obstacles(ROCKS) }),
      new ReciprocalAvoidance({ neighborDistance: LOOK }),
    ],
    blend([new Wander(), { behavior: new Tether({ target: ORIGIN, radius: 25 }), weight: 2 }]),
  )
  const commute = within(
    [new ReciprocalAvoidance({ neighborDistance: LOOK })],
    new Arrive({ target: { x: 14, y: 2, z: 1 } }),
  )
  return [flock, flock, wander, commute]
}

const TRAITS = { maxSpeed: 8, maxForce: 20, radius: 0.5 }
const SLOW = { maxSpeed: 2, maxForce: 1, radius: 0.5 }

const drift = (): Behavior =>
  blend([new Wander(), { behavior: new Tether({ target: ORIGIN, radius: 15 }), weight: 2 }])

interface Start {
  readonly seed: number
  readonly position: Vec3
  readonly velocity: Vec3
}

function starts(): Start[] {
  const random = seeded(17)
  const spread = (size: number): number => size * (2 * random() - 1)
  const seeds = [...Array.from({ length: COUNT - 2 }, (_, seed) => seed), STATION, SHUTTLE]
  return seeds.map((seed) => ({
    seed,
    position: { x: spread(30), y: spread(12), z: spread(12) },
    velocity: { x: spread(6), y: spread(3), z: spread(3) },
  }))
}

/** A world with the agents of a part of space, by their keys. */
class Part {
  readonly world = new SteeringWorld({ seed: 3, fixedStep: DT })
  readonly agents = new Map<number, SteeringController>()
  readonly ghosts = new Map<number, Ghost>()
  private readonly minds = minds()
  private readonly drift = drift()
  private readonly dock = new Dock({
    port: new Port({
      carrier: this.frameOf(STATION),
      position: { x: 0, y: 0, z: 0.5 },
      outward: { x: 0, y: 0, z: 1 },
    }),
  })

  constructor() {
    orderNeighbors(this.world)
  }

  /** The station, or its ghost: whichever is here. */
  private frameOf(seed: number): MovingFrame {
    const now = () => this.agents.get(seed) ?? this.ghosts.get(seed)?.controller ?? NOWHERE
    return {
      get position() {
        return now().position
      },
      get velocity() {
        return now().velocity
      },
      get quaternion() {
        return now().quaternion
      },
      get angularVelocity() {
        return now().angularVelocity
      },
    }
  }

  make({ seed, ...start }: Start): SteeringController {
    if (seed === STATION)
      return new SteeringController(null, { ...SLOW, ...start, seed, behavior: this.drift })
    const behavior = seed === SHUTTLE ? this.dock : this.minds[seed % 4]!
    return new SteeringController(null, { ...TRAITS, ...start, seed, behavior })
  }

  add(start: Start): void {
    const agent = this.make(start)
    this.agents.set(start.seed, agent)
    this.world.add(agent)
  }

  receive(parcel: Parcel): void {
    const agent = this.make({ seed: parcel.seed, position: ORIGIN, velocity: ORIGIN })
    this.ghosts.get(parcel.seed)?.remove()
    this.ghosts.delete(parcel.seed)
    importAgent(this.world, parcel, agent)
    this.agents.set(parcel.seed, agent)
  }

  give(seed: number): Parcel {
    const agent = this.agents.get(seed)!
    const parcel = JSON.parse(JSON.stringify(exportAgent(this.world, agent))) as Parcel
    this.world.remove(agent)
    this.agents.delete(seed)
    return parcel
  }

  /** Shows the agents of the others that are near enough to be seen. */
  mirror(others: readonly Part[], isNear: (position: Vec3) => boolean): void {
    const seen = new Set<number>()
    for (const other of others)
      for (const [seed, { angularVelocity, maxSpeed, position, quaternion, velocity }] of other.agents) {
        if (!isNear(position) && seed !== STATION) continue
        seen.add(seed)
        const ghost = this.ghosts.get(seed)
        const motion = { position, velocity, quaternion, angularVelocity }
        if (ghost) ghost.set(position, velocity, quaternion, angularVelocity)
        else this.ghosts.set(seed, addGhost(this.world, { seed, ...motion, radius: 0.5, maxSpeed }))
      }
    for (const [seed, ghost] of this.ghosts)
      if (!seen.has(seed)) {
        ghost.remove()
        this.ghosts.delete(seed)
      }
  }
}

describe.each([
  [2, [0]],
  [4, [-12, 0, 12]],
] as const)('a world cut into %i shards', (count, borders) => {
  it(`equals the whole one bit by bit for ${STEPS} steps, with hand-overs all the time`, () => {
    const whole = new Part()
    const parts = Array.from({ length: count }, () => new Part())
    // the borders sweep to and fro, as where loads are balanced, so that agents are handed over all the time
    let sweep = 0
    const partOf = ({ x }: Vec3): number => borders.filter((border) => x - sweep >= border).length
    for (const start of starts()) {
      whole.add(start)
      parts[partOf(start.position)]!.add(start)
    }
    let handOvers = 0
    for (let step = 0; step < STEPS; step++) {
      sweep = 10 * Math.sin(step / 40)
      for (const [k, part] of parts.entries())
        for (const [seed, { position }] of part.agents) {
          if (partOf(position) === k) continue
          parts[partOf(position)]!.receive(part.give(seed))
          handOvers++
        }
      for (const [k, part] of parts.entries()) {
        const low = (borders[k - 1] ?? -Infinity) + sweep - LOOK - 1
        const high = (borders[k] ?? Infinity) + sweep + LOOK + 1
        part.mirror(
          parts.filter((other) => other !== part),
          ({ x }) => x > low && x < high,
        )
      }
      for (const { world } of [whole, ...parts]) world.step(DT)
      const all = new Map<number, SteeringController>()
      for (const { agents } of parts) for (const [seed, agent] of agents) all.set(seed, agent)
      expect(all.size).toBe(COUNT)
      const seeds = [...whole.agents.keys()]
      const wanted = bitsOf(seeds.map((seed) => whole.agents.get(seed)!))
      const got = bitsOf(seeds.map((seed) => all.get(seed)!))
      const at = wanted.findIndex((bits, i) => !Object.is(bits, got[i]))
      if (at >= 0)
        expect.fail(
          `step ${step}: number ${at} of ${wanted.length / seeds.length} per agent: ${got[at]}, must be ${wanted[at]}`,
        )
    }
    expect(handOvers).toBeGreaterThan(pick(STEPS / 20, STEPS / 10, 1000))
    if (PRINT) console.info(`${count} shards, ${STEPS} steps, ${COUNT} agents: ${handOvers} hand-overs`)
  }, 600_000)
})
