import { describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  blend,
  BoxShape,
  Contain,
  Face,
  Flocking,
  HollowShape,
  Hover,
  Obstacle,
  Obstacles,
  priority,
  Seek,
  SphereShape,
  SteeringWorld,
  Wander,
  within,
  type Agent,
  type Behavior,
  type SteeringController,
  type Vec3Like,
} from 'three-steering'
import { type Constraint, type VelocityConstraints, seeded } from 'three-steering/authoring'
import { trace } from 'three-steering/explain'
import { BEHAVIORS, bitsOf, firstDifference, LOCOMOTIONS, oneStep, randomScene } from '../laws/kit.js'
import { dotOf, expectVec, minus, norm, times, unit, v } from '../support/geometry.js'
import { ask, idle, pilot, quietWorld, xyz, type PilotOptions } from '../support/pilot.js'
import { pushing } from '../support/stand-in.js'
import { addFlock } from '../support/flock.js'
import { pick } from '../support/tier.js'

/** A constraint that adds given demands, and records its inputs. */
function constraintOf(
  demand: (limits: VelocityConstraints, agent: Agent) => void,
): Constraint & { wanted: Vec3Like[]; reaches: number[] } {
  const constraint = {
    wanted: [] as Vec3Like[],
    reaches: [] as number[],
    steer: () => undefined,
    constrain: (agent: Agent, _step: unknown, limits: VelocityConstraints) => {
      constraint.wanted.push(xyz(limits.wantedVelocity))
      constraint.reaches.push(limits.goalDistance)
      demand(limits, agent)
    },
  }
  return constraint
}

function atLeast(normal: Vec3Like, least: number): ReturnType<typeof constraintOf> {
  return constraintOf((limits) => limits.addHalfSpace(normal, least))
}

/** The wanted velocity of a force, for an agent of 1 kg with the default response time, at rest. */
function wantedBy(behavior: Behavior, options: PilotOptions = {}): Vec3Like {
  const { force, faults } = ask(behavior, { maxForce: 1e6, responseTime: 0.1, ...options })
  expect(faults).toEqual([])
  return times(force, 0.1)
}

const ball = (at: Vec3Like, radius = 1): Obstacle => new Obstacle({ shape: new SphereShape(radius), at })

function room(size: number): Contain {
  return new Contain({ bounds: [{ shape: new HollowShape(new BoxShape(v(size, size, size))) }] })
}

/** Positions, velocities and attitudes after each step. */
function record(world: SteeringWorld, agents: readonly SteeringController[], steps: number): number[][] {
  return Array.from({ length: steps }, () => {
    world.step(1 / 60)
    return bitsOf(agents)
  })
}

/**
 * Behaviours that get their force from one `drive`: a wanted velocity, less the present one. Not the default
 * `Pursue`: alone it turns by lift, while as a wish it reports the velocity that it will have in the end.
 */
const DRIVEN = [
  'Evade',
  'Flee',
  'MatchVelocity',
  'Pursue, intercept',
  'Pursue, turn-aware',
  'Pursue, linear',
  'Seek',
  'Wander',
] as const
/** `Arrive` and behaviours built on it ask for less as a wish: two servos in a row would be too stiff. */
const SOFTER =
  /^(Arrive|Dock|FollowPath, grappling|Hide|Interpose|JoinUp|Land|LeaderFollow|OffsetPursue|Pipeline|Refuel|Undock|Within)/

