import { expect, it, vi } from 'vitest'
import {
  AvoidObstacles,
  blend,
  Contain,
  dither,
  modes,
  priority,
  ReciprocalAvoidance,
  SphereShape,
  Stick,
  Stop,
  SteeringController,
  SteeringWorld,
  truncatedSum,
  within,
} from 'three-steering'
import { expectConsole } from '../support/console.js'

const ball = { at: { x: 5, y: 0, z: 0 } }

it('a blend with AvoidObstacles warns once, where it is constructed, and names the alternative', async () => {
  const output = expectConsole()
  vi.resetModules()
  const { AvoidObstacles, blend, Obstacles, priority, Seek, SphereShape, truncatedSum, within } =
    await import('three-steering')
  const obstacles = new Obstacles([{ shape: new SphereShape(1), ...ball }])
  const avoid = () => new AvoidObstacles({ obstacles })
  const seek = () => new Seek({ target: { x: 9, y: 0, z: 0 } })
  // correct uses cause no warning
  within([avoid()], seek())
  priority([avoid(), seek()])
  truncatedSum([avoid(), seek()])
  blend([avoid()])
  blend([within([avoid()], seek()), seek()])
  expect(output).toEqual([])
  for (let i = 0; i < 3; i++) blend([avoid(), { behavior: seek(), weight: 0.5 }])
  expect(output.map(({ level }) => level)).toEqual(['warn'])
  expect(output[0]!.text).toMatch(/blend: AvoidObstacles .*within\(\[new AvoidObstacles/)
})

it('a constraint beside the input of a player, for which it would evade, is refused', () => {
  const avoid = () => new AvoidObstacles({ obstacles: [{ shape: new SphereShape(1), ...ball }] })
  priority([within([avoid()], new Stick())])
  for (const scheme of [blend, priority, truncatedSum, dither])
    for (const make of [avoid, () => new Contain({ bounds: [] }), () => new ReciprocalAvoidance()])
      expect(() => scheme([new Stop(), make(), modes({ fly: new Stick(), stop: new Stop() })])).toThrow(
        /parts\[1\]: got .*must not stand beside the input of a player.*within\(\[new/,
      )
})

it.each([blend, priority, truncatedSum, dither])(
  'and so is one that is added later, when it takes effect',
  (scheme) => {
    const combination = scheme([new Stop(), new Stick()])
    const world = new SteeringWorld()
    const faults: unknown[] = []
    world.addEventListener('fault', ({ message }) => faults.push(message))
    world.add(new SteeringController(null, { behavior: combination, maxSpeed: 1, maxForce: 1, radius: 1 }))
    world.step(1 / 60)
    expect(faults).toEqual([])
    combination.parts.push({ behavior: new Contain({ bounds: [] }) } as never)
    world.step(1 / 60)
    expect(faults).toEqual([
      expect.stringMatching(/parts\[2\]: got .*must not stand beside the input of a player/),
    ])
  },
)
