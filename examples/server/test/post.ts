import { Cell } from '../src/world/cell.js'
import { LocalLink } from '../src/world/link.js'
import type { Plan } from '../src/world/plan.js'

/** Carries what cells say to each other: when it is told to, or late, or not at all. */
export class Post {
  readonly link: LocalLink
  private waiting: (() => void)[] = []
  private readonly isLost: () => boolean

  constructor(isLost: () => boolean = () => false) {
    this.isLost = isLost
    this.link = new LocalLink((deliver) => this.waiting.push(deliver))
  }

  /** Delivers what was said so far, in order. */
  deliver(): void {
    for (const each of this.waiting.splice(0)) if (!this.isLost()) each()
  }
}

export interface CellsOptions {
  readonly bodies: boolean
  readonly lockStep?: boolean
}

export async function openCell(
  plan: Plan,
  index: number,
  { link }: Post,
  options: CellsOptions,
  clock?: { time: number; tick: number },
): Promise<Cell> {
  const report = (problem: string): void => {
    throw new Error(problem)
  }
  const tenure = await link.own(index)
  const cell = new Cell({ plan, tenure, report, ...options, ...(clock && { clock }) })
  await cell.open()
  return cell
}

export function openCells(plan: Plan, post: Post, options: CellsOptions): Promise<Cell[]> {
  return Promise.all(Array.from({ length: plan.cells }, (_, index) => openCell(plan, index, post, options)))
}

/** Motion of all crafts by key. @throws Error for a craft that two cells have. */
export function motionOf(cells: readonly Cell[]): Map<number, number[]> {
  const all = new Map<number, number[]>()
  for (const cell of cells)
    for (const { key, pilot, body } of cell.crafts.values()) {
      const { position: p, velocity: v } = body ?? pilot
      if (all.has(key)) throw new Error(`two cells have craft ${key}`)
      all.set(key, [p.x, p.y, p.z, v.x, v.y, v.z])
    }
  return all
}
