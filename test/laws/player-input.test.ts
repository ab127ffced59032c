import { describe, expect, it } from 'vitest'
import {
  AvoidAgents,
  AvoidObstacles,
  AvoidWalls,
  BoxShape,
  CapsuleShape,
  Contain,
  HalfSpaceShape,
  HollowShape,
  Obstacles,
  ReciprocalAvoidance,
  SphereShape,
  SteeringController,
  SteeringWorld,
  Stick,
  Thrusters,
  Walker,
  Wheels,
  blend,
  contextMap,
  modes,
  priority,
  within,
  type Behavior,
  type ControllerOptions,
  type Shape,
  type Vec3,
} from 'three-steering'
import { ClassicAvoidance } from 'three-steering/classic'
import { seeded, type Constraint } from 'three-steering/authoring'
import { dotOf, minus, norm, plus, times, unit, v } from '../support/geometry.js'
import { idle } from '../support/pilot.js'
import { pick } from '../support/tier.js'

/**
 * Constraints slow the input of a player, stop it, and let its part along a surface pass. So the velocity p
 * is a projection of the wanted one w: p · (w − p) ≥ 0. An evasion is not: it has a part across w.
 */

const MODES: Record<string, (obstacles: Obstacles) => Constraint> = {
  AvoidObstacles: (obstacles) => new AvoidObstacles({ obstacles }),
  ClassicAvoidance: (obstacles) => new ClassicAvoidance({ obstacles }),
  AvoidWalls: (obstacles) => new AvoidWalls({ obstacles }),
  Contain: (bounds) => new Contain({ bounds }),
}

const AMONG: Record<string, () => Constraint> = {
  ReciprocalAvoidance: () => new ReciprocalAvoidance(),
  AvoidAgents: () => new AvoidAgents({ neighborDistance: 40 }),
}

const ground = { plane: v(0, 1, 0), forward: v(0, 0, 1), up: v(0, 1, 0) }

const VEHICLES: Record<string, () => Omit<ControllerOptions, 'behavior'>> = {
  ship: () => ({ maxSpeed: 12, maxForce: 60, mass: 3, radius: 0.8, maxTorque: 30 }),
  'weak ship': () => ({ maxSpeed: 12, maxForce: 8, mass: 2, radius: 1.5, maxTorque: 30 }),
  'ship with weak side engines': () => ({
    maxSpeed: 12,
    maxForce: 60,
    mass: 3,
    radius: 0.8,
    maxTorque: 30,
    locomotion: new Thrusters({ ahead: 60, astern: 30, port: 12 }),
  }),
  'person on foot': () => ({
    maxSpeed: 3,
    maxForce: 350,
    mass: 70,
    radius: 0.4,
    locomotion: new Walker(),
    ...ground,
  }),
  car: () => ({
    maxSpeed: 15,
    maxForce: 8000,
    mass: 1000,
    radius: 1,
    maxTorque: 20000,
    inertia: v(1500, 1500, 400),
    locomotion: new Wheels({ wheelbase: 2 }),
    ...ground,
  }),
}

/** A camera that looks along +z: `ahead` is z, and `right` is −x. */
const frame = { quaternion: { x: 0, y: 0, z: 0, w: 1 }, forward: v(0, 0, 1) }

function stickTo({ x, y, z }: Vec3, options = {}): Stick {
  return new Stick({ frame, ahead: z, right: -x, up: y, ...options })
}

/** A few solids around the start, none nearer than `room` (m), in a room. */
function solids(random: () => number, room: number, isFlat: boolean): Obstacles {
  const spread = (size: number): number => size * (2 * random() - 1)
  const around = v(30, isFlat ? 30 : 12, 30)
  const obstacles = new Obstacles([{ shape: new HollowShape(new BoxShape(around)) }])
  const shapes: (() => Shape)[] = [
    () => new SphereShape(1 + 4 * random()),
    () => new BoxShape(v(1 + 3 * random(), 8, 1 + 3 * random())),
    () => new CapsuleShape(1 + random(), 6),
  ]
  for (let i = 0; i < 6; i++) {
    const at = v(spread(16), isFlat ? 0 : spread(10), spread(16))
    const shape = shapes[i % 3]!()
    const turn = { x: 0, y: Math.sin(i), z: 0, w: Math.cos(i) }
    const [obstacle] = [...new Obstacles([{ shape, at, turn }])]
    if (obstacle!.distance(v(0, 0, 0), v(0, 0, 0)) > room) obstacles.add({ shape, at, turn })
  }
  return obstacles
}

