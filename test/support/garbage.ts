import { measureHeap, measuringOverhead } from './heap.js'
import { avoid3d, AVOID_3D } from '../rigs/avoid-3d.js'
import { inBuilding, movingRocks, shipTraffic } from '../rigs/avoid-scenes.js'
import { cannonShips } from '../rigs/cannon-ships.js'

/**
 * Prints the bytes that a step of a scene allocates per agent: `node --expose-gc BUNDLE SCENE`. A program of
 * its own, bundled as users bundle theirs.
 */
interface Scene {
  readonly agents: number
  readonly step: () => void
}

function amongBalls(balls: number): Scene {
  const { world } = avoid3d(balls)
  return { agents: AVOID_3D.pilots, step: () => world.step(AVOID_3D.dt) }
}

const SCENES: Readonly<Record<string, () => Scene>> = {
  '50 balls': () => amongBalls(50),
  '1,000 balls': () => amongBalls(1000),
  '300 moving rocks': () => movingRocks(300),
  'ships on cannon-es': () => ({ agents: 100, step: cannonShips(100) }),
  'rocks and other ships': () => shipTraffic(40),
  'a building': () => ({ agents: 12, step: inBuilding(12).step }),
}

/** Steps until most code is compiled, and steps of each measurement. */
const WARM_STEPS = 600
const STEPS = 50
const MEASUREMENTS = 8

const { agents, step } = SCENES[process.argv[2]!]!()
for (let i = 0; i < WARM_STEPS; i++) step()
let least = Infinity
for (let i = 0; i < MEASUREMENTS; i++) least = Math.min(least, measureHeap(step, STEPS).allocated)
console.log((least - measuringOverhead(STEPS)) / agents)
