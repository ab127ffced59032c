import { describe, expect, it } from 'vitest'
import { SteeringController, SteeringWorld, Wander } from 'three-steering'
import { Dock } from 'three-steering/docking'
import { PoseBuffer, PoseCodec } from 'three-steering/net'
import { exportAgent, importAgent } from 'three-steering/shards'

describe('a wrong value is refused by a message that names it', () => {
  const agent = (): SteeringController =>
    new SteeringController(null, { behavior: new Wander(), maxSpeed: 1, maxForce: 1, seed: 1 })

  it.each<[string, () => unknown, string]>([
    [
      'a body for a port',
      () => new Dock({ port: { mass: 1 } as never }),
      'Dock.port: got { mass }, must be a Port',
    ],
    [
      'milliseconds for a delay',
      () =>
        new PoseBuffer(new PoseCodec({ min: { x: 0, y: 0, z: 0 }, max: { x: 1, y: 1, z: 1 }, maxSpeed: 1 }), {
          delay: 200,
        }),
      'PoseBuffer.delay: got 200, must be ≥ 0 and ≤ 60',
    ],
    [
      'the text of a parcel',
      () => {
        const world = new SteeringWorld()
        const one = agent()
        world.add(one)
        importAgent(world, JSON.stringify(exportAgent(world, one)) as never, agent())
      },
      'importAgent: parcel: got a text, must be what exportAgent has returned',
    ],
  ])('%s', (_, act, message) => {
    expect(act).toThrow(message)
  })
})
