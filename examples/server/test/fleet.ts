import type { Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { keyOf, namedCrafts } from '../src/world/craft.js'
import { boxesOf, SIDES, type Box, type Tree } from '../src/world/cuts.js'
import { apart, gap, rocksOf, type Plan } from '../src/world/plan.js'

/** A station, its shuttles, a wing, and drones and freighters between the rocks: the same for every number of cells. */
export function fleetOf(plan: Plan, count: number): { key: number; position: Vec3Like }[] {
  const random = seeded(9)
  const spread = (half: number): number => (2 * random() - 1) * half
  const rocks = rocksOf(plan)
  const fleet: { key: number; position: Vec3Like }[] = namedCrafts(plan)
  const isFree = (position: Vec3Like): boolean =>
    rocks.every((rock) => gap(rock, position) > 5) &&
    fleet.every((each) => apart(each.position, position) > 12)
  while (fleet.length < count) {
    const number = fleet.length + 1
    const position = {
      x: spread(0.9 * plan.size.x) / 2,
      y: spread(0.25 * plan.size.y),
      z: spread(0.25 * plan.size.z),
    }
    if (!isFree(position)) continue
    fleet.push({ key: keyOf(number % 8 === 0 ? 'freighter' : 'drone', number), position })
  }
  return fleet
}

/** Cuts that move borders, take a part from a cell and give it one, wherever they are. */
export function cutsBy(random: () => number, cells: number[], plan: Plan): Tree {
  const cut = (all: number[], box: Box): Tree => {
    if (all.length === 1) return all[0]!
    const axis = [...SIDES].sort((a, b) => box.max[b] - box.min[b] - (box.max[a] - box.min[a]))[0]!
    const at = box.min[axis] + (0.3 + 0.4 * random()) * (box.max[axis] - box.min[axis])
    const some = 1 + Math.floor((all.length - 1) * random())
    return {
      axis,
      at,
      below: cut(all.slice(0, some), { min: box.min, max: { ...box.max, [axis]: at } }),
      above: cut(all.slice(some), { min: { ...box.min, [axis]: at }, max: box.max }),
    }
  }
  return cut(
    cells.sort(() => random() - 0.5),
    boxesOf(plan, 0).get(0)!,
  )
}
