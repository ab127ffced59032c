import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Redis } from 'ioredis'
import { seeded } from 'three-steering/authoring'
import { Pilot } from '../net/pilot.js'
import { Cell } from '../world/cell.js'
import { keyOf } from '../world/craft.js'
import { LocalLink } from '../world/link.js'
import { DT, planOf, RATE, REACH, type Grid } from '../world/plan.js'
import { cpuTime, figuresOf, type Figures, type Times } from './figures.js'
import { costOfCell, type CellCost } from './mirror.js'
import { launchShards } from './shards.js'

/**
 * What a world costs: CPU time of a step by the number of agents, of a border and a ghost, bytes of a frame, a world
 * in several processes, and a server with bots. CPU time, because wall time says more about what else runs. The
 * parts can be run one by one.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    bots: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '60' },
    agents: { type: 'string', default: '150' },
    steps: { type: 'string', default: '300' },
    million: { type: 'string', default: '1000000' },
    cells: { type: 'string', default: '3' },
    crowd: { type: 'string', default: '1300' },
    rounds: { type: 'string', default: '3' },
  },
})
const program = fileURLToPath(new URL('./serve.js', import.meta.url))

/**
 * What a cell of 240 m costs by the number of its agents, alone and in a row without end; what a border costs, and a
 * ghost; bytes of a frame. All in turn, so that they meet the same machine; of several rounds that in the middle.
 */
async function printAgents(): Promise<void> {
  const counts = [50, 100, 200, 400, 800, 1600]
  const [rounds, steps] = [Number(values.rounds), Number(values.steps)]
  const costs = counts.map(() => ({ alone: [] as CellCost[], row: [] as CellCost[] }))
  for (let round = 0; round < rounds; round++)
    for (const [i, agents] of counts.entries()) {
      costs[i]!.alone.push(await costOfCell([1, 1, 1], [240, 120, 240], agents, 7 + round, steps))
      costs[i]!.row.push(await costOfCell([3, 1, 1], [240, 120, 240], agents, 7 + round, steps))
    }
  const middle = (all: CellCost[]): CellCost => all.sort((a, b) => a.step - b.step)[rounds >> 1]!
  console.info('agents in a cell of 240 m: CPU time of a step, share of a core at 30 steps a second')
  let before = { agents: 0, step: 0 }
  for (const [i, agents] of counts.entries()) {
    const [alone, row] = [middle(costs[i]!.alone), middle(costs[i]!.row)]
    const border = (row.step + row.hear - alone.step) / 2
    const each = alone.step / agents
    const ghosts = row.ghosts / 2
    console.info(
      `${agents}: ${alone.step.toFixed(2)} ms, ${((alone.step * RATE) / 10).toFixed(0)} %; a border as much as ` +
        `${(border / each).toFixed(0)} agents, with ${ghosts.toFixed(0)} ghosts: ${(border / each / ghosts).toFixed(2)} each; ` +
        `${(alone.frame / agents).toFixed(1)} bytes an agent in a frame, ${(alone.full / agents).toFixed(1)} in full`,
    )
    for (const share of [0.5, 1]) {
      const budget = (1000 * share) / RATE
      if (alone.step < budget || before.step > budget) continue
      const part = (budget - before.step) / (alone.step - before.step)
      const most = before.agents + part * (agents - before.agents)
      console.info(`  ${most.toFixed(0)} agents take ${100 * share} % of a core`)
    }
    before = { agents, step: alone.step }
  }
}

