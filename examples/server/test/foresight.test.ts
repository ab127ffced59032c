import type { AddressInfo, Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { matchMaker } from '@colyseus/core'
import { afterEach, describe, expect, it } from 'vitest'
import { seeded } from 'three-steering/authoring'
import { Pilot } from '../src/net/pilot.js'
import { roomIdOf } from '../src/net/protocol.js'
import { startServer, type RunningServer } from '../src/server/server.js'
import { LOSS, slowNetwork } from './network.js'

let server: RunningServer
let network: Server
let pilot: Pilot
afterEach(async () => {
  await pilot.leave()
  network.close()
  await server.close()
})

interface Flown {
  /** Errors of foresight (m), and how far the ship that is drawn leaps from frame to frame beyond its speed (m). */
  readonly errors: number[]
  readonly leap: number
  /** Time from the first push of the stick to a speed of 1 m/s, as it is drawn (s). */
  readonly answer: number
  readonly speed: number
}

/** What goes wrong beside the network: time between two pictures (ms), and share of beats that the room leaves out. */
interface Trouble {
  readonly pause?: () => number
  readonly leftOut?: number
}

/** Flies for some seconds, with a stick that moves all the time. */
async function fly(
  agents: number,
  loss: number,
  seconds: number,
  { leftOut = 0, pause = () => 16 }: Trouble = {},
): Promise<Flown> {
  const random = seeded(3)
  server = await startServer({ port: 0, cells: 1, agents })
  network = await slowNetwork(server.port, loss)
  const { port } = network.address() as AddressInfo
  pilot = await Pilot.connect({ origin: `http://localhost:${port}`, name: 'Ada' })
  const room = matchMaker.getLocalRoomById(roomIdOf(0)) as unknown as { step(beat: number): void }
  const step = room.step.bind(room)
  let out = 0
  room.step = (beat) => {
    // in bursts, as of a machine that does something else
    if (out === 0 && random() < leftOut / 5) out = 1 + Math.floor(9 * random())
    if (out > 0) out--
    else step(beat)
  }
  const time = (): number => performance.now() / 1000
  let axes = [0, 0, 0, 0, 0, 0]
  /** Draws, and waits for the next time. Returns when it drew. */
  const frame = async (): Promise<number> => {
    const now = time()
    pilot.update(now, axes)
    await sleep(pause())
    return now
  }
  for (const end = time() + 20; time() < end && (pilot.own?.errors.length ?? 0) < 30;) await frame()
  const own = pilot.own!
  const start = time()
  let [answer, leap, speed, changed] = [Infinity, 0, 0, start]
  let last = { ...own.position }
  let then = start
  own.errors.length = 0
  axes = [1, 0, 0, 0, 0, 0]
  while (time() < start + seconds) {
    if (time() > changed + 0.7) {
      axes = axes.map(() => Math.round(2 * random() - 1))
      changed = time()
    }
    const now = await frame()
    speed = Math.hypot(own.velocity.x, own.velocity.y, own.velocity.z)
    if (speed > 1) answer = Math.min(answer, now - start)
    const { x, y, z } = own.position
    leap = Math.max(leap, Math.hypot(x - last.x, y - last.y, z - last.z) - 20 * (now - then))
    last = { x, y, z }
    then = now
  }
  return { errors: [...own.errors].sort((a, b) => a - b), leap, answer, speed }
}

const report = (what: string, { answer, errors, leap }: Flown): void => {
  const at = (share: number): string =>
    `${(1000 * errors[Math.floor(share * (errors.length - 1))]!).toFixed(1)}`
  const mean = (1000 * errors.reduce((sum, each) => sum + each, 0)) / errors.length
  console.info(
    `${what}: ${errors.length} corrections, mean ${mean.toFixed(1)} mm, median ${at(0.5)}, 95 % ${at(0.95)}, worst ${at(1)}; answers after ${(1000 * answer).toFixed(0)} ms, leaps ${(1000 * leap).toFixed(0)} mm`,
  )
}

const SECONDS = Number(process.env['SECONDS'] ?? 8)

describe('a player 150 ms from the server', { timeout: 60_000 + 3000 * SECONDS }, () => {
  it('flies its own ship at once, and alone as the server does', async () => {
    const flown = await fly(0, 0, SECONDS)
    report('alone', flown)
    expect(flown.errors.at(-1)).toBeLessThan(0.05)
    expect(flown.answer).toBeLessThan(0.15)
    expect(flown.errors.length).toBeGreaterThan(5 * SECONDS)
  })

  it('is so, too, where one message in twenty is lost', async () => {
    const flown = await fly(0, LOSS, SECONDS)
    report('alone, 5 % lost', flown)
    expect(flown.errors.at(-1)).toBeLessThan(0.05)
    expect(flown.answer).toBeLessThan(0.15)
  })

  it('is so, too, with a page that draws seldom, in a room that leaves out steps', async () => {
    const random = seeded(6)
    const pause = (): number => 16 + 400 * random() ** 2
    const flown = await fly(0, LOSS, SECONDS, { pause, leftOut: 0.2 })
    report('alone, 5 % lost, few pictures, 20 % of the steps left out', flown)
    expect(flown.errors.at(-1)).toBeLessThan(0.05)
  })

  it('is corrected by centimetres among others', async () => {
    const flown = await fly(200, 0, SECONDS)
    report('among 200', flown)
    expect(flown.errors[Math.floor(0.95 * flown.errors.length)]).toBeLessThan(0.1)
  })
})
