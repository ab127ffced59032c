import { Group, IcosahedronGeometry, Mesh, MeshNormalMaterial, type Object3D } from 'three'
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js'
import { AvoidObstacles, Pursue, SteeringController, SteeringWorld, Wander, within } from 'three-steering'
import { blend, Tether } from 'three-steering'
import { show } from 'three-steering/debug'
import { obstaclesFromObject3D } from 'three-steering/three'

/** Stand in until there is a file. */
function balls(): Object3D {
  const group = new Group()
  for (let i = 0; i < 12; i++) {
    const ball = new Mesh(
      new IcosahedronGeometry(2 + (i % 3), 1),
      new MeshNormalMaterial({ flatShading: true }),
    )
    ball.position.set(18 * Math.cos(2.4 * i), 4 * (i % 5) - 8, 18 * Math.sin(2.4 * i))
    group.add(ball)
  }
  return group
}

// rocks.glb lies in the folder `public`
const file = await new GLTFLoader().loadAsync('/rocks.glb').catch(() => null)
export const rocks = file?.scene ?? balls()
// poses are read from the world matrices
rocks.updateMatrixWorld(true)
// `follow: false` for rocks that never move
export const obstacles = obstaclesFromObject3D(rocks)

const steering = new SteeringWorld({ seed: 3 })
const avoid = new AvoidObstacles({ obstacles })
const roam = blend([new Wander(), new Tether({ target: { x: 0, y: 0, z: 0 }, radius: 20 })])
export const prey = new SteeringController(null, {
  maxSpeed: 6,
  maxForce: 20,
  behavior: within([avoid], roam),
})
export const hunter = new SteeringController(null, {
  position: { x: 0, y: 14, z: 0 },
  maxSpeed: 8, // m/s
  maxForce: 20, // N
  behavior: within([avoid], new Pursue({ target: prey })),
})
steering.add(prey).add(hunter)

export function frame(seconds: number): void {
  rocks.rotation.y += 0.05 * seconds
  rocks.updateMatrixWorld()
  steering.advance(seconds)
}
show(steering, { frame, objects: [rocks] })
