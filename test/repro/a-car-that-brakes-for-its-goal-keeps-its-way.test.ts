import { expect, it } from 'vitest'
import { Arrive, SteeringController, SteeringWorld, Wheels } from 'three-steering'
import { car } from 'three-steering/vehicles'

// The car of three-steering/vehicles without a gear astern circled near goals for ever: in 191 of 336 cases
// within 13 m. It wants a velocity astern while it brakes, and took that for a goal behind it: it left its
// way, drove on at that speed, or began another circle.

it('a car without a gear astern comes to rest at goals inside of its circle', () => {
  const { wheelbase, maxSteer, steerRate, grip, thrust, brake } = car().locomotion as Wheels
  for (const range of [0.3, 2, 4.5])
    for (const angle of [0.5, 1.6, 2.6, -2.1]) {
      const target = { x: range * Math.sin(angle), y: 0, z: range * Math.cos(angle) }
      const agent = new SteeringController(null, {
        ...car(),
        behavior: new Arrive({ target }),
        locomotion: new Wheels({
          wheelbase,
          maxSteer,
          steerRate,
          grip,
          thrust: thrust!,
          brake: brake!,
          astern: 0,
        }),
      })
      const world = new SteeringWorld()
      world.add(agent)
      let time = Infinity
      agent.addEventListener('arrive', () => (time = Math.min(time, world.time)))
      while (world.time < Math.min(12, time)) world.step(1 / 60)
      expect(time, `${range} m, ${angle} rad`).toBeLessThan(12)
    }
})
