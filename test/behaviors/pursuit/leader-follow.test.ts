import * as CANNON from 'cannon-es'
import { describe, expect, it } from 'vitest'
import {
  blend,
  LeaderFollow,
  ReciprocalAvoidance,
  Separation,
  SteeringController,
  within,
  type Behavior,
  type LeaderFollowOptions,
  type Moving,
  type Vec3,
} from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { trace } from 'three-steering/explain'
import { about, dotOf, minus, norm, plus, times, turned, unit, v } from '../../support/geometry.js'
import { ask, pilot, quietWorld, type PilotOptions } from '../../support/pilot.js'

type Way = (time: number) => Vec3

const DISTANCE = 6
const CLEARANCE = 2
const AGENT = { maxSpeed: 12, maxForce: 12, radius: 0.5 }

const WAYS: Readonly<Record<string, Way>> = {
  'straight on': (t) => v(5 * t, 0, 0),
  'straight up': (t) => v(0, 5 * t, 0),
  'in a circle': (t) => v(20 * Math.sin(0.3 * t), 20 - 20 * Math.cos(0.3 * t), 0),
  'on a weave': (t) => v(5 * t, 4 * Math.sin(0.6 * t), 3 * Math.cos(0.4 * t) - 3),
  'and comes to a stop': (t) => {
    const braking = Math.min(Math.max(t - 4, 0), 3)
    return v(6 * Math.min(t, 7) - braking * braking, 0, 0)
  },
}

interface Watch {
  /** Largest distance from the place in the last second, and smallest from the leader at any time (m). */
  readonly off: number
  readonly nearest: number
  /** Time in the leader's corridor (s), after which it was free for good. */
  readonly cleared: number
  readonly fastest: number
  readonly end: Vec3
}

function watch(
  motion: Way,
  agent: PilotOptions,
  rate = 60,
  options: Partial<LeaderFollowOptions> = {},
  seconds = 12,
): Watch {
  const { world, faults } = quietWorld()
  const leader = { position: v(0, 0, 0), velocity: v(0, 0, 0) }
  const one = pilot(new LeaderFollow({ target: leader, distance: DISTANCE, ...options }), {
    ...AGENT,
    ...agent,
  })
  const lead = (time: number): void => {
    leader.position = motion(time)
    leader.velocity = times(minus(motion(time + 1e-5), motion(time - 1e-5)), 0.5e5)
  }
  world.add(one)
  let course = v(1, 0, 0)
  let distance = 0
  let nearest = Infinity
  let cleared = 0
  let fastest = 0
  lead(0)
  for (let i = 1; i <= seconds * rate; i++) {
    world.step(1 / rate)
    lead(i / rate)
    if (norm(leader.velocity) > 0.12) course = unit(leader.velocity)
    const place = minus(one.position, leader.position)
    const along = dotOf(place, course)
    nearest = Math.min(nearest, norm(place))
    fastest = Math.max(fastest, norm(one.velocity))
    if (along > 0 && norm(plus(place, course, -along)) < CLEARANCE) cleared = i / rate
    if (i > (seconds - 1) * rate) distance = Math.max(distance, norm(plus(place, course, DISTANCE)))
  }
  expect(faults).toEqual([])
  return { off: distance, nearest, cleared, fastest, end: minus(one.position, leader.position) }
}

describe('behind a leader that moves', () => {
  const cases = Object.keys(WAYS).flatMap((name) => [30, 60, 240].map((rate) => [name, rate] as const))
  it.each(cases)('%s: the agent keeps its place within 2 cm at 1/%i s', (name, rate) => {
    const { off: distance, nearest, fastest } = watch(WAYS[name]!, { position: v(-25, -8, 5) }, rate)
    expect(distance).toBeLessThan(0.02)
    // It never overshoots the place.
    expect(nearest).toBeGreaterThan(DISTANCE - 0.1)
    expect(fastest).toBeLessThan(1.001 * AGENT.maxSpeed)
  })

  it('headway adds distance at speed', () => {
    const { end } = watch((t) => v(5 * t, 0, 0), { position: v(-25, 0, 0) }, 60, { headway: 0.8 })
    expect(norm(minus(end, v(-DISTANCE - 4, 0, 0)))).toBeLessThan(0.02)
  })

  it('with a headway, a leader that accelerates and brakes in turn is followed', () => {
    const motion = (t: number): Vec3 => v(6 * t + 2 * Math.sin(t), 0, 0)
    const { nearest } = watch(motion, { position: v(-25, 0, 0) }, 60, { headway: 0.8 })
    expect(nearest).toBeGreaterThan(DISTANCE)
  })
})

