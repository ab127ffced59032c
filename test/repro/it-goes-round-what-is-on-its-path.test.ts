import * as CANNON from 'cannon-es'
import { expect, it } from 'vitest'
import {
  AvoidObstacles,
  BoxShape,
  FollowPath,
  Path,
  SteeringController,
  SteeringWorld,
  Walker,
  within,
  type ControllerOptions,
  type Vec3,
} from 'three-steering'
import type { PathTechnique } from 'three-steering/authoring'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { car } from 'three-steering/vehicles'
import { minus, norm, v } from '../support/geometry.js'
import { pick } from '../support/tier.js'

// A walker or a ship stood before a house on its path, and was told that there is no way, because the place
// to which it sought one lay in the house. A car that had come to the place behind a house was not counted
// as there where another part of its path was nearer, so it searched a way to where it stood, for ever.

const UP = v(0, 1, 0)
const box = (x: number, z: number, halfX: number, halfZ: number) => ({
  at: v(x, 0, z),
  shape: new BoxShape(v(halfX, 20, halfZ)),
})

interface Scene {
  readonly options: Omit<ControllerOptions, 'behavior' | 'body'>
  readonly speed: number
  readonly points: readonly Vec3[]
  readonly obstacles: readonly ReturnType<typeof box>[]
}

const SCENES: Record<string, Scene> = {
  'a car in a winding street of houses': {
    options: car(),
    speed: 8,
    points: [v(0, 0, 0), v(36, 0, -2.21), v(72, 0, -7.03), v(108, 0, -5.92), v(144, 0, -7.71)],
    obstacles: [12, 36, 60, 84, 108, 132].flatMap((x) => [box(x, -15.19, 9.6, 9), box(x, 15.19, 9.6, 9)]),
  },
  'a walker before a box': {
    options: { plane: UP, maxSpeed: 1.5, maxForce: 200, mass: 70, radius: 0.3, locomotion: new Walker() },
    speed: 1.5,
    points: [v(0, 0, 0), v(9.6, 0, 0), v(19.2, 0, 0)],
    obstacles: [box(11.31, 0.05, 1.5, 1.92)],
  },
  'a ship on a spline that bulges into houses': {
    options: { maxSpeed: 8, maxForce: 8, radius: 1 },
    speed: 8,
    points: [v(0, 0, 0), v(84, 0, 0), v(168, 0, 8.4), v(168, 0, 100.8), v(84, 0, 100.8)],
    obstacles: [box(126, 11.3, 21.6, 8.4), box(180, 50.4, 8.4, 21.6)],
  },
}

const TECHNIQUES: readonly PathTechnique[] = ['reprojection', 'future-reprojection']

it.each(Object.keys(SCENES).flatMap((name) => TECHNIQUES.map((technique) => [name, technique] as const)))(
  '%s goes round what is on its path, and joins it again, by %s',
  (name, technique) => {
    const { options, speed, points, obstacles } = SCENES[name]!
    for (const rate of pick([60], [30, 144], [30, 60, 144])) {
      const world = new SteeringWorld()
      const path = new Path({ points: [...points] })
      const follow = new FollowPath({ path, speed, technique })
      const behavior = within([new AvoidObstacles({ obstacles })], follow)
      const one = new SteeringController(null, { ...options, behavior, position: points[0]! })
      world.add(one)
      const told: string[] = []
      one.addEventListener('arrive', ({ reason = 'there' }) => told.push(reason))
      one.addEventListener('cannot', ({ reason }) => told.push(reason))
      for (let i = 0; i < (6 * path.length * rate) / speed && told.length === 0; i++) world.step(1 / rate)
      expect(told).toEqual(['there'])
    }
  },
)

it.each([60, 144])(
  'a walker whose path ends in a box goes to the free place that is nearest to its end, at %i Hz',
  (rate) => {
    // it stood at the front of the box, for which the place four radii ahead was sought
    const physics = new CANNON.World()
    const body = new CANNON.Body({ mass: 70, shape: new CANNON.Sphere(0.3) })
    physics.addBody(body)
    const world = new SteeringWorld()
    const path = new Path({ points: [v(0, 0, 0), v(9.6, 0, 0), v(19.2, 0, 0)] })
    const avoid = new AvoidObstacles({ obstacles: [box(19.2, 0.24, 1.8, 1.8)] })
    const one = new SteeringController(null, {
      body: cannonBody(body),
      behavior: within([avoid], new FollowPath({ path })),
      plane: UP,
      maxSpeed: 1.5,
      maxForce: 200,
      locomotion: new Walker(),
    })
    world.add(one)
    attachToCannon(world, physics)
    const told: string[] = []
    one.addEventListener('arrive', ({ reason = 'there' }) => told.push(reason))
    one.addEventListener('cannot', ({ reason }) => told.push(reason))
    for (let i = 0; i < 30 * rate && told.length === 0; i++) physics.step(1 / rate)
    expect(told).toEqual(['as near as it gets'])
    expect(norm(minus(body.position, v(19.2, 0, 0)))).toBeLessThan(2)
  },
)
