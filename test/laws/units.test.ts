import { describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  blend,
  BoxShape,
  CapsuleShape,
  Cruise,
  DirectedSeek,
  Evade,
  Flight,
  Flocking,
  FollowPath,
  Hover,
  JoinUp,
  LeaderFollow,
  Loiter,
  Obstacles,
  OffsetPursue,
  Orbit,
  Path,
  Pursue,
  ReciprocalAvoidance,
  SphereShape,
  SteeringController,
  SteeringWorld,
  Thrusters,
  Wander,
  Wheels,
  within,
  type Behavior,
  type ControllerOptions,
  type Vec3Like,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { Dock, Land, Port, Refuel, Undock } from 'three-steering/docking'
import { Formation, KeepSlot } from 'three-steering/formation'
import { apart, UP, ZERO } from './kit.js'

/**
 * The unit of length does not matter: a scene in which all lengths are k times as large flies the same way, k
 * times as large. By powers of two all products and sums are exact, so that only a number with a length in
 * its unit that does not follow, or a formula that adds what has different units, makes a difference. Docking
 * is not among the scenes: its tolerances are in metres.
 */
const SCALES = [2 ** -10, 2 ** 10]
/** Distance, as a share of the radius of 1, that the rules for a stop near the goal may make. */
const CLOSE = 1e-3
const DT = 1 / 60

/** A world in which all lengths are `k` times as large. */
class Scene {
  readonly world = new SteeringWorld({ seed: 1 })
  readonly agents: SteeringController[] = []
  readonly k: number
  private readonly random = seeded(7)

  constructor(k: number) {
    this.k = k
  }

  at(x: number, y: number, z: number): Vec3Like {
    const { k } = this
    return { x: k * x, y: k * y, z: k * z }
  }

  place(size: number, height = size): Vec3Like {
    const { random } = this
    return this.at((2 * random() - 1) * size, (2 * random() - 1) * height, (2 * random() - 1) * size)
  }

  /** A place where a ball of the radius 2 is free. */
  free(obstacles: Obstacles, size: number, height?: number): Vec3Like {
    for (;;) {
      const place = this.place(size, height)
      if (obstacles.distance(place, { ...ZERO }) > 2 * this.k) return place
    }
  }

  /** The default weight of a bank is that of Earth in metres. */
  hover(): Hover {
    return new Hover({ attitude: { bankWeight: 9.8 * this.k } })
  }

  add(position: Vec3Like, behavior: Behavior, more: Partial<ControllerOptions> = {}): void {
    const { agents, k, world } = this
    const agent = new SteeringController(null, {
      position,
      behavior,
      radius: k,
      maxSpeed: 6 * k,
      maxForce: 9 * k,
      locomotion: this.hover(),
      ...more,
    })
    world.add(agent)
    agents.push(agent)
  }

  rocks(count: number, size: number, height?: number): Obstacles {
    const { k } = this
    const shapes = [new BoxShape(this.at(2, 3, 1)), new SphereShape(2 * k), new CapsuleShape(k, 4 * k)]
    return new Obstacles(
      Array.from({ length: count }, (_, i) => ({ shape: shapes[i % 3]!, at: this.place(size, height) })),
    )
  }
}

/** What an agent does that only drifts and turns: a carrier. */
const DRIFT: Behavior = { steer: (_agent, _step, out) => void (out.turns = true) }

/** A carrier with a port on its side, and the options of those that dock there. */
const harbour = (scene: Scene, velocity = ZERO, angularVelocity = ZERO, outward: Vec3Like = UP) => {
  const { k } = scene
  const at = scene.at(0, 0, 0)
  const traits = { radius: 8 * k, maxForce: 90 * k, compensateGravity: true }
  scene.add(at, DRIFT, { velocity, angularVelocity, ...traits })
  const { x, y, z } = outward
  const port = new Port({
    carrier: scene.agents.at(-1)!,
    position: scene.at(6 * x, 6 * y, 6 * z),
    outward,
    corridor: 10 * k,
  })
  const lengths = { closingSpeed: k / 4, entrySpeed: 3.5 * k, holdDistance: 2 * k, latchDistance: k / 50 }
  return { port, ...lengths, tolerance: k / 50, speedTolerance: k / 20 }
}

/** The engines of a ship, in shares of its force: astern, and across. */
const engines = ({ k }: Scene, astern: number, across: number): Partial<ControllerOptions> => {
  const side = 3 * k * across
  const sides = { up: side, down: side, port: side, starboard: side }
  const attitude = { bankWeight: 9.8 * k }
  return {
    maxForce: 3 * k,
    maxTorque: k * k,
    locomotion: new Thrusters({ ahead: 3 * k, astern: 3 * k * astern, ...sides, attitude }),
  }
}

const dockOne = (scene: Scene, traits: Partial<ControllerOptions>, isStill = false): void => {
  const turn = isStill ? ZERO : { x: 0.003, y: 0.01, z: 0 }
  const dock = harbour(scene, isStill ? ZERO : scene.at(1, 0.5, 2), turn)
  scene.add(scene.at(30, 20, -10), new Dock(dock), { maxSpeed: 10 * scene.k, ...traits })
}

const rocksAndOthers = (scene: Scene, height: number, traits: Partial<ControllerOptions>): void => {
  const obstacles = scene.rocks(30, 25, height)
  const limits = () => [new AvoidObstacles({ obstacles }), new ReciprocalAvoidance()]
  for (let i = 0; i < 8; i++)
    scene.add(
      scene.free(obstacles, 25, height),
      within(limits(), new Arrive({ target: scene.free(obstacles, 25, height) })),
      traits,
    )
}

const SCENES: Readonly<Record<string, (scene: Scene) => void>> = {
  'among rocks and others': (scene) => rocksAndOthers(scene, 25, {}),
  'in a plane': (scene) => rocksAndOthers(scene, 0, { plane: UP }),
  'among walls with a door, on a path and to a place': (scene) => {
    const wall = (x: number, z: number, halfX: number, halfZ: number) => ({
      shape: new BoxShape(scene.at(halfX, 3, halfZ)),
      at: scene.at(x, 0, z),
    })
    const inner = [wall(0, -7, 0.3, 5), wall(0, 5.5, 0.3, 3), wall(-7, 0, 6.9, 0.3), wall(8, 0, 6, 0.3)]
    const outer = [-1, 1].flatMap((side) => [wall(14 * side, 0, 0.3, 14), wall(0, 13 * side, 14, 0.3)])
    const obstacles = new Obstacles([...inner, ...outer])
    const points = [scene.at(5, 0, 5), scene.at(-5, 0, 5), scene.at(-5, 0, -5)]
    for (let i = 0; i < 8; i++) {
      const side = i % 2 === 0 ? 1 : -1
      const half = i % 4 < 2 ? 1 : -1
      const task =
        i % 3 === 0
          ? new FollowPath({ path: new Path({ points, ends: 'closed' }) })
          : new Arrive({ target: scene.at(6 * side, 0, -6 * half) })
      const limits = [new AvoidObstacles({ obstacles }), new ReciprocalAvoidance()]
      scene.add(scene.at(0.3 * i - 5 * side, 0, 6 * half), within(limits, task), {
        radius: 0.4 * scene.k,
        maxSpeed: 3 * scene.k,
        maxForce: 4 * scene.k,
        plane: UP,
      })
    }
  },
  'paths, one by each technique': (scene) => {
    for (const technique of ['dog-on-a-string', 'future-reprojection', 'grappling-hooks'] as const)
      for (const curve of ['polyline', 'spline'] as const) {
        const points = [scene.at(0, 0, 0), scene.at(20, 0, 0), scene.at(20, 10, 15), scene.at(-5, 3, 15)]
        scene.add(
          scene.place(5),
          new FollowPath({ path: new Path({ points, curve, ends: 'closed' }), technique }),
        )
      }
  },
  'poses under a turn radius': (scene) => {
    for (let i = 0; i < 6; i++) {
      const heading = { x: Math.sin(i), y: 0, z: Math.cos(i) }
      const arrivalSpeed = i % 2 === 0 ? 0 : 3 * scene.k
      const target = { position: scene.place(20), heading }
      scene.add(scene.place(20), new DirectedSeek({ target, radius: 3 * scene.k, arrivalSpeed }))
    }
  },
  'thrusters, some without engines across': (scene) => {
    const { k } = scene
    for (let i = 0; i < 4; i++) {
      const side = i % 2 === 0 ? 0 : 3 * k
      const sides = { up: side, down: side, port: side, starboard: side }
      const attitude = { bankWeight: 9.8 * k }
      const locomotion = new Thrusters({ ahead: 9 * k, astern: 4 * k, ...sides, attitude })
      scene.add(scene.place(40), new Arrive({ target: scene.place(40) }), { locomotion })
    }
  },
  aircraft: (scene) => {
    const { k } = scene
    const target = { position: scene.at(30, 10, 0), velocity: ZERO }
    const tasks = [
      new Loiter({ target, radius: 25 * k }),
      new Orbit({ target, radius: 30 * k }),
      new Wander(),
    ]
    for (const task of tasks)
      scene.add(scene.place(40), task, {
        velocity: scene.at(0, 0, 12),
        maxSpeed: 20 * k,
        maxForce: 20 * k,
        locomotion: new Flight({ minSpeed: 8 * k, bankWeight: 9.8 * k }),
      })
  },
  'cars, which back up and turn round': (scene) => {
    const { k } = scene
    const obstacles = scene.rocks(12, 35, 0)
    for (let i = 0; i < 6; i++) {
      const position = scene.free(obstacles, 30, 0)
      const task =
        i % 2 === 0
          ? new Arrive({ target: position })
          : new DirectedSeek({ target: { position, heading: { x: 1, y: 0, z: 0 } }, reverse: true })
      scene.add(scene.free(obstacles, 30, 0), within([new AvoidObstacles({ obstacles })], task), {
        plane: UP,
        locomotion: new Wheels({ wheelbase: 2 * k, grip: 8 * k }),
      })
    }
  },
  'a formation': (scene) => {
    const points = [scene.at(0, 0, 0), scene.at(40, 0, 0), scene.at(40, 10, 30)]
    const formation = new Formation({ spacing: 3 * scene.k })
    for (let i = 0; i < 5; i++)
      scene.add(
        scene.at(-3 * i, i % 2, -5),
        within(
          [new ReciprocalAvoidance()],
          new KeepSlot({ formation, leadBehavior: new FollowPath({ path: new Path({ points }) }) }),
        ),
      )
  },
  'a flock': (scene) => {
    const { k } = scene
    const flocking = new Flocking({
      separation: { neighborDistance: 3 * k },
      alignment: { neighborDistance: 6 * k },
      cohesion: { neighborDistance: 6 * k },
    })
    for (let i = 0; i < 30; i++) scene.add(scene.place(8), blend([flocking, new Wander()]), { radius: k / 4 })
  },
  'those that follow or avoid one that moves': (scene) => {
    const { k } = scene
    scene.add(scene.at(10, 0, 0), new Cruise({ speedShare: 0.4 }))
    const target = scene.agents[0]!
    const offset = scene.at(-3, 1, 2)
    const tasks = [
      new Pursue({ target }),
      new Evade({ target }),
      new OffsetPursue({ target, offset }),
      new JoinUp({ target, offset }),
      new LeaderFollow({ target, distance: 4 * k }),
    ]
    for (const task of tasks) scene.add(scene.place(20), task)
  },
}

const MOORING: Readonly<Record<string, (scene: Scene) => void>> = {
  'docking at a carrier at rest': (scene) => dockOne(scene, engines(scene, 1, 1), true),
  'docking at one that moves and turns': (scene) => dockOne(scene, engines(scene, 1, 1)),
  'docking with weak engines astern and across': (scene) => dockOne(scene, engines(scene, 0.25, 0.25)),
  'docking without engines across': (scene) => dockOne(scene, engines(scene, 1, 0)),
  'docking without an engine astern': (scene) => dockOne(scene, engines(scene, 0, 0.25)),
  'docking with a main engine only': (scene) => dockOne(scene, engines(scene, 0, 0)),
  'three at one port, of which each leaves again': (scene) => {
    const dock = harbour(scene, scene.at(1, 0, 0), { x: 0, y: 0.01, z: 0 })
    for (let i = 0; i < 3; i++) {
      scene.add(scene.at(12 * i, 25, 5 - 4 * i), new Dock(dock), engines(scene, 1, 1))
      const ship = scene.agents.at(-1)!
      ship.addEventListener('stage', ({ stage }) => {
        if (stage === 'latched') ship.behavior = new Undock({ port: dock.port, exitSpeed: 2 * scene.k })
      })
    }
  },
  'landing under a weight, and in space': (scene) => {
    const { k, world } = scene
    world.gravity.y = -5 * k
    const { port, ...lengths } = harbour(scene, scene.at(1, 0, 0), { x: 0, y: 0.02, z: 0 })
    const { closingSpeed, latchDistance, entrySpeed, holdDistance, tolerance } = lengths
    const land = new Land({
      port,
      closingSpeed,
      latchDistance,
      entrySpeed,
      holdDistance,
      tolerance,
      hold: true,
    })
    scene.add(scene.at(30, 12, -10), land, { compensateGravity: true })
  },
  refuelling: (scene) => {
    const { k } = scene
    scene.add(scene.at(0, 0, 0), DRIFT, {
      velocity: scene.at(0, 0, 5),
      angularVelocity: { x: 0, y: 0.05, z: 0 },
    })
    const target = scene.agents.at(-1)!
    const places = { offset: scene.at(-3, -1, 0), precontact: scene.at(-15, -5, 0) }
    const refuel = new Refuel({
      target,
      ...places,
      closingSpeed: k,
      tolerance: 0.3 * k,
      speedTolerance: 0.3 * k,
    })
    scene.add(scene.at(-20, -10, -50), refuel, { maxSpeed: 15 * k })
  },
}

/** Flies a scene at both sizes. @returns how far the agents flew, and how far apart they were, at most. */
function fly(build: (scene: Scene) => void, k: number, seconds: number) {
  const scenes = [new Scene(1), new Scene(k)] as const
  const stages = scenes.map((scene) => {
    build(scene)
    const seen: string[] = []
    for (const [i, agent] of scene.agents.entries()) {
      agent.addEventListener('stage', ({ stage }) => seen.push(`${i} ${stage}`))
      agent.addEventListener('cannot', () => seen.push(`${i} cannot`))
    }
    return seen
  })
  const [plain, scaled] = scenes
  let apartMost = 0
  let flown = 0
  const starts = plain.agents.map(({ position }) => ({ ...position }))
  for (let t = 0; t < seconds; t += DT) {
    plain.world.step(DT)
    scaled.world.step(DT)
    for (const [i, { position }] of plain.agents.entries()) {
      const { x, y, z } = scaled.agents[i]!.position
      apartMost = Math.max(apartMost, apart(position, { x: x / k, y: y / k, z: z / k }))
      flown = Math.max(flown, apart(position, starts[i]!))
    }
  }
  return { apart: apartMost, flown, stages }
}

describe.each(Object.entries(SCENES))('%s', (_, build) => {
  it.each(SCALES)('flies alike where all lengths are %f times as large', (k) => {
    const flight = fly(build, k, 25)
    expect(flight.flown).toBeGreaterThan(10)
    expect(flight.apart).toBeLessThan(CLOSE)
  })
})

describe.each(Object.entries(MOORING))('%s', (_, build) => {
  it.each(SCALES)('is alike where all lengths are %f times as large', (k) => {
    const { apart, stages } = fly(build, k, 90)
    expect(stages[0]!.length).toBeGreaterThan(2)
    expect(stages[1]).toEqual(stages[0])
    expect(apart).toBeLessThan(CLOSE)
  })
})
