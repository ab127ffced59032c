import type { Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { PoseWriter } from 'three-steering/net'
import { codecOf } from '../net/protocol.js'
import { Cell } from '../world/cell.js'
import { keyOf } from '../world/craft.js'
import { readBorder, writeBorder } from '../world/border.js'
import { boxesOf, firstCuts, type Box, type Load } from '../world/cuts.js'
import type { Hearing, Tenure } from '../world/link.js'
import { DT, planOf, STEPS_PER_FRAME, type Grid, type Plan } from '../world/plan.js'
import { readRecord, writeRecord } from '../world/record.js'
import { cpuTime } from './figures.js'

/** Ghosts have other keys than the crafts of which they are images: of each neighbour in a range of its own. */
const RANGE = 2 ** 20

/** What one cell in the middle of a world costs. */
export interface CellCost {
  /** CPU time of a step, and of hearing what all neighbours say of theirs (ms). */
  readonly step: number
  readonly hear: number
  readonly agents: number
  readonly ghosts: number
  readonly neighbors: number
  /** Bytes in a step: shown to neighbours, and in records that are kept; and agents that cross a border. */
  readonly shown: number
  readonly kept: number
  readonly crossed: number
  /** Bytes of a frame of all its agents, in full, and as differences from what the frames before said. */
  readonly full: number
  readonly frame: number
}

/**
 * Steps one cell of a world without end. Its neighbours are simulated: each is this cell once more, moved by its
 * size, and says what this cell says, from there. What leaves on one side comes in on the other. So the borders have
 * the density of the cell, and the cost is that of each cell of a world of any size.
 * @param shape 3 along each axis on which the world goes on, else 1.
 * @param size Of the cell (m).
 */
export async function costOfCell(
  shape: Grid,
  size: Grid,
  agents: number,
  seed: number,
  steps: number,
): Promise<CellCost> {
  const [a, b, c] = shape
  const plan = planOf(shape, 0, seed, [a * size[0], b * size[1], c * size[2]])
  const middle = (plan.cells - 1) / 2
  const totals = { hear: 0, shown: 0, kept: 0, crossed: 0 }
  const tenure = new Mirror(plan, middle, totals)
  const cell = new Cell({ plan, tenure })
  await cell.open()
  const random = seeded(seed)
  for (let number = 1; number <= agents; number++)
    cell.launch(keyOf(random() < 1 / 12 ? 'freighter' : 'drone', number))
  const [full, differences] = [{}, { differences: true, refresh: 255 }].map(
    (options) => new PoseWriter(codecOf(plan), options),
  )
  const frame = (writer: PoseWriter): number => {
    writer.begin(now)
    for (const { key, body } of cell.crafts.values())
      writer.addPose(key, body!.position, body!.velocity, body!.quaternion)
    return writer.end().length
  }
  let now = 0
  let spent = 0
  let ghosts = 0
  const bytes = { full: 0, frame: 0 }
  const run = (count: number): void => {
    Object.assign(totals, { hear: 0, shown: 0, kept: 0, crossed: 0 })
    spent = ghosts = bytes.full = bytes.frame = 0
    for (let i = 0; i < count; i++) {
      now += DT
      const before = cpuTime()
      cell.step(now)
      spent += cpuTime() - before
      ghosts += cell.ghosts
      tenure.deliver()
      if (i % STEPS_PER_FRAME > 0) continue
      bytes.full += frame(full!)
      bytes.frame += frame(differences!)
    }
  }
  run(steps)
  run(steps)
  cell.close()
  const { crossed, hear, kept, shown } = totals
  return {
    step: spent / steps,
    hear: hear / steps,
    agents: cell.crafts.size,
    ghosts: ghosts / steps,
    neighbors: plan.cells - 1,
    shown: shown / steps,
    kept: kept / steps,
    crossed: crossed / steps,
    full: (bytes.full * STEPS_PER_FRAME) / steps,
    frame: (bytes.frame * STEPS_PER_FRAME) / steps,
  }
}

class Mirror implements Tenure {
  readonly cell: number
  readonly isFirst = true
  readonly tick = 0
  readonly isSure = true
  readonly isWaking = false
  readonly isSettled = true
  private readonly boxes: ReadonlyMap<number, Box>
  private readonly totals: { hear: number; shown: number; kept: number; crossed: number }
  private hear: Hearing | null = null
  private waiting: (() => void)[] = []

  constructor(plan: Plan, cell: number, totals: Mirror['totals']) {
    this.boxes = boxesOf(plan, firstCuts(plan))
    this.cell = cell
    this.totals = totals
  }

  /** The neighbours have heard, and say what is said to them. */
  deliver(): void {
    for (const each of this.waiting.splice(0)) each()
  }

  listen(hear: Hearing): Promise<void> {
    this.hear = hear
    return Promise.resolve()
  }

  show(to: number, bytes: Uint8Array): void {
    this.totals.shown += bytes.length
    const copy = bytes.slice()
    this.waiting.push(() => {
      const from = this.opposite(to)
      const border = readBorder(copy)
      const shown = border.shown.map((each) => {
        const key = each.key + RANGE * (1 + from)
        return { ...each, key, position: this.moved(each.position, to), cell: from }
      })
      const heard = writeBorder({ ...border, shown })
      const before = cpuTime()
      this.hear?.onBorder(from, heard)
      this.totals.hear += cpuTime() - before
    })
  }

  give(to: number, unit: number, text: string): void {
    this.totals.crossed++
    this.waiting.push(() => {
      const record = readRecord(text)
      const crafts = record.crafts.map((craft) => {
        const [x, y, z, ...rest] = craft.pose as [number, number, number, ...number[]]
        const at = this.moved({ x, y, z }, to)
        return { ...craft, pose: [at.x, at.y, at.z, ...rest] }
      })
      this.hear?.onGiven(this.opposite(to), unit, writeRecord({ ...record, crafts }))
    })
  }

  save(records: ReadonlyMap<number, string>): void {
    for (const record of records.values()) this.totals.kept += record.length
  }

  remove(): void {}
  units = (): Promise<number[]> => Promise.resolve([])
  load = (): Promise<string[]> => Promise.resolve([])
  cuts = (): Promise<null> => Promise.resolve(null)
  cut = (): Promise<void> => Promise.resolve()
  weigh(): void {}
  loads = (): Promise<Map<number, Load>> => Promise.resolve(new Map<number, Load>())
  end(): void {}

  private opposite(cell: number): number {
    return 2 * this.cell - cell
  }

  /** A place near a neighbour, as it is near this cell. */
  private moved({ x, y, z }: Vec3Like, to: number): Vec3Like {
    const [here, there] = [this.boxes.get(this.cell)!, this.boxes.get(to)!]
    return {
      x: x + here.min.x - there.min.x,
      y: y + here.min.y - there.min.y,
      z: z + here.min.z - there.min.z,
    }
  }
}
