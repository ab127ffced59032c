import { describe, expect, it } from 'vitest'
import { SteeringController, SteeringWorld, Stick, Wheels } from 'three-steering'

// The stick at rest cancels the velocity. What was left was rounding, and the wheels turned to its direction.
describe('a car that shall stand', () => {
  it('keeps its wheels straight while it brakes', () => {
    const world = new SteeringWorld()
    const wheels = new Wheels({ wheelbase: 1.5 })
    const car = new SteeringController(null, {
      behavior: new Stick(),
      locomotion: wheels,
      maxSpeed: 10,
      maxForce: 40,
      plane: { x: 0, y: 1, z: 0 },
      forward: { x: 0, y: 0, z: 1 },
      up: { x: 0, y: 1, z: 0 },
      velocity: { x: 0, y: 0, z: 5.3 },
    })
    world.add(car)
    let turned = 0
    for (let i = 0; i < 120; i++) {
      world.step(1 / 60)
      turned = Math.max(turned, Math.abs(car.position.x))
    }
    expect(turned).toBeLessThan(1e-9)
  })
})
