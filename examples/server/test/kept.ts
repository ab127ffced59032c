import type { RedisLink } from '../src/server/redis-link.js'
import { readRecord } from '../src/world/record.js'

/** The keys of all crafts in the hands of all cells, and the steps between the oldest and the newest record. */
export async function kept(link: RedisLink, cells: number): Promise<{ keys: number[]; spread: number }> {
  const keys: number[] = []
  let spread = 0
  for (let cell = 0; cell < cells; cell++) {
    const held = await link.keys(cell)
    const records = held.length > 0 ? (await link.load(cell, held)).map(readRecord) : []
    keys.push(...records.flatMap(({ crafts }) => crafts.map(({ key }) => key)))
    const ticks = records.flatMap(({ parcel }) =>
      'agents' in parcel ? parcel.agents.map(({ tick }) => tick) : [parcel.tick],
    )
    if (ticks.length > 0) spread = Math.max(spread, Math.max(...ticks) - Math.min(...ticks))
  }
  return { keys, spread }
}
