import { describe, expect, it } from 'vitest'
import {
  blend,
  Flight,
  Flocking,
  Hover,
  SteeringController,
  SteeringWorld,
  Wander,
  type Behavior,
  type Flock,
  type Locomotion,
} from 'three-steering'
import type { SpawnState } from 'three-steering/authoring'
import { seeded } from 'three-steering/authoring'
import { bitsOf, firstDifference, unitQuat } from './kit.js'
import { addFlock } from '../support/flock.js'
import { pick } from '../support/tier.js'

const COUNT = 40
const SEED = 500
const STEPS = pick(80, 300)
const TRAITS = { maxSpeed: 9, maxForce: 25, radius: 0.4, maxNeighbors: 12, fieldOfView: 5 }

const gaits: Record<string, () => Locomotion> = {
  Flight: () => new Flight({ minSpeed: 2 }),
  Hover: () => new Hover(),
  'Hover, point mass': () => new Hover({ attitude: null }),
}

function mind(): Behavior {
  return blend([
    new Flocking({
      separation: { neighborDistance: 2 },
      alignment: { neighborDistance: 5, weight: 0.6, fieldOfView: 4.5 },
      // a short distance, so that some birds use the centre of the flock as their emergency target
      cohesion: { neighborDistance: 3, weight: 0.5 },
    }),
    { behavior: new Wander(), weight: 0.4 },
  ])
}

/** Start of bird `i`: in a cloud dense enough for neighbours and wide enough for birds without any. */
function place(i: number, state: SpawnState): SpawnState {
  const random = seeded(900 + i)
  Object.assign(state.position, { x: 14 * random(), y: 9 * random(), z: 11 * random() })
  Object.assign(state.velocity, { x: 8 * random() - 4, y: 4 * random() - 2, z: 8 * random() - 4 })
  // without a quaternion a flock turns its birds along their course
  Object.assign(state.quaternion, unitQuat(random() - 0.5, random() - 0.5, random() - 0.5, random()))
  return state
}

function stateOf(i: number): SpawnState {
  return place(i, {
    position: { x: 0, y: 0, z: 0 },
    velocity: { x: 0, y: 0, z: 0 },
    quaternion: { x: 0, y: 0, z: 0, w: 1 },
  })
}

function membersOf(flock: Flock): { position: object; velocity: object; quaternion: object }[] {
  return Array.from({ length: flock.size }, (_, i) => ({
    position: flock.position(i, { x: 0, y: 0, z: 0 }),
    velocity: flock.velocity(i, { x: 0, y: 0, z: 0 }),
    quaternion: flock.quaternion(i, { x: 0, y: 0, z: 0, w: 1 }),
  }))
}

/**
 * States of all birds after each step. Bird `i` belongs to a flock if `inFlock` is true, else it is a
 * controller of its own.
 */
function fly(makeGait: () => Locomotion, inFlock: (i: number) => boolean): number[][] {
  const world = new SteeringWorld({ seed: 3 })
  const behavior = mind()
  const locomotion = makeGait()
  const birds: (() => object[])[] = []
  for (let i = 0; i < COUNT;) {
    const from = i
    if (inFlock(i)) {
      while (i < COUNT && inFlock(i)) i++
      const options = { ...TRAITS, behavior, locomotion, count: i - from, seed: SEED + from }
      const flock = addFlock(world, { ...options, spawn: (k, state) => void place(from + k, state) })
      birds.push(() => membersOf(flock))
    } else {
      const one = new SteeringController(null, {
        ...TRAITS,
        ...stateOf(i),
        behavior,
        locomotion,
        seed: SEED + i,
      })
      world.add(one)
      birds.push(() => [one])
      i++
    }
  }
  return Array.from({ length: STEPS }, () => {
    world.step(1 / 60)
    return bitsOf(birds.flatMap((each) => each()) as SteeringController[])
  })
}

describe.each(Object.keys(gaits))('a controller is bit-identical to a member of a flock: %s', (name) => {
  const gait = gaits[name]!
  const flock = fly(gait, () => true)

  it('when one bird flies on its own among the flock', () => {
    expect(
      firstDifference(
        fly(gait, (i) => i !== 17),
        flock,
      ),
    ).toBeNull()
  })

  it('when every bird flies on its own', () => {
    expect(
      firstDifference(
        fly(gait, () => false),
        flock,
      ),
    ).toBeNull()
  })

  it('and the birds do see each other', () => {
    const alone = new SteeringWorld({ seed: 3 })
    const one = new SteeringController(null, {
      ...TRAITS,
      ...stateOf(17),
      behavior: mind(),
      locomotion: gait(),
      seed: SEED + 17,
    })
    alone.add(one)
    for (let i = 0; i < STEPS; i++) alone.step(1 / 60)
    expect(bitsOf([one])).not.toEqual(flock.at(-1)!.slice(170, 180))
  })
})
