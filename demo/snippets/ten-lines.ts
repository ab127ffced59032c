import { ConeGeometry, Mesh, MeshNormalMaterial, Scene } from 'three'
import { Arrive, SteeringController, SteeringWorld } from 'three-steering'

export const scene = new Scene() // yours
export const ship = new Mesh(new ConeGeometry(1, 3).rotateX(Math.PI / 2), new MeshNormalMaterial())
scene.add(ship)
const steering = new SteeringWorld()
const behavior = new Arrive({ target: { x: 5, y: 12, z: 30 } })
steering.add(new SteeringController(ship, { behavior, mass: 10, maxForce: 150, maxSpeed: 20 }))
export const frame = (seconds: number): number => steering.advance(seconds) // before you render
