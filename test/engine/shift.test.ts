import * as CANNON from 'cannon-es'
import { describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  blend,
  BoxShape,
  DirectedSeek,
  Flight,
  Flocking,
  FollowPath,
  Obstacles,
  Path,
  ReciprocalAvoidance,
  Seek,
  SphereShape,
  SteeringController,
  SteeringWorld,
  Wander,
  within,
  type Behavior,
  type ControllerOptions,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import type { Pose } from 'three-steering/authoring'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { Dock, Port } from 'three-steering/docking'
import { explain } from 'three-steering/explain'
import { FlowField, FollowFlowField } from 'three-steering/flow'
import { Formation, KeepSlot } from 'three-steering/formation'
import { restoreSnapshot, takeSnapshot } from 'three-steering/snapshot'
import { addFlock } from '../support/flock.js'
import { minus, norm, plus, v } from '../support/geometry.js'
import { idle, pilot } from '../support/pilot.js'

const BY = v(-1000, 40, 700)

/** A world in flight: what is the user's, and how it is moved. */
interface Flying {
  readonly world: SteeringWorld
  readonly agents: { readonly position: Vec3Like }[]
  step: () => void
  /** Moves bodies, targets, obstacles and paths, but not the world. */
  move: (by: Vec3Like) => void
}

interface Stage extends Flying {
  /** Adds an agent with a body of cannon-es. */
  add(position: Vec3Like, behavior: Behavior, options?: Partial<ControllerOptions>): SteeringController
  /** What `move` moves besides the bodies. */
  readonly places: Vec3[]
  readonly things: { shift(by: Vec3Like): void }[]
}

function stage(): Stage {
  const physics = new CANNON.World({ gravity: new CANNON.Vec3(0, 0, 0) })
  const world = new SteeringWorld({ seed: 4, wrap: { min: v(-50, -50, -50), max: v(50, 50, 50) } })
  attachToCannon(world, physics)
  const made: Stage = {
    world,
    agents: [],
    places: [],
    things: [],
    step: () => physics.step(1 / 60),
    move(by) {
      for (const { position, previousPosition } of physics.bodies)
        for (const each of [position, previousPosition]) each.vadd(by as CANNON.Vec3, each)
      for (const place of made.places) add(place, by)
      for (const thing of made.things) thing.shift(by)
    },
    add(position, behavior, options = {}) {
      const body = new CANNON.Body({
        mass: 10,
        shape: new CANNON.Sphere(1),
        position: new CANNON.Vec3(position.x, position.y, position.z),
      })
      physics.addBody(body)
      const agent = new SteeringController(null, {
        body: cannonBody(body),
        maxSpeed: 15,
        maxForce: 60,
        maxTorque: 30,
        behavior,
        ...options,
      })
      world.add(agent)
      made.agents.push(agent)
      return agent
    },
  }
  return made
}

/** Distance of two places, m. */
function between(a: Vec3Like, b: Vec3Like): number {
  return norm(minus(a, b))
}

function add(place: Vec3, { x, y, z }: Vec3Like): void {
  place.x += x
  place.y += y
  place.z += z
}

const STAGES: Readonly<Record<string, () => Flying>> = {
  'a ship that arrives'() {
    const made = stage()
    const target = v(0, 0, 120)
    made.places.push(target)
    made.add(v(0, 0, -20), new Arrive({ target }))
    return made
  },
  'a ship on its way to a pose'() {
    const made = stage()
    const position = v(60, 10, 60)
    made.places.push(position)
    const target = { position, heading: v(1, 0, 0) }
    made.add(v(0, 0, 0), new DirectedSeek({ target }), { locomotion: new Flight() })
    return made
  },
  'a formation that wheels and is bent to its trail'() {
    const made = stage()
    const formation = new Formation({ spacing: 6, warp: true })
    const target = v(200, 0, 300)
    made.places.push(target)
    for (let i = 0; i < 5; i++) {
      const lead = i === 0 ? { leadBehavior: new Seek({ target, speed: 8 }) } : {}
      made.add(v(6 * i, 0, -5 * i), new KeepSlot({ formation, ...lead }))
    }
    return made
  },
  'ships that queue at a station'() {
    const made = stage()
    const station = { position: v(0, 0, 60), quaternion: { x: 0, y: 0, z: 0, w: 1 }, velocity: v(0, 0, 1) }
    made.places.push(station.position)
    const port = new Port({ carrier: station, position: v(0, 0, -5), outward: v(0, 0, -1) })
    for (let i = 0; i < 3; i++) made.add(v(9 * i - 20, 3, -20 * i), new Dock({ port }), { maxForce: 100 })
    const { step } = made
    made.step = () => {
      step()
      station.position.z += 1 / 60
    }
    return made
  },
  'ships in a field of rocks'() {
    const made = stage()
    const rocks = Array.from({ length: 60 }, (_, i) => ({
      shape: i % 2 === 0 ? new SphereShape(2.5) : new BoxShape(v(4, 4, 4)),
      at: v(((i * 37) % 90) - 45, ((i * 17) % 40) - 20, ((i * 53) % 160) - 10),
    }))
    const obstacles = new Obstacles(rocks)
    made.things.push(obstacles)
    for (let i = 0; i < 3; i++) {
      const target = v(8 * i, 5 * i, 150)
      made.places.push(target)
      const limits = [new AvoidObstacles({ obstacles }), new ReciprocalAvoidance({ neighborDistance: 30 })]
      made.add(v(10 * i - 10, i, -40 - 5 * i), within(limits, new Arrive({ target })))
    }
    return made
  },
  'a ship in a dead end, which flies a detour'() {
    const made = stage()
    const walls = [-1, 1].flatMap((side) => [
      { shape: new BoxShape(v(1, 13, 16)), at: v(12 * side, 0, 5) },
      { shape: new BoxShape(v(13, 1, 16)), at: v(0, 12 * side, 5) },
    ])
    const obstacles = new Obstacles([...walls, { shape: new BoxShape(v(13, 13, 1)), at: v(0, 0, 20) }])
    made.things.push(obstacles)
    const target = v(2, 1, 60)
    made.places.push(target)
    made.add(v(0, 0, 5), within([new AvoidObstacles({ obstacles })], new Arrive({ target })))
    return made
  },
  'a patrol on a path that crosses itself'() {
    const made = stage()
    const path = new Path({
      points: [v(0, 0, 0), v(30, 5, 30), v(0, 0, 60), v(-30, 5, 30), v(0, 0, 0.1), v(30, -5, -30)],
      ends: 'closed',
      tube: 2,
    })
    made.things.push(path)
    made.add(v(5, 0, -5), new FollowPath({ path, pilot: true }))
    return made
  },
  'a patrol whose path leads through a wall, and that backs off'() {
    const made = stage()
    const obstacles = new Obstacles([{ shape: new BoxShape(v(30, 30, 2)), at: v(0, 0, 30) }])
    // aslant: where both sides are alike, rounding decides
    const path = new Path({ points: [v(0, 0, 0), v(3, 2, 90)], curve: 'polyline' })
    made.things.push(path, obstacles)
    const behavior = new FollowPath({ path, obstacles, pilot: { escape: true, window: 0.5 } })
    made.add(v(0, 0, 0), within([new AvoidObstacles({ obstacles })], behavior))
    return made
  },
  'leaves in the wind'() {
    const made = stage()
    const data = Array.from({ length: 3 * 64 }, (_, i) => 6 * Math.sin(7 * i))
    const field = new FlowField({ min: v(-40, -40, -40), max: v(40, 40, 40), size: v(4, 4, 4), data })
    made.things.push(field)
    made.add(v(5, 0, -5), new FollowFlowField({ field }))
    return made
  },
}

/** Birds without bodies, in a box whose sides are joined. */
function birds(): Flying {
  const box = { min: v(-20, -20, -20), max: v(20, 20, 20) }
  const world = new SteeringWorld({ seed: 9, wrap: box })
  const near = { neighborDistance: 6 }
  const flock = addFlock(world, {
    count: 300,
    maxSpeed: 9,
    maxForce: 20,
    maxNeighbors: 6,
    behavior: blend([
      new Flocking({ separation: { neighborDistance: 3 }, alignment: near, cohesion: near }),
      { behavior: new Wander(), weight: 0.3 },
    ]),
  })
  const agents = Array.from({ length: 300 }, (_, i) => ({
    get position() {
      return flock.position(i, v(0, 0, 0))
    },
  }))
  return { world, agents, step: () => world.step(1 / 60), move() {} }
}

/** Greatest distance (m) between a flight that is moved at these steps, to and fro, and one that is not. */
function difference(make: () => Flying, steps: number, moves: readonly number[]): number {
  const still = make()
  const moved = make()
  let isAway = false
  let worst = 0
  for (let i = 0; i < steps; i++) {
    if (moves.includes(i)) {
      const by = isAway ? v(-BY.x, -BY.y, -BY.z) : BY
      isAway = !isAway
      // in any order
      if (i % 2 === 0) moved.move(by)
      moved.world.shift(by)
      if (i % 2 === 1) moved.move(by)
    }
    still.step()
    moved.step()
    for (const [k, { position }] of still.agents.entries()) {
      const away = minus(moved.agents[k]!.position, position)
      worst = Math.max(worst, norm(isAway ? minus(away, BY) : away))
    }
  }
  return worst
}

describe('all fly on as if nothing had happened where the origin is moved', () => {
  it.each(Object.keys(STAGES))('%s', (name) => {
    expect(difference(STAGES[name]!, 600, [1, 150, 241, 330, 441, 540])).toBeLessThan(1e-6)
  })

  it('birds without bodies, in a box whose sides are joined', () => {
    expect(difference(birds, 240, [1, 60, 151])).toBeLessThan(1e-6)
  })
})

describe('SteeringWorld.shift', () => {
  it('moves agents with and without a body at once, and views do not sweep', () => {
    const world = new SteeringWorld()
    const shown: Vec3Like[] = []
    const view = { write: (_i: number, { position: { x, y, z } }: Pose) => void shown.push(v(x, y, z)) }
    const agent = new SteeringController(view, {
      position: v(1, 2, 3),
      velocity: v(6, 0, 0),
      maxSpeed: 6,
      maxForce: 1,
      behavior: idle(),
    })
    world.add(agent)
    world.step(1 / 60)
    world.present(0.5)
    world.shift(BY)
    world.present(0.5)
    expect(between(shown[1]!, plus(shown[0]!, BY))).toBeLessThan(1e-9)
    expect(agent.position.x).toBeCloseTo(1.1 + BY.x, 9)
  })

  it('moves the place of an explanation', () => {
    const world = new SteeringWorld()
    const agent = pilot(idle(), { position: v(1, 2, 3) })
    world.add(agent)
    const why = explain(world, agent)
    world.step(1 / 60)
    world.shift(BY)
    expect(between(why.position, plus(v(1, 2, 3), BY))).toBeLessThan(1e-9)
  })

  it('takes a live view of a place that it moves', () => {
    const world = new SteeringWorld()
    const [one, other] = [pilot(idle(), { position: v(5, 6, 7) }), pilot(idle(), { position: v(1, 0, 0) })]
    world.add(one).add(other)
    world.shift(one.position)
    expect([one.position.x, other.position.z]).toEqual([10, 7])
  })

  it('is taken back by a snapshot, with the box whose sides are joined', () => {
    const { agents, step, world } = birds()
    for (let i = 0; i < 20; i++) step()
    const before = takeSnapshot(world)
    for (let i = 0; i < 40; i++) step()
    const expected = agents.map(({ position }) => position)
    restoreSnapshot(world, before)
    world.shift(BY)
    step()
    restoreSnapshot(world, before)
    for (let i = 0; i < 40; i++) step()
    for (const [i, { position }] of agents.entries())
      expect(between(position, expected[i]!)).toBeLessThan(1e-9)
  })

  it('refuses vectors that are not finite, and calls inside a step', () => {
    const world = new SteeringWorld()
    expect(() => world.shift(v(NaN, 0, 0))).toThrow('shift: by: got (NaN, 0, 0), must be finite')
    expect(() => world.shift(null as never)).toThrow(TypeError)
    let thrown: unknown = null
    world.addPlanner({
      plan() {
        try {
          world.shift(BY)
        } catch (error) {
          thrown = error
        }
      },
    })
    world.step(1 / 60)
    expect(String(thrown)).toBe('Error: shift: called inside a step of the same world')
    world.dispose()
    expect(() => world.shift(BY)).toThrow('used after dispose()')
  })
})

describe('Obstacles.shift', () => {
  it('moves what stands still, in all sets, and leaves what follows a body to that', () => {
    const body = { position: v(0, 0, 50) }
    const set = new Obstacles([
      {
        shape: new BoxShape(v(2, 2, 2)),
        at: v(0, 0, 10),
        offset: v(0, 0, 5),
        turn: { x: 0, y: 0, z: 1, w: 1 },
      },
      { shape: new SphereShape(1), at: body },
    ])
    const all = new Obstacles([
      ...set,
      ...Array.from({ length: 40 }, (_, i) => ({ shape: new SphereShape(1), at: v(0, 9 * i + 20, 0) })),
    ])
    const normal = v(0, 0, 0)
    expect(all.distance(v(0, 0, 0), normal)).toBeCloseTo(13)
    set.shift(BY)
    all.refresh()
    expect(set.distance(BY, normal)).toBeCloseTo(13)
    expect(set.sweep(BY, v(0, 0, 1), 1, 99)?.distance).toBeCloseTo(12)
    expect(all.sweep(BY, v(0, 0, 1), 1, 99)?.distance).toBeCloseTo(12)
    expect(set.distance(v(0, 0, 0), normal)).toBeCloseTo(49)
    expect(() => set.shift(v(0, Infinity, 0))).toThrow(
      'Obstacles.shift: by: got (0, Infinity, 0), must be finite',
    )
  })
})
