import { describe, expect, it } from 'vitest'
import {
  Arrive,
  Blend,
  Flight,
  Flocking,
  Hover,
  SteeringWorld,
  Thrusters,
  Wander,
  type Behavior,
  type Locomotion,
} from 'three-steering'

/**
 * Nothing is allocated in a step once the arrays have their size. JavaScript may still box a number that one function returns to
 * another (16 bytes), as its compiler pleases, so the law is a bound that one object, closure or array per agent would break:
 * 56 bytes is the least that a {x, y, z} with three boxed numbers takes.
 */
const PER_AGENT_STEP = 16

const COUNT = 1000
const collect = (globalThis as { gc?: () => void }).gc!

interface Use {
  /** All bytes allocated, per step. */
  readonly allocated: number
  /** Growth of the heap that the collector could not take back, bytes in all. */
  readonly kept: number
}

function measure(step: () => void, steps: number): Use {
  collect()
  const before = process.memoryUsage().heapUsed
  let allocated = 0
  let last = before
  for (let i = 0; i < steps; i++) {
    step()
    const now = process.memoryUsage().heapUsed
    // where the collector ran within the step, the step counts as nothing: a few of hundreds
    if (now > last) allocated += now - last
    last = now
  }
  collect()
  return { allocated: allocated / steps, kept: process.memoryUsage().heapUsed - before }
}

/** What measuring itself takes. */
function overhead(steps: number): number {
  return measure(() => undefined, steps).allocated
}

const minds: Record<string, () => Behavior> = {
  'Flocking and Wander': () =>
    new Blend([
      new Flocking({ separation: { radius: 1.5 }, alignment: { radius: 3 }, cohesion: { radius: 3 } }),
      { behavior: new Wander(), weight: 0.3 },
    ]),
  Arrive: () => new Arrive({ target: { x: 20, y: 5, z: -8 } }),
}
const gaits: Record<string, () => Locomotion> = {
  'Hover, point mass': () => new Hover({ attitude: null }),
  Hover: () => new Hover(),
  Thrusters: () => new Thrusters({ ahead: 20 }),
  Flight: () => new Flight({ minSpeed: 2 }),
}

describe.each(Object.keys(minds))('a step of 1,000 agents with %s', (mind) => {
  it.each(Object.keys(gaits))('and %s allocates nothing to speak of', (gait) => {
    const world = new SteeringWorld()
    world.addFlock({
      count: COUNT,
      behavior: minds[mind]!(),
      locomotion: gaits[gait]!(),
      maxSpeed: 8,
      maxForce: 20,
      radius: 0.4,
      view: { write: () => undefined },
    })
    const step = (): void => {
      world.step(1 / 60)
      world.present(0.5)
    }
    // arrays grow and the compiler makes up its mind
    for (let i = 0; i < 150; i++) step()
    const { allocated, kept } = measure(step, 200)
    const perStep = Math.max(0, allocated - overhead(200))
    if (process.env['ALLOCATION'] === 'print')
      process.stdout.write(`${mind}, ${gait}: ${perStep.toFixed(0)} B a step, kept ${kept}\n`)
    expect(perStep / COUNT).toBeLessThan(PER_AGENT_STEP)
    // 200 steps of 1,000 agents: even one byte each would be 200 kB
    expect(kept).toBeLessThan(100_000)
  })
})

it('this test sees a single object per agent', () => {
  const litter: object[] = []
  const messy: Behavior = {
    steer(agent): void {
      litter[agent.slot] = { x: agent.position.x * 1.1, y: 2, z: 3 }
    },
  }
  const world = new SteeringWorld()
  world.addFlock({ count: COUNT, behavior: messy, maxSpeed: 8, maxForce: 20 })
  for (let i = 0; i < 150; i++) world.step(1 / 60)
  const { allocated } = measure(() => world.step(1 / 60), 200)
  expect((allocated - overhead(200)) / COUNT).toBeGreaterThan(PER_AGENT_STEP)
})
