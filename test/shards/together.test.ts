import * as CANNON from 'cannon-es'
import { describe, expect, it } from 'vitest'
import {
  Arrive,
  Cruise,
  Flock,
  SteeringController,
  SteeringWorld,
  type Agent,
  type Behavior,
  type Step,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { Dock, Port } from 'three-steering/docking'
import { columnPattern, Formation, KeepSlot, wedgePattern } from 'three-steering/formation'
import {
  addGhost,
  exportAgent,
  exportGroup,
  importAgent,
  importGroup,
  joinClock,
  mergeQueue,
  shareQueue,
  type GhostOptions,
  type GroupParcel,
  type QueueShare,
} from 'three-steering/shards'
import { bitsOf, firstDifference } from '../laws/kit.js'
import { pick } from '../support/tier.js'

const DT = 1 / 60

/** A world with a wing of five ships that cruises, one of them in the lead. */
class Wing {
  readonly world = new SteeringWorld({ seed: 3, fixedStep: DT })
  readonly formation = new Formation({ pattern: wedgePattern, spacing: 4, frame: 'course' })
  readonly behavior: Behavior = new KeepSlot({
    formation: this.formation,
    leadBehavior: new Cruise({ speedShare: 0.5 }),
  })

  make(seed: number): SteeringController {
    const position = { x: -60 - 5 * seed, y: 3 * (seed % 3), z: 4 * (seed % 2) }
    return new SteeringController(null, {
      behavior: this.behavior,
      position,
      maxSpeed: 12,
      maxForce: 30,
      radius: 0.5,
      seed,
    })
  }
}

const json = <T>(data: T): T => JSON.parse(JSON.stringify(data)) as T

/** A wing that has flown for a while, and its ships. */
function flown(steps = 200): { wing: Wing; ships: SteeringController[] } {
  const wing = new Wing()
  const ships = Array.from({ length: 5 }, (_, seed) => wing.make(seed))
  for (const ship of ships) wing.world.add(ship)
  for (let i = 0; i < steps; i++) wing.world.step(DT)
  return { wing, ships }
}

/** A wing without ships in a world that has run as long. */
function empty({ world }: Wing): { wing: Wing; ships: SteeringController[] } {
  const wing = new Wing()
  joinClock(wing.world, world)
  // ids differ from those of the other world
  for (let i = 0; i < 3; i++) addGhost(wing.world, { seed: 99 + i, position: { x: 500 + i, y: 0, z: 0 } })
  return { wing, ships: Array.from({ length: 5 }, () => wing.make(9)) }
}

/** Steps and changes of the pattern, and where the ships are. */
function onwards({ wing, ships }: ReturnType<typeof flown>, steps = 300): number[][] {
  return Array.from({ length: steps }, (_, i) => {
    if (i === 60) wing.formation.pattern = columnPattern
    wing.world.step(DT)
    return bitsOf(ships)
  })
}

describe('a formation', () => {
  it.each([3, 40, 900])('crosses a border as one, and goes on bit-identically: after %i steps', (steps) => {
    const west = flown(steps)
    const whole = flown(steps)
    const east = empty(west.wing)
    expect(() => exportAgent(west.wing.world, west.ships[2]!)).toThrow(
      /with a KeepSlot, whose \w+ belongs to its world; hand it over by exportGroup/,
    )
    // in any order
    const order = [3, 0, 4, 1, 2]
    const group = json(
      exportGroup(
        west.wing.world,
        order.map((i) => west.ships[i]!),
      ),
    )
    importGroup(
      east.wing.world,
      group,
      order.map((i) => east.ships[i]!),
    )
    for (const ship of west.ships) west.wing.world.remove(ship)
    expect(firstDifference(onwards(east), onwards(whole))).toBe(null)
    // and back: the formation there is full of ships that have gone
    const home = Array.from({ length: 5 }, () => west.wing.make(9))
    importGroup(west.wing.world, json(exportGroup(east.wing.world, east.ships)), home)
    const back = { wing: west.wing, ships: home }
    expect(firstDifference(onwards(back, 90), onwards(whole, 90))).toBe(null)
  })

  it('of a flock goes to a flock', () => {
    const make = (count: number): { world: SteeringWorld; flock: Flock; lead: SteeringController } => {
      const wing = new Wing()
      const { behavior } = wing
      const traits = { maxSpeed: 12, maxForce: 30, radius: 0.5, behavior }
      const flock = new Flock({ ...traits, count, seed: 20 })
      wing.world.add(flock)
      return { world: wing.world, flock, lead: wing.make(1) }
    }
    const [here, whole, there] = [make(4), make(4), make(0)]
    for (const each of [here, whole]) each.world.add(each.lead)
    for (let i = 0; i < 50; i++) for (const { world } of [here, whole, there]) world.step(DT)
    importGroup(there.world, json(exportGroup(here.world, [here.flock, here.lead])), [
      there.flock,
      there.lead,
    ])
    here.flock.dispose()
    for (let i = 0; i < 100; i++) for (const { world } of [whole, there]) world.step(DT)
    const places = ({ flock, lead }: typeof here): unknown[] => [
      ...[0, 1, 2, 3].map((i) => flock.position(i, { x: 0, y: 0, z: 0 })),
      ...bitsOf([lead]),
    ]
    expect(places(there)).toEqual(places(whole))
  })

  it('is refused where a member is missing, where it has members, and of formations', () => {
    const west = flown()
    const { ships, wing } = west
    expect(() => exportGroup(wing.world, ships.slice(1))).toThrow(
      'exportGroup: got 4 agents of a formation with another member, must be all of them',
    )
    const group = json(exportGroup(wing.world, ships))
    const other = flown(10)
    expect(() =>
      importGroup(
        other.wing.world,
        group,
        [5, 6, 7, 8, 9].map((seed) => other.wing.make(seed)),
      ),
    ).toThrow('importGroup: its formation has agents here already')
    const east = empty(wing)
    expect(() => importGroup(east.wing.world, group, east.ships.slice(1))).toThrow(
      'importGroup: got 5 agents for 4 handles',
    )
    const five = Array.from({ length: 5 }, () => new Wing().make(9))
    expect(() => importGroup(east.wing.world, group, five)).toThrow(
      'importGroup: state that its agents share: got KeepSlot in the parcel, must be KeepSlot, KeepSlot',
    )
    const parent = new Formation({ spacing: 30 })
    const members = [0, 1].map((seed) => {
      const formation = new Formation({ spacing: 3, parent })
      return new SteeringController(null, {
        behavior: new KeepSlot({ formation }),
        maxSpeed: 9,
        maxForce: 9,
        seed,
      })
    })
    const world = new SteeringWorld()
    for (const member of members) world.add(member)
    for (let i = 0; i < 9; i++) world.step(DT)
    expect(() => exportGroup(world, members)).toThrow('got a formation of formations')
  })

  it('loses a ship that goes to another world alone; the others close up, and it flies in the wing there', () => {
    const west = flown()
    const other = flown()
    const [world, lone] = [west.wing.world, west.ships[4]!]
    const parcel = json(exportAgent(world, lone, { leavePlaces: true }))
    const guest = other.wing.make(77)
    importAgent(other.wing.world, { ...parcel, tick: other.wing.world.tick }, guest)
    expect(bitsOf([guest])).toEqual(bitsOf([lone]))
    expect(other.wing.formation.slotError).toBeLessThan(0.5)
    world.remove(lone)
    for (let i = 0; i < 900; i++) for (const { wing } of [west, other]) wing.world.step(DT)
    expect([west.wing.formation.size, other.wing.formation.size]).toEqual([4, 6])
    for (const { wing } of [west, other]) expect(wing.formation.slotError).toBeLessThan(0.5)
  })

  it('with state of its own kind that says nothing of groups stays in its world', () => {
    const world = new SteeringWorld()
    const own = { serialize(): void {} }
    const agent = new SteeringController(null, {
      behavior: { state: [own], steer() {} },
      maxSpeed: 1,
      maxForce: 1,
    })
    world.add(agent)
    expect(() => exportGroup(world, [agent])).toThrow('belongs to its world; it must stay there')
  })
})

const bytesOf = (text: string): Uint8Array => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
const textOf = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))

