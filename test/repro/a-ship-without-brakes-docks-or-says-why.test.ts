import { expect, it } from 'vitest'
import { SteeringController, SteeringWorld, Thrusters, type Behavior } from 'three-steering'
import { Dock, Port, Undock, type DockOptions, type PortOptions } from 'three-steering/docking'
import { apart } from '../laws/kit.js'
import { v } from '../support/geometry.js'
import { ALL } from '../support/tier.js'

// A ship without a retro engine waited before the corridor for ever, and one that lacked engines across as
// well tumbled about it, both without a word.

const FORCE = 60
const SIDES = ['up', 'down', 'port', 'starboard'] as const
const RATES = ALL ? [30, 60, 144] : [60]

function scene(lacks: readonly string[], make: (port: Port) => Behavior, more: Partial<PortOptions> = {}) {
  const all = { ahead: 1, astern: 0.5, up: 0.25, down: 0.25, port: 0.25, starboard: 0.25 }
  const entries = Object.entries(all).map(([name, share]) => [name, lacks.includes(name) ? 0 : share * FORCE])
  const carrier = { position: v(0, 0, 0), velocity: v(1, 0.5, 0), forward: v(1, 0, 0), up: v(0, 1, 0) }
  const port = new Port({ carrier, position: v(5, 0, 0), outward: v(1, 0, 0), ...more })
  const locomotion = new Thrusters(Object.fromEntries(entries) as { ahead: number })
  const pilot = new SteeringController(null, {
    mass: 10,
    inertia: v(8, 8, 8),
    radius: 1,
    maxSpeed: 15,
    maxForce: FORCE,
    maxTorque: 10,
    position: v(-20, 30, 40),
    velocity: v(1, 0, 2),
    locomotion,
    behavior: make(port),
  })
  const world = new SteeringWorld()
  world.add(pilot)
  const stages: string[] = []
  const told: string[] = []
  let toldAt = Infinity
  pilot.addEventListener('stage', ({ stage }) => stages.push(stage))
  pilot.addEventListener('cannot', ({ reason }) => {
    told.push(reason)
    toldAt = Math.min(toldAt, world.time)
  })
  let nearest = Infinity
  const fly = (seconds: number, rate: number): void => {
    for (let i = 0; i < seconds * rate && stages.at(-1) !== 'latched'; i++) {
      world.step(1 / rate)
      for (const k of ['x', 'y', 'z'] as const) carrier.position[k] += carrier.velocity[k] / rate
      nearest = Math.min(nearest, apart(pilot.position, carrier.position))
    }
  }
  return { carrier, fly, locomotion, pilot, stages, told, toldAt: () => toldAt, nearest: () => nearest }
}

/** Coupling and missing engine. */
const COASTS: readonly (readonly [string, string, Partial<DockOptions>, Partial<PortOptions>])[] = [
  ['its nose', 'astern', {}, {}],
  ['its nose, a long corridor', 'astern', {}, { corridor: 100 }],
  ['its belly', 'up', { axis: v(0, -1, 0) }, {}],
]

it.each(COASTS)('a ship without brakes docks, gently, with %s', (_, lack, dock, more) => {
  for (const rate of RATES) {
    const { carrier, fly, nearest, pilot, stages, told } = scene(
      [lack],
      (port) => new Dock({ port, ...dock }),
      more,
    )
    fly(100, rate)
    expect(stages).toEqual(['approach', 'align', 'final', 'latched'])
    expect(told).toEqual([])
    expect(apart(pilot.velocity, carrier.velocity)).toBeLessThan(0.3)
    expect(nearest()).toBeGreaterThan(5.9)
  }
})

it.each([
  [['astern', ...SIDES], /^no engines across the axis of the port, and none to brake with/],
  [['astern', 'port'], /^no engines across/],
  [['ahead'], /^no engine pushes the agent ahead, or towards the port/],
] as const)('a ship that lacks %j says why it cannot dock, in two seconds', (lacks, reason) => {
  for (const rate of RATES) {
    const { fly, told, toldAt } = scene(lacks, (port) => new Dock({ port }))
    fly(10, rate)
    expect(told).toHaveLength(1)
    expect(told[0]).toMatch(reason)
    expect(toldAt()).toBeLessThan(2)
  }
})

it('a ship without brakes says that it cannot back out', () => {
  const { fly, pilot, told } = scene(['astern'], (port) => new Undock({ port }))
  const quaternion = { x: 0, y: -Math.SQRT1_2, z: 0, w: Math.SQRT1_2 }
  pilot.teleport({ position: v(6, 0, 0), velocity: v(1, 0.5, 0), quaternion })
  fly(2, 60)
  expect(told).toEqual(['no engine pushes the agent out of the corridor'])
})

it('a ship that loses its main engine in flight says so, and stops beside its port by the one astern', () => {
  for (const rate of RATES)
    for (const lost of [4, 6, 8]) {
      const { carrier, fly, locomotion, pilot, told } = scene([], (port) => new Dock({ port }))
      fly(lost, rate)
      locomotion.ahead = 0
      fly(1.5, rate)
      expect(told).toEqual([expect.stringMatching(/^no engine pushes the agent ahead/)])
      fly(60, rate)
      expect(apart(pilot.velocity, carrier.velocity)).toBeLessThan(0.1)
      expect(apart(pilot.position, carrier.position)).toBeLessThan(40)
    }
})
