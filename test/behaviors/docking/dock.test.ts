import { describe, expect, it } from 'vitest'
import {
  AvoidObstacles,
  Obstacle,
  Seek,
  SphereShape,
  SteeringController,
  SteeringWorld,
  Thrusters,
  within,
  type Behavior,
  type ControllerOptions,
  type Vec3Like,
} from 'three-steering'
import { Dock, Port, Undock, type DockOptions, type PortOptions } from 'three-steering/docking'
import { apart, inner, norm, plus, product, turned, unitQuat } from '../../laws/kit.js'
import { DOCKER, station } from '../../support/pilot.js'

const DT = 1 / 60
const X = { x: 1, y: 0, z: 0 }
const Y = { x: 0, y: 1, z: 0 }
const Z = { x: 0, y: 0, z: 1 }

type Station = ReturnType<typeof station>

function portOn(carrier: Station, options: Partial<PortOptions> = {}): Port {
  return new Port({ carrier, position: { x: 5, y: 0, z: 0 }, outward: X, ...options })
}

function ship(behavior: Behavior, options: Partial<ControllerOptions> = {}): SteeringController {
  return new SteeringController(null, { ...DOCKER, behavior, ...options })
}

/** Steps the world until a condition holds. */
function until(
  world: SteeringWorld,
  done: () => boolean,
  longest = 120,
  carrier: Station | null = null,
): void {
  for (let i = 0; i < longest / DT && !done(); i++) {
    world.step(DT)
    if (carrier !== null) turnOn(carrier)
  }
  expect(done()).toBe(true)
}

/** Turns a station by its angular velocity for one step. */
function turnOn(carrier: Station): void {
  const { x, y, z } = carrier.angularVelocity
  const turn = unitQuat((x * DT) / 2, (y * DT) / 2, (z * DT) / 2, 1)
  carrier.quaternion = product(turn, carrier.quaternion)
}

function listen(pilot: SteeringController): string[] {
  const stages: string[] = []
  pilot.addEventListener('stage', ({ stage, reason }) => stages.push(reason ? `${stage}: ${reason}` : stage))
  return stages
}

/** A ship that is docked, and the stages that it has emitted. */
function docked(
  options: Partial<DockOptions> = {},
  carrier = station(),
  far: Vec3Like = { x: 60, y: 30, z: -20 },
) {
  const world = new SteeringWorld()
  const port = portOn(carrier)
  const dock = new Dock({ port, ...options })
  const pilot = ship(dock, { position: far })
  const stages = listen(pilot)
  world.add(pilot)
  until(world, () => stages.at(-1) === 'latched', 120, carrier)
  return { world, port, dock, pilot, stages, carrier }
}

