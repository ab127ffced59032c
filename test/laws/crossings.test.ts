import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  Arrive,
  Hover,
  ReciprocalAvoidance,
  Seek,
  SteeringController,
  SteeringWorld,
  within,
  type ControllerOptions,
  type ReciprocalAvoidanceOptions,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { CrossingLists } from '../../src/core/neighbors/crossings.js'

/** What sets agent `i` apart from the others. */
type Traits = (i: number, random: () => number) => Partial<ControllerOptions>

const TRAFFIC: Record<string, { traits: Traits; avoidance?: ReciprocalAvoidanceOptions; listed: number }> = {
  'alike agents': { traits: () => ({}), listed: 0.8 },
  'agents of all sizes, speeds and priorities': {
    traits: (_i, random) => ({
      radius: 0.3 + 0.3 * random(),
      maxSpeed: 4 + 8 * random(),
      mass: 1 + random(),
      priority: 0.5 + random(),
    }),
    listed: 0.5,
  },
  'agents of which a fifth responds later': {
    traits: (i) => ({ responseTime: i % 5 === 0 ? 0.4 : 0.1 }),
    listed: 0.4,
  },
  'agents that keep a wide clearance': {
    traits: () => ({}),
    avoidance: { clearance: 2, bias: 0.1, neighborDistance: 12 },
    listed: 0.8,
  },
  'agents of which some see little, never yield, or are knocked': {
    traits: (i, random) => ({
      fieldOfView: i % 9 === 0 ? 3 : 2 * Math.PI,
      maxNeighbors: i % 7 === 0 ? 4 : Infinity,
      priority: i % 8 === 0 ? Infinity : 1,
      velocity: { x: 0, y: 40 * random() ** 8, z: 0 },
    }),
    listed: 0.4,
  },
}

const [AGENTS, STEPS] = [70, 120]

/** Flies agents to and fro in a cube. Returns where they end, and how many got a list in a step. */
function fly({ traits, avoidance }: (typeof TRAFFIC)[string]): { places: number[]; listed: number } {
  const random = seeded(4)
  const place = () => ({ x: 28 * random(), y: 28 * random(), z: 28 * random() })
  const world = new SteeringWorld({ seed: 1 })
  const shared = new ReciprocalAvoidance(avoidance)
  const ships = Array.from({ length: AGENTS }, (_, i) => {
    const target = place()
    // some have an avoidance of their own, some stop
    const wish = i % 4 === 0 ? new Seek({ target }) : new Arrive({ target })
    const ship = new SteeringController(null, {
      behavior: within([i % 5 === 0 ? new ReciprocalAvoidance() : shared], wish),
      locomotion: new Hover(),
      radius: 0.5,
      maxSpeed: 8,
      maxForce: 15,
      position: place(),
      ...traits(i, random),
    })
    world.add(ship)
    return { ship, target }
  })
  const find = vi.spyOn(CrossingLists.prototype, 'findCrossing')
  for (let step = 0; step < STEPS; step++) {
    if (step % 50 === 0) for (const { target } of ships) Object.assign(target, place())
    if (step === 100) world.remove(ships[7]!.ship)
    world.step(1 / 60)
  }
  const listed = find.mock.results.filter(({ value }) => value === true).length
  find.mockRestore()
  return { places: ships.flatMap(({ ship: { position: p } }) => [p.x, p.y, p.z]), listed }
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('whether agents get lists of those whose courses cross theirs changes no bit for', () => {
  for (const [name, traffic] of Object.entries(TRAFFIC))
    it(name, () => {
      const { listed, places } = fly(traffic)
      expect(listed / STEPS / AGENTS).toBeGreaterThan(traffic.listed)
      vi.spyOn(CrossingLists.prototype, 'serves').mockReturnValue(false)
      expect(fly(traffic).places).toEqual(places)
    })
})
