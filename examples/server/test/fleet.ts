import type { Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { keyOf } from '../src/world/craft.js'
import { gap, HALF_HEIGHT, HALF_WIDTH, rocksOf, type Plan } from '../src/world/plan.js'

/** Drones and freighters between the rocks, the same for every number of cells. */
export function fleetOf(plan: Plan, count: number): { key: number; position: Vec3Like }[] {
  const random = seeded(9)
  const spread = (half: number): number => (2 * random() - 1) * half
  const rocks = rocksOf(plan)
  const fleet: { key: number; position: Vec3Like }[] = []
  while (fleet.length < count) {
    const number = fleet.length + 1
    const position = {
      x: spread(0.9 * plan.length) / 2,
      y: spread(0.5 * HALF_HEIGHT),
      z: spread(0.5 * HALF_WIDTH),
    }
    if (rocks.some((rock) => gap(rock, position) < 5)) continue
    fleet.push({ key: keyOf(number % 8 === 0 ? 'freighter' : 'drone', number), position })
  }
  return fleet
}
