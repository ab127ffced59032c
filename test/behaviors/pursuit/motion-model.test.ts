import { expect, it } from 'vitest'
import type { Behavior } from 'three-steering'
import { MotionModel } from '../../../src/blocks/pursuit/motion-model.js'
import { minus, norm, v } from '../../support/geometry.js'
import { pilot, quietWorld } from '../../support/pilot.js'

it('a target that has fallen steadily for seconds is expected to fall on, not to stop', () => {
  const model = new MotionModel()
  const target = { position: v(0, 0, 0), velocity: v(12, 0, 0) }
  const watch: Behavior = { steer: (agent, step) => model.update(agent, target, step) }
  const { world } = quietWorld()
  world.add(pilot(watch))
  const gravity = -9.81
  const fall = (time: number): typeof target => ({
    position: v(12 * time, (gravity * time * time) / 2, 0),
    velocity: v(12, gravity * time, 0),
  })
  for (let i = 0; i < 240; i++) {
    Object.assign(target, fall(world.time))
    world.step(1 / 60)
  }
  for (const lead of [0.5, 1, 2]) {
    const wanted = fall(239 / 60 + lead).position
    const straight = { ...wanted, y: target.position.y + target.velocity.y * lead }
    const off = norm(minus(model.positionAt(v(0, 0, 0), lead), wanted))
    expect(off, `${lead} s ahead`).toBeLessThan(0.2 * norm(minus(straight, wanted)))
  }
})

it('an acceleration ends at the speed that the target may reach, and until then is as predicted', () => {
  const model = new MotionModel()
  const target = { position: v(0, 0, 0), velocity: v(0, 0, 3) }
  let most = Infinity
  const watch: Behavior = {
    steer: (agent, step) => {
      model.update(agent, target, step)
      model.limitSpeed(most)
    },
  }
  const { world } = quietWorld()
  world.add(pilot(watch))
  const velocityAt = (time: number): number => {
    const before = model.positionAt(v(0, 0, 0), time)
    return norm(minus(model.positionAt(v(0, 0, 0), time + 0.01), before)) / 0.01
  }
  for (let i = 0; i < 240; i++) {
    Object.assign(target, { velocity: v(0, (2 * i) / 60, 3) })
    target.position.y += target.velocity.y / 60
    target.position.z += 3 / 60
    world.step(1 / 60)
  }
  expect(velocityAt(20)).toBeGreaterThan(20)
  const soon = model.positionAt(v(0, 0, 0), 0.5)
  most = 10
  world.step(1 / 60)
  expect(norm(minus(model.positionAt(v(0, 0, 0), 0.5), soon))).toBeLessThan(0.2)
  for (const time of [5, 20, 100]) expect(velocityAt(time)).toBeCloseTo(10, 6)
  // one that is as fast already goes on as it does
  most = 1
  world.step(1 / 60)
  expect(velocityAt(20)).toBeCloseTo(norm(target.velocity), 6)
})