describe('ahead of the leader', () => {
  const straight = WAYS['straight on']!

  it.each<[string, Vec3]>([
    ['a little aside', v(20, 0.5, -0.3)],
    ['exactly on its course', v(15, 0, 0)],
    ['far ahead', v(40, 0, 0.1)],
  ])('%s: the agent steps aside in time, and then flies behind the leader', (_, position) => {
    const { cleared, nearest, off: distance } = watch(straight, { position })
    // 2 m with 12 m/s², accelerating and braking: 0.82 s at best.
    expect(cleared).toBeLessThan(1)
    expect(nearest).toBeGreaterThan(CLEARANCE)
    expect(distance).toBeLessThan(0.02)
  })

  it('an agent close ahead of the leader is not hit', () => {
    expect(watch(straight, { position: v(4, 0, 0) }).nearest).toBeGreaterThan(1.5)
  })

  it.each([0, 1, 2, 3, 4, 5])('the agent takes the nearest side, in 3D: direction %i of six', (i) => {
    for (const course of [v(1, 0, 0), v(0, 1, 0), v(0.6, 0, -0.8)]) {
      const side = turned(about(course, (i * Math.PI) / 3), unit(v(course.y, course.z, -course.x)))
      const aside = unit(plus(side, course, -dotOf(side, course)))
      const leader = { position: v(1, 2, 3), velocity: times(course, 4) }
      const position = plus(plus(leader.position, course, 10), aside, 0.5)
      const { force } = ask(new LeaderFollow({ target: leader, distance: 5 }), { ...AGENT, position })
      expect(dotOf(unit(force), aside)).toBeGreaterThan(0.999)
    }
  })

  it('a leader that turns round is let through', () => {
    const motion = (t: number): Vec3 =>
      v(4 * t - (Math.min(Math.max(t - 5, 0), 4) ** 2 + 8 * Math.max(t - 9, 0)), 0, 0)
    const { nearest, off: distance } = watch(motion, { position: v(-20, 0, 0) }, 60, {}, 18)
    expect(nearest).toBeGreaterThan(CLEARANCE)
    expect(distance).toBeLessThan(2 * DISTANCE + 0.02)
    expect(watch(motion, { position: v(-20, 0, 0) }, 60, {}, 18).end.x).toBeCloseTo(DISTANCE, 1)
  })

  it('without a clearance the agent flies straight to its place', () => {
    const { force } = ask(
      new LeaderFollow({ target: { position: v(0, 0, 0), velocity: v(5, 0, 0) }, distance: 5, clearance: 0 }),
      { ...AGENT, position: v(20, 1, 0), velocity: v(5, 0, 0) },
    )
    expect(unit(force).x).toBeLessThan(-0.99)
  })

  it('a clearance beyond the distance does not keep the agent from its place', () => {
    const { off: distance } = watch(WAYS['in a circle']!, { position: v(12, 1, 0) }, 60, { clearance: 9 }, 20)
    expect(distance).toBeLessThan(0.02)
  })
})

describe('a leader at rest', () => {
  it('that has never moved is followed behind its nose', () => {
    const { world } = quietWorld()
    const quaternion = about(v(0, 1, 0), Math.PI / 2)
    const leader = { position: v(0, 0, 0), velocity: v(0, 0, 0), quaternion }
    const one = pilot(new LeaderFollow({ target: leader, distance: 5 }), { position: v(-20, 4, 0) })
    world.add(one)
    for (let i = 0; i < 400; i++) world.step(1 / 60)
    expect(norm(minus(one.position, v(-5, 0, 0)))).toBeLessThan(0.01)
  })

  it('that jitters does not move the place around it', () => {
    const { world } = quietWorld()
    const leader = { position: v(0, 0, 0), velocity: v(5, 0, 0) }
    const one = pilot(new LeaderFollow({ target: leader, distance: 5 }), { ...AGENT, position: v(-5, 0, 0) })
    world.add(one)
    world.step(1 / 60)
    for (let i = 0; i < 300; i++) {
      leader.velocity = v(0.05 * Math.sin(i), 0.05 * Math.cos(i), 0)
      world.step(1 / 60)
    }
    expect(norm(minus(one.position, v(-5, 0, 0)))).toBeLessThan(0.1)
  })
})

