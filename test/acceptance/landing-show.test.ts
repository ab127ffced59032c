import { beforeAll, describe, expect, it } from 'vitest'
import { GROUND_HIGH, GROUND_LOW, groundAt, PAD_LEVEL, PADS } from '../../demo/scenarios/asteroid-land.js'
import { FEET } from '../../demo/scenarios/lander.js'
import { Landing } from '../../demo/scenarios/landing.js'
import type { Touch } from '../../demo/scenarios/touch-down.js'
import { distance, magnitude } from '../../demo/scenarios/metrics.js'
import { direction } from '../../demo/scenarios/vectors.js'
import { seeded } from 'three-steering/authoring'
import { Vec3 } from 'cannon-es'
import { Progress } from '../support/progress.js'
import { pick } from '../support/tier.js'

const DEGREE = Math.PI / 180

interface Flown {
  readonly touches: readonly Touch[]
  readonly scene: Landing
  /** Largest distance of a foot from its touchdown point while the lander rested (m). */
  readonly slid: number
  /** Longest time without a landing or a take-off (s). */
  readonly idle: number
}

function fly(seconds: number, dt: number, scene: Landing): Flown {
  const touches: Touch[] = []
  const places = new Map<number, Vec3>()
  let slid = 0
  const progress = new Progress()
  for (let k = 0; k < seconds / dt; k++) {
    scene.step(dt)
    touches.push(...scene.touches.splice(0))
    progress.update(k * dt, touches.length + scene.departures)
    for (const [index, { body, leg }] of scene.landers.entries()) {
      if (leg !== 'resting') {
        places.delete(index)
        continue
      }
      const sole = scene.asteroid.pointToLocalFrame(body.pointToWorldFrame(new Vec3(0, -FEET, 0)))
      slid = Math.max(slid, distance(sole, places.get(index) ?? sole))
      if (!places.has(index)) places.set(index, sole)
    }
  }
  return { touches, scene, slid, idle: progress.longest }
}

describe('the landing scene, 70 s of it', () => {
  let flown: Flown

  beforeAll(() => {
    flown = fly(70, 1 / 60, new Landing({ seed: 4 }))
  }, 30_000)

  it('has landers that land and take off again', () => {
    expect(flown.touches.length).toBeGreaterThanOrEqual(6)
    expect(flown.scene.departures).toBeGreaterThanOrEqual(4)
    expect(flown.idle).toBeLessThan(40)
    expect(new Set(flown.touches.map(({ pad }) => pad)).size).toBe(PADS.length)
  })

  it('has soft landings: slow, centred, level, and without earlier contacts', () => {
    for (const { closing, sliding, aside, tilt } of flown.touches) {
      expect(Math.abs(closing / 0.15 - 1)).toBeLessThan(0.1)
      expect(sliding).toBeLessThan(0.005)
      expect(aside).toBeLessThan(0.02)
      expect(tilt).toBeLessThan(0.1 * DEGREE)
    }
    expect(flown.scene.bumps).toBe(0)
  })

  it('has landers that stay at their place on turning ground, with all engines off', () => {
    expect(flown.slid).toBeLessThan(0.002)
    const resting = new Landing({ seed: 4 })
    const since = new Map<number, number>()
    let quiet = 0
    let noisy = 0
    for (let k = 0; k < 60 * 18; k++) {
      resting.step(1 / 60)
      for (const [index, { leg, pilot }] of resting.landers.entries()) {
        const time = leg === 'resting' ? (since.get(index) ?? 0) + 1 : 0
        since.set(index, time)
        if (time < 5) continue
        if (magnitude(pilot.force) + magnitude(pilot.torque) === 0) quiet++
        else noisy++
      }
    }
    expect(quiet).toBeGreaterThan(300)
    expect(noisy).toBe(0)
  }, 30_000)

  it.each([0, 0.8])(
    'has landings under a gravity of %f m/s², too',
    (pull) => {
      const scene = new Landing({ seed: 6, count: 2 })
      scene.pull = pull
      const { touches } = fly(25, 1 / 60, scene)
      expect(touches.length).toBeGreaterThanOrEqual(2)
      for (const { aside, tilt } of touches) {
        expect(aside).toBeLessThan(0.02)
        expect(tilt).toBeLessThan(0.1 * DEGREE)
      }
    },
    30_000,
  )

  it('has gravity towards the centre, and waiting landers carry their weight', () => {
    const scene = new Landing({ seed: 2 })
    const { body, pilot } = scene.landers[4]!
    const before = body.position.clone()
    for (let k = 0; k < 60; k++) scene.step(1 / 60)
    const weight = (body.mass * scene.pull * PAD_LEVEL ** 2) / before.lengthSquared()
    expect(magnitude(pilot.force)).toBeCloseTo(weight, 3)
    expect(pilot.force.x * before.x + pilot.force.y * before.y + pilot.force.z * before.z).toBeGreaterThan(0)
    expect(distance(body.position, before)).toBeLessThan(0.01)
  })
})

describe('the ground of the asteroid', () => {
  it('stays below the height that routes assume, and below the pads', () => {
    const random = seeded(12)
    for (let k = 0; k < pick(1000, 4000); k++) {
      const height = groundAt(direction(random))
      expect(height).toBeGreaterThanOrEqual(GROUND_LOW)
      expect(height).toBeLessThanOrEqual(GROUND_HIGH)
    }
    for (const pad of PADS) expect(groundAt(pad)).toBeLessThan(PAD_LEVEL)
  })
})
