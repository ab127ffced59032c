import {
  Hover,
  ReciprocalAvoidance,
  Seek,
  SteeringWorld,
  within,
  type Agent,
  type Behavior,
  type Vec3,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { addFlock } from '../support/flock.js'

/**
 * RECIPROCAL-3D, the workload of the benchmark for avoiding each other: agents in a cube fly at full speed to
 * one goal after the other. The cube grows with their number, so that each has about ten others within its
 * neighbour distance.
 */
export const RECIPROCAL_3D = {
  radius: 0.5,
  maxSpeed: 10,
  maxForce: 10,
  lookOut: 15,
  neighbors: 10,
  /** A goal is reached within this distance (m). */
  near: 3,
  dt: 1 / 60,
} as const

export function reciprocalSide(count: number): number {
  const { lookOut, neighbors } = RECIPROCAL_3D
  return Math.cbrt((((count / neighbors) * 4) / 3) * Math.PI * lookOut ** 3)
}

/** With `avoiding` false the agents ignore each other: this measures the cost of flying alone. */
export function reciprocal3d(count: number, avoiding = true): SteeringWorld {
  const { lookOut, near } = RECIPROCAL_3D
  const side = reciprocalSide(count)
  const random = seeded(5)
  const spot = (): Vec3 => ({
    x: (random() - 0.5) * side,
    y: (random() - 0.5) * side,
    z: (random() - 0.5) * side,
  })
  const goals: Vec3[] = Array.from({ length: count }, spot)
  const seek = new Seek({
    target: ({ position, slot }: Agent, out: Vec3) => {
      const goal = goals[slot]!
      const { x, y, z } = position
      if (Math.hypot(goal.x - x, goal.y - y, goal.z - z) < near) goals[slot] = spot()
      out.x = goals[slot]!.x
      out.y = goals[slot]!.y
      out.z = goals[slot]!.z
    },
  })
  const behavior: Behavior = avoiding
    ? within([new ReciprocalAvoidance({ neighborDistance: lookOut })], seek)
    : seek
  const world = new SteeringWorld({ seed: 1 })
  const { radius, maxSpeed, maxForce } = RECIPROCAL_3D
  addFlock(world, {
    count,
    behavior,
    locomotion: new Hover({ attitude: null }),
    radius,
    maxSpeed,
    maxForce,
    spawn: (_i, { position }) => Object.assign(position, spot()),
  })
  return world
}
