import RAPIER from '@dimforge/rapier3d-compat'
import { Object3D } from 'three'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  Hover,
  LookWhereGoing,
  ReciprocalAvoidance,
  Seek,
  SteeringController,
  SteeringWorld,
  Walker,
  within,
  type Behavior,
  type ControllerOptions,
  type Fault,
  type Vec3Like,
} from 'three-steering'
import {
  obstaclesFromRapier,
  rapierDoor,
  type RapierCharacterOptions,
  type RapierDoor,
} from 'three-steering/rapier'
import { expectVec, norm, v } from '../../support/geometry.js'

beforeAll(() => RAPIER.init())

const { ColliderDesc, RigidBodyDesc } = RAPIER

interface Scene {
  readonly world: RAPIER.World
  readonly steering: SteeringWorld
  readonly door: RapierDoor<RAPIER.World>
  readonly feet: RAPIER.KinematicCharacterController
  readonly faults: Fault[]
}

/** A floor of 40 m, 0.5 m below the origin, with an edge at x = 20. */
function scene(): Scene {
  const world = new RAPIER.World(v(0, -9.81, 0))
  world.createCollider(ColliderDesc.cuboid(20, 1, 20).setTranslation(0, -1.5, 0))
  const steering = new SteeringWorld()
  const faults: Fault[] = []
  steering.addEventListener('fault', (fault) => faults.push(fault))
  const feet = world.createCharacterController(0.01)
  feet.enableAutostep(0.3, 0.2, true)
  feet.enableSnapToGround(0.3)
  return { world, steering, door: rapierDoor(steering, world), feet, faults }
}

function walker(
  { world, steering, door, feet }: Scene,
  behavior: Behavior,
  {
    at = v(0, 0.4, 0),
    hasBody = true,
    ...options
  }: { at?: Vec3Like; hasBody?: boolean } & Partial<ControllerOptions> = {},
): { pilot: SteeringController; collider: RAPIER.Collider } {
  const body = hasBody
    ? world.createRigidBody(RigidBodyDesc.kinematicPositionBased().setTranslation(at.x, at.y, at.z))
    : undefined
  const desc = ColliderDesc.capsule(0.5, 0.3)
  const collider = world.createCollider(hasBody ? desc : desc.setTranslation(at.x, at.y, at.z), body)
  world.step()
  const pilot = new SteeringController(null, {
    behavior,
    body: door.character(collider, feet, { mass: 70 }),
    maxSpeed: 3,
    maxForce: 700,
    maxTorque: 200,
    ...options,
  })
  steering.add(pilot)
  return { pilot, collider }
}

describe.each([true, false])('a character (with a body: %s)', (hasBody) => {
  it('walks to its target and stands there on the ground', () => {
    const s = scene()
    const { collider, pilot } = walker(s, new Arrive({ target: v(6, 0.31, 5) }), { hasBody })
    for (let i = 0; i < 300; i++) s.door.step()
    expectVec(collider.translation(), v(6, 0.31, 5), 0.05)
    expect(norm(pilot.velocity)).toBeLessThan(0.02)
    expect(s.faults).toEqual([])
  })

  it('does not fly to a target above it, and turns about its upright axis only', () => {
    const s = scene()
    const { collider } = walker(s, new Seek({ target: v(8, 6, 0) }), { hasBody })
    for (let i = 0; i < 60; i++) s.door.step()
    expect(collider.translation().y).toBeLessThan(0.45)
    const { x, y, z } = collider.rotation()
    // nose along +x, which is a quarter turn
    expect(Math.hypot(x, z)).toBeLessThan(1e-6)
    expect(y).toBeGreaterThan(0.6)
  })

  it('is stopped by a wall, climbs a step, and falls over an edge', () => {
    const s = scene()
    s.world.createCollider(ColliderDesc.cuboid(1, 3, 9).setTranslation(-5, 0, 0))
    s.world.createCollider(ColliderDesc.cuboid(2, 0.1, 9).setTranslation(6, -0.4, 0))
    const stopped = walker(s, new Seek({ target: v(-30, 0.3, 3) }), { hasBody, at: v(0, 0.4, 3) })
    const climbing = walker(s, new Arrive({ target: v(6, 0.5, -3) }), { hasBody, at: v(0, 0.4, -3) })
    const falling = walker(s, new Seek({ target: v(40, 0.3, 9) }), { hasBody, at: v(16, 0.4, 9) })
    for (let i = 0; i < 240; i++) s.door.step()
    expect(stopped.collider.translation().x).toBeGreaterThan(-3.75)
    expect(stopped.collider.translation().x).toBeLessThan(-3.6)
    expect(norm(stopped.pilot.velocity)).toBeLessThan(0.05)
    expect(climbing.collider.translation().y).toBeGreaterThan(0.48)
    expect(climbing.collider.translation().x).toBeCloseTo(6, 1)
    expect(falling.collider.translation().y).toBeLessThan(-5)
    expect(falling.pilot.velocity.y).toBeLessThan(-8)
    expect(s.faults).toEqual([])
  })
})