describe('Dock', () => {
  it('touches with its nose, and its top points as the up of the port', () => {
    const { pilot } = docked()
    const tip = plus(pilot.position, turned(pilot.quaternion, Z), 2)
    expect(apart(tip, { x: 5, y: 0, z: 0 })).toBeLessThan(0.03)
    expect(inner(turned(pilot.quaternion, Z), X)).toBeCloseTo(-1, 5)
    expect(inner(turned(pilot.quaternion, Y), Y)).toBeCloseTo(1, 5)
    // the ship has held its pose for one step since
    expect(pilot.velocity.x).toBeLessThan(-0.15)
    expect(pilot.velocity.x).toBeGreaterThan(-0.26)
  })

  it('touches with its belly, and its nose points as the up of the port', () => {
    const { pilot } = docked({ probe: { x: 0.5, y: -1, z: 0 }, axis: { x: 0, y: -1, z: 0 } })
    // the ship's up points out of the port, and its nose along the port's up by default
    expect(inner(turned(pilot.quaternion, Y), X)).toBeCloseTo(1, 5)
    expect(inner(turned(pilot.quaternion, Z), Y)).toBeCloseTo(1, 5)
    const probe = plus(
      plus(pilot.position, turned(pilot.quaternion, Z), 0.5),
      turned(pilot.quaternion, Y),
      -1,
    )
    expect(apart(probe, { x: 5, y: 0, z: 0 })).toBeLessThan(0.03)
  })

  it('a latched ship holds its pose on a turning carrier', () => {
    const { carrier, pilot, world } = docked({}, { ...station(), angularVelocity: { x: 0, y: 0.02, z: 0 } })
    for (let i = 0; i < 600; i++) {
      world.step(DT)
      turnOn(carrier)
    }
    const outward = turned(carrier.quaternion, X)
    const tip = plus(pilot.position, turned(pilot.quaternion, Z), 2)
    expect(apart(tip, plus({ x: 0, y: 0, z: 0 }, outward, 5))).toBeLessThan(0.02)
    expect(inner(turned(pilot.quaternion, Z), outward)).toBeCloseTo(-1, 4)
  })

  it('without hold a latched ship exerts no force and no torque', () => {
    const { pilot, world } = docked({ hold: false })
    world.step(DT)
    expect(norm(pilot.demand.force)).toBe(0)
    expect(norm(pilot.demand.torque)).toBe(0)
    // a locomotion that points the nose along the course does not turn it either
    pilot.locomotion = new Thrusters({ ahead: 30, astern: 30, up: 30, down: 30, port: 30, starboard: 30 })
    pilot.teleport({ velocity: { x: 0, y: 0, z: 3 } })
    world.step(DT)
    expect(norm(pilot.torque)).toBe(0)
  })

  it('a ship that is torn off docks again', () => {
    const { pilot, stages, world } = docked()
    pilot.teleport({ position: { x: 12, y: 1, z: 0 } })
    stages.length = 0
    until(world, () => stages.at(-1) === 'latched')
    expect(stages[0]).toMatch(/^align: torn off/)
  })

  it('latches after all conditions have held for the dwell time without a break', () => {
    const contactTime = (dwell: number): number => docked({ dwell }).world.time
    const atOnce = contactTime(0)
    expect(contactTime(0.05) - atOnce).toBeCloseTo(0.05, 1.5)
    expect(contactTime(0.1) - atOnce).toBeCloseTo(0.1, 1.5)
  })

  it('never touches a port at which it cannot dock, and waits off it', () => {
    const world = new SteeringWorld()
    const pilot = ship(new Dock({ port: portOn(station()) }), {
      position: { x: 60, y: 0, z: 0 },
      maxTorque: 0,
    })
    const stages = listen(pilot)
    world.add(pilot)
    for (let i = 0; i < 60 / DT; i++) world.step(DT)
    expect(stages).toEqual(['approach', 'queue: it cannot be docked'])
    expect(norm(pilot.velocity)).toBeLessThan(0.01)
    expect(pilot.position.x).toBeGreaterThan(30)
    pilot.maxTorque = 20
    until(world, () => stages.at(-1) === 'latched')
  })

  it('gives up after the timeout, emits the reason, and tries again', () => {
    const world = new SteeringWorld()
    const dock = new Dock({ port: portOn(station()), timeout: 20, dwell: 1e9 })
    const pilot = ship(dock, { position: { x: 60, y: 0, z: 0 } })
    const stages = listen(pilot)
    world.add(pilot)
    for (let i = 0; i < 50 / DT; i++) world.step(DT)
    expect(stages.filter((each) => each === 'abort: not docked within 20 s')).toHaveLength(2)
    dock.dwell = 0.03
    until(world, () => stages.at(-1) === 'latched')
  })

  it('flies around the carrier to a port on its far side without touching it', () => {
    const world = new SteeringWorld()
    const port = portOn(station(), { clearance: 6 })
    const pilot = ship(new Dock({ port }), { position: { x: -80, y: 3, z: 0 } })
    const stages = listen(pilot)
    world.add(pilot)
    let nearest = Infinity
    until(world, () => {
      const { x, y, z } = pilot.position
      // the clearance is entered only through the corridor
      if (x < 5 || Math.hypot(y, z) > 2) nearest = Math.min(nearest, Math.hypot(x, y, z))
      return stages.at(-1) === 'latched'
    })
    expect(nearest).toBeGreaterThan(6 + 2 - 0.4)
  })

  it.each([14, 26, 40])(
    'a ship with weak engines across, at rest on the axis at %i m, begins its run-in at once',
    (x) => {
      for (const flip of [1, -1]) {
        const world = new SteeringWorld()
        const pilot = ship(new Dock({ port: portOn(station()) }), {
          locomotion: new Thrusters({ ahead: 30, astern: 30, up: 6, down: 6, port: 6, starboard: 6 }),
          position: { x, y: 0.5, z: 0 },
          // with its nose towards the port, or its tail
          quaternion: { x: 0, y: -flip * Math.SQRT1_2, z: 0, w: Math.SQRT1_2 },
        })
        const stages = listen(pilot)
        world.add(pilot)
        until(world, () => stages.includes('align'), 0.2)
        until(world, () => stages.at(-1) === 'latched', 4 + x / 6)
        expect(stages).toEqual(['approach', 'align', 'final', 'latched'])
      }
    },
  )

  it('as a wish within constraints it avoids a rock on its path', () => {
    const world = new SteeringWorld()
    const rock = { x: 40, y: 0.5, z: 0 }
    const obstacles = [new Obstacle({ shape: new SphereShape(6), at: rock })]
    const dock = new Dock({ port: portOn(station()) })
    const pilot = ship(within([new AvoidObstacles({ obstacles })], dock), { position: { x: 90, y: 0, z: 0 } })
    const stages = listen(pilot)
    world.add(pilot)
    let nearest = Infinity
    until(world, () => {
      nearest = Math.min(nearest, apart(pilot.position, rock))
      return stages.at(-1) === 'latched'
    })
    expect(nearest).toBeGreaterThan(6 + 2)
  })

  it.each([
    [{ probe: { x: 0, y: 0, z: 0 } }, /Dock\.axis/],
    [{ top: X }, /Dock\.top/],
  ])('refuses %o', (options, message) => {
    expect(() => new Dock({ port: portOn(station()), ...options })).toThrow(message)
  })
})