/** All agents are in one of four cells: what the fullest one costs, and what it costs when the world has been cut anew. */
async function printCrowd(): Promise<void> {
  const agents = Number(values.crowd)
  const plan = planOf(4, 0)
  const waiting: (() => void)[] = []
  const link = new LocalLink((deliver) => waiting.push(deliver))
  const tenures = await Promise.all(Array.from({ length: plan.cells }, (_, index) => link.own(index)))
  const all = tenures.map((tenure) => new Cell({ plan, tenure }))
  for (const cell of all) await cell.open()
  for (let number = 1; number <= agents; number++) all[1]!.launch(keyOf('drone', number))
  let handed = 0
  for (const cell of all) cell.onExit = () => handed++
  let now = 0
  const spent = all.map(() => 0)
  /** CPU time of a step of each cell (ms). */
  const run = async (steps: number): Promise<number[]> => {
    spent.fill(0)
    for (let i = 0; i < steps; i++) {
      now += DT
      for (const [index, cell] of all.entries()) {
        const before = cpuTime()
        cell.step(now)
        spent[index]! += (cpuTime() - before) / steps
      }
      for (const each of waiting.splice(0)) each()
      await new Promise(setImmediate)
    }
    return [...spent]
  }
  const say = (times: readonly number[]): string =>
    all
      .map(({ crafts, ghosts }, i) => `${crafts.size} agents, ${ghosts} ghosts: ${times[i]!.toFixed(1)} ms`)
      .join('; ')
  console.info(`\n${agents} agents in one of four cells of 240 m`)
  await run(120)
  console.info(`before: ${say(await run(120))}`)
  for (let tries = 0; tries < 8; tries++) {
    const times = await run(120)
    const { version } = all[0]!
    for (const [i, cell] of [...all.entries()].reverse()) await cell.balance(times[i]!)
    if (all[0]!.version === version && tries > 2) break
    // until the notice is over
    await run(120)
    const kept = all.flatMap(({ crafts }) => [...crafts.keys()])
    if (kept.length !== agents || new Set(kept).size !== agents) throw new Error('lost or doubled')
    console.info(`version ${all[0]!.version}: ${say(await run(60))}; ${handed} hand-overs so far`)
  }
  for (const cell of all) cell.close()
}

/** Worlds without end: so many agents, as dense as a cell of 240 m with so many, and the cell is as large as half a core can. */
const WORLDS: readonly (readonly [name: string, shape: Grid, density: number])[] = [
  ['a row', [3, 1, 1], 150],
  ['a sheet', [3, 1, 3], 150],
  ['in all directions', [3, 3, 3], 150],
  ['a row', [3, 1, 1], 400],
  ['in all directions', [3, 3, 3], 400],
]

/**
 * A plan for many agents, from the cost of cells with simulated neighbours: how large a cell may be, and what the
 * world of these takes.
 */
