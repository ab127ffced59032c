import RAPIER from '@dimforge/rapier3d-compat'
import { BoxGeometry, Mesh, PlaneGeometry, Scene } from 'three'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  Hover,
  SteeringController,
  SteeringWorld,
  Walker,
  Wheels,
  within,
  type Locomotion,
} from 'three-steering'
import { obstaclesFromObject3D } from 'three-steering/three'
import { drive, VEHICLES, type Engine, type Ground, type Piece, type Vehicle } from '../support/ground.js'
import { pick } from '../support/tier.js'

// What carries an agent is no obstacle to it, and all else is: every agent that is bound to the ground, on a
// ground of every form that is one of its obstacles, arrives, and goes through no wall and over no kerb.

const UP = { x: 0, y: 1, z: 0 }

const level = (pieces: readonly Piece[]): Ground => ({ height: () => 0, pieces })
const slope = (tilt: number): Ground => ({
  height: (x) => x * Math.tan(tilt),
  pieces: [{ form: [80, 1, 60], at: { x: Math.sin(tilt), y: -Math.cos(tilt), z: 0 }, tilt }],
})
const hills = (x: number, z: number): number => 0.6 * Math.sin(x / 5) * Math.cos(z / 6)
const FLOOR: Piece = { form: [60, 1, 60], at: { x: 0, y: -1, z: 0 } }
const TILT = 0.21
const RISE = 2
const [FOOT, RUN] = [8, RISE / Math.tan(TILT)]
const GROUNDS: Record<string, Ground> = {
  'a plane': level([{ form: 'plane' }]),
  'a box': level([FLOOR]),
  tiles: level(
    Array.from({ length: 36 }, (_, i) => ({
      form: [5, 1, 5] as const,
      at: { x: 10 * (i % 6) - 20, y: -1, z: 10 * Math.floor(i / 6) - 20 },
    })),
  ),
  'a mesh': { height: () => 0, pieces: [{ form: 'mesh', height: () => 0 }] },
  hills: { height: hills, pieces: [{ form: 'mesh', height: hills }] },
  'a height field': { height: () => 0, pieces: [{ form: 'field', height: () => 0 }] },
  'hills of a height field': { height: hills, pieces: [{ form: 'field', height: hills }] },
  'a slope of 6°': slope(0.105),
  'a slope of 20°': slope(0.349),
  'a ramp to a platform': {
    height: (x) => Math.min(RISE, Math.max(0, (x - FOOT) * Math.tan(TILT))),
    pieces: [
      FLOOR,
      {
        form: [RISE / Math.sin(TILT) / 2, 0.5, 40],
        at: { x: FOOT + RUN / 2 + 0.5 * Math.sin(TILT), y: RISE / 2 - 0.5 * Math.cos(TILT), z: 0 },
        tilt: TILT,
      },
      { form: [20, RISE / 2, 40], at: { x: FOOT + RUN + 20, y: RISE / 2, z: 0 } },
    ],
  },
}

const GOAL = { x: 28, z: 8 }
const WALL = { x: 16, z: 4 }

/**
 * What an engine cannot carry: cannon-es has no contact of boxes and meshes, Rapier catches boxes at seams:
 * long ones on meshes and height fields, any on hills of a height field, also where the ground is no
 * obstacle.
 */
function isCarried(engine: Engine, { ball, box: half, capsule }: Vehicle, name: string): boolean {
  const isMesh = name === 'a mesh' || name === 'hills'
  if (engine === 'cannon') return capsule === undefined && (!isMesh || ball !== undefined)
  if (half !== undefined && name === 'hills of a height field') return false
  return half?.[2] !== 2 || !(isMesh || name === 'a height field' || name === 'a ramp to a platform')
}

beforeAll(() => RAPIER.init())

