import { ConeGeometry, Mesh, MeshNormalMaterial } from 'three'
import { Arrive, SteeringController, SteeringWorld } from 'three-steering'
import { show } from 'three-steering/debug'

export const ship = new Mesh(new ConeGeometry(1, 3).rotateX(Math.PI / 2), new MeshNormalMaterial())
export const steering = new SteeringWorld()
const behavior = new Arrive({ target: { x: 5, y: 12, z: 30 } })
steering.add(new SteeringController(ship, { behavior, mass: 10, maxForce: 150, maxSpeed: 20 }))
// in each frame your game calls steering.advance(seconds); this does it in a scene of its own
show(steering, { objects: [ship] })