interface Flown {
  /** Least distance (m) of the hull, and least p · (w − p) as a share of w². */
  gap: number
  law: number
}

function fly(name: string, mode: string, seed: number, rate: number): Flown {
  const random = seeded(seed)
  const options = VEHICLES[name]!()
  const { maxSpeed, radius } = options
  const isFlat = 'plane' in options
  const obstacles = solids(random, 2 * radius!, isFlat)
  const wish = unit(v(random() - 0.5, isFlat ? 0 : 0.4 * (random() - 0.5), random() - 0.5))
  const stick = stickTo(wish)
  const one = new SteeringController(null, { ...options, behavior: within([MODES[mode]!(obstacles)], stick) })
  const world = new SteeringWorld()
  world.add(one)
  const wanted = times(wish, maxSpeed)
  const flown = { gap: Infinity, law: 0 }
  const normal = v(0, 0, 0)
  for (let i = 0; i < 8 * rate; i++) {
    world.step(1 / rate)
    for (const each of obstacles)
      flown.gap = Math.min(flown.gap, each.distance(one.position, normal) - radius!)
    const { velocity } = one
    flown.law = Math.min(flown.law, dotOf(velocity, minus(wanted, velocity)) / maxSpeed ** 2)
  }
  return flown
}

/** Time (s) in which a vehicle is at a wall 20 m away, and at rest. */
const timeOf = ({ maxSpeed }: { maxSpeed: number }): number => (maxSpeed < 5 ? 40 : 20)

describe('the input of a player is never redirected', () => {
  const cases = Object.keys(VEHICLES).flatMap((name) =>
    Object.keys(MODES).map((mode) => [name, mode] as const),
  )

  it.each(cases)('of a %s, by %s, in any room', (name, mode) => {
    for (let seed = 1; seed <= pick(2, 20, 100); seed++) {
      const { gap, law } = fly(name, mode, seed, [30, 60, 144][seed % 3]!)
      expect(gap, `seed ${seed}`).toBeGreaterThan(0)
      // a car moves along its nose only, also without constraints
      if (name !== 'car') expect(law, `seed ${seed}`).toBeGreaterThan(-0.05)
    }
  })

  it.each(cases)('of a %s, by %s: it rests before a wall, and slides along it', (name, mode) => {
    for (const angle of [0, 0.5, 1]) {
      const options = VEHICLES[name]!()
      const wall = new Obstacles([{ shape: new HalfSpaceShape(v(0, 0, -1)), at: v(0, 0, 20) }])
      const wish = v(Math.sin(angle), 0, Math.cos(angle))
      const behavior = within([MODES[mode]!(wall)], stickTo(wish))
      const world = new SteeringWorld()
      const one = new SteeringController(null, { ...options, behavior })
      world.add(one)
      for (let i = 0; i < 60 * timeOf(options); i++) world.step(1 / 60)
      const { maxSpeed, radius } = options
      const gap = 20 - one.position.z - radius!
      expect(gap).toBeGreaterThan(0)
      expect(gap).toBeLessThan(0.1 * radius!)
      expect(norm(minus(one.velocity, v(maxSpeed * wish.x, 0, 0)))).toBeLessThan(0.35 * maxSpeed)
      if (angle === 0) expect(norm(one.velocity)).toBeLessThan(0.01)
    }
  })
})

