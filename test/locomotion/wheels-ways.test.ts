import { describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  BoxShape,
  DirectedSeek,
  Obstacles,
  SteeringController,
  SteeringWorld,
  Wheels,
  within,
  type Behavior,
  type ControllerOptions,
  type Vec3Like,
} from 'three-steering'
import { restoreSnapshot, takeSnapshot } from 'three-steering/snapshot'
import { car } from 'three-steering/vehicles'
import { ArcPath } from '../../src/blocks/curves/arc-path.js'
import { WaySearch } from '../../src/blocks/wheels/way-search.js'
import type { ObstacleQuery } from '../../src/core/types.js'
import { v } from '../support/geometry.js'
import { pick } from '../support/tier.js'

// Where a car cannot turn on one curve it searches a way over its own curves, ahead and astern, and drives
// it.

type Options = Omit<ControllerOptions, 'behavior'>

const UP = v(0, 1, 0)
const sedan = (wheels = {}): Options => ({
  plane: UP,
  mass: 1000,
  inertia: v(1000, 1500, 500),
  maxForce: 5000,
  maxTorque: 20_000,
  maxSpeed: 8,
  radius: 1.5,
  locomotion: new Wheels({ wheelbase: 2.5, ...wheels }),
})
const cart = (): Options => ({
  plane: UP,
  mass: 50,
  maxForce: 600,
  maxSpeed: 8,
  radius: 1,
  locomotion: new Wheels({ wheelbase: 1.4 }),
})

/** Half sizes and place of a wall in the level plane. */
const wall = (x: number, z: number, width: number, depth: number) => ({
  shape: new BoxShape(v(width, 3, depth)),
  at: v(x, 0, z),
})

/** A street along z of this width (m). */
const street = (width: number, isClosed: boolean) => [
  wall(-width / 2 - 1, 0, 1, 60),
  wall(width / 2 + 1, 0, 1, 60),
  ...(isClosed ? [wall(0, 9, width / 2 + 1, 1)] : []),
]

interface Drive {
  /** s; Infinity for never. */
  readonly time: number
  /** Least gap (m) between the ball of the car and the walls. */
  readonly gap: number
  /** Changes of gear. */
  readonly changes: number
}

function drive(
  options: Options,
  obstacles: Obstacles | null,
  goal: Vec3Like | Behavior,
  seconds: number,
  dt = 1 / 60,
  act: (time: number) => void = () => {},
): Drive {
  const world = new SteeringWorld({ seed: 1 })
  const wish = 'steer' in goal ? goal : new Arrive({ target: goal })
  const behavior = obstacles === null ? wish : within([new AvoidObstacles({ obstacles })], wish)
  const agent = new SteeringController(null, { ...options, behavior })
  world.add(agent)
  let [time, gap, changes, gear] = [Infinity, Infinity, 0, 0]
  agent.addEventListener('arrive', () => (time = Math.min(time, world.time)))
  while (world.time < Math.min(seconds, time)) {
    act(world.time)
    world.step(dt)
    if (obstacles !== null) gap = Math.min(gap, obstacles.distance(agent.position, v(0, 0, 0)) - agent.radius)
    const nose = agent.attitude.x
    const pace = nose.x * agent.velocity.x + nose.z * agent.velocity.z
    const now = Math.abs(pace) > 0.03 ? Math.sign(pace) : gear
    if (gear !== 0 && now !== gear) changes++
    gear = now
  }
  return { time, gap, changes }
}

describe('a car whose goal is behind it in a street', () => {
  const cars = { sedan, cart, car }
  const all = Object.entries(cars).flatMap(([name, make]) =>
    [5, 6, 7, 8, 10, 12, 16].flatMap((width) =>
      width > 2.4 * make().radius! ? [-12, -25, -45].map((z) => ({ name, make, width, z })) : [],
    ),
  )
  const quick = all.filter((_, i) => i % 4 === 0)
  it.each(pick(quick, all))('$name gets to $z m in a street of $width m', ({ make, width, z }) => {
    for (const isClosed of [false, true])
      for (const dt of pick([1 / 60], [1 / 30, 1 / 144], [1 / 30, 1 / 60, 1 / 144])) {
        const { changes, gap, time } = drive(
          make(),
          new Obstacles(street(width, isClosed)),
          v(0, 0, z),
          40,
          dt,
        )
        expect(time).toBeLessThan(8 + -z / 2)
        expect(gap).toBeGreaterThan(0)
        expect(changes).toBeLessThan(8)
      }
  })
})

