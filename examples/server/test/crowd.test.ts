import { setTimeout as sleep } from 'node:timers/promises'
import { matchMaker } from '@colyseus/core'
import { expect, it } from 'vitest'
import { Pilot } from '../src/net/pilot.js'
import { roomIdOf } from '../src/net/protocol.js'
import { startServer } from '../src/server/server.js'
import type { Cell } from '../src/world/cell.js'
import { boxesOf, gapTo } from '../src/world/cuts.js'

it('a client sees its ship all the time while the world is cut anew, and is in the room that has it', async () => {
  const server = await startServer({ port: 0, cells: 2, agents: 40 })
  const cells = [0, 1].map((cell) => {
    return (matchMaker.getLocalRoomById(roomIdOf(cell)) as unknown as { cell: Cell }).cell
  })
  const pilot = await Pilot.connect({ origin: server.address, name: 'Ada', cell: 0 })
  let unseen = 0
  let isSeen = false
  const until = async (what: () => boolean): Promise<void> => {
    for (const end = performance.now() + 20_000; performance.now() < end && !what();) {
      pilot.update(performance.now() / 1000, [0, 0, 0, 0, 0, 0])
      const own = pilot.buffer.get(pilot.ship?.key ?? 0)
      isSeen ||= own !== null
      if (isSeen && own === null) unseen++
      await sleep(20)
    }
    expect(what()).toBe(true)
  }
  await until(() => isSeen)
  const holder = (): number => cells.findIndex(({ crafts }) => crafts.has(pilot.ship!.key))
  expect(holder()).toBe(0)
  // as if the second one had a step of a core and more
  await cells[0]!.balance(1)
  await cells[1]!.balance(40)
  await cells[0]!.balance(1)
  // the notice is three seconds, so that there is time to join
  expect([cells[0]!.version, cells[0]!.trees.length]).toEqual([1, 2])
  await until(() => pilot.division.version === 1)
  await until(() => cells.every(({ trees, version }) => version === 1 && trees.length === 1))
  await until(() => pilot.cells.includes(holder()) && pilot.division.trees.length === 1)
  expect(unseen).toBe(0)
  const keys = server.keys()
  expect([keys.length, new Set(keys).size]).toEqual([41, 41])
  const boxes = boxesOf(server.plan, pilot.division.trees[0]!)
  for (const { crafts, index } of cells)
    for (const { body, kind } of crafts.values())
      // a wing goes over as one
      if (kind !== 'escort') expect(gapTo(boxes.get(index)!, body!.position)).toBeLessThan(1)
  await pilot.leave()
  await server.close()
}, 60_000)
