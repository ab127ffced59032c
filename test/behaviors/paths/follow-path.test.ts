import * as CANNON from 'cannon-es'
import { describe, expect, it } from 'vitest'
import {
  FollowPath,
  Path,
  SteeringController,
  SteeringWorld,
  Thrusters,
  type FollowPathOptions,
  type PathOptions,
  type Vec3,
} from 'three-steering'
import type { PathTechnique } from 'three-steering/authoring'
import { seeded } from 'three-steering/authoring'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { minus, norm } from '../../support/geometry.js'
import { ask, pilot, quietWorld, xyz, type PilotOptions } from '../../support/pilot.js'
import { FULL } from '../../support/tier.js'

const TECHNIQUES: readonly PathTechnique[] = ['reprojection', 'dog-on-a-string', 'grappling-hooks']
const SHIP = { maxSpeed: 12, maxForce: 30, radius: 0.5 }
const v = (x = 0, y = 0, z = 0): Vec3 => ({ x, y, z })
const apart = (a: Vec3, b: Vec3): number => norm(minus(a, b))
const ring = (count: number, at: (angle: number) => Vec3): Vec3[] =>
  Array.from({ length: count }, (_, i) => at((2 * Math.PI * i) / count))
const EIGHT = ring(16, (a) => v(40 * Math.sin(a), 0, 20 * Math.sin(2 * a)))
const TREFOIL = ring(24, (a) =>
  v(
    10 * (Math.sin(a) + 2 * Math.sin(2 * a)),
    10 * (Math.cos(a) - 2 * Math.cos(2 * a)),
    -10 * Math.sin(3 * a),
  ),
)
const ZIGZAG = [v(), v(30), v(30, 20, 10), v(60, 20)]

interface Flight {
  readonly world: SteeringWorld
  readonly ship: SteeringController
  readonly followPath: FollowPath
  readonly path: Path
  /** The emitted events: `arrive`, or a stage. */
  readonly events: string[]
  readonly faults: readonly unknown[]
}

function flight(
  points: PathOptions,
  options: Partial<FollowPathOptions> = {},
  traits: PilotOptions = {},
): Flight {
  const path = new Path(points)
  const followPath = new FollowPath({ path, ...options })
  const { world, faults } = quietWorld()
  const ship = pilot(followPath, { ...SHIP, ...traits })
  const events: string[] = []
  ship.addEventListener('arrive', () => events.push('arrive'))
  ship.addEventListener('stage', ({ stage }) => events.push(stage))
  world.add(ship)
  return { world, ship, followPath, path, events, faults }
}

/**
 * Measures from outside the station of a ship along its path, and its distance from the path. The station
 * never moves on by more than the ship can have flown.
 */
class Watch {
  way: number
  off = 0
  private readonly flight: Flight
  private readonly reach: number

  constructor(watched: Flight, reach: number) {
    this.flight = watched
    this.reach = reach
    this.way = watched.path.nearest(watched.ship.position)
  }

  look(): number {
    const { path, ship } = this.flight
    this.way = path.nearest(ship.position, this.way - this.reach, this.way + this.reach)
    this.off = apart(path.pointAt(v(), this.way), ship.position)
    return this.off
  }
}

/** Flies for `seconds` and returns the largest distance from the path after `settle` seconds. */
function fly(of: Flight, seconds: number, dt = 1 / 60, settle = 0): number {
  const watch = new Watch(of, 3)
  let largest = 0
  const until = of.world.time + seconds - dt / 2
  for (const start = of.world.time; of.world.time < until;) {
    of.world.step(dt)
    const distance = watch.look()
    if (of.world.time - start > settle) largest = Math.max(largest, distance)
  }
  expect(of.faults).toEqual([])
  return largest
}