async function printPlan(): Promise<void> {
  const all = Number(values.million)
  const steps = Number(values.steps) / 5
  // code is compiled
  await costOfCell([3, 3, 3], [240, 120, 240], 200, 7, steps)
  for (const [name, shape, density] of WORLDS) {
    console.info(`\n${all} agents ${name}, ${density} in 240 x 120 x 240 m`)
    const costs: CellCost[] = []
    /** A cell grows along the axes on which the world goes on. */
    const sizeFor = (agents: number): Grid => {
      const scale = (agents / density) ** (1 / shape.filter((count) => count > 1).length)
      const side = (i: 0 | 1 | 2): number => [240, 120, 240][i]! * (shape[i] > 1 ? scale : 1)
      return [side(0), side(1), side(2)]
    }
    for (const agents of [100, 200, 400, 800, 1600]) {
      const size = sizeFor(agents)
      if (Math.min(...size) < 2 * REACH) continue
      const cost = await costOfCell(shape, size, agents, 7, steps)
      costs.push(cost)
      const { crossed, ghosts, hear, kept, neighbors, shown, step } = cost
      const sizes = size.map((side) => side.toFixed(0)).join(' x ')
      console.info(
        `${agents} agents in ${sizes} m, ${neighbors} neighbours, ${ghosts.toFixed(0)} ghosts: ` +
          `${step.toFixed(2)} + ${hear.toFixed(2)} ms, ${((shown * RATE) / 1e3).toFixed(0)} kB/s shown, ` +
          `${((kept * RATE) / 1e3).toFixed(0)} kB/s kept, ${(crossed * RATE).toFixed(1)} cross in a second`,
      )
      if (step + hear > 1000 / RATE) break
    }
    const half = 500 / RATE
    const timeOf = ({ hear, step }: CellCost): number => hear + step
    const found = costs.findIndex((cost) => timeOf(cost) > half)
    const above = Math.max(1, found < 0 ? costs.length - 1 : found)
    const [low, high] = [costs[above - 1]!, costs[above]!]
    const share = (half - timeOf(low)) / (timeOf(high) - timeOf(low))
    const at = (of: (cost: CellCost) => number): number => of(low) + share * (of(high) - of(low))
    const agents = at((cost) => cost.agents)
    const cells = all / agents
    console.info(
      `half a core: ${agents.toFixed(0)} agents and ${at((cost) => cost.ghosts).toFixed(0)} ghosts; ${cells.toFixed(0)} cells; ` +
        `${((cells * at((cost) => cost.shown) * RATE) / 1e9).toFixed(2)} GB/s at borders, ` +
        `${((cells * at((cost) => cost.kept) * RATE) / 1e9).toFixed(2)} GB/s of records`,
    )
    // others of these cells, each with its own agents and rocks
    const some: CellCost[] = []
    for (let cell = 0; cell < Number(values.cells); cell++)
      some.push(await costOfCell(shape, sizeFor(agents), Math.round(agents), 100 + cell, steps))
    if (some.length === 0) continue
    const times = some.map(timeOf).sort((a, b) => a - b)
    console.info(
      `${some.length} of these cells: ${times[0]!.toFixed(2)} to ${times.at(-1)!.toFixed(2)} ms, ${times[some.length >> 1]!.toFixed(2)} in the middle`,
    )
  }
}

const sayTimes = ({ median, most, worst }: Times): string =>
  `${median.toFixed(1)} ms in the middle, 99 of 100 below ${most.toFixed(1)}, worst ${worst.toFixed(0)}`

const say = (figures: Figures, seconds: number): string => {
  const { between, cpu, cpuBetween, cpuOfStep, heap, leftOut, memory, steps } = figures
  return (
    `${((100 * cpu) / seconds).toFixed(1)} % of a core; ${steps} steps, ${leftOut} beats left out; ` +
    `CPU time of a step ${sayTimes(cpuOfStep)}, of all between two steps ${sayTimes(cpuBetween)}; ` +
    `time between two steps ${sayTimes(between)}; ${memory.toFixed(0)} MB, ${heap.toFixed(0)} MB of heap`
  )
}

/** Bytes that Redis has received and sent, and its CPU time (s). Null where it does not say. */
async function storeFigures(redis: Redis): Promise<{ read: number; written: number; cpu: number } | null> {
  const text = (await redis.info('stats')) + (await redis.info('cpu'))
  const of = (name: string): number => Number(new RegExp(`${name}:([\\d.]+)`).exec(text)?.[1] ?? NaN)
  const cpu = of('used_cpu_sys') + of('used_cpu_user')
  if (!Number.isFinite(cpu)) return null
  return { read: of('total_net_input_bytes'), written: of('total_net_output_bytes'), cpu }
}

/** As many agents for each process, in 1, 2 and 4 processes. */
async function printShards(): Promise<void> {
  const agents = Number(values.agents)
  const seconds = Number(values.seconds)
  for (const lockStep of [false, true]) {
    console.info(`\n${agents} agents for each process, ${lockStep ? 'in lock step, ' : ''}${seconds} s`)
    for (const shards of [1, 2, 4]) {
      const world = await launchShards({ port: 0, shards, agents: shards * agents, lockStep, program })
      const redis = new Redis(world.store.url)
      const children = Array.from({ length: shards }, (_, cell) => world.processOf(cell))
      await sleep(8000)
      for (const child of children) await figuresOf(child)
      const before = await storeFigures(redis)
      const started = performance.now()
      await sleep(1000 * seconds)
      const passed = (performance.now() - started) / 1000
      const all = await Promise.all(children.map(figuresOf))
      const after = await storeFigures(redis)
      console.info(`${shards} processes, records in ${world.store.name}`)
      for (const figures of all) console.info(`  ${say(figures, passed)}`)
      if (before && after)
        console.info(
          `  Redis: ${((100 * (after.cpu - before.cpu)) / passed).toFixed(1)} % of a core, ` +
            `${((after.read - before.read) / 1024 / passed).toFixed(0)} KiB/s in, ` +
            `${((after.written - before.written) / 1024 / passed).toFixed(0)} KiB/s out`,
        )
      redis.disconnect()
      await world.close()
    }
  }
}

