import type { Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { PoseWriter } from 'three-steering/net'
import { codecOf } from '../net/protocol.js'
import { readBorder, writeBorder } from '../world/border.js'
import { Cell } from '../world/cell.js'
import { keyOf } from '../world/craft.js'
import { boxesOf, firstCuts } from '../world/cuts.js'
import { LocalLink, type Hearing, type Tenure } from '../world/link.js'
import { DT, planOf, STEPS_PER_FRAME, type Grid } from '../world/plan.js'
import { readRecord, writeRecord } from '../world/record.js'
import { cpuTime } from './figures.js'

/** Ghosts have other keys than the crafts of which they are images: of each neighbour in a range of its own. */
const RANGE = 2 ** 20

/** What one cell in the middle of a world costs, of each step in the mean. */
export interface CellCost {
  readonly agents: number
  readonly neighbors: number
  readonly ghosts: number
  /** CPU time of a step, and of hearing what all neighbours say of theirs (ms). */
  readonly step: number
  readonly hear: number
  /** Bytes: shown to neighbours, and in records that are kept; and agents that cross a border. */
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
  const boxes = boxesOf(plan, firstCuts(plan))
  const middle = (plan.cells - 1) / 2
  const sums = { ghosts: 0, step: 0, hear: 0, shown: 0, kept: 0, crossed: 0, full: 0, frame: 0 }
  const opposite = (cell: number): number => 2 * middle - cell
  /** A place near a neighbour, as it is near this cell. */
  const moved = ({ x, y, z }: Vec3Like, to: number): Vec3Like => {
    const [here, there] = [boxes.get(middle)!.min, boxes.get(to)!.min]
    return { x: x + here.x - there.x, y: y + here.y - there.y, z: z + here.z - there.z }
  }
  let hearing: Hearing
  /** What the neighbours say when they have heard. */
  const waiting: (() => void)[] = []
  const tenure: Tenure = {
    ...(await new LocalLink().own(middle)),
    listen: (hear) => Promise.resolve(void (hearing = hear)),
    show(to, bytes) {
      sums.shown += bytes.length
      waiting.push(() => {
        const border = readBorder(bytes)
        const from = opposite(to)
        const shown = border.shown.map(({ key, position, velocity }) => {
          const image = key + RANGE * (1 + from)
          return { key: image, position: moved(position, to), velocity, cell: from }
        })
        const said = writeBorder({ ...border, shown })
        const before = cpuTime()
        hearing.onBorder(from, said)
        sums.hear += cpuTime() - before
      })
    },
    give(to, unit, text) {
      sums.crossed++
      waiting.push(() => {
        const record = readRecord(text)
        const crafts = record.crafts.map((craft) => {
          const [x, y, z, ...rest] = craft.pose as [number, number, number, ...number[]]
          const at = moved({ x, y, z }, to)
          return { ...craft, pose: [at.x, at.y, at.z, ...rest] }
        })
        hearing.onGiven(opposite(to), unit, writeRecord({ ...record, crafts }))
      })
    },
    save(records) {
      for (const record of records.values()) sums.kept += record.length
    },
  }
  const cell = new Cell({ plan, tenure })
  await cell.open()
  const random = seeded(seed)
  for (let number = 1; number <= agents; number++)
    cell.launch(keyOf(random() < 1 / 12 ? 'freighter' : 'drone', number))
  const writers = {
    full: new PoseWriter(codecOf(plan)),
    frame: new PoseWriter(codecOf(plan), { differences: true, refresh: 255 }),
  }
  let now = 0
  const run = (): void => {
    for (const name of Object.keys(sums)) sums[name as keyof typeof sums] = 0
    for (let i = 0; i < steps; i++) {
      now += DT
      const before = cpuTime()
      cell.step(now)
      sums.step += cpuTime() - before
      sums.ghosts += cell.ghosts
      for (const say of waiting.splice(0)) say()
      if (i % STEPS_PER_FRAME > 0) continue
      for (const name of ['full', 'frame'] as const) {
        writers[name].begin(now)
        for (const { key, body } of cell.crafts.values())
          writers[name].addPose(key, body!.position, body!.velocity, body!.quaternion)
        sums[name] += STEPS_PER_FRAME * writers[name].end().length
      }
    }
  }
  run()
  run()
  cell.close()
  const means = Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, sum / steps]))
  return { ...(means as typeof sums), agents: cell.crafts.size, neighbors: plan.cells - 1 }
}
