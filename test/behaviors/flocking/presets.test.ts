import { describe, expect, it } from 'vitest'
import {
  blend,
  Cruise,
  DRONES,
  FISH,
  flockCenter,
  Flocking,
  GEESE,
  ReciprocalAvoidance,
  scaleFlock,
  STARLINGS,
  SteeringWorld,
  Tether,
  within,
  type Behavior,
  type FlockPreset,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { measureFlock } from '../../rigs/fly-flock.js'
import { direction, times } from '../../../demo/scenarios/vectors.js'
import { ALL, pick } from '../../support/tier.js'
import { minus, norm } from '../../support/geometry.js'
import { addFlock } from '../../support/flock.js'

const COUNT = 60
const SECONDS = pick(12, 30)

/**
 * Flies a loose ball of agents; their initial directions differ within a half-space, or `allWays`.
 */
function fly(
  { traits, flocking, cruise, avoidance }: FlockPreset,
  allWays = false,
  held?: Behavior,
  { count = COUNT, seconds = SECONDS, seed = 5 } = {},
) {
  const world = new SteeringWorld({ seed: 1 })
  const random = seeded(seed)
  const spacing = flocking.separation.neighborDistance
  const behavior = within(
    [new ReciprocalAvoidance(avoidance)],
    blend([new Flocking(flocking), new Cruise(cruise), ...(held === undefined ? [] : [held])]),
  )
  const flock = addFlock(world, {
    ...traits,
    behavior,
    count,
    spawn: (_, { position, velocity }) => {
      Object.assign(position, times(direction(random), 2.5 * spacing * Math.cbrt(random())))
      const initial = times(direction(random), 0.5 * traits.maxSpeed)
      Object.assign(velocity, { ...initial, x: allWays ? initial.x : Math.abs(initial.x) })
    },
  })
  const birds = Array.from({ length: count }, (_, i) => flock.member(i))
  let gap = Infinity
  for (let i = 0; i < 60 * seconds; i++) {
    world.step(1 / 60)
    // initial positions are random: the agents need time to separate
    if (i > 120 && i % 6 === 0)
      for (const [k, a] of birds.entries())
        for (const b of birds.slice(k + 1))
          gap = Math.min(gap, norm(minus(a.position, b.position)) - 2 * traits.radius)
  }
  return { gap, ...measureFlock(birds, { link: 2 * spacing, traits }) }
}

const PRESETS = { STARLINGS, GEESE, FISH, DRONES }

describe.each(Object.entries(PRESETS).slice(0, ALL ? 4 : 1))('%s', (_, preset) => {
  it(`fly ${SECONDS} s as one flock, one way, at their speed, without a touch`, () => {
    const { gap, order, speed, parts, spacing, unevenness } = fly(preset)
    expect(parts).toBe(1)
    expect(order).toBeGreaterThan(0.98)
    expect(speed).toBeGreaterThan(0.9 * preset.cruise.speedShare!)
    expect(gap).toBeGreaterThan(0)
    expect(unevenness).toBeLessThan(0.25)
    // the spacing that the comment in the source states
    const radius = preset.flocking.separation.neighborDistance
    expect(spacing).toBeGreaterThan(0.5 * radius)
    expect(spacing).toBeLessThan(0.9 * radius)
  })

  it('are plain data', () => {
    expect(structuredClone(preset)).toEqual(preset)
  })
})

describe.runIf(ALL)('fifty geese', () => {
  // in three of four of these flights they fell into two halves, and with a tether some touched
  it.each(Array.from({ length: pick(1, 2, 12) }, (_, i) => i + 1))(
    'stay one flock for two minutes and touch nobody, seed %i',
    (seed) => {
      const flight = { count: 50, seconds: 120, seed }
      const free = fly(GEESE, false, undefined, flight)
      expect(free.parts).toBe(1)
      expect(free.gap).toBeGreaterThan(0)
      const tied = fly(GEESE, true, new Tether({ target: flockCenter, ...GEESE.tether }), flight)
      expect(tied.parts).toBe(1)
      expect(tied.gap).toBeGreaterThan(0)
    },
  )
})

describe('a preset', () => {
  it.runIf(ALL)('holds a flock together that starts in all directions, with its tether', () => {
    const held = new Tether({ target: flockCenter, ...STARLINGS.tether })
    const free = fly(STARLINGS, true)
    const tied = fly(STARLINGS, true, held)
    expect(tied.parts).toBeLessThan(free.parts)
    expect(tied.order).toBeGreaterThan(free.order)
    expect(tied.gap).toBeGreaterThan(0)
  })

  const scaled = scaleFlock(FISH, { radius: 2, maxSpeed: 40, mass: 500 })

  it.runIf(ALL)('scaled to other agents is the same flock in other units', () => {
    const small = fly(FISH)
    const large = fly(scaled)
    expect(large.parts).toBe(1)
    expect(large.order).toBeGreaterThan(0.98)
    expect(large.speed).toBeCloseTo(small.speed, 2)
    expect(large.spacing / 2).toBeCloseTo(small.spacing / FISH.traits.radius, 0)
  })

  it('scaled has the same ratios of distances, times and forces', () => {
    const ratiosOf = ({ traits, flocking, avoidance }: FlockPreset): number[] => {
      const { radius, mass, maxSpeed, maxForce, responseTime } = traits
      const time = radius / maxSpeed
      return [
        (maxForce * time) / (mass * maxSpeed),
        responseTime / time,
        avoidance.horizon! / time,
        avoidance.clearance! / radius,
        avoidance.neighborDistance! / radius,
        flocking.separation.neighborDistance / radius,
        flocking.alignment.neighborDistance / radius,
        flocking.cohesion.neighborDistance / radius,
      ]
    }
    const before = ratiosOf(FISH)
    ratiosOf(scaled).forEach((ratio, i) => expect(ratio).toBeCloseTo(before[i]!, 9))
    expect(scaled.traits).toMatchObject({ radius: 2, maxSpeed: 40, mass: 500 })
    // without a change of units nothing changes, and the tether grows with the number
    const { tether, ...same } = scaleFlock(STARLINGS, {})
    for (const name of ['traits', 'flocking', 'cruise', 'avoidance'] as const)
      expect(same[name]).toEqual(STARLINGS[name])
    expect(tether.radius).toBeCloseTo(STARLINGS.tether.radius, 0)
    expect(scaleFlock(STARLINGS, { count: 480 }).tether.radius).toBeCloseTo(2 * tether.radius, 9)
    // with an engine of its own, the weights are still worth the same share of the top speed
    for (const preset of Object.values(PRESETS))
      for (const share of [0.3, 1, 4]) {
        const { traits: own } = preset
        const { traits } = scaleFlock(preset, { mass: 2 * own.mass, maxForce: share * own.maxForce })
        expect(traits.maxForce).toBeCloseTo(share * own.maxForce, 9)
        const worth = ({ maxForce, responseTime, mass, maxSpeed }: FlockPreset['traits']): number =>
          (maxForce * responseTime) / (mass * maxSpeed)
        expect(worth(traits)).toBeCloseTo(worth(own), 9)
      }
    expect(() => scaleFlock(FISH, { maxForce: 0 })).toThrow('scaleFlock.maxForce: got 0, must be > 0')
    expect(() => scaleFlock(FISH, { radius: 0 })).toThrow('scaleFlock.radius: got 0, must be > 0')
    expect(() => scaleFlock(FISH, { count: 1.5 })).toThrow('scaleFlock.count: got 1.5')
    expect(() => scaleFlock(FISH, null as never)).toThrow('scaleFlock: got null')
  })
})
