import { describe, expect, it } from 'vitest'
import { Pursue, ReciprocalAvoidance, SteeringController, SteeringWorld, Stick, within } from 'three-steering'
import { pick } from '../support/tier.js'

// The hunters left half of the way to a prey that avoids nobody, and touched it 20 times a minute. Pressed by
// it, they touched each other: each of two counted on the other one.

const person = { plane: { x: 0, y: 1, z: 0 }, radius: 0.5, maxForce: 20 }
const frame = { quaternion: { x: 0, y: 0, z: 0, w: 1 } }

/** Twenty hunters and a prey that weaves. Returns the contacts of the prey in 25 s and of the hunters. */
function hunt(rate: number, isAssisted: boolean): readonly [prey: number, hunters: number] {
  const steering = new SteeringWorld({ seed: 3 })
  const stick = new Stick({ frame })
  const behavior = isAssisted ? within([new ReciprocalAvoidance()], stick) : stick
  const prey = new SteeringController(null, { ...person, maxSpeed: 6, behavior })
  const chase = within([new ReciprocalAvoidance()], new Pursue({ target: prey }))
  const all = [prey]
  for (let i = 0; i < 20; i++) {
    const position = { x: (8 + i / 2) * Math.cos(2.4 * i), y: 0, z: (8 + i / 2) * Math.sin(2.4 * i) }
    all.push(new SteeringController(null, { ...person, position, maxSpeed: 6.6, behavior: chase }))
  }
  for (const each of all) steering.add(each)
  const contacts: [number, number] = [0, 0]
  const touching = new Set<number>()
  for (let step = 0; step < 25 * rate; step++) {
    const turn = 1.2 * Math.sin((2.1 * step) / rate) + 0.5 * Math.sin((0.37 * step) / rate)
    Object.assign(stick, { ahead: Math.cos(turn), right: Math.sin(turn) })
    steering.step(1 / rate)
    for (let i = 0; i < all.length; i++)
      for (let k = 0; k < i; k++) {
        const { position: a } = all[i]!
        const { position: b } = all[k]!
        const isTouching = Math.hypot(a.x - b.x, a.z - b.z) < 1
        if (isTouching && !touching.has(100 * i + k)) contacts[k === 0 ? 0 : 1]++
        if (isTouching) touching.add(100 * i + k)
        else touching.delete(100 * i + k)
      }
  }
  return contacts
}

describe('twenty hunters, by the defaults', () => {
  it('do not touch a player that weaves, nor each other', () => {
    expect(hunt(60, true)).toEqual([0, 0])
  })

  it.each(pick([30], [30, 60]))('do not touch a player without an assistance, at %i Hz', (rate) => {
    expect(hunt(rate, false)[0]).toBe(0)
  })
})
