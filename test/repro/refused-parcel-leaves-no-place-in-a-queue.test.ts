import { expect, it } from 'vitest'
import { blend, Seek, SteeringController, SteeringWorld } from 'three-steering'
import { Dock, Port } from 'three-steering/docking'
import { GateRun } from 'three-steering/racing'
import { exportAgent, importAgent } from 'three-steering/shards'

// The place in the queue was restored before a later part of the same parcel was refused, and stayed: a port
// kept a turn for one second for an agent that was not there, and an agent with the same key lost its own.

const DT = 1 / 60
const ORIGIN = { x: 0, y: 0, z: 0 }

interface Side {
  readonly world: SteeringWorld
  readonly port: Port
  readonly ships: readonly SteeringController[]
  make(seed?: number): SteeringController
}

function side(gates: number, ...seeds: number[]): Side {
  const world = new SteeringWorld({ seed: 2 })
  const carrier = {
    position: ORIGIN,
    velocity: ORIGIN,
    quaternion: { ...ORIGIN, w: 1 },
    angularVelocity: ORIGIN,
  }
  const port = new Port({ carrier, position: ORIGIN, outward: { x: 0, y: 0, z: 1 } })
  const make = (seed = 1): SteeringController => {
    const run = new GateRun({
      gates: Array.from({ length: gates }, (_, i) => ({
        position: { x: 0, y: 0, z: 9 * i },
        heading: { x: 0, y: 0, z: 1 },
        radius: 3,
      })),
      ends: 'open',
      behavior: new Seek({ target: ORIGIN }),
    })
    return new SteeringController(null, {
      behavior: blend([new Dock({ port }), run]),
      position: { x: 5 * seed, y: 3, z: 40 },
      maxSpeed: 8,
      maxForce: 20,
      seed,
    })
  }
  const ships = seeds.map(make)
  for (const ship of ships) world.add(ship)
  for (let i = 0; i < 20; i++) world.step(DT)
  return { world, port, ships, make }
}

it.each<[string, number[]]>([
  ['a free port stays free', []],
  ['the ships that wait keep their order', [3, 2]],
])('when a parcel is refused, %s', (_, seeds) => {
  const here = side(2, 1)
  const parcel = exportAgent(here.world, here.ships[0]!)
  const there = side(3, ...seeds)
  const still = side(3, ...seeds)
  expect(() => importAgent(there.world, parcel, there.make())).toThrow('another number of gates, must be 3')
  for (let i = 0; i < 5; i++) {
    const [{ port }, { port: other }] = [there, still]
    expect([port.load, port.holder, port.waiting]).toEqual([other.load, other.holder, other.waiting])
    for (const { world } of [there, still]) world.step(DT)
  }
})

// A parcel with the key of one ship, and the place of another in the queue, took that place from the other.
it.each([0, 1])('a parcel with the place of another ship is refused: place %i', (place) => {
  const seeds = [3, 2, 1]
  const here = side(2, ...seeds)
  const there = side(2, ...seeds)
  const still = side(2, ...seeds)
  const victim = here.ships.find(({ id }) => id === here.port.queue.entry(place).id)!
  const forged = { ...exportAgent(here.world, victim), seed: 9 }
  expect(() => importAgent(there.world, forged, there.make(9))).toThrow(
    'the place of another agent in a queue',
  )
  for (let i = 0; i < 90; i++) {
    const [{ port }, { port: other }] = [there, still]
    expect([port.load, port.holder, port.waiting]).toEqual([other.load, other.holder, other.waiting])
    for (const { world } of [there, still]) world.step(DT)
  }
})
