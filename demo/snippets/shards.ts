import { SteeringWorld, SteeringController, Wander } from 'three-steering'
import { addGhost, exportAgent, importAgent, orderNeighbors } from 'three-steering/shards'

export const west = new SteeringWorld({ seed: 7 })
export const east = new SteeringWorld({ seed: 7 })
for (const world of [west, east]) orderNeighbors(world)

const traits = { maxSpeed: 8, maxForce: 20, seed: 1 }
const bird = new SteeringController(null, { ...traits, behavior: new Wander() })
west.add(bird)

// after a step of both worlds: the bird has crossed the border
const parcel = exportAgent(west, bird)
west.remove(bird)
export const there = new SteeringController(null, { ...traits, behavior: new Wander() })
importAgent(east, parcel, there)

// the west still sees it, while it is near the border
export const ghost = addGhost(west, { seed: 1, position: there.position, velocity: there.velocity })
ghost.set(there.position, there.velocity)