describe.each<Engine>(['cannon', 'Rapier'])('on the ground of %s', (engine) => {
  const cases = Object.entries(VEHICLES).flatMap(([name, vehicle]) =>
    Object.keys(GROUNDS)
      .filter((ground) => isCarried(engine, vehicle, ground))
      .map((ground) => [name, ground] as const),
  )
  // the quick run drives every vehicle, and on every ground
  const quick = cases.filter((_, i) => i % 5 === (engine === 'cannon' ? 0 : 1))

  it.each(pick(quick, cases))('a %s arrives on %s, also round a wall or a high kerb', (name, on) => {
    const vehicle = VEHICLES[name]!
    const ground = GROUNDS[on]!
    const free = drive(engine, vehicle, ground, GOAL)
    expect(free.time, `free: ${JSON.stringify(free.end)}`).toBeLessThan(16)
    if (on === 'a ramp to a platform') return
    const y = ground.height(WALL.x, WALL.z)
    for (const high of [6, 0.65]) {
      const wall: Piece = { form: [0.5, high, 6], at: { ...WALL, y } }
      const { end, gap, time } = drive(engine, vehicle, ground, GOAL, [wall])
      expect(time, `${high} m: ${JSON.stringify(end)}`).toBeLessThan(22)
      expect(gap, `${high} m`).toBeGreaterThan(vehicle.box?.[0] ?? 0.29)
    }
  })
})

describe.each<Engine>(['cannon', 'Rapier'])('under the ceilings of %s', (engine) => {
  const names = Object.keys(VEHICLES).filter(
    (name) => engine === 'Rapier' || VEHICLES[name]!.capsule === undefined,
  )
  const quick = names.filter((_, i) => i % 3 === (engine === 'cannon' ? 0 : 1))

  it.each(pick(quick, names))('a %s goes on, and not under one that is too low', (name) => {
    const vehicle = VEHICLES[name]!
    const { ball = 0, box: half, capsule = [0, 0] } = vehicle
    const tall = 2 * (half?.[1] ?? ball + capsule[0] + capsule[1])
    const high = 1.1 * tall
    const across = (halfX: number, y: number, tilt = 0): Piece => ({
      form: [halfX, 0.2, 58],
      at: { x: 14, y: y + 0.2 + halfX * Math.abs(Math.sin(tilt)), z: 0 },
      tilt,
    })
    const free = drive(engine, vehicle, level([FLOOR]), GOAL).time
    for (const [i, ceiling] of [
      across(0.2, high),
      across(5, high),
      across(5, high, 0.15),
      across(5, high, -0.15),
      { form: 'mesh', height: () => high } satisfies Piece,
    ].entries()) {
      const { end, time } = drive(engine, vehicle, level([FLOOR, ceiling]), GOAL)
      expect(time, `ceiling ${i}: ${JSON.stringify(end)}`).toBeLessThan(1.05 * free)
    }
    for (const low of [0.9, 0.6]) {
      const beam = across(0.2, low * tall)
      const { gap, time } = drive(engine, vehicle, level([FLOOR]), { x: 28, z: 0 }, [beam], 1 / 60, 6)
      expect(time, `${low}`).toBe(Infinity)
      expect(gap, `${low}`).toBeGreaterThan(0.29)
    }
  })

  const climbers = names.filter(
    (name) => name !== 'hovercraft' && isCarried(engine, VEHICLES[name]!, 'a ramp to a platform'),
  )

  it.each(pick(['walker'], climbers))('a %s drives up a ramp below them', (name) => {
    const vehicle = VEHICLES[name]!
    const ramp = GROUNDS['a ramp to a platform']!
    const { ball = 0, box: half, capsule = [0, 0] } = vehicle
    const tall = 2 * (half?.[1] ?? ball + capsule[0] + capsule[1])
    const y = 1.5 * tall + 0.4 + 5 * Math.tan(TILT)
    const ceiling: Piece = { form: [3, 0.2, 58], at: { x: FOOT + 5, y, z: 0 }, tilt: TILT }
    const { end, time } = drive(engine, vehicle, { ...ramp, pieces: [...ramp.pieces, ceiling] }, GOAL)
    expect(time, `up: ${JSON.stringify(end)}`).toBeLessThan(16)
  })
})

