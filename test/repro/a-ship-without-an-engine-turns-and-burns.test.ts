import { expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  BoxShape,
  DirectedSeek,
  FollowPath,
  HollowShape,
  Obstacles,
  Path,
  SphereShape,
  SteeringController,
  SteeringWorld,
  Thrusters,
  within,
  type Behavior,
  type Vec3,
} from 'three-steering'
import { apart } from '../laws/kit.js'
import { norm, v } from '../support/geometry.js'
import { ALL } from '../support/tier.js'

// The speed of every plan followed from the engines as they pointed. A ship that lacked one planned 0 m/s and
// never moved (53 to 60 of 204 flights each). One that lost its retro engine in flight never stopped.

const FORCE = 60
const SIDES = ['up', 'down', 'port', 'starboard'] as const

/** The engines of a usual ship, those named with this share of the main engine. */
function engines(share: number, ...weak: readonly string[]): Thrusters {
  const all = { ahead: 1, astern: 0.5, up: 0.25, down: 0.25, port: 0.25, starboard: 0.25 }
  const entries = Object.entries(all).map(([name, k]) => [name, (weak.includes(name) ? share : k) * FORCE])
  return new Thrusters(Object.fromEntries(entries) as { ahead: number })
}

const LACKS: Readonly<Record<string, readonly string[]>> = {
  'a retro engine': ['astern'],
  'side engines': SIDES,
  'engines up and down': ['up', 'down'],
  'one side engine': ['port'],
  'all but a main engine': ['astern', ...SIDES],
  'all but a retro engine': ['ahead', ...SIDES],
}

const GOALS: readonly Vec3[] = [v(0, 0, 80), v(30, 10, 70), v(80, 0, 0), v(1, 2, -60), v(-4, 2, 1)]

const BEHAVIORS: Readonly<Record<string, (target: Vec3) => Behavior>> = {
  Arrive: (target) => new Arrive({ target }),
  FollowPath: (target) => new FollowPath({ path: new Path({ points: [v(0, 0, 0), target] }) }),
  DirectedSeek: (target) =>
    new DirectedSeek({ target: { position: target, heading: v(1, 0, 0) }, arrivalSpeed: 0 }),
  'Arrive past a rock': (target) =>
    within(
      [new AvoidObstacles({ obstacles: new Obstacles([{ shape: new SphereShape(3), at: v(15, 6, 40) }]) })],
      new Arrive({ target }),
    ),
}

function shipOf(behavior: Behavior, locomotion: Thrusters): SteeringController {
  const limits = { mass: 10, radius: 1, maxSpeed: 15, maxForce: FORCE, maxTorque: 40 }
  return new SteeringController(null, { ...limits, locomotion, behavior })
}

/** Time (s) after which the ship has arrived; Infinity if it has not after a minute. */
function timeOf(ship: SteeringController, rate: number, each: (time: number) => void = () => {}): number {
  const world = new SteeringWorld()
  const arrivals: number[] = []
  world.add(ship)
  ship.addEventListener('arrive', () => arrivals.push(world.time))
  for (let i = 0; i < 60 * rate && arrivals.length === 0; i++) {
    world.step(1 / rate)
    each(world.time)
  }
  return arrivals[0] ?? Infinity
}

for (const [name, make] of Object.entries(BEHAVIORS))
  it.each(Object.entries(LACKS))(`${name}: a ship that lacks %s arrives`, (_, weak) => {
    for (const rate of ALL ? [30, 144] : [60])
      for (const share of ALL ? [0, 0.05] : [0])
        for (const goal of ALL ? GOALS : [GOALS[1]!])
          expect(timeOf(shipOf(make(goal), engines(share, ...weak)), rate)).toBeLessThan(50)
  })

// The choice of a direction past a rock counted on the engines as they pointed: ships stopped 38 m before
// their goal for good, said that they had arrived, or grazed the rock.
it.each([
  ['all but a main engine', ['astern', ...SIDES]],
  ['retro and port engine', ['astern', 'port']],
  ['all but a retro engine', ['ahead', ...SIDES]],
])('a ship that lacks %s passes a rock in the middle of its way', (_, weak) => {
  for (const rate of ALL ? [30, 60, 144] : [60])
    for (const goal of [
      v(0, 0, 80),
      v(30, 10, 70),
      ...(ALL ? [v(80, 0, 0), v(1, 2, -60), v(50, -12, -45)] : []),
    ])
      for (const [x, y] of [
        [3, 0],
        [0, 2],
      ] as const) {
        const at = v(goal.x / 2 + x, goal.y / 2 + y, goal.z / 2)
        const rocks = new Obstacles([{ shape: new SphereShape(4), at }])
        const behavior = within([new AvoidObstacles({ obstacles: rocks })], new Arrive({ target: goal }))
        const ship = shipOf(behavior, engines(0, ...weak))
        ship.maxTorque = 20
        let nearest = Infinity
        const time = timeOf(ship, rate, () => {
          nearest = Math.min(nearest, rocks.distance(ship.position, v(0, 0, 0)))
        })
        expect(time).toBeLessThan(60)
        expect(apart(ship.position, goal)).toBeLessThan(1)
        expect(nearest).toBeGreaterThan(0.98)
      }
})

