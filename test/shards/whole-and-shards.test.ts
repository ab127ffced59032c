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
  type Agent,
  type Behavior,
  type Step,
  type Vec3,
  type Wrench,
} from 'three-steering'
import { Dock, Port } from 'three-steering/docking'
import { seeded, type MovingFrame } from 'three-steering/authoring'
import { Formation, KeepSlot, linePattern, wedgePattern } from 'three-steering/formation'
import {
  addGhost,
  exportAgent,
  exportGroup,
  importAgent,
  importGroup,
  mergeQueue,
  orderNeighbors,
  shareQueue,
  type Ghost,
} from 'three-steering/shards'
import { bitsOf } from '../laws/kit.js'
import { pick, report } from '../support/tier.js'

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

/**
 * Keys of a station that drifts to and fro across the borders, of shuttles that dock at its port in turn, and
 * of the ships of a formation, the first of which leads.
 */
const STATION = 1000
const SHUTTLES = [1001, 1002, 1003, 1004]
const WING = [1104, 1101, 1103, 1100, 1102]

/** How far a ship of the formation may be from the part that it is in (m). */
const WING_SIZE = 16

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
const SLOW = { maxSpeed: 1.5, maxForce: 0.1, radius: 1 }
const AGILE = { ...TRAITS, maxTorque: 20, inertia: { x: 1, y: 1, z: 1 } }

/** A latch for a point mass at a station that wanders. */
const LATCH = {
  latchDistance: 0.1,
  tolerance: 0.1,
  angleTolerance: 0.1,
  speedTolerance: 0.3,
  spinTolerance: 0.1,
}

/** Wants to dock for some time, and flies about for some time, as the number of the step says. */
class Shift {
  static readonly type = 'Shift'
  readonly children: readonly Behavior[]

  constructor(children: readonly Behavior[]) {
    this.children = children
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const isOff = (step.tick + 137 * agent.seed) % 1200 < 400
    this.children[isOff ? 1 : 0]!.steer(agent, step, out)
  }
}

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
  const special = [STATION, ...SHUTTLES, ...WING]
  // the formation starts in one part
  const near = (seed: number, x: number): number => (WING.includes(seed) ? 3 + x / 15 : x)
  const seeds = [...Array.from({ length: COUNT - special.length }, (_, seed) => seed), ...special]
  return seeds.map((seed) => ({
    seed,
    position: { x: near(seed, spread(30)), y: spread(12), z: spread(12) },
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
  readonly port = new Port({
    carrier: this.frameOf(STATION),
    position: { x: 0, y: 0, z: 1 },
    outward: { x: 0, y: 0, z: 1 },
    corridor: 6,
  })
  readonly dock = new Dock({ port: this.port, ...LATCH })
  private readonly shift = new Shift([this.dock, drift()])
  readonly formation = new Formation({ pattern: wedgePattern, spacing: 4, frame: 'course' })
  private readonly wing = within(
    [new AvoidObstacles({ obstacles: new Obstacles(ROCKS) })],
    new KeepSlot({ formation: this.formation, leadBehavior: drift() }),
  )

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
    const behavior = SHUTTLES.includes(seed)
      ? this.shift
      : WING.includes(seed)
        ? this.wing
        : this.minds[seed % 4]!
    return new SteeringController(null, { ...AGILE, ...start, seed, behavior })
  }

  add(start: Start): void {
    const agent = this.make(start)
    this.agents.set(start.seed, agent)
    this.world.add(agent)
  }

  /** Gives agents to another part. */
  give(seeds: readonly number[], to: Part): void {
    const agents = seeds.map((seed) => this.agents.get(seed)!)
    const receivers = seeds.map((seed) => to.make({ seed, position: ORIGIN, velocity: ORIGIN }))
    if (seeds.length > 1) importGroup(to.world, json(exportGroup(this.world, agents)), receivers)
    else importAgent(to.world, json(exportAgent(this.world, agents[0]!)), receivers[0]!)
    for (const [i, seed] of seeds.entries()) {
      this.world.remove(agents[i]!)
      this.agents.delete(seed)
      to.ghosts.get(seed)?.remove()
      to.ghosts.delete(seed)
      to.agents.set(seed, receivers[i]!)
    }
  }

  /** Shows the agents of the others that are near enough to be seen. */
  mirror(others: readonly Part[], isNear: (position: Vec3) => boolean): void {
    const seen = new Set<number>()
    for (const other of others)
      for (const [seed, agent] of other.agents) {
        const { angularVelocity, avoids, isManual, maxSpeed, position, quaternion, radius, velocity } = agent

        if (!isNear(position) && seed !== STATION) continue
        seen.add(seed)
        const ghost = this.ghosts.get(seed)
        const motion = { position, velocity, quaternion, angularVelocity }
        if (ghost) ghost.set(position, velocity, quaternion, angularVelocity)
        else
          this.ghosts.set(seed, addGhost(this.world, { seed, ...motion, radius, maxSpeed, avoids, isManual }))
      }
    for (const [seed, ghost] of this.ghosts)
      if (!seen.has(seed)) {
        ghost.remove()
        this.ghosts.delete(seed)
      }
  }
}

const json = <T>(data: T): T => JSON.parse(JSON.stringify(data)) as T

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
    let wings = 0
    let atPort = 0
    let dockings = 0
    for (const seed of SHUTTLES)
      whole.agents.get(seed)!.addEventListener('stage', ({ stage }) => {
        if (stage === 'latched') dockings++
      })
    for (let step = 0; step < STEPS; step++) {
      sweep = 10 * Math.sin(step / 40)
      for (const [k, part] of parts.entries())
        for (const [seed, { id, position }] of part.agents) {
          if (partOf(position) === k || WING.slice(1).includes(seed)) continue
          if (seed === WING[0]) wings++
          if (part.port.holder === id) atPort++
          part.give(seed === WING[0] ? WING : [seed], parts[partOf(position)]!)
          handOvers++
        }
      for (const [k, part] of parts.entries()) {
        const low = (borders[k - 1] ?? -Infinity) + sweep - LOOK - 1 - WING_SIZE
        const high = (borders[k] ?? Infinity) + sweep + LOOK + 1 + WING_SIZE
        part.mirror(
          parts.filter((other) => other !== part),
          ({ x }) => x > low && x < high,
        )
      }
      for (const { formation, world } of [whole, ...parts]) {
        if (step % 400 === 300)
          formation.pattern = formation.pattern === wedgePattern ? linePattern : wedgePattern
        world.step(DT)
      }
      const shares = parts.map(({ agents, port, world }) =>
        json(shareQueue(world, port, agents.has(STATION))),
      )
      for (const [k, { port, world }] of parts.entries())
        for (const [i, share] of shares.entries()) if (i !== k) mergeQueue(world, port, share)
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
    expect({ wings: wings > 0, atPort: atPort > 0 }).toEqual({ wings: true, atPort: true })
    if (STEPS > 1000) expect(dockings).toBeGreaterThan(4)
    report(`${count} shards`, [{ handOvers, wings, atPort, dockings }])
  }, 600_000)
})
