import { expect, it } from 'vitest'
import { Wander, type Vec3, type WanderOptions } from 'three-steering'
import { wedgePattern } from 'three-steering/formation'
import { minus, norm, times } from '../support/geometry.js'
import { RADIUS, wing } from '../behaviors/formation/formation-kit.js'
import { pick } from '../support/tier.js'

const DT = 1 / 60
/** The captain turns as fast as its servo does. */
const TURN_TIME = 0.1

/**
 * Flies seven members behind one that wanders, from the tenth second to the 25th. `captain` and `others`: the
 * sum of the changes of acceleration from step to step, of the captain and of one other in the mean (m/s²).
 */
function flyBehind({ jitter = 1, ...wander }: WanderOptions) {
  const one = wing({ spacing: 4, pattern: wedgePattern })
  for (let i = 0; i < 7; i++)
    one.add(
      { x: -4 * i, y: 0, z: 3 * i * (i % 2 === 0 ? 1 : -1) },
      {
        lead: new Wander({ ...wander, jitter: jitter * Math.sqrt(TURN_TIME), turnTime: TURN_TIME }),
        velocity: { x: 8, y: 0, z: 0 },
      },
    )
  let velocities: Vec3[] = []
  let accelerations: Vec3[] = []
  let captain = 0
  let others = 0
  let error = 0
  for (let k = 0; k < 25 * 60; k++) {
    one.step(DT)
    const now = one.ships.map(({ velocity: { x, y, z } }) => ({ x, y, z }))
    const change = now.map((velocity, i) => times(minus(velocity, velocities[i] ?? velocity), 1 / DT))
    if (k > 600) {
      one.ships.forEach(({ id }, i) => {
        const jitter = norm(minus(change[i]!, accelerations[i]!))
        if (id === one.formation.captain) captain += jitter
        else others += jitter / 6
      })
      error = Math.max(error, one.formation.slotError)
    }
    velocities = now
    accelerations = change
  }
  return { captain, others, error, nearest: one.nearest }
}

it('the jitter of a member that leads is not passed on to a wide formation sixfold', () => {
  const { captain, others, error } = flyBehind({ distance: 10, jitter: 0.6 })
  expect(others).toBeLessThan(4 * captain)
  expect(error).toBeLessThan(0.6)
})

it.each(pick([4], [0.6, 1, 2, 4]))(
  'behind one that wanders too wildly to be followed, jitter %s, the others are no more restless than it',
  (jitter) => {
    const { captain, others, nearest } = flyBehind({ jitter })
    expect(others).toBeLessThan(1.1 * captain)
    expect(nearest).toBeGreaterThan(2 * RADIUS)
  },
)
