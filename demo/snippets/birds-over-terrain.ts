import {
  ConeGeometry,
  InstancedMesh,
  Mesh,
  MeshLambertMaterial,
  MeshNormalMaterial,
  PlaneGeometry,
} from 'three'
import { AvoidObstacles, blend, Cruise, Flight, Flock, Flocking, Obstacles } from 'three-steering'
import { STARLINGS, SteeringWorld, Tether, within } from 'three-steering'
import { MeshShape } from 'three-steering/bvh'
import { show } from 'three-steering/debug'

// the land: any mesh, here hills of 24 m
export const height = (x: number, z: number): number => 12 * Math.sin(x / 14) * Math.cos(z / 17)
const land = new PlaneGeometry(240, 240, 80, 80).rotateX(-Math.PI / 2)
const corners = land.getAttribute('position')
for (let i = 0; i < corners.count; i++) corners.setY(i, height(corners.getX(i), corners.getZ(i)))
land.computeVertexNormals()
const ground = new Mesh(land, new MeshLambertMaterial({ color: '#5a7' }))
const obstacles = new Obstacles([{ shape: new MeshShape(land), at: ground }])

// the birds, which are kept from the land by `within`, and near it by `Tether`
const steering = new SteeringWorld({ seed: 5 })
const { traits, flocking, cruise } = STARLINGS
const view = new InstancedMesh(new ConeGeometry(0.3, 1).rotateX(Math.PI / 2), new MeshNormalMaterial(), 80)
export const birds = new Flock({
  ...traits,
  view,
  count: view.count,
  locomotion: new Flight(),
  behavior: within(
    [new AvoidObstacles({ obstacles })],
    blend([
      new Flocking(flocking),
      new Cruise(cruise),
      new Tether({ target: { x: 0, y: 8, z: 0 }, radius: 40 /* m */ }),
    ]),
  ),
  spawn: (i, { position }) => Object.assign(position, { x: 2 * (i % 9), y: 24, z: 2 * Math.floor(i / 9) }),
})
steering.add(birds)

export function frame(seconds: number): void {
  steering.advance(seconds)
}
show(steering, { frame, objects: [ground, view], size: 55, center: { x: 0, y: 8, z: 0 } })
