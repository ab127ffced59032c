import { blend, Cruise, Flock, Flocking, SteeringWorld, Tether } from 'three-steering'

const steering = new SteeringWorld({ seed: 7 })
const birds = new Flock({
  count: 200,
  maxSpeed: 9, // m/s
  maxForce: 15, // N
  maxNeighbors: 7, // a dense flock takes less time
  behavior: blend([
    new Flocking({
      separation: { neighborDistance: 3, weight: 1.5 },
      alignment: { neighborDistance: 8, weight: 1 },
      cohesion: { neighborDistance: 8, weight: 0.6 },
    }),
    new Cruise(),
    new Tether({ target: { x: 0, y: 30, z: 0 }, radius: 40 /* m */ }),
  ]),
})
steering.add(birds)

/** Steps the world, and returns the positions of all birds, for `postMessage` or a socket. */
export function tick(seconds: number): Float32Array {
  steering.advance(seconds)
  const positions = new Float32Array(3 * birds.size)
  const at = { x: 0, y: 0, z: 0 }
  for (let i = 0; i < birds.size; i++) {
    birds.position(i, at)
    positions.set([at.x, at.y, at.z], 3 * i)
  }
  return positions
}
