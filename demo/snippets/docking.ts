import * as CANNON from 'cannon-es'
import { DirectedSeek, Flight, SphereShape, SteeringController, SteeringWorld } from 'three-steering'
import { Dock, Port, portAxes, Undock } from 'three-steering/docking'
import { attachToCannon, cannonBody, latch } from 'three-steering/cannon'
import { show } from 'three-steering/debug'

const world = new CANNON.World({ gravity: new CANNON.Vec3(0, 0, 0) })
const steering = new SteeringWorld()
attachToCannon(steering, world)

// a rotating station with a port 12 m to starboard of its centre: −X of a body with its nose along +Z. A port
// uses x ahead, y up, z to starboard; portAxes converts
const station = new CANNON.Body({
  mass: 1e6,
  shape: new CANNON.Sphere(9),
  angularVelocity: new CANNON.Vec3(0, 0.02, 0),
})
const port = new Port({
  carrier: station,
  position: portAxes({ x: -12, y: 0, z: 0 }), // { x: 0, y: 0, z: 12 }
  outward: portAxes({ x: -1, y: 0, z: 0 }),
  clearance: 13, // ships fly around this ball (m), and enter it through the corridor only
})

const dock = new Dock({ port, closingSpeed: 0.25 /* m/s */ })
const ship = new CANNON.Body({
  mass: 10,
  shape: new CANNON.Sphere(1),
  position: new CANNON.Vec3(40, 20, -30),
})
for (const body of [station, ship]) world.addBody(body)
const pilot = new SteeringController(null, {
  body: cannonBody(ship),
  maxSpeed: 20, // m/s
  maxForce: 50, // N
  maxTorque: 20, // N·m
  behavior: dock,
})
steering.add(pilot)
pilot.addEventListener('stage', ({ stage }) => {
  console.info(stage) // approach, align, final, latched
  if (stage === 'latched') join()
})
pilot.addEventListener('cannot', ({ reason }) => console.info(reason)) // what is missing

// while the latch is closed, the ship exerts no force
let release = (): void => {}
function join(): void {
  release = latch(world, ship, station, CANNON.LockConstraint)
}

// opens the latch, and backs out of the corridor
export function leave(): void {
  release()
  pilot.behavior = new Undock({ port })
}

// joints and bodies are yours to save: after `restoreSnapshot` join again what is latched
export function afterLoad(): void {
  if (dock.stageOf(pilot) === 'latched') join()
}

// an aircraft without a body that lines up with a runway: position, direction, and a minimum turn radius
const glider = new SteeringController(null, {
  locomotion: new Flight(),
  maxSpeed: 25,
  maxForce: 15, // mass 1 kg: turns of 42 m
  velocity: { x: 0, y: 0, z: 25 },
  behavior: new DirectedSeek({
    target: { position: { x: 0, y: 5, z: -200 }, heading: { x: 1, y: -0.05, z: 0 } },
    arrivalSpeed: 15,
  }),
})
steering.add(glider)
glider.addEventListener('arrive', () => console.info('lined up'))

export function frame(delta: number): void {
  world.step(1 / 60, delta, 10)
}
show(steering, { frame, obstacles: [{ shape: new SphereShape(9), at: station }] })
