import { describe, expect, it } from 'vitest'
import { neighborSearch, SteeringController, SteeringWorld, type Behavior } from 'three-steering'
import type { Pose } from 'three-steering/authoring'
import { expectVec, norm, v, vector } from '../support/geometry.js'
import { law } from '../support/law.js'
import { Dummy, idle, pilot } from '../support/pilot.js'

// A world whose box is −4 … 6 on x, 0 … 3 on y, and −1 … 0 on z.

const wrap = { min: v(-4, 0, -1), max: v(6, 3, 0) }
const start = v(1, 1, -0.5)

describe('a box whose opposite sides are joined', () => {
  it.each([
    ['ahead', v(6, 0, 0), v(-3, 1, -0.5)],
    ['astern', v(-6, 0, 0), v(5, 1, -0.5)],
    ['up', v(0, 2.5, 0), v(1, 0.5, -0.5)],
    ['down', v(0, -1.5, 0), v(1, 2.5, -0.5)],
    ['to one side', v(0, 0, 0.75), v(1, 1, -0.75)],
    ['through a corner', v(-6, -1.5, -0.75), v(5, 2.5, -0.25)],
    ['many boxes in one step', v(1000, 300, -100), v(1, 1, -0.5)],
  ])('an agent that leaves it %s re-enters at the opposite side', (_, velocity, expected) => {
    const world = new SteeringWorld({ wrap })
    const one = pilot(idle(), { position: start, velocity, maxSpeed: 1e4 })
    world.add(one)
    world.step(1)
    expectVec(one.position, expected, 1e-9)
    // only the position changes
    expectVec(one.velocity, velocity, 1e-9)
    expectVec(
      one.course.x,
      v(velocity.x / norm(velocity), velocity.y / norm(velocity), velocity.z / norm(velocity)),
      1e-9,
    )
  })

  law(
    'no agent is ever outside',
    [vector(40)],
    (velocity) => {
      const world = new SteeringWorld({ wrap })
      const one = pilot(idle(), { position: start, velocity, maxSpeed: 1e4 })
      world.add(one)
      for (let i = 0; i < 50; i++) {
        world.step(1 / 10)
        for (const axis of ['x', 'y', 'z'] as const) {
          expect(one.position[axis]).toBeGreaterThanOrEqual(wrap.min[axis])
          expect(one.position[axis]).toBeLessThanOrEqual(wrap.max[axis])
        }
      }
    },
    60,
  )

  it('views do not sweep across the box', () => {
    const shown: number[] = []
    const view = { write: (_i: number, { position }: Pose) => void shown.push(position.x) }
    const world = new SteeringWorld({ wrap })
    world.add(
      new SteeringController(view, {
        behavior: idle(),
        maxSpeed: 10,
        maxForce: 1,
        position: v(5, 1, -0.5),
        velocity: v(2, 0, 0),
      }),
    )
    world.step(1)
    // from 5 over the edge at 6 to −3, which is 7 on the far side
    for (const alpha of [0, 0.25, 0.75, 1]) world.present(alpha)
    for (const [i, x] of shown.entries())
      expect([x, x + 10, x - 10]).toContainEqual(expect.closeTo([5, 5.5, 6.5, 7][i]!, 9))
    expect(Math.max(...shown) - Math.min(...shown)).toBeLessThan(2.1)
  })

  it('agents with bodies are not moved', () => {
    const body = new Dummy({ position: v(99, 1, 0) })
    const world = new SteeringWorld({ wrap })
    const one = pilot(idle(), { body })
    world.add(one)
    world.step(1)
    expectVec(one.position, v(99, 1, 0), 0)
    expectVec(body.state.position, v(99, 1, 0), 0)
  })

  it('neighbours are those at the positions after re-entering', () => {
    const seen: number[] = []
    const behavior: Behavior = {
      reach: 2,
      neighborSearch,
      steer: (agent) => void seen.push(agent.neighbors.count),
    }
    const world = new SteeringWorld({ wrap })
    world.add(pilot(behavior, { position: v(5.5, 1, -0.5), velocity: v(1, 0, 0), maxForce: 1e-9 }))
    world.add(pilot(idle(), { position: v(-3, 1, -0.5) }))
    world.step(1)
    world.step(1)
    expect(seen).toEqual([0, 1])
  })
})
