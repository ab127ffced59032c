import type { Body, World } from 'cannon-es'
import { Arrive, blend, Face, Hover, SteeringController, SteeringWorld } from 'three-steering'
import type { Object3DLike, Placed } from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'

/** What the drone is told: where to be, and whom to look at. */
export interface Orders {
  readonly target: Placed
  readonly viewer: Placed
}

/** All it takes: the scene shows the lines between the braces, and runs them. */
export function bringToLife(model: Object3DLike, body: Body, world: World, { target, viewer }: Orders) {
  const steering = new SteeringWorld()
  attachToCannon(steering, world)
  const pilot = new SteeringController(model, {
    body: cannonBody(body),
    behavior: blend([new Arrive({ target }), new Face({ target: viewer })]),
    locomotion: new Hover(),
    maxSpeed: 7,
    maxForce: 60,
    maxTorque: 8,
    compensateGravity: true,
  })
  return steering.add(pilot)
}
