import * as CANNON from 'cannon-es'
import * as THREE from 'three'
import { Arrive, SteeringController, SteeringWorld } from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { show } from 'three-steering/debug'

// your model and your physics world
const ship = new THREE.Mesh(new THREE.ConeGeometry(1, 3).rotateX(Math.PI / 2), new THREE.MeshNormalMaterial())
const world = new CANNON.World({ gravity: new CANNON.Vec3(0, 0, 0) })
const body = new CANNON.Body({ mass: 10, shape: new CANNON.Sphere(1), position: new CANNON.Vec3(0, 0, -40) })
world.addBody(body)

// the steering
const goal = { x: 5, y: 12, z: 30 }
const steering = new SteeringWorld()
attachToCannon(steering, world)
const pilot = new SteeringController(ship, {
  body: cannonBody(body),
  maxSpeed: 20, // m/s
  maxForce: 150, // N
  maxTorque: 60, // N·m
  behavior: new Arrive({ target: goal }),
})
steering.add(pilot)
pilot.addEventListener('arrive', () => console.info('docked'))

// each rendered frame, with the seconds since the last one
export function frame(delta: number): void {
  world.step(1 / 60, delta)
  steering.present()
}

// to see it at once; your game has its own loop
show(steering, { frame, objects: [ship], targets: [goal] })