// Before a wall in a corner of a room a ship braked with the engines as they pointed, and hit it at 6 to 10
// m/s.
it.each([
  ['side engines of 5 %', SIDES, 0.05, v(33.97, 1.83, -35.68), v(-1.54, 0.64, 2.54)],
  ['side engines of 5 %', SIDES, 0.05, v(37.68, -17.65, -24.3), v(-0.08, 0.63, -0.45)],
  ['no engine to port', ['port'], 0, v(33.97, 1.83, -35.68), v(-1.54, 0.64, 2.54)],
  ['a main engine only', ['astern', ...SIDES], 0, v(33.97, 1.83, -35.68), v(-1.54, 0.64, 2.54)],
  ['a main engine only', ['astern', ...SIDES], 0, v(36.32, -5.51, -35.41), v(0.74, 0.89, -0.75)],
] as const)(
  'a ship with %s does not fly into the wall behind its goal',
  (_, lacks, share, target, velocity) => {
    const room = new Obstacles([{ shape: new HollowShape(new BoxShape(v(40, 20, 40))), at: v(0, 0, 0) }])
    for (const rate of ALL ? [30, 60, 144] : [60]) {
      const behavior = within([new AvoidObstacles({ obstacles: room })], new Arrive({ target }))
      const ship = shipOf(behavior, engines(share, ...lacks))
      ship.teleport({ velocity })
      let nearest = Infinity
      const time = timeOf(ship, rate, () => {
        nearest = Math.min(nearest, room.distance(ship.position, v(0, 0, 0)))
      })
      expect(time).toBeLessThan(30)
      expect(nearest).toBeGreaterThan(0.98)
    }
  },
)

it('a ship that loses its retro engine in flight turns round, and stops at its goal', () => {
  const goal = v(0, 0, 120)
  const locomotion = engines(0)
  const ship = shipOf(new Arrive({ target: goal }), locomotion)
  let farthest = 0
  const arrived = timeOf(ship, 60, (time) => {
    if (time > 4) locomotion.astern = 0
    farthest = Math.max(farthest, ship.position.z)
  })
  expect(arrived).toBeLessThan(20)
  expect(farthest).toBeLessThan(121)
})

// At its goal, the rest of its path held its nose, so that it could not turn an engine, and drifted off for
// good.
it('DirectedSeek: a ship that loses engines in flight stays where it arrived', () => {
  const lost = [['astern'], ['astern', ...SIDES], ['ahead', ...SIDES]] as const
  for (const rate of ALL ? [30, 60, 144] : [60])
    for (const weak of ALL ? lost : lost.slice(0, 1))
      for (const goal of ALL ? GOALS : [GOALS[2]!]) {
        const locomotion = engines(0)
        const ship = shipOf(BEHAVIORS['DirectedSeek']!(goal), locomotion)
        const world = new SteeringWorld()
        world.add(ship)
        let arrived = Infinity
        let farthest = 0
        ship.addEventListener('arrive', () => (arrived = world.time))
        for (let i = 0; i < 45 * rate; i++) {
          world.step(1 / rate)
          if (world.time > 4) Object.assign(locomotion, Object.fromEntries(weak.map((name) => [name, 0])))
          if (world.time > arrived) farthest = Math.max(farthest, apart(ship.position, goal))
        }
        expect(arrived).toBeLessThan(30)
        expect(farthest).toBeLessThan(0.5)
      }
})

it('a ship whose nose follows its course does not plan on a turn', () => {
  const locomotion = new Thrusters({ ahead: FORCE, astern: 0, attitude: { facing: 'course' } })
  const ship = shipOf(new Arrive({ target: v(0, 0, 80) }), locomotion)
  expect(timeOf(ship, 60)).toBe(Infinity)
  expect(norm(ship.position)).toBeLessThan(1)
})
