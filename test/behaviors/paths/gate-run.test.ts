import { describe, expect, it } from 'vitest'
import {
  blend,
  Seek,
  SteeringController,
  SteeringWorld,
  within,
  type Behavior,
  type Vec3,
} from 'three-steering'
import { GateRun, type Gate, type GateRunOptions } from 'three-steering/racing'
import { expectConsole } from '../../support/console.js'
import { minus } from '../../support/geometry.js'
import { pilot, quietWorld } from '../../support/pilot.js'
import { addFlock } from '../../support/flock.js'

const v = (x = 0, y = 0, z = 0): Vec3 => ({ x, y, z })
const gate = (x: number, radius = 2, heading = v(1)): Gate => ({ position: v(x), heading, radius })
const ROW = [gate(10), gate(20), gate(30)]

/** Flies straight on from `position` and returns the events of the run. */
function watch(
  run: GateRun,
  position: Vec3,
  velocity: Vec3,
): { world: SteeringWorld; ship: SteeringController; told: string[] } {
  const { world } = quietWorld()
  const ship = pilot({ steer: () => undefined }, { position, velocity, maxSpeed: 1e9 })
  ship.behavior = blend([run])
  const events: string[] = []
  ship.addEventListener('stage', ({ stage }) => events.push(stage))
  ship.addEventListener('arrive', () => events.push('arrive'))
  world.add(ship)
  return { world, ship, told: events }
}

/** Positions at which the agent is placed from step to step, by hand. */
function lead(run: GateRun, places: readonly Vec3[], dt = 1): string[] {
  const { world } = quietWorld()
  const ship = pilot({ steer: () => undefined }, { position: places[0]!, maxSpeed: 1e9 })
  ship.behavior = run
  const events: string[] = []
  ship.addEventListener('stage', ({ stage }) => events.push(stage))
  world.add(ship)
  places.forEach((position, i) => {
    const next = places[i + 1] ?? position
    const { x, y, z } = minus(next, position)
    ship.teleport({ position, velocity: v(x / dt, y / dt, z / dt) })
    world.step(dt)
  })
  return events
}

