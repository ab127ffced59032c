import {
  AvoidObstacles,
  Hover,
  Obstacles,
  Seek,
  SphereShape,
  SteeringController,
  SteeringWorld,
  within,
  type Agent,
  type Vec3,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'

/**
 * AVOID-3D, the workload of the benchmark for obstacles: pilots fly at full speed through a cube of spheres,
 * to one goal after the other. The cube grows with the number of spheres, so their density is constant.
 */
export const AVOID_3D = {
  pilots: 100,
  radius: 0.5,
  maxSpeed: 10,
  maxForce: 20,
  /** Side (m) of the cube that each sphere has on average. */
  spacing: 12,
  /** A goal is reached within this distance (m). */
  near: 3,
  dt: 1 / 60,
} as const

export function avoidSide(balls: number): number {
  return AVOID_3D.spacing * Math.cbrt(balls || 50)
}

/** Calls `place` with each sphere, the same for every implementation. */
export function avoidBalls(balls: number, place: (position: Vec3, radius: number) => void): void {
  const random = seeded(77)
  const side = avoidSide(balls)
  for (let i = 0; i < balls; i++) place(spot(random, side), 1.5 + 2 * random())
}

/** The points of one pilot: the start first, then one goal after the other. */
export function avoidPlaces(pilot: number, balls: number): () => Vec3 {
  const random = seeded(1000 + pilot)
  return () => spot(random, avoidSide(balls))
}

function spot(random: () => number, side: number): Vec3 {
  return { x: (random() - 0.5) * side, y: (random() - 0.5) * side, z: (random() - 0.5) * side }
}

export interface Avoid3d {
  readonly world: SteeringWorld
  readonly obstacles: Obstacles
  readonly pilots: readonly SteeringController[]
}

/** With `avoiding` false the pilots ignore the spheres: this measures the cost of flying alone. */
export function avoid3d(balls: number, avoiding = true): Avoid3d {
  const obstacles = new Obstacles()
  avoidBalls(balls, (position, radius) => obstacles.add({ shape: new SphereShape(radius), at: position }))
  const world = new SteeringWorld({ seed: 1 })
  const avoid = new AvoidObstacles({ obstacles })
  const pilots: SteeringController[] = []
  for (let i = 0; i < AVOID_3D.pilots; i++) {
    const next = avoidPlaces(i, balls)
    const position = next()
    let goal = next()
    const seek = new Seek({
      target: (agent: Agent, out: Vec3) => {
        const { x, y, z } = agent.position
        const sq = (goal.x - x) ** 2 + (goal.y - y) ** 2 + (goal.z - z) ** 2
        // not by `Math.hypot`, which allocates: what is left is the garbage of the package
        if (sq < AVOID_3D.near ** 2) goal = next()
        out.x = goal.x
        out.y = goal.y
        out.z = goal.z
      },
    })
    const pilot = new SteeringController(null, {
      behavior: avoiding ? within([avoid], seek) : seek,
      locomotion: new Hover({ attitude: null }),
      radius: AVOID_3D.radius,
      maxSpeed: AVOID_3D.maxSpeed,
      maxForce: AVOID_3D.maxForce,
      position,
    })
    world.add(pilot)
    pilots.push(pilot)
  }
  return { world, obstacles, pilots }
}
