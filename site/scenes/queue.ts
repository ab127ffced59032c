import {
  AvoidObstacles,
  BoxShape,
  FollowPath,
  Path,
} from 'three-steering'
import { Queue, ReciprocalAvoidance, within } from 'three-steering'
import { SteeringController, SteeringWorld } from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  // two walls with a door of 2 m between them
  const wall = new BoxShape({ x: 0.5, y: 1.2, z: 6 })
  const walls = [-7, 7].map((z) => ({
    shape: wall,
    at: { x: 0, y: 0, z },
  }))
  const door = { x: 1.5, y: 0, z: 0 }
  const queue = new Queue({
    target: door,
    radius: 14, // m
    exitDirection: { x: 1, y: 0, z: 0 },
  })
  const limits = [
    queue,
    new ReciprocalAvoidance(),
    new AvoidObstacles({ obstacles: walls }),
  ]
  const crowd = Array.from({ length: 12 }, (_, i) => {
    const from = {
      x: -6 - 2 * (i % 3),
      y: 0,
      z: 2.5 * Math.floor(i / 3) - 4,
    }
    const seat = { x: 8 + 2 * (i % 3), y: 0, z: from.z }
    const path = new Path({
      points: [from, door, seat],
      curve: 'polyline',
    })
    return new SteeringController(null, {
      position: { ...from },
      maxSpeed: 4, // m/s
      maxForce: 12, // N
      plane: { x: 0, y: 1, z: 0 }, // it stays at this height
      behavior: within(limits, new FollowPath({ path })),
    })
  })
  for (const each of crowd) world.add(each)
  return {
    world,
    agents: [crowd],
    obstacles: walls,
    size: 15,
    lasts: 24,
  }
}
