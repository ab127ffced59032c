import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ASK, StepFigures, type StepLoad } from './figures.js'
import { shortLog } from './log.js'
import { RedisLink } from './redis-link.js'
import { startServer } from './server.js'
import { launchShards } from './shards.js'

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
    'lock-step': { type: 'boolean', default: false },
  },
})
const port = Number(values.port)
const agents = Number(values.agents)
const lockStep = values['lock-step']
const length = values.length === undefined ? {} : { length: Number(values.length) }

const figures = new StepFigures()
const onStep = (_cell: number, load: StepLoad): void => figures.add(load)
process.on('message', (message) => message === ASK && process.send?.(figures.take()))

async function start(): Promise<{ close(): Promise<void> }> {
  if (values.cell !== undefined) {
    // without its parent a shard would go on where nobody knows it
    process.once('disconnect', () => process.exit(0))
    const own = [Number(values.cell)]
    const link = new RedisLink(values.redis ?? 'redis://127.0.0.1:6379')
    const shard = await startServer({
      port,
      cells: Number(values.cells),
      own,
      agents,
      link,
      lockStep,
      onStep,
      ...length,
    })
    process.send?.('ready')
    return shard
  }
  if (values.shards !== undefined) {
    const program = fileURLToPath(import.meta.url)
    const { redis } = values
    const shards = await launchShards({
      port,
      shards: Number(values.shards),
      agents,
      lockStep,
      program,
      ...(redis && { redis }),
      ...length,
    })
    console.info(`Fly at ${shards.address}: ${values.shards} processes, records in ${shards.store}`)
    return shards
  }
  const server = await startServer({ port, cells: Number(values.cells), agents, lockStep, onStep, ...length })
  console.info(`Fly at ${server.address}`)
  return server
}

// a world does not end because of one request
process.on('unhandledRejection', (reason) => shortLog.error(reason))
const running = await start().catch((error: NodeJS.ErrnoException) => {
  if (error.code !== 'EADDRINUSE') throw error
  console.error(`Port ${port} is in use. Choose another one: npm start -- --port ${port + 1}`)
  process.exit(1)
})
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void running.close().then(() => process.exit(0)))