describe('within no constraints', () => {
  it.each(Object.keys(BEHAVIORS).filter((name) => !SOFTER.test(name)))(
    'the demand of %s with force to spare is unchanged, bit-identically',
    (name) => {
      let compared = 0
      for (let seed = 0; seed < 10 && compared < pick(2, 10); seed++) {
        const scene = randomScene(seed)
        const strong = { ...scene, traits: { ...scene.traits, maxForce: 5000, maxSpeed: 20 } }
        const make = BEHAVIORS[name]!
        const bare = oneStep(strong, make(strong), new Hover())
        const { x, y, z } = bare.demand.force
        // a behaviour that divides `maxForce` may ask for all of it
        if (Math.hypot(x, y, z) > 4900) continue
        compared++
        const inside = oneStep(strong, within([], make(strong)), new Hover())
        expect(inside).toEqual(bare)
      }
      // these always ask for all of it
      if (!/unit$|^Stick, of a camera, drifting$/.test(name)) expect(compared).toBeGreaterThan(0)
    },
  )

  it.each(DRIVEN)('%s flies the same with any engine, also a weak one', (name) => {
    for (let seed = 0; seed < 8; seed++) {
      const scene = randomScene(seed)
      const gait = Object.keys(LOCOMOTIONS)[seed % 8]!
      const bare = oneStep(scene, BEHAVIORS[name]!(scene), LOCOMOTIONS[gait]!(scene))
      const inside = oneStep(scene, within([], BEHAVIORS[name]!(scene)), LOCOMOTIONS[gait]!(scene))
      // cut once instead of twice: rounding of 60 N
      expectVec(inside.force, bare.force, 1e-11, name)
      expectVec(inside.torque, bare.torque, 1e-9, name)
    }
  })

  it('Arrive still arrives', () => {
    const { world, faults } = quietWorld()
    const one = pilot(within([], new Arrive({ target: v(30, 5, -20) })), { maxForce: 20 })
    let arrivals = 0
    one.addEventListener('arrive', () => arrivals++)
    world.add(one)
    for (let i = 0; i < 900; i++) world.step(1 / 60)
    expectVec(one.position, v(30, 5, -20), 0.01)
    // it comes to rest within a few millimetres
    expect(norm(one.velocity)).toBeLessThan(0.05)
    expect(arrivals).toBe(1)
    expect(faults).toEqual([])
  })
})

describe('within constraints without demands', () => {
  const far = 1e5
  const rocks = [v(far, 0, 0), v(0, -far, 0), v(far, far, far)].map((at) => ball(at, 50))

  it.each(Object.keys(BEHAVIORS))('%s is bit-identical to itself without constraints', (name) => {
    for (let seed = 0; seed < 2; seed++) {
      const scene = randomScene(seed)
      const limits = [new AvoidObstacles({ obstacles: rocks }), room(far)]
      const bare = oneStep(scene, within([], BEHAVIORS[name]!(scene)), new Hover())
      expect(oneStep(scene, within(limits, BEHAVIORS[name]!(scene)), new Hover())).toEqual(bare)
    }
  })

  it('the same holds for a whole flight', () => {
    const flight = (limits: Constraint[]): number[][] => {
      const { world } = quietWorld({ seed: 3 })
      const wish = blend([new Wander(), { behavior: new Seek({ target: v(40, 0, 9) }), weight: 0.5 }])
      const one = pilot(within(limits, wish), { seed: 5 })
      world.add(one)
      return record(world, [one], 200)
    }
    const limited = flight([new AvoidObstacles({ obstacles: rocks }), room(far)])
    expect(firstDifference(limited, flight([]))).toBeNull()
  })
})

