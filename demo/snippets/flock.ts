import { BoxGeometry, InstancedMesh, MeshStandardMaterial } from 'three'
import { blend, Flight, Flock, Flocking, SteeringWorld, Tether, Wander } from 'three-steering'
import { show } from 'three-steering/debug'

const steering = new SteeringWorld({ seed: 7 })
const birds = new InstancedMesh(new BoxGeometry(0.6, 0.1, 0.4), new MeshStandardMaterial(), 1000)

const flocking = new Flocking({
  separation: { neighborDistance: 3, weight: 1.5 },
  alignment: { neighborDistance: 8, weight: 1 },
  cohesion: { neighborDistance: 8, weight: 0.6 },
})
const flock = new Flock({
  count: 1000,
  view: birds,
  maxSpeed: 12, // m/s
  maxForce: 25, // N
  mass: 1, // kg
  fieldOfView: 1.5 * Math.PI,
  maxNeighbors: 7,
  locomotion: new Flight({ minSpeed: 5 }),
  behavior: blend([
    flocking,
    { behavior: new Wander(), weight: 0.3 },
    new Tether({ target: { x: 0, y: 30, z: 0 }, radius: 40 /* m */ }),
  ]),
})
steering.add(flock)

// each rendered frame
export function frame(delta: number): void {
  steering.advance(delta)
}
show(steering, { frame, objects: [birds] })

// options may change at any time
flocking.separation.neighborDistance = 4
