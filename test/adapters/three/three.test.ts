import { describe, expect, it } from 'vitest'
import {
  BoxGeometry,
  Group,
  InstancedMesh,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  Quaternion,
  SphereGeometry,
  Vector3,
} from 'three'
import { SteeringController, SteeringWorld } from 'three-steering'
import type { Pose } from 'three-steering/authoring'
import { instancedView, objectView, radiusOf } from 'three-steering/three'
import {
  about,
  expectRotation,
  expectVec,
  number,
  rotation,
  unit,
  v,
  vector,
} from '../../support/geometry.js'
import { law } from '../../support/law.js'
import { idle } from '../../support/pilot.js'

const LIMITS = { maxSpeed: 5, maxForce: 5 }

function placed(object: Object3D, position = v(0, 0, 0), turn = about(v(0, 1, 0), 0), scale = 1): Object3D {
  object.position.set(position.x, position.y, position.z)
  object.quaternion.set(turn.x, turn.y, turn.z, turn.w)
  object.scale.setScalar(scale)
  return object
}

describe('objectView', () => {
  law(
    'is where its agent starts, in groups that are moved, turned and scaled, with the nose ahead or astern',
    [vector(), rotation(), number(0.1, 10), vector(), rotation(), number(-1, 1)],
    (at, turn, scale, inner, innerTurn, side) => {
      const [outer, group] = [placed(new Group(), at, turn, scale), placed(new Group(), inner, innerTurn, 2)]
      const object = placed(new Object3D(), v(3, -2, 1), about(unit(v(1, 2, -1)), 0.7), 0.5)
      outer.add(group.add(object))
      object.updateWorldMatrix(true, false)
      const world = object.getWorldPosition(new Vector3())
      const nose = new Vector3(0, 0, side < 0 ? -1 : 1)
      const ahead = nose.clone().applyQuaternion(object.getWorldQuaternion(new Quaternion()))
      const [position, quaternion] = [object.position.clone(), object.quaternion.clone()]
      const pilot = new SteeringController(objectView(object), {
        ...LIMITS,
        forward: { x: 0, y: 0, z: nose.z },
        behavior: idle(),
      })
      const steering = new SteeringWorld()
      steering.add(pilot)
      expectVec(pilot.position, world, 1e-9)
      expectVec(pilot.attitude.x, ahead, 1e-9)
      steering.present()
      expectVec(object.position, position, 1e-6)
      expectRotation(object.quaternion, quaternion, 1e-6)
    },
  )

  it('is at the place of a parent that has no size', () => {
    const group = placed(new Group(), v(1, 2, 3), about(v(0, 1, 0), 1), 0)
    const object = placed(new Object3D(), v(4, 5, 6))
    group.add(object)
    const view = objectView(object)
    expectVec(view.position, v(1, 2, 3), 1e-12)
    expectRotation(view.quaternion, object.quaternion, 1e-12)
  })

  law(
    'shows a world pose in a moved, turned and scaled parent',
    [vector(), rotation(), number(0.1, 10), vector(), rotation(), vector(10)],
    (at, turn, scale, inner, innerTurn, wanted) => {
      const scene = new Group()
      const outer = placed(new Group(), at, turn, scale)
      const parent = placed(new Group(), inner, innerTurn, 0.5)
      const object = new Object3D()
      object.scale.set(1, 2, 3)
      scene.add(outer)
      outer.add(parent)
      parent.add(object)
      const pose: Pose = { position: wanted, quaternion: innerTurn }
      objectView(object).write(0, pose)
      expectVec(object.getWorldPosition(new Vector3()), wanted, 1e-6)
      expectRotation(object.getWorldQuaternion(new Quaternion()).normalize(), innerTurn, 1e-5)
      expectVec(object.scale, v(1, 2, 3), 0)
    },
    60,
  )

  it('follows a parent that moves after it was made', () => {
    const parent = new Group()
    const object = new Object3D()
    parent.add(object)
    const view = objectView(object)
    const pose: Pose = { position: v(1, 2, 3), quaternion: about(v(0, 0, 1), 0.4) }
    view.write(0, pose)
    placed(parent, v(7, 0, 0), about(v(0, 1, 0), 1), 2)
    view.write(0, pose)
    expectVec(object.getWorldPosition(new Vector3()), v(1, 2, 3), 1e-9)
    // and the object may get another parent
    new Group().add(object)
    view.write(0, pose)
    expectVec(object.position, v(1, 2, 3), 1e-9)
  })

  it('without a parent shows the pose unchanged', () => {
    const object = new Object3D()
    objectView(object).write(0, { position: v(1, 2, 3), quaternion: about(v(0, 0, 1), 0.4) })
    expectVec(object.position, v(1, 2, 3), 0)
    expectRotation(object.quaternion, about(v(0, 0, 1), 0.4), 1e-9)
  })

  it('is a view of a controller', () => {
    const parent = placed(new Group(), v(10, 0, 0), about(unit(v(1, 1, 0)), 2))
    const object = new Object3D()
    parent.add(object)
    const world = new SteeringWorld()
    world.add(
      new SteeringController(objectView(object), {
        behavior: idle(),
        maxSpeed: 1,
        maxForce: 1,
        position: v(3, 4, 5),
      }),
    )
    world.present()
    expectVec(object.getWorldPosition(new Vector3()), v(3, 4, 5), 1e-9)
  })
})

it('instancedView is a view of an InstancedMesh, which may be shared or wrapped', () => {
  const mesh = new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), 2)
  const view = instancedView(mesh)
  view.write(1, { position: v(1, 2, 3), quaternion: about(v(0, 0, 1), 0) })
  view.flush?.(2)
  expect(mesh.count).toBe(2)
  expect(Array.from(mesh.instanceMatrix.array.slice(28, 31))).toEqual([1, 2, 3])
  // an agent without an instance is not shown, and does no harm; `flush` reports it
  view.write(2, { position: v(0, 0, 0), quaternion: about(v(0, 0, 1), 0) })
  expect(() => view.flush?.(3)).toThrow(/got 3 agents.*room for 2/)
  expect(mesh.count).toBe(2)
})

describe('radiusOf', () => {
  it('of a box is half its diagonal', () => {
    expect(radiusOf(new Mesh(new BoxGeometry(2, 4, 4)))).toBeCloseTo(3, 6)
  })

  it('counts scale and children', () => {
    const group = new Group()
    const [near, far] = [new Mesh(new BoxGeometry(1, 1, 1)), new Mesh(new BoxGeometry(1, 1, 1))]
    near.position.x = -2
    far.position.x = 2
    group.add(near, far)
    // a box of 5 × 1 × 1
    expect(radiusOf(group)).toBeCloseTo(Math.sqrt(27) / 2, 6)
    group.scale.setScalar(2)
    expect(radiusOf(group)).toBeCloseTo(Math.sqrt(27), 6)
  })

  it('does not depend on where the object is', () => {
    const mesh = new Mesh(new BoxGeometry(2, 4, 4))
    mesh.position.set(100, -50, 3)
    expect(radiusOf(mesh)).toBeCloseTo(3, 4)
  })

  it('holds all of a sphere, and is not larger than the sphere around its box', () => {
    const radius = radiusOf(new Mesh(new SphereGeometry(2)))
    expect(radius).toBeGreaterThanOrEqual(2 - 1e-6)
    expect(radius).toBeLessThanOrEqual(2 * Math.sqrt(3) + 1e-6)
  })

  it('of an empty object is 0', () => {
    expect(radiusOf(new Group())).toBe(0)
  })
})
