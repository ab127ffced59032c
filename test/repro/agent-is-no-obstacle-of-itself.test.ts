import RAPIER from '@dimforge/rapier3d-compat'
import * as CANNON from 'cannon-es'
import { BoxGeometry, Group, InstancedMesh, Mesh, Scene, SphereGeometry } from 'three'
import { describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  BoxShape,
  Flock,
  Guard,
  Obstacles,
  Sight,
  SphereShape,
  SteeringController,
  SteeringWorld,
  within,
  type Behavior,
  type ControllerOptions,
} from 'three-steering'
import { attachToCannon, cannonBody, obstaclesFromCannon } from 'three-steering/cannon'
import { Formation, KeepSlot, linePattern } from 'three-steering/formation'
import { obstaclesFromRapier, rapierDoor } from 'three-steering/rapier'
import { objectView, obstaclesFromObject3D } from 'three-steering/three'
import { expectConsole } from '../support/console.js'

// `filter: (body) => body !== rock`, the first filter that anybody writes, let the body of the agent in, and
// so did `obstaclesFromObject3D(scene)` its mesh: it avoided itself, never arrived and spun for ever. Now a
// filter only narrows the usual choice, and what belongs to an agent is no obstacle to it, however it came
// into the set.

await RAPIER.init()

const target = { x: 0, y: 0, z: 40 }
const mind = (obstacles: Obstacles): Behavior =>
  within([new AvoidObstacles({ obstacles })], new Arrive({ target }))

const pilotOf = (view: object | null, options: Partial<ControllerOptions>): SteeringController =>
  new SteeringController(view as null, { maxSpeed: 10, maxForce: 100, ...options } as ControllerOptions)

/** Distance of a pilot from its target after the time (s) in which an unhindered one arrives. */
function missed(pilot: SteeringController, step: () => void, seconds = 8, rate = 60): number {
  for (let i = 0; i < seconds * rate; i++) step()
  const { x, y, z } = pilot.position
  return Math.hypot(x - target.x, y - target.y, z - target.z)
}

describe.each([30, 60, 240])('an agent arrives at %i steps a second', (rate) => {
  it.each<[string, object]>([
    ['by a filter', { filter: ({ mass }: CANNON.Body) => mass !== 7 }],
    ['with all bodies included', { include: () => true }],
  ])('among the obstacles of cannon-es, %s', (_, options) => {
    const world = new CANNON.World()
    const body = new CANNON.Body({ mass: 10, shape: new CANNON.Sphere(1) })
    body.addShape(new CANNON.Box(new CANNON.Vec3(3, 0.2, 1)), new CANNON.Vec3(0, 0.5, -1))
    const rock = new CANNON.Body({ shape: new CANNON.Sphere(3), position: new CANNON.Vec3(40, 0, 0) })
    for (const each of [rock, body]) world.addBody(each)
    const steering = new SteeringWorld()
    attachToCannon(steering, world)
    const pilot = pilotOf(null, {
      body: cannonBody(body),
      behavior: mind(obstaclesFromCannon(world, options)),
    })
    steering.add(pilot)
    expect(missed(pilot, () => world.step(1 / rate), 12, rate)).toBeLessThan(0.01)
  })

  it('among the obstacles of Rapier, with several colliders, all included', () => {
    const world = new RAPIER.World({ x: 0, y: 0, z: 0 })
    world.timestep = 1 / rate
    const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic())
    for (const x of [-1, 0, 2])
      world.createCollider(RAPIER.ColliderDesc.ball(1).setTranslation(x, 0, 0), body)
    const steering = new SteeringWorld()
    const door = rapierDoor(steering, world)
    const obstacles = obstaclesFromRapier(world, { include: () => true })
    obstacles.add({ shape: new SphereShape(2), at: door.frame(body), owner: {} })
    const pilot = pilotOf(null, { body: door.body(body), maxForce: 200, behavior: mind(obstacles) })
    steering.add(pilot)
    expect(missed(pilot, () => door.step(), 20, rate)).toBeLessThan(0.05)
    expect(obstacles.size).toBe(4)
    world.free()
  })

  it.each([{}, { include: () => true }, { follow: false }])('in a scene with its own mesh: %j', (options) => {
    const scene = new Scene()
    const mesh = new Mesh(new SphereGeometry(1))
    mesh.add(new Mesh(new BoxGeometry(3, 0.2, 1)))
    scene.add(mesh)
    const steering = new SteeringWorld()
    const obstacles = obstaclesFromObject3D(scene, options)
    const pilot = pilotOf(mesh, { behavior: mind(obstacles) })
    steering.add(pilot)
    expect(missed(pilot, () => steering.advance(1 / rate), 8, rate)).toBeLessThan(0.01)
    expect(obstacles.size).toBe('include' in options || 'follow' in options ? 2 : 0)
  })
})

it('a view with a moved parent, and a guard, do not hold the agent', () => {
  const scene = new Scene()
  const [group, mesh] = [new Group(), new Mesh(new SphereGeometry(1))]
  scene.add(group, new Group())
  group.add(mesh)
  group.position.set(5, 2, 1)
  const obstacles = obstaclesFromObject3D(scene, { include: () => true })
  const steering = new SteeringWorld({ guard: new Guard(obstacles) })
  const pilot = pilotOf(objectView(mesh), { behavior: mind(obstacles) })
  steering.add(pilot)
  expect(missed(pilot, () => steering.advance(1 / 60))).toBeLessThan(0.01)
})