describe('a player whose own nose gives the directions', () => {
  const cases = Object.keys(VEHICLES).flatMap((name) =>
    Object.keys(MODES).map((mode) => [name, mode] as const),
  )

  it.each(cases)('of a %s, by %s: the assistance does not turn it', (name, mode) => {
    for (const [i, angle] of [0, 0.03, 0.5, 1].entries())
      for (const ahead of [-1, 1]) {
        const options = { ...VEHICLES[name]!(), forward: v(0, 0, 1), up: v(0, 1, 0) }
        const wall = new Obstacles([{ shape: new HalfSpaceShape(v(0, 0, -ahead)), at: v(0, 0, 8 * ahead) }])
        const quaternion = { x: 0, y: Math.sin(angle / 2), z: 0, w: Math.cos(angle / 2) }
        const stick = new Stick({ ahead, killDrift: i % 2 === (ahead > 0 ? 0 : 1) })
        const behavior = within([MODES[mode]!(wall)], stick)
        const one = new SteeringController(null, { ...options, quaternion, behavior })
        const world = new SteeringWorld()
        world.add(one)
        const nose = { ...one.attitude.x }
        const rate = [240, 144, 60, 30][i]!
        let gap = Infinity
        for (let k = 0; k < 0.55 * timeOf(options) * rate; k++) {
          world.step(1 / rate)
          gap = Math.min(gap, 8 - ahead * one.position.z - options.radius!)
        }
        expect(gap, `${angle} rad, ${ahead}`).toBeGreaterThan(0)
        expect(norm(minus(one.attitude.x, nose)), `${angle} rad, ${ahead}`).toBeLessThan(1e-6)
        const slides = name !== 'car' && angle > 0.1
        if (slides) expect(ahead * one.velocity.x, `${angle} rad, ${ahead}`).toBeGreaterThan(0.2)
        else expect(norm(one.velocity), `${angle} rad, ${ahead}`).toBeLessThan(0.01)
        expect(8 - ahead * one.position.z, `${angle} rad, ${ahead}`).toBeLessThan(1.1 * options.radius!)
      }
  })

  it('a car is led along a wall at a glancing angle only, ahead and astern', () => {
    for (const ahead of [-1, 1]) {
      const at = v(0, 0, 5 * ahead)
      const wall = new Obstacles([{ shape: new HalfSpaceShape(v(0, 0, -ahead)), at }])
      const quaternion = { x: 0, y: Math.sin(0.7), z: 0, w: Math.cos(0.7) }
      const behavior = within([new AvoidObstacles({ obstacles: wall })], new Stick({ ahead }))
      const one = new SteeringController(null, { ...VEHICLES['car']!(), quaternion, behavior })
      const world = new SteeringWorld()
      world.add(one)
      for (let i = 0; i < 20 * 60; i++) world.step(1 / 60)
      expect(ahead * one.velocity.x).toBeGreaterThan(4.4)
      expect(Math.abs(one.velocity.z)).toBeLessThan(0.05)
      expect(5 - ahead * one.position.z).toBeGreaterThan(1)
    }
  })
})

/** Schemes with the input in them, which all give what `within` gives: there is one direction to choose. */
const SCHEMES: Record<string, (constraint: Constraint, stick: Stick) => Behavior> = {
  contextMap: (constraint, stick) => contextMap({ interest: [stick], danger: [constraint] }),
  'within, of a contextMap': (constraint, stick) => within([constraint], contextMap({ interest: [stick] })),
  'within, of a blend': (constraint, stick) => within([constraint], blend([stick])),
  'within, of a priority': (constraint, stick) => within([constraint], priority([stick])),
  'within, of modes': (constraint, stick) => within([constraint], modes({ drive: stick })),
}

/** The places by `within`, for each vehicle and constraint. */
const usually: Record<string, Vec3[]> = {}

describe.each(Object.keys(SCHEMES))('%s', (scheme) => {
  it.each(Object.keys(VEHICLES))(
    'steers a %s as within does, to a wall, past solids, to an agent',
    (name) => {
      const options = { ...VEHICLES[name]!(), forward: v(0, 0, 1), up: v(0, 1, 0) }
      const { radius } = options
      const wall = new Obstacles([{ shape: new HalfSpaceShape(v(0, 0, -1)), at: v(0, 0, 12 * radius!) }])
      const around = solids(seeded(3), 2 * radius!, 'plane' in options)
      const constraints = [
        ...Object.values(MODES).map((make) => () => make(wall)),
        () => new AvoidObstacles({ obstacles: around }),
        ...Object.values(AMONG),
      ]
      for (const [i, make] of constraints.entries()) {
        const flight = (by: (constraint: Constraint, stick: Stick) => Behavior): Vec3[] => {
          const stick = i % 2 === 0 ? stickTo(v(0.3, 0, 0.9)) : new Stick({ ahead: 1 })
          const world = new SteeringWorld()
          const one = new SteeringController(null, { ...options, behavior: by(make(), stick) })
          world.add(one)
          const position = v(0.4 * radius!, 0, 12 * radius!)
          if (i >= constraints.length - Object.keys(AMONG).length)
            world.add(new SteeringController(null, { ...VEHICLES[name]!(), position, behavior: new Stick() }))
          const places: Vec3[] = []
          for (let k = 0; k < 600; k++) {
            world.step(1 / 60)
            // let go, and on
            if (k === 300) stick.ahead = 0
            if (k === 400) stick.ahead = -1
            if (k % 50 === 0) places.push({ ...one.position })
          }
          return places
        }
        const usual = (usually[`${name} ${i}`] ??= flight((constraint, stick) => within([constraint], stick)))
        // within rounding
        for (const [k, place] of flight(SCHEMES[scheme]!).entries())
          expect(norm(minus(place, usual[k]!)), `constraint ${i}, place ${k}`).toBeLessThan(1e-6)
      }
    },
  )
})

