import * as CANNON from 'cannon-es'
import { BoxGeometry, Group, InstancedMesh, Matrix4, Mesh, MeshBasicMaterial } from 'three'
import { expect, it } from 'vitest'
import { obstaclesFromCannon, tuneCannon } from 'three-steering/cannon'
import { obstaclesFromObject3D } from 'three-steering/three'
import { leastHeapUse } from '../support/heap.js'

const SHAPES = 1000

/** Bytes that `move` allocates per shape after warm-up. Stops measuring when the result is below `bound`. */
function bytesPerShape(move: () => void, bound: number): number {
  for (let i = 0; i < 100; i++) move()
  const bytes = leastHeapUse(move, 100, bound * SHAPES).allocated / SHAPES
  if (process.env['ALLOCATION'] === 'print') process.stdout.write(`${bytes.toFixed(1)} B per shape\n`)
  return bytes
}

it('obstacles follow moving bodies without allocation', () => {
  const world = new CANNON.World()
  for (let i = 0; i < SHAPES / 2; i++) {
    const body = new CANNON.Body({ type: CANNON.Body.STATIC, position: new CANNON.Vec3(i, 0, 0) })
    body.addShape(i % 2 ? new CANNON.Sphere(1) : new CANNON.Box(new CANNON.Vec3(1, 2, 3)))
    body.addShape(new CANNON.Cylinder(1, 1, 2, 5), new CANNON.Vec3(0, 3, 0))
    world.addBody(body)
  }
  const obstacles = obstaclesFromCannon(world)
  const bytes = bytesPerShape(() => {
    for (const body of world.bodies) body.position.x += 0.01
    obstacles.refresh()
  }, 75)
  // a vector per shape would be 80 bytes; measured were 8 when this was written
  expect(bytes).toBeLessThan(75)
})

it('obstacles follow moving meshes without allocation', () => {
  const root = new Group()
  for (let i = 0; i < SHAPES / 2; i++) {
    const mesh = new Mesh(new BoxGeometry())
    mesh.position.x = i
    root.add(mesh)
  }
  const rocks = new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), SHAPES / 2)
  for (let i = 0; i < SHAPES / 2; i++) rocks.setMatrixAt(i, new Matrix4().makeTranslation(0, i, 0))
  root.add(rocks)
  const obstacles = obstaclesFromObject3D(root)
  const bytes = bytesPerShape(() => {
    root.position.x += 0.01
    root.rotation.y += 0.01
    obstacles.refresh()
  }, 120)
  expect(bytes).toBeLessThan(120)
})

it('a tuned world finds its pairs and keeps its contacts without allocation, also when ids grow', () => {
  const world = new CANNON.World()
  for (let i = 0; i < SHAPES; i++) {
    const position = new CANNON.Vec3(
      1.1 * (i % 10),
      1.1 * (Math.floor(i / 10) % 10),
      1.1 * Math.floor(i / 100),
    )
    world.addBody(new CANNON.Body({ mass: 1, shape: new CANNON.Sphere(0.1 + 0.001 * i), position }))
  }
  // counted, as lists of pairs are those of cannon-es
  let pairs = 0
  world.broadphase.intersectionTest = () => void pairs++
  tuneCannon(world)
  const [a, b] = [{ id: 0 }, { id: 0 }] as [CANNON.Body, CANNON.Body]
  const bytes = bytesPerShape(() => {
    world.broadphase.collisionPairs(world, [], [])
    world.collisionMatrixTick()
    for (let i = 0; i < SHAPES; i++) {
      a.id = b.id++
      world.collisionMatrix.set(a, b, true)
      world.bodyOverlapKeeper.set(a.id, b.id)
      if (world.collisionMatrixPrevious.get(a, b)) pairs++
    }
  }, 16)
  expect(pairs).toBeGreaterThan(100 * SHAPES)
  expect(bytes).toBeLessThan(16)
})
