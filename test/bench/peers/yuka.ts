import * as YUKA from 'yuka'
import { AVOID_3D, avoidBalls, avoidPlaces } from '../../rigs/avoid-3d.js'
import { rockErrands, ROCK_SHIPS } from '../../rigs/avoid-scenes.js'
import { FLOCK_3D, flockSide, flockStart } from '../../rigs/flock-3d.js'

/** Cells per side of Yuka's spatial index by number of agents: the fastest in measurements with k = 7. */
const CELLS: Record<number, number> = { 100: 3, 1000: 5, 5000: 6, 10000: 8, 20000: 10 }

/**
 * FLOCK-3D in Yuka 0.7.8 with its spatial index. Yuka has no field of view, so this version has none: less
 * work per candidate.
 */
export function yukaFlock(count: number, k: number): () => void {
  const side = flockSide(count, k)
  const cells = CELLS[count] ?? Math.max(3, Math.round(Math.cbrt(count) / 2.8))
  const manager = new YUKA.EntityManager()
  manager.spatialIndex = new YUKA.CellSpacePartitioning(side, side, side, cells, cells, cells)
  const vehicles: YUKA.Vehicle[] = []
  flockStart(count, side, (_, position, velocity) => {
    const vehicle = new YUKA.Vehicle()
    vehicle.maxSpeed = FLOCK_3D.maxSpeed
    vehicle.maxForce = FLOCK_3D.maxForce
    vehicle.updateNeighborhood = true
    vehicle.neighborhoodRadius = FLOCK_3D.radius
    // Yuka's index is centred at the origin
    vehicle.position.set(position.x - side / 2, position.y - side / 2, position.z - side / 2)
    vehicle.velocity.set(velocity.x, velocity.y, velocity.z)
    const rules = [
      [new YUKA.SeparationBehavior(), FLOCK_3D.separation],
      [new YUKA.AlignmentBehavior(), FLOCK_3D.alignment],
      [new YUKA.CohesionBehavior(), FLOCK_3D.cohesion],
    ] as const
    for (const [rule, weight] of rules) {
      rule.weight = weight
      vehicle.steering.add(rule)
    }
    manager.add(vehicle)
    vehicles.push(vehicle)
  })
  const wrap = (p: number): number => p - Math.floor(p / side + 0.5) * side
  return () => {
    manager.update(FLOCK_3D.dt)
    for (const { position } of vehicles) position.set(wrap(position.x), wrap(position.y), wrap(position.z))
  }
}

/**
 * AVOID-3D in Yuka 0.7.8. It tests every obstacle each time, and ignores those above and below. Collisions
 * are not counted.
 */
export function yukaAvoid(balls: number): () => void {
  const manager = new YUKA.EntityManager()
  const obstacles: YUKA.GameEntity[] = []
  avoidBalls(balls, (position, radius) => {
    const obstacle = new YUKA.GameEntity()
    obstacle.position.set(position.x, position.y, position.z)
    obstacle.boundingRadius = radius
    manager.add(obstacle)
    obstacles.push(obstacle)
  })
  const pilots = Array.from({ length: AVOID_3D.pilots }, (_, i) => {
    const next = avoidPlaces(i, balls)
    const start = next()
    const goal = next()
    const vehicle = new YUKA.Vehicle()
    vehicle.maxSpeed = AVOID_3D.maxSpeed
    vehicle.maxForce = AVOID_3D.maxForce
    vehicle.boundingRadius = AVOID_3D.radius
    vehicle.position.set(start.x, start.y, start.z)
    const seek = new YUKA.SeekBehavior(new YUKA.Vector3(goal.x, goal.y, goal.z))
    vehicle.steering.add(new YUKA.ObstacleAvoidanceBehavior(obstacles))
    vehicle.steering.add(seek)
    manager.add(vehicle)
    return { vehicle, seek, next }
  })
  return () => {
    for (const { vehicle, seek, next } of pilots)
      if (vehicle.position.distanceTo(seek.target) < AVOID_3D.near) {
        const { x, y, z } = next()
        seek.target.set(x, y, z)
      }
    manager.update(AVOID_3D.dt)
  }
}

/** The ships among moving rocks in Yuka 0.7.8, as above. Rocks and places are those of `movingRocks`. */
export function yukaRocks(rocks: number): () => void {
  const { field, place, near, maxForce, maxSpeed, radius, dt } = rockErrands(rocks)
  const manager = new YUKA.EntityManager()
  const obstacles = field.rocks.map((rock) => {
    const obstacle = new YUKA.GameEntity()
    obstacle.boundingRadius = rock.radius
    manager.add(obstacle)
    return { rock, obstacle }
  })
  const ships = Array.from({ length: ROCK_SHIPS }, () => {
    const vehicle = new YUKA.Vehicle()
    const [start, goal] = [place(), place()]
    Object.assign(vehicle, { maxSpeed, maxForce, boundingRadius: radius })
    vehicle.position.set(start.x, start.y, start.z)
    const seek = new YUKA.SeekBehavior(new YUKA.Vector3(goal.x, goal.y, goal.z))
    vehicle.steering.add(new YUKA.ObstacleAvoidanceBehavior(obstacles.map(({ obstacle }) => obstacle)))
    vehicle.steering.add(seek)
    manager.add(vehicle)
    return { vehicle, seek }
  })
  let steps = 0
  return () => {
    field.place(steps++ * dt)
    for (const { rock, obstacle } of obstacles)
      obstacle.position.set(rock.position.x, rock.position.y, rock.position.z)
    for (const { vehicle, seek } of ships)
      if (vehicle.position.distanceTo(seek.target) < near) {
        const { x, y, z } = place()
        seek.target.set(x, y, z)
      }
    manager.update(dt)
  }
}
