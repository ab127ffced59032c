import { ConeGeometry, Mesh, MeshNormalMaterial } from 'three'
import { Arrive, SteeringController, SteeringWorld } from 'three-steering'
import { addGhost, exportAgent, importAgent, orderNeighbors, type Ghost } from 'three-steering/shards'
import { show } from 'three-steering/debug'

// a world of two parts, with a border at x = 0
export const west = new SteeringWorld({ seed: 7 })
export const east = new SteeringWorld({ seed: 7 })
for (const world of [west, east]) orderNeighbors(world)

const makeBird = (): SteeringController =>
  new SteeringController(null, {
    seed: 1, // its key, the same in all parts
    position: { x: -20, y: 0, z: 0 },
    maxSpeed: 8, // m/s
    maxForce: 20, // N
    behavior: new Arrive({ target: { x: 30, y: 0, z: 0 } }),
  })
export let bird = makeBird()
west.add(bird)
export let ghost: Ghost | null = null

/** One step of both parts. */
export function tick(): void {
  for (const world of [west, east]) world.step(1 / 60)
  if (ghost === null && bird.position.x > 0 && bird.position.x < 10) {
    // it has crossed the border: the parcel is plain data, which may travel to another process
    const parcel = exportAgent(west, bird)
    west.remove(bird)
    bird = makeBird()
    importAgent(east, parcel, bird)
    // the west still sees it, while it is near the border
    ghost = addGhost(west, { seed: 1, position: bird.position, velocity: bird.velocity })
  }
  ghost?.set(bird.position, bird.velocity)
  if (ghost !== null && bird.position.x > 10) {
    ghost.remove()
    ghost = null
  }
}

const mesh = new Mesh(new ConeGeometry(1, 3).rotateX(Math.PI / 2), new MeshNormalMaterial())
show(west, {
  objects: [mesh],
  size: 35,
  frame: () => {
    tick()
    mesh.position.copy(bird.position)
    mesh.quaternion.copy(bird.quaternion)
  },
})