describe.each(TECHNIQUES)('FollowPath by %s', (technique) => {
  it.each([
    ['figure of eight', EIGHT, 1],
    ['figure of eight, reversed', EIGHT, -1],
    ['trefoil', TREFOIL, 1],
    ['trefoil, reversed', TREFOIL, -1],
  ] as const)(
    'never changes branches on a %s',
    (_, points, direction) => {
      const laps = FULL ? 50 : 2
      for (const seed of FULL ? [1, 2, 3, 4] : [1]) {
        const random = seeded(seed)
        const spread = (size: number): Vec3 =>
          v(size * (random() - 0.5), size * (random() - 0.5), size * (random() - 0.5))
        const start = points[Math.floor(random() * points.length)]!
        const offset = spread(6)
        const position = v(start.x + offset.x, start.y + offset.y, start.z + offset.z)
        const one = flight(
          { points, ends: 'closed' },
          { technique, direction },
          { position, velocity: spread(12) },
        )
        const watch = new Watch(one, 2)
        let largest = 0
        // Until this many laps have been emitted. The first may begin anywhere.
        while (one.events.length <= laps && one.world.time < 60 * (laps + 1)) {
          one.world.step(1 / 60)
          watch.look()
          if (one.world.time > 5) largest = Math.max(largest, watch.off)
        }
        expect(one.events).toEqual(Array.from({ length: laps + 1 }, () => 'lap'))
        // Exact, or as the technique cuts corners. The branches of the trefoil are 8 m apart.
        expect(largest).toBeLessThan(technique === 'reprojection' ? 0.01 : 1.6)
        expect(direction * watch.way).toBeGreaterThan((laps - 1.1) * one.path.lap)
        // No part of the path was skipped: laps take as long as they are, or less where corners are cut.
        expect(one.world.time).toBeLessThan(((laps + 1) * one.path.lap) / SHIP.maxSpeed + 4)
      }
    },
    FULL ? 300_000 : 5000,
  )

  it.each([1, -1] as const)('comes to rest at the end and emits arrive once, direction %i', (direction) => {
    const position = direction > 0 ? ZIGZAG[0]! : ZIGZAG[3]!
    const end = direction > 0 ? ZIGZAG[3]! : ZIGZAG[0]!
    for (const curve of ['arcs', 'polyline', 'spline'] as const) {
      const one = flight({ points: ZIGZAG, curve, radius: 6 }, { technique, direction }, { position })
      fly(one, 14)
      expect(one.events).toEqual(['arrive'])
      expect(apart(one.ship.position, end)).toBeLessThan(0.01)
      expect(norm(one.ship.velocity)).toBeLessThan(0.01)
    }
  })

  it('passes the end at full speed and flies straight on with end: pass', () => {
    const one = flight({ points: ZIGZAG, curve: 'arcs', radius: 6 }, { technique, end: 'pass' })
    const end = ZIGZAG[3]!
    let nearest = Infinity
    while (one.world.time < 10) {
      one.world.step(1 / 60)
      nearest = Math.min(nearest, apart(one.ship.position, end))
    }
    expect(one.events).toEqual(['arrive'])
    expect(nearest).toBeLessThan(1.1)
    expect(norm(one.ship.velocity)).toBeCloseTo(12, 1)
    const ahead = one.path.tangentAt(v(), one.path.length)
    const beyond = minus(one.ship.position, end)
    expect(ahead.x * beyond.x + ahead.y * beyond.y + ahead.z * beyond.z).toBeGreaterThan(0.99 * norm(beyond))
  })

  it('flies there and back on a ping-pong path, and emits its laps', () => {
    const one = flight({ points: ZIGZAG, ends: 'ping-pong' }, { technique })
    let [far, back] = [Infinity, Infinity]
    while (one.world.time < 50) {
      one.world.step(1 / 60)
      far = Math.min(far, apart(one.ship.position, ZIGZAG[3]!))
      if (one.events.length > 0) back = Math.min(back, apart(one.ship.position, ZIGZAG[0]!))
    }
    expect(one.events).toEqual(['lap', 'lap', 'lap'])
    expect(Math.max(far, back)).toBeLessThan(technique === 'dog-on-a-string' ? 6 : 1.1)
  })

  it('turns round when it faces the wrong way', () => {
    const one = flight({ points: EIGHT, ends: 'closed' }, { technique }, { velocity: v(-8, 1, -8) })
    fly(one, 5)
    const watch = new Watch(one, 2)
    const before = watch.look() - watch.off + watch.way
    for (let i = 0; i < 120; i++) {
      one.world.step(1 / 60)
      watch.look()
    }
    expect(watch.way - before).toBeGreaterThan(20)
  })

  it('flies the same path at 1/30, 1/60 and 1/240 s', () => {
    const places = [1 / 30, 1 / 60, 1 / 240].map((dt) => {
      const one = flight({ points: TREFOIL, ends: 'closed' }, { technique }, { position: v(2, -8, 1) })
      fly(one, 20, dt)
      return xyz(one.ship.position)
    })
    for (const place of places) expect(apart(place, places[1]!)).toBeLessThan(0.01 * 288)
  })

  it('continues when its path is replaced, removed and set again', () => {
    const one = flight({ points: EIGHT, ends: 'closed' }, { technique })
    fly(one, 3)
    one.followPath.path = new Path({ points: ZIGZAG })
    for (let i = 0; i < 60; i++) one.world.step(1 / 60)
    one.followPath.path = null
    one.world.step(1 / 60)
    expect(norm(one.ship.demand.force)).toBe(0)
    const other = new Path({ points: ZIGZAG.map(({ x, y, z }) => v(x, y + 3, z)) })
    one.followPath.path = other
    for (let i = 0; i < 900; i++) one.world.step(1 / 60)
    expect(apart(one.ship.position, other.pointAt(v(), other.length))).toBeLessThan(0.01)
    expect(one.faults).toEqual([])
  })

  it('flies a new path from where it is, although it has arrived on the old one', () => {
    const one = flight({ points: [v(), v(20)] }, { technique })
    fly(one, 6)
    one.followPath.path = new Path({ points: [v(20), v(40, 0, 20), v(60)], curve: 'polyline' })
    let largest = 0
    for (let i = 0; i < 720; i++) {
      one.world.step(1 / 60)
      largest = Math.max(largest, one.ship.position.z)
    }
    expect(one.events).toEqual(['arrive', 'arrive'])
    expect(largest).toBeGreaterThan(14)
    expect(apart(one.ship.position, v(60))).toBeLessThan(0.01)
  })

  it('moves a cannon-es body in the same way', () => {
    const world = new CANNON.World()
    const steering = new SteeringWorld()
    attachToCannon(steering, world)
    const body = new CANNON.Body({ mass: 3, shape: new CANNON.Sphere(0.5), linearDamping: 0.05 })
    world.addBody(body)
    const path = new Path({ points: EIGHT, ends: 'closed' })
    const events: string[] = []
    const ship = new SteeringController(null, {
      body: cannonBody(body),
      behavior: new FollowPath({ path, technique }),
      maxSpeed: 12,
      maxForce: 90,
      maxTorque: 9,
    })
    ship.addEventListener('stage', ({ stage }) => events.push(stage))
    steering.add(ship)
    let [flown, largest] = [0, 0]
    for (let i = 0; i < 23 * 60; i++) {
      world.step(1 / 60)
      flown = path.nearest(ship.position, flown - 2, flown + 2)
      largest = Math.max(largest, apart(path.pointAt(v(), flown), ship.position))
    }
    expect(events).toEqual(['lap'])
    expect(largest).toBeLessThan(technique === 'reprojection' ? 0.05 : 1.8)
  })
})

