import RAPIER from '@dimforge/rapier3d-compat'
import * as CANNON from 'cannon-es'
import { Group, Mesh } from 'three'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Seek, SteeringController, SteeringWorld, type Behavior } from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { Dock, Port } from 'three-steering/docking'
import { rapierDoor } from 'three-steering/rapier'
import { expectConsole } from '../support/console.js'

// A controller that had left its world was told to be added to it, and its mesh to be added to a scene. A
// body that became kinematic or static in flight was pushed in vain, and nothing was said. A port refused an
// Object3D as its carrier.

await RAPIER.init()

afterEach(() => vi.unstubAllGlobals())

const limits = { maxSpeed: 5, maxForce: 10 }
const seek = (): Behavior => new Seek({ target: { x: 0, y: 0, z: 90 } })

describe('a controller that has left its world', () => {
  it.each(['remove', 'dispose'] as const)('by %s is not told to be added', (how) => {
    const calls = expectConsole()
    const steering = new SteeringWorld()
    const pilot = new SteeringController(null, { ...limits, behavior: seek() })
    steering.add(pilot)
    for (let i = 0; i < 30; i++) steering.step(1 / 60)
    if (how === 'remove') steering.remove(pilot)
    else pilot.dispose()
    for (let i = 0; i < 200; i++) steering.step(1 / 60)
    expect(calls).toEqual([])
  })

  it('may have a mesh that is in no scene', () => {
    vi.stubGlobal('requestAnimationFrame', () => 0)
    const calls = expectConsole()
    const [steering, scene, mesh] = [new SteeringWorld(), new Group(), new Mesh()]
    const shown = new Mesh()
    scene.add(mesh, shown)
    // the hint looks at the last eight meshes, also of other worlds
    for (let i = 0; i < 8; i++) {
      const other = new Mesh()
      scene.add(other)
      steering.add(new SteeringController(other, { ...limits, behavior: seek() }))
    }
    const pilot = new SteeringController(mesh, { ...limits, behavior: seek() })
    steering.add(pilot).add(new SteeringController(shown, { ...limits, behavior: seek() }))
    for (let i = 0; i < 200; i++) {
      steering.advance(1 / 60)
      if (i === 30) {
        steering.remove(pilot)
        scene.remove(mesh)
      }
    }
    expect(calls).toEqual([])
  })
})

describe('a body that forces cannot move any more is told once, when it is pushed', () => {
  it.each<[string, (body: CANNON.Body) => void, RegExp]>([
    ['kinematic', (body) => (body.type = CANNON.Body.KINEMATIC), /static or kinematic/],
    ['static', (body) => (body.type = CANNON.Body.STATIC), /static or kinematic/],
    ['without mass', (body) => (body.mass = 0), /mass 0/],
  ])('of cannon-es: %s', (_, change, text) => {
    const calls = expectConsole()
    const world = new CANNON.World()
    const body = new CANNON.Body({ mass: 1, shape: new CANNON.Sphere(1) })
    world.addBody(body)
    const steering = new SteeringWorld()
    attachToCannon(steering, world)
    steering.add(new SteeringController(null, { ...limits, behavior: seek(), body: cannonBody(body) }))
    for (let i = 0; i < 30; i++) world.step(1 / 60)
    expect(calls).toEqual([])
    change(body)
    body.updateMassProperties()
    for (let i = 0; i < 60; i++) world.step(1 / 60)
    expect(calls).toEqual([{ level: 'warn', text: expect.stringMatching(text) as string }])
  })

  it.each([RAPIER.RigidBodyType.KinematicPositionBased, RAPIER.RigidBodyType.Fixed])(
    'of Rapier: type %i',
    (type) => {
      const calls = expectConsole()
      const world = new RAPIER.World({ x: 0, y: 0, z: 0 })
      const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic())
      world.createCollider(RAPIER.ColliderDesc.ball(1), body)
      const steering = new SteeringWorld()
      const door = rapierDoor(steering, world)
      steering.add(new SteeringController(null, { ...limits, behavior: seek(), body: door.body(body) }))
      for (let i = 0; i < 30; i++) door.step()
      expect(calls).toEqual([])
      body.setBodyType(type, true)
      for (let i = 0; i < 60; i++) door.step()
      expect(calls).toEqual([{ level: 'warn', text: expect.stringMatching(/fixed or kinematic/) as string }])
      world.free()
    },
  )
})

describe('a port on an Object3D', () => {
  const dockAt = (
    carrier: Port['carrier'],
    each = (): void => {},
  ): { states: number[]; stage: string | undefined } => {
    const port = new Port({ carrier, position: { x: 4, y: 0, z: 0 }, outward: { x: 1, y: 0, z: 0 } })
    const behavior = new Dock({ port })
    const pilot = new SteeringController(null, {
      behavior,
      position: { x: -20, y: 8, z: 60 },
      radius: 1,
      maxSpeed: 10,
      maxForce: 30,
      maxTorque: 20,
    })
    const steering = new SteeringWorld()
    steering.add(pilot)
    const stages: string[] = []
    pilot.addEventListener('stage', ({ stage }) => stages.push(stage))
    const states: number[] = []
    for (let i = 0; i < 60 * 60; i++) {
      steering.step(1 / 60)
      each()
      states.push(pilot.position.x, pilot.position.y, pilot.position.z)
    }
    return { states, stage: stages.at(-1) }
  }

  it('is docked at as on a carrier at rest', () => {
    const mesh = new Mesh()
    mesh.position.set(3, 2, 1)
    mesh.rotation.set(0.3, 0.7, -0.2)
    const still = { x: 0, y: 0, z: 0 }
    const { position, quaternion } = mesh
    const { states, stage } = dockAt(mesh)
    expect(stage).toBe('latched')
    expect(states).toEqual(dockAt({ position, quaternion, velocity: still, angularVelocity: still }).states)
    expect(() => dockAt({} as never)).toThrow(/Port.carrier: got .*must have a position/)
    expect(() => dockAt({ position, velocity: 3 } as never)).toThrow(/Port.carrier: got/)
  })

  it('that moves is told', () => {
    const calls = expectConsole()
    const mesh = new Mesh()
    dockAt(mesh, () => (mesh.position.x += 0.01))
    expect(calls.map(({ text }) => text)).toEqual([expect.stringMatching(/carrier of a port moves, but/)])
  })
})
