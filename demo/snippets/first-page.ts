import * as CANNON from 'cannon-es'
import * as THREE from 'three'
import { Arrive, SteeringController, SteeringWorld } from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'

// the picture
const renderer = new THREE.WebGLRenderer({ antialias: true })
renderer.domElement.style.cssText = 'position: fixed; inset: 0'
renderer.setSize(innerWidth, innerHeight)
document.body.append(renderer.domElement)
const camera = new THREE.PerspectiveCamera(50, innerWidth / innerHeight)
camera.position.set(-70, 20, 0)
camera.lookAt(0, 5, 0)
const scene = new THREE.Scene()
const target = new THREE.Mesh(
  new THREE.IcosahedronGeometry(1),
  new THREE.MeshBasicMaterial({ wireframe: true }),
)
target.position.set(5, 12, 30)
scene.add(target)

// a ship, and its body. The nose of a model is its +Z axis, that of a cone +Y
const ship = new THREE.Mesh(new THREE.ConeGeometry(1, 3).rotateX(Math.PI / 2), new THREE.MeshNormalMaterial())
scene.add(ship)
const world = new CANNON.World({ gravity: new CANNON.Vec3(0, 0, 0) })
const body = new CANNON.Body({ mass: 10, shape: new CANNON.Sphere(1), position: new CANNON.Vec3(0, 0, -40) })
world.addBody(body)

// the steering
const steering = new SteeringWorld()
attachToCannon(steering, world)
const pilot = new SteeringController(ship, {
  body: cannonBody(body),
  maxSpeed: 20, // m/s
  maxForce: 150, // N
  maxTorque: 60, // N·m
  behavior: new Arrive({ target: { x: 5, y: 12, z: 30 } }),
})
steering.add(pilot)
pilot.addEventListener('arrive', () => console.info('docked'))

// the loop: three.js gives the time in milliseconds
let last = 0
renderer.setAnimationLoop((time) => {
  world.step(1 / 60, (time - last) / 1000)
  last = time
  steering.present()
  renderer.render(scene, camera)
})