describe('FollowPath by reprojection', () => {
  it('flies bends as fast as its lateral force can hold, and no faster', () => {
    for (const dt of [1 / 30, 1 / 60, 1 / 240]) {
      const one = flight({ points: EIGHT, ends: 'closed' }, {}, { maxForce: 4 })
      let [fastest, slowest, largest] = [0, Infinity, 0]
      const watch = new Watch(one, 2)
      while (one.world.time < 40) {
        one.world.step(dt)
        largest = Math.max(largest, watch.look())
        const bend = norm(one.path.curvatureAt(v(), watch.way))
        const speed = norm(one.ship.velocity)
        if (one.world.time < 6) continue
        fastest = Math.max(fastest, (speed * speed * bend) / 4)
        slowest = Math.min(slowest, speed)
        expect(norm(one.ship.demand.force)).toBeLessThan(4.001)
      }
      expect(largest).toBeLessThan(0.02)
      // 93 % of the force are planned with. From one arc of the spline to the next the curvature changes a
      // little.
      expect(fastest).toBeGreaterThan(0.88)
      expect(fastest).toBeLessThan(1.0)
      expect(slowest).toBeLessThan(10)
    }
  })

  it('does not oscillate: its curvature changes sign no more often than that of the path', () => {
    for (const dt of [1 / 30, 1 / 240]) {
      const one = flight({ points: TREFOIL, ends: 'closed' })
      let [flips, before] = [0, v()]
      let turn = v()
      while (one.world.time < 15) {
        one.world.step(dt)
        const now = { ...one.ship.velocity }
        const next = v(
          before.y * now.z - before.z * now.y,
          before.z * now.x - before.x * now.z,
          before.x * now.y - before.y * now.x,
        )
        const rate = norm(next) / (norm(now) ** 2 * dt)
        if (rate > 0.15 && next.x * turn.x + next.y * turn.y + next.z * turn.z < 0) flips++
        turn = next
        before = now
      }
      expect(flips).toBeLessThanOrEqual(3)
    }
  })

  it('is not pulled to the middle of the tube, and returns from outside to its edge', () => {
    const points = [v(), v(200)]
    const traits = { velocity: v(12) }
    const calm = ask(new FollowPath({ path: new Path({ points, tube: 3 }) }), {
      ...SHIP,
      ...traits,
      position: v(5, 2, -1),
    })
    expect(norm(calm.force)).toBeLessThan(1e-9)
    const pulled = ask(new FollowPath({ path: new Path({ points, tube: 1 }) }), {
      ...SHIP,
      ...traits,
      position: v(5, 2, -1),
    })
    expect(pulled.force.y).toBeLessThan(-1)
    const one = flight({ points, tube: 1 }, { tube: 3 }, { ...traits, position: v(0, 10, 0) })
    const distance = fly(one, 10, 1 / 60, 6)
    expect(distance).toBeLessThan(3.01)
    expect(distance).toBeGreaterThan(2.9)
  })

  it('returns from far away without overshooting', () => {
    for (const maxForce of [10, 30, 100]) {
      const one = flight(
        { points: [v(), v(400)] },
        {},
        { position: v(5, 40, 0), velocity: v(0, 0, 9), maxForce },
      )
      let smallest = Infinity
      while (one.world.time < 20) {
        one.world.step(1 / 60)
        smallest = Math.min(smallest, one.ship.position.y)
      }
      expect(smallest).toBeGreaterThan(-0.05)
      expect(Math.hypot(one.ship.position.y, one.ship.position.z)).toBeLessThan(0.02)
    }
  })

  it('overshoots a corner by no more than its radius, and does not brake more than that needs', () => {
    const one = flight({ points: ZIGZAG, curve: 'polyline' })
    expect(fly(one, 12)).toBeLessThan(0.6)
    expect(one.events).toEqual(['arrive'])
    // A sharp corner costs more: back along the same line.
    const back = flight({ points: [v(), v(30), v(1)], curve: 'polyline' })
    expect(fly(back, 14)).toBeLessThan(0.6)
    expect(back.events).toEqual(['arrive'])
  })

  it('works for a ship that must turn to push sideways', () => {
    const locomotion = new Thrusters({ ahead: 30, astern: 10 })
    const one = flight({ points: TREFOIL, ends: 'closed' }, {}, { locomotion, maxTorque: 20 })
    expect(fly(one, 40, 1 / 60, 8)).toBeLessThan(0.4)
    expect(one.events).toEqual(['lap'])
  })
})
