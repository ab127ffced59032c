import RAPIER from '@dimforge/rapier3d-compat'
import { beforeAll, describe, expect, it } from 'vitest'
import { SteeringWorld } from 'three-steering'
import { latch, rapierDoor } from 'three-steering/rapier'
import { angleApart, expectVec, minus, norm, turned, v } from '../../support/geometry.js'

beforeAll(() => RAPIER.init())

interface Pair {
  readonly world: RAPIER.World
  readonly ship: RAPIER.RigidBody
  readonly station: RAPIER.RigidBody
}

/** A ship that touches a station, both in motion, and turned. */
function pair(): Pair {
  const world = new RAPIER.World(v(0, 0, 0))
  const station = world.createRigidBody(
    RAPIER.RigidBodyDesc.dynamic()
      .setLinvel(0.3, 0, 0.1)
      .setAngvel(v(0, 0.1, 0))
      .setRotation({ x: 0.6, y: 0, z: 0, w: 0.8 }),
  )
  world.createCollider(RAPIER.ColliderDesc.cuboid(5, 2, 3).setMass(900), station)
  const ship = world.createRigidBody(
    RAPIER.RigidBodyDesc.dynamic()
      .setTranslation(6, 0, 0)
      .setLinvel(0.25, 0.05, -0.4)
      .setRotation({ x: 0, y: 0, z: 0.28, w: 0.96 }),
  )
  world.createCollider(RAPIER.ColliderDesc.cuboid(1.2, 0.5, 0.5).setMass(10), ship)
  world.step()
  return { world, ship, station }
}

/** Speed of the ship relative to the place of the station where it is. */
function slip({ ship, station }: Pair): number {
  return norm(minus(ship.linvel(), station.velocityAtPoint(ship.worldCom())))
}

describe('latch', () => {
  it('holds two bodies in the pose that they have, until it is opened', () => {
    const all = pair()
    const { world, ship, station } = all
    const conjugate = (q: RAPIER.Quaternion) => ({ x: -q.x, y: -q.y, z: -q.z, w: q.w })
    const place = turned(conjugate(station.rotation()), minus(ship.translation(), station.translation()))
    const release = latch(world, ship, station, RAPIER.JointData, { at: v(5, 0, 0) })
    for (let i = 0; i < 300; i++) world.step()
    expect(slip(all)).toBeLessThan(1e-3)
    const now = turned(conjugate(station.rotation()), minus(ship.translation(), station.translation()))
    expectVec(now, place, 0.02)
    expect(angleApart(ship.rotation(), station.rotation())).toBeGreaterThan(0.5)
    release()
    release()
    ship.applyImpulse(v(50, 0, 0), true)
    for (let i = 0; i < 60; i++) world.step()
    expect(slip(all)).toBeGreaterThan(1)
  })

  it('may be opened after a body was removed', () => {
    const { world, ship, station } = pair()
    const release = latch(world, ship, station, RAPIER.JointData)
    world.removeRigidBody(ship)
    expect(release).not.toThrow()
    world.step()
  })

  it('tells the agent that it is held, also through other bodies, but not by a rope or a spring', () => {
    const { world, ship, station } = pair()
    const ring = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic())
    const body = rapierDoor(new SteeringWorld(), world).body(ship)
    world.createImpulseJoint(RAPIER.JointData.rope(30, v(0, 0, 0), v(0, 0, 0)), ship, station, true)
    world.createImpulseJoint(RAPIER.JointData.spring(30, 1, 1, v(0, 0, 0), v(0, 0, 0)), station, ship, true)
    expect(body.isJoinedTo!(station)).toBe(false)
    world.createImpulseJoint(
      RAPIER.JointData.revolute(v(0, 0, 0), v(0, 0, 0), v(0, 1, 0)),
      ring,
      station,
      true,
    )
    const release = latch(world, ship, ring, RAPIER.JointData)
    expect([body.isJoinedTo!(ring), body.isJoinedTo!(station), body.isJoinedTo!(world)]).toEqual([
      true,
      true,
      false,
    ])
    release()
    expect(body.isJoinedTo!(station)).toBe(false)
  })

  it('refuses what is no world, no body of it, and no class', () => {
    const { world, ship, station } = pair()
    const { ship: stranger } = pair()
    expect(() => latch({} as never, ship, station, RAPIER.JointData)).toThrow(/latch: world: got/)
    expect(() => latch(world, stranger, station, RAPIER.JointData)).toThrow(/must be a body of this/)
    expect(() => latch(world, ship, station, {} as never)).toThrow(/RAPIER.JointData/)
  })
})
