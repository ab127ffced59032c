import { expect, it } from 'vitest'
import { SteeringController, SteeringWorld } from 'three-steering'
import { Dock, Port } from 'three-steering/docking'
import { mergeQueue, shareQueue } from 'three-steering/shards'

const DT = 1 / 30
const carrier = { position: { x: 0, y: 0, z: 0 }, quaternion: { x: 0, y: 0, z: 0, w: 1 } }
const portOf = (): Port =>
  new Port({ carrier, position: { x: 4, y: 0, z: 0 }, outward: { x: 1, y: 0, z: 0 } })

// ships that the new world had imported kept their places, all others went behind them
it('a world that takes up the queue of a port after a crash has all ships in their order', () => {
  const world = new SteeringWorld({ seed: 1, fixedStep: DT })
  const port = portOf()
  const behavior = new Dock({ port })
  const order = [7, 3, 5, 1]
  for (const seed of order) {
    world.add(
      new SteeringController(null, {
        seed,
        behavior,
        maxSpeed: 5,
        maxForce: 5,
        position: { x: 40, y: 0, z: 10 * seed },
      }),
    )
    for (let i = 0; i < 3; i++) world.step(DT)
  }
  const places = (of: Port): number[] => of.queue.entries.map(({ seed }) => seed)
  expect(places(port)).toEqual(order)
  const share = shareQueue(world, port, true)

  const later = new SteeringWorld({ seed: 1, fixedStep: DT })
  const again = portOf()
  const ship = {
    seed: 5,
    behavior: new Dock({ port: again }),
    maxSpeed: 5,
    maxForce: 5,
    position: { x: 40, y: 0, z: 50 },
  }
  later.add(new SteeringController(null, ship))
  for (let i = 0; i < 3; i++) later.step(DT)
  mergeQueue(later, again, share)
  expect(places(again)).toEqual(order)
})
