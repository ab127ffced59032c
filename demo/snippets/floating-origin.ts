import * as CANNON from 'cannon-es'
import { DirectedSeek, Flight, FollowPath, Obstacles, Path, AvoidObstacles } from 'three-steering'
import { SphereShape, SteeringController, SteeringWorld, within, type Vec3Like } from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { show } from 'three-steering/debug'

const world = new CANNON.World({ gravity: new CANNON.Vec3(0, 0, 0) })
const steering = new SteeringWorld()
attachToCannon(steering, world)

// what the game has placed itself: a station far away, its moons, and the route of a patrol around it
const station = { position: { x: 0, y: 300, z: 5000 }, heading: { x: 1, y: 0, z: 0 } }
const moons = new Obstacles([{ shape: new SphereShape(200), at: { x: 30, y: 150, z: 2500 } }])
const around = [-200, 0, 200].map((x) => ({ x, y: 300, z: 5200 - Math.abs(x) }))
const route = new Path({ points: around, ends: 'closed' })

function ship(position: Vec3Like, behavior: SteeringController['behavior']): SteeringController {
  const { x, y, z } = position
  const body = new CANNON.Body({ mass: 10, shape: new CANNON.Sphere(2), position: new CANNON.Vec3(x, y, z) })
  world.addBody(body)
  const options = { body: cannonBody(body), maxSpeed: 80, maxForce: 400, maxTorque: 60 }
  const made = new SteeringController(null, { ...options, behavior, locomotion: new Flight() })
  steering.add(made)
  return made
}

const toStation = new DirectedSeek({ target: station })
export const player = ship(
  { x: 0, y: 0, z: 0 },
  within([new AvoidObstacles({ obstacles: moons })], toStation),
)
export const patrol = ship(around[0]!, new FollowPath({ path: route }))
player.addEventListener('arrive', () => console.info('at the station'))

/** Where the origin is now, in the place of the start. */
export const origin = { x: 0, y: 0, z: 0 }

/** Moves all that has a place by the same vector, between two steps. */
function shift(by: Vec3Like): void {
  const { x, y, z } = by
  const move = (place: { x: number; y: number; z: number }): void => {
    place.x += x
    place.y += y
    place.z += z
  }
  for (const body of world.bodies) {
    for (const place of [body.position, body.previousPosition, body.interpolatedPosition]) move(place)
    body.aabbNeedsUpdate = true
  }
  move(station.position)
  moons.shift(by)
  route.shift(by)
  steering.shift(by)
  // scene.position, or the positions of all objects that no agent moves
  origin.x -= x
  origin.y -= y
  origin.z -= z
}

export function frame(delta: number): void {
  world.step(1 / 60, delta)
  const { x, y, z } = player.position
  if (Math.hypot(x, y, z) > 1000) shift({ x: -x, y: -y, z: -z })
  steering.present()
}
show(steering, { frame, obstacles: moons })
