import { SteeringWorld, SteeringController, Wander } from 'three-steering'
import { PoseCodec, PoseWriter } from 'three-steering/net'

// the same on the server and on all clients
const codec = new PoseCodec({
  min: { x: -100, y: -20, z: -100 },
  max: { x: 100, y: 50, z: 100 },
  maxSpeed: 8,
})

// on the server, ten times a second
const world = new SteeringWorld()
const bird = new SteeringController(null, { behavior: new Wander(), maxSpeed: 8, maxForce: 20, seed: 1 })
world.add(bird)
world.step(1 / 30)
const writer = new PoseWriter(codec)
const bytes = writer.begin(world.time).add(bird).end()

// on a client
export const told = new Map<number, number>()
codec.read(bytes, (key, { position }) => told.set(key, position.x))
