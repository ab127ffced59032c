import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { seeded } from 'three-steering/authoring'
import { PoseWriter } from 'three-steering/net'
import { codecOf } from '../net/protocol.js'
import { Pilot } from '../net/pilot.js'
import { Cell } from '../world/cell.js'
import { LocalLink } from '../world/link.js'
import { DT, planOf, RATE } from '../world/plan.js'

/**
 * What a world costs: CPU time of a step by the number of agents, with one cell and cut into more, bytes of a
 * frame, and a server with bots for some seconds. CPU time, because wall time says more about what else runs.
 */
const { values } = parseArgs({
  options: {
    bots: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '60' },
    agents: { type: 'string', default: '150' },
    steps: { type: 'string', default: '300' },
  },
})
const sleep = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, 1000 * seconds))

interface Cost {
  /** CPU time of a step of all cells (ms). */
  readonly step: number
  readonly bytes: number
  readonly handed: number
  readonly ghosts: number
}

/** Steps cells of a world of given length in this process. The first steps are not counted: code is compiled. */
async function costOf(cells: number, agents: number, length: number): Promise<Cost> {
  const plan = planOf(cells, agents, 7, length)
  const waiting: (() => void)[] = []
  const link = new LocalLink((deliver) => waiting.push(deliver))
  const all = Array.from({ length: cells }, (_, index) => new Cell({ plan, index, link }))
  for (const cell of all) await cell.open()
  let handed = 0
  for (const cell of all) cell.onExit = () => handed++
  let now = 0
  const run = (steps: number): void => {
    for (let i = 0; i < steps; i++) {
      now += DT
      for (const cell of all) cell.step(now)
      for (const each of waiting.splice(0)) each()
    }
  }
  const steps = Number(values.steps)
  run(steps)
  handed = 0
  const before = process.cpuUsage()
  run(steps)
  const { user, system } = process.cpuUsage(before)
  const writer = new PoseWriter(codecOf(plan))
  writer.begin(now)
  for (const cell of all)
    for (const { key, body } of cell.crafts.values())
      writer.addPose(key, body!.position, body!.velocity, body!.quaternion)
  const bytes = writer.end().length
  const ghosts = all.reduce((sum, cell) => sum + cell.ghosts, 0)
  for (const cell of all) cell.close()
  return { step: (user + system) / 1000 / steps, bytes, handed, ghosts }
}

/** CPU time of another process (s), where the system tells it. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

async function fly(bots: number, seconds: number): Promise<void> {
  const port = 2700
  const program = fileURLToPath(new URL('./serve.js', import.meta.url))
  const server = fork(program, ['--port', String(port), '--agents', values.agents], { stdio: 'ignore' })
  const origin = `http://localhost:${port}`
  for (let tries = 0; tries < 60; tries++) {
    await sleep(0.5)
    if (
      await fetch(`${origin}/world`).then(
        () => true,
        () => false,
      )
    )
      break
  }
  await sleep(5)
  const idle = cpuOf(server.pid!)
  await sleep(10)
  const without = (cpuOf(server.pid!) - idle) / 10
  const random = seeded(5)
  const pilots: Pilot[] = []
  for (let i = 0; i < bots; i++) pilots.push(await Pilot.connect({ origin, name: `Bot ${i}` }))
  const sticks = pilots.map(() => [0, 0, 0, 0, 0, 0])
  const timer = setInterval(() => {
    pilots.forEach((pilot, i) => {
      if (random() < 0.03) sticks[i] = Array.from({ length: 6 }, () => 2 * random() - 1)
      pilot.update(performance.now() / 1000, sticks[i]!)
    })
  }, 1000 / 20)
  await sleep(10)
  const started = performance.now()
  const cpu = cpuOf(server.pid!)
  const bytes = pilots.reduce((sum, pilot) => sum + pilot.received, 0)
  await sleep(seconds)
  const passed = (performance.now() - started) / 1000
  const used = (cpuOf(server.pid!) - cpu) / passed
  const each = (pilots.reduce((sum, pilot) => sum + pilot.received, 0) - bytes) / bots / passed
  const flown = pilots.filter((pilot) => pilot.ship && pilot.buffer.get(pilot.ship.key)).length
  const seen = [...pilots[0]!.buffer.agents].length
  clearInterval(timer)
  console.info(`\nserver, ${values.agents} agents, ${bots} bots, ${passed.toFixed(0)} s`)
  console.info(
    `share of a core: ${(100 * without).toFixed(1)} % without bots, ${(100 * used).toFixed(1)} % with`,
  )
  console.info(
    `to each client: ${(each / 1024).toFixed(1)} KiB/s for ${seen} crafts; ${flown} bots see their ship`,
  )
  server.kill()
  await once(server, 'exit')
}

console.info(
  'agents in a cell of 240 m: CPU time of a step, share of a core at 30 steps a second, bytes of a frame',
)
for (const agents of [50, 100, 200, 400, 800]) {
  const { step, bytes } = await costOf(1, agents, 240)
  const share = (step * RATE) / 10
  console.info(
    `${agents}: ${step.toFixed(2)} ms, ${share.toFixed(0)} %, ${(bytes / agents).toFixed(1)} B an agent`,
  )
}
console.info('\n400 agents in 960 m, cut into cells in one process')
for (const cells of [1, 2, 4]) {
  const { step, handed, ghosts } = await costOf(cells, 400, 960)
  console.info(
    `${cells}: ${step.toFixed(2)} ms, ${handed} hand-overs in ${values.steps} steps, ${ghosts} ghosts`,
  )
}
if (Number(values.bots) > 0) await fly(Number(values.bots), Number(values.seconds))
process.exit(0)
