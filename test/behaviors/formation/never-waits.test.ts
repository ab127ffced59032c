import { describe, expect, it } from 'vitest'
import {
  AvoidObstacles,
  BoxShape,
  FollowPath,
  Obstacles,
  Path,
  ReciprocalAvoidance,
  SphereShape,
  SteeringController,
  SteeringWorld,
  within,
  type Obstacle,
  type Vec3,
} from 'three-steering'
import {
  boxPattern,
  columnPattern,
  echelonPattern,
  Formation,
  KeepPace,
  KeepSlot,
  linePattern,
  ringPattern,
  wallPattern,
  wedgePattern,
  type FormationOptions,
  type Pattern,
} from 'three-steering/formation'
import { distance, Rails, wing } from './formation-kit.js'
import { pick } from '../../support/tier.js'

/** A formation waits for its members, but never for what cannot come, and never without flying on. */

type Rock = ConstructorParameters<typeof Obstacle>[0]

interface Course {
  readonly path: Path
  readonly rocks: readonly Rock[]
  /** Station (m) at which the wing begins. */
  readonly from: number
  readonly time: number
}

const SPEED = 8

/** A closed path of seven bends with one rock, `off` metres outside of it; inside for a negative number. */
function rockBeside(radius: number, off: number): Course {
  const points = Array.from({ length: 7 }, (_, i) => {
    const angle = (2 * Math.PI * i) / 7
    return { x: 80 * Math.cos(angle), y: 0, z: 80 * Math.sin(angle) }
  })
  const path = new Path({ points, ends: 'closed' })
  const { x, z } = path.pointAt({ x: 0, y: 0, z: 0 }, 0.4 * path.length)
  const out = 1 + off / Math.hypot(x, z)
  const rocks = [{ shape: new SphereShape(radius), at: { x: x * out, y: 0, z: z * out } }]
  return { path, rocks, from: 0.4 * path.length - 70, time: 22 }
}

/** A street of this width with four corners, between blocks of 30 m. */
function streets(width: number): Course {
  const pitch = 30 + width
  const rocks: Rock[] = []
  for (let i = -1; i < 4; i++)
    for (let k = -1; k < 4; k++)
      rocks.push({
        shape: new BoxShape({ x: 15, y: 30, z: 15 }),
        at: { x: i * pitch + pitch / 2, y: 0, z: k * pitch + pitch / 2 },
      })
  const corner = (x: number, z: number): Vec3 => ({ x: x * pitch, y: 0, z: z * pitch })
  const points = [corner(-1.5, 0), corner(0, 0), corner(0, 1), corner(1, 1), corner(1, 2), corner(4, 2)]
  return { path: new Path({ points }), rocks, from: 0, time: 36 }
}

/** A canyon of this width, 120 m long. */
function canyon(width: number): Course {
  const wall = (side: number): Rock => ({
    shape: new BoxShape({ x: 60, y: 40, z: 20 }),
    at: { x: 120, y: 0, z: side * (width / 2 + 20) },
  })
  const points = [
    { x: 0, y: 0, z: 0 },
    { x: 600, y: 0, z: 0 },
  ]
  return { path: new Path({ points }), rocks: [wall(1), wall(-1)], from: 0, time: 45 }
}

interface Flown {
  /** Longest time (s) for which the leader stood. */
  readonly stood: number
  /** Mean speed (m/s) of the leader. */
  readonly pace: number
  /** Least gap of two ships, and of a ship and an obstacle, m. */
  readonly gap: number
}

/** Flies a wing of ships of 1 m along a course. */
function flyAlong(
  { from, path, rocks, time }: Course,
  pattern: Pattern,
  count: number,
  options: Partial<FormationOptions> = {},
  rate = 60,
  apart = false,
): Flown {
  const obstacles = new Obstacles(rocks)
  const world = new SteeringWorld()
  const lead = new FollowPath({ path, speed: SPEED })
  const formation = new Formation({ spacing: 5, pattern, frame: 'course', obstacles, ...options })
  const start = path.pointAt({ x: 0, y: 0, z: 0 }, from)
  const ahead = path.pointAt({ x: 0, y: 0, z: 0 }, from + 1)
  const avoid = (): AvoidObstacles => new AvoidObstacles({ obstacles })
  const ships = Array.from({ length: count + (apart ? 1 : 0) }, (_, i) => {
    const behavior =
      apart && i === 0
        ? within([avoid(), new KeepPace({ formation })], lead)
        : within(
            [avoid(), new ReciprocalAvoidance()],
            new KeepSlot({ formation, ...(!apart && { leadBehavior: lead }) }),
          )
    const back = -3 * i
    const position = {
      x: start.x + back * (ahead.x - start.x),
      y: 4 * (i % 2),
      z: start.z + back * (ahead.z - start.z),
    }
    const ship = new SteeringController(null, {
      position,
      mass: 10,
      radius: 1,
      maxSpeed: 13,
      maxForce: 80,
      behavior,
    })
    world.add(ship)
    return ship
  })
  if (apart) formation.leader = ships[0]!
  const normal = { x: 0, y: 0, z: 0 }
  let [stood, now, way, gap, steps] = [0, 0, 0, Infinity, 0]
  for (; steps < time * rate; steps++) {
    world.step(1 / rate)
    const leader = ships.find(({ id }) => id === (apart ? ships[0]!.id : formation.captain))
    const speed = leader === undefined ? SPEED : distance(leader.velocity, { x: 0, y: 0, z: 0 })
    way += speed / rate
    now = steps > 4 * rate && speed < 1 ? now + 1 / rate : 0
    stood = Math.max(stood, now)
    if (steps % 6 !== 0) continue
    for (const [i, a] of ships.entries()) {
      gap = Math.min(gap, obstacles.distance(a.position, normal) - 1)
      for (const b of ships.slice(0, i)) gap = Math.min(gap, distance(a.position, b.position) - 2)
    }
  }
  return { stood, gap, pace: (way / steps) * rate }
}