describe('a busy port', () => {
  it('is shared: one ship after the other docks, and the others hold station apart from each other', () => {
    const world = new SteeringWorld()
    const port = portOn(station())
    const dock = new Dock({ port })
    const leave = new Undock({ port })
    const order: SteeringController[] = []
    const fleet = [0, 1, 2].map((i) => {
      const pilot = ship(dock, { position: { x: 80 + 10 * i, y: 20 - 20 * i, z: 5 } })
      world.add(pilot)
      pilot.addEventListener('stage', ({ stage }) => {
        if (stage === 'latched') order.push(pilot)
        // it unloads at once, and leaves
        if (stage === 'latched') pilot.behavior = leave
        if (stage === 'free') pilot.behavior = new Seek({ target: { x: 40, y: -90, z: 0 } })
      })
      return pilot
    })
    let nearest = Infinity
    let waited = 0
    until(
      world,
      () => {
        waited = Math.max(waited, port.waiting)
        for (const a of fleet)
          for (const b of fleet)
            if (a !== b && order.length < 3) nearest = Math.min(nearest, apart(a.position, b.position))
        return order.length === 3
      },
      240,
    )
    expect(waited).toBe(2)
    expect(new Set(order).size).toBe(3)
    expect(nearest).toBeGreaterThan(4)
  })

  it('does not wait for a ship that was removed', () => {
    const world = new SteeringWorld()
    const port = portOn(station())
    const dock = new Dock({ port })
    const first = ship(dock, { position: { x: 40, y: 0, z: 0 } })
    world.add(first)
    world.step(DT)
    const second = ship(dock, { position: { x: 60, y: 9, z: 0 } })
    const stages = listen(second)
    world.add(second)
    for (let i = 0; i < 60; i++) world.step(DT)
    expect(port.holder).toBe(first.id)
    expect(stages).toEqual(['queue: the port is busy'])
    world.remove(first)
    until(world, () => stages.at(-1) === 'latched')
  })

  it('does not wait for a ship that fails: after its timeout the next ship has its turn', () => {
    const world = new SteeringWorld()
    const port = portOn(station())
    const dock = new Dock({ port })
    const first = ship(new Dock({ port, timeout: 10, dwell: 1e9 }), { position: { x: 40, y: 0, z: 0 } })
    world.add(first)
    world.step(DT)
    const second = ship(dock, { position: { x: 70, y: 9, z: 0 } })
    const stageLists = [first, second].map(listen)
    world.add(second)
    until(world, () => stageLists[1]!.at(-1) === 'latched', 60)
    expect(port.holder).toBe(second.id)
    expect(stageLists[0]!.slice(-2)).toEqual(['abort: not docked within 10 s', 'queue: the port is busy'])
  })

  it('the order in which ships are added does not matter, the seed does', () => {
    // the positions do not matter either: agents side by side may be stored side by side in memory
    const cases = [10, -10].flatMap((gap) => [false, true].map((reversed) => ({ gap, reversed })))
    const holders = cases.map(({ gap, reversed }) => {
      const world = new SteeringWorld()
      const dock = new Dock({ port: portOn(station()) })
      const fleet = [3, 1, 2].map((seed) => ship(dock, { position: { x: 60, y: gap * seed, z: 0 }, seed }))
      for (const pilot of reversed ? fleet.toReversed() : fleet) world.add(pilot)
      for (let i = 0; i < 10; i++) world.step(DT)
      return fleet.findIndex(({ id }) => id === dock.ports[0]!.holder)
    })
    expect(holders).toEqual([1, 1, 1, 1])
  })

  it('of several ports a ship takes a free one', () => {
    const world = new SteeringWorld()
    const carrier = station()
    const ports = [
      portOn(carrier),
      portOn(carrier, { position: { x: -5, y: 0, z: 0 }, outward: { x: -1, y: 0, z: 0 } }),
    ]
    const dock = new Dock({ ports })
    const fleet = [1, 2].map((i) => ship(dock, { position: { x: 60, y: 20 * i, z: 0 } }))
    const stageLists = fleet.map(listen)
    for (const pilot of fleet) world.add(pilot)
    until(world, () => stageLists.every((stages) => stages.at(-1) === 'latched'))
    expect(fleet.map(({ position }) => Math.sign(position.x)).toSorted((a, b) => a - b)).toEqual([-1, 1])
  })
})

