import { expect, it } from 'vitest'
import { BoxShape, Contain, contextMap, HollowShape, SteeringController, SteeringWorld } from 'three-steering'

// A context map without any interest did not ask its dangers, so the agent flew through the wall.

it.each([1 / 30, 1 / 60, 1 / 240])(
  'an agent without an interest drifts, and does not leave the room: %d s',
  (dt) => {
    const world = new SteeringWorld({ fixedStep: dt })
    const room = new Contain({ bounds: [{ shape: new HollowShape(new BoxShape({ x: 20, y: 20, z: 20 })) }] })
    const pilot = new SteeringController(null, {
      behavior: contextMap({ interest: [], danger: [room] }),
      velocity: { x: 6, y: 4, z: -3 },
      maxSpeed: 10,
      maxForce: 20,
      radius: 0.5,
    })
    world.add(pilot)
    world.step(dt)
    expect(pilot.velocity).toMatchObject({ x: 6, y: 4, z: -3 })
    let far = 0
    for (let t = 0; t < 20; t += dt) {
      world.step(dt)
      far = Math.max(far, ...Object.values(pilot.position).map(Math.abs))
    }
    expect(far).toBeGreaterThan(15)
    expect(far).toBeLessThan(19.5)
  },
)
