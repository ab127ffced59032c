import {
  Hover,
  SteeringController,
  SteeringWorld,
  type Flock,
  type Quat,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import type { SnapshotOptions } from 'three-steering/snapshot'
import {
  BEHAVIORS,
  bitsOf,
  idle,
  LOCOMOTIONS,
  movedScene,
  randomScene,
  ZERO,
  type Scene,
  type SceneObject,
} from './kit.js'

export const DT = 1 / 60

/** A world, and a function that moves the user's objects by the step number, so that these need no saving. */
export interface Play {
  readonly world: SteeringWorld
  readonly pilots: readonly SteeringController[]
  readonly flocks: readonly Flock[]
  readonly options: SnapshotOptions
  readonly move: (tick: number) => void
}

/** Moves the objects of a scene on circles. */
export function orbits({ target, others }: Scene, rate = 1): (tick: number) => void {
  const things = [target, ...others]
  const middles = things.map(({ position }) => ({ ...position }))
  return (tick) => {
    for (const [i, thing] of things.entries()) circle(thing, middles[i]!, rate * (0.5 + 0.1 * i), tick * DT)
  }
}

function circle(thing: SceneObject, { x, y, z }: SceneObject['position'], rate: number, time: number): void {
  const radius = 4
  const [sine, cosine] = [radius * Math.sin(rate * time), radius * Math.cos(rate * time)]
  Object.assign(thing.position, { x: x + sine, y: y + cosine, z: z + sine / 2 })
  Object.assign(thing.velocity, { x: rate * cosine, y: -rate * sine, z: (rate * cosine) / 2 })
}

/** Three agents that share the behaviour, among drifting agents. All are moved by `at` (m). */
export function playOf(name: string, seed: number, at: Vec3Like = ZERO): Play {
  const scene = movedScene(randomScene(seed), { x: 0, y: 0, z: 0, w: 1 }, at)
  const world = new SteeringWorld({ seed, up: scene.up })
  const behavior = BEHAVIORS[name]!(scene)
  const gaits = Object.values(LOCOMOTIONS)
  const locomotion = gaits[seed % gaits.length]!(scene)
  const pilots = [0, 1, 2].map((i) => {
    const { x, y, z } = scene.self.position
    const start = { ...scene.self, position: { x: x + 3 * i, y: y - 2 * i, z: z + i } }
    return new SteeringController(null, { ...scene.traits, ...start, behavior, locomotion, seed: 7 + i })
  })
  for (const pilot of pilots) world.add(pilot)
  scene.others.forEach(({ position, velocity }, i) => {
    const drift = { behavior: idle(), locomotion: new Hover({ attitude: null }), maxSpeed: 50, maxForce: 0 }
    world.add(new SteeringController(null, { ...drift, position, velocity, seed: 100 + i }))
  })
  return { world, pilots, flocks: [], options: {}, move: orbits(scene) }
}

/** States of all agents after each of `steps` steps. */
export function run({ world, pilots, flocks, move }: Play, steps: number): number[][] {
  const bits: number[][] = []
  for (let i = 0; i < steps; i++) {
    move(world.tick)
    world.step(DT)
    bits.push([...bitsOf(pilots), ...flocks.flatMap((flock) => bitsOf(membersOf(flock)))])
  }
  return bits
}

export function membersOf(flock: Flock): { position: Vec3; velocity: Vec3; quaternion: Quat }[] {
  return Array.from({ length: flock.size }, (_, i) => ({
    position: flock.position(i, { x: 0, y: 0, z: 0 }),
    velocity: flock.velocity(i, { x: 0, y: 0, z: 0 }),
    quaternion: flock.quaternion(i, { x: 0, y: 0, z: 0, w: 1 }),
  }))
}
