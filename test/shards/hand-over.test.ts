import { describe, expect, it } from 'vitest'
import { Hover, SteeringController, SteeringWorld } from 'three-steering'
import { exportAgent, importAgent, joinClock, orderNeighbors, type Parcel } from 'three-steering/shards'
import {
  BEHAVIORS,
  bitsOf,
  firstDifference,
  idle,
  LOCOMOTIONS,
  randomScene,
  type Scene,
} from '../laws/kit.js'
import { ALL, pick } from '../support/tier.js'

const DT = 1 / 60
const BEFORE = pick(8, 40)
const AFTER = pick(6, 60)

interface Play {
  readonly world: SteeringWorld
  readonly scene: Scene
  readonly pilots: SteeringController[]
  readonly make: (i: number) => SteeringController
}

/**
 * Three agents that share a behaviour, among drifting agents. The objects of the scene move by the step
 * number.
 */
function playOf(name: string, seed: number): Play {
  const scene = randomScene(seed)
  const world = new SteeringWorld({ seed, up: scene.up })
  orderNeighbors(world)
  const behavior = BEHAVIORS[name]!(scene)
  const gaits = Object.values(LOCOMOTIONS)
  const locomotion = gaits[seed % gaits.length]!(scene)
  const make = (i: number): SteeringController => {
    const { x, y, z } = scene.self.position
    const start = { ...scene.self, position: { x: x + 3 * i, y: y - 2 * i, z: z + i } }
    return new SteeringController(null, { ...scene.traits, ...start, behavior, locomotion, seed: 7 + i })
  }
  const pilots = [0, 1, 2].map(make)
  for (const pilot of pilots) world.add(pilot)
  scene.others.forEach(({ position, velocity }, i) => {
    const drift = { behavior: idle(), locomotion: new Hover({ attitude: null }), maxSpeed: 50, maxForce: 0 }
    world.add(new SteeringController(null, { ...drift, position, velocity, seed: 100 + i }))
  })
  return { world, scene, pilots, make }
}

function run({ world, scene, pilots }: Play, steps: number): number[][] {
  const bits: number[][] = []
  for (let i = 0; i < steps; i++) {
    const { x, y, z } = scene.target.velocity
    Object.assign(scene.target.velocity, { x: x + 0.05 * Math.sin(world.tick), y, z })
    world.step(DT)
    bits.push(bitsOf(pilots))
  }
  return bits
}

const json = (parcel: Parcel): Parcel => JSON.parse(JSON.stringify(parcel)) as Parcel

/** Behaviours whose agents belong to a formation. */
const STAY = /^(KeepSlot|KeepPace)/
/** Behaviours whose agents have a place in a queue. */
const QUEUE = /^(Dock|Undock|Land|Refuel)/

/** The quick run takes every third one, and all that cannot go. */
const names = Object.keys(BEHAVIORS).filter(
  (name, i) => ALL || i % 3 === 0 || STAY.test(name) || QUEUE.test(name),
)

describe.each(names)('%s', (name) => {
  it(STAY.test(name) ? 'stays in its world' : 'goes on bit-identically in another world', () => {
    const seed = name.length
    const here = playOf(name, seed)
    const there = playOf(name, seed)
    run(here, BEFORE)
    run(there, BEFORE)
    if (STAY.test(name)) {
      expect(() => exportAgent(here.world, here.pilots[1]!)).toThrow(
        /^exportAgent: got an agent with .* belongs to its world/,
      )
      return
    }
    const parcel = json(exportAgent(here.world, here.pilots[1]!))
    const first = run(here, AFTER)
    // its place and its slot are taken by another agent meanwhile
    there.world.remove(there.pilots[1]!)
    const filler = there.make(5)
    there.world.add(filler)
    there.world.remove(filler)
    there.pilots[1] = there.make(5)
    importAgent(there.world, parcel, there.pilots[1])
    expect(firstDifference(run(there, AFTER), first)).toBe(null)
  })
})

it('joins a running clock', () => {
  const world = new SteeringWorld()
  joinClock(world, { time: 12.5, tick: 750 })
  expect(world.time).toBe(12.5)
  world.step(DT)
  expect(world.tick).toBe(751)
  expect(() => joinClock(world, { time: 0, tick: 0 })).toThrow('has made steps')
})