describe('a car that parks in a street, by DirectedSeek', () => {
  const poses = [-12, -25, 4].map((z) => ({ z, half: 0 })).concat([-12, 4].map((z) => ({ z, half: 1 })))
  const all = Object.entries({ sedan, cart }).flatMap(([name, make]) =>
    [5, 6, 7, 8, 10, 16].flatMap((width) =>
      poses
        // to turn round in less than two of its widths takes more than a minute: see below
        .filter(({ half }) => half === 0 || width > 3.5 * make().radius!)
        .map(({ half, z }) => ({ name, make, width, z, half })),
    ),
  )
  const quick = all.filter((_, i) => i % 9 === 3)
  it.each(pick(quick, all))('$name at $z m in $width m, $half half turns off', (row) => {
    const { half, make, width, z } = row
    for (const dt of pick([1 / 60], [1 / 60], [1 / 30, 1 / 60, 1 / 144])) {
      const seek = new DirectedSeek({
        target: { position: v(0, 0, z), heading: v(0, 0, half === 0 ? 1 : -1) },
        arrivalSpeed: 0,
        speed: 4,
        reverse: true,
        tolerance: 0.3,
        angleTolerance: 0.1,
      })
      const { changes, gap, time } = drive(make(), new Obstacles(street(width, false)), seek, 60, dt)
      expect(time).toBeLessThan(60)
      expect(gap).toBeGreaterThan(0)
      expect(changes).toBeLessThan(30)
    }
  })
})

// It aimed farther than its pieces are long, so that the walls beyond each cusp were in its way, and it was
// steered along them: it shunted for minutes, or touched them. In pieces of a metre no way was found.
it.each(
  pick(
    [[60, -12]],
    [
      [60, -12],
      [30, -6],
      [144, -30],
    ],
  ),
)('a car turns round in a street of 1.3 widths, at %i Hz, and parks at %d m', (rate, z) => {
  const seek = new DirectedSeek({
    target: { position: v(0, 0, z), heading: v(0, 0, -1) },
    arrivalSpeed: 0,
    reverse: true,
    tolerance: 0.3,
    angleTolerance: 0.1,
  })
  const width = 2.6 * sedan().radius!
  const { changes, gap, time } = drive(sedan(), new Obstacles(street(width, false)), seek, 90, 1 / rate)
  expect(time).toBeLessThan(90)
  expect(gap).toBeGreaterThan(0)
  expect(changes).toBeLessThan(30)
})

it('a car that cannot turn in a street, nor back up, is told so', () => {
  const world = new SteeringWorld({ seed: 1 })
  const obstacles = new Obstacles(street(8, true))
  const seek = new DirectedSeek({
    target: { position: v(0, 0, -12), heading: v(0, 0, -1) },
    arrivalSpeed: 0,
    speed: 4,
  })
  const agent = new SteeringController(null, {
    ...sedan(),
    behavior: within([new AvoidObstacles({ obstacles })], seek),
  })
  world.add(agent)
  const reasons: string[] = []
  agent.addEventListener('cannot', ({ reason }) => reasons.push(reason))
  let gap = Infinity
  for (let i = 0; i < 900; i++) {
    world.step(1 / 60)
    gap = Math.min(gap, obstacles.distance(agent.position, v(0, 0, 0)) - agent.radius)
  }
  expect(reasons).toEqual(['finds no way of its own curves past the obstacles'])
  expect(gap).toBeGreaterThan(0)
})

