import { describe, expect, it } from 'vitest'
import type { SteeringController } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { Cell, SAVE_STEPS } from '../src/world/cell.js'
import { readBorder, writeBorder } from '../src/world/border.js'
import { LocalLink } from '../src/world/link.js'
import { keyOf, namedCrafts, STATION } from '../src/world/craft.js'
import { cellAt, firstCuts } from '../src/world/cuts.js'
import { DT, planOf } from '../src/world/plan.js'
import { isGroup, readRecord } from '../src/world/record.js'
import { motionOf, openCell, openCells, Post } from './post.js'

const RUNS = Number(process.env['RUNS'] ?? 6)

describe('a cell that is killed', () => {
  it.each(Array.from({ length: RUNS }, (_, run) => run))(
    'comes back with every craft, none twice, and none older than a second: run %i',
    async (run) => {
      const random = seeded(100 + run)
      const post = new Post(() => random() < 0.05)
      const plan = planOf(3, 60, run, 216)
      const cells = await openCells(plan, post, { bodies: run % 2 === 0 })
      let now = 0
      const step = (except: number): void => {
        now += DT
        for (const [i, cell] of cells.entries()) if (i !== except) cell.step(now)
        post.deliver()
      }
      for (let kill = 0; kill < 3; kill++) {
        const index = Math.floor(3 * random())
        const victim = cells[index]!
        for (let i = Math.floor(10 + 25 * random()); i > 0; i--) step(-1)
        const { time, tick } = victim.world
        const held = [...victim.crafts.keys()]
        const kept = (await (await post.link.own(index)).load(held)).map(readRecord)
        expect(kept.flatMap(({ crafts }) => crafts)).toHaveLength(held.length)
        for (const { parcel } of kept)
          for (const each of isGroup(parcel) ? parcel.agents : [parcel])
            expect(tick - each.tick).toBeLessThanOrEqual(SAVE_STEPS)
        // in the middle of what it was saying, and gone for a while
        victim.close()
        for (let i = Math.floor(10 * random()); i > 0; i--) step(index)
        cells[index] = await openCell(plan, index, post, { bodies: run % 2 === 0 }, { time, tick })
        const motion = motionOf([cells[index]])
        for (const { key, pose } of kept.flatMap(({ crafts }) => crafts))
          expect(motion.get(key)).toEqual([...pose.slice(0, 3), ...pose.slice(7, 10)])
      }
      step(-1)
      for (const cell of cells) await cell.reconcile()
      expect([...motionOf(cells).keys()].sort((a, b) => a - b)).toHaveLength(60)
    },
  )
})

it('a craft is found at once by the cell to which it was given, though that cell has not heard of it', async () => {
  let isGiven = false
  const post = new Post(() => isGiven)
  const cells = await openCells(planOf(2, 0, 3, 216), post, { bodies: true })
  const key = keyOf('player', 1)
  cells[0]!.onExit = () => (isGiven = true)
  cells[0]!.launch(key, { position: { x: -1, y: 0, z: 0 } }).body!.velocity.set(10, 0, 0)
  for (let i = 1; !cells[1]!.crafts.has(key); i++) {
    expect(i).toBeLessThan(15)
    for (const cell of cells) cell.step(i * DT)
    post.deliver()
    isGiven = false
    await new Promise(setImmediate)
  }
  expect(motionOf(cells).size).toBe(1)
})

it.each([4, 12])('a craft that is taken %i steps late has flown on as its ghost has', async (late) => {
  const post = new Post()
  const cells = await openCells(planOf(2, 0, 3, 216), post, { bodies: true })
  const key = keyOf('player', 1)
  const { body } = cells[0]!.launch(key, { position: { x: -0.1, y: 0, z: 0 } })
  body!.velocity.set(10, 0, 0)
  const given = { x: 0, speed: 0 }
  cells[0]!.onExit = () => Object.assign(given, { x: body!.position.x, speed: body!.velocity.x })
  for (let i = 1; i <= 1 + late; i++) for (const cell of cells) cell.step(i * DT)
  // after a quarter of a second a ghost waits, and nobody is told that it moves
  const [[, ghost]] = [...cells[0]!.onTheirWay()] as [[number, SteeringController]]
  expect(ghost.velocity.x).toBeCloseTo(late < 8 ? given.speed : 0)
  post.deliver()
  const way = given.speed * Math.min(0.25, late * DT)
  expect(way).toBeGreaterThan(1)
  expect(motionOf(cells).get(key)![0]).toBeCloseTo(given.x + way, 9)
})

