import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SteeringController, SteeringWorld } from 'three-steering'
import { bodyAxes, Dock, Port, portAxes } from 'three-steering/docking'
import { apart, plus, times, turned } from '../../laws/kit.js'
import { number } from '../../support/geometry.js'

const coordinate = number(-100, 100)
const vector = fc.record({ x: coordinate, y: coordinate, z: coordinate })

describe('the axes of a body and of its ports', () => {
  it.each([
    ['the nose', { x: 0, y: 0, z: 1 }, { x: 1, y: 0, z: 0 }],
    ['the top', { x: 0, y: 1, z: 0 }, { x: 0, y: 1, z: 0 }],
    ['starboard', { x: -1, y: 0, z: 0 }, { x: 0, y: 0, z: 1 }],
  ])('%s', (_, body, port) => {
    expect(apart(portAxes(body), port)).toBe(0)
    expect(apart(bodyAxes(port), body)).toBe(0)
  })

  it('are converted to and fro, also for a model with other axes', () => {
    const model = { forward: { x: 0, y: -2, z: 0 }, up: { x: 1, y: 1, z: 0 } }
    expect(apart(portAxes({ x: 0, y: -3, z: 0 }, model), { x: 3, y: 0, z: 0 })).toBeLessThan(1e-12)
    expect(apart(portAxes({ x: 5, y: 0, z: 0 }, model), { x: 0, y: 5, z: 0 })).toBeLessThan(1e-12)
    fc.assert(
      fc.property(vector, (each) => {
        expect(apart(bodyAxes(portAxes(each)), each)).toBeLessThan(1e-9)
        expect(apart(bodyAxes(portAxes(each, model), model), each)).toBeLessThan(1e-9)
      }),
      { seed: 4, numRuns: 100 },
    )
  })

  it('a port that is given in the axes of a turned body is where the body has it', () => {
    const half = Math.SQRT1_2
    const carrier = {
      position: { x: 3, y: 1, z: -2 },
      velocity: { x: 0, y: 0, z: 0 },
      quaternion: { x: half, y: 0, z: 0, w: half },
    }
    const place = { x: 4, y: 1, z: 2 }
    const side = { x: 1, y: 0, z: 0 }
    const port = new Port({ carrier, position: portAxes(place), outward: portAxes(side) })
    const pilot = new SteeringController(null, {
      radius: 2,
      inertia: { x: 1, y: 1, z: 1 },
      maxSpeed: 10,
      maxForce: 3,
      maxTorque: 1,
      position: { x: 30, y: 8, z: 0 },
      behavior: new Dock({ port }),
    })
    const world = new SteeringWorld()
    world.add(pilot)
    const stages: string[] = []
    pilot.addEventListener('stage', ({ stage }) => stages.push(stage))
    for (let i = 0; i < 60 * 60 && stages.at(-1) !== 'latched'; i++) world.step(1 / 60)
    expect(stages.at(-1)).toBe('latched')
    const nose = plus(pilot.position, times(turned(pilot.quaternion, { x: 0, y: 0, z: 1 }), 2))
    expect(apart(nose, plus(carrier.position, turned(carrier.quaternion, place)))).toBeLessThan(0.03)
  })

  it.each([
    [() => portAxes('x' as never), TypeError, /portAxes\.vector/],
    [() => portAxes({ x: NaN, y: 0, z: 0 }), RangeError, /portAxes\.vector/],
    [
      () => bodyAxes({ x: 1, y: 0, z: 0 }, { forward: { x: 0, y: 0, z: 0 } }),
      RangeError,
      /bodyAxes\.forward/,
    ],
    [() => bodyAxes({ x: 1, y: 0, z: 0 }, { up: { x: 0, y: 0, z: 3 } }), RangeError, /bodyAxes\.up/],
  ] as const)('refuse %o', (convert, error, message) => {
    expect(convert).toThrow(error)
    expect(convert).toThrow(message)
  })
})
