import * as CANNON from 'cannon-es'
import { Orbit, SteeringController, SteeringWorld } from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { show } from 'three-steering/debug'

const world = new CANNON.World({ gravity: new CANNON.Vec3(0, 0, 0) })
const body = new CANNON.Body({ mass: 10, shape: new CANNON.Sphere(1), position: new CANNON.Vec3(12, 0, 0) })
world.addBody(body)
const steering = new SteeringWorld()
attachToCannon(steering, world)
export const pilot = new SteeringController(null, {
  body: cannonBody(body),
  maxSpeed: 10, // m/s
  maxForce: 150, // N
  behavior: new Orbit({ target: { x: 0, y: 0, z: 0 }, radius: 12, axis: { x: 0, y: 1, z: 0 } }),
})
steering.add(pilot)

/** 1 is real time, 0.25 slow motion, 0 a pause. */
export const clock = { speed: 1 }

export function onKey({ code }: { code: string }): void {
  if (code === 'KeyP') clock.speed = clock.speed === 0 ? 1 : 0
  if (code === 'KeyT') clock.speed = clock.speed === 1 ? 0.25 : 1
}
if (typeof document !== 'undefined') addEventListener('keydown', onKey)

export function frame(seconds: number): void {
  // the steps stay 1/60 s long: slow motion makes fewer of them, and `present` shows what is between
  if (clock.speed > 0) world.step(1 / 60, seconds * clock.speed)
  steering.present()
}
show(steering, { frame, size: 16, readout: () => `P: pause, T: slow motion. Speed ${clock.speed}` })
