import type { Body, World } from 'cannon-es'
import { Arrive, Hover, SteeringController, SteeringWorld } from 'three-steering'
import type { Object3DLike, Placed } from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'

/** All it takes: the scene shows the lines between the braces, and runs them. */
export function bringToLife(model: Object3DLike, body: Body, world: World, target: Placed): SteeringWorld {
  const steering = new SteeringWorld()
  attachToCannon(steering, world)
  const pilot = new SteeringController(model, {
    body: cannonBody(body),
    behavior: new Arrive({ target: target.position }),
    locomotion: new Hover(),
    maxSpeed: 7,
    maxForce: 60,
    maxTorque: 4,
    compensateGravity: true,
  })
  return steering.add(pilot)
}
