import { expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  BoxShape,
  Contain,
  DirectedSeek,
  FollowPath,
  HollowShape,
  Obstacles,
  Path,
  ReciprocalAvoidance,
  SteeringController,
  SteeringWorld,
  Walker,
  Wheels,
  within,
  type Behavior,
  type ControllerOptions,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import { car } from 'three-steering/vehicles'
import { minus, norm, unit, v } from '../support/geometry.js'
import { pick } from '../support/tier.js'

// An agent whose goal was in a closed room, or outside of the room that it was in, went round and round, or
// to and fro, for ever, and nothing was told: ships, walkers and cars alike. Later they were told when they
// had gone all around, after up to a minute.

const UP = v(0, 1, 0)
const NO_WAY = 'comes no nearer: obstacles or bounds are in its way on all sides'
const NO_CURVES = 'finds no way of its own curves past the obstacles'

interface Kind {
  /** Half of the width of the room (m). */
  readonly half: number
  readonly options: Omit<ControllerOptions, 'behavior' | 'body'>
}

const KINDS: Record<string, Kind> = {
  car: { half: 12, options: car() },
  walker: {
    half: 3,
    options: { plane: UP, maxSpeed: 1.5, maxForce: 200, mass: 70, radius: 0.3, locomotion: new Walker() },
  },
  craft: { half: 8, options: { plane: UP, maxSpeed: 8, maxForce: 8, radius: 1 } },
}

/** Four walls, and what takes away the first of them between two places. */
function room(half: number) {
  const wall = (x: number, z: number) => ({
    at: v(x * half, 0, z * half),
    shape: new BoxShape(v(0.5 + Math.abs(z) * half, 4, 0.5 + Math.abs(x) * half)),
  })
  const obstacles = new Obstacles([wall(1, 0), wall(0, 1), wall(0, -1), wall(-1, 0)])
  const open = (from: Vec3Like, to: Vec3Like): void => {
    obstacles.remove(obstacles.sweep(from, unit(minus(to, from)), 0)!.obstacle)
  }
  return { obstacles, open }
}

interface Flight {
  readonly one: SteeringController
  readonly told: string[]
  /** When it was told first (s). */
  readonly toldAt: () => number
  readonly run: (seconds: number) => void
  readonly open: () => void
}

function fly(
  { half, options }: Kind,
  behaviorTo: (goal: Vec3, start: Vec3) => Behavior,
  isInside: boolean,
  rate: number,
): Flight {
  const world = new SteeringWorld()
  const { obstacles, open } = room(half)
  const [outside, inside] = [v(-3 * half, 0, 0.3 * half), v(0.2 * half, 0, 0.1 * half)]
  const [start, goal] = isInside ? [inside, outside] : [outside, inside]
  const behavior = within([new AvoidObstacles({ obstacles })], behaviorTo(goal, start))
  const one = new SteeringController(null, { ...options, behavior, position: start })
  world.add(one)
  const told: string[] = []
  let first = Infinity
  const tell = ({ reason = '' }: { readonly reason?: string }): void => {
    told.push(reason)
    first = Math.min(first, world.time)
  }
  one.addEventListener('arrive', tell)
  one.addEventListener('cannot', tell)
  const run = (seconds: number): void => {
    for (let i = 0; i < seconds * rate; i++) world.step(1 / rate)
  }
  return { one, told, toldAt: () => first, run, open: () => open(one.position, goal) }
}

const AS_NEAR = 'as near as it gets'

const WISHES: Record<string, { readonly to: (goal: Vec3, start: Vec3) => Behavior; readonly told: string }> =
  {
    Arrive: { to: (target) => new Arrive({ target }), told: AS_NEAR },
    DirectedSeek: {
      to: (position) =>
        new DirectedSeek({ target: { position, heading: v(0.8, 0, 0.6) }, arrivalSpeed: 0, reverse: true }),
      told: NO_WAY,
    },
    FollowPath: {
      to: (goal, start) => new FollowPath({ path: new Path({ points: [start, goal] }) }),
      told: NO_WAY,
    },
  }

it.each(
  Object.keys(WISHES).flatMap((wish) =>
    Object.keys(KINDS).flatMap((kind) =>
      pick([kind === 'walker'], [false, true]).flatMap((isInside) =>
        pick([60], [30, 144], [30, 60, 144]).map((rate) => [wish, kind, isInside, rate] as const),
      ),
    ),
  ),
)('%s: a %s comes to rest and is told, from inside %s, at %i Hz', (wish, kind, isInside, rate) => {
  const { to, told: reason } = WISHES[wish]!
  const { one, told, toldAt, run } = fly(KINDS[kind]!, to, isInside, rate)
  run(90)
  // by the behaviour, or by within; one that stood before a wall, and went on, was told that, too
  expect(told.length).toBeLessThan(3)
  expect([reason, NO_CURVES, AS_NEAR]).toContain(told.at(-1))
  if (kind === 'craft' && wish !== 'FollowPath') expect(toldAt()).toBeLessThan(25)
  expect(norm(one.velocity)).toBeLessThan(1e-6)
})

it('those that run round a closed room side by side are told, too', () => {
  const world = new SteeringWorld()
  const constraints = [new AvoidObstacles({ obstacles: room(6).obstacles }), new ReciprocalAvoidance()]
  const told = Array.from({ length: 5 }, (_, i) => {
    const behavior = within(constraints, new Arrive({ target: v(1, 0, -0.5) }))
    const position = v(-22 + (i % 2), 0, -20 + 3 * i)
    const options = { behavior, position, plane: UP, radius: 0.5, maxSpeed: 4, maxForce: 6 }
    const one = new SteeringController(null, options)
    const reasons: string[] = []
    one.addEventListener('arrive', ({ reason = '' }) => reasons.push(reason))
    world.add(one)
    return reasons
  })
  for (let i = 0; i < 60 * 60; i++) world.step(1 / 60)
  expect(told).toEqual(told.map(() => [AS_NEAR]))
})

it.each(Object.keys(WISHES))('%s: it goes on when the room is opened', (wish) => {
  const { one, told, run, open } = fly(KINDS['craft']!, WISHES[wish]!.to, false, 60)
  run(60)
  expect(told).toHaveLength(1)
  open()
  run(60)
  expect(Math.abs(one.position.x)).toBeLessThan(2)
})

it('a car without a gear astern that stands before a wall across its path is told', () => {
  const locomotion = new Wheels({ wheelbase: 2.5, thrust: 4800, astern: 0 })
  const kind = { half: 12, options: { ...car(), locomotion } }
  const { one, told, run } = fly(kind, WISHES['FollowPath']!.to, true, 60)
  run(14)
  // by itself, or before it by within
  expect(told).toHaveLength(1)
  expect([NO_WAY, AS_NEAR]).toContain(told[0])
  expect(norm(one.velocity)).toBeLessThan(1e-6)
})

it.each([v(1, 0, 0), v(0, 0, 1), v(-1, 0, 0)])(
  'a goal outside of the bounds, with the heading $x $z, was never told to DirectedSeek',
  (heading) => {
    for (const speeds of [{ arrivalSpeed: 0 }, {}])
      for (const flat of [false, true]) {
        const world = new SteeringWorld()
        const bounds = [{ shape: new HollowShape(new BoxShape(v(17, 18, 18))) }]
        const target = { position: v(20, 0, 0), heading }
        const one = new SteeringController(null, {
          position: v(-5, flat ? 0 : 3, 2),
          maxSpeed: 8,
          maxForce: 8,
          ...(flat && { plane: UP }),
          behavior: within([new Contain({ bounds })], new DirectedSeek({ target, ...speeds })),
        })
        world.add(one)
        const told: string[] = []
        one.addEventListener('arrive', ({ reason = '' }) => told.push(reason))
        one.addEventListener('cannot', ({ reason }) => told.push(reason))
        for (let i = 0; i < 40 * 60; i++) world.step(1 / 60)
        expect(told).toHaveLength(1)
        expect([AS_NEAR, NO_WAY]).toContain(told[0])
        expect(norm(one.velocity)).toBeLessThan(1e-6)
      }
  },
)
