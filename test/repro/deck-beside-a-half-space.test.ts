import { expect, it } from 'vitest'
import { HalfSpaceShape, Obstacles, SteeringController, SteeringWorld } from 'three-steering'
import { ClassicAvoidance } from 'three-steering/classic'

// The way out of a half-space along a course into it is endless. The yardstick `deck` multiplied by that
// distance, and gave a force of NaN.

it.each(['deck', 'textbook', 'bevilacqua'] as const)(
  '%s beside a half-space gives a finite force',
  (method) => {
    for (const height of [-5, 0, 0.2, 3])
      for (const speed of [-3, 0, 3]) {
        const obstacles = new Obstacles([
          { shape: new HalfSpaceShape(), at: { position: { x: 0, y: 0, z: 0 } } },
        ])
        const agent = new SteeringController(null, {
          radius: 0.5,
          maxSpeed: 5,
          maxForce: 5,
          position: { x: 0, y: height, z: 0 },
          velocity: { x: 0, y: speed, z: 0 },
          behavior: new ClassicAvoidance({ obstacles, method }),
        })
        const world = new SteeringWorld()
        let faults = 0
        world.addEventListener('fault', () => faults++)
        world.add(agent)
        world.step(1 / 60)
        expect(faults, `${height} m, ${speed} m/s`).toBe(0)
      }
  },
)
