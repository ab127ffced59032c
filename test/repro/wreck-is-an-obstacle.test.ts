import * as CANNON from 'cannon-es'
import { describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  Separation,
  SteeringController,
  SteeringWorld,
  within,
  type Behavior,
} from 'three-steering'
import { attachToCannon, cannonBody, obstaclesFromCannon } from 'three-steering/cannon'
import { idle } from '../support/pilot.js'

// A body counted as steered for ever once `cannonBody` had been called with it. So the wreck of a ship with a
// disposed controller was no obstacle, and other ships flew into it. And a body removed from its world stayed
// visible as an agent.

const ball = (world: CANNON.World, x: number, radius: number): CANNON.Body => {
  const body = new CANNON.Body({ mass: 1, shape: new CANNON.Sphere(radius), linearDamping: 0 })
  body.position.set(x, 0, 0)
  world.addBody(body)
  return body
}

function pilotOf(body: CANNON.Body, behavior: Behavior): SteeringController {
  return new SteeringController(null, { body: cannonBody(body), behavior, maxSpeed: 8, maxForce: 16 })
}

describe.each([30, 60, 240])('at %i steps a second', (rate) => {
  it.each([0.5, 2, 8])('other ships fly around a wreck of %f m', (radius) => {
    const world = new CANNON.World()
    const steering = new SteeringWorld()
    attachToCannon(steering, world)
    const wreck = ball(world, 20, radius)
    const ship = ball(world, -10, 0.5)
    let touched = 0
    ship.addEventListener('collide', () => touched++)
    const old = pilotOf(wreck, idle())
    steering.add(old)
    const obstacles = obstaclesFromCannon(world)
    const target = { x: 50, y: 0, z: 0 }
    const one = pilotOf(ship, within([new AvoidObstacles({ obstacles })], new Arrive({ target })))
    steering.add(one)
    for (let i = 0; i < rate / 2; i++) world.step(1 / rate)
    old.dispose()
    for (let i = 0; i < 20 * rate; i++) world.step(1 / rate)
    expect(touched).toBe(0)
    expect(Math.hypot(ship.position.x - target.x, ship.position.y, ship.position.z)).toBeLessThan(0.1)
  })

  it('a body removed from its world is not seen by other agents until it comes back', () => {
    const world = new CANNON.World()
    const steering = new SteeringWorld()
    attachToCannon(steering, world)
    const faults: unknown[] = []
    steering.addEventListener('fault', (fault) => faults.push(fault))
    const [ship, other] = [ball(world, 0, 0.5), ball(world, 2, 0.5)]
    const one = pilotOf(ship, new Separation({ neighborDistance: 6 }))
    const guest = pilotOf(other, { steer: (_agent, _step, { force }) => void (force.y = 1) })
    steering.add(one).add(guest)
    const push = (): number => {
      world.step(1 / rate)
      return Math.abs(one.demand.force.x)
    }
    expect(push()).toBeGreaterThan(0.1)
    world.removeBody(other)
    expect(push()).toBe(0)
    expect(guest.force.y).toBe(0)
    world.addBody(other)
    expect(push()).toBeGreaterThan(0.1)
    expect(guest.force.y).toBeGreaterThan(0)
    expect(faults).toEqual([])
  })
})
