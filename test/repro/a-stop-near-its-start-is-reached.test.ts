import { expect, it } from 'vitest'
import { DirectedSeek, Flight, SteeringController, SteeringWorld, Thrusters } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { angleBetween, norm, turned, unit, v } from '../support/geometry.js'

// A ship that was to come to rest within a few metres of its start flew a path of tight turns, which long
// steps leave. When the path had ended it stood beside its goal, or flew away from it (204 m in 40 s), and
// nothing was told: 53 of 60 drones at 30 Hz, and 49 of 60 aircraft.

const SHIPS = {
  Hover: () => ({}),
  Flight: () => ({ locomotion: new Flight() }),
  Thrusters: () => ({ locomotion: new Thrusters({ ahead: 40 }) }),
}

it.each(['Hover', 'Flight', 'Thrusters'] as const)('%s comes to rest near its start', (name) => {
  const late: string[] = []
  for (const hz of [30, 60])
    for (const within of [0.2, 1, 10])
      for (let seed = 1; seed <= 8; seed++) {
        const next = seeded(seed * 17)
        const any = (size: number) => v(size * (next() - 0.5), size * (next() - 0.5), size * (next() - 0.5))
        const position = any(1.2 * within)
        const heading = unit(any(1))
        const behavior = new DirectedSeek({ target: { position: v(0, 0, 0), heading }, arrivalSpeed: 0 })
        const limits = { maxSpeed: 12, maxForce: 40, maxTorque: 20, radius: 0.5 }
        const ship = new SteeringController(null, { position, ...limits, ...SHIPS[name](), behavior })
        const world = new SteeringWorld()
        world.add(ship)
        const arrivals: number[] = []
        ship.addEventListener('arrive', () => arrivals.push(world.time))
        for (let i = 0; i < 12 * hz && arrivals.length === 0; i++) world.step(1 / hz)
        if (arrivals.length === 0) {
          late.push(`${hz} Hz, within ${within} m, seed ${seed}: ${norm(ship.position).toFixed(2)} m off`)
          continue
        }
        expect(norm(ship.position)).toBeLessThan(0.05)
        expect(angleBetween(turned(ship.quaternion, v(0, 0, 1)), heading)).toBeLessThan(0.05)
      }
  expect(late).toEqual([])
})
