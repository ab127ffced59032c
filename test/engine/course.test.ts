import { describe, expect, it } from 'vitest'
import { SteeringWorld, type Vec3 } from 'three-steering'
import { type FrameLike, seeded } from 'three-steering/authoring'
import { carryFrame, copyFrame, frame } from '../../src/core/math/frame.js'
import {
  angleApart,
  angleBetween,
  expectFrame,
  expectVec,
  norm,
  times,
  unit,
  v,
} from '../support/geometry.js'
import { quatFromAxes, quat } from '../../src/core/math/quat.js'
import { Dummy, pilot } from '../support/pilot.js'
import { pick } from '../support/tier.js'

/** Flies an agent with these velocities, one in each step, and returns its course after each. */
function fly(velocities: Iterable<Vec3>, maxSpeed = 10): FrameLike[] {
  const body = new Dummy()
  const one = pilot(undefined, { body, maxSpeed })
  const world = new SteeringWorld()
  world.add(one)
  const seen: FrameLike[] = []
  for (const velocity of velocities) {
    Object.assign(body.state.velocity, velocity)
    world.step(1 / 60)
    seen.push(copyFrame(frame(), one.course))
  }
  return seen
}

function* randomVelocities(count: number, seed: number): Generator<Vec3> {
  const random = seeded(seed)
  const now = v(1, 0, 0)
  for (let i = 0; i < count; i++) {
    const size = i % 50 === 0 ? 20 : 1
    yield {
      x: (now.x += size * (random() - 0.5)),
      y: (now.y += size * (random() - 0.5)),
      z: (now.z += size * (random() - 0.5)),
    }
  }
}

describe('the course frame of an agent', () => {
  it('equals carryFrame along its velocity in each of many random steps', () => {
    const velocities = [...randomVelocities(pick(5000, 20_000), 5)]
    const seen = fly(velocities)
    const f = frame()
    // at rest before its first step the course is along the nose, +Z, top +Y
    carryFrame(copyFrame(f, { x: v(0, 0, 1), y: v(0, 1, 0), z: v(-1, 0, 0) }), v(0, 0, 1))
    for (const [i, velocity] of velocities.entries()) {
      carryFrame(f, unit(velocity))
      expectVec(seen[i]!.x, f.x, 1e-15)
      expectVec(seen[i]!.y, f.y, 1e-11)
      // each single step agrees up to rounding
      copyFrame(f, seen[i]!)
    }
    expectFrame(seen.at(-1)!, 1e-13)
  })

  it('agrees with carryFrame up to rounding in a single step, also in reversals', () => {
    const random = seeded(6)
    for (let i = 0; i < 300; i++) {
      const before = unit(v(random() - 0.5, random() - 0.5, random() - 0.5))
      const near = i % 3 === 0 ? 1e-2 : i % 3 === 1 ? 1e-5 : 3
      const after = unit(
        v(
          near * (random() - 0.5) - before.x,
          near * (random() - 0.5) - before.y,
          near * (random() - 0.5) - before.z,
        ),
      )
      const [first, second] = fly([times(before, 3), times(after, 5)])
      const carried = carryFrame(copyFrame(frame(), first!), after)
      expectVec(second!.x, carried.x, 2e-15)
      expectVec(second!.y, carried.y, 1e-12)
    }
  })

  it('stays while the agent creeps or is at rest', () => {
    const [along, creep, rest] = fly([v(3, 4, 0), v(0, 0, 5e-4), v(0, 0, 0)])
    expectVec(along!.x, v(0.6, 0.8, 0), 1e-15)
    expectVec(creep!.x, along!.x, 0)
    expectVec(rest!.y, along!.y, 0)
  })

  it('follows slow agents: the limit is a share of maxSpeed', () => {
    const [slow] = fly([v(0, 1e-4, 0)], 0.01)
    expectVec(slow!.x, v(0, 1, 0), 1e-12)
  })

  it('stays when the speed overflows', () => {
    const [along, huge] = fly([v(0, 0, -2), v(1e200, 0, 0)])
    expectVec(huge!.x, along!.x, 0)
  })

  it('follows a vertical loop without roll', () => {
    const steps = 240
    const loop = Array.from({ length: steps + 1 }, (_, i) => {
      const a = (2 * Math.PI * i) / steps
      return v(0, 8 * Math.sin(a), 8 * Math.cos(a))
    })
    const seen = fly(loop)
    for (let i = 1; i <= steps; i++) {
      const turn = angleApart(attitude(seen[i - 1]!), attitude(seen[i]!))
      expect(turn).toBeCloseTo(angleBetween(seen[i - 1]!.x, seen[i]!.x), 6)
    }
    expectVec(seen[steps / 2]!.y, v(0, -1, 0), 1e-9)
    expectVec(seen[steps]!.y, v(0, 1, 0), 1e-9)
  })

  it('starts along the velocity, or along the nose when at rest', () => {
    const world = new SteeringWorld()
    const drifting = pilot(undefined, { velocity: v(-2, 0, 0) })
    const resting = pilot(undefined, { quaternion: { x: 0, y: Math.SQRT1_2, z: 0, w: Math.SQRT1_2 } })
    world.add(drifting)
    world.add(resting)
    expectVec(drifting.course.x, v(-1, 0, 0), 1e-12)
    expectVec(resting.course.x, v(1, 0, 0), 1e-12)
  })

  it('starts along the velocity also before the agent joins a world', () => {
    expectVec(pilot(undefined, { velocity: v(-2, 0, 0) }).course.x, v(-1, 0, 0), 1e-12)
  })

  it('is along the velocity in the step after a teleport', () => {
    const world = new SteeringWorld()
    let seen = v(0, 0, 0)
    const one = pilot(
      {
        steer(agent) {
          seen = { ...agent.course.x }
        },
      },
      { velocity: v(-2, 0, 0), maxForce: 0 },
    )
    world.add(one)
    world.step(1 / 60)
    expectVec(seen, v(-1, 0, 0), 1e-12)
    one.teleport({ position: v(100, 0, 0) })
    world.step(1 / 60)
    expectVec(seen, v(-1, 0, 0), 1e-12)
    expect(norm(one.velocity)).toBeCloseTo(2, 9)
  })
})

function attitude({ x, y }: FrameLike): ReturnType<typeof quat> {
  return quatFromAxes(quat(), x, y)
}