describe('a cell with the station that is killed', () => {
  it.each([0, 1, 2])('comes back with the order in which ships wait for the port: run %i', async (run) => {
    const post = new Post()
    const plan = planOf(2, 0, 3, 216)
    const cells = await openCells(plan, post, { bodies: run === 0 })
    for (const { key, position } of namedCrafts(plan))
      cells[cellAt(firstCuts(plan), position)]!.launch(key, { position })
    let now = 0
    const step = (except: number): void => {
      now += DT
      for (const [i, cell] of cells.entries()) if (i !== except) cell.step(now)
      post.deliver()
    }
    const order = ({ port }: Cell): number[] => port.queue.entries.map(({ seed }) => seed)
    for (let i = 0; i < 2000 && (i < 300 + 90 * run || order(cells[0]!).length < 3); i++) step(-1)
    const index = cells.findIndex(({ crafts }) => crafts.has(STATION))
    for (let i = 0; i < SAVE_STEPS; i++) step(-1)
    let before = order(cells[index]!)
    // no shuttle comes or goes between its last record and the end
    for (let calm = 0; calm < SAVE_STEPS; calm++) {
      step(-1)
      if (String(order(cells[index]!)) !== String(before)) [before, calm] = [order(cells[index]!), 0]
    }
    expect(before.length).toBeGreaterThan(2)
    const { time, tick } = cells[index]!.world
    cells[index]!.close()
    for (let i = 0; i < 20; i++) step(index)
    cells[index] = await openCell(
      plan,
      index,
      post,
      { bodies: run === 0 },
      { time: time + 20 * DT, tick: tick + 20 },
    )
    for (let i = 0; i < 10; i++) {
      step(-1)
      for (const cell of cells) expect(order(cell), `step ${i}`).toEqual(before)
    }
  })
})

describe('what comes from another process', () => {
  it('is refused where it is no border and no record, and the cell goes on', async () => {
    const link = new LocalLink((deliver) => deliver())
    const problems: string[] = []
    const plan = planOf(2, 10, 3, 200)
    const [tenure, other] = [await link.own(0), await link.own(1)]
    const cell = new Cell({ plan, tenure, report: (problem) => problems.push(problem) })
    await cell.open()
    const random = seeded(6)
    const shown = [{ key: 3, position: ORIGIN, velocity: ORIGIN, cell: 1 }]
    const border = writeBorder({
      tick: 1,
      time: 1,
      version: 0,
      isAnswer: true,
      isHost: false,
      shown,
      turn: null,
      share: null,
    })
    expect(readBorder(border).shown).toHaveLength(1)
    for (let i = 0; i < 200; i++) {
      const bytes = border.slice(0, Math.floor(border.length * (1 + random())))
      for (let k = 0; k < 4; k++) bytes[Math.floor(bytes.length * random())] = Math.floor(256 * random())
      other.show(0, bytes)
    }
    const key = [...cell.crafts.keys()][0]!
    const [text] = await tenure.load([key])
    expect(readRecord(text!).key).toBe(key)
    for (let i = 0; i < 200; i++) {
      const at = Math.floor(text!.length * random())
      const damaged =
        text!.slice(0, at) + String.fromCharCode(32 + Math.floor(90 * random())) + text!.slice(at + 1)
      // a craft that is here is not taken again, so it comes with another key
      other.give(0, 7, damaged.replaceAll(String(key), '7'))
    }
    other.give(0, 7, '')
    other.give(0, 7, 'null')
    expect(problems.length).toBeGreaterThan(100)
    for (let i = 0; i < 5; i++) cell.step(i * DT)
    for (const [, motion] of motionOf([cell])) expect(motion.every(Number.isFinite)).toBe(true)
    cell.close()
  })
})

const ORIGIN = { x: 0, y: 0, z: 0 }