describe('a car that stands nose-on gets away as a camera says', () => {
  const agentAt = (world: SteeringWorld, at: Vec3): Constraint => {
    const options = { ...VEHICLES['car']!(), position: at, behavior: new Stick() }
    world.add(new SteeringController(null, options))
    return new ReciprocalAvoidance()
  }
  const solidAt = (shape: Shape, at: Vec3): Constraint =>
    new AvoidObstacles({ obstacles: new Obstacles([{ shape, at }]) })
  const before: Record<string, (world: SteeringWorld) => Constraint> = {
    'an agent': (world) => agentAt(world, v(0, 0, 20)),
    'an agent off its middle': (world) => agentAt(world, v(0.4, 0, 20)),
    'a box': () => solidAt(new BoxShape(v(3, 1, 3)), v(0.4, 0, 22)),
    'a wall': () => solidAt(new HalfSpaceShape(v(0, 0, -1)), v(0, 0, 19)),
  }

  it.each(Object.keys(before))('from %s', (name) => {
    for (const [i, bearing] of [60, 90, -90, 120, 170, 180].entries()) {
      const stick = stickTo(v(0, 0, 1))
      const world = new SteeringWorld()
      const constraint = before[name]!(world)
      const scheme = i % 2 === 0 ? within([constraint], stick) : SCHEMES['contextMap']!(constraint, stick)
      const one = new SteeringController(null, { ...VEHICLES['car']!(), behavior: scheme })
      world.add(one)
      const rate = [60, 144, 30][i % 3]!
      for (let k = 0; k < 8 * rate; k++) world.step(1 / rate)
      expect(norm(one.velocity)).toBeLessThan(name.includes('off') ? 20 : 0.1)
      const angle = (bearing * Math.PI) / 180
      stick.ahead = Math.cos(angle)
      stick.right = Math.sin(angle)
      for (let k = 0; k < 8 * rate; k++) world.step(1 / rate)
      const way = v(-Math.sin(angle), 0, Math.cos(angle))
      // beside a wall what points along it is left
      const most = name === 'a wall' && bearing === 60 ? 15 * Math.sin(angle) ** 2 : 15
      expect(dotOf(one.velocity, way), `${bearing}°`).toBeGreaterThan(0.8 * most)
    }
  })
})

