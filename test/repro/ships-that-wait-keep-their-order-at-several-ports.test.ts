import { expect, it } from 'vitest'
import { SteeringController, SteeringWorld } from 'three-steering'
import { Dock, Port } from 'three-steering/docking'
import { DOCKER, station } from '../support/pilot.js'

// Ships that ask in the same step all chose one port, and stayed in its queue. When the other port became
// free all of them went there at once, in the order of their seeds: of twelve ships one waited for 278 s, and
// others docked three times meanwhile.

function queues(count: number) {
  const world = new SteeringWorld()
  const carrier = station()
  const ports = [1, -1].map(
    (side) => new Port({ carrier, position: { x: 5 * side, y: 0, z: 0 }, outward: { x: side, y: 0, z: 0 } }),
  )
  const ships = Array.from({ length: count }, (_, i) => {
    const position = { x: 80 * Math.cos(i), y: 8 * (i % 4), z: 80 * Math.sin(i) }
    return new SteeringController(null, { ...DOCKER, position, seed: i, behavior: new Dock({ ports }) })
  })
  for (const ship of ships) world.add(ship)
  const fly = (seconds: number): void => {
    for (let i = 0; i < 60 * seconds; i++) world.step(1 / 60)
  }
  /** The ships at each port, in their order. */
  const order = (): number[][] =>
    ports.map((port) =>
      ships
        .map((ship, i) => [port.placeOf(ship.id), i] as const)
        .filter(([place]) => place >= 0)
        .sort(([a], [b]) => a - b)
        .map(([, i]) => i),
    )
  return { world, ships, fly, order }
}

it('ships that ask at once for several ports wait at each of them', () => {
  const { fly, order } = queues(8)
  fly(1)
  expect(order().map(({ length }) => length)).toEqual([4, 4])
  expect(order().flatMap((queue) => queue.slice(0, 1))).toEqual(expect.arrayContaining([0, 1]))
})

it('at a port that becomes free only the first of those that wait elsewhere goes on', () => {
  const { world, ships, fly, order } = queues(8)
  fly(1)
  const [left, right] = order() as [number[], number[]]
  for (const i of left) world.remove(ships[i]!)
  fly(2)
  // one after the other, until the queues are even: each keeps its order
  const [now, others] = order() as [number[], number[]]
  expect([now.length, others.length]).toEqual([2, 2])
  expect(now[0]).toBe(right[1])
  expect(others[0]).toBe(right[0])
  for (const queue of [now, others]) expect(queue).toEqual(right.filter((i) => queue.includes(i)))
})