describe('a car without a gear astern', () => {
  // brakes of 8 m/s² and a slow servo: to brake for its goal it wants a velocity astern
  const brisk = (): Options => ({ ...sedan({ astern: 0 }), maxForce: 8000, responseTime: 0.3 })
  const calm = (): Options => ({ ...sedan({ astern: 0, steerRate: 0.5 }), responseTime: 0.6 })
  // it counted on the grip of its tyres to brake for a goal beside its nose, rolled past it, and circled
  const weak = (): Options => sedan({ astern: 0, thrust: 800, brake: 2000 })
  const cars = { sedan: () => sedan({ astern: 0 }), brisk, calm, weak }
  it.each(Object.entries(cars))('%s comes to all places around it, also inside of its circle', (_, make) => {
    for (const dt of pick([1 / 60], [1 / 60], [1 / 30, 1 / 60, 1 / 144]))
      for (const range of pick([1, 4.5], [0.3, 1, 2, 3, 4.5, 6, 9, 13]))
        for (let k = 0; k < 24; k += pick(4, 1)) {
          const angle = (k * Math.PI) / 12 + 0.05
          const goal = v(range * Math.sin(angle), 0, range * Math.cos(angle))
          const { changes, time } = drive(make(), null, goal, 30, dt)
          expect(time, `${range} m, ${k}`).toBeLessThan(make === cars.sedan ? 15 : 30)
          expect(changes).toBe(0)
        }
  })
})

describe('a way', () => {
  it('is searched anew where an obstacle was put on it', () => {
    const obstacles = new Obstacles(street(8, false))
    let isBlocked = false
    const { gap, time } = drive(sedan(), obstacles, v(0, 0, -30), 60, 1 / 60, (now) => {
      if (now < 1 || isBlocked) return
      isBlocked = true
      obstacles.add(wall(-3, -14, 1.5, 0.5))
    })
    expect(time).toBeLessThan(40)
    expect(gap).toBeGreaterThan(0)
  })

  it('is in snapshots', () => {
    const make = () => {
      const world = new SteeringWorld({ seed: 1 })
      const behavior = within(
        [new AvoidObstacles({ obstacles: new Obstacles(street(7, false)) })],
        new Arrive({ target: v(0, 0, -25) }),
      )
      const agent = new SteeringController(null, { ...sedan(), behavior })
      world.add(agent)
      return { world, agent }
    }
    const first = make()
    for (let i = 0; i < 150; i++) first.world.step(1 / 60)
    const second = make()
    restoreSnapshot(second.world, takeSnapshot(first.world))
    for (let i = 0; i < 300; i++) {
      first.world.step(1 / 60)
      second.world.step(1 / 60)
    }
    expect({ ...second.agent.position }).toEqual({ ...first.agent.position })
    expect(first.agent.position.z).toBeLessThan(-2)
  })

  it('takes a bounded search, also where there is none', () => {
    let sweeps = 0
    const inside = ({ x, z }: Vec3Like) => Math.hypot(x, z) < 12
    const map: ObstacleQuery = {
      size: 1,
      atRest: () => 0,
      isPathFree: (from, to) => (sweeps++, inside(from) && inside(to)),
      isVisible: () => true,
      contains: () => false,
      distanceToFree: () => 0,
    }
    const limits = { radius: 4, asternCost: 2, gear: 1, stop: 0, curve: 0, clearance: 0.5 }
    const search = new WaySearch()
    const way = new ArcPath()
    const find = (goal: Vec3Like) => search.find(way, map, v(0, 0, 0), v(0, 0, 1), goal, null, UP, limits)
    expect(find(v(1e3, 0, 1e3))).toBe(false)
    expect(sweeps).toBeLessThan(8100)
    expect(find(v(NaN, 0, 0))).toBe(false)
    expect(find(v(-5, 0, -8))).toBe(true)
    const end = way.pointAt(v(0, 0, 0), way.length)
    expect(Math.hypot(end.x + 5, end.z + 8)).toBeLessThan(1e-6)
  })
})
