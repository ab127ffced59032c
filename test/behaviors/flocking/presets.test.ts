import { describe, expect, it } from 'vitest'
import {
  blend,
  Cruise,
  DRONES,
  FISH,
  Flocking,
  GEESE,
  ReciprocalAvoidance,
  STARLINGS,
  SteeringWorld,
  within,
  type FlockPreset,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { measureFlock } from '../../rigs/fly-flock.js'
import { direction, times } from '../../../demo/scenarios/vectors.js'
import { minus, norm } from '../../support/geometry.js'
import { addFlock } from '../../support/flock.js'

const COUNT = 60

/** Flies a loose ball of agents for 30 s; their initial directions differ within a half-space. */
function fly({ traits, flocking, cruise, avoidance }: FlockPreset) {
  const world = new SteeringWorld({ seed: 1 })
  const random = seeded(5)
  const spacing = flocking.separation.neighborDistance
  const behavior = within(
    [new ReciprocalAvoidance(avoidance)],
    blend([new Flocking(flocking), new Cruise(cruise)]),
  )
  const flock = addFlock(world, {
    ...traits,
    behavior,
    count: COUNT,
    spawn: (_, { position, velocity }) => {
      Object.assign(position, times(direction(random), 2.5 * spacing * Math.cbrt(random())))
      const initial = times(direction(random), 0.5 * traits.maxSpeed)
      Object.assign(velocity, { ...initial, x: Math.abs(initial.x) })
    },
  })
  const birds = Array.from({ length: COUNT }, (_, i) => flock.member(i))
  let gap = Infinity
  for (let i = 0; i < 1800; i++) {
    world.step(1 / 60)
    // initial positions are random: the agents need time to separate
    if (i > 120 && i % 6 === 0)
      for (const [k, a] of birds.entries())
        for (const b of birds.slice(k + 1))
          gap = Math.min(gap, norm(minus(a.position, b.position)) - 2 * traits.radius)
  }
  return { gap, ...measureFlock(birds, { link: 2 * spacing, traits }) }
}

describe.each([
  ['STARLINGS', STARLINGS],
  ['GEESE', GEESE],
  ['FISH', FISH],
  ['DRONES', DRONES],
])('%s', (_, preset) => {
  it('fly 30 s as one flock, one way, at their speed, without a touch', () => {
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
