import { BoxGeometry, Group, Mesh, Object3D } from 'three'
import { describe, expect, it } from 'vitest'
import {
  AvoidObstacles,
  BoxShape,
  Obstacles,
  Seek,
  SphereShape,
  SteeringController,
  SteeringWorld,
  within,
  type Behavior,
  type ObstacleOptions,
  type Wrench,
} from 'three-steering'
import type { Agent, SteeringBody, Step } from 'three-steering/authoring'
import { FlowAround, FollowFlowField } from 'three-steering/flow'
import { Formation, KeepSlot, linePattern } from 'three-steering/formation'
import { BEHAVIORS, bitsOf, Dummy, firstDifference, randomScene, type Scene } from './kit.js'
import { pick } from '../support/tier.js'

// An agent is no obstacle of itself: what belongs to it changes no bit of its flight, in whichever set it is
// and whichever behaviour asks for it.

const STEPS = 40

/** All sets of obstacles that a behaviour and its parts have. */
function setsOf(value: unknown, seen = new Set<unknown>()): Obstacles[] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return []
  seen.add(value)
  if (value instanceof Obstacles) return [value]
  return Object.values(value).flatMap((each) => setsOf(each, seen))
}

interface Ship {
  readonly pilot: SteeringController
  readonly mesh: Object3D
  readonly engineBody: object | null
}

type Make = (ship: Ship) => ObstacleOptions[]

const ball = new SphereShape(1.5)
const slab = new BoxShape({ x: 0.5, y: 2, z: 3 })
const offset = { x: 0.3, y: -0.4, z: 0.6 }

/** What an agent may be entered as. Each follows the agent, so that it would be in its way. */
const ENTRIES: Readonly<Record<string, Make>> = {
  'its controller': ({ pilot }) => [
    { shape: ball, at: pilot },
    { shape: slab, at: pilot, offset },
  ],
  'its mesh': ({ pilot, mesh }) => [
    { shape: ball, at: mesh },
    { shape: slab, at: { position: pilot.position }, owner: mesh },
  ],
  'a part of its mesh': ({ pilot, mesh: { children } }) => [
    { shape: slab, at: { position: pilot.position }, owner: children[0]!, offset },
    { shape: ball, at: { position: pilot.position }, owner: children[0]!.children[0]! },
  ],
  'a group that holds nothing but its mesh': ({ pilot, mesh }) => [
    { shape: ball, at: { position: pilot.position }, owner: mesh.parent! },
  ],
  'its body, under the name of another owner': ({ pilot, engineBody }) => [
    { shape: ball, at: (engineBody ?? pilot) as SteeringController, owner: { team: 'red' } },
    { shape: slab, at: { position: pilot.position }, owner: engineBody ?? pilot, offset },
  ],
}

/** The mesh of another, which moves along: the oracle that the entries would be felt. */
const stranger: Make = ({ pilot }) => [
  { shape: ball, at: { position: pilot.position }, owner: {} },
  { shape: slab, at: { position: pilot.position }, owner: {}, offset },
]

/** A body that the test moves as if it hung on the force, and that obstacles can follow. */
class Hull extends Dummy implements SteeringBody {
  readonly engineBody = this
  get position() {
    return this.state.position
  }
  get velocity() {
    return this.state.velocity
  }
  override apply(wrench: Readonly<Wrench>, step?: Step): void {
    super.apply(wrench)
    const { position, velocity, mass } = this.state
    for (const axis of ['x', 'y', 'z'] as const) {
      velocity[axis] += (wrench.force[axis] / mass) * (step?.dt ?? 0)
      position[axis] += velocity[axis] * (step?.dt ?? 0)
    }
  }
}