async function startAlone(port: number): Promise<ChildProcess> {
  const server = fork(program, ['--port', String(port), '--agents', values.agents], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  for (let tries = 0; tries < 60; tries++) {
    await sleep(500)
    const answers = await fetch(`http://localhost:${port}/world`).then(
      () => true,
      () => false,
    )
    if (answers) return server
  }
  throw new Error('the server does not answer')
}

/** A server in a process of its own, and bots in this one. */
async function printBots(): Promise<void> {
  const bots = Number(values.bots)
  const seconds = Number(values.seconds)
  const port = 2700
  const server = await startAlone(port)
  const origin = `http://localhost:${port}`
  await sleep(8000)
  await figuresOf(server)
  await sleep(10_000)
  console.info(`\nserver, ${values.agents} agents, ${bots} bots, ${seconds} s`)
  console.info(`without bots: ${say(await figuresOf(server), 10)}`)
  const random = seeded(5)
  const pilots: Pilot[] = []
  /** When a packet came (ms), for the longest silence of each bot. */
  const heard: number[] = []
  const silence: number[] = []
  for (let i = 0; i < bots; i++) {
    const onPoses = (): void => {
      const now = performance.now()
      silence[i] = Math.max(silence[i] ?? 0, now - (heard[i] ?? now))
      heard[i] = now
    }
    pilots.push(await Pilot.connect({ foresees: false, origin, name: `Bot ${i}`, onPoses }))
  }
  const sticks = pilots.map(() => [0, 0, 0, 0, 0, 0])
  const timer = setInterval(() => {
    pilots.forEach((pilot, i) => {
      if (random() < 0.03) sticks[i] = Array.from({ length: 6 }, () => 2 * random() - 1)
      pilot.update(performance.now() / 1000, sticks[i]!)
    })
  }, 1000 / 20)
  await sleep(10_000)
  silence.length = 0
  await figuresOf(server)
  const started = performance.now()
  const bytes = pilots.reduce((sum, pilot) => sum + pilot.received, 0)
  const parts = Math.max(1, Math.round(seconds / 60))
  for (let part = 1; part <= parts; part++) {
    const began = performance.now()
    await sleep((1000 * seconds) / parts)
    console.info(`minute ${part}: ${say(await figuresOf(server), (performance.now() - began) / 1000)}`)
  }
  const passed = (performance.now() - started) / 1000
  const each = (pilots.reduce((sum, pilot) => sum + pilot.received, 0) - bytes) / bots / passed
  const flown = pilots.filter((pilot) => pilot.ship && pilot.buffer.get(pilot.ship.key)).length
  const seen = [...pilots[0]!.buffer.agents].length
  clearInterval(timer)
  console.info(
    `to each client: ${(each / 1024).toFixed(1)} KiB/s for ${seen} crafts; ${flown} bots see their ship; ` +
      `longest silence ${Math.max(...silence).toFixed(0)} ms`,
  )
  for (const pilot of pilots) pilot.drop()
  server.kill()
  await once(server, 'exit')
}

const PARTS = {
  agents: printAgents,
  crowd: printCrowd,
  plan: printPlan,
  shards: printShards,
  bots: printBots,
}
for (const [name, print] of Object.entries(PARTS))
  if (positionals.length === 0 || positionals.includes(name)) await print()
process.exit(0)
