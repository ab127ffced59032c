import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { seeded } from 'three-steering/authoring'
import type { Foresight } from '../src/net/foresight.js'

/** Time to the server and back (s), and how much of what is sent gets lost: TCP sends it again, later. */
const ROUND_TRIP = 0.15
export const LOSS = 0.05
const AGAIN = 0.2

/**
 * Errors of foresight where sticks came in time, in order. One that is later than all of the last seconds, because the
 * network or the machine has become slower, makes errors in the messages about it.
 */
export function errorsInTime(corrections: Foresight['corrections']): number[] {
  const isLate = (i: number): boolean =>
    corrections.slice(Math.max(0, i - 3), i + 10).some(({ early }) => early < 0)
  return corrections
    .filter((_, i) => !isLate(i))
    .map(({ error }) => error)
    .sort((a, b) => a - b)
}

/** A network to a port: all is late by half of the round trip, and what follows a loss waits for it. */
export async function slowNetwork(port: number, loss: number): Promise<Server> {
  const random = seeded(5)
  const relay = (from: Socket, to: Socket): void => {
    let free = 0
    const queue: Buffer[] = []
    from.on('data', (data) => {
      const late = ROUND_TRIP / 2 + 0.01 * random() + (random() < loss ? AGAIN : 0)
      free = Math.max(free, performance.now() + 1000 * late)
      queue.push(data)
      // timers of one millisecond come in any order, so each writes the oldest
      setTimeout(() => to.write(queue.shift()!), free - performance.now())
    })
    from.on('close', () => to.destroy())
    from.on('error', () => to.destroy())
  }
  const proxy = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    client.setNoDelay(true)
    upstream.setNoDelay(true)
    relay(client, upstream)
    relay(upstream, client)
  }).listen(0)
  await once(proxy, 'listening')
  return proxy
}

/** A network to a port that can be cut: connections end, or nothing travels any more and nobody is told. */
export class Cable {
  private readonly proxy: Server
  private readonly ends = new Set<Socket>()
  private state: 'whole' | 'cut' | 'silent' = 'whole'

  constructor(port: number) {
    this.proxy = createServer((client) => {
      const far = connect(port, '127.0.0.1')
      this.join(client, far)
      this.join(far, client)
    }).listen(0, '127.0.0.1')
  }

  get port(): number {
    return (this.proxy.address() as AddressInfo).port
  }

  set(state: Cable['state']): void {
    this.state = state
    for (const end of this.ends) this.heed(end)
  }

  close(): void {
    this.proxy.close()
    this.set('cut')
  }

  private join(from: Socket, to: Socket): void {
    this.ends.add(from)
    from.on('data', (data) => to.write(data))
    from.on('error', () => {})
    from.on('close', () => {
      this.ends.delete(from)
      to.destroy()
    })
    this.heed(from)
  }

  private heed(end: Socket): void {
    if (this.state === 'cut') end.destroy()
    else if (this.state === 'silent') end.pause()
    else end.resume()
  }
}