/** Replaces numbers of a parcel, a group or a share, with a matching checksum. */
function forge<T extends QueueShare | GroupParcel>(data: T, random: () => number): T {
  const pickOf = <E>(list: readonly E[]): E => list[Math.floor(random() * list.length)]!
  const numbers = bytesOf(data.numbers)
  const integers = bytesOf(data.integers)
  const view = random() < 0.7 ? new Float64Array(numbers.buffer) : new Int32Array(integers.buffer)
  const values =
    view instanceof Float64Array
      ? [0, -1, 0.5, 7, 1e4, 1e9, 1e15, 1e300, -1e300, 5e-324, NaN, Infinity, -Infinity]
      : [0, -1, 1, 2, 1000, 2 ** 31 - 1, -(2 ** 31)]
  for (let k = 0; k < 1 + 3 * random(); k++) view[Math.floor(random() * view.length)] = pickOf(values)
  let hash = 0x811c9dc5
  for (const bytes of [numbers, integers])
    for (const word of new Int32Array(bytes.buffer)) hash = Math.imul(hash ^ word, 0x01000193)
  for (const text of data.texts)
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return { ...data, numbers: textOf(numbers), integers: textOf(integers), checksum: hash >>> 0 }
}

/** Something else in the place of one of its fields. */
function damage<T extends object>(data: T, random: () => number): T {
  const junk: unknown[] = [NaN, -1, '', 'x'.repeat(2000), null, [], {}, [1, 2], true, undefined]
  const keys = Object.keys(data)
  const key = keys[Math.floor(random() * keys.length)]!
  return { ...data, [key]: junk[Math.floor(random() * junk.length)] }
}

