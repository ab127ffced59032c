import { BoxGeometry, Group, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, Vector3 } from 'three'
import { expect, it } from 'vitest'
import { Flock, SteeringWorld, Wander } from 'three-steering'
import { instancedView } from 'three-steering/three'

/** `instancedView` ignored the place of the mesh and of its parents. */
it('instances in a moved, turned and scaled group are drawn at their agents', () => {
  const group = new Group()
  group.position.set(100, 20, -3)
  group.rotation.set(0.3, 1.1, -0.4)
  group.scale.setScalar(2)
  const mesh = new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), 5)
  mesh.position.set(1, 2, 3)
  group.add(mesh)
  const steering = new SteeringWorld({ seed: 3 })
  const flock = new Flock({
    count: 5,
    view: instancedView(mesh),
    maxSpeed: 5,
    maxForce: 20,
    behavior: new Wander(),
  })
  steering.add(flock)
  for (let i = 0; i < 90; i++) {
    group.position.x += 0.1
    steering.step(1 / 60)
    steering.present()
  }
  for (let i = 0; i < flock.size; i++) {
    const shown = new Matrix4()
    mesh.getMatrixAt(i, shown)
    shown.premultiply(mesh.matrixWorld)
    const [at, turn, scale] = [new Vector3(), new Quaternion(), new Vector3()]
    shown.decompose(at, turn, scale)
    const { x, y, z } = flock.position(i, { x: 0, y: 0, z: 0 })
    expect(at.distanceTo(new Vector3(x, y, z))).toBeLessThan(1e-4)
    const attitude = flock.quaternion(i, { x: 0, y: 0, z: 0, w: 1 })
    expect(turn.angleTo(new Quaternion(attitude.x, attitude.y, attitude.z, attitude.w))).toBeLessThan(1e-3)
    // as with objectView, the scale of the group holds
    expect(scale.x).toBeCloseTo(2, 4)
  }
})