describe('a formation led along a path', () => {
  it.each([
    ['a line whose slots lie in a rock', linePattern, rockBeside(9, 9)],
    ['a wedge in streets', wedgePattern, streets(14)],
  ] as const)('does not wait: %s', (_, pattern, course) => {
    const { gap, pace, stood } = flyAlong(course, pattern, pick(9, 11))
    expect(stood).toBe(0)
    expect(pace).toBeGreaterThan(0.45 * SPEED)
    expect(gap).toBeGreaterThan(-0.02)
  })

  const courses = {
    'small rock': rockBeside(4, 4),
    'rock on the path': rockBeside(9, 0),
    rock: rockBeside(9, 9),
    'large rock': rockBeside(15, 16),
    'rock inside of the bend': rockBeside(9, -12),
    'narrow canyon': canyon(8),
    canyon: canyon(14),
    'narrow streets': streets(10),
    streets: streets(14),
  }
  const wings: [string, Pattern, number][] = [
    ['line', linePattern, 5],
    ['line', linePattern, 11],
    ['wedge', wedgePattern, 3],
    ['wedge', wedgePattern, 11],
    ['box', boxPattern, 12],
    ['column', columnPattern, 8],
    ['ring', ringPattern, 8],
    ['echelon', echelonPattern, 7],
    ['wall', wallPattern, 9],
  ]
  let k = 0
  for (const [name, course] of Object.entries(courses))
    for (const [shape, pattern, count] of wings) {
      k++
      const rate = [60, 30, 144][k % 3]!
      const apart = k % 4 === 0
      const options: Partial<FormationOptions> = {
        passing: k % 5 === 4 ? 'each' : 'together',
        pace: k % 6 === 5 ? 'leader' : 'slowest',
      }
      const what = `${count} in a ${shape}, ${name}, ${rate} Hz, ${JSON.stringify(options)}${apart ? ', leader apart' : ''}`
      it.runIf(k % pick(Infinity, 6, 1) === pick(1, 1, 0))(`never stands: ${what}`, () => {
        const { gap, stood } = flyAlong(course, pattern, count, options, rate, apart)
        expect(stood).toBeLessThan(1)
        expect(gap).toBeGreaterThan(-0.05)
      })
    }
})

describe('a leader', () => {
  it.each(['from the start', 'that joins'])(
    'waits a while, not for ever, for one that cannot come: %s',
    (when) => {
      const leader = new Rails(6)
      const one = wing({ spacing: 4, leader })
      const fly = (time: number): number => {
        let way = 0
        for (let k = 0; k < 60 * time; k++) {
          one.step()
          const pace = Math.min(6, one.formation.paceLimit)
          leader.fly(1 / 60, 0, 0, pace)
          way += pace / 60
        }
        return way / time
      }
      const add = (i: number, plane?: Vec3): void => {
        const behind = { x: leader.position.x - 4 - 3 * i, y: 0, z: 0 }
        one.add(behind, { velocity: leader.velocity, ...(plane !== undefined && { plane }) })
      }
      for (let i = 0; i < 3; i++) add(i)
      if (when === 'that joins') fly(8)
      // it is bound to the ground, and its slot will be in the air
      add(3, { x: 0, y: 1, z: 0 })
      fly(1)
      leader.position.y += 30
      for (const ship of one.ships.slice(0, 3)) ship.teleport({ position: { ...ship.position, y: 30 } })
      fly(8)
      expect(fly(10)).toBeGreaterThan(5.9)
    },
  )
})

describe('FollowPath tells where its agent will be', () => {
  const points = [
    { x: 0, y: 0, z: 0 },
    { x: 30, y: 0, z: 0 },
    { x: 30, y: 0, z: 30 },
  ]
  const ends = ['open', 'closed', 'ping-pong'] as const
  it.each(ends.flatMap((end) => ([1, -1] as const).map((direction) => [end, direction] as const)))(
    'on a path that is %s, direction %i',
    (end, direction) => {
      const path = new Path({ points, ends: end, curve: 'polyline' })
      const follow = new FollowPath({ path, direction, speed: 5 })
      const world = new SteeringWorld()
      const pilot = new SteeringController(null, {
        behavior: follow,
        position: { x: 10, y: 0, z: 0 },
        maxSpeed: 9,
        maxForce: 9,
      })
      world.add(pilot)
      const place = { x: 7, y: 7, z: 7 }
      expect(follow.placeAhead(pilot, 3, place)).toBe(false)
      expect(place).toEqual({ x: 7, y: 7, z: 7 })
      world.step(1 / 60)
      const told = [0, 5, 20, 200].map((ahead) => {
        expect(follow.placeAhead(pilot, ahead, place)).toBe(true)
        const { x, y, z } = place
        return { x, y, z }
      })
      expect(told[0]!.x).toBeCloseTo(10, 1)
      if (end !== 'ping-pong') expect(told[1]!.x).toBeCloseTo(10 + 5 * direction, 1)
      const station = direction * follow.stationOf(pilot)
      const { x, z } = path.pointAt({ x: 0, y: 0, z: 0 }, direction * (station + 20))
      if (end !== 'open') expect([told[2]!.x, told[2]!.z]).toEqual([x, z])
      else if (direction === 1) expect(told[3]).toEqual(points[2])
      else expect(told[3]).toEqual(points[0])
    },
  )
})
