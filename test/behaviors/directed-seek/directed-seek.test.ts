import { expectConsole } from '../../support/console.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  AvoidObstacles,
  DirectedSeek,
  Flight,
  Hover,
  SphereShape,
  SteeringController,
  SteeringWorld,
  Thrusters,
  within,
  type ControllerOptions,
  type DirectedSeekOptions,
  type Goal,
  type Locomotion,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import { pick } from '../../support/tier.js'
import { posesOf } from '../../rigs/dubins-cases.js'

const vec = (x = 0, y = 0, z = 0): Vec3 => ({ x, y, z })
const minus = (a: Vec3Like, b: Vec3Like): Vec3 => vec(a.x - b.x, a.y - b.y, a.z - b.z)
const size = ({ x, y, z }: Vec3Like): number => Math.hypot(x, y, z)
const degrees = (a: Vec3Like, b: Vec3Like): number =>
  (Math.acos(Math.min(1, (a.x * b.x + a.y * b.y + a.z * b.z) / (size(a) * size(b)))) * 180) / Math.PI

interface Flight1 {
  readonly pilot: SteeringController
  readonly seek: DirectedSeek
  readonly world: SteeringWorld
  /** On arrival: distance from the goal (m), angle from its heading (degrees), speed (m/s), time (s). */
  readonly end: { off: number; angle: number; speed: number; time: number } | null
  readonly stages: readonly string[]
  readonly fastestTurn: number
}

/** Flies until the agent arrives. `move` is called before each step. */
function fly(
  options: DirectedSeekOptions,
  agent: Partial<ControllerOptions> = {},
  { limit = 120, dt = 1 / 60, move }: { limit?: number; dt?: number; move?: (dt: number) => void } = {},
): Flight1 {
  const world = new SteeringWorld()
  const seek = new DirectedSeek(options)
  const pilot = new SteeringController(null, {
    behavior: seek,
    locomotion: new Hover({ attitude: null }),
    maxSpeed: 10,
    maxForce: 20,
    radius: 0.5,
    velocity: vec(10),
    ...agent,
  })
  world.add(pilot)
  const stages: string[] = []
  const told = { arrived: false }
  pilot.addEventListener('arrive', () => (told.arrived = true))
  pilot.addEventListener('stage', ({ stage }) => stages.push(stage))
  let fastestTurn = 0
  while (world.time < limit && !told.arrived) {
    move?.(dt)
    const { x, y, z } = pilot.velocity
    world.step(dt)
    if (size(vec(x, y, z)) > 1)
      fastestTurn = Math.max(fastestTurn, (degrees(vec(x, y, z), pilot.velocity) * Math.PI) / 180 / dt)
  }
  const { position, heading = UP } = options.target as { position: Vec3Like; heading?: Vec3Like }
  const end = told.arrived
    ? {
        off: size(minus(pilot.position, position)),
        angle: degrees(pilot.velocity, heading),
        speed: size(pilot.velocity),
        time: world.time,
      }
    : null
  return { pilot, seek, world, end, stages, fastestTurn }
}

const UP = vec(0, 1)

interface Spoilt {
  readonly position: Vec3
  heading?: Vec3
  quaternion?: { x: number; y: number; z: number; w: number }
}

