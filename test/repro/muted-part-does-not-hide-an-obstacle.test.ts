import { expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  blend,
  contextMap,
  dither,
  priority,
  Seek,
  SphereShape,
  SteeringController,
  SteeringWorld,
  truncatedSum,
  within,
  type Behavior,
} from 'three-steering'

// Parts without effect, because of a weight of 0 or because they wanted nothing, still reported their goal
// distance to the constraints. An obstacle behind that goal was ignored as not in the way, and the agent
// braked before it without end instead of flying around it.

const before = { x: 13, y: 0, z: 0 }
const beyond = { x: 60, y: 0, z: 0 }
const far = (): Behavior => new Arrive({ target: beyond })
const muted = (): { behavior: Behavior; weight: number } => ({
  behavior: new Seek({ target: before }),
  weight: 0,
})

/** Reports a goal before the rock, and wants nothing. */
const silent = (): Behavior => ({
  steer({ position, wish }) {
    if (wish !== null) wish.goalDistance = Math.min(wish.goalDistance, Math.abs(before.x - position.x))
  },
})

const wishes: Record<string, () => Behavior> = {
  'a blend with a weight of 0': () => blend([muted(), far()]),
  'a truncated sum with a weight of 0': () => truncatedSum([muted(), far()]),
  'a truncated sum with its force used up': () =>
    truncatedSum([{ behavior: far(), weight: 100 }, new Seek({ target: before })]),
  'a context map with a weight of 0': () => contextMap({ interest: [muted(), far()] }),
  'a context map with a stronger interest': () =>
    contextMap({ interest: [{ behavior: new Seek({ target: before }), weight: 0.1 }, far()] }),
  'a priority with a part that wants nothing': () => priority([silent(), far()]),
  'a dither with a part that wants nothing': () => dither([silent(), far()]),
}

it.each(Object.keys(wishes))('%s flies around the rock', (name) => {
  const rock = { shape: new SphereShape(5), at: { x: 20, y: 0.3, z: 0 } }
  const world = new SteeringWorld()
  const pilot = new SteeringController(null, {
    behavior: within([new AvoidObstacles({ obstacles: [rock] })], wishes[name]!()),
    maxSpeed: 8,
    maxForce: 30,
    radius: 0.5,
  })
  world.add(pilot)
  let near = Infinity
  for (let i = 0; i < 1000; i++) {
    world.step(1 / 60)
    const { x, y, z } = pilot.position
    near = Math.min(near, Math.hypot(x - 20, y - 0.3, z))
  }
  expect(pilot.position.x).toBeGreaterThan(59)
  expect(near).toBeGreaterThan(5.5)
})
