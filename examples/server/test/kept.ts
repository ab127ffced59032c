import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Redis } from 'ioredis'
import { ASK_KEYS } from '../src/server/figures.js'
import { sizeOf } from '../src/world/craft.js'

/** Looks at what is in the store, as none of the owners does. */
export class Observer {
  readonly redis: Redis

  constructor(url: string) {
    this.redis = new Redis(url)
    this.redis.on('error', () => {})
  }

  async tickOf(cell: number): Promise<number> {
    return Number((await this.redis.hget('world:ticks', String(cell))) ?? 0)
  }

  /** The units in the hands of the first so many cells, all at one moment. */
  async units(cells: number): Promise<number[]> {
    const asked = this.redis.multi()
    for (let cell = 0; cell < cells; cell++) asked.hkeys(`world:held:${cell}`)
    const answers = (await asked.exec()) ?? []
    return answers.flatMap(([, units]) => (units as string[]).map(Number))
  }

  /** The keys of all crafts in the hands of all cells, at one moment: those that go on give crafts meanwhile. */
  async kept(cells: number): Promise<number[]> {
    const units = await this.units(cells)
    return units.flatMap((unit) => Array.from({ length: sizeOf(unit) }, (_, i) => unit + i))
  }

  /** The records in the hands of a cell. */
  async records(cell: number): Promise<string[]> {
    return Object.values(await this.redis.hgetall(`world:held:${cell}`))
  }

  close(): void {
    this.redis.disconnect()
  }
}

/** The keys of the crafts that fly in a process. */
export async function keysOf(child: ChildProcess): Promise<number[]> {
  child.send(ASK_KEYS)
  const [keys] = (await once(child, 'message')) as [number[]]
  return keys
}
