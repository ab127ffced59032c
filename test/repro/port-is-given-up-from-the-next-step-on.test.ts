import { describe, expect, it } from 'vitest'
import { SteeringController, SteeringWorld, type Behavior, type Vec3Like } from 'three-steering'
import { Dock, Port, Undock } from 'three-steering/docking'

/**
 * An agent that gave up a port before any other agent asked for that port in a step left its queue in the
 * same step, otherwise in the next one. So the order in which agents were computed mattered.
 */

const DT = 1 / 60

/** A port on the +x side of a station at (x, 0, 0). */
function portAt(x: number): Port {
  const carrier = {
    position: { x, y: 0, z: 0 },
    velocity: { x: 0, y: 0, z: 0 },
    quaternion: { x: 0, y: 0, z: 0, w: 1 },
    angularVelocity: { x: 0, y: 0, z: 0 },
    forward: { x: 1, y: 0, z: 0 },
    up: { x: 0, y: 1, z: 0 },
  }
  return new Port({ carrier, position: { x: 5, y: 0, z: 0 }, outward: { x: 1, y: 0, z: 0 } })
}

function ship(seed: number, behavior: Behavior, position: Vec3Like): SteeringController {
  const body = { mass: 10, inertia: { x: 20, y: 20, z: 20 }, radius: 2, position, seed }
  const limits = { maxSpeed: 50, maxForce: 30, maxTorque: 20, maxTurnRate: 2 }
  return new SteeringController(null, { ...body, ...limits, behavior })
}

/** Where the ships fly in 40 s, and which of them has which port, step by step. */
function fly(fleet: readonly SteeringController[], ports: readonly Port[], isReversed: boolean): number[][] {
  const world = new SteeringWorld({ seed: 1 })
  for (const pilot of isReversed ? fleet.toReversed() : fleet) world.add(pilot)
  return Array.from({ length: 40 / DT }, () => {
    world.step(DT)
    const places = fleet.flatMap(({ position: { x, y, z } }) => [x, y, z])
    return [...ports.map(({ holder }) => fleet.findIndex(({ id }) => id === holder)), ...places]
  })
}

describe('in any order of agents', () => {
  const cases = {
    'a ship that undocks gives its port to the next one': (isReversed: boolean) => {
      const port = portAt(0)
      const fleet = [
        ship(1, new Undock({ port }), { x: 7, y: 0, z: 0 }),
        ship(2, new Dock({ port }), { x: 60, y: 30, z: 0 }),
      ]
      return fly(fleet, [port], isReversed)
    },
    'a waiting ship leaves its queue for a port that becomes free': (isReversed: boolean) => {
      const ports = [portAt(0), portAt(200)]
      const [port, other] = ports as [Port, Port]
      const fleet = [
        ship(3, new Dock({ ports }), { x: 260, y: 30, z: 0 }),
        ship(1, new Undock({ port }), { x: 7, y: 0, z: 0 }),
        ship(2, new Dock({ port: other }), { x: 260, y: -30, z: 0 }),
        ship(4, new Dock({ port: other }), { x: 260, y: 0, z: 30 }),
      ]
      return fly(fleet, ports, isReversed)
    },
  }

  it.each(Object.entries(cases))('%s, in the same step', (_, flights) => {
    const [some, reversed] = [flights(false), flights(true)]
    const first = some.findIndex((step, i) => step.some((value, k) => value !== reversed[i]![k]))
    expect(first).toBe(-1)
    // the port has passed from one ship to another
    const holders = new Set(some.map(([holder]) => holder))
    expect(holders.size).toBeGreaterThan(2)
  })
})
