import { describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  AvoidWalls,
  BoxShape,
  CylinderShape,
  FollowPath,
  Obstacles,
  Path,
  Seek,
  SphereShape,
  SteeringController,
  SteeringWorld,
  within,
  type Behavior,
  type Quat,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import type { PathTechnique } from 'three-steering/authoring'
import { type Constraint, seeded } from 'three-steering/authoring'
import { apart, norm, turned, unitQuat, xyz } from '../laws/kit.js'
import { FULL, pick } from '../support/tier.js'

/**
 * No agent stops for ever before it has reached its goal: behind plates and in pockets, on paths past and
 * through rocks, beside doors, and where one constraint forbids the direction that another one proposes.
 * `ACCEPTANCE=full` flies all seeds.
 */

const DT = 1 / 60
const v = (x = 0, y = 0, z = 0): Vec3 => ({ x, y, z })

type Random = () => number
const spread = (random: Random, size: number): number => size * (2 * random() - 1)

/** Runs until `done`, at most for `seconds`. @returns the time it took (s); Infinity if it was not done. */
function run(world: SteeringWorld, seconds: number, done: () => boolean, dt = DT): number {
  while (world.time < seconds) {
    world.step(dt)
    if (done()) return world.time
  }
  return Infinity
}

interface Building {
  /** Half extents and centres, m. */
  readonly boxes: readonly { readonly half: Vec3; readonly at: Vec3 }[]
  readonly start: Vec3
  readonly goal: Vec3
  /** Length of the shortest path (m). */
  readonly shortest: number
}

/** A square plate of half width `w` (m), shifted by `y` and `z`, between start and goal. */
function plate(w: number, y = 0, z = 0): Building {
  const off = w - Math.max(Math.abs(y), Math.abs(z))
  return {
    boxes: [{ half: v(0.5, w, w), at: v(10, y, z) }],
    start: v(),
    goal: v(13),
    shortest: Math.hypot(10, off) + Math.hypot(3, off),
  }
}

/** Walls of a box around the x axis, open towards one end. */
function tube(half: number, height: number): Building['boxes'] {
  return [
    { half: v(0.3, height, half), at: v(-half) },
    { half: v(half, 0.3, half), at: v(0, height) },
    { half: v(half, 0.3, half), at: v(0, -height) },
    { half: v(half, height, 0.3), at: v(0, 0, half) },
    { half: v(half, height, 0.3), at: v(0, 0, -half) },
  ]
}

/** A wall with an opening of 4 × 4 m. */
function opening(y: number, z: number): Building {
  const [wide, half] = [60, 2]
  const across = Math.hypot(y, z)
  return {
    boxes: [
      { half: v(0.5, (wide + y - half) / 2, wide), at: v(10, (y - half - wide) / 2) },
      { half: v(0.5, (wide - y - half) / 2, wide), at: v(10, (y + half + wide) / 2) },
      { half: v(0.5, half, (wide + z - half) / 2), at: v(10, y, (z - half - wide) / 2) },
      { half: v(0.5, half, (wide - z - half) / 2), at: v(10, y, (z + half + wide) / 2) },
    ],
    start: v(),
    goal: v(13),
    shortest: Math.hypot(10, across) + Math.hypot(3, across),
  }
}

const L = [
  { half: v(0.5, 100, 15), at: v(10) },
  { half: v(15, 100, 0.5), at: v(-5, 0, 15) },
]

const BUILDINGS: Readonly<Record<string, Building>> = {
  'a plate of ±5 m': plate(5),
  'a plate of ±20 m': plate(20),
  'a plate of ±35 m': plate(35),
  'a plate of ±100 m': plate(100),
  'a plate of ±200 m': plate(200),
  'a plate of ±50 m, off the middle': plate(50, 30, 15),
  'a plate of ±200 m, off the middle': plate(200, 120, 60),
  'an opening off the middle': opening(20, -10),
  'an L from inside': {
    boxes: L,
    start: v(0, 0, 5),
    goal: v(16, 0, 3),
    shortest: Math.hypot(10, 20) + Math.hypot(6, 18),
  },
  'an L along its leg': {
    boxes: L,
    start: v(0, 0, 10),
    goal: v(0, 0, 20),
    shortest: 2 * Math.hypot(21, 4) + 2,
  },
  'a U from inside': {
    boxes: [
      { half: v(0.5, 80, 12), at: v(10) },
      { half: v(15, 80, 0.5), at: v(-5, 0, 12) },
      { half: v(15, 80, 0.5), at: v(-5, 0, -12) },
    ],
    start: v(2),
    goal: v(20),
    shortest: Math.hypot(22, 12) + 32 + Math.hypot(10, 13),
  },
  'a half-open box, the goal inside': {
    boxes: tube(8, 8),
    start: v(-25),
    goal: v(-5),
    shortest: Math.hypot(17, 8) + 16 + Math.hypot(13, 8),
  },
  'a half-open box, from inside': {
    boxes: tube(8, 8),
    start: v(-5),
    goal: v(-25, 2, 1),
    shortest: Math.hypot(13, 8) + 16 + Math.hypot(17, 8),
  },
}

/** Along each axis, and turned at random. */
const TURNS: Readonly<Record<string, Quat>> = {
  'along x': unitQuat(0, 0, 0, 1),
  'along y': unitQuat(1, 1, 1, 1),
  'along z': unitQuat(-1, -1, -1, 1),
  askew: unitQuat(0.3, -0.7, 0.2, 0.5),
}

const AVOIDING: Readonly<Record<string, (obstacles: Obstacles) => Constraint>> = {
  AvoidObstacles: (obstacles) => new AvoidObstacles({ obstacles }),
  AvoidWalls: (obstacles) => new AvoidWalls({ obstacles }),
}

const WISHES: Readonly<Record<string, (target: Vec3Like) => Behavior>> = {
  Arrive: (target) => new Arrive({ target }),
  Seek: (target) => new Seek({ target }),
}

function tries(): { place: string; turn: string; avoid: string; wish: string }[] {
  const all = Object.keys(BUILDINGS).flatMap((place) =>
    Object.keys(TURNS).flatMap((turn) =>
      Object.keys(AVOIDING).flatMap((avoid) =>
        Object.keys(WISHES).map((wish) => ({ place, turn, avoid, wish })),
      ),
    ),
  )
  // every building, turn, constraint and wish occurs at least once
  return FULL ? all : all.filter((_, i) => i % pick(21, 11, 1) === 0)
}

describe('a goal behind or inside a wide obstacle', () => {
  it.each(tries())('is reached on at most twice the shortest path: $place, $turn, $avoid, $wish', (each) => {
    const { boxes, goal, shortest, start } = BUILDINGS[each.place]!
    const turn = TURNS[each.turn]!
    const obstacles = new Obstacles(
      boxes.map(({ half, at }) => ({ shape: new BoxShape(half), at: turned(turn, at), turn })),
    )
    const target = turned(turn, goal)
    const world = new SteeringWorld()
    const pilot = new SteeringController(null, {
      behavior: within([AVOIDING[each.avoid]!(obstacles)], WISHES[each.wish]!(target)),
      position: turned(turn, start),
      maxSpeed: 12,
      maxForce: 24,
      mass: 2,
      radius: 0.8,
    })
    world.add(pilot)
    let way = 0
    let least = Infinity
    let before = xyz(pilot.position)
    const time = run(world, 60 + shortest / 6, () => {
      const now = xyz(pilot.position)
      way += apart(now, before)
      before = now
      least = Math.min(least, obstacles.distance(now, v()))
      return apart(now, target) < 0.5
    })
    expect(time).toBeLessThan(Infinity)
    expect(way / shortest).toBeLessThan(2)
    expect(least).toBeGreaterThan(0.99 * pilot.radius)
  })
})

describe('a path', () => {
  const SEEDS = pick(2, 12, 200)
  it.each(['reprojection', 'dog-on-a-string', 'grappling-hooks'] as const)(
    'past or through one rock is flown to its end by %s',
    (technique) => {
      const stuck: number[] = []
      for (let seed = 0; seed < SEEDS; seed++) if (!passesRock(technique, seed)) stuck.push(seed)
      expect(stuck).toEqual([])
    },
    120_000,
  )

  /** A spline, and a ball with its centre 0.3 to 1.2 of its radii beside it. */
  function passesRock(technique: PathTechnique, seed: number): boolean {
    const random = seeded(5000 + seed)
    const points = [0, 1, 2, 3].map((i) => v(40 * i - 60, spread(random, 15), spread(random, 15)))
    const path = new Path({ points })
    const radius = 3 + 12 * random()
    const at = path.pointAt(v(), path.length * (0.35 + 0.3 * random()))
    const off = v(spread(random, 1), spread(random, 1), spread(random, 1))
    const k = (radius * (0.3 + 0.9 * random())) / norm(off)
    const center = v(at.x + k * off.x, at.y + k * off.y, at.z + k * off.z)
    const obstacles = new Obstacles([{ shape: new SphereShape(radius), at: center }])
    const world = new SteeringWorld()
    const pilot = new SteeringController(null, {
      behavior: within([new AvoidObstacles({ obstacles })], new FollowPath({ path, technique })),
      position: points[0]!,
      mass: 2,
      maxSpeed: 6 + 10 * random(),
      maxForce: 2 * (4 + 14 * random()),
      radius: 0.5 + random(),
    })
    let arrived = false
    pilot.addEventListener('arrive', () => (arrived = true))
    world.add(pilot)
    return run(world, 90, () => arrived) < Infinity
  }

  it('through a door is flown after a push aside just before it', () => {
    const late: string[] = []
    for (let seed = 0; seed < pick(2, 6, 60); seed++)
      for (const avoid of Object.keys(AVOIDING)) if (!findsDoor(avoid, seed)) late.push(`${avoid} ${seed}`)
    expect(late).toEqual([])
  })

  /** The path turns behind the door. After the push the nearest point of the path is behind the wall. */
  function findsDoor(avoid: string, seed: number): boolean {
    const random = seeded(300 + seed)
    const [half, side] = [1.2, seed % 2 === 0 ? -1 : 1]
    const obstacles = new Obstacles([
      { shape: new BoxShape(v(0.25, 20, 30)), at: v(0, 0, 30 + half) },
      { shape: new BoxShape(v(0.25, 20, 30)), at: v(0, 0, -30 - half) },
      { shape: new BoxShape(v(0.25, 10, half)), at: v(0, 11.5, 0) },
      { shape: new BoxShape(v(0.25, 10, half)), at: v(0, -11.5, 0) },
    ])
    const path = new Path({
      points: [v(-20), v(-8), v(1.5), v(3, 0, 30 * side), v(20, 0, 30 * side)],
      curve: 'polyline',
    })
    const technique = (['reprojection', 'dog-on-a-string', 'grappling-hooks'] as const)[seed % 3]!
    const world = new SteeringWorld()
    const pilot = new SteeringController(null, {
      behavior: within([AVOIDING[avoid]!(obstacles)], new FollowPath({ path, technique })),
      position: v(-12),
      maxSpeed: 5,
      maxForce: 40,
      mass: 2,
      radius: 0.4,
    })
    let arrived = false
    let pushed = false
    pilot.addEventListener('arrive', () => (arrived = true))
    world.add(pilot)
    const where = v(-0.8, spread(random, 0.5), side * (1.5 + 26 * random() ** 2))
    return (
      run(world, 60, () => {
        if (!pushed && pilot.position.x > -2.5) pilot.teleport({ position: where, velocity: v(1) })
        pushed ||= pilot.position.x > -2.5
        return arrived
      }) < Infinity
    )
  }
})

describe('a constraint that forbids the direction that another one proposes', () => {
  it.each(['with a correction', 'strictly'])(
    'a walker in a plane goes around a tall column, kept in the plane %s',
    (how) => {
      const stuck: number[] = []
      for (let seed = 0; seed < pick(2, 20, 200); seed++)
        if (!passesColumn(seed, how === 'strictly')) stuck.push(seed)
      expect(stuck).toEqual([])
    },
  )

  function passesColumn(seed: number, isStrict: boolean): boolean {
    const random = seeded(700 + seed)
    const half = 0.5 + 3 * random() ** 2 * (seed % 2 === 0 ? 1 : 20)
    const radius = 1 + 6 * random()
    const obstacles = new Obstacles([{ shape: new CylinderShape(radius, 2 * half), at: v() }])
    const angle = spread(random, Math.PI)
    const near = radius + 0.6 + 3 * random()
    const far = radius + 2 + 10 * random()
    const other = angle + Math.PI + spread(random, 0.1)
    const plane: Constraint = {
      steer: () => undefined,
      constrain({ position }, _step, limits) {
        const back = isStrict ? 0 : -2 * position.y
        limits.addHalfSpace(v(0, 1), back)
        limits.addHalfSpace(v(0, -1), -back)
      },
    }
    const world = new SteeringWorld()
    const pilot = new SteeringController(null, {
      behavior: within(
        [plane, new AvoidObstacles({ obstacles })],
        new Arrive({ target: v(far * Math.cos(other), 0, far * Math.sin(other)) }),
      ),
      position: v(near * Math.cos(angle), 0, near * Math.sin(angle)),
      mass: 80,
      maxSpeed: 2 + 3 * random(),
      maxForce: 80 * (4 + 10 * random()),
      radius: 0.4,
    })
    let arrived = false
    pilot.addEventListener('arrive', () => (arrived = true))
    world.add(pilot)
    return run(world, 40, () => arrived) < Infinity
  }
})
