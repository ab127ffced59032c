import * as CANNON from 'cannon-es'
import type { ObstacleOptions, SteeringWorld, Vec3Like } from 'three-steering'
import type { SteeringBody } from 'three-steering/authoring'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { shapeOf, wallOf } from './course-behavior.js'
import type { Block } from './course.js'

/** Bodies and obstacles made from the data of scenes. */

interface Ball {
  readonly mass: number
  readonly radius: number
  readonly position: Vec3Like
  readonly velocity: Vec3Like
}

/** A cannon-es world that drives the steering world, or null. */
export function makePhysics(world: SteeringWorld, bodies: 'none' | 'cannon'): CANNON.World | null {
  if (bodies === 'none') return null
  const physics = new CANNON.World()
  attachToCannon(world, physics)
  return physics
}

/** Adds a sphere without collision response: contacts are measured, but have no effect. */
export function addBall(
  physics: CANNON.World,
  { mass, radius, position, velocity }: Ball,
  more: { linearDamping?: number; angularDamping?: number } = {},
): SteeringBody {
  const body = new CANNON.Body({
    mass,
    shape: new CANNON.Sphere(radius),
    position: new CANNON.Vec3(position.x, position.y, position.z),
    velocity: new CANNON.Vec3(velocity.x, velocity.y, velocity.z),
    collisionFilterMask: 0,
    ...more,
  })
  physics.addBody(body)
  return cannonBody(body)
}

/** A block as a solid obstacle at its start. */
export function solidOf({ form, at, turn }: Block): ObstacleOptions {
  return { shape: shapeOf(form), at, ...(turn && { turn }) }
}

/** A block as walls around the agents. */
export function boundOf({ form, at, turn }: Block): ObstacleOptions {
  return { shape: wallOf(form), at, ...(turn && { turn }) }
}
