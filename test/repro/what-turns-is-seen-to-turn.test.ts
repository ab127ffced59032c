import { expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  BoxShape,
  CapsuleShape,
  Obstacles,
  SteeringController,
  SteeringWorld,
  within,
  type ObstacleOptions,
  type Quat,
  type Vec3,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { about, minus, norm, plus, times, turned, v } from '../support/geometry.js'
import { pick } from '../support/tier.js'

// An obstacle that turns in its place counted as one at rest, until it touched the agent. A bar hit all that
// rested beside it, a ring every third that flew through it.

/** Half of the length of the bars and radius of the ring, m. */
const R = 8
const Y = v(0, 1, 0)
const Z = v(0, 0, 1)

const OBSTACLES: readonly [string, Vec3, readonly Omit<ObstacleOptions, 'at'>[]][] = [
  ['bar', Z, [{ shape: new BoxShape({ x: R, y: 0.5, z: 0.5 }) }]],
  ['cross', Z, [0, 1].map((k) => ({ shape: new BoxShape({ x: R, y: 0.3, z: 0.5 }), turn: quarter(k) }))],
  ['plate', Z, [{ shape: new BoxShape({ x: R, y: 0.3, z: R / 2 }) }]],
  ['ring', Y, Array.from({ length: 12 }, (_, k) => arc((k * Math.PI) / 6))],
]

function quarter(k: number): Quat {
  return about(Z, (k * Math.PI) / 2)
}

function arc(angle: number): Omit<ObstacleOptions, 'at'> {
  const shape = new CapsuleShape(0.5, 2 * R * Math.sin(Math.PI / 12))
  return { shape, offset: v(R * Math.cos(angle), R * Math.sin(angle), 0), turn: about(Z, angle) }
}

interface Flight {
  readonly parts: readonly Omit<ObstacleOptions, 'at'>[]
  readonly axis: Vec3
  readonly rate: number
  readonly maxForce: number
  readonly start: Vec3
  readonly goal: Vec3
  readonly dt: number
}

/** Least gap (m) on the way of an agent, and whether it gets to its goal. */
function fly({ parts, axis, rate, maxForce, start, goal, dt }: Flight): { gap: number; arrives: boolean } {
  const at = { position: v(0, 0, 0), quaternion: about(axis, 0), angularVelocity: times(axis, rate) }
  const obstacles = new Obstacles(parts.map((part) => ({ ...part, at })))
  const agent = new SteeringController(null, {
    radius: 0.5,
    maxSpeed: 5,
    maxForce,
    position: start,
    behavior: within([new AvoidObstacles({ obstacles })], new Arrive({ target: goal })),
  })
  const world = new SteeringWorld()
  world.add(agent)
  let gap = Infinity
  let arrives = false
  for (let i = 1; i * dt < 25; i++) {
    world.step(dt)
    at.quaternion = about(axis, i * rate * dt)
    obstacles.refresh()
    gap = Math.min(gap, obstacles.distance(agent.position, v(0, 0, 0)) - 0.5)
    arrives = norm(minus(agent.position, goal)) < 0.5
    if (arrives && start !== goal) break
  }
  return { gap, arrives }
}

it.each(OBSTACLES)(
  'a %s that turns touches nobody who rests in its way or crosses it',
  (kind, axis, parts) => {
    const random = seeded(34)
    for (const rate of pick([0.4], [0.2, 0.4]))
      for (const maxForce of [5, 15])
        for (let k = 0; k < 3; k++) {
          const dt = [1 / 30, 1 / 60, 1 / 144][k]!
          // rests in the way of a tip, a little off its path, at a place that is free at first
          const angle = 0.7 + 0.4 * random()
          const along = kind === 'ring' ? v(0, 0, 1) : turned(about(Z, angle), v(1, 0, 0))
          const rest = plus(times(along, R * (0.4 + 0.6 * random())), times(axis, 0.6 * random() - 0.3))
          const resting = fly({ parts, axis, rate, maxForce, start: rest, goal: rest, dt })
          expect(resting.gap, `${kind} ${rate} ${maxForce} ${k}: rests`).toBeGreaterThan(0)
          // crosses the place that it sweeps
          const place = times(turned(about(axis, 6 * random()), along), R * (0.2 + 0.7 * random()))
          const way = turned(about(axis, 6 * random()), turned(about(along, random()), axis))
          const start = plus(place, times(way, -25))
          const crossing = fly({ parts, axis, rate, maxForce, start, goal: plus(place, times(way, 25)), dt })
          expect(crossing.gap, `${kind} ${rate} ${maxForce} ${k}: crosses`).toBeGreaterThan(0)
          expect(crossing.arrives, `${kind} ${rate} ${maxForce} ${k}: arrives`).toBe(true)
        }
  },
)
