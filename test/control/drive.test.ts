import { describe, expect, it } from 'vitest'
import { drive } from 'three-steering/authoring'
import { vec3 } from '../../src/core/math/vec3.js'
import { expectVec, norm, number, plus, times, v, vector } from '../support/geometry.js'
import { law } from '../support/law.js'
import { standIn, stepOf } from '../support/stand-in.js'

describe('drive', () => {
  it('is F = m (v* − v) / τ', () => {
    const agent = standIn({ mass: 3, velocity: v(1, -2, 0.5), responseTime: 0.5, maxForce: 1000 })
    const out = vec3()
    drive(agent, stepOf(), v(2, 0, 1), out)
    expectVec(out, v(6, 12, 3), 1e-12)
  })

  it('is zero at the wanted velocity', () => {
    const out = vec3()
    drive(standIn({ velocity: v(1, 2, 3) }), stepOf(), v(1, 2, 3), out)
    expectVec(out, v(0, 0, 0), 0)
  })

  it('never pushes harder than maxForce, and keeps the direction', () => {
    const out = vec3()
    drive(standIn({ mass: 3, maxForce: 5, responseTime: 0.1 }), stepOf(), v(0, 30, 40), out)
    expectVec(out, v(0, 3, 4), 1e-12)
  })

  it('adds to the present value; the weight is applied after the truncation', () => {
    const out = v(1, 0, 0)
    drive(standIn({ maxForce: 5 }), stepOf(), v(0, 30, 40), out, 2)
    expectVec(out, v(1, 6, 8), 1e-12)
  })

  law(
    'reaches the wanted velocity within one step that is longer than τ, and does not overshoot it',
    [vector(10), vector(10), number(0.01, 1)],
    (now, wanted, dt) => {
      const agent = standIn({ mass: 2, velocity: now, responseTime: 1e-3, maxForce: Infinity })
      const out = vec3()
      drive(agent, stepOf(dt), wanted, out)
      expectVec(plus(now, out, dt / agent.mass), wanted, 1e-9)
    },
  )

  it('removes an error with the time constant τ, at any step rate', () => {
    for (const rate of [30, 60, 240]) {
      const velocity = v(0, 0, 8)
      for (let i = 0; i < rate; i++) {
        const out = vec3()
        drive(standIn({ velocity, responseTime: 0.5, maxForce: 1e9 }), stepOf(1 / rate), v(0, 0, 0), out)
        velocity.z += out.z / rate
      }
      // explicit Euler with dt/τ = 1/15 … 1/120 lags the exponential by at most dt/(2τ²) of it
      const exact = 8 * Math.exp(-1 / 0.5)
      expect(Math.abs(velocity.z / exact - 1)).toBeLessThan((2.2 * 1) / rate / 2 / 0.25)
    }
  })

  law('scales with mass as long as the force suffices', [vector(10), number(0.1, 50)], (wanted, mass) => {
    const [one, many] = [vec3(), vec3()]
    drive(standIn({ maxForce: Infinity }), stepOf(), wanted, one)
    drive(standIn({ mass, maxForce: Infinity }), stepOf(), wanted, many)
    expectVec(many, times(one, mass), 1e-9 * (1 + norm(many)))
  })
})
