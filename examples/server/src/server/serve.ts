import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ASK, ASK_KEYS, StepFigures, type StepLoad } from './figures.js'
import { shortLog } from './log.js'
import { RedisLink, Refusal } from './redis-link.js'
import { LOCAL, startServer, type RunningServer } from './server.js'
import { launchShards, REFUSED } from './shards.js'
import { gridOf } from '../world/plan.js'
import { version } from '../../../../package.json'

/** The program: a whole world, a world in several processes (`--shards`), or one of these (`--cell`). */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '2567' },
    agents: { type: 'string', default: '150' },
    cells: { type: 'string', default: '1' },
    shards: { type: 'string' },
    redis: { type: 'string' },
    length: { type: 'string' },
    cell: { type: 'string' },
    host: { type: 'string', default: LOCAL },
    origin: { type: 'string', multiple: true, default: [] },
    own: { type: 'string' },
    after: { type: 'string', default: '' },
    'lock-step': { type: 'boolean', default: false },
    release: { type: 'string', default: version },
    fixed: { type: 'boolean', default: false },
  },
})
const { host, origin: origins, redis, release } = values
const port = Number(values.port)
const options = {
  port,
  host,
  origins,
  release,
  agents: Number(values.agents),
  length: values.length === undefined ? undefined : Number(values.length),
  lockStep: values['lock-step'],
}
const balanced = !values.fixed

const figures = new StepFigures()
const onStep = (load: StepLoad): void => figures.add(load)
process.on('message', (message) => {
  if (message === ASK) process.send?.(figures.take())
  if (message === ASK_KEYS) process.send?.(served?.keys() ?? [])
})
let served: RunningServer | null = null

/** `2` or `0-3`. */
function cellsOf(text: string): number[] {
  const [first, last = first] = text.split('-').map(Number)
  if (!(first! >= 0 && last! >= first!)) throw new RangeError(`--own: got ${text}, must be like 2 or 0-3`)
  return Array.from({ length: last! - first! + 1 }, (_, i) => first! + i)
}

async function start(): Promise<{ close(): Promise<void> }> {
  if (values.cell !== undefined) {
    // without its parent a shard would go on where nobody knows it
    process.once('disconnect', () => process.exit(0))
    const cell = Number(values.cell)
    const link = new RedisLink({
      url: redis ?? 'redis://127.0.0.1:6379',
      version: release,
      address: `${host}:${port}`,
      after: values.after,
      report: shortLog.warn,
    })
    const shard = await startServer({
      ...options,
      cells: gridOf(values.cells),
      own: [cell],
      link,
      balanced,
      onStep,
      // somebody else serves it; what is in the memory here is too old for any use
      onLost: () => process.exit(1),
    })
    served = shard
    process.send?.({ ready: link.tokenOf(cell) })
    return shard
  }
  if (values.shards !== undefined) {
    const shards = await launchShards({
      ...options,
      shards: gridOf(values.shards),
      own: values.own === undefined ? undefined : cellsOf(values.own),
      program: fileURLToPath(import.meta.url),
      balanced,
      redis,
    })
    console.info(`Fly at ${shards.address}: ${shards.plan.cells} processes, records in ${shards.store.name}`)
    return shards
  }
  const server = await startServer({ ...options, cells: gridOf(values.cells), onStep })
  console.info(`Fly at ${server.address}`)
  return server
}

// a world does not end because of one request
process.on('unhandledRejection', (reason) => shortLog.error(reason))
const running = await start().catch((error: NodeJS.ErrnoException) => {
  if (error instanceof Refusal) {
    console.error(error.message)
    process.exit(REFUSED)
  }
  if (error.code !== 'EADDRINUSE') {
    // a shard is started again, and its log is that of all: one line
    if (values.cell === undefined) throw error
    shortLog.error(error)
    process.exit(1)
  }
  console.error(`Port ${port} is in use. Choose another one: npm start -- --port ${port + 1}`)
  process.exit(1)
})
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void running.close().then(() => process.exit(0)))
