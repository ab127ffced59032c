import { ConeGeometry, InstancedMesh, MeshNormalMaterial, Vector3 } from 'three'
import { blend, Cruise, Flock, Flocking, SteeringWorld, Tether } from 'three-steering'
import { show } from 'three-steering/debug'

const steering = new SteeringWorld({ seed: 7 })
const view = new InstancedMesh(new ConeGeometry(0.3, 1).rotateX(Math.PI / 2), new MeshNormalMaterial(), 200)
export const birds = new Flock({
  view,
  count: 100,
  radius: 0.4, // m
  maxSpeed: 8, // m/s
  maxForce: 15, // N
  maxNeighbors: 7,
  behavior: blend([
    new Flocking({
      separation: { neighborDistance: 2, weight: 1.5 },
      alignment: { neighborDistance: 6, weight: 1 },
      cohesion: { neighborDistance: 6, weight: 0.6 },
    }),
    new Cruise(),
    new Tether({ target: { x: 0, y: 0, z: 0 }, radius: 10 /* m */ }),
  ]),
})
steering.add(birds)

const place = new Vector3()

/** Takes the bird out that a ray hits first. Between two steps, as in an event of the page. */
export function shoot(from: Vector3, along: Vector3): boolean {
  let first = -1
  let nearest = Infinity
  for (let i = 0; i < birds.size; i++) {
    birds.position(i, place)
    const ahead = place.sub(from).dot(along)
    const aside = Math.sqrt(Math.max(0, place.lengthSq() - ahead * ahead))
    if (ahead < 0 || ahead > nearest || aside > birds.radius) continue
    nearest = ahead
    first = i
  }
  if (first < 0) return false
  // the last bird gets its index; `view` draws one fewer
  birds.remove(first)
  return true
}

let untilShot = 1
export function frame(seconds: number): void {
  steering.advance(seconds)
  untilShot -= seconds
  if (untilShot > 0) return
  untilShot = 1
  // at the first bird, from above; and a new one for it, at the end
  const from = new Vector3(0, 40, 0)
  birds.position(0, place)
  if (shoot(from, place.clone().sub(from).normalize())) birds.add(1)
}
show(steering, { frame, objects: [view], size: 18 })