describe('demands of constraints', () => {
  it('are met, and the rest of the wish is kept', () => {
    const wish = pushing(v(50, -30, 20))
    // v* = F τ / m = (5, −3, 2)
    expectVec(wantedBy(within([], wish)), v(5, -3, 2), 1e-12)
    expectVec(wantedBy(within([atLeast(v(0, 1, 0), 1)], wish)), v(5, 1, 2), 1e-9)
    expectVec(wantedBy(within([atLeast(v(-1, 0, 0), -2)], wish)), v(2, -3, 2), 1e-9)
  })

  it('are solved together, not one after the other', () => {
    const diagonal = unit(v(1, 1, 0))
    const limits = [atLeast(v(1, 0, 0), 0), atLeast(times(diagonal, -1), 0)]
    // one after the other would end at y −1 or outside of the first: the nearest to (−2, 3) of x ≥ 0 and x +
    // y ≤ 0 is the corner
    expectVec(wantedBy(within(limits, pushing(v(-20, 30, 0)))), v(0, 0, 0), 1e-9)
    expectVec(wantedBy(within(limits.toReversed(), pushing(v(-20, 30, 0)))), v(0, 0, 0), 1e-9)
  })

  it('are solved within the force of the engines', () => {
    // 100 N, 1 kg, 0.1 s: no more than 10 m/s of change, of which 8 are demanded upwards
    const { force } = ask(within([atLeast(v(0, 1, 0), 8)], pushing(v(300, 0, 0))), {
      maxForce: 100,
      maxSpeed: 100,
      responseTime: 0.1,
    })
    expectVec(force, v(60, 80, 0), 1e-6)
  })

  it('if not all can be met, all are violated equally', () => {
    const limits = [atLeast(v(0, 1, 0), 4), atLeast(v(0, -1, 0), 2)]
    expectVec(wantedBy(within(limits, pushing(v(10, 0, 0)))), v(1, 1, 0), 0.05)
  })

  it('a demand to leave comes first, at full speed, and the first one counts', () => {
    const out = unit(v(1, 2, 2))
    const limits = [
      constraintOf((each) => each.setExit(out)),
      constraintOf((each) => each.setExit(v(0, -1, 0))),
    ]
    const velocity = wantedBy(within(limits, pushing(v(-50, 0, 0))), { maxSpeed: 8 })
    expectVec(velocity, times(out, 8), 1e-9)
  })

  it('a demand that is not finite is ignored', () => {
    for (const least of [Infinity, -Infinity, NaN])
      expectVec(wantedBy(within([atLeast(v(0, 1, 0), least)], pushing(v(10, 0, 0)))), v(1, 0, 0), 1e-12)
  })
})

describe('the inputs of constraints', () => {
  it('are the wanted velocity, not above the top speed, and the distance to the goal', () => {
    const watch = constraintOf(() => undefined)
    const velocity = v(1, 2, 0)
    ask(within([watch], pushing(v(0, 0, 40))), { velocity, responseTime: 0.1 })
    ask(within([watch], pushing(v(0, 0, 4000))), { velocity, responseTime: 0.1, maxSpeed: 6 })
    ask(within([watch], new Seek({ target: v(0, 30, 0) })))
    ask(within([watch], new Arrive({ target: v(0, 0, -12) })))
    ask(within([watch], new Wander()))
    expectVec(watch.wanted[0]!, v(1, 2, 4), 1e-12)
    expect(norm(watch.wanted[1]!)).toBeCloseTo(6, 9)
    expect(watch.reaches).toEqual([Infinity, Infinity, 30, 12, Infinity])
  })

  it('of several goals the nearest, also from deep in a combination', () => {
    const watch = constraintOf(() => undefined)
    const wish = blend([
      new Seek({ target: v(50, 0, 0) }),
      priority([idle(), new Arrive({ target: v(0, 9, 0) })]),
    ])
    ask(within([watch], wish))
    expect(watch.reaches).toEqual([9])
  })

  it('also through another `within`', () => {
    const watch = constraintOf(() => undefined)
    ask(within([watch], within([atLeast(v(0, 1, 0), -50)], new Arrive({ target: v(0, 7, 0) }))))
    expect(watch.reaches).toEqual([7])
  })

  it('the wish is collected only while the wishes are asked', () => {
    const wishes: (Agent['wish'] | undefined)[] = []
    const recorder: Behavior = {
      steer: (agent) => void wishes.push(agent.wish === null ? null : { ...agent.wish }),
    }
    ask(blend([recorder, within([], recorder), recorder]))
    expect(wishes[0]).toBeNull()
    expect(wishes[1]).toMatchObject({ goalDistance: Infinity, straightDistance: Infinity })
    expect(wishes[2]).toBeNull()
  })
})

