import {
  Arrive,
  blend,
  RepelObstacle,
  SphereShape,
} from 'three-steering'
import { SteeringController, SteeringWorld } from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  // a ball that is pushed through agents that want to stay
  const ball = {
    position: { x: -10, y: 0, z: 0 },
    velocity: { x: 0, y: 0, z: 0 },
  }
  const obstacles = [{ shape: new SphereShape(3), at: ball }]
  const repel = new RepelObstacle({
    obstacles,
    range: 1.5 /* m */,
    weight: 2,
  })
  const crowd = Array.from({ length: 75 }, (_, i) => {
    const home = {
      x: 3 * (i % 5) - 6,
      y: 3 * (Math.floor(i / 5) % 3) - 3,
      z: 3 * Math.floor(i / 15) - 6,
    }
    const stay = new Arrive({ target: home })
    return new SteeringController(null, {
      position: { ...home },
      maxSpeed: 6, // m/s
      maxForce: 20, // N
      behavior: blend([repel, { behavior: stay, weight: 0.3 }]),
    })
  })
  for (const each of crowd) world.add(each)
  world.addPlanner({
    plan({ time }) {
      ball.velocity.x = 7.5 * Math.sin(0.75 * time)
      ball.position.x = -10 * Math.cos(0.75 * time)
    },
  })
  return {
    world,
    agents: [crowd],
    obstacles,
    controls: [[repel, 'range', 0.5, 4]],
  }
}
