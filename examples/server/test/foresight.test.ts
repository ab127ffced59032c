import type { AddressInfo, Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { matchMaker } from '@colyseus/core'
import { afterEach, describe, expect, it } from 'vitest'
import { seeded } from 'three-steering/authoring'
import type { Foresight } from '../src/net/foresight.js'
import { Pilot } from '../src/net/pilot.js'
import { roomIdOf } from '../src/net/protocol.js'
import { startServer, type RunningServer } from '../src/server/server.js'
import { errorsInTime, LOSS, slowNetwork } from './network.js'

let server: RunningServer
let network: Server
let pilot: Pilot
afterEach(async () => {
  await pilot.leave()
  network.close()
  await server.close()
})

interface Flown {
  /** What the server has corrected, and the errors among these where sticks came in time (m). */
  readonly corrections: Foresight['corrections']
  readonly errors: readonly number[]
  /** How far the ship that is drawn leaps from picture to picture beyond its speed (m). */
  readonly leap: number
  /** Pictures with new steps from the first push of the stick to a speed of 0.5 m/s. */
  readonly answer: number
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
    // in bursts, as of a machine that does something else, of which some are longer than a second
    if (out === 0 && random() < leftOut / 7) out = 1 + Math.floor(random() < 0.1 ? 40 : 9 * random())
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
  for (const end = time() + 20; time() < end && (pilot.own?.corrections.length ?? 0) < 30;) await frame()
  const own = pilot.own!
  const start = time()
  let [answer, isMoving, leap, changed] = [0, false, 0, start]
  let last = { ...own.position }
  let then = start
  own.corrections.length = 0
  axes = [1, 0, 0, 0, 0, 0]
  while (time() < start + seconds) {
    if (time() > changed + 0.7) {
      axes = axes.map(() => Math.round(2 * random() - 1))
      changed = time()
    }
    const { tick } = own
    const now = await frame()
    if (!isMoving && own.tick > tick) answer++
    isMoving ||= Math.hypot(own.velocity.x, own.velocity.y, own.velocity.z) > 0.5
    const { x, y, z } = own.position
    leap = Math.max(leap, Math.hypot(x - last.x, y - last.y, z - last.z) - 20 * (now - then))
    last = { x, y, z }
    then = now
  }
  const { corrections } = own
  return { corrections, errors: errorsInTime(corrections), leap, answer }
}

const report = (what: string, { answer, corrections, errors, leap }: Flown): void => {
  const at = (share: number): string =>
    `${(1000 * errors[Math.floor(share * (errors.length - 1))]!).toFixed(1)}`
  const worst = Math.max(...corrections.map(({ error }) => error))
  console.info(
    `${what}: ${errors.length} corrections in time, median ${at(0.5)} mm, 95 % ${at(0.95)}, worst ${at(1)}; of all ` +
      `${corrections.length} worst ${(1000 * worst).toFixed(1)}; answers in picture ${answer}, leaps ${(1000 * leap).toFixed(0)} mm`,
  )
}

const SECONDS = Number(process.env['SECONDS'] ?? 8)

describe('a player 150 ms from the server', { timeout: 60_000 + 3000 * SECONDS }, () => {
  it('flies its own ship at once, and alone as the server does', async () => {
    const flown = await fly(0, 0, SECONDS)
    report('alone', flown)
    expect(flown.errors.at(-1)).toBeLessThan(0.05)
    expect(flown.answer).toBeLessThan(3)
    expect(flown.errors.length).toBeGreaterThan(SECONDS)
  })

  it('is so, too, where one message in twenty is lost', async () => {
    const flown = await fly(0, LOSS, SECONDS)
    report('alone, 5 % lost', flown)
    expect(flown.errors.at(-1)).toBeLessThan(0.05)
    expect(flown.answer).toBeLessThan(3)
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