it.each([
  [0.3, 0.3],
  [1.2, Math.PI / 4],
])('a character whose controller climbs %f rad and whose Walker climbs 45° climbs %f rad', (angle, least) => {
  const s = scene()
  s.feet.setMaxSlopeClimbAngle(angle)
  let slope = NaN
  walker(s, { steer: (agent) => void (slope = agent.maxSlope) }, { locomotion: new Walker() })
  s.door.step()
  expect(slope).toBeCloseTo(least, 6)
})

describe.each([true, false])('a character with a velocity from outside (with a body: %s)', (hasBody) => {
  const stand = (): Behavior => ({ steer() {} })
  const options = { at: v(0, 0.31, 0), hasBody }
  const settled = (): Scene & ReturnType<typeof walker> => {
    const s = scene()
    const made = walker(s, stand(), { ...options, locomotion: new Walker() })
    for (let i = 0; i < 30; i++) s.door.step()
    return { ...s, ...made }
  }

  it('is knocked back, and stops by the force of its feet', () => {
    const { collider, door, pilot } = settled()
    pilot.teleport({ velocity: v(6, 0, -2) })
    door.step()
    expect(pilot.velocity.x).toBeGreaterThan(5.5)
    for (let i = 0; i < 120; i++) door.step()
    // 6.3 m/s at 10 m/s² take 2 m
    const { x, z } = collider.translation()
    expect(Math.hypot(x, z)).toBeGreaterThan(1.8)
    expect(Math.hypot(x, z)).toBeLessThan(3)
    expect(z / x).toBeCloseTo(-1 / 3, 2)
    expect(norm(pilot.velocity)).toBeLessThan(1e-6)
  })

  it('is thrown up, and lands', () => {
    const { collider, door, pilot } = settled()
    pilot.teleport({ velocity: v(0, 4, 0) })
    let top = 0
    for (let i = 0; i < 90; i++) {
      door.step()
      top = Math.max(top, collider.translation().y)
    }
    // v² / (2 g) = 0.82 m
    expect(top - 0.31).toBeGreaterThan(0.7)
    expect(top - 0.31).toBeLessThan(0.9)
    expect(collider.translation().y).toBeCloseTo(0.31, 1)
  })

  it('begins a new life at rest', () => {
    const { collider, door, pilot } = settled()
    pilot.behavior = new Seek({ target: v(99, 0.3, 0) })
    for (let i = 0; i < 90; i++) door.step()
    expect(pilot.velocity.x).toBeGreaterThan(2)
    const body = collider.parent()
    if (body === null) collider.setTranslation(v(-5, 0.31, 5))
    else body.setTranslation(v(-5, 0.31, 5), true)
    pilot.teleport({ velocity: v(0, 0, 0), angularVelocity: v(0, 0, 0) })
    pilot.behavior = stand()
    for (let i = 0; i < 60; i++) door.step()
    expectVec(collider.translation(), v(-5, 0.31, 5), 0.02)
  })
})