describe('DirectedSeek', () => {
  const goals: [string, Vec3, Vec3][] = [
    ['ahead', vec(40), vec(1)],
    ['ahead, the other way', vec(40), vec(-1)],
    ['behind', vec(-40), vec(1)],
    ['behind, the other way', vec(-40), vec(-3)],
    ['here, the other way', vec(), vec(-1)],
    ['here, straight up', vec(), UP],
    ['abreast', vec(0, 0, 10), vec(1)],
    ['abreast, the other way', vec(0, 10), vec(-1)],
    ['straight above, upwards', vec(0, 30), UP],
    ['straight below, upwards', vec(0, -30), UP],
    ['off every plane', vec(12, -17, 9), vec(-0.3, 0.5, 0.9)],
    ['far', vec(300, -200, 100), vec(0, 0, 1)],
  ]

  it.each(goals)('passes a position %s in its direction', (_, position, heading) => {
    const { end, fastestTurn } = fly({ target: { position, heading } })
    expect(end).not.toBeNull()
    expect(end!.off).toBeLessThan(0.05 * 5 + 10 / 60)
    expect(end!.angle).toBeLessThan(1)
    expect(end!.speed).toBeCloseTo(10, 1)
    // v / r with r = m v² / F
    expect(fastestTurn).toBeLessThan(2 * 1.001)
  })

  it.each(['planned', 'stateless', 'jakob'] as const)(
    'arrives with method %s, in space and in a plane',
    (method) => {
      for (const flat of [false, true])
        for (let seed = 0; seed < pick(4, 12, 20); seed++) {
          const { from, to } = posesOf('mid', seed, flat)
          const at = (p: Vec3Like): Vec3 => vec(5 * p.x, 5 * p.y, 5 * p.z)
          const { x, y, z } = from.heading
          const { end } = fly(
            {
              target: { position: at(to.position), heading: to.heading },
              method,
              radius: 5,
              ...(flat && { plane: UP }),
            },
            { position: at(from.position), velocity: vec(10 * x, 10 * y, 10 * z) },
          )
          expect(end, `seed ${seed}`).not.toBeNull()
          expect(end!.angle).toBeLessThan(2.0001)
        }
    },
  )

  it('keeps to the given turn radius, as tight as the forces allow or wider', () => {
    for (const radius of [5, 9, 20]) {
      const { end, fastestTurn } = fly({
        target: { position: vec(10, 20, 5), heading: vec(-1, 0, 1) },
        radius,
      })
      expect(end!.angle).toBeLessThan(1)
      expect(fastestTurn).toBeLessThan((10 / radius) * 1.001)
    }
    // tighter than m v² / F: flown more slowly
    const { pilot, end } = fly({ target: { position: vec(10, 20, 5), heading: vec(-1, 0, 1) }, radius: 1 })
    expect(end).not.toBeNull()
    expect(size(pilot.velocity)).toBeLessThan(Math.sqrt(20) + 0.3)
  })

  it('arrives at the arrival speed, or comes to rest', () => {
    const target = { position: vec(60, 20, -30), heading: vec(0, -1) }
    for (const arrivalSpeed of [2, 5, 8]) {
      const { end } = fly({ target, arrivalSpeed })
      expect(Math.abs(end!.speed / arrivalSpeed - 1)).toBeLessThan(0.012)
      expect(end!.angle).toBeLessThan(2)
    }
    const { end, pilot, world } = fly({ target, arrivalSpeed: 0 })
    expect(end).not.toBeNull()
    for (let i = 0; i < 300; i++) world.step(1 / 60)
    expect(size(minus(pilot.position, target.position))).toBeLessThan(0.05)
    expect(size(pilot.velocity)).toBeLessThan(0.02)
  })

  it('starts from rest, without a direction', () => {
    const { end } = fly({ target: { position: vec(-20, 30), heading: UP } }, { velocity: vec() })
    expect(end!.angle).toBeLessThan(1)
  })

  it.each([0.3, 0.6])('meets a waypoint that moves with %f of the agent speed, in any direction', (share) => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), fc.boolean(), (seed, turns) => {
        const { from, to } = posesOf(seed % 2 === 0 ? 'mid' : 'far', seed, false)
        const position = vec(5 * to.position.x, 5 * to.position.y, 5 * to.position.z)
        const { x, y, z } = posesOf('mid', seed + 1, false).from.heading
        const velocity = vec(10 * share * x, 10 * share * y, 10 * share * z)
        const heading = vec(to.heading.x, to.heading.y, to.heading.z)
        const angularVelocity = turns ? vec(0, 0.05, 0.02) : vec()
        const goal = { position, heading, velocity, angularVelocity }
        const h = from.heading
        const { end } = fly(
          { target: goal },
          {
            position: vec(5 * from.position.x, 5 * from.position.y, 5 * from.position.z),
            velocity: vec(10 * h.x, 10 * h.y, 10 * h.z),
          },
          {
            move: (dt) => {
              Object.assign(
                position,
                minus(position, vec(-velocity.x * dt, -velocity.y * dt, -velocity.z * dt)),
              )
              const { x: wx, y: wy, z: wz } = angularVelocity
              const { x: a, y: b, z: c } = heading
              Object.assign(
                heading,
                vec(a + (wy * c - wz * b) * dt, b + (wz * a - wx * c) * dt, c + (wx * b - wy * a) * dt),
              )
            },
          },
        )
        expect(end).not.toBeNull()
        expect(end!.angle).toBeLessThan(2.5)
      }),
      { numRuns: 15, seed: 5 },
    )
  })

  it('emits once that a waypoint is too fast, and flies after it', () => {
    const position = vec(100)
    const target = { position, heading: vec(1), velocity: vec(15) }
    const { end, stages, pilot } = fly({ target }, {}, { limit: 20, move: (dt) => (position.x += 15 * dt) })
    expect(end).toBeNull()
    expect(stages).toEqual(['unreachable'])
    expect(pilot.velocity.x).toBeGreaterThan(9.9)
  })

  it('flies to the new position when the goal is moved, on the way and after arrival', () => {
    const position = vec(40, 10)
    const target = { position, heading: vec(0, 0, 1) }
    let jumped = false
    const { end, pilot, world } = fly(
      { target },
      {},
      {
        move: () => {
          if (jumped || size(minus(position, vec(40, 10))) > 0) return
          if (pilotSpeed() > 2) Object.assign(position, vec(-30, 0, 20))
          jumped = true
        },
      },
    )
    function pilotSpeed(): number {
      return 3
    }
    expect(end!.angle).toBeLessThan(1)
    const told = { again: false }
    pilot.addEventListener('arrive', () => (told.again = true))
    Object.assign(position, vec(0, 50))
    for (let i = 0; i < 1800 && !told.again; i++) world.step(1 / 60)
    expect(told.again).toBe(true)
  })

  it('flies straight on after it has arrived', () => {
    const { pilot, world } = fly({ target: { position: vec(20, 20), heading: vec(0, 3, 4) } })
    const before = { ...pilot.position }
    for (let i = 0; i < 120; i++) world.step(1 / 60)
    const way = minus(pilot.position, before)
    expect(size(way)).toBeCloseTo(20, 0)
    expect(degrees(way, vec(0, 3, 4))).toBeLessThan(0.5)
  })

  it.each([1 / 30, 1 / 60, 1 / 240])('flies the same path at steps of %f s', (dt) => {
    const { end } = fly({ target: { position: vec(15, 25, -20), heading: vec(-1, 1) } }, {}, { dt })
    const reference = fly(
      { target: { position: vec(15, 25, -20), heading: vec(-1, 1) } },
      {},
      { dt: 1 / 960 },
    )
    expect(Math.abs(end!.time - reference.end!.time)).toBeLessThan(2 * dt + 0.01)
    expect(end!.angle).toBeLessThan(1)
  })

  const vehicles: [string, () => Locomotion][] = [
    ['Flight', () => new Flight()],
    [
      'a ship with all thrusters',
      () => new Thrusters({ ahead: 24, astern: 24, up: 24, down: 24, port: 24, starboard: 24 }),
    ],
    [
      'a ship that must turn its main engine to fly a curve',
      () => new Thrusters({ ahead: 40, astern: 10, up: 2, down: 2, port: 2, starboard: 2 }),
    ],
  ]

  it.each(vehicles)('arrives as %s', (_, make) => {
    for (let seed = 0; seed < 6; seed++) {
      const { from, to } = posesOf('mid', seed, false)
      const at = (p: Vec3Like): Vec3 => vec(8 * p.x, 8 * p.y, 8 * p.z)
      const { x, y, z } = from.heading
      const { end } = fly(
        { target: { position: at(to.position), heading: to.heading } },
        {
          locomotion: make(),
          maxForce: 40,
          maxTorque: 20,
          maxTurnRate: 5,
          position: at(from.position),
          velocity: vec(10 * x, 10 * y, 10 * z),
        },
      )
      expect(end, `seed ${seed}`).not.toBeNull()
      expect(end!.angle).toBeLessThan(2.0001)
    }
  })

  it('flies astern if it may and that is shorter', () => {
    const target = { position: vec(-6, 0, 1), heading: vec(1) }
    const there = fly({ target, plane: UP, radius: 5 }, { velocity: vec(0.01) })
    const back = fly(
      { target, plane: UP, radius: 5, reverse: true, arrivalSpeed: 0 },
      { velocity: vec(0.01) },
    )
    expect(back.end).not.toBeNull()
    expect(back.seek.planOf(back.pilot)!.length).toBeLessThan(0.5 * there.seek.planOf(there.pilot)!.length)
  })

  it('arrives within constraints', () => {
    const rock = { shape: new SphereShape(6), at: vec(30, 1, 1) }
    const target = { position: vec(60), heading: vec(1) }
    const seek = new DirectedSeek({ target })
    const world = new SteeringWorld()
    const pilot = new SteeringController(null, {
      behavior: within([new AvoidObstacles({ obstacles: [rock] })], seek),
      locomotion: new Hover({ attitude: null }),
      maxSpeed: 10,
      maxForce: 20,
      radius: 0.5,
      velocity: vec(10),
    })
    world.add(pilot)
    const told = { arrived: false }
    let least = Infinity
    pilot.addEventListener('arrive', () => (told.arrived = true))
    for (let i = 0; i < 1200 && !told.arrived; i++) {
      world.step(1 / 60)
      least = Math.min(least, size(minus(pilot.position, rock.at)) - 6.5)
    }
    expect(told.arrived).toBe(true)
    expect(least).toBeGreaterThan(0)
  })

  it('makes no more plans in a step than fit into the planning time', () => {
    // a quick search for a near goal counts for 1 ms, and each agent needs two
    const seek = new DirectedSeek({
      target: { position: vec(4, 3, 2), heading: UP },
      planningTime: 0.0025,
      effort: 'quick',
    })
    const world = new SteeringWorld()
    const pilots = Array.from({ length: 7 }, (_, i) => {
      const locomotion = new Hover({ attitude: null })
      const options = { behavior: seek, locomotion, maxSpeed: 10, maxForce: 20 }
      return new SteeringController(null, { ...options, position: vec(0, 0, i), velocity: vec(0, 0, 10) })
    })
    for (const pilot of pilots) world.add(pilot)
    const planned = [0, 1, 2].map(() => {
      world.step(1 / 60)
      return pilots.filter((pilot) => (seek.planOf(pilot)?.length ?? 0) > 0).length
    })
    expect(planned).toEqual([1, 2, 3])
  })

  it('agents that wait for a plan fly on meanwhile', () => {
    const seek = new DirectedSeek({ target: { position: vec(40, 10), heading: UP }, planningTime: 0.001 })
    const world = new SteeringWorld()
    const pilots = Array.from({ length: 12 }, (_, i) => {
      const options = {
        behavior: seek,
        locomotion: new Hover({ attitude: null }),
        maxSpeed: 10,
        maxForce: 20,
      }
      return new SteeringController(null, {
        ...options,
        position: vec(-i, 3 * i, i),
        velocity: vec(0, 0, 10),
      })
    })
    let arrivals = 0
    for (const pilot of pilots) {
      world.add(pilot)
      pilot.addEventListener('arrive', () => arrivals++)
    }
    for (let i = 0; i < 1200; i++) world.step(1 / 60)
    expect(arrivals).toBe(12)
  })

  it('writes nothing where there is no goal', () => {
    const target = (_: unknown, out: Goal): void => void (out.position.x = NaN)
    const told = expectConsole()
    const { end, pilot } = fly({ target }, {}, { limit: 1 })
    expect(end).toBeNull()
    expect(told.map(({ text }) => text)).toEqual([expect.stringContaining('DirectedSeek: target: got (NaN')])
    expect(pilot.velocity).toMatchObject({ x: 10, y: 0, z: 0 })
  })

  it.each([
    ['a heading that is no number', (target: Spoilt) => (target.heading!.y = NaN), 'heading of the target'],
    ['a heading of zero', (target: Spoilt) => Object.assign(target.heading!, vec()), 'heading of the target'],
    [
      'an attitude that is no number',
      (target: Spoilt) => {
        delete target.heading
        target.quaternion = { x: NaN, y: 0, z: 0, w: 1 }
      },
      'heading of the target',
    ],
    [
      'a position that is no number',
      (target: Spoilt) => (target.position.z = NaN),
      'target: got (50, 10, NaN)',
    ],
  ])('tells of %s, on the way, with each method', (_, spoil, named) => {
    const told = expectConsole()
    for (const method of ['planned', 'stateless', 'jakob'] as const) {
      const target: Spoilt = { position: vec(50, 10), heading: vec(0, 1) }
      let time = 0
      const { end } = fly(
        { target: target as DirectedSeekOptions['target'], method },
        {},
        { limit: 2, move: (dt) => void ((time += dt) > 1 && time < 1.02 && spoil(target)) },
      )
      expect(end).toBeNull()
    }
    expect(told.map(({ text }) => text)).toEqual(Array(3).fill(expect.stringContaining(named)))
  })

  it.each(['jakob', 'stateless', 'planned'] as const)(
    'arrives below the cruising speed, or comes to rest, with method %s',
    (method) => {
      for (const arrivalSpeed of [0, 2, 5, 8])
        for (const flat of [false, true])
          for (let seed = 0; seed < pick(2, 4, 40); seed++) {
            const { from, to } = posesOf(seed % 2 === 0 ? 'mid' : 'near', seed, flat)
            const at = (p: Vec3Like): Vec3 => vec(5 * p.x, 5 * p.y, 5 * p.z)
            const { x, y, z } = from.heading
            const target = { position: at(to.position), heading: to.heading }
            const { end } = fly(
              { target, method, arrivalSpeed, ...(flat && { plane: UP }) },
              { position: at(from.position), velocity: vec(10 * x, 10 * y, 10 * z) },
              { limit: 60 },
            )
            expect(end, `${arrivalSpeed} m/s, ${flat ? 'in a plane, ' : ''}seed ${seed}`).not.toBeNull()
            if (arrivalSpeed > 0) expect(end!.angle).toBeLessThan(2.0001)
            else expect(end!.speed).toBeLessThan(0.02)
          }
    },
    300_000,
  )
})
