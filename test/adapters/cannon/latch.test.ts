import * as CANNON from 'cannon-es'
import { describe, expect, it } from 'vitest'
import { cannonBody, latch } from 'three-steering/cannon'

const DT = 1 / 60

/** A ship touches the end of a long station at 0.25 m/s. The station drifts and turns. */
function pair(mass: number, spin: number) {
  const world = new CANNON.World()
  const free = { linearDamping: 0, angularDamping: 0 }
  const station = new CANNON.Body({ mass, shape: new CANNON.Box(new CANNON.Vec3(5, 5, 20)), ...free })
  const ship = new CANNON.Body({ mass: 10, shape: new CANNON.Box(new CANNON.Vec3(0.7, 0.4, 2)), ...free })
  ship.position.set(3, 0, 22.01)
  station.velocity.set(2, 1, 0)
  station.angularVelocity.set(spin, spin / 2, 0)
  ship.angularVelocity.copy(station.angularVelocity)
  station.angularVelocity.cross(ship.position, ship.velocity)
  ship.velocity.vadd(station.velocity, ship.velocity)
  ship.velocity.z -= 0.25
  world.addBody(station)
  world.addBody(ship)
  return { world, station, ship }
}

function momentum(...bodies: CANNON.Body[]): CANNON.Vec3 {
  return bodies.reduce((sum, { mass, velocity }) => sum.vadd(velocity.scale(mass)), new CANNON.Vec3())
}

describe('latch', () => {
  it.each([
    [20, 0.02],
    [20, 0.2],
    [1e6, 0.02],
    [1e6, 0.2],
  ])(
    'holds a ship at a station of %d kg that turns with %d rad/s, without a jump of velocity',
    (mass, spin) => {
      const { world, station, ship } = pair(mass, spin)
      const place = station.pointToLocalFrame(ship.position)
      const turn = station.quaternion.inverse().mult(ship.quaternion)
      const before = momentum(station, ship)
      latch(world, ship, station, CANNON.LockConstraint)
      let shock = 0
      for (let i = 0; i < 600; i++) {
        const { x, y, z } = ship.velocity
        world.step(DT)
        if (i > 5) shock = Math.max(shock, ship.velocity.distanceTo(new CANNON.Vec3(x, y, z)) / DT)
        expect(station.pointToLocalFrame(ship.position).distanceTo(place)).toBeLessThan(0.006)
        const off = turn.inverse().mult(station.quaternion.inverse().mult(ship.quaternion))
        expect(2 * Math.hypot(off.x, off.y, off.z)).toBeLessThan(0.002)
      }
      // after the first steps, which share the relative velocity, only the centripetal acceleration remains
      expect(shock).toBeLessThan(0.3 + 1.3 * 24 * 1.25 * spin * spin)
      expect(momentum(station, ship).distanceTo(before)).toBeLessThan(1e-6 * (1 + before.length()))
    },
  )

  it('the hulls do not collide with each other, and both bodies are awake', () => {
    const { world, station, ship } = pair(100, 0)
    world.allowSleep = true
    ship.sleep()
    station.sleep()
    const open = latch(world, ship, station, CANNON.LockConstraint, { at: { x: 3, y: 0, z: 20 } })
    expect([ship.sleepState, station.sleepState]).toEqual([CANNON.Body.AWAKE, CANNON.Body.AWAKE])
    expect(world.constraints[0]!.collideConnected).toBe(false)
    open()
    expect(world.constraints).toEqual([])
    // a second call does nothing
    open()
  })

  it('opens without a change of velocity', () => {
    const { world, station, ship } = pair(1000, 0.1)
    const open = latch(world, ship, station, CANNON.LockConstraint)
    for (let i = 0; i < 120; i++) world.step(DT)
    const { x, y, z } = ship.velocity
    open()
    world.step(DT)
    expect(ship.velocity.distanceTo(new CANNON.Vec3(x, y, z))).toBeLessThan(1e-9)
  })

  it('tells the agent that it is held, also through other bodies, but not by a rope', () => {
    const { world, station, ship } = pair(1000, 0)
    const ring = new CANNON.Body({ mass: 100, shape: new CANNON.Sphere(1) })
    world.addBody(ring)
    const body = cannonBody(ship)
    world.addConstraint(new CANNON.DistanceConstraint(ship, station, 30))
    expect(body.isJoinedTo!(station)).toBe(false)
    world.addConstraint(new CANNON.HingeConstraint(ring, station))
    const open = latch(world, ship, ring, CANNON.LockConstraint)
    expect([body.isJoinedTo!(ring), body.isJoinedTo!(station), body.isJoinedTo!(world)]).toEqual([
      true,
      true,
      false,
    ])
    open()
    expect(body.isJoinedTo!(station)).toBe(false)
    world.removeBody(ship)
    expect(body.isJoinedTo!(station)).toBe(false)
  })

  it('refuses an invalid world, body or constraint class', () => {
    const { world, station, ship } = pair(10, 0)
    expect(() => latch({} as never, ship, station, CANNON.LockConstraint)).toThrow(/latch: world/)
    expect(() => latch(world, {} as never, station, CANNON.LockConstraint)).toThrow(/CANNON\.Body/)
    expect(() => latch(world, ship, station, undefined as never)).toThrow(/CANNON\.LockConstraint/)
  })
})
