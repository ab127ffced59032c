import { AvoidObstacles, BoxShape, findRoute, FollowPath, Obstacles, Path } from 'three-steering'
import { SteeringController, SteeringWorld, within, type Vec3Like } from 'three-steering'
import { Vector3 } from 'three'
import { show } from 'three-steering/debug'

/** A smooth path for a ball of `radius` m, which keeps half a radius more than it needs; null for no way. */
export function smoothWay(obstacles: Obstacles, from: Vec3Like, to: Vec3Like, radius: number): Path | null {
  const spare = radius / 2
  const points = findRoute(obstacles, from, to, radius + spare)?.map(({ x, y, z }) => new Vector3(x, y, z))
  if (points === undefined) return null
  // each corner is rounded so far that the arc is at most half of `spare` away from it
  const round = points.map((point, i) => {
    const [before, after] = [points[i - 1], points[i + 1]]
    if (before === undefined || after === undefined) return 0
    const cosine = Math.cos(point.clone().sub(before).angleTo(after.clone().sub(point)) / 2)
    return cosine < 1 ? (spare * cosine) / 2 / (1 - cosine) : 0
  })
  return new Path({ points, curve: 'arcs', radius: round })
}

// three walls, each with its window in another place
const half = { x: 1, y: 24, z: 30 }
const windows = [new Vector3(-15, 12, 0), new Vector3(0, -12, 0), new Vector3(15, 12, 0)]
const walls = new Obstacles(
  windows.flatMap(({ x, y, z }) =>
    [y - 27, y + 27].map((y) => ({ shape: new BoxShape(half), at: { x, y, z } })),
  ),
)
const path = smoothWay(walls, { x: -28, y: 0, z: 0 }, { x: 28, y: 0, z: 0 }, 1)!

const steering = new SteeringWorld()
const pilot = new SteeringController(null, {
  position: { x: -28, y: 0, z: 0 },
  radius: 1,
  maxSpeed: 15,
  maxForce: 30,
  behavior: within([new AvoidObstacles({ obstacles: walls })], new FollowPath({ path })),
})
steering.add(pilot)
pilot.addEventListener('arrive', () => console.info('found the way'))

// called once per rendered frame, with the seconds since the last one
export function frame(delta: number): void {
  steering.advance(delta)
}
show(steering, { frame, obstacles: walls })
