import { describe, expect, it } from 'vitest'
import { SteeringController, SteeringWorld, Thrusters } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { Dock, Port } from 'three-steering/docking'
import { hullScene } from '../rigs/docking-table.js'
import { flyScene, poseAt, sphere, type Engines } from '../rigs/docking-trials.js'
import { about, times, v } from '../support/geometry.js'
import { DOCKER, station } from '../support/pilot.js'
import { pick } from '../support/tier.js'

// At carriers that spin, ships that turn their main engine followed the mouth of the corridor for ever: at
// rest beside the axis, in the corridor, and never in time for the meeting that they planned anew in each
// step. Ships that turn slowly repeated run-ins for ever. Both said nothing.

const DT = 1 / 60

/** Times (s) at which a ship has docked, and at which it said why not; Infinity for never. */
interface Flight {
  docked: number
  told: number
}

/** A ship 60 m from a carrier that spins; sides and retro engine as shares of the main one. */
function flyAtSpin(seed: number, spin: number, sides: number, retro: number, torque: number): Flight {
  const axis = sphere(seeded(3000 + seed + 100 * spin))
  const random = seeded(4000 + seed)
  const carrier = { ...station(), angularVelocity: times(axis, spin) }
  const across = 30 * sides
  const ship = new SteeringController(null, {
    ...DOCKER,
    maxTorque: torque,
    position: times(sphere(random), 60),
    locomotion: new Thrusters({
      ahead: 30,
      astern: 30 * retro,
      up: across,
      down: across,
      port: across,
      starboard: across,
    }),
    behavior: new Dock({ port: new Port({ carrier, position: v(5, 0, 0), outward: v(1, 0, 0) }) }),
  })
  const world = new SteeringWorld()
  world.add(ship)
  const flight: Flight = { docked: Infinity, told: Infinity }
  ship.addEventListener('stage', ({ stage }) => {
    if (stage === 'latched') flight.docked = Math.min(flight.docked, world.time)
  })
  ship.addEventListener('cannot', () => (flight.told = Math.min(flight.told, world.time)))
  while (world.time < 150 && flight.docked === Infinity && flight.told === Infinity) {
    world.step(DT)
    carrier.quaternion = about(axis, spin * world.time)
  }
  return flight
}

it('a ship that has come to rest in its corridor, beside the axis, runs in', () => {
  for (const seed of pick([4], [4, 7]))
    expect(flyAtSpin(seed, 0.2, 0.5, 0.2, 20).docked, `seed ${seed}`).toBeLessThan(100)
  expect(flyAtSpin(9, 0.2, 0.25, 0.25, 20).docked).toBeLessThan(100)
})

// Their noses lagged behind a meeting that turned with the carrier: they followed it beside the corridor.
it('a ship that follows its port from beside the corridor moves to the mouth, and docks', () => {
  for (const spin of pick([0.25], [0.25, 0.3], [0.2, 0.25, 0.3]))
    for (const seed of pick([2], [2, 4, 7], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]))
      expect(flyAtSpin(seed, spin, 0.5, 0.2, 20).docked, `${spin} rad/s, seed ${seed}`).toBeLessThan(60)
})

describe.each([
  [0.5, 0.2, 20],
  [0.25, 0.25, 20],
  [0.25, 0.25, 5],
  [0.25, 0.25, 80],
  [0.5, 0, 20],
  [0, 1, 20],
])('sides of %d, retro engine of %d, %d N m', (sides, retro, torque) => {
  it('a ship at a carrier that spins docks, or says why not', () => {
    for (const spin of pick([0.2, 0.3], [0.1, 0.2, 0.3, 0.4], [0.1, 0.15, 0.2, 0.25, 0.3, 0.4]))
      for (const seed of pick([4], [2, 4, 7], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])) {
        const { docked, told } = flyAtSpin(seed, spin, sides, retro, torque)
        expect(Math.min(docked, told), `${spin} rad/s, seed ${seed}`).toBeLessThan(150)
      }
  })
})

/** A docking at a hull, on cannon-es. A ship that turns round in `time` (s); what it says, and its stages. */
function flyAtHull(seed: number, engines: Engines, time: number, kick = 0) {
  const scene = hullScene('drift', seeded(seed))
  const { ship } = scene
  const { x, y, z } = ship.inertia
  const told: string[] = []
  let isKicked = kick === 0
  const result = flyScene(
    seed,
    { ...scene, ...(time > 0 && { pilot: { maxTorque: (Math.max(x, y, z) * Math.PI * 4) / time ** 2 } }) },
    {
      engines,
      longest: 290,
      watch: ({ pilot, stages, time: now }) => {
        if (now < 1.5 * DT) pilot.addEventListener('cannot', ({ reason }) => told.push(reason))
        if (isKicked || stages.at(-1) !== 'final' || poseAt(scene).gap > 3) return
        isKicked = true
        const outward = ship.position.vsub(scene.carrier.position).unit()
        ship.velocity.vadd(outward.scale(-kick), ship.velocity)
      },
    },
  )
  return { ...result, told }
}

it.each([
  ['noSide', 20],
  ['noSide', 40],
  ['weakRetro', 40],
] as const)('a ship %s that turns round in %i s docks, or says why not', (engines, time) => {
  for (let seed = 1003; seed < 1003 + pick(1, 4, 20); seed++) {
    const { contacts, docked, told } = flyAtHull(seed, engines, time)
    expect(docked ? contacts : told.length - 1, `seed ${seed}`).toBe(0)
  }
})

// It planned its meetings without the time in which it turns, was late for each, and hung beside the axis.
it('a ship with a weak engine astern that turns round in 40 s docks', () => {
  for (let seed = 8002; seed < 8002 + pick(1, 3, 12); seed++) {
    const { contacts, docked } = flyAtHull(seed, 'weakRetro', 40)
    expect({ docked, contacts }, `seed ${seed}`).toEqual({ docked: true, contacts: 0 })
  }
})

// In the corridor it was planned with the weakest side engine, in any attitude: it came 10 m off the axis,
// touched the hull, and docked after 92 s.
it('a ship with a weak engine astern docks at a hull that spins, without a contact', () => {
  for (const seed of pick([102], [102, 103], [101, 102, 103, 104, 105, 106])) {
    const { contacts, docked, time } = flyScene(seed, hullScene('spin 0.2', seeded(seed)), {
      engines: 'weakRetro',
    })
    expect({ docked, contacts }).toEqual({ docked: true, contacts: 0 })
    expect(time).toBeLessThan(62)
  }
})

it('a ship that is kicked says once that it is too fast to stop', () => {
  const { docked, stages } = flyAtHull(1001, 'weakRetro', 0, 1.5)
  expect(docked).toBe(true)
  expect(stages.filter((stage) => stage.includes('too fast'))).toHaveLength(1)
})

// It turned round at once, and struck the hull with its tail, up to twelve times, at up to 3.4 m/s.
it('a ship without brakes that is kicked touches with its nose, at the speed of the kick, and turns then', () => {
  for (const seed of pick(
    [1011],
    [1003, 1007, 1011],
    [1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1011],
  )) {
    const { docked, impact } = flyAtHull(seed, 'noRetro', 0, 1.2)
    expect(docked).toBe(true)
    expect(impact).toBeLessThan(1.2 + 0.25 + 0.02)
  }
})
