import type { RedisLink } from '../src/server/redis-link.js'
import { sizeOf } from '../src/world/craft.js'

/** The keys of all crafts in the hands of all cells, at one moment: those that go on give crafts meanwhile. */
export async function kept(link: RedisLink, cells: number): Promise<number[]> {
  const units = await link.keysOfAll(cells)
  return units.flatMap((unit) => Array.from({ length: sizeOf(unit) }, (_, i) => unit + i))
}