const isRefusal = (error: unknown): boolean => error instanceof RangeError || error instanceof TypeError

it('a group that is forged is refused and nothing has changed, or flies, within a moment', () => {
  const random = seeded(12)
  const west = flown(20)
  const group = json(exportGroup(west.wing.world, west.ships))
  const calm = onwards(flown(20), 5)
  let refused = 0
  for (let i = 0; i < pick(60, 300, 3000); i++) {
    const forged = random() < 0.7 ? forge(group, random) : damage(group, random)
    const east = empty(west.wing)
    east.wing.world.addEventListener('fault', () => undefined)
    const began = performance.now()
    try {
      importGroup(east.wing.world, forged, east.ships)
      for (let k = 0; k < 3; k++) east.wing.world.step(DT)
      expect(bitsOf(east.ships).every(Number.isFinite), `case ${i}`).toBe(true)
    } catch (error) {
      refused++
      expect(error, `case ${i}`).toSatisfy(isRefusal)
      expect(String(error)).toMatch(/import(Agent|Group)/)
      expect(east.wing.world.size).toBe(3)
      expect(east.ships.some(({ active }) => active)).toBe(false)
      importGroup(east.wing.world, group, east.ships)
      expect(firstDifference(onwards(east, 5), calm), `case ${i}`).toBe(null)
    }
    expect(performance.now() - began, `case ${i}`).toBeLessThan(3000)
  }
  expect(refused).toBeGreaterThan(15)
})

/** A world with a station, and some ships that want to dock. */
function harbour(seeds: readonly number[]): {
  world: SteeringWorld
  port: Port
  ships: Map<number, SteeringController>
} {
  const world = new SteeringWorld({ seed: 3, fixedStep: DT })
  const station = { position: { x: 0, y: 0, z: 0 }, velocity: { x: 0.3, y: 0, z: 0 }, radius: 2 }
  const carrier = {
    ...station,
    quaternion: { x: 0, y: 0, z: 0, w: 1 },
    angularVelocity: { x: 0, y: 0, z: 0 },
  }
  const port = new Port({ carrier, position: { x: 2, y: 0, z: 0 }, outward: { x: 1, y: 0, z: 0 } })
  const behavior = new Dock({ port })
  const ships = new Map(
    seeds.map((seed) => {
      const position = { x: 25 + 3 * (seed % 5), y: 6 * (seed % 3), z: 5 * (seed % 2) }
      const options = { behavior, position, maxSpeed: 6, maxForce: 12, radius: 0.5, seed }
      return [seed, new SteeringController(null, options)]
    }),
  )
  for (const ship of ships.values()) world.add(ship)
  return { world, port, ships }
}