/** States of an agent after each step; with `make`, these are in all of its sets of obstacles. */
function fly(scene: Scene, behavior: Behavior, hasBody: boolean, make: Make = () => []): number[][] {
  const world = new SteeringWorld({ up: scene.up, seed: 5 })
  world.addEventListener('fault', ({ message }) => expect.fail(message))
  const mesh = new Mesh(new BoxGeometry())
  mesh.add(new Group().add(new Mesh(new BoxGeometry()), new Mesh(new BoxGeometry())))
  new Group().add(mesh)
  const { position, velocity, quaternion, angularVelocity } = scene.self
  const { inertia: _, mass, ...traits } = scene.traits
  const hull = hasBody ? new Hull(scene) : null
  const pilot = new SteeringController(mesh, {
    ...traits,
    behavior,
    seed: 7,
    ...(hull === null ? { mass, position, velocity, quaternion, angularVelocity } : { body: hull }),
  })
  world.add(pilot)
  scene.others.forEach((other, i) => {
    const drift: Behavior = { steer: () => undefined }
    world.add(new SteeringController(null, { ...other, behavior: drift, maxSpeed: 50, maxForce: 0, seed: i }))
  })
  const own = make({ pilot, mesh, engineBody: hull })
  // before the first step: later it has a solver, which knows the sets of others
  const sets = [...new Set(setsOf(behavior))]
  for (const set of sets) for (const each of own) set.add(each)
  const states = Array.from({ length: STEPS }, () => {
    world.step(1 / 60)
    world.present()
    return bitsOf([pilot])
  })
  // between the steps everybody sees it
  for (const set of sets) {
    set.refresh()
    if (own.length > 0) expect(set.near(pilot.position, 0.01, [])).toBeGreaterThan(0)
  }
  world.dispose()
  return states
}

/** The behaviours of the kit, and further ones with obstacles. */
const MINDS: Readonly<Record<string, (scene: Scene) => Behavior>> = {
  ...BEHAVIORS,
  'a behavior of the user': () => {
    const obstacles = new Obstacles([{ shape: ball, at: { x: 9, y: 9, z: 9 } }])
    const normal = { x: 0, y: 0, z: 0 }
    return Object.assign(
      {
        steer({ position }: Agent, _step: Step, { force }: Wrench) {
          obstacles.refresh()
          const k = 5 / obstacles.distance(position, normal) + obstacles.fastest
          force.x += k * normal.x
          force.y += k * normal.y
          force.z += k * normal.z
        },
      },
      { obstacles },
    )
  },
  'a flow around obstacles': ({ target }) => {
    const obstacles = new Obstacles([{ shape: ball, at: target }])
    const flow = new FlowAround({
      flow: (_point, _time, out) => void Object.assign(out, { x: 3, y: 1 }),
      obstacles,
      range: 30,
    })
    return new FollowFlowField({ field: flow })
  },
  'a formation with obstacles': ({ target }) =>
    new KeepSlot({
      formation: new Formation({
        spacing: 3,
        leader: target,
        pattern: linePattern,
        obstacles: new Obstacles([{ shape: ball, at: target }]),
      }),
    }),
  'obstacles with nothing else in it': ({ target }) =>
    within([new AvoidObstacles({ obstacles: [] })], new Seek({ target })),
}

const NAMES = Object.keys(MINDS).filter((name) => setsOf(MINDS[name]!(randomScene(1))).length > 0)
const SEEDS = pick(1, 3, 8)

it('every behaviour with obstacles is tested', () => {
  expect(NAMES.length).toBeGreaterThan(20)
})

describe.each(Object.keys(ENTRIES))('%s is nothing', (entry) => {
  it.each([false, true])('to AvoidObstacles, with a body: %s', (hasBody) => {
    expectNoChange('obstacles with nothing else in it', hasBody, ENTRIES[entry]!)
  })
})

it.each(NAMES)('what belongs to the agent is nothing to %s', (name) => {
  expectNoChange(name, true, (ship) => Object.values(ENTRIES).flatMap((make) => make(ship)))
})

function expectNoChange(name: string, hasBody: boolean, make: Make): void {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const scene = randomScene(seed)
    const without = fly(scene, MINDS[name]!(scene), hasBody)
    expect(firstDifference(fly(scene, MINDS[name]!(scene), hasBody, make), without)).toBeNull()
  }
}

it('what belongs to another is felt', () => {
  const blind = NAMES.filter((name) => {
    const scene = randomScene(1)
    const without = fly(scene, MINDS[name]!(scene), true)
    return firstDifference(fly(scene, MINDS[name]!(scene), true, stranger), without) === null
  })
  // these are not in its way in this scene
  expect(blind.length).toBeLessThan(NAMES.length / 6)
})
