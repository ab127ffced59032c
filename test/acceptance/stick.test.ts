import { describe, expect, it } from 'vitest'
import {
  AvoidObstacles,
  BoxShape,
  Contain,
  HollowShape,
  Obstacles,
  ReciprocalAvoidance,
  Stick,
  SteeringController,
  SteeringWorld,
  Wander,
  within,
} from 'three-steering'
import { seeded, type Constraint } from 'three-steering/authoring'
import { distanceTo, type Block } from '../rigs/course.js'
import { distance, magnitude } from '../../demo/scenarios/metrics.js'
import { direction, evenly, turnFromY, vec, type Random } from '../../demo/scenarios/vectors.js'
import { addBall, makePhysics, solidOf } from '../rigs/bodies.js'
import { pick, report } from '../support/tier.js'

/** A player that does not look: random deflections of a stick, between rocks in a room. */

/** Half the size of the room (m). */
const HALF = 16
const ROCKS = 60
const SHIP = { mass: 3, radius: 0.6, maxSpeed: 9, maxForce: 60, maxTorque: 12 }
const OTHERS = 4
/** A contact ends when the gap exceeds this (m). */
const SKIN = 0.01

/** Spheres and boxes with a passage between any two, and none at the start. */
function rocksIn(random: Random): Block[] {
  const blocks: Block[] = []
  const balls = [{ at: vec(0, 0, 0), radius: 3 }]
  while (blocks.length < ROCKS) {
    const at = vec(evenly(random, -HALF, HALF), evenly(random, -HALF, HALF), evenly(random, -HALF, HALF))
    const radius = evenly(random, 1, 4)
    if (balls.some((ball) => distance(at, ball.at) < radius + ball.radius + 0.5)) continue
    balls.push({ at, radius })
    const k = radius / Math.sqrt(3)
    blocks.push(
      blocks.length % 2 === 0
        ? { at, form: { kind: 'sphere', radius } }
        : { at, form: { kind: 'box', half: vec(k, k, k) }, turn: turnFromY(direction(random)) },
    )
  }
  return blocks
}

/** Moves the stick at random: full, partial and impossible deflections, held for up to 3 s. */
class BlindPlayer {
  private until = 0
  private readonly random: Random

  constructor(random: Random) {
    this.random = random
  }

  move(stick: Stick, time: number): void {
    if (time < this.until) return
    const { random } = this
    this.until = time + 3 * random() ** 2
    for (const axis of ['ahead', 'up', 'right', 'roll', 'pitch', 'yaw'] as const) {
      const drawn = random()
      stick[axis] =
        drawn < 0.3 ? 0 : drawn < 0.5 ? 1 : drawn < 0.7 ? -1 : drawn < 0.98 ? evenly(random, -2, 2) : NaN
    }
    stick.killDrift = random() < 0.6
    stick.holdAttitude = random() < 0.6
    stick.speed = random() < 0.5 ? undefined : evenly(random, 1, SHIP.maxSpeed)
  }
}

interface Flown {
  readonly contacts: number
  readonly depth: number
  /** Mean speed over the top speed. */
  readonly pace: number
}

interface Conditions {
  readonly seed: number
  readonly minutes: number
  readonly assisted?: boolean
  readonly bodies?: 'none' | 'cannon'
  readonly crowded?: boolean
}

function flyBlind({ seed, minutes, assisted = true, bodies = 'none', crowded = false }: Conditions): Flown {
  const random = seeded(seed)
  const blocks = rocksIn(random)
  const world = new SteeringWorld()
  const physics = makePhysics(world, bodies)
  const rocks = new AvoidObstacles({ obstacles: new Obstacles(blocks.map(solidOf)) })
  const half = HALF + 6
  const room = new Contain({
    bounds: [{ shape: new HollowShape(new BoxShape({ x: half, y: half, z: half })) }],
  })
  const others = new ReciprocalAvoidance()
  const assists: Constraint[] = assisted ? [rocks, room, others] : [room]
  const stick = new Stick()
  const start = { position: vec(0, 0, 0), velocity: vec(0, 0, 0) }
  const ship = new SteeringController(null, {
    ...SHIP,
    ...(physics === null ? start : { body: addBall(physics, { ...SHIP, ...start }) }),
    behavior: within(assists, stick),
  })
  world.add(ship)
  const crowd = Array.from({ length: crowded ? OTHERS : 0 }, () => {
    const radius = 0.6
    let position = vec(0, 0, 0)
    while (magnitude(position) < 4 || blocks.some((block) => distanceTo(block, position) < 1.5 * radius))
      position = vec(evenly(random, -HALF, HALF), evenly(random, -HALF, HALF), evenly(random, -HALF, HALF))
    const behavior = within([rocks, room, others], new Wander())
    const one = new SteeringController(null, { ...SHIP, radius, position, behavior })
    world.add(one)
    return one
  })
  const player = new BlindPlayer(random)
  const touching = new Set<object>()
  let contacts = 0
  let depth = 0
  let way = 0
  const see = (thing: object, gap: number): void => {
    depth = Math.max(depth, -gap)
    if (gap > SKIN) touching.delete(thing)
    else if (gap < 0 && !touching.has(thing)) {
      touching.add(thing)
      contacts++
    }
  }
  const steps = Math.round(3600 * minutes)
  for (let i = 0; i < steps; i++) {
    player.move(stick, i / 60)
    if (physics === null) world.step(1 / 60)
    else physics.step(1 / 60)
    const { position } = ship
    for (const block of blocks) see(block, distanceTo(block, position) - SHIP.radius)
    for (const one of crowd) see(one, distance(one.position, position) - 2 * SHIP.radius)
    see(room, half - Math.max(Math.abs(position.x), Math.abs(position.y), Math.abs(position.z)) - SHIP.radius)
    way += magnitude(ship.velocity) / 60
  }
  return { contacts, depth, pace: way / (steps / 60) / SHIP.maxSpeed }
}

const SEEDS = pick([1], [1], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
/** A crowd of agents that avoid rocks takes most of the computing time. */
const ROWS = [
  { name: 'rocks', conditions: { minutes: pick(0.25, 4, 10) } },
  { name: 'rocks, as a body of cannon-es,', conditions: { minutes: pick(0.25, 4, 10), bodies: 'cannon' } },
  { name: 'rocks and other agents', conditions: { minutes: pick(0, 2, 10), crowded: true } },
] as const

describe.each(ROWS.filter(({ conditions }) => conditions.minutes > 0))(
  'the stick with eyes shut, among $name for $conditions.minutes minutes',
  ({ name, conditions }) => {
    it('touches nothing, and flies', () => {
      const flights = SEEDS.map((seed) => flyBlind({ seed, ...conditions }))
      report(name, flights)
      expect(flights.map(({ contacts }) => contacts)).toEqual(SEEDS.map(() => 0))
      for (const { pace } of flights) expect(pace).toBeGreaterThan(0.4)
    }, 600_000)
  },
)
