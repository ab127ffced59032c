import { seeded } from 'three-steering/authoring'
import { RedisLink } from '../src/server/redis-link.js'
import { Cell, type Craft } from '../src/world/cell.js'
import { unitOf } from '../src/world/craft.js'
import { cellAt, firstCuts } from '../src/world/cuts.js'
import { DT, planOf } from '../src/world/plan.js'
import { digestOf, type Flown, type Handed, type Part } from './digest.js'
import { cutsBy, fleetOf } from './fleet.js'

/** The program of a process: one cell of a fleet in lock step, without rooms, as fast as the cells can. */
const { index, grid, agents, size, redis, steps, isCut } = JSON.parse(process.argv[2]!) as Part
process.once('disconnect', () => process.exit(0))
const plan = planOf(grid, 0, 3, size)
const link = new RedisLink({ url: redis })
const tenure = await link.own(index, plan)

/** Resolves when a neighbour has said something, or after a while. */
let wake = (): void => {}
const news = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    wake = resolve
    setTimeout(resolve, milliseconds)
  })
const listen = tenure.listen.bind(tenure)
tenure.listen = (hearing) => {
  const { onBorder } = hearing
  return listen({
    ...hearing,
    onBorder: (...border) => {
      onBorder(...border)
      wake()
    },
  })
}

const report = (problem: string): void => {
  process.send!({ problem })
}
const cell = new Cell({ plan, tenure, report, bodies: false, lockStep: true })
const handed: Handed = { all: 0, wings: 0, shuttles: 0, atPort: 0 }
/** Key of the ship that has the port before a step, if it is here. */
let holder: number | undefined
/** Crafts that are on their way to a neighbour, after this step. */
let leaving: Craft[] = []
cell.onExit = (craft) => {
  const { key, kind } = craft
  handed.all++
  if (kind === 'escort' && unitOf(key) === key) handed.wings++
  if (kind === 'shuttle') handed.shuttles++
  if (key === holder) handed.atPort++
  leaving.push(craft)
}
for (const { key, position } of fleetOf(plan, agents))
  if (cellAt(firstCuts(plan), position) === index) cell.launch(key, { position })
await cell.open()
const random = seeded(60)
let digests: string[] = []
const tell = (): void => {
  const crafts = cell.crafts.size + leaving.length
  process.send!({ digests, handed, crafts } satisfies Flown)
  digests = []
}
while (cell.world.tick < steps) {
  if (!cell.isReady) {
    await news(200)
    if (!cell.isReady) cell.show()
    continue
  }
  if (isCut && index === 0 && cell.world.tick % 60 === 20) {
    const all = Array.from({ length: plan.cells - Math.floor(2 * random()) }, (_, i) => i)
    await cell.cut(cutsBy(random, all, plan), 3)
  }
  leaving = []
  holder = [...cell.crafts.values()].find(({ pilot }) => pilot.id === cell.port.holder)?.key
  cell.step((cell.world.tick + 1) * DT)
  digests.push(digestOf([...cell.crafts.values(), ...leaving]))
  if (digests.length === 500) tell()
  await new Promise(setImmediate)
}
tell()