describe('torque', () => {
  it('passes unchanged', () => {
    const face = (): Behavior => new Face({ target: v(5, 9, -3) })
    const bare = ask(face())
    const inside = ask(within([atLeast(v(0, 1, 0), 3)], face()))
    expect(inside.torque).toEqual(bare.torque)
    expect(norm(bare.torque)).toBeGreaterThan(0.1)
    expect(inside.force.y).toBeGreaterThan(1)
  })

  it('no torque stays none, so the locomotion turns the agent to its direction of flight', () => {
    const { world } = quietWorld()
    const one = pilot(within([atLeast(v(0, 1, 0), 0)], new Seek({ target: v(90, 0, 0) })))
    world.add(one)
    for (let i = 0; i < 180; i++) world.step(1 / 60)
    expectVec(one.attitude.x, v(1, 0, 0), 0.01)
  })
})

describe('nested', () => {
  it('all constraints count', () => {
    const inner = within([atLeast(v(0, 1, 0), 1)], pushing(v(50, -30, 20)))
    expectVec(wantedBy(within([atLeast(v(0, 0, -1), 1)], inner)), v(5, 1, -1), 1e-9)
  })

  it('within nothing, and nothing within, change nothing', () => {
    for (let seed = 0; seed < 8; seed++) {
      const scene = randomScene(seed)
      const make = (): Behavior => BEHAVIORS['Within']!(scene)
      const bare = oneStep(scene, make(), new Hover())
      const inside = oneStep(scene, within([], make()), new Hover())
      expectVec(inside.demand.force, bare.demand.force, 1e-9)
    }
  })

  it('keeps out of obstacles and in a room, whichever is outside', () => {
    const rocks = (): AvoidObstacles =>
      new AvoidObstacles({ obstacles: [ball(v(8, 0, 0), 2), ball(v(3, 9, 0), 3)] })
    const wish = (): Behavior => new Seek({ target: v(40, 0.1, 0) })
    for (const make of [
      () => within([rocks()], within([room(14)], wish())),
      () => within([room(14)], within([rocks()], wish())),
      () => within([rocks(), room(14)], wish()),
    ]) {
      const { world } = quietWorld()
      const one = pilot(make(), { maxForce: 30, radius: 0.5 })
      world.add(one)
      for (let i = 0; i < 300; i++) {
        world.step(1 / 60)
        expect(norm(minus(one.position, v(8, 0, 0)))).toBeGreaterThan(2.5)
        expect(one.position.x).toBeLessThan(13.5)
      }
      expect(one.position.x).toBeGreaterThan(12)
    }
  })

  it('work in blends and priorities', () => {
    const part = within([atLeast(v(0, 1, 0), 1)], pushing(v(50, -30, 20)))
    const options = { maxForce: 1e4, responseTime: 0.1 }
    expectVec(
      ask(blend([{ behavior: part, weight: 2 }, pushing(v(1, 0, 0))]), options).force,
      v(101, 20, 40),
      1e-6,
    )
    expectVec(ask(priority([idle(), part]), options).force, v(50, 10, 20), 1e-6)
    expectVec(
      ask(within([atLeast(v(0, 1, 0), 2)], blend([part, pushing(v(0, 0, -20))])), options).force,
      v(50, 20, 0),
      1e-6,
    )
  })
})