describe('a player among other agents', () => {
  const near = Object.keys(VEHICLES).flatMap((name) =>
    Object.keys(AMONG).flatMap((mode) =>
      [true, false].map((isOwn) => [name, mode, isOwn ? 'its own' : 'a camera'] as const),
    ),
  )

  it.each(near)('a %s stops by %s before one nearly ahead, the frame is %s', (name, mode, own) => {
    for (const [i, off] of [0, 1e-9, 0.005, 0.05].entries()) {
      const options = { ...VEHICLES[name]!(), forward: v(0, 0, 1), up: v(0, 1, 0) }
      const radius = options.radius!
      const position = v(2 * radius * off, 0, 30 * radius)
      const stick = own === 'its own' ? new Stick({ ahead: 1 }) : stickTo(v(0, 0, 1))
      const behavior = within([AMONG[mode]!()], stick)
      const player = new SteeringController(null, { ...options, behavior })
      const world = new SteeringWorld()
      world.add(player)
      const still = { ...options, ...VEHICLES[name]!(), position, behavior: new Stick() }
      world.add(new SteeringController(null, still))
      const rate = [240, 144, 60, 30][i]!
      let least = Infinity
      for (let k = 0; k < 40 * rate; k++) {
        world.step(1 / rate)
        least = Math.min(least, norm(minus(player.position, position)) / radius)
      }
      expect(least, `off ${off}`).toBeGreaterThan(2)
      expect(norm(minus(player.position, position)) / radius, `off ${off}`).toBeLessThan(2.5)
      expect(Math.abs(player.position.x), `off ${off}`).toBeLessThan(1e-3)
      expect(norm(player.velocity), `off ${off}`).toBeLessThan(0.02)
    }
  })

  const other = (options: Partial<ControllerOptions> = {}): SteeringController =>
    new SteeringController(null, {
      behavior: idle(),
      maxSpeed: 12,
      maxForce: 60,
      mass: 3,
      radius: 1,
      ...options,
    })

  /** The least gap (m) between the player and the other, and the player, after 12 s. */
  function meet(stick: Stick, one: SteeringController): { gap: number; player: SteeringController } {
    const world = new SteeringWorld()
    const behavior = within([new ReciprocalAvoidance()], stick)
    const player = other({ behavior })
    world.add(player).add(one)
    let gap = Infinity
    for (let i = 0; i < 12 * 60; i++) {
      world.step(1 / 60)
      gap = Math.min(gap, norm(minus(player.position, one.position)) - 2)
    }
    return { gap, player }
  }

  it('stops before one at rest', () => {
    const { gap, player } = meet(stickTo(v(0, 0, 1)), other({ position: v(0, 0, 30) }))
    expect(gap).toBeGreaterThan(0)
    expect(gap).toBeLessThan(0.5)
    expect(norm(player.velocity)).toBeLessThan(0.01)
  })

  it('slides past one that it meets off its middle, without turning before', () => {
    const { gap, player } = meet(stickTo(v(0, 0, 1)), other({ position: v(1.2, 0, 30) }))
    expect(gap).toBeGreaterThan(0)
    expect(player.position.z).toBeGreaterThan(40)
    // no farther to the side than it had to
    expect(player.position.x).toBeGreaterThan(-1.5)
    expect(player.position.y).toBeCloseTo(0, 6)
  })

  it('is not slowed by one that it passes', () => {
    const { player } = meet(stickTo(v(0, 0, 1)), other({ position: v(2.6, 0, 30) }))
    expect(player.position.x).toBeCloseTo(0, 9)
    expect(player.velocity.z).toBeCloseTo(12, 6)
  })

  it('stands where it stands: the other makes way', () => {
    // a wish of the same kind that is no input of a player
    const drive = within([new ReciprocalAvoidance()], {
      steer: (agent, _step, out) => {
        out.force.z += (agent.mass / agent.responseTime) * (-12 - agent.velocity.z)
      },
    })
    const { gap, player } = meet(new Stick(), other({ position: v(0.3, 0, 40), behavior: drive }))
    expect(norm(player.position)).toBeLessThan(1e-9)
    expect(gap).toBeGreaterThan(0)
  })
})

it('beside a ship that is under way, standing still is flying with it', () => {
  const speed = v(0, 0, 40)
  const station = { position: v(0, 0, 0), velocity: speed, quaternion: { x: 0, y: 0, z: 0, w: 1 } }
  const hull = new Obstacles([{ shape: new SphereShape(5), at: station }])
  const stick = stickTo(v(0, 0, -1), { target: station, speed: 6 })
  const options = { ...VEHICLES['ship']!(), maxSpeed: 60, position: v(0, 0, 25), velocity: speed }
  const one = new SteeringController(null, {
    ...options,
    behavior: within([new AvoidObstacles({ obstacles: hull })], stick),
  })
  const world = new SteeringWorld()
  world.add(one)
  for (let i = 0; i < 10 * 60; i++) {
    world.step(1 / 60)
    station.position = plus(station.position, speed, 1 / 60)
  }
  const gap = norm(minus(one.position, station.position)) - 5.8
  expect(gap).toBeGreaterThan(0)
  expect(gap).toBeLessThan(0.2)
  expect(norm(minus(one.velocity, speed))).toBeLessThan(0.05)
})
