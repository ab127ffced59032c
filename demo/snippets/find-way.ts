import createGraph, { type Node } from 'ngraph.graph'
import { aStar } from 'ngraph.path'
import { Box3, Vector3 } from 'three'
import { AvoidObstacles, BoxShape, FollowPath, Obstacles, Path } from 'three-steering'
import { SteeringController, SteeringWorld, within } from 'three-steering'

/**
 * Finds paths for a ball of `radius` m past obstacles at rest, on a grid of `cell` m. It passes any gap that
 * is wider than three radii plus one cell.
 */
export function pathfinder(obstacles: Obstacles, radius: number, { min, max }: Box3, cell: number) {
  const cut = radius / 2 // m: rounding a corner deviates by no more than this
  const clearance = radius + cut
  const isFree = (from: Vector3, to: Vector3): boolean =>
    obstacles.sweep(from, to.clone().sub(from).normalize(), clearance, from.distanceTo(to)) === null

  // nodes: grid points with enough clearance, linked to their neighbours; the search tests whether a link is
  // free when it needs it
  const space = createGraph<Vector3>()
  const idOf = (x: number, y: number, z: number): number => (x * 1000 + y) * 1000 + z
  for (let x = 0; min.x + x * cell <= max.x; x++)
    for (let y = 0; min.y + y * cell <= max.y; y++)
      for (let z = 0; min.z + z * cell <= max.z; z++) {
        const place = new Vector3(x, y, z).multiplyScalar(cell).add(min)
        if (obstacles.distance(place, new Vector3()) < clearance) continue
        const { id } = space.addNode(idOf(x, y, z), place)
        for (const i of [x - 1, x])
          for (const j of [y - 1, y, y + 1])
            for (const k of [z - 1, z, z + 1]) {
              const next = idOf(i, j, k)
              if (next !== id && space.hasNode(next)) space.addLink(id, next)
            }
      }
  const distance = (a: Node<Vector3>, b: Node<Vector3>): number => a.data.distanceTo(b.data)
  const blocked = (a: Node<Vector3>, b: Node<Vector3>): boolean => !isFree(a.data, b.data)
  const finder = aStar(space, { distance, heuristic: distance, blocked })

  const nearest = (place: Vector3): Node<Vector3> | null => {
    let best: Node<Vector3> | null = null
    space.forEachNode((node) => {
      const nearer = best === null || node.data.distanceTo(place) < best.data.distanceTo(place)
      if (nearer && isFree(place, node.data)) best = node
    })
    return best
  }

  return (from: Vector3, to: Vector3): Path | null => {
    const [start, goal] = [nearest(from), nearest(to)]
    const nodes = start && goal ? finder.find(goal.id, start.id) : []
    if (nodes.length === 0) return null
    let points = [from, ...nodes.map(({ data }) => data), to]
    for (let round = 0; round < 6; round++) {
      // shortening: from each point straight to the last point that can be reached
      const dense = points.flatMap((p, i) => (i === 0 ? [p] : [p.clone().lerp(points[i - 1]!, 0.5), p]))
      points = [from]
      for (let i = 0, k = 0; i < dense.length - 1; i = k) {
        for (k = dense.length - 1; k > i + 1 && !isFree(dense[i]!, dense[k]!);) k--
        points.push(dense[k]!)
      }
    }
    // rounded as far as the sharpest corner allows
    let round = from.distanceTo(to)
    for (let i = 1; i < points.length - 1; i++) {
      const [before, after] = [points[i]!.clone().sub(points[i - 1]!), points[i + 1]!.clone().sub(points[i]!)]
      const cosine = Math.cos(before.angleTo(after) / 2)
      if (cosine < 1) round = Math.min(round, (cut * cosine) / (1 - cosine))
    }
    return new Path({ points, curve: 'arcs', radius: round })
  }
}

// three walls, each with its window in another place
const half = { x: 1, y: 24, z: 30 }
const windows = [new Vector3(-15, 12, 0), new Vector3(0, -12, 0), new Vector3(15, 12, 0)]
const walls = new Obstacles(
  windows.flatMap(({ x, y, z }) =>
    [y - 27, y + 27].map((y) => ({ shape: new BoxShape(half), at: { x, y, z } })),
  ),
)
const findWay = pathfinder(walls, 1, new Box3(new Vector3(-30, -20, -20), new Vector3(30, 20, 20)), 2)
const path = findWay(new Vector3(-28, 0, 0), new Vector3(28, 0, 0))!

const steering = new SteeringWorld()
const pilot = new SteeringController(null, {
  position: path.pointAt({ x: 0, y: 0, z: 0 }, 0),
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
