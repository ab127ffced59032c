import {
  blend,
  Cruise,
  EvadeGroup,
  Flock,
  Flocking,
} from 'three-steering'
import { Orbit, SteeringController, Tether } from 'three-steering'
import { SteeringWorld } from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld({ seed: 6 })
  const middle = { x: 0, y: 0, z: 0 }
  const predators = 2 // a bit of `group`
  const shark = new SteeringController(null, {
    group: predators,
    position: { x: 14, y: 0, z: 0 },
    radius: 1,
    maxSpeed: 7, // m/s
    maxForce: 20, // N
    behavior: new Orbit({ target: middle, radius: 6 }),
  })
  const evade = new EvadeGroup({
    groups: predators,
    neighborDistance: 6,
  })
  const fish = new Flock({
    count: 120,
    radius: 0.25,
    maxSpeed: 6, // m/s
    maxForce: 20, // N
    behavior: blend([
      { behavior: evade, weight: 3 },
      new Flocking({
        separation: { neighborDistance: 1.5, weight: 1, groups: 1 },
        alignment: { neighborDistance: 4, weight: 0.8, groups: 1 },
        cohesion: { neighborDistance: 4, weight: 0.5, groups: 1 },
      }),
      { behavior: new Cruise({ speedShare: 0.6 }), weight: 0.5 },
      new Tether({ target: middle, radius: 9 }),
    ]),
  })
  world.add(shark).add(fish)
  return {
    world,
    agents: [fish, shark],
    controls: [[evade, 'neighborDistance', 1, 10]],
  }
}
