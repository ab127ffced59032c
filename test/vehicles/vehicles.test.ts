import { describe, expect, it } from 'vitest'
import {
  Arrive,
  MatchAttitude,
  Pursue,
  Seek,
  SteeringController,
  SteeringWorld,
  type Wheels,
  type Vec3Like,
} from 'three-steering'
import * as vehicles from 'three-steering/vehicles'
import type { VehicleOptions } from 'three-steering/vehicles'

const ALL = Object.entries(vehicles) as [string, () => VehicleOptions][]
const EARTH = { x: 0, y: -9.81, z: 0 }
const IN_AIR = new Set(['drone', 'bird'])

const worldOf = (name: string): SteeringWorld =>
  new SteeringWorld({ gravity: IN_AIR.has(name) ? EARTH : { x: 0, y: 0, z: 0 } })
const fast = ({ velocity: { x, y, z } }: SteeringController): number => Math.hypot(x, y, z)
const gap = (a: Vec3Like, b: Vec3Like): number => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)

/** Steps until `done`; returns the time (s), or Infinity after `limit`. */
function timeUntil(world: SteeringWorld, limit: number, done: () => boolean, dt = 1 / 60): number {
  const start = world.time
  while (world.time - start < limit) {
    world.step(dt)
    if (done()) return world.time - start
  }
  return Infinity
}

describe.each(ALL)('%s', (name, make) => {
  const limits = make()
  const top = limits.maxSpeed

  it('is a new object with a locomotion of its own each time', () => {
    expect(make()).toEqual(limits)
    expect(make().locomotion).not.toBe(limits.locomotion)
  })

  it('flies to a place off every axis and does not exceed its top speed', () => {
    const world = worldOf(name)
    // far enough to reach the top speed and to brake
    const far = name === 'freighter' ? 6000 : 12 * top
    // a car stays on its ground
    const goal = { x: 0.4 * far, y: name === 'car' ? 0 : 0.3 * far, z: -0.8 * far }
    // a bird cannot stand in the air, so it flies through its goal
    const isBird = name === 'bird'
    const behavior = isBird ? new Seek({ target: goal }) : new Arrive({ target: goal })
    const pilot = new SteeringController(null, { ...make(), behavior })
    world.add(pilot)
    let fastest = 0
    const near = isBird ? 2 * pilot.radius : 0.1 * pilot.radius
    const isThere = (): boolean => {
      fastest = Math.max(fastest, fast(pilot))
      return gap(pilot.position, goal) < near && (isBird || fast(pilot) < 0.01 * top)
    }
    const time = timeUntil(world, 400, isThere, name === 'freighter' ? 0.1 : 1 / 60)
    expect(time).toBeLessThan(name === 'freighter' ? 250 : 60)
    expect(fastest).toBeGreaterThan(0.95 * top)
    expect(fastest).toBeLessThan(1.01 * top)
  })

  it('turns about in the time that its description says', () => {
    // these turn in curves, see below
    if (name === 'bird' || name === 'car') return
    const world = worldOf(name)
    const behavior = new MatchAttitude({ target: { quaternion: { x: 0, y: 1, z: 0, w: 0 } } })
    const pilot = new SteeringController(null, { ...make(), behavior })
    world.add(pilot)
    const time = timeUntil(world, 120, () => pilot.attitude.x.z < -Math.cos(0.05))
    const said = { drone: 1.5, fighter: 3, freighter: 34 }[name]!
    expect(Math.abs(time / said - 1)).toBeLessThan(0.1)
  })
})

it('a drone brakes from its top speed within the distance of its description', () => {
  const world = worldOf('drone')
  const goal = { x: 0, y: 0, z: 0 }
  const pilot = new SteeringController(null, {
    ...vehicles.drone(),
    behavior: new Arrive({ target: goal }),
    position: { x: 0, y: 0, z: -100 },
    velocity: { x: 0, y: 0, z: 15 },
  })
  world.add(pilot)
  let nearest = Infinity
  timeUntil(world, 20, () => {
    if (fast(pilot) > 14.8) nearest = Math.min(nearest, gap(pilot.position, goal))
    return fast(pilot) < 0.05
  })
  expect(nearest).toBeLessThan(8)
  expect(gap(pilot.position, goal)).toBeLessThan(0.3)
})

