import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { attack, ATTACKS } from './attacks.js'
import { figuresOf, type Figures } from '../src/server/figures.js'
import { guard, MAX_BODY, MAX_BURST, MAX_JOINS } from '../src/server/guard.js'
import { Pilot } from '../src/net/pilot.js'

/** Seconds of each attack; `SECONDS=3 npx vitest run test/guard` attacks longer. */
const SECONDS = Number(process.env['SECONDS'] ?? 0.6)
const program = fileURLToPath(new URL('../build/server/serve.js', import.meta.url))
/** Node reads so much at once from a connection. */
const CHUNK = 65_536
const UPGRADE = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'

function write(port: number, text: string | Buffer): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(text)
  return socket
}

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.once('close', () => resolve()))

it('a guarded server reads little from a client that sends much, and takes up few clients at once', async () => {
  const server = createServer()
  const sockets: Socket[] = []
  server.on('upgrade', (_request, socket: Socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
  })
  server.listen(0)
  await once(server, 'listening')
  guard(server)
  const { port } = server.address() as AddressInfo
  const flood = write(port, UPGRADE)
  const more = (): void => {
    while (!flood.destroyed && flood.write(Buffer.alloc(CHUNK)));
  }
  flood.on('drain', more)
  more()
  await closed(flood)
  expect(sockets).toHaveLength(1)
  expect(sockets[0]!.bytesRead).toBeLessThanOrEqual(MAX_BURST + 2 * CHUNK)

  const began = performance.now()
  const crowd = Array.from({ length: 5 * MAX_JOINS }, () => write(port, UPGRADE))
  const refused = crowd.slice(MAX_JOINS).map(closed)
  await Promise.race(refused)
  const seconds = (performance.now() - began) / 1000
  expect(sockets.length).toBeLessThanOrEqual(1 + MAX_JOINS * (1 + seconds))
  for (const socket of [...crowd, ...sockets]) socket.destroy()
  server.close()
})

/** Requests that ended the process once, and others like them. */
const REQUESTS = [
  'Host: [',
  'Host: a b:c',
  'Host: a:b@c',
  'Host: x:99999',
  'Host: x\r\nX-Forwarded-Proto: ::',
  `Host: x\r\nContent-Length: ${MAX_BODY + 1}`,
  'Host: x\r\nTransfer-Encoding: chunked',
]

it(
  'a server lives on after each attack, steps meanwhile, and takes up honest players',
  async () => {
    const server: ChildProcess = spawn(process.execPath, [program, '--port', '0', '--agents', '150'], {
      stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    })
    let ended = false
    server.once('exit', () => (ended = true))
    const [line] = (await once(server.stdout!, 'data')) as [Buffer]
    const origin = /http:\S+/.exec(line.toString())![0].replace('localhost', '127.0.0.1')
    const port = Number(new URL(origin).port)
    for (const headers of REQUESTS) {
      const length = headers.includes('ength') || headers.includes('chunked') ? '' : '\r\nContent-Length: 2'
      const socket = write(port, `POST /matchmake/joinById/cell-0 HTTP/1.1\r\n${headers}${length}\r\n\r\n{}`)
      const [answer] = (await once(socket, 'data')) as [Buffer]
      expect(answer.toString(), headers).toContain(' 400 ')
      socket.destroy()
    }
    const say = ({ cpuBetween, leftOut, steps }: Figures): string =>
      `${steps} steps, ${leftOut} left out, ${cpuBetween.worst.toFixed(0)} ms of CPU time between two at most`
    await figuresOf(server)
    await sleep(1000 * SECONDS)
    console.info(`in peace: ${say(await figuresOf(server))}`)
    for (const each of ATTACKS) {
      const count = await attack(each, origin, SECONDS)
      expect(ended, each.name).toBe(false)
      const figures = await figuresOf(server)
      console.info(`${each.name}, ${count} times: ${say(figures)}`)
      expect(figures.steps, each.name).toBeGreaterThan(0)
    }
    const pilot = await Pilot.connect({ origin, name: 'Ada' })
    for (let i = 0; i < 800 && !pilot.buffer.get(pilot.ship?.key ?? 0); i++) {
      pilot.update(performance.now() / 1000, [])
      await sleep(50)
    }
    expect(pilot.buffer.get(pilot.ship!.key)).not.toBeNull()
    await pilot.leave()
    server.kill()
    await once(server, 'exit')
  },
  90_000 + 20_000 * SECONDS,
)