describe('the usual choice of a scene', () => {
  it('leaves out what shows agents, as long as it does', () => {
    const scene = new Scene()
    const [rock, ship, wing, birds] = [
      new Mesh(new BoxGeometry()),
      new Mesh(new BoxGeometry()),
      new Mesh(new BoxGeometry()),
      new InstancedMesh(new BoxGeometry(), undefined, 9),
    ]
    ship.add(wing)
    scene.add(rock, ship, birds)
    const obstacles = obstaclesFromObject3D(scene)
    const owners = (): unknown[] => {
      obstacles.refresh()
      return [...new Set([...obstacles].map(({ owner }) => owner))]
    }
    expect(owners()).toEqual([rock, ship, wing, birds])
    const steering = new SteeringWorld()
    const behavior = { steer() {} }
    const pilot = pilotOf(ship, { behavior })
    const flock = new Flock({ count: 9, view: birds, maxSpeed: 1, maxForce: 1, behavior: { steer() {} } })
    steering.add(pilot).add(flock)
    expect(owners()).toEqual([rock])
    // its root is an obstacle for others, although it shows an agent
    expect(obstaclesFromObject3D(ship).size).toBe(2)
    steering.remove(pilot)
    flock.remove(3)
    expect(owners()).toEqual([rock, ship, wing])
    flock.dispose()
    birds.count = 9
    expect(owners()).toEqual([rock, ship, wing, birds])
    steering.dispose()
  })
})

it('a flock flies past the instances that show it', () => {
  const scene = new Scene()
  const birds = new InstancedMesh(new BoxGeometry(), undefined, 20)
  scene.add(birds)
  const fly = (obstacles: Obstacles): number[] => {
    const steering = new SteeringWorld({ seed: 4 })
    const flock = new Flock({ count: 20, view: birds, maxSpeed: 8, maxForce: 20, behavior: mind(obstacles) })
    steering.add(flock)
    for (let i = 0; i < 120; i++) steering.advance(1 / 60)
    const at = Array.from({ length: 20 }, (_, i) => flock.position(i, { x: 0, y: 0, z: 0 }))
    steering.dispose()
    return at.flatMap(({ x, y, z }) => [x, y, z])
  }
  const free = fly(new Obstacles())
  expect(fly(obstaclesFromObject3D(scene, { include: () => true }))).toEqual(free)
  expect(fly(obstaclesFromObject3D(scene))).toEqual(free)
})

it.each(['together', 'each'] as const)(
  'a formation passes a gate as if it were not in its set: %s',
  (passing) => {
    const fly = (isInSet: boolean): number[] => {
      const steering = new SteeringWorld()
      const posts = [-9, 9].map((x) => ({
        shape: new BoxShape({ x: 6, y: 9, z: 1 }),
        at: { x, y: 0, z: 60 },
      }))
      const obstacles = new Obstacles(posts)
      const leader = { position: { x: 0, y: 0, z: 0 }, velocity: { x: 0, y: 0, z: 5 } }
      const formation = new Formation({ spacing: 4, leader, obstacles, passing, pattern: linePattern })
      const part = new Formation({ spacing: 2, parent: formation, obstacles, pattern: linePattern })
      const pilots = [0, 1, 2, 3, 4, 5].map((i) => {
        const behavior = new KeepSlot({ formation: i < 4 ? formation : part })
        const position = { x: 4 * i - 8, y: 0, z: -6 }
        return pilotOf(null, { behavior, position, velocity: leader.velocity })
      })
      for (const each of pilots) steering.add(each)
      if (isInSet) for (const at of [leader, ...pilots]) obstacles.add({ shape: new SphereShape(1), at })
      return Array.from({ length: 600 }, () => {
        leader.position.z += leader.velocity.z / 60
        steering.advance(1 / 60)
        return pilots[0]!.position.x
      })
    }
    const free = fly(false)
    // it moves aside before the gate, and back behind it
    expect(new Set(free.map((x) => Math.round(x))).size).toBeGreaterThan(3)
    expect(fly(true)).toEqual(free)
  },
)

it.each(['body', 'mesh'])('a target is not hidden by its own %s', (what) => {
  const world = new CANNON.World()
  const body = new CANNON.Body({ mass: 1, shape: new CANNON.Sphere(1), position: new CANNON.Vec3(0, 0, 20) })
  world.addBody(body)
  const mesh = new Mesh(new SphereGeometry(1))
  mesh.add(new Mesh(new BoxGeometry(4, 4, 4)))
  const steering = new SteeringWorld()
  attachToCannon(steering, world)
  const prey = pilotOf(mesh, { body: cannonBody(body), behavior: { steer() {} } })
  const obstacles =
    what === 'body' ? obstaclesFromCannon(world, { include: () => true }) : obstaclesFromObject3D(mesh)
  const sight = new Sight({ target: prey, obstacles })
  const hunter = pilotOf(null, { behavior: sight })
  const seen: string[] = []
  hunter.addEventListener('stage', ({ stage }) => seen.push(stage))
  steering.add(prey).add(hunter)
  for (let i = 0; i < 30; i++) {
    world.step(1 / 60)
    steering.present()
  }
  expect(seen).toEqual(['seen'])
})

it('a filter of the old form is told', () => {
  const world = new CANNON.World()
  const calls = expectConsole()
  obstaclesFromCannon(world, { filter: ((_body: unknown, usual: boolean) => usual) as () => boolean })
  expect(calls).toEqual([
    { level: 'warn', text: expect.stringMatching(/filter gets no second argument.*include/) },
  ])
})
