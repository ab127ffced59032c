import { describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  Obstacles,
  ReciprocalAvoidance,
  SphereShape,
  SteeringController,
  SteeringWorld,
  Thrusters,
  within,
  type Vec3,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'

/**
 * Ships that swap positions between rocks, with engines that are weak astern and at the sides: `within` asks
 * for the force that they can give.
 */

const FORCE = 40

function onSphere(random: () => number, radius: number): Vec3 {
  const z = 2 * random() - 1
  const turn = 2 * Math.PI * random()
  const flat = Math.sqrt(1 - z * z)
  return { x: radius * flat * Math.cos(turn), y: radius * flat * Math.sin(turn), z: radius * z }
}

const apart = (a: Readonly<Vec3>, b: Readonly<Vec3>): number => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)

function swap(
  seed: number,
  astern: number,
  side: number,
): { contacts: number; resting: number; ships: number } {
  const random = seeded(seed)
  const world = new SteeringWorld({ seed })
  const rocks = Array.from({ length: 8 }, () => ({ radius: 2 + 2 * random(), at: onSphere(random, 18) }))
  const obstacles = new Obstacles(rocks.map(({ radius, at }) => ({ shape: new SphereShape(radius), at })))
  const sides = { up: side * FORCE, down: side * FORCE, port: side * FORCE, starboard: side * FORCE }
  const ships = Array.from({ length: 8 }, (_, i) => {
    const position = onSphere(random, 40)
    const target = { x: -position.x, y: -position.y, z: -position.z }
    const ship = new SteeringController(null, {
      position,
      seed: i,
      radius: 1,
      mass: 2,
      maxSpeed: 12,
      maxForce: FORCE,
      maxTorque: 4,
      locomotion: new Thrusters({ ahead: FORCE, astern: astern * FORCE, ...sides }),
      behavior: within(
        [new AvoidObstacles({ obstacles }), new ReciprocalAvoidance({ neighborDistance: 30 })],
        new Arrive({ target }),
      ),
    })
    world.add(ship)
    return ship
  })
  let contacts = 0
  for (let i = 0; i < 60 * 22; i++) {
    world.step(1 / 60)
    for (const [k, { position }] of ships.entries()) {
      for (const other of ships.slice(k + 1)) if (apart(position, other.position) < 1.98) contacts++
      for (const { radius, at } of rocks) if (apart(position, at) < radius + 0.99) contacts++
    }
  }
  const resting = ships.filter(({ velocity: { x, y, z } }) => Math.hypot(x, y, z) < 0.2).length
  return { contacts, resting, ships: ships.length }
}

describe('ships of which the brake has', () => {
  // share of the main engine astern, and at each side: too weak to fly curves with, but strong enough
  it.each([
    [0.15, 0.25],
    [0.15, 0.5],
    [0.5, 0.45],
  ])('%s of the main engine, and the sides %s, touch nothing and arrive', (astern, side) => {
    expect(swap(1, astern, side)).toEqual({ contacts: 0, resting: 8, ships: 8 })
  })
})
