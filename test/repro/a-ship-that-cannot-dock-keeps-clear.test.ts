import { expect, it } from 'vitest'
import { SteeringController, SteeringWorld, Thrusters } from 'three-steering'
import { Dock, Port } from 'three-steering/docking'
import { apart } from '../laws/kit.js'
import { about, times, v } from '../support/geometry.js'
import { DOCKER, station } from '../support/pilot.js'
import { pick } from '../support/tier.js'

// A ship that was told that it cannot dock went on trying: it followed a port that sweeps faster than it can
// fly, and came within reach of the hull (9 contacts at up to 3.1 m/s). It also kept the port from others.

const RATES = pick([60], [30, 60, 144])

/** A ship, a carrier that may spin with a port on its rim, and what the ship emits. */
function scene(position = v(30, 40, 25)) {
  const carrier = { ...station(), velocity: v(1, 0, 0) }
  const port = new Port({ carrier, position: v(12, 0, 0), outward: v(1, 0, 0) })
  const pilot = new SteeringController(null, {
    ...DOCKER,
    position,
    behavior: new Dock({ port }),
  })
  const world = new SteeringWorld()
  world.add(pilot)
  const stages: string[] = []
  const told: string[] = []
  pilot.addEventListener('stage', ({ stage }) => stages.push(stage))
  pilot.addEventListener('cannot', ({ reason }) => told.push(`${world.time.toFixed(0)} ${reason}`))
  let angle = 0
  let nearest = Infinity
  const fly = (seconds: number, rate: number): number => {
    nearest = Infinity
    for (let i = 0; i < seconds * rate && stages.at(-1) !== 'latched'; i++) {
      world.step(1 / rate)
      angle += carrier.angularVelocity.y / rate
      carrier.quaternion = about(v(0, 1, 0), angle)
      carrier.position = times(carrier.velocity, world.time)
      nearest = Math.min(nearest, apart(pilot.position, carrier.position))
    }
    return nearest
  }
  return { carrier, fly, pilot, port, stages, told, world }
}

it.each([v(30, 40, 25), v(0, 60, 0), v(-25, 0, 0), v(200, 0, -5)])(
  'a ship %o from a carrier that spins too fast waits out of its reach, and docks when it spins no more',
  (start) => {
    for (const rate of RATES) {
      const { carrier, fly, pilot, port, stages, told } = scene(start)
      carrier.angularVelocity = v(0, 0.8, 0)
      expect(fly(60, rate)).toBeGreaterThan(20)
      expect(stages).toEqual(['approach', 'queue'])
      expect(told).toEqual([expect.stringMatching(/^1 the carrier spins too fast/)])
      expect(port.holder).toBe(-1)
      expect(apart(pilot.velocity, carrier.velocity)).toBeLessThan(0.05)
      carrier.angularVelocity = v(0, 0, 0)
      fly(60, rate)
      expect(stages.at(-1)).toBe('latched')
    }
  },
)

it('a ship backs out of the corridor when the carrier begins to spin, or its engines fail', () => {
  for (const rate of RATES) {
    const { carrier, fly, stages } = scene()
    while (stages.at(-1) !== 'final') fly(1, rate)
    carrier.angularVelocity = v(0, 0.8, 0)
    fly(20, rate)
    expect(stages.at(-1)).toBe('queue')
    expect(fly(30, rate)).toBeGreaterThan(30)
    const all = { ahead: 30, astern: 30, up: 30, down: 30, port: 30, starboard: 30 }
    const lame = scene()
    while (lame.stages.at(-1) !== 'final') lame.fly(1, rate)
    lame.pilot.locomotion = new Thrusters({ ...all, ahead: 0 })
    expect(lame.fly(20, rate)).toBeGreaterThan(13)
    expect(lame.stages.slice(-2)).toEqual(['abort', 'queue'])
    expect(lame.fly(30, rate)).toBeGreaterThan(30)
  }
})

// It was told at once, and half of such ships docked; or after 105 s and more.
it('a ship docks at a load that is at the limit of its engines, or is told after two run-ins', () => {
  for (const share of pick([1, 1.1], [0.95, 1, 1.05, 1.1])) {
    const { carrier, fly, stages, told } = scene()
    carrier.angularVelocity = v(0, Math.sqrt((3 * share) / 24.2), 0)
    fly(80, 60)
    expect(stages.at(-1)).toBe(share > 1 ? 'queue' : 'latched')
    expect(told).toEqual(share > 1 ? [expect.stringMatching(/, and it failed twice$/)] : [])
  }
})
