import { BoxGeometry, InstancedMesh, Matrix4, MeshNormalMaterial } from 'three'
import { SteeringWorld } from 'three-steering'
import { show } from 'three-steering/debug'

// a picture without agents of its own: these are in the worker
export const birds = new InstancedMesh(new BoxGeometry(0.5, 0.5, 0.5), new MeshNormalMaterial(), 200)
birds.frustumCulled = false // they leave the place in which they were first seen

const worker = new Worker(new URL('./birds-worker.js', import.meta.url), { type: 'module' })
const place = new Matrix4()
worker.addEventListener('message', ({ data }: MessageEvent<Float32Array>) => {
  for (let i = 0; i < birds.count; i++)
    birds.setMatrixAt(i, place.makeTranslation(data[3 * i]!, data[3 * i + 1]!, data[3 * i + 2]!))
  birds.instanceMatrix.needsUpdate = true
})
show(new SteeringWorld(), { objects: [birds], size: 50, center: { x: 0, y: 30, z: 0 } })