it('a bird banks steeply in a curve, and holds its height and the radius of its description', () => {
  const world = worldOf('bird')
  const goal = { x: 300, y: 0, z: 0 }
  const pilot = new SteeringController(null, {
    ...vehicles.bird(),
    behavior: new Seek({ target: goal }),
    velocity: { x: 0, y: 0, z: 15 },
  })
  world.add(pilot)
  let bank = 0
  let widest = 0
  timeUntil(world, 6, () => {
    bank = Math.max(bank, Math.acos(pilot.attitude.y.y))
    widest = Math.max(widest, pilot.position.z)
    return false
  })
  expect((180 / Math.PI) * bank).toBeGreaterThan(45)
  expect((180 / Math.PI) * bank).toBeLessThan(70)
  // the radius, and the way until it is banked
  expect(widest).toBeGreaterThan(7)
  expect(widest).toBeLessThan(12)
  expect(Math.abs(pilot.position.y)).toBeLessThan(2)
})

it('a fighter catches a freighter that flies at its top speed', () => {
  const world = worldOf('fighter')
  const prey = new SteeringController(null, {
    ...vehicles.freighter(),
    behavior: new Seek({ target: { x: 1e5, y: 2e4, z: 0 } }),
  })
  const hunter = new SteeringController(null, {
    ...vehicles.fighter(),
    behavior: new Pursue({ target: prey }),
    position: { x: -2000, y: 300, z: 500 },
  })
  world.add(prey).add(hunter)
  expect(timeUntil(world, 40, () => gap(prey.position, hunter.position) < 100)).toBeLessThan(30)
})

describe('a car', () => {
  it('turns in the radius of its description, and no tighter', () => {
    const world = worldOf('car')
    // abeam, too near for any wider curve
    const goal = { x: 7.6, y: 0, z: 0 }
    const pilot = new SteeringController(null, { ...vehicles.car(), behavior: new Seek({ target: goal }) })
    world.add(pilot)
    const { turnRadius } = pilot.locomotion as Wheels
    expect(turnRadius).toBeCloseTo(3.65, 1)
    let tightest = Infinity
    timeUntil(world, 6, () => {
      const rate = Math.abs(pilot.angularVelocity.y)
      if (fast(pilot) > 0.5) tightest = Math.min(tightest, fast(pilot) / rate)
      return gap(pilot.position, goal) < 1
    })
    expect(gap(pilot.position, goal)).toBeLessThan(1)
    expect(tightest).toBeGreaterThan(0.97 * 3.65)
    expect(tightest).toBeLessThan(1.1 * 3.65)
  })

  it('reaches its top speed, and brakes from it, within the time and the distance of its description', () => {
    const world = worldOf('car')
    const goal = { x: 0, y: 0, z: 400 }
    const pilot = new SteeringController(null, { ...vehicles.car(), behavior: new Arrive({ target: goal }) })
    world.add(pilot)
    let reached = Infinity
    let nearest = Infinity
    timeUntil(world, 40, () => {
      if (fast(pilot) > 0.95 * 30) reached = Math.min(reached, world.time)
      if (fast(pilot) > 0.99 * 30) nearest = Math.min(nearest, gap(pilot.position, goal))
      return world.time > 10 && fast(pilot) < 0.05
    })
    expect(reached).toBeGreaterThan(6)
    expect(reached).toBeLessThan(8)
    // no shorter than the tyres hold
    expect(nearest).toBeGreaterThan((0.99 * 30) ** 2 / 2 / 8)
    expect(nearest).toBeLessThan(75)
    expect(gap(pilot.position, goal)).toBeLessThan(0.3)
  })
})