describe('a wish with bad answers', () => {
  const flight = (mind: Behavior): { bits: number[][]; faults: number; victim: SteeringController } => {
    const { world, faults } = quietWorld({ seed: 5 })
    const obstacles = new Obstacles([ball(v(12, 0, 0), 3), ball(v(12, 8, 3), 3)])
    const shared = within(
      [new AvoidObstacles({ obstacles }), room(30)],
      blend([new Seek({ target: v(60, 1, 1) }), { behavior: new Wander(), weight: 0.2 }]),
    )
    const birds = [-4, -2, 2, 4].map((y, i) => pilot(shared, { position: v(0, y, 0), seed: i, maxForce: 40 }))
    const victim = pilot(within([new AvoidObstacles({ obstacles }), room(30)], mind), { seed: 9 })
    // first, so that all others would meet any state that it leaves behind
    world.add(victim)
    birds.forEach((each) => world.add(each))
    const bits = record(world, birds, 90)
    return { bits, faults: faults.length, victim }
  }
  const calm = flight(idle())

  it.each<[string, () => Behavior]>([
    ['NaN', () => pushing(v(NaN, 0, 0))],
    ['Infinity', () => pushing(v(0, Infinity, 0))],
    ['an exception', () => ({ steer: () => expect.fail('out of cheese') })],
    ['NaN, deep inside', () => within([], blend([new Wander(), within([], pushing(v(0, 0, NaN)))]))],
  ])('%s: its agent is dropped and reported once, the others fly on bit-identically', (_, mind) => {
    const { bits, faults, victim } = flight(mind())
    expect(faults).toBe(1)
    expectVec(victim.force, v(0, 0, 0), 0)
    expect(bitsOf([victim]).every(Number.isFinite)).toBe(true)
    expect(firstDifference(bits, calm.bits)).toBeNull()
  })

  it('and one that recovers is steered again', () => {
    let isBad = true
    const { world, faults } = quietWorld()
    const unreliable: Behavior = { steer: (_agent, _step, out) => void (out.force.x += isBad ? NaN : 20) }
    const one = pilot(within([new AvoidObstacles({ obstacles: [ball(v(12, 0, 0), 3)] })], unreliable))
    world.add(one)
    for (let i = 0; i < 10; i++) world.step(1 / 60)
    isBad = false
    for (let i = 0; i < 60; i++) world.step(1 / 60)
    expect(faults).toHaveLength(1)
    expect(norm(one.velocity)).toBeGreaterThan(1)
  })

  it('a constraint that fails drops its agent as well', () => {
    const broken = constraintOf(() => expect.fail('no cheese either'))
    const { world, faults } = quietWorld()
    const one = pilot(within([broken], new Seek({ target: v(9, 0, 0) })))
    const other = pilot(new Seek({ target: v(9, 0, 0) }), { position: v(0, 9, 0) })
    world.add(one).add(other)
    for (let i = 0; i < 10; i++) world.step(1 / 60)
    expect(faults).toHaveLength(1)
    expectVec(one.velocity, v(0, 0, 0), 0)
    expect(norm(other.velocity)).toBeGreaterThan(0.1)
  })
})

describe('many agents', () => {
  const obstacles = (): Obstacles => {
    const random = seeded(8)
    const place = (): number => 30 * (random() - 0.5)
    return new Obstacles(
      Array.from({ length: 12 }, () => ball(v(place(), place(), place()), 1 + 2 * random())),
    )
  }
  const mind = (set: Obstacles): Behavior =>
    within(
      [new AvoidObstacles({ obstacles: set }), room(18)],
      blend([new Seek({ target: v(0, 0, 0) }), { behavior: new Wander(), weight: 0.5 }]),
    )
  const starts = [v(-15, 2, 0), v(14, -3, 1), v(2, 14, -2), v(1, 1, 15)]

  /** Exact states of four agents that share one behaviour or not, as controllers or as a flock. */
  function fly(shared: boolean, flock: boolean, noise = false): number[][] {
    const { world, faults } = quietWorld({ seed: 3 })
    const set = obstacles()
    const one = mind(set)
    const traits = { maxSpeed: 9, maxForce: 25, radius: 0.4 }
    let read: () => number[]
    if (flock) {
      const members = addFlock(world, {
        ...traits,
        behavior: one,
        count: 4,
        seed: 70,
        spawn: (i, { position, velocity, quaternion }) => {
          Object.assign(position, starts[i])
          Object.assign(velocity, v(0, 0, 0))
          Object.assign(quaternion, { x: 0, y: 0, z: 0, w: 1 })
        },
      })
      read = () =>
        [0, 1, 2, 3].flatMap((i) =>
          bitsOf([
            {
              position: members.position(i, v(0, 0, 0)),
              velocity: members.velocity(i, v(0, 0, 0)),
              quaternion: members.quaternion(i, { x: 0, y: 0, z: 0, w: 1 }),
            },
          ]),
        )
    } else {
      const pilots = starts.map((position, i) =>
        pilot(shared ? one : mind(set), { ...traits, maxTorque: undefined as never, position, seed: 70 + i }),
      )
      pilots.forEach((each) => world.add(each))
      read = () => bitsOf(pilots)
    }
    if (noise) world.add(pilot(one, { position: v(5, 5, 5), seed: 1 }))
    const bits = Array.from({ length: 200 }, () => {
      world.step(1 / 60)
      return read()
    })
    expect(faults).toEqual([])
    return bits
  }

  const reference = fly(true, false)

  it('share a behaviour as if each had its own', () => {
    expect(firstDifference(fly(false, false), reference)).toBeNull()
  })

  it('and as if there were no others', () => {
    expect(firstDifference(fly(true, false, true), reference)).toBeNull()
  })

  it('fly like the members of a flock', () => {
    expect(firstDifference(fly(true, true), reference)).toBeNull()
  })
})

