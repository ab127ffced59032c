import { describe, expect, it } from 'vitest'
import { Flight, Hover, SteeringController, SteeringWorld, type Fault } from 'three-steering'
import type { DebugDraw } from 'three-steering/authoring'
import { trace } from 'three-steering/explain'
import { BEHAVIORS, bitsOf, firstDifference, idle, plus, randomScene, type Scene } from './kit.js'
import { pick } from '../support/tier.js'

// The memory that a behaviour has of an agent is made at its first use. It must not matter which method uses
// it first: neither drawing an agent before it is steered, nor the stage in which it begins.

const SEEDS = pick(1, 1, 24)
const STEPS = pick(15, 160, 1200)

const nowhere: DebugDraw = { line: () => undefined }

interface Recording {
  readonly bits: number[][]
  readonly faults: Fault[]
}

/**
 * Flies one agent in a scene with a drifting target. `drawn` draws the agent before its first step and after
 * each step.
 */
function fly(seed: number, name: string, drawn: boolean): Recording {
  // some start so near to the target that an attack run begins by breaking off
  const scene: Scene = randomScene(seed)
  const near = seed % 2 === 0 ? scene.self.position : plus(scene.target.position, scene.self.position, 0.2)
  const world = new SteeringWorld({ seed })
  const faults: Fault[] = []
  world.addEventListener('fault', (fault) => faults.push(fault))
  const pilot = new SteeringController(null, {
    ...scene.traits,
    position: near,
    velocity: scene.self.velocity,
    quaternion: scene.self.quaternion,
    behavior: BEHAVIORS[name]!(scene),
    locomotion: seed % 3 === 0 ? new Flight({ minSpeed: 2 }) : new Hover(),
    seed: 7,
  })
  world.add(pilot)
  scene.others.forEach(({ position, velocity }, i) =>
    world.add(
      new SteeringController(null, {
        behavior: idle(),
        maxSpeed: 50,
        maxForce: 0,
        position,
        velocity,
        seed: 100 + i,
      }),
    ),
  )
  const bits: number[][] = []
  if (drawn) trace(world, nowhere)
  for (let i = 0; i < STEPS; i++) {
    world.step(1 / 60)
    const { position, velocity } = scene.target
    Object.assign(position, plus(position, velocity, 1 / 60))
    if (drawn) trace(world, nowhere)
    bits.push(bitsOf([pilot]))
  }
  world.dispose()
  return { bits, faults }
}

describe.each(Object.keys(BEHAVIORS))('%s', (name) => {
  it(`flies without a fault, and identically when it is drawn (seeds 1 … ${SEEDS})`, () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const plain = fly(seed, name, false)
      const drawn = fly(seed, name, true)
      expect(plain.faults, `seed ${seed}`).toEqual([])
      expect(drawn.faults, `seed ${seed}, drawn`).toEqual([])
      expect(firstDifference(drawn.bits, plain.bits), `seed ${seed}`).toBeNull()
    }
  })
})
