import { BoxGeometry, Mesh, MeshNormalMaterial, Object3D } from 'three'
import { SteeringWorld, SteeringController, Wander } from 'three-steering'
import { PoseBuffer, PoseCodec, PoseWriter } from 'three-steering/net'
import { show } from 'three-steering/debug'

// the same on the server and on all clients
const codec = new PoseCodec({
  min: { x: -100, y: -20, z: -100 },
  max: { x: 100, y: 50, z: 100 },
  maxSpeed: 8,
})

// on the server, after a step, ten times a second
const world = new SteeringWorld({ seed: 7 })
const bird = new SteeringController(null, { behavior: new Wander(), maxSpeed: 8, maxForce: 20, seed: 1 })
world.add(bird)
const writer = new PoseWriter(codec)
export const packet = (): Uint8Array => writer.begin(world.time).add(bird).end()
export const tick = (): void => world.step(1 / 30)

// on a client
export const scene = new Object3D()
export const buffer = new PoseBuffer(codec, {
  enter: () => {
    const object = new Mesh(new BoxGeometry(1, 0.5, 2), new MeshNormalMaterial())
    scene.add(object)
    return object
  },
  leave: (_key, object) => scene.remove(object as Object3D),
})
export const onMessage = (bytes: Uint8Array): void => void buffer.receive(bytes, performance.now() / 1000)
export const frame = (): void => buffer.update(performance.now() / 1000)

// here both sides are on one page, and no network is between them
let ticks = 0
show(world, {
  objects: [scene],
  size: 20,
  frame: () => {
    tick()
    if (++ticks % 3 === 0) onMessage(packet())
    frame()
  },
})
