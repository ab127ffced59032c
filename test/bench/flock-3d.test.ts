import { describe, expect, it } from 'vitest'
import { FLOCK_3D, flock3d, flockSide } from '../rigs/flock-3d.js'
import { cellFlock } from './peers/cells.js'
import { pick } from '../support/tier.js'

// The benchmark is only valid if the fast flock computes the defined workload. Here it is computed by brute
// force from the definition (unit forces, cone of view, both truncations, periodic cube).

type Three = [number, number, number]

function bruteForce(x: Three[], v: Three[], side: number): void {
  const { radius, maxForce, maxSpeed, dt } = FLOCK_3D
  const edge = Math.cos(FLOCK_3D.fieldOfView / 2)
  const forces = x.map((here, i): Three => {
    const apart: Three = [0, 0, 0]
    const heading: Three = [0, 0, 0]
    const middle: Three = [0, 0, 0]
    let seen = 0
    const speed = Math.hypot(...v[i]!)
    x.forEach((there, j) => {
      const to = there.map((p, k) => p - here[k]!) as Three
      const d = Math.hypot(...to)
      const ahead = to.reduce((sum, p, k) => sum + p * v[i]![k]!, 0)
      if (j === i || d >= radius || ahead < edge * d * speed) return
      seen++
      for (let k = 0; k < 3; k++) {
        apart[k]! -= to[k]! / (d * d)
        heading[k]! += v[j]![k]!
        middle[k]! += to[k]!
      }
    })
    if (seen === 0) return [0, 0, 0]
    for (let k = 0; k < 3; k++) heading[k] = heading[k]! / seen - v[i]![k]!
    const force: Three = [0, 0, 0]
    const parts: [Three, number][] = [
      [apart, FLOCK_3D.separation],
      [heading, FLOCK_3D.alignment],
      [middle, FLOCK_3D.cohesion],
    ]
    for (const [part, weight] of parts)
      for (let k = 0; k < 3; k++) force[k]! += (weight * part[k]!) / Math.hypot(...part)
    const size = Math.hypot(...force)
    return size > maxForce ? (force.map((f) => (f * maxForce) / size) as Three) : force
  })
  x.forEach((p, i) => {
    const u = v[i]!
    for (let k = 0; k < 3; k++) u[k]! += forces[i]![k]! * dt
    const speed = Math.hypot(...u)
    for (let k = 0; k < 3; k++) {
      if (speed > maxSpeed) u[k]! *= maxSpeed / speed
      p[k] = (((p[k]! + u[k]! * dt) % side) + side) % side
    }
  })
}

describe.each([7, 30])('FLOCK-3D with k = %i', (k) => {
  it.each([false, true])('equals the workload, step by step; on its way: %s', (flow) => {
    const count = pick(110, 300)
    const { world, flock, side } = flock3d(count, k, flow)
    const plain = cellFlock(count, k, flow)
    const out = { x: 0, y: 0, z: 0 }
    const three = ({ x, y, z }: typeof out): Three => [x, y, z]
    const x = Array.from({ length: count }, (_, i) => three(flock.position(i, out)))
    const v = Array.from({ length: count }, (_, i) => three(flock.velocity(i, out)))
    // in dense places rounding grows by about a factor of two per step
    let worst = 0
    for (let step = 0; step < 40; step++) {
      world.step(FLOCK_3D.dt)
      plain.step()
      bruteForce(x, v, side)
      const arrays = plain.state()
      for (let i = 0; i < count; i++)
        for (const got of [three(flock.position(i, out)), arrays[i]!.position])
          worst = Math.max(worst, Math.hypot(...got.map((p, axis) => p - x[i]![axis]!)))
    }
    expect(worst).toBeLessThan(1e-9)
  })

  it('starts with k neighbours on average', () => {
    const count = 2000
    const { flock } = flock3d(count, k)
    const at = Array.from({ length: count }, (_, i) => ({ ...flock.position(i, { x: 0, y: 0, z: 0 }) }))
    let pairs = 0
    for (const [i, a] of at.entries())
      for (let j = 0; j < i; j++) {
        const b = at[j]!
        if ((a.x - b.x) ** 2 + (a.y - b.y) ** 2 + (a.z - b.z) ** 2 < FLOCK_3D.radius ** 2) pairs += 2
      }
    // the number of pairs in one sample of 2,000 varies by a few per cent
    expect(pairs / count / k).toBeCloseTo(1, 1)
    expect(flockSide(count, k)).toBeGreaterThan(FLOCK_3D.radius)
  })
})