describe('its parts', () => {
  it('are children, the wish last, so that all are found', () => {
    const [one, other, wish] = [atLeast(v(0, 1, 0), 0), atLeast(v(1, 0, 0), 0), new Wander()]
    const all = within([one, other], wish)
    expect(Reflect.get(all.constructor, 'type')).toBe('Within')
    expect([...all.children]).toEqual([one, other, wish])
  })

  it('may be added, removed and replaced while running', () => {
    const all = within([], pushing(v(50, -30, 20)))
    const { world } = quietWorld()
    const one = pilot(all, { maxForce: 1e6, responseTime: 0.1 })
    world.add(one)
    const wanted = (): Vec3Like => {
      world.step(1e-9)
      return times(one.demand.force, 0.1)
    }
    expectVec(wanted(), v(5, -3, 2), 1e-6)
    all.parts.push({ behavior: atLeast(v(0, 1, 0), 1) })
    expectVec(wanted(), v(5, 1, 2), 1e-6)
    all.wish = pushing(v(0, -30, 0))
    expectVec(wanted(), v(0, 1, 0), 1e-6)
    all.parts.length = 0
    expectVec(wanted(), v(0, -3, 0), 1e-6)
    expect(all.children).toHaveLength(1)
  })

  it('the list of constraints is a copy', () => {
    const list = [atLeast(v(0, 1, 0), 1)]
    const all = within(list, idle())
    list.pop()
    expectVec(wantedBy(all), v(0, 1, 0), 1e-9)
  })

  it('get their neighbours', () => {
    const rule = { neighborDistance: 5 }
    const rules = { separation: rule, alignment: rule, cohesion: rule }
    const near = [{ position: v(2, 0, 0) }]
    const bare = ask(new Flocking(rules), {}, near)
    expect(norm(bare.force)).toBeGreaterThan(1)
    const inside = ask(within([atLeast(v(0, 1, 0), -9)], new Flocking(rules)), {}, near)
    expectVec(inside.force, bare.force, 1e-9)
  })
})

describe('drawing', () => {
  it('changes nothing, bit-identically', () => {
    const flight = (traced: boolean): number[][] => {
      const { world } = quietWorld()
      let lines = 0
      const draw = { line: () => void lines++ }
      const limits = [
        new AvoidObstacles({ obstacles: [ball(v(9, 0, 0), 2), ball(v(20, 1, 0), 3)] }),
        room(30),
      ]
      const one = pilot(within(limits, new Seek({ target: v(40, 0, 0) })), { maxForce: 25 })
      world.add(one)
      if (traced) trace(world, draw)
      const bits = Array.from({ length: 150 }, () => {
        world.step(1 / 60)
        if (traced) trace(world, draw)
        return bitsOf([one])
      })
      if (traced) expect(lines).toBeGreaterThan(100)
      return bits
    }
    expect(firstDifference(flight(true), flight(false))).toBeNull()
  })
})

it('the force is never more than the agent can give, and points to the solution', () => {
  for (let seed = 0; seed < 12; seed++) {
    const scene = randomScene(seed)
    const { demand } = oneStep(scene, BEHAVIORS['Within']!(scene), new Hover())
    expect(norm(demand.force)).toBeLessThanOrEqual(scene.traits.maxForce * (1 + 1e-12))
  }
  const { force } = ask(within([atLeast(v(0, 1, 0), 1e6)], idle()))
  expect(dotOf(force, v(0, 1, 0))).toBeGreaterThan(90)
})
