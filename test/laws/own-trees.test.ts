import { expect, it, vi } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  BoxShape,
  Hover,
  Obstacles,
  ReciprocalAvoidance,
  Seek,
  SphereShape,
  SteeringController,
  SteeringWorld,
  within,
  type Behavior,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { Within } from '../../src/core/combine/within.js'
import { v } from '../support/geometry.js'
import { pick } from '../support/tier.js'

// Most users write a tree of behaviours for each ship. It must fly as one tree for all, and cost no look at
// its lists in each step.

const SHIPS = 24
const DT = 1 / 60

/** Ships that cross a field of balls and boxes, among each other; `make` gives a tree for each call. */
function field(make: (obstacles: Obstacles) => Behavior, kinds: number): SteeringWorld {
  const random = seeded(3)
  const at = () => v(30 * random() - 15, 30 * random() - 15, 30 * random() - 15)
  const obstacles = new Obstacles()
  for (let i = 0; i < 14; i++)
    obstacles.add({
      shape: i % 2 === 0 ? new SphereShape(1 + 2 * random()) : new BoxShape(v(1, 2, 1 + random())),
      at: i % 5 === 0 ? { position: at(), velocity: v(1, 0, 0) } : at(),
    })
  const trees = Array.from({ length: kinds }, () => make(obstacles))
  const world = new SteeringWorld({ seed: 1 })
  for (let i = 0; i < SHIPS; i++) {
    const [behavior, position] = [trees[i % kinds]!, at()]
    const limits = { radius: 0.5, maxSpeed: 8, maxForce: 16 }
    world.add(new SteeringController(null, { behavior, locomotion: new Hover(), position, ...limits }))
  }
  return world
}

function bitsAfter(steps: number, world: SteeringWorld): number[] {
  for (let i = 0; i < steps; i++) world.step(DT)
  const bits: number[] = []
  world.visitAgents((agents, { slot }) => {
    const row = agents.row[slot]!
    for (const column of [agents.position, agents.velocity])
      bits.push(column[3 * row]!, column[3 * row + 1]!, column[3 * row + 2]!)
  })
  return bits
}

const TREES: Record<string, (obstacles: Obstacles) => Behavior> = {
  'ships that avoid and arrive': (obstacles) =>
    within(
      [new AvoidObstacles({ obstacles }), new ReciprocalAvoidance()],
      new Arrive({ target: v(2, 1, 0) }),
    ),
  'ships with two sets of obstacles and two wishes': (obstacles) =>
    within(
      [new AvoidObstacles({ obstacles }), new AvoidObstacles({ obstacles, clearance: 1, horizon: 2 })],
      [new Seek({ target: v(20, 0, 0) }), { behavior: new Arrive({ target: v(0, 9, 0) }), weight: 0.5 }],
    ),
}

it.each(Object.keys(TREES))('%s fly alike with a tree for all, for some, and for each', (name) => {
  const [all, some, each] = [1, 5, SHIPS].map((kinds) =>
    bitsAfter(pick(120, 300), field(TREES[name]!, kinds)),
  )
  expect(some).toEqual(all)
  expect(each).toEqual(all)
  expect(new Set(all).size).toBeGreaterThan(4 * SHIPS)
})

it('a tree whose lists nobody has got is walked once, and in each step after somebody has got one', () => {
  const trees: Within[] = []
  const world = field((obstacles) => {
    const tree = TREES['ships that avoid and arrive']!(obstacles) as Within
    trees.push(tree)
    return tree
  }, SHIPS)
  const walks = vi.spyOn(Within.prototype, 'children', 'get')
  bitsAfter(20, world)
  expect(walks.mock.calls.length).toBeLessThanOrEqual(2 * SHIPS)
  expect(trees[7]!.parts).toHaveLength(2)
  bitsAfter(1, world)
  walks.mockClear()
  bitsAfter(20, world)
  expect(walks.mock.calls.length).toBe(20)
  walks.mockRestore()
})

it('parts that are got for the first time inside of a step change for the next one, for all agents at once', () => {
  const steered: string[] = []
  let isEdited = false
  const note = (name: string): Behavior => ({
    steer: ({ id }) => {
      steered.push(`${name} ${id}`)
      if (isEdited) return
      isEdited = true
      tree.wishes.push({ behavior: note('new'), weight: 1 })
    },
  })
  const tree = within([new ReciprocalAvoidance()], note('old'))
  const world = new SteeringWorld({ seed: 1 })
  for (let i = 0; i < 3; i++)
    world.add(
      new SteeringController(null, { behavior: tree, position: v(9 * i, 0, 0), maxSpeed: 5, maxForce: 5 }),
    )
  world.step(DT)
  expect(steered.map((each) => each.slice(0, 3))).toEqual(['old', 'old', 'old'])
  steered.length = 0
  world.step(DT)
  expect(steered.filter((each) => each.startsWith('new'))).toHaveLength(3)
})