describe('GateRun', () => {
  it.each([1 / 240, 1 / 60, 1 / 30, 1, 60])('records every gate and its time at steps of %f s', (dt) => {
    expectConsole() // a hint that a step of 60 s is long
    const run = new GateRun({ gates: ROW, ends: 'open' })
    const { world, ship, told: events } = watch(run, v(), v(8, 0.1, 0))
    while (world.time < 4 + 2 * dt) world.step(dt)
    expect(events.slice(-2)).toEqual(['lap 1', 'arrive'])
    expect(events.filter((each) => each.startsWith('gate'))).toHaveLength(3)
    const record = run.of(ship.id)!
    expect([record.passed, record.missed, record.laps, record.done]).toEqual([3, 0, 1, true])
    ROW.forEach(({ position }, i) => expect(record.times[i]).toBeCloseTo(position.x / 8, 9))
    expect(record.lapTime).toBeCloseTo(20 / 8, 9)
    expect(record.bestLap).toBe(record.lapTime)
  })

  it('counts only passings through the disc, in the right direction, in order', () => {
    const run = (): GateRun => new GateRun({ gates: ROW, ends: 'open' })
    expect(lead(run(), [v(9, 1.99), v(11, 1.99)])).toEqual(['gate 0'])
    expect(lead(run(), [v(9, 2.01), v(11, 2.01)])).toEqual(['missed 0'])
    // A passing far beside a gate does not count yet, because the path may lead around.
    expect(lead(run(), [v(9, 6), v(11, 6)])).toEqual([])
    expect(lead(run(), [v(11), v(9)])).toEqual([])
    expect(lead(run(), [v(19), v(21)])).toEqual(['missed 0', 'gate 1'])
    // No agent comes to the third gate without one of the first two.
    expect(lead(run(), [v(29), v(31)])).toEqual([])
    expect(lead(run(), [v(9), v(11), v(9), v(11)])).toEqual(['gate 0'])
  })

  it('handles slanted gates, and counts a position on the plane once', () => {
    const tilted = [gate(10, 2, v(3, 3)), gate(20)]
    expect(lead(new GateRun({ gates: tilted }), [v(9), v(10), v(11)])).toEqual(['gate 0'])
    expect(lead(new GateRun({ gates: tilted }), [v(10, -1), v(10, 1)])).toEqual(['gate 0'])
    expect(lead(new GateRun({ gates: tilted }), [v(10, 1), v(10, -1)])).toEqual([])
  })

  it('measures laps at the first gate, and ends after the given number', () => {
    const square = [v(1), v(0, 1), v(-1), v(0, -1)].map((heading, i) => ({
      position: [v(0, -5), v(5), v(0, 5), v(-5)][i]!,
      heading,
      radius: 1,
    }))
    const run = new GateRun({ gates: square, laps: 2 })
    const around = Array.from({ length: 60 }, (_, i) => {
      const angle = -2 + (i / 20) * 2 * Math.PI
      return v(5 * Math.cos(angle), 5 * Math.sin(angle))
    })
    const events = lead(run, around)
    expect(events.filter((each) => each.startsWith('lap'))).toEqual(['lap 1', 'lap 2'])
    expect(events.filter((each) => each.startsWith('gate'))).toHaveLength(9)
    const record = run.of(1) ?? run.of(0)!
    expect([record.done, record.passed, record.missed, record.laps]).toEqual([true, 9, 0, 2])
    expect(record.lapTime).toBeCloseTo(20, 9)
  })

  it('records each agent of a flock, and does not count a jump', () => {
    const run = new GateRun({ gates: ROW, ends: 'open' })
    const { world } = quietWorld()
    const flock = addFlock(world, {
      count: 3,
      behavior: run,
      maxSpeed: 100,
      maxForce: 1,
      spawn: (index, { position, velocity }) => {
        Object.assign(position, v(0, 3 * index))
        Object.assign(velocity, v(10))
      },
    })
    const events: string[] = []
    flock.addEventListener('stage', ({ index, stage }) => events.push(`${index} ${stage}`))
    for (let i = 0; i < 90; i++) world.step(1 / 60)
    expect(events).toEqual(['0 gate 0', '1 missed 0'])
    const { told: jumped } = ((): { told: string[] } => {
      const one = watch(new GateRun({ gates: ROW }), v(), v(10))
      one.world.step(1 / 60)
      one.ship.teleport({ position: v(15) })
      for (let i = 0; i < 3; i++) one.world.step(1 / 60)
      return one
    })()
    expect(jumped).toEqual([])
  })

  it('does not change the flight of the behaviour it wraps', () => {
    const fly = (wrap: (seek: Behavior) => Behavior): Vec3 => {
      const { world } = quietWorld()
      const ship = pilot(wrap(new Seek({ target: v(40, 10, 3) })), { maxSpeed: 10, maxForce: 20 })
      world.add(ship)
      for (let i = 0; i < 120; i++) world.step(1 / 60)
      return { x: ship.position.x, y: ship.position.y, z: ship.position.z }
    }
    expect(fly((behavior) => new GateRun({ gates: ROW, behavior }))).toEqual(fly((behavior) => behavior))
  })

  it('as a constraint keeps agents that would pass beside it inside the gate, at any step', () => {
    for (const dt of [1 / 30, 1 / 60, 1 / 240])
      for (const fixed of [false, true]) {
        const run = new GateRun({ gates: [gate(30, 5), gate(60, 5)], ends: 'open' })
        const { world } = quietWorld()
        // The wish leads past the gate, 7 m beside its centre.
        const seek = new Seek({ target: v(60, 14, 0) })
        const ship = pilot(within(fixed ? [run] : [], seek), {
          velocity: v(10),
          maxSpeed: 10,
          maxForce: 20,
          radius: 1,
        })
        world.add(ship)
        while (ship.position.x < 30) world.step(dt)
        if (fixed) expect(ship.position.y).toBeLessThan(4.1)
        else expect(ship.position.y).toBeGreaterThan(6)
        if (fixed) expect(ship.position.y).toBeGreaterThan(3)
      }
  })
})

describe('invalid options of GateRun', () => {
  const refused: [string, object, string][] = [
    ['one gate for a round', { gates: [ROW[0]] }, 'GateRun.gates: got length 1'],
    ['a gate without a place', { gates: [{}, ...ROW] }, 'GateRun.gates[0].position'],
    ['a gate without a side', { gates: [gate(1, 1, v()), ...ROW] }, 'GateRun.gates[0].heading'],
    ['a radius', { gates: [gate(1, -1), ...ROW] }, 'GateRun.gates[0].radius: got -1'],
  ]
  it.each(refused)('%s is refused', (_, bad, message) => {
    expect((): Behavior => new GateRun(bad as GateRunOptions)).toThrow(message)
  })
})
