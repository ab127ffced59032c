import { Body, Sphere, type World } from 'cannon-es'
import {
  AvoidObstacles,
  blend,
  Flock,
  Flocking,
  FollowPath,
  DRONES,
  ReciprocalAvoidance,
  scaleFlock,
  within,
  type FlockOptions,
  type Obstacles,
  type Vec3Like,
} from 'three-steering'
import { cannonBody } from 'three-steering/cannon'
import { distance } from './metrics.js'
import { roundOf } from './spaceport.js'
import { direction, plus, times, vec, type Random } from './vectors.js'

const RADIUS = 0.7
const SPEED = 11

/** Service drones: a flock with a body for each member, which streams around hub, spindle and wheels. */
export class Drones {
  readonly bodies: readonly Body[]
  readonly flock: Flock

  constructor(
    world: World,
    obstacles: Obstacles,
    random: Random,
    count: number,
    view?: FlockOptions['view'],
  ) {
    const preset = scaleFlock(DRONES, { radius: RADIUS, maxSpeed: SPEED, mass: 20, count })
    const path = roundOf(70, -36)
    const start = vec(0, 0, 0)
    // away from wheels and mine
    path.pointAt(start, 0.38 * path.length)
    const placed: Vec3Like[] = []
    this.bodies = Array.from({ length: count }, () => {
      const body = new Body({ mass: 20, shape: new Sphere(RADIUS), linearDamping: 0, angularDamping: 0 })
      body.allowSleep = false
      const { x, y, z } = place(start, placed, random)
      body.position.set(x, y, z)
      placed.push({ x, y, z })
      world.addBody(body)
      return body
    })
    this.flock = new Flock({
      ...preset.traits,
      name: 'drones',
      count,
      body: (index) => cannonBody(this.bodies[index]!),
      behavior: within(
        [new AvoidObstacles({ obstacles, horizon: 3 }), new ReciprocalAvoidance(preset.avoidance)],
        blend([
          new Flocking(preset.flocking),
          { behavior: new FollowPath({ path, speed: 0.8 * SPEED }), weight: 0.5 },
        ]),
      ),
      ...(view ? { view } : {}),
    })
  }
}

/** A random place near another that is clear of all places so far. */
function place(near: Vec3Like, placed: readonly Vec3Like[], random: Random): Vec3Like {
  for (;;) {
    const at = plus(near, times(direction(random), 15 * Math.cbrt(random())))
    if (placed.every((other) => distance(at, other) > 4 * RADIUS)) return at
  }
}
