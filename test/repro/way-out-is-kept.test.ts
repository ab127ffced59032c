import { expect, it } from 'vitest'
import {
  AvoidObstacles,
  BoxShape,
  CapsuleShape,
  CylinderShape,
  Hover,
  Obstacles,
  Seek,
  SphereShape,
  SteeringController,
  SteeringWorld,
  within,
  type Shape,
} from 'three-steering'
import { restoreSnapshot, takeSnapshot } from 'three-steering/snapshot'
import { v } from '../support/geometry.js'

// An agent inside of an obstacle searched its way out anew in each step: some fifty sweeps.

const DT = 1 / 60
const SHAPES: Record<string, () => Shape> = {
  ball: () => new SphereShape(6),
  box: () => new BoxShape(v(6, 6, 6)),
  capsule: () => new CapsuleShape(4, 6),
  cylinder: () => new CylinderShape(5, 9),
}

function inside(
  shape: Shape,
  drift = 0,
  dt = DT,
): { world: SteeringWorld; agent: SteeringController; sweeps: () => number; step: () => void } {
  let sweeps = 0
  const leave = shape.leave.bind(shape)
  shape.leave = (...all) => {
    sweeps++
    return leave(...all)
  }
  const position = v(0, 0, 0)
  const obstacles = new Obstacles([{ shape, at: { position, velocity: v(0, drift, 0) } }])
  const agent = new SteeringController(null, {
    behavior: within([new AvoidObstacles({ obstacles })], new Seek({ target: v(40, 5, -9) })),
    locomotion: new Hover(),
    radius: 0.5,
    maxSpeed: 8,
    maxForce: 12,
    position: v(-2, 1, 0.5),
  })
  const world = new SteeringWorld({ seed: 1 })
  world.add(agent)
  const step = (): void => {
    position.y += drift * dt
    world.step(dt)
  }
  return { world, agent, sweeps: () => sweeps, step }
}

it.each(Object.keys(SHAPES))('an agent inside of a %s searches its way out once', (name) => {
  for (const [drift, dt] of [
    [0, DT],
    [0, 1 / 240],
    [0.4, DT],
  ] as const) {
    const shape = SHAPES[name]!()
    const { agent, step, sweeps } = inside(shape, drift, dt)
    let steps = 0
    for (; agent.position.x < 9 && steps < 6 / dt; steps++) step()
    expect(agent.position.x).toBeGreaterThan(9)
    // some hundred to choose it, and two in each step, where it was some hundred in each
    expect(sweeps()).toBeLessThan(2 * steps + 300)
  }
})

it('the way out that is kept is part of a snapshot', () => {
  const { world, agent, step } = inside(SHAPES['cylinder']!())
  for (let i = 0; i < 20; i++) step()
  const snapshot = takeSnapshot(world)
  const fly = (): number[] => {
    for (let i = 0; i < 60; i++) step()
    return [agent.position.x, agent.position.y, agent.position.z]
  }
  const first = fly()
  restoreSnapshot(world, snapshot)
  expect(fly()).toEqual(first)
})
