import type { Body, World } from 'cannon-es'
import { Arrive, blend, Face, Hover, SteeringController, SteeringWorld } from 'three-steering'
import type { Placed } from 'three-steering'
import type { Object3DLike } from 'three-steering/authoring'
import { attachToCannon, cannonBody } from 'three-steering/cannon'

/** The target of the drone, and the point it looks at. */
export interface Orders {
  readonly target: Placed
  readonly viewer: Placed
}

/** The steering of the drone. The scene shows the lines between the braces, and runs them. */
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