describe('a character', () => {
  const person = VEHICLES['character']!
  const stairs = (rise: number, tread: number): Ground => ({
    height: (x) => rise * Math.min(10, Math.max(0, Math.floor((x - 5) / tread))),
    pieces: [
      FLOOR,
      ...Array.from({ length: 10 }, (_, i): Piece => {
        const half = (30 - (i + 1) * tread) / 2
        const form = [half, ((i + 1) * rise) / 2, 8] as const
        return { form, at: { x: 35 - half, y: form[1], z: 0 } }
      }),
    ],
  })

  it.each(pick([1 / 60], [1 / 30, 1 / 144, 1 / 240], [1 / 30, 1 / 60, 1 / 144, 1 / 240]))(
    'climbs stairs, at steps of %f s',
    (dt) => {
      expect(drive('Rapier', person, stairs(0.2, 0.4), { x: 14, z: 0 }, [], dt).time).toBeLessThan(8)
    },
  )

  it('walks round a step that is too high, a wall with a roof, and a board at the height of its waist', () => {
    const roof: Piece = { form: [1.5, 0.1, 5], at: { x: 6, y: 3.1, z: 1 } }
    for (const wall of [
      { form: [0.3, 0.25, 4], at: { x: 6, y: 0.25, z: 1 } },
      { form: [0.3, 1.5, 4], at: { x: 6, y: 1.5, z: 1 } },
      { form: [2, 0.1, 4], at: { x: 7, y: 0.9, z: 1 } },
    ] satisfies Piece[]) {
      const { gap, time } = drive('Rapier', person, level([FLOOR, roof]), { x: 14, z: 0 }, [wall])
      expect(time).toBeLessThan(9)
      expect(gap).toBeGreaterThan(0.3)
    }
  })
})

/** Least distance (m) of the centre from the wall or step at (10, 1), of 1 by 8 m, within 8 s. */
function gapAtWall(world: SteeringWorld, agent: SteeringController): number {
  let gap = Infinity
  for (let i = 0; i < 480; i++) {
    world.step(1 / 60)
    const { x, z } = agent.position
    gap = Math.min(gap, Math.hypot(Math.max(0, Math.abs(x - 10) - 0.5), Math.max(0, Math.abs(z - 1) - 4)))
  }
  return gap
}

describe('an agent without a body, in its plane', () => {
  it.each<[string, () => Locomotion]>([
    ['Hover', () => new Hover()],
    ['Wheels', () => new Wheels({ wheelbase: 1.4 })],
    ['Walker', () => new Walker()],
  ])('%s drives on the floor of a scene, and not through its crates', (_, locomotion) => {
    // on the floor, above it, and as rounding puts it, below it
    for (const y of [0, 0.5, -1e-3]) {
      const scene = new Scene()
      const sheet = new Mesh(new PlaneGeometry(200, 200))
      sheet.rotation.x = -Math.PI / 2
      const slab = new Mesh(new BoxGeometry(200, 2, 200))
      slab.position.y = -1
      const crate = new Mesh(new BoxGeometry(1, 3, 8))
      crate.position.set(10, 1.5, 1)
      scene.add(sheet, slab, crate)
      const world = new SteeringWorld()
      const agent = new SteeringController(null, {
        position: { x: 0, y, z: 0 },
        plane: UP,
        radius: 1,
        mass: 10,
        maxSpeed: 6,
        maxForce: 60,
        locomotion: locomotion(),
        behavior: within(
          [new AvoidObstacles({ obstacles: obstaclesFromObject3D(scene) })],
          new Arrive({ target: { x: 22, y: 0.5, z: 1 } }),
        ),
      })
      world.add(agent)
      const gap = gapAtWall(world, agent)
      expect(gap).toBeGreaterThan(1)
      expect(Math.hypot(agent.position.x - 22, agent.position.z - 1)).toBeLessThan(0.5)
    }
  })

  it('goes round a step that a body would climb, because its plane does not rise', () => {
    const world = new SteeringWorld()
    const scene = new Scene()
    const floor = new Mesh(new BoxGeometry(200, 2, 200))
    floor.position.y = -1
    const step = new Mesh(new BoxGeometry(1, 0.08, 8))
    step.position.set(10, 0, 1)
    scene.add(floor, step)
    const agent = new SteeringController(null, {
      position: { x: 0, y: 0.2, z: 0 },
      plane: UP,
      radius: 1,
      mass: 10,
      maxSpeed: 6,
      maxForce: 60,
      behavior: within(
        [new AvoidObstacles({ obstacles: obstaclesFromObject3D(scene) })],
        new Arrive({ target: { x: 22, y: 0.2, z: 1 } }),
      ),
    })
    world.add(agent)
    const gap = gapAtWall(world, agent)
    expect(gap).toBeGreaterThan(0.95)
    expect(Math.hypot(agent.position.x - 22, agent.position.z - 1)).toBeLessThan(0.5)
  })
})
