import { describe, expect, it } from 'vitest'
import {
  BoxGeometry,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  Quaternion,
  Vector3,
} from 'three'
import { SteeringController, SteeringWorld } from 'three-steering'
import { about, expectRotation, expectVec, turned, unit, v } from '../support/geometry.js'
import { idle, faultsIn } from '../support/pilot.js'
import { addFlock } from '../support/flock.js'

const SPIN = about(unit(v(1, 2, -1)), 1.3)

function controllerOf(object: Object3D, options = {}): SteeringController {
  return new SteeringController(object, {
    behavior: idle(),
    maxSpeed: 10,
    maxForce: 0,
    maxTorque: 1,
    ...options,
  })
}

function instances(count: number, room = count) {
  const mesh = new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), room)
  const world = new SteeringWorld()
  const start = (scaled: boolean) => {
    if (scaled)
      for (let i = 0; i < room; i++)
        mesh.setMatrixAt(
          i,
          new Matrix4().compose(
            new Vector3(9, 9, 9),
            new Quaternion(0.5, 0.5, 0.5, 0.5),
            new Vector3(1 + i, 2 + i, 0.5 + i),
          ),
        )
    return addFlock(world, {
      behavior: idle(),
      count,
      maxSpeed: 1,
      maxForce: 1,
      view: mesh,
      spawn: (i, { position, velocity, quaternion }) => {
        Object.assign(position, v(i, 10 * i, -i))
        Object.assign(velocity, v(0, 0, 0))
        Object.assign(quaternion, SPIN)
      },
    })
  }
  const read = (i: number) => {
    const matrix = new Matrix4()
    const [position, quaternion, scale] = [new Vector3(), new Quaternion(), new Vector3()]
    mesh.getMatrixAt(i, matrix)
    matrix.decompose(position, quaternion, scale)
    return { position, quaternion, scale }
  }
  return { mesh, world, start, read }
}

describe('an Object3D', () => {
  it('gets the pose of the agent and keeps its scale', () => {
    const mesh = new Mesh()
    mesh.scale.set(2, 3, 4)
    const world = new SteeringWorld()
    world.add(controllerOf(mesh, { position: v(1, 2, 3), quaternion: SPIN }))
    world.present(1)
    expectVec(mesh.position, v(1, 2, 3), 0)
    expectRotation(mesh.quaternion, SPIN, 1e-9)
    expectVec(mesh.scale, v(2, 3, 4), 0)
    // three's own rotation angles follow
    expect(mesh.rotation.x).not.toBe(0)
  })

  it('gives the agent its start', () => {
    const object = new Object3D()
    object.position.set(4, 5, 6)
    object.quaternion.set(SPIN.x, SPIN.y, SPIN.z, SPIN.w)
    const one = controllerOf(object)
    expectVec(one.position, v(4, 5, 6), 0)
    expectRotation(one.quaternion, SPIN, 1e-9)
    expectVec(one.attitude.x, turned(SPIN, v(0, 0, 1)), 1e-9)
    // options win over the pose of the object
    expectVec(controllerOf(object, { position: v(0, 0, 1) }).position, v(0, 0, 1), 0)
  })

  it('points along its agent’s nose: `lookAt` and attitude agree', () => {
    const object = new Object3D()
    object.lookAt(3, -2, 5)
    expectVec(controllerOf(object).attitude.x, unit(v(3, -2, 5)), 1e-9)
  })

  it('is shown where its agent is, also before the first step', () => {
    const object = new Object3D()
    const world = new SteeringWorld()
    world.add(controllerOf(object, { position: v(1, 2, 3), quaternion: SPIN }))
    world.present(0)
    expectVec(object.position, v(1, 2, 3), 0)
    expectRotation(object.quaternion, SPIN, 1e-9)
  })

  it('does not change before present', () => {
    const object = new Object3D()
    const world = new SteeringWorld()
    world.add(controllerOf(object, { velocity: v(1, 0, 0) }))
    world.step(1)
    expect(object.position.x).toBe(0)
    world.present()
    expect(object.position.x).toBe(1)
  })

  it('of another copy of three is accepted', () => {
    const set = (): void => {}
    const like = { position: { x: 1, y: 2, z: 3, set }, quaternion: { x: 0, y: 0, z: 0, w: 1, set } }
    const one = new SteeringController(like, { behavior: idle(), maxSpeed: 1, maxForce: 1 })
    expectVec(one.position, v(1, 2, 3), 0)
  })
})

describe('an InstancedMesh', () => {
  it('shows member i as instance i', () => {
    const { world, start, read } = instances(3)
    const flock = start(false)
    world.present(1)
    for (let i = 0; i < 3; i++) {
      const { position, quaternion, scale } = read(i)
      // matrices are 32-bit
      expectVec(position, v(i, 10 * i, -i), 1e-5)
      expectRotation(quaternion.normalize(), SPIN, 1e-5)
      expectVec(scale, v(1, 1, 1), 1e-6)
    }
    flock.remove(0)
    world.present(1)
    expectVec(read(0).position, v(2, 20, -2), 1e-5)
  })

  it('keeps the scale of each instance, also over many frames', () => {
    const { world, start, read } = instances(4)
    start(true)
    for (let frame = 0; frame < 50; frame++) world.present(1)
    for (let i = 0; i < 4; i++) {
      expectVec(read(i).scale, v(1 + i, 2 + i, 0.5 + i), 1e-4)
      expectRotation(read(i).quaternion.normalize(), SPIN, 1e-4)
    }
  })

  it('has the count of the members, and is uploaded to the GPU in each frame', () => {
    const { mesh, world, start } = instances(3, 10)
    const flock = start(false)
    world.present(1)
    expect(mesh.count).toBe(3)
    const { version } = mesh.instanceMatrix
    flock.add(2)
    world.present(1)
    expect(mesh.count).toBe(5)
    expect(mesh.instanceMatrix.version).toBe(version + 1)
    flock.remove(0)
    world.present(1)
    expect(mesh.count).toBe(4)
  })

  it('gets no bounding sphere, so that three computes a new one for culling', () => {
    const { mesh, world, start } = instances(2)
    start(false)
    world.present(1)
    mesh.computeBoundingSphere()
    expect(mesh.boundingSphere).not.toBe(null)
    world.present(1)
    mesh.computeBoundingSphere()
    expect(mesh.boundingSphere!.radius).toBeGreaterThan(5)
  })

  it('that is too small is reported, with both numbers', () => {
    const { world, start } = instances(3)
    const flock = start(false)
    flock.add(1)
    // once, not in every frame
    const faults = faultsIn(world, () => {
      for (let i = 0; i < 3; i++) world.present(1)
    })
    expect(faults).toMatch(/^view: threw RangeError: .*got 4 agents.*3 instances.*$/)
    // the world itself goes on
    world.step(1 / 60)
    expect(world.tick).toBe(1)
    flock.remove(3)
    world.present(1)
  })
})