describe('the queue of a port in several worlds', () => {
  it('has the order that it has in one', () => {
    const seeds = [5, 4, 3, 2, 1, 6]
    const whole = harbour(seeds)
    const parts = [harbour([5, 2]), harbour([4, 1, 6]), harbour([3])]
    const wanted: number[][] = []
    const got: number[][] = []
    const orders = new Set<string>()
    for (let i = 0; i < 900; i++) {
      for (const { world } of [whole, ...parts]) world.step(DT)
      const shares = parts.map(({ port, world }, k) => json(shareQueue(world, port, k === 1)))
      for (const [k, { port, world }] of parts.entries())
        for (const [n, share] of shares.entries()) if (n !== k) mergeQueue(world, port, share)
      wanted.push(bitsOf(seeds.map((seed) => whole.ships.get(seed)!)))
      const all = new Map(parts.flatMap(({ ships }) => [...ships]))
      got.push(bitsOf(seeds.map((seed) => all.get(seed)!)))
      const holders = parts.map(({ port, ships }) => [...ships].find(([, { id }]) => id === port.holder)?.[0])
      orders.add(holders.map(String).join())
    }
    expect(firstDifference(got, wanted)).toBe(null)
    // never two ships at once
    for (const holders of orders)
      expect(holders.split(',').filter((seed) => seed !== 'undefined').length).toBeLessThan(2)
    expect(parts.map(({ port }) => port.waiting)).toEqual([5, 5, 5])
  })

  it.each<[string, (port: Port, agent: Agent, step: Step) => void]>([
    ['that gives up its place', (port, { id }, step) => (port.refreshFor(step), port.release(id))],
    ['that asks and gives up', (port, agent, step) => (port.ask(agent, step), port.release(agent.id))],
    ['that no longer asks', () => undefined],
  ])('loses a ship %s, also where the owner has none', (_, giveUp) => {
    const seeds = [1, 2, 3]
    const whole = harbour(seeds)
    const owner = harbour([])
    const far = harbour(seeds)
    for (let i = 0; i < 240; i++) {
      if (i === 90)
        for (const { port, ships } of [whole, far]) {
          ships.get(1)!.behavior = {
            steer: (agent, step) => (step.tick === 90 ? giveUp(port, agent, step) : undefined),
          }
        }
      for (const { world } of [whole, owner, far]) world.step(DT)
      const shares = [shareQueue(owner.world, owner.port, true), shareQueue(far.world, far.port)]
      mergeQueue(far.world, far.port, json(shares[0]!))
      mergeQueue(owner.world, owner.port, json(shares[1]!))
      expect([far.port.load, far.port.waiting], `step ${i}`).toEqual([whole.port.load, whole.port.waiting])
    }
    expect(whole.port.load).toBe(2)
    expect(firstDifference([bitsOf(far.ships.values())], [bitsOf(whole.ships.values())])).toBe(null)
  })

  it('follows the order of the owner where messages were lost, and each ship is in it once', () => {
    const random = seeded(5)
    const parts = [harbour([5, 2, 8]), harbour([4, 1, 6]), harbour([3, 7, 9])]
    let differ = 0
    for (let i = 0; i < 200; i++) {
      for (const { world } of parts) world.step(DT)
      const shares = parts.map(({ port, world }, k) => json(shareQueue(world, port, k === 1)))
      for (const [k, { port, world }] of parts.entries())
        for (const [n, share] of shares.entries())
          if (n !== k && (i > 150 || random() < 0.4)) mergeQueue(world, port, share)
      const holders = parts.flatMap(({ port, ships }) =>
        [...ships].filter(([, { id }]) => id === port.holder).map(([seed]) => seed),
      )
      if (holders.length > 1) differ++
    }
    expect(differ).toBeLessThan(20)
    const order = ({ port }: (typeof parts)[0]): number[] => port.queue.entries.map(({ seed }) => seed)
    expect(order(parts[0]!).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    for (const part of parts) expect(order(part)).toEqual(order(parts[1]!))
  })

  it('takes forged data, or refuses it, and no place of its own ships is lost', () => {
    const random = seeded(6)
    const far = harbour([4, 1, 6])
    let refused = 0
    const near = harbour([5, 2])
    for (let i = 0; i < pick(40, 400, 4000); i++) {
      for (const { world } of [near, far]) world.step(DT)
      const share = json(shareQueue(far.world, far.port, i % 2 === 0))
      const began = performance.now()
      try {
        mergeQueue(near.world, near.port, random() < 0.7 ? forge(share, random) : damage(share, random))
      } catch (error) {
        refused++
        expect(error, `case ${i}`).toSatisfy(isRefusal)
        expect(String(error)).toContain('mergeQueue')
      }
      expect(performance.now() - began).toBeLessThan(1000)
      expect(bitsOf(near.ships.values()).every(Number.isFinite)).toBe(true)
      const own = near.port.queue.entries.filter(({ id }) => id >= 0)
      if (i > 2) expect(own.map(({ seed }) => seed).toSorted((a, b) => a - b)).toEqual([2, 5])
    }
    expect(refused).toBeGreaterThan(15)
    expect(() => mergeQueue(near.world, {} as Port, json(shareQueue(far.world, far.port)))).toThrow(
      /^mergeQueue: port: got .*must be a Port/,
    )
  })
})

interface Side {
  readonly steering: SteeringWorld
  readonly physics: CANNON.World
}

function side(): Side {
  const steering = new SteeringWorld({ seed: 1 })
  const physics = new CANNON.World()
  attachToCannon(steering, physics)
  return { steering, physics }
}

const ball = (options: CANNON.BodyOptions): CANNON.Body =>
  new CANNON.Body({ mass: 1, linearDamping: 0, ...options, shape: new CANNON.Sphere(0.5) })

describe('a ghost with a kinematic body', () => {
  const motion = { position: { x: 2, y: 0, z: 0 }, velocity: { x: -3, y: 0, z: 0 } }
  const solidOf = (physics: CANNON.World): CANNON.Body => {
    const solid = ball({ mass: 0, type: CANNON.Body.KINEMATIC })
    physics.addBody(solid)
    return solid
  }

  it('pushes a ship of this side, as the ship behind it would', () => {
    const { physics, steering } = side()
    const ship = ball({})
    physics.addBody(ship)
    const ghost = addGhost(steering, { seed: 5, ...motion, solid: solidOf(physics) })
    for (let i = 0; i < 60; i++) {
      ghost.set(
        { x: 2 - (3 * i) / 60, y: 0, z: 0 },
        motion.velocity,
        { x: 0, y: 0, z: 0, w: 1 },
        { x: 0, y: 0, z: 0 },
      )
      physics.step(DT)
      expect(ship.position.x).toBeLessThan(2 - (3 * i) / 60)
    }
    expect(ship.velocity.x).toBeLessThan(-2.5)
    expect(ghost.controller.position.x).toBeCloseTo(2 - (3 * 59) / 60, 9)
  })

  it('two ships that meet at a border push each other back, each in its world', () => {
    const sides = [side(), side()]
    const ships = sides.map(({ physics, steering }, k) => {
      const body = ball({ position: new CANNON.Vec3(k === 0 ? -2 : 2, 0, 0) })
      physics.addBody(body)
      const behavior = new Arrive({ target: { x: k === 0 ? 3 : -3, y: 0, z: 0 } })
      steering.add(
        new SteeringController(null, { behavior, body: cannonBody(body), maxSpeed: 2, maxForce: 5, seed: k }),
      )
      return body
    })
    const ghosts = sides.map(({ physics, steering }, k) =>
      addGhost(steering, { seed: 1 - k, position: ships[1 - k]!.position, solid: solidOf(physics) }),
    )
    let nearest = Infinity
    for (let i = 0; i < 240; i++) {
      for (const [k, ghost] of ghosts.entries()) {
        const { angularVelocity, position, quaternion, velocity } = ships[1 - k]!
        ghost.set(position, velocity, quaternion, angularVelocity)
      }
      for (const { physics } of sides) physics.step(DT)
      nearest = Math.min(nearest, ships[1]!.position.x - ships[0]!.position.x)
    }
    // one exchange old: they may overlap by what they fly in a step, and by the softness of the contact
    expect(nearest).toBeGreaterThan(0.85)
    expect(nearest).toBeLessThan(1.1)
  })

  it.each<[string, (physics: CANNON.World) => Partial<GhostOptions>, RegExp]>([
    ['a dynamic body', () => ({ solid: ball({}) }), /^addGhost: solid: got .*must be kinematic/],
    ['something else', () => ({ solid: {} as never }), /^addGhost: solid: got .*must be a CANNON\.Body/],
    ['an attitude of zero', () => ({ quaternion: { x: 0, y: 0, z: 0, w: 0 } }), /^addGhost: quaternion: got/],
  ])('is refused: %s', (_, options, text) => {
    const { physics, steering } = side()
    expect(() => addGhost(steering, { seed: 1, ...options(physics) })).toThrow(text)
    expect(steering.size).toBe(0)
  })
})
