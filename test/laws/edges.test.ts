import RAPIER from '@dimforge/rapier3d-compat'
import { beforeAll, describe, expect, it } from 'vitest'
import { Seek, Stick, Wander, type Agent, type Step, type Wrench } from 'three-steering'
import { v } from '../support/geometry.js'
import { drive, VEHICLES, type Engine, type Ground, type Piece, type Vehicle } from '../support/ground.js'
import { pick } from '../support/tier.js'

// An agent that is bound to the ground sees where the ground ends, whatever its form, and stops there as
// before a wall. It goes down what is no deeper than its centre is high.

const cliff = (x: number): number => (x > 12 ? -5 : 0)
const on = (pieces: readonly Piece[]): Ground => ({ height: () => 0, pieces })
const TABLE: Piece = { form: [15, 1, 30], at: { x: 0, y: -1, z: 0 } }
const GROUNDS: Record<string, readonly [ground: Ground, edge: number]> = {
  'a table': [on([TABLE]), 15],
  'a ledge above another floor': [on([TABLE, { form: [60, 1, 60], at: { x: 0, y: -4, z: 0 } }]), 15],
  tiles: [
    on(
      Array.from({ length: 36 }, (_, i) => ({
        form: [5, 1, 5],
        at: { x: 10 * (i % 6) - 40, y: -1, z: 10 * Math.floor(i / 6) - 20 },
      })),
    ),
    15,
  ],
  // its triangles fall by 59°
  'a cliff of a mesh': [on([{ form: 'mesh', height: cliff }]), 12],
  'a cliff of a height field': [on([{ form: 'field', height: cliff }]), 12],
}

const isCarried = (engine: Engine, { ball, box, capsule }: Vehicle, ground: string): boolean =>
  engine === 'Rapier'
    ? // it catches long boxes at seams
      box?.[2] !== 2 || ground.startsWith('a table') || ground.startsWith('a ledge')
    : capsule === undefined && (ground !== 'a cliff of a mesh' || ball !== undefined)

/** The input of a player whose camera looks along +x: for 8 s ahead, then in another direction. */
class TurningStick extends Stick {
  readonly angle: number

  constructor(angle: number) {
    super({ frame: { quaternion: { x: 0, y: Math.SQRT1_2, z: 0, w: Math.SQRT1_2 }, forward: v(0, 0, 1) } })
    this.angle = angle
  }

  override steer(agent: Agent, step: Step, out: Wrench): void {
    const angle = step.time > 8 ? this.angle : 0
    this.ahead = Math.cos(angle)
    this.right = Math.sin(angle)
    super.steer(agent, step, out)
  }
}

beforeAll(() => RAPIER.init())

