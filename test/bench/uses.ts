import { Body, Sphere, Vec3, World } from 'cannon-es'
import {
  Arrive,
  blend,
  Cruise,
  DRONES,
  FISH,
  Flock,
  flockCenter,
  Flocking,
  GEESE,
  ReciprocalAvoidance,
  scaleFlock,
  STARLINGS,
  SteeringController,
  SteeringWorld,
  Tether,
  within,
  type FlockPreset,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { MeshShape } from 'three-steering/bvh'
import { attachToCannon, cannonBody, tuneCannon } from 'three-steering/cannon'
import { Canyon } from '../../demo/scenarios/canyon.js'
import { CanyonLand } from '../../demo/scenarios/canyon-land.js'
import { readmeFlock } from '../rigs/readme-flock.js'

/** Seconds after which each ship gets another target. */
const LEG = 8
const DT = 1 / 60

/** Ships in a cube of 25 m per ship, which avoid each other on their way to one place after the other. */
function ships(count: number): () => void {
  const side = 25 * Math.cbrt(count)
  const random = seeded(11)
  const place = (): number => (random() - 0.5) * side
  const world = new World({ gravity: new Vec3(0, 0, 0) })
  tuneCannon(world)
  const steering = new SteeringWorld({ seed: 1 })
  attachToCannon(steering, world)
  const targets = Array.from({ length: count }, () => ({ x: place(), y: place(), z: place() }))
  for (const target of targets) {
    const body = new Body({ mass: 10, shape: new Sphere(1), position: new Vec3(place(), place(), place()) })
    world.addBody(body)
    steering.add(
      new SteeringController(null, {
        body: cannonBody(body),
        maxSpeed: 15,
        maxForce: 100,
        maxTorque: 60,
        behavior: within([new ReciprocalAvoidance()], new Arrive({ target })),
      }),
    )
  }
  let time = 0
  return () => {
    world.step(DT)
    time += DT
    if (time < LEG) return
    time = 0
    for (const target of targets) Object.assign(target, { x: place(), y: place(), z: place() })
  }
}

/** A preset of a flock, around its own centre. `isApart`: `within` its avoidance, as in "Other agents". */
function presetFlock(preset: FlockPreset, isApart: boolean): (count: number) => () => void {
  return (count) => {
    const { avoidance, cruise, flocking, tether, traits } = scaleFlock(preset, { count })
    const held = new Tether({ target: flockCenter, ...tether })
    const wishes = blend([new Flocking(flocking), new Cruise(cruise), held])
    const world = new SteeringWorld({ seed: 3 })
    world.add(
      new Flock({
        ...traits,
        count,
        behavior: isApart ? within([new ReciprocalAvoidance(avoidance)], wishes) : wishes,
      }),
    )
    return () => world.step(DT)
  }
}

/** What users build: a step of the world by number of agents. */
export const USES: Record<string, (count: number) => () => void> = {
  'STARLINGS, Cruise, Tether': presetFlock(STARLINGS, false),
  'GEESE, Cruise, Tether': presetFlock(GEESE, false),
  'FISH, Cruise, Tether': presetFlock(FISH, false),
  'DRONES, Cruise, Tether': presetFlock(DRONES, false),
  'FISH within ReciprocalAvoidance': presetFlock(FISH, true),
  'flock of the README': (count) => {
    const world = readmeFlock(count)
    return () => world.step(DT)
  },
  'birds in a canyon of 37,000 triangles': (count) => {
    const land = new CanyonLand()
    const shape = new MeshShape({ vertices: land.positions, indices: land.triangles })
    const { steering } = new Canyon({ land, shape, count })
    return () => steering.step(steering.fixedStep)
  },
  'ships on cannon-es': ships,
}
