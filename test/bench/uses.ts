import {
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
  SteeringWorld,
  Tether,
  within,
  type FlockPreset,
} from 'three-steering'
import { MeshShape } from 'three-steering/bvh'
import { Canyon } from '../../demo/scenarios/canyon.js'
import { CanyonLand } from '../../demo/scenarios/canyon-land.js'
import { cannonShips } from '../rigs/cannon-ships.js'
import { readmeFlock } from '../rigs/readme-flock.js'

const DT = 1 / 60

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
  'ships on cannon-es': cannonShips,
}