describe.each<Engine>(['cannon', 'Rapier'])('on the ground of %s', (engine) => {
  const cases = Object.entries(VEHICLES).flatMap(([name, vehicle]) =>
    Object.keys(GROUNDS)
      .filter((ground) => isCarried(engine, vehicle, ground))
      .map((ground) => [name, ground] as const),
  )
  const quick = cases.filter((_, i) => i % 6 === (engine === 'cannon' ? 0 : 1))

  it.each(pick(quick, cases))('a %s stops before the edge of %s', (name, form) => {
    const [ground, edge] = GROUNDS[form]!
    for (const rate of pick([60], [30, 144], [30, 60, 144, 240])) {
      const { end } = drive(engine, VEHICLES[name]!, ground, { x: 30, z: 4 }, [], 1 / rate, 8)
      expect(end.y).toBeGreaterThan(0.2)
      expect(edge - end.x).toBeGreaterThan(0.1)
      expect(edge - end.x).toBeLessThan(1.6)
    }
  })

  it.each(pick(['car'], ['car', 'cart']))('a %s does not fall into a gorge', (name) => {
    const far: Piece = { form: [15, 1, 30], at: { x: 36, y: -1, z: 0 } }
    const bridge: Piece = { form: [4, 0.25, 2], at: { x: 18, y: -0.25, z: 18 } }
    const gorge = on([TABLE, far, bridge])
    for (const rate of pick([60], [30, 60, 144], [30, 60, 144, 240]))
      for (const z of pick([0], [-10, 0, 25], [-10, 0, 5, 12, 25])) {
        const { end } = drive(engine, VEHICLES[name]!, gorge, { x: 28, z }, [], 1 / rate, 30)
        expect(end.y, `z ${z}, ${rate} Hz`).toBeGreaterThan(0.2)
      }
  })

  const carried = Object.keys(VEHICLES).filter((name) => isCarried(engine, VEHICLES[name]!, 'a table'))

  it.each(pick(engine === 'cannon' ? ['car'] : ['walker'], carried))(
    'a %s is told that it gets no nearer',
    (name) => {
      for (const z of [0, 4]) {
        const { end, time } = drive(engine, VEHICLES[name]!, on([TABLE]), { x: 30, z }, [], 1 / 60, 25)
        expect(time, `z ${z}`).toBeLessThan(25)
        expect(end.x).toBeLessThan(15)
      }
    },
  )

  it.each(pick(['cart'], ['car', 'cart']))('a %s of a player leaves an edge again', (name) => {
    for (const angle of [Math.PI / 2, Math.PI]) {
      const wish = () => new TurningStick(angle)
      const table = on([{ form: [15, 1, 60], at: { x: 0, y: -1, z: 0 } }])
      const { end } = drive(engine, { ...VEHICLES[name]!, wish }, table, { x: 90, z: 0 }, [], 1 / 60, 15)
      expect(end.y).toBeGreaterThan(0.2)
      if (angle === Math.PI) expect(end.x).toBeLessThan(5)
      else expect(end.z).toBeGreaterThan(20)
    }
  })

  it.each(pick(['cart', 'round walker'], Object.keys(VEHICLES)))(
    'a %s that wanders does not fall',
    (name) => {
      const vehicle = VEHICLES[name]!
      if (!isCarried(engine, vehicle, 'a table')) return
      const ground = on([{ form: [8, 1, 6], at: { x: 0, y: -1, z: 0 } }])
      const wanderer = { ...vehicle, wish: () => new Wander() }
      const { end } = drive(engine, wanderer, ground, { x: 0, z: 0 }, [], 1 / 60, pick(15, 60))
      expect(end.y).toBeGreaterThan(0.2)
    },
  )
})

it.each(['cart', 'car', 'walker'])('a %s drives along a slit that its centre is over', (name) => {
  const sides = [-1, 1].map((side) => ({ form: [4, 1, 30] as const, at: { x: 4.2 * side, y: -1, z: 0 } }))
  for (const x of [0, 2])
    expect(drive('cannon', VEHICLES[name]!, on(sides), { x, z: 20 }).time).toBeLessThan(12)
})

describe('a character', () => {
  const person = VEHICLES['character']!
  const below = { x: 30, z: 0 }

  it('goes down steps, and a drop that is no deeper than its centre is high', () => {
    for (const drop of [0.2, 0.8]) {
      const ground = on([TABLE, { form: [60, 1, 60], at: { x: 0, y: -1 - drop, z: 0 } }])
      const { end } = drive(
        'Rapier',
        { ...person, wish: () => new Seek({ target: { x: 90, y: 0, z: 0 } }) },
        ground,
        below,
        [],
        1 / 60,
        8,
      )
      expect(end.x).toBeGreaterThan(18)
    }
  })

  it('stops before a drop deeper than maxDrop, and jumps down by maxDrop: Infinity', () => {
    const wish = () => new Seek({ target: { x: 90, y: 0, z: 0 } })
    const ground = on([TABLE, { form: [60, 1, 60], at: { x: 0, y: -1.5, z: 0 } }])
    const careful = drive('Rapier', { ...person, wish, maxDrop: 0.4 }, ground, below, [], 1 / 60, 8)
    expect(careful.end.x).toBeLessThan(15)
    const deep = on([TABLE, { form: [60, 1, 60], at: { x: 0, y: -6, z: 0 } }])
    const bold = drive('Rapier', { ...person, wish, maxDrop: Infinity }, deep, below, [], 1 / 60, 8)
    expect(bold.end.y).toBeLessThan(-3)
  })

  it('walks over a bridge that is narrower than its ball', () => {
    const bridge: Piece = { form: [5, 0.2, 0.4], at: { x: 19, y: -0.2, z: 0 } }
    const far: Piece = { form: [10, 1, 30], at: { x: 34, y: -1, z: 0 } }
    expect(drive('Rapier', person, on([TABLE, bridge, far]), below).time).toBeLessThan(14)
  })
})