describe('characters', () => {
  const bits = (member: number, filter: number): number => ((member << 16) | filter) >>> 0
  const passable = new Set<number>()
  const fence = { groups: bits(4, 1), own: bits(2, 0xffff) }
  const cases: [string, number | undefined, RapierCharacterOptions<RAPIER.Collider>, boolean][] = [
    ['the groups of its collider', fence.own, {}, true],
    ['groups of its own', undefined, { filterGroups: fence.own }, true],
    ['signed groups', undefined, { filterGroups: bits(0x8002, 0xffff) | 0 }, true],
    ['flags', undefined, { filterFlags: RAPIER.QueryFilterFlags.EXCLUDE_SENSORS | 2 }, false],
    ['a predicate', undefined, { filterPredicate: ({ handle }) => !passable.has(handle) }, true],
    ['nothing', undefined, {}, false],
  ]
  it.each(cases)('walk through what their filter leaves out: by %s', (_by, groups, filter, passes) => {
    const s = scene()
    const wall = s.world.createCollider(
      ColliderDesc.cylinder(1, 3).setTranslation(6, 0.5, 0).setCollisionGroups(fence.groups),
    )
    passable.clear()
    passable.add(wall.handle)
    const body = s.world.createRigidBody(RigidBodyDesc.kinematicPositionBased().setTranslation(0, 0.31, 0))
    const collider = s.world.createCollider(ColliderDesc.capsule(0.5, 0.3), body)
    if (groups !== undefined) collider.setCollisionGroups(groups)
    s.steering.add(
      new SteeringController(null, {
        body: s.door.character(collider, s.feet, filter),
        behavior: new Seek({ target: v(99, 0.3, 0) }),
        locomotion: new Walker(),
        maxSpeed: 3,
        maxForce: 700,
      }),
    )
    for (let i = 0; i < 240; i++) s.door.step()
    if (passes) expect(body.translation().x).toBeGreaterThan(9)
    else expect(body.translation().x).toBeLessThan(4)
  })

  it('walk around an obstacle, and obstacles leave them out', () => {
    const s = scene()
    s.world.createCollider(ColliderDesc.cylinder(2, 1.5).setTranslation(5, 0, 0.1))
    s.world.createCollider(ColliderDesc.ball(3).setTranslation(5, 0, 0).setSensor(true))
    const ground = s.world.colliders.getAll()[0]!
    const obstacles = obstaclesFromRapier(s.world, {
      filter: (collider) => collider !== ground,
    })
    const goal = new Arrive({ target: v(10, 0.31, 0) })
    const behavior = within([new AvoidObstacles({ obstacles, clearance: 0.2 })], [goal, new LookWhereGoing()])
    const { collider } = walker(s, behavior)
    expect(obstacles.size).toBe(1)
    let least = Infinity
    for (let i = 0; i < 600; i++) {
      s.door.step()
      const { x, z } = collider.translation()
      least = Math.min(least, Math.hypot(x - 5, z - 0.1) - 1.5 - 0.3)
    }
    expectVec(collider.translation(), v(10, 0.31, 0), 0.1)
    expect(least).toBeGreaterThan(0)
    expect(s.faults).toEqual([])
  })

  it.each([
    ['Walker', () => new Walker()],
    ['Hover', () => new Hover()],
  ])('go through a crowd without touching anybody, by %s', (_, makeLocomotion) => {
    const s = scene()
    const keepApart = new ReciprocalAvoidance()
    const goals: Vec3Like[] = []
    // two groups, three abreast, who pass through each other
    const colliders = Array.from({ length: 12 }, (_, i) => {
      const side = i % 2 === 0 ? 1 : -1
      const [along, across] = [4 + 1.2 * Math.floor(i / 6), 1.1 * (Math.floor(i / 2) % 3) - 1 + 0.1 * side]
      goals.push(v(side * (9.2 - along), 0.31, across))
      const behavior = within([keepApart], [new Arrive({ target: goals[i]! }), new LookWhereGoing()])
      const options = { radius: 0.3, locomotion: makeLocomotion() }
      return walker(s, behavior, { at: v(-side * along, 0.31, across), ...options }).collider
    })
    let least = Infinity
    let time = Infinity
    for (let step = 1; step < 600 && time === Infinity; step++) {
      s.door.step()
      const places = colliders.map((collider) => collider.translation())
      for (const [i, a] of places.entries()) {
        expect(a.y).toBeLessThan(0.45)
        for (const b of places.slice(0, i)) least = Math.min(least, Math.hypot(a.x - b.x, a.z - b.z) - 0.6)
      }
      if (places.every(({ x, z }, i) => Math.hypot(x - goals[i]!.x, z - goals[i]!.z) < 0.1)) time = step / 60
    }
    expect(least).toBeGreaterThan(0)
    // each way takes 3.4 s with all of its force and speed
    expect(time).toBeLessThan(6)
    expect(s.faults).toEqual([])
  })

  it('are drawn where their body is, though its collider lies beside it', () => {
    const s = scene()
    const body = s.world.createRigidBody(RigidBodyDesc.kinematicPositionBased().setTranslation(0, 0, 0))
    const collider = s.world.createCollider(ColliderDesc.capsule(0.5, 0.3).setTranslation(0.4, 0.31, 0), body)
    const object = new Object3D()
    const traits = { maxSpeed: 3, maxForce: 700, maxTorque: 200, behavior: new Seek({ target: v(5, 0, 9) }) }
    s.steering.add(new SteeringController(object, { body: s.door.character(collider, s.feet), ...traits }))
    for (let i = 0; i < 60; i++) s.door.step()
    s.steering.present()
    expectVec(object.position, body.translation(), 0.06)
    expect(Math.abs(body.rotation().y)).toBeGreaterThan(0.1)
  })

  it('that are removed are not steered', () => {
    const s = scene()
    const { collider } = walker(s, new Seek({ target: v(9, 0, 0) }))
    s.door.step()
    s.world.removeCollider(collider, false)
    s.door.step()
    s.steering.present()
    expect(s.faults).toEqual([])
  })

  it('need a collider of the world that is not of a dynamic body, a controller and a mass', () => {
    const s = scene()
    const { door, feet, world } = s
    const dynamic = world.createCollider(ColliderDesc.ball(1), world.createRigidBody(RigidBodyDesc.dynamic()))
    const free = world.createCollider(ColliderDesc.ball(1))
    expect(() => door.character({} as never, feet)).toThrow(/character: got/)
    expect(() => door.character(dynamic, feet)).toThrow(/must be kinematic/)
    expect(() => door.character(free, {} as never)).toThrow(/KinematicCharacterController/)
    expect(() => door.character(free, feet, { mass: 0 })).toThrow(/character.mass: got 0/)
    expect(() => door.character(free, feet, { filterFlags: 1.5 })).toThrow(/character.filterFlags: got 1.5/)
    expect(() => door.character(free, feet, { filterGroups: NaN })).toThrow(/character.filterGroups: got NaN/)
    expect(() => door.character(free, feet, { filterPredicate: 7 as never })).toThrow(
      /filterPredicate: got 7/,
    )
  })
})
