import { describe, expect, it } from 'vitest'
import {
  Flight,
  FollowPath,
  Hover,
  Path,
  SteeringController,
  SteeringWorld,
  Thrusters,
  Walker,
  Wheels,
  type Vec3,
} from 'three-steering'
import { dubins } from 'three-steering/curves'
import { seeded, type PathCurve, type PathEnds, type PathTechnique } from 'three-steering/authoring'
import { evenly, vec, type Random } from '../../../demo/scenarios/vectors.js'
import { distance } from '../../../demo/scenarios/metrics.js'
import type { PilotOptions } from '../../support/pilot.js'
import { pick } from '../../support/tier.js'

/** Every vehicle flies every path there and back, or round and round, and is never lost. */

const CURVES: readonly PathCurve[] = ['polyline', 'spline', 'arcs', dubins]
const TECHNIQUES: readonly PathTechnique[] = [
  'reprojection',
  'future-reprojection',
  'dog-on-a-string',
  'grappling-hooks',
]
const SPEED = 8
const FORCE = 16
const LEVEL = vec(0, 1, 0)

interface Vehicle {
  readonly traits: () => PilotOptions
  /** Greatest distance from the path, m. */
  readonly farthest: number
}

const ship = { maxSpeed: SPEED, maxForce: FORCE, maxTorque: 20 }
const weak = FORCE / 8
const VEHICLES: Readonly<Record<string, Vehicle>> = {
  'a point mass': { traits: () => ({ maxSpeed: SPEED, maxForce: FORCE }), farthest: 7 },
  Hover: { traits: () => ({ ...ship, locomotion: new Hover() }), farthest: 7 },
  // turns of 4 m radius at top speed; they cannot stop before they turn about
  Flight: {
    traits: () => ({ ...ship, locomotion: new Flight({ minSpeed: 3 }) }),
    farthest: 18,
  },
  Thrusters: {
    traits: () => ({
      ...ship,
      locomotion: new Thrusters({ ahead: FORCE, up: weak, down: weak, port: weak, starboard: weak }),
    }),
    farthest: 18,
  },
  // curves of 1.8 m radius
  Wheels: {
    traits: () => ({ ...ship, radius: 0.8, plane: LEVEL, locomotion: new Wheels({ wheelbase: 1.2 }) }),
    farthest: 9,
  },
  Walker: { traits: () => ({ ...ship, plane: LEVEL, locomotion: new Walker() }), farthest: 7 },
}

function randomPath(random: Random, curve: PathCurve, ends: PathEnds, height: number): Path {
  const points: Vec3[] = []
  const count = (ends === 'closed' ? 3 : 2) + Math.floor(4 * random())
  while (points.length < count) {
    const point = vec(evenly(random, -30, 30), height * evenly(random, -1, 1), evenly(random, -30, 30))
    if (points.every((other) => distance(other, point) > 12)) points.push(point)
  }
  return new Path({ points, curve, ends, radius: 5 })
}

function leavesGround(path: Path): boolean {
  const spot = vec(0, 0, 0)
  for (let k = 0; k < 200; k++) if (Math.abs(path.pointAt(spot, (k / 200) * path.length).y) > 0.1) return true
  return false
}

/** Least share of the way that its top speed allows: it brakes in bends and turns about. */
const LEAST_SHARE = 0.4

/** Time (s) to come back after a push of up to 100 m, at half of the top speed. */
const RETURN_TIME = 25

/** Places of a lap that are met in order: a measure of progress without the station of the behaviour. */
const PLACES = 4

interface Patrol {
  /** Greatest distance from the path, m, and the share of the way at top speed that was flown. */
  readonly farthest: number
  readonly share: number
}

function patrol(
  vehicle: Vehicle,
  technique: PathTechnique,
  path: Path,
  direction: 1 | -1,
  seconds: number,
  pushed: Vec3 | null,
): Patrol {
  const world = new SteeringWorld()
  const agent = new SteeringController(null, {
    ...vehicle.traits(),
    position: path.pointAt(vec(0, 0, 0), direction > 0 ? 0 : path.length),
    maxSpeed: SPEED,
    maxForce: FORCE,
    behavior: new FollowPath({ path, technique, direction }),
  })
  world.add(agent)
  const spot = vec(0, 0, 0)
  const away = pushed === null ? -1 : Math.round(seconds * 20)
  const back = pushed === null ? 0 : away + 60 * RETURN_TIME
  let farthest = 0
  let met = 0
  for (let k = 0; k < 60 * seconds; k++) {
    if (k === away) agent.teleport({ position: pushed! })
    world.step(1 / 60)

    if (k % 12 > 0) continue
    const station = direction * (met / PLACES) * path.lap + (direction > 0 ? 0 : path.length)
    if (distance(agent.position, path.pointAt(spot, station)) < vehicle.farthest) met++
    if (k < away || k >= back)
      farthest = Math.max(
        farthest,
        distance(agent.position, path.pointAt(spot, path.nearest(agent.position))),
      )
  }
  const flown = pushed === null ? seconds : seconds - RETURN_TIME
  return { farthest, share: ((met / PLACES) * path.lap) / (SPEED * flown) }
}

const SECONDS = pick(50, 150, 300)
const SEEDS = pick(1, 2, 30)

describe.each(Object.keys(VEHICLES))('%s', (name) => {
  const vehicle = VEHICLES[name]!
  const height = name === 'Wheels' || name === 'Walker' ? 0 : 15
  it.each(TECHNIQUES)('stays on its path and goes on along it, by %s', (technique) => {
    const failures: string[] = []
    for (const [i, ends] of (['ping-pong', 'closed', 'ping-pong'] as const).entries())
      for (const [j, curve] of CURVES.entries())
        for (let seed = 1; seed <= SEEDS; seed++) {
          // the quick run flies a twelfth of the combinations
          if (SEEDS === 1 && (i + j + technique.length + name.length) % 12 > 0) continue

          const random = seeded(100 * seed + j)
          const path = randomPath(random, curve, ends, height)
          // the shortest curves between near points rise from the ground
          if (height === 0 && leavesGround(path)) continue
          const pushed =
            i < 2
              ? null
              : vec(evenly(random, -40, 40), height * evenly(random, -2, 2), evenly(random, -40, 40))
          const { farthest, share } = patrol(
            vehicle,
            technique,
            path,
            seed % 2 === j % 2 ? 1 : -1,
            SECONDS,
            pushed,
          )
          const what = `${ends}, ${String(curve)}, seed ${seed}, ${pushed === null ? 'not pushed' : 'pushed'}`
          if (!(farthest < vehicle.farthest && share > LEAST_SHARE))
            failures.push(`${what}: ${farthest.toFixed(1)} m beside it, ${share.toFixed(2)} of the way`)
        }
    expect(failures).toEqual([])
  })
})