it('if the leader is not finite, the agent flies straight on', () => {
  const { faults } = ask(
    new LeaderFollow({ target: { position: v(NaN, 0, 0), velocity: v(0, 0, 0) }, distance: 5 }),
  )
  expect(faults.map(({ message }) => message)).toEqual([expect.stringMatching(/^target: got .*NaN/)])
})

/**
 * Six followers of one leader: smallest distance between them and largest from the leader (m) after a while,
 * and smallest before that.
 */
function crowd(followPath: (leader: Moving) => Behavior): { apart: number; far: number; least: number } {
  const { world } = quietWorld()
  const leads: Behavior = { steer: ({ velocity }, _, { force }) => void (force.x = 5 - velocity.x) }
  const leader = pilot(leads, { ...AGENT, maxSpeed: 5 })
  world.add(leader)
  const six = Array.from({ length: 6 }, (_, i) =>
    pilot(followPath(leader), {
      ...AGENT,
      position: v(-12 + 7 * (i % 3), 6 * Math.cos(i), 6 * Math.sin(i)),
      seed: i,
    }),
  )
  for (const each of six) world.add(each)
  let apart = Infinity
  let far = 0
  let smallest = Infinity
  for (let i = 0; i < 900; i++) {
    world.step(1 / 60)
    for (const one of six) {
      if (i > 600) far = Math.max(far, norm(minus(one.position, leader.position)))
      for (const other of [...six, leader]) {
        if (other === one) continue
        const gap = norm(minus(one.position, other.position))
        smallest = Math.min(smallest, gap)
        if (i > 600) apart = Math.min(apart, gap)
      }
    }
  }
  return { apart, far, least: smallest }
}

describe('several followers', () => {
  it('within reciprocal avoidance follow close together and never touch', () => {
    const { far, least: smallest } = crowd((leader) =>
      within(
        [new ReciprocalAvoidance({ neighborDistance: 8 })],
        new LeaderFollow({ target: leader, distance: DISTANCE }),
      ),
    )
    expect(smallest).toBeGreaterThan(2 * AGENT.radius)
    expect(far).toBeLessThan(9)
  })

  it('with separation blended in follow as Reynolds describes', () => {
    const { apart, far } = crowd((leader) =>
      blend([
        new LeaderFollow({ target: leader, distance: DISTANCE }),
        { behavior: new Separation({ neighborDistance: 4 }), weight: 2 },
      ]),
    )
    expect(apart).toBeGreaterThan(2 * AGENT.radius)
    expect(far).toBeLessThan(9)
  })
})

it('a cannon-es body follows another one', () => {
  const world = new CANNON.World()
  const { world: steering, faults } = quietWorld()
  attachToCannon(steering, world)
  const body = (position: Vec3): CANNON.Body => {
    const made = new CANNON.Body({ mass: 5, shape: new CANNON.Sphere(0.5), linearDamping: 0.01 })
    made.position.set(position.x, position.y, position.z)
    world.addBody(made)
    return made
  }
  const leader = body(v(0, 0, 0))
  leader.linearDamping = 0
  leader.velocity.set(0, 3, 4)
  const own = body(v(1, 10, 12))
  const behavior = new LeaderFollow({ target: leader, distance: DISTANCE })
  steering.add(new SteeringController(null, { body: cannonBody(own), behavior, maxSpeed: 12, maxForce: 60 }))
  let nearest = Infinity
  for (let i = 0; i < 900; i++) {
    world.step(1 / 60)
    nearest = Math.min(nearest, norm(minus(own.position, leader.position)))
  }
  expect(norm(minus(minus(own.position, leader.position), v(0, -3.6, -4.8)))).toBeLessThan(0.02)
  expect(nearest).toBeGreaterThan(1.5)
  expect(faults).toEqual([])
})

it('draws the corridor that is kept free', () => {
  const layers: string[] = []
  const { world } = quietWorld()
  world.add(pilot(new LeaderFollow({ target: { position: v(9, 0, 0), velocity: v(1, 0, 0) }, distance: 3 })))
  world.step(1 / 60)
  trace(world, { line: (layer) => void layers.push(layer) })
  expect(layers).toEqual(expect.arrayContaining(['leader', 'way of the leader']))
})
