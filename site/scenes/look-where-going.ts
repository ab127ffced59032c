import { blend, LookWhereGoing, Tether, Wander } from 'three-steering'
import { Flock, SteeringWorld } from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld({ seed: 2 })
  const look = new LookWhereGoing({ smoothing: 0.4 /* s */ })
  const home = new Tether({ target: { x: 0, y: 0, z: 0 }, radius: 8 })
  const craft = new Flock({
    count: 12,
    maxSpeed: 7, // m/s
    maxForce: 14, // N
    maxTorque: 20, // N·m
    behavior: blend([new Wander(), home, look]),
  })
  world.add(craft)
  return {
    world,
    agents: [craft],
    controls: [[look, 'smoothing', 0, 2]],
  }
}