it('a ship that interrupts its docking for a moment keeps its port, even if another port is free', () => {
  const world = new SteeringWorld()
  const carrier = station()
  const ports = [portOn(carrier), portOn(carrier, { position: { x: 0, y: 0, z: 5 }, outward: Z })]
  const dock = new Dock({ ports })
  const pilot = ship(dock, { position: { x: 60, y: 0, z: 0 } })
  world.add(pilot)
  for (let i = 0; i < 60; i++) world.step(DT)
  expect(ports[0]!.holder).toBe(pilot.id)
  pilot.behavior = new Seek({ target: { x: 0, y: 0, z: 0 } })
  for (let i = 0; i < 10; i++) world.step(DT)
  pilot.behavior = dock
  for (let i = 0; i < 60; i++) world.step(DT)
  expect(ports.map(({ holder }) => holder)).toEqual([pilot.id, -1])
})

describe('Undock', () => {
  it('backs out straight, without a turn, frees the port at the mouth, and then exerts no force', () => {
    const { pilot, port, world, stages } = docked()
    const attitude = { ...pilot.quaternion }
    stages.length = 0
    pilot.behavior = new Undock({ port })
    until(world, () => {
      expect(Math.hypot(pilot.position.y, pilot.position.z)).toBeLessThan(0.05)
      return stages.at(-1) === 'free'
    })
    expect(stages).toEqual(['undock', 'free'])
    expect(pilot.position.x).toBeCloseTo(5 + 2 + 10, 0)
    expect(pilot.velocity.x).toBeCloseTo(2, 1)
    expect(Math.abs(inner(turned(attitude, Z), turned(pilot.quaternion, Z)))).toBeCloseTo(1, 5)
    world.step(DT)
    world.step(DT)
    expect(port.holder).toBe(-1)
    expect(norm(pilot.demand.force)).toBe(0)
  })

  it('asks nothing of a ship that has left, and flies past the carrier far aside', () => {
    const { pilot, port, world, stages } = docked()
    pilot.behavior = new Undock({ port })
    until(world, () => stages.at(-1) === 'free')
    pilot.teleport({ position: { x: 0, y: 140, z: 0 } })
    for (let i = 0; i < 60; i++) world.step(DT)
    expect(stages.at(-1)).toBe('free')
    expect(norm(pilot.demand.force)).toBe(0)
  })

  it('the same ship docks again with the same behaviour', () => {
    const { dock, pilot, port, world, stages } = docked()
    pilot.behavior = new Undock({ port })
    until(world, () => stages.at(-1) === 'free')
    pilot.behavior = dock
    until(world, () => stages.at(-1) === 'latched')
    expect(stages.filter((each) => each === 'latched')).toHaveLength(2)
  })
})

describe('Port', () => {
  it('refuses an up that is along outward', () => {
    expect(() => portOn(station(), { up: { x: -2, y: 0, z: 0 } })).toThrow(/Port\.up/)
  })
})
