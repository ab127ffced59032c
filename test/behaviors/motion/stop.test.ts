import { describe, expect, it } from 'vitest'
import {
  modes,
  Seek,
  SteeringWorld,
  Stop,
  Thrusters,
  Walker,
  Wheels,
  type Behavior,
  type Locomotion,
} from 'three-steering'
import { pilot, type PilotOptions } from '../../support/pilot.js'
import { v } from '../../support/geometry.js'

const norm = ({ x, y, z }: { x: number; y: number; z: number }): number => Math.hypot(x, y, z)

/** An agent in a world of its own, and what flies it on. */
function start(behavior: Behavior, options: PilotOptions) {
  const world = new SteeringWorld()
  const ship = pilot(behavior, options)
  world.add(ship)
  const fly = (seconds: number, rate = 60): void => {
    for (let i = 0; i < seconds * rate; i++) world.step(1 / rate)
  }
  return { ship, fly }
}

describe('Stop', () => {
  it.each([30, 60, 240])('brakes as hard as the force allows, at %i steps a second', (rate) => {
    const { ship, fly } = start(new Stop(), { velocity: v(6, -4, 3), maxForce: 8 })
    fly(2, rate)
    expect(norm(ship.velocity)).toBeLessThan(1e-3)
    // 7.8 m/s at 8 m/s² take 3.8 m, less half a step, and the last metre per second the response time
    expect(norm(ship.position)).toBeGreaterThan(3.8 - 7.8 / rate)
    expect(norm(ship.position)).toBeLessThan(4.0)
  })

  it('says when it rests, and when it is moved', () => {
    const told: string[] = []
    const { ship, fly } = start(new Stop(), { velocity: v(6, 0, 0) })
    ship.addEventListener('arrive', () => told.push(`arrive ${norm(ship.velocity) <= 0.05}`))
    ship.addEventListener('leave', () => told.push('leave'))
    fly(2)
    expect(told).toEqual(['arrive true'])
    ship.teleport({ velocity: v(0, 3, 0) })
    fly(2)
    expect(told).toEqual(['arrive true', 'leave', 'arrive true'])
  })

  it.each([false, true])('where it is pushed away it stays there, or returns: hold %s', (hold) => {
    const { ship, fly } = start(new Stop({ hold }), { velocity: v(6, 0, 0) })
    fly(2)
    const { x } = ship.position
    ship.teleport({ velocity: v(0, 8, 0) })
    fly(6)
    expect(norm(ship.velocity)).toBeLessThan(1e-3)
    if (hold) expect(Math.hypot(ship.position.x - x, ship.position.y)).toBeLessThan(0.01)
    else expect(ship.position.y).toBeGreaterThan(0.2)
  })

  it('comes to rest without going back, also to hold the place', () => {
    const { ship, fly } = start(new Stop({ hold: true }), { velocity: v(9, 0, 0), maxForce: 20 })
    let most = 0
    for (let i = 0; i < 240; i++) {
      fly(1 / 60)
      most = Math.max(most, ship.position.x)
    }
    expect(most - ship.position.x).toBeLessThan(1e-3)
  })

  it('holds the place at which it stopped this time', () => {
    const mind = modes(
      { stop: new Stop({ hold: true }), go: new Seek({ target: v(500, 0, 0) }) },
      { fade: 0 },
    )
    const { ship, fly } = start(mind, {})
    fly(1)
    mind.current = 'go'
    fly(3)
    mind.current = 'stop'
    fly(3)
    expect(ship.position.x).toBeGreaterThan(20)
    expect(norm(ship.velocity)).toBeLessThan(1e-3)
  })

  const vehicles: Record<string, () => Locomotion> = {
    Walker: () => new Walker(),
    Wheels: () => new Wheels({ wheelbase: 2 }),
    Thrusters: () => new Thrusters({ ahead: 60, astern: 20, port: 10 }),
  }
  it.each(Object.entries(vehicles))(
    'stops %s, and a car does not drive back to its place',
    (_name, vehicle) => {
      for (const hold of [false, true]) {
        const options = {
          locomotion: vehicle(),
          velocity: v(5, 0, 0),
          plane: v(0, 1, 0),
          forward: v(1, 0, 0),
        }
        const { ship, fly } = start(new Stop({ hold }), options)
        fly(4)
        expect(norm(ship.velocity)).toBeLessThan(1e-3)
      }
    },
  )
})
