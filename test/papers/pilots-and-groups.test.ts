import { describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidAgents,
  AvoidWalls,
  FollowPath,
  Guard,
  HalfSpaceShape,
  LookWhereGoing,
  neighborSearch,
  Obstacle,
  Obstacles,
  Path,
  SphereShape,
  SteeringController,
  SteeringWorld,
  type FollowPathOptions,
  type PointSource,
  type Vec3,
} from 'three-steering'
import { isCrowded, seeded, type Agent } from 'three-steering/authoring'
import { Formation, type FormationOptions, type FormationSlot } from 'three-steering/formation'
import { closestApproach } from '../../src/core/math/approach.js'
import { wing } from '../behaviors/formation/formation-kit.js'
import {
  about,
  crossOf,
  dotOf,
  expectVec,
  minus,
  norm,
  plus,
  times,
  turned,
  unit,
  v,
} from '../support/geometry.js'
import { Dummy, idle, pilot as makePilot } from '../support/pilot.js'
import { AGENT, AT, DT, FLYING, forceOf, MASS, place, RADIUS, servo, TAU, TOP, ZERO } from './kit.js'

/** Path following with a pilot, formations, and rules of the integrator, row by row. */

const smoothstep = (x: number): number => {
  const t = Math.min(1, Math.max(0, x))
  return t * t * (3 - 2 * t)
}

/** The velocity that a force asks for. */
const wantedBy = (force: Vec3, velocity: Vec3): Vec3 => plus(velocity, force, TAU / MASS)

/** Any direction. */
const anyUnit = (random: () => number): Vec3 => unit(v(random() - 0.5, random() - 0.5, random() - 0.5))

/** Off every axis and plane: two sections that turn by a right angle. */
const AHEAD = unit(v(1, 2, -2))
const TURN = unit(v(2, 1, 2))
const ASIDE = crossOf(AHEAD, TURN)
const [FIRST, SECOND] = [AT, plus(AT, AHEAD, 30)]
const THIRD = plus(SECOND, TURN, 25)
const END = plus(THIRD, ASIDE, 40)

describe('Green, Follow Path', () => {
  const path = new Path({ points: [FIRST, SECOND, THIRD, END], curve: 'polyline' })
  const hooks = (options: Partial<FollowPathOptions> = {}): FollowPath =>
    new FollowPath({ path, technique: 'grappling-hooks', ...options })
  const strong = { velocity: FLYING, maxForce: 1e6 }
  /** Where it heads from `before` (m) ahead of the second waypoint, and `aside` (m) of the section. */
  const heading = (behavior: FollowPath, before: number, aside = 0): Vec3 => {
    const position = plus(plus(SECOND, AHEAD, -before), ASIDE, aside)
    return unit(wantedBy(forceOf(behavior, { ...strong, position }), FLYING))
  }
  const to = (target: Vec3, before: number, aside = 0): Vec3 =>
    unit(minus(target, plus(plus(SECOND, AHEAD, -before), ASIDE, aside)))

  it('G101: a waypoint is reached within closeness · radius, which is 2 · radius', () => {
    for (const closeness of [undefined, 0.5, 5]) {
      const reach = (closeness ?? 2) * RADIUS
      const behavior = (): FollowPath => hooks(closeness === undefined ? {} : { closeness })
      // beside the section as well: the distance counts, not the station
      for (const aside of [0, 0.6 * reach]) {
        const edge = Math.sqrt(reach ** 2 - aside ** 2)
        const [far, near] = [1.01 * edge, 0.99 * edge]
        expectVec(heading(behavior(), far, aside), to(SECOND, far, aside), 1e-6)
        expectVec(heading(behavior(), near, aside), to(THIRD, near, aside), 1e-6)
      }
    }
  })

  it('G127: a waypoint of a group is reached by any member within range of it', () => {
    const member = (away: number): PointSource => ({ position: plus(SECOND, ASIDE, away) })
    const group = (away: number): FollowPath => hooks({ group: [member(40), member(away)] })
    expectVec(heading(group(0.99 * 2 * RADIUS), 12), to(THIRD, 12), 1e-6)
    expectVec(heading(group(1.01 * 2 * RADIUS), 12), to(SECOND, 12), 1e-6)
  })

  it('G132: a waypoint inside an obstacle is reached as near as the obstacle lets the agent come', () => {
    const radius = 3
    const obstacles = new Obstacles([{ shape: new SphereShape(radius), at: SECOND }])
    const reach = radius + RADIUS + 2 * RADIUS
    expectVec(heading(hooks({ obstacles }), 1.01 * reach), to(SECOND, 1.01 * reach), 1e-6)
    expectVec(heading(hooks({ obstacles }), 0.99 * reach), to(THIRD, 0.99 * reach), 1e-6)
  })

  /** On the last section, `before` (m) ahead of the end and `aside` (m) of it. */
  const last = (before: number, aside: number): Vec3 => plus(plus(END, ASIDE, -before), AHEAD, aside)

  it('G133: ARRIVE_WITH_VELOCITY: the last waypoint is sought at full speed', () => {
    for (const before of [3, 7, 20]) {
      const position = last(before, 1.5)
      const force = forceOf(hooks({ end: 'pass' }), { ...strong, position })
      expectVec(force, servo(times(unit(minus(END, position)), TOP), FLYING), 1e-6)
    }
  })

  it('G102: closeness_to_last_waypoint: within it the agent stops where it is', () => {
    const endCloseness = 6
    for (const share of [0.3, 0.99]) {
      const position = plus(END, unit(minus(AHEAD, ASIDE)), share * endCloseness * RADIUS)
      expectVec(forceOf(hooks({ endCloseness }), { ...strong, position }), servo(ZERO, FLYING), 1e-6)
    }
  })

  it('G136: LOOSE_POSITIONING is an arrival with a distance threshold; ACCURATE keeps to the section', () => {
    for (const before of [4, 9, 20]) {
      const position = last(before, 1.5)
      const loose = forceOf(hooks({ endCloseness: 1 }), { ...strong, position })
      const arrive = forceOf(new Arrive({ target: END }), { ...strong, position })
      expectVec(loose, arrive, 2e-3 * norm(arrive))
      // towards a point of the section before its end
      const wanted = unit(wantedBy(forceOf(hooks(), { ...strong, position }), FLYING))
      const time = -1.5 / dotOf(wanted, AHEAD)
      const meets = plus(position, wanted, time)
      const left = dotOf(minus(END, meets), ASIDE)
      expect(time).toBeGreaterThan(0)
      expectVec(meets, last(left, 0), 0.1)
      expect(left).toBeGreaterThan(0.05)
      expect(left).toBeLessThan(before)
    }
  })

  // straight, with a waypoint 8 m ahead
  const straight = new Path({ points: [AT, plus(AT, AHEAD, 8), plus(AT, AHEAD, 900)], curve: 'polyline' })

  it('G103: the speed falls with the density: the areas around the waypoint over that of its ball', () => {
    const crowdRadius = 4
    const crowdSpeed = 0.2
    const random = seeded(3)
    for (const count of [0, 2, 5, 9]) {
      const others = Array.from({ length: count }, () => ({
        position: plus(plus(AT, AHEAD, 8), anyUnit(random), 2.5),
        velocity: ZERO,
        radius: 0.4 + 1.1 * random(),
      }))
      const areas = others.reduce((sum, { radius }) => sum + (radius / crowdRadius) ** 2, 0)
      const behavior = new FollowPath({
        path: straight,
        technique: 'grappling-hooks',
        end: 'pass',
        crowdRadius,
        crowdSpeed,
        neighborSearch,
      })
      let crowded = -1
      const watched = {
        reach: 100,
        neighborSearch,
        steer: (agent: Agent, ...rest: [never, never]): void => {
          crowded = isCrowded(agent, plus(AT, AHEAD, 8), crowdRadius)
          behavior.steer(agent, ...rest)
        },
      }
      const force = forceOf(watched, { position: AT, velocity: FLYING, maxForce: 1e6 }, others)
      expect(crowded).toBeCloseTo(Math.min(1, areas), 9)
      const speed = TOP * (1 - (1 - crowdSpeed) * smoothstep(areas))
      expectVec(force, servo(times(AHEAD, speed), FLYING), 1e-6)
    }
  })

  it('G104: the speed falls with the angle of the facing direction, and is almost none from a given one', () => {
    const facing = 1.2
    const axis = unit(v(2, -1, 3))
    const speeds = [0, 0.3, 0.59, 0.75, 0.9, 1.1, 1.21, 2, 3].map((angle) => {
      // the nose of the agent, its z axis, is turned off the path by the angle
      const quaternion = about(axis, 0.8)
      const nose = turned(quaternion, v(0, 0, 1))
      const across = unit(crossOf(nose, v(1, 0.3, -0.2)))
      const ahead = turned(about(across, angle), nose)
      const along = new Path({ points: [AT, plus(AT, ahead, 500)], curve: 'polyline' })
      const behavior = new FollowPath({ path: along, technique: 'grappling-hooks', end: 'pass', facing })
      const force = forceOf(behavior, { position: AT, velocity: ZERO, quaternion, maxForce: 1e6 })
      const speed = norm(wantedBy(force, ZERO))
      expectVec(unit(force), ahead, 1e-6)
      return { speed, formula: TOP * (1 - smoothstep((2 * angle) / facing - 1)) }
    })
    for (const { speed, formula } of speeds)
      if (formula > 0.06 * TOP) expect(speed).toBeCloseTo(formula, 6)
      else expect(speed).toBeLessThan(0.06 * TOP)
  })

  it('G87: dog on a string: seeks a point that is moved along the path', () => {
    const behavior = new FollowPath({ path, technique: 'dog-on-a-string', lookAhead: 5 })
    const { world, pilot } = place(behavior, { position: plus(AT, ASIDE, 1), velocity: ZERO, maxForce: 1e3 })
    for (let i = 0; i < 150; i++) {
      const [position, velocity] = [plus(pilot.position, ZERO), plus(pilot.velocity, ZERO)]
      world.step(DT)
      const dog = behavior.stationOf(pilot)
      const target = dog < 30 ? plus(FIRST, AHEAD, dog) : plus(SECOND, TURN, dog - 30)
      expectVec(unit(wantedBy(pilot.demand.force, velocity)), unit(minus(target, position)), 1e-6)
    }
  })

  it('G88: the string: the point is twice as fast while it is slack, and waits while it is twice as long', () => {
    const lookAhead = 5
    const body = new Dummy({ position: { ...AT }, velocity: { ...ZERO } })
    const behavior = new FollowPath({ path: straight, technique: 'dog-on-a-string', lookAhead, end: 'pass' })
    const world = new SteeringWorld()
    const agent = makePilot(behavior, { ...AGENT, body })
    world.add(agent)
    world.step(DT)
    for (const tension of [0.2, 0.7, 1, 1.6, 2, 2.5]) {
      const before = behavior.stationOf(agent)
      const dog = plus(AT, AHEAD, before)
      Object.assign(body.state.position, plus(dog, unit(plus(ASIDE, AHEAD, -1)), tension * lookAhead))
      world.step(DT)
      const formula = TOP * Math.min(2, Math.max(0, 2 - tension)) * DT
      expect(behavior.stationOf(agent) - before).toBeCloseTo(formula, 9)
    }
  })

  /** Moves an agent along the path by hand: one bit of the pilot's word for each step. */
  const carried = (options: object = {}) => {
    const window = 3.2
    const body = new Dummy({ position: { ...AT }, velocity: times(AHEAD, 3) })
    const pilot = { window, threshold: 1, ...options }
    const behavior = new FollowPath({ path: straight, technique: 'grappling-hooks', pilot })
    const world = new SteeringWorld()
    const agent = makePilot(behavior, { ...AGENT, body })
    world.add(agent)
    const step = (by: number): number => {
      Object.assign(body.state.position, plus(body.state.position, AHEAD, by))
      world.step(window / 32)
      return behavior.metricsOf(agent)!.stuck
    }
    return { step }
  }

  it('G96: is_stuck: the steps without forward progress over the length of a word of 32 bits', () => {
    const random = seeded(5)
    const { step } = carried()
    // in its first step it has not moved
    const word: number[] = Array.from({ length: 31 }, () => 1)
    word.push(0)
    step(0)
    for (let i = 0; i < 120; i++) {
      const by = (random() - 0.4) * 0.8
      const stuck = step(by)
      word.shift()
      word.push(by > 0.02 ? 1 : 0)
      expect(stuck).toBeCloseTo(1 - word.filter((bit) => bit === 1).length / 32, 9)
    }
  })

  it('G97: a glitch backwards is one bit', () => {
    const { step } = carried()
    for (let i = 0; i < 40; i++) step(0.5)
    expect(step(-0.1)).toBe(1 / 32)
    for (let i = 0; i < 31; i++) expect(step(0.5)).toBe(1 / 32)
    expect(step(0.5)).toBe(0)
  })

  it('G100: renavigates in the step in which is_stuck comes to the threshold', () => {
    for (const threshold of [0.25, 0.5, 0.9]) {
      const calls: number[] = []
      const { step } = carried({ threshold, renavigate: () => void calls.push(1) })
      for (let i = 0; i < 40; i++) step(0.5)
      let steps = 0
      while (calls.length === 0 && steps < 100) {
        step(-0.5)
        steps++
      }
      expect(steps).toBe(Math.ceil(threshold * 32))
    }
  })
})

/** A wing of agents that keep their slots. */
const group = (options: FormationOptions) => {
  const one = wing(options)
  const add: typeof one.add = (...state) => one.add(...state)
  return { formation: one.formation, ships: one.ships, add, step: () => one.step() }
}

describe('Green, formations', () => {
  const leaderAt = (angle: number, velocity: Vec3 = ZERO) => ({
    position: plus(AT, ZERO),
    velocity: { ...velocity },
    quaternion: about(unit(v(1, -2, 2)), angle),
    angularVelocity: { ...ZERO },
    forward: v(1, 0, 0),
    up: v(0, 1, 0),
  })
  const SLOTS = [v(-3, 1, 2), v(-1, -2, -4), v(4, 0.5, 1)]
  const pattern = (count: number): FormationSlot[] => SLOTS.slice(0, count).map((position) => ({ position }))
  const places = (formation: Formation, ships: readonly { id: number }[]): Vec3[] =>
    ships.map(({ id }) => plus(formation.placeOf(id)!, ZERO))
  const byX = (list: readonly Vec3[]): Vec3[] => [...list].sort((a, b) => a.x - b.x)

  it('G72: positions in leader space: the leader’s place plus its attitude times the slot', () => {
    for (const angle of [0.7, 3.1]) {
      const leader = leaderAt(angle)
      const { formation, ships, add, step } = group({ spacing: 3, pattern, leader })
      for (let i = 0; i < 3; i++) add(plus(AT, v(3, 1, 2), i - 1))
      for (let k = 0; k < 240; k++) step()
      const formula = SLOTS.map((slot) => plus(AT, turned(leader.quaternion, slot)))
      for (const [i, found] of byX(places(formation, ships)).entries())
        expectVec(found, byX(formula)[i]!, 1e-6)
    }
  })

  it('G73: local spaces passed down a tree: each frame is given in that of its parent', () => {
    const leader = leaderAt(1.1)
    const parent = new Formation({ spacing: 20, pattern, leader, leaderApart: false })
    const child = wing({ spacing: 3, pattern: () => [{ position: v(-2, 3, 1) }], parent })
    child.add(AT)
    for (let k = 0; k < 900; k++) child.step()
    const formula = plus(AT, turned(leader.quaternion, plus(SLOTS[0]!, v(-2, 3, 1))))
    expectVec(child.formation.placeOf(child.ships[0]!.id)!, formula, 1e-6)
  })

  it('G121: a wheel: speed of the frame plus rate times distance is no more than the outermost can fly', () => {
    const leader = leaderAt(0, v(6, 0, 0))
    const { formation, ships, add, step } = group({
      spacing: 4,
      pattern: () => [v(0, 0, -12), v(0, 3, 12)].map((position) => ({ position })),
      leader,
    })
    add(plus(AT, v(0, 0, -12)), { velocity: leader.velocity })
    add(plus(AT, v(0, 3, 12)), { velocity: leader.velocity })
    let fastest = 0
    let rate = 0
    for (let k = 0; k < 180; k++) {
      if (k === 60) Object.assign(leader.quaternion, about(unit(v(0.3, 1, 0)), 2))
      step()
      const { anchor } = formation
      rate = Math.max(rate, norm(anchor.angularVelocity))
      for (const each of k < 2 ? [] : places(formation, ships)) {
        const swing = crossOf(anchor.angularVelocity, minus(each, anchor.position))
        fastest = Math.max(fastest, norm(plus(anchor.velocity, swing)))
      }
      Object.assign(leader.position, plus(leader.position, leader.velocity, 1 / 60))
    }
    expect(rate).toBeGreaterThan(0.2)
    expect(fastest).toBeLessThan(15 * 1.001)
  })

  it('G122: a slot that is in the way is interpolated with its place in a column', () => {
    const leader = leaderAt(0, v(5, 0, 0))
    const slots = [v(-2, 1, -4), v(-3, 1, 4)]
    const house = { shape: new SphereShape(3), at: plus(AT, v(25, 1, 5)) }
    const { formation, ships, add, step } = group({
      spacing: 4,
      pattern: () => slots.map((position) => ({ position })),
      leader,
      obstacles: new Obstacles([house]),
      passing: 'each',
      columnSpacing: 4,
    })
    for (const slot of slots) add(plus(AT, slot), { velocity: leader.velocity })
    const shares: number[] = []
    for (let k = 0; k < 700; k++) {
      step()
      if (k > 2) {
        const [port, starboard] = places(formation, ships).map((each) =>
          minus(each, formation.anchor.position),
        )
        expectVec(port!, slots[0]!, 1e-6)
        const way = minus(v(-8, 0, 0), slots[1]!)
        const share = dotOf(minus(starboard!, slots[1]!), way) / norm(way) ** 2
        expectVec(starboard!, plus(slots[1]!, way, share), 1e-3)
        shares.push(share)
      }
      Object.assign(leader.position, plus(leader.position, leader.velocity, 1 / 60))
    }
    expect(Math.max(...shares)).toBeGreaterThan(0.2)
    expect(Math.max(...shares)).toBeLessThan(1 + 1e-6)
    expect(shares.at(-1)!).toBeLessThan(1e-3)
  })

  it('G124: space warped round a bend: a slot behind the leader lies that far back on its way', () => {
    // on a circle in a tilted plane
    const [radius, speed] = [20, 5]
    const normal = unit(v(1, 3, -1))
    const a = unit(crossOf(normal, v(0, 0, 1)))
    const b = crossOf(normal, a)
    const onCircle = (angle: number): Vec3 =>
      plus(plus(AT, a, radius * Math.cos(angle)), b, radius * Math.sin(angle))
    const course = (angle: number): Vec3 => plus(times(a, -Math.sin(angle)), b, Math.cos(angle))
    const leader = { position: onCircle(0), velocity: times(course(0), speed) }
    const { formation, ships, add, step } = group({
      spacing: 3,
      pattern: () => [v(-6, 0, 0), v(-12, 0, 0)].map((position) => ({ position })),
      leader,
      warp: true,
    })
    for (const back of [6, 12])
      add(onCircle(-back / radius), { velocity: times(course(-back / radius), speed) })
    let angle = 0
    for (let k = 0; k < 360; k++) {
      step()
      if (k > 300)
        for (const [i, back] of [6, 12].entries())
          expectVec(formation.placeOf(ships[i]!.id)!, onCircle(angle - back / radius), 0.02)
      expect(formation.size).toBe(2)
      angle += speed / radius / 60
      Object.assign(leader.position, onCircle(angle))
      Object.assign(leader.velocity, times(course(angle), speed))
    }
  })

  it('G125: the pace of the slowest, times the share that the leader may take', () => {
    for (const leaderShare of [0.6, 0.9, 1]) {
      const leader = leaderAt(0.4)
      const { formation, add, step } = group({ spacing: 3, pattern, leader, leaderShare, pace: 'slowest' })
      const speeds = [11, 7, 13]
      for (const [i, maxSpeed] of speeds.entries())
        add(plus(AT, turned(leader.quaternion, SLOTS[i]!)), { maxSpeed })
      for (let k = 0; k < 30; k++) step()
      expect(formation.paceLimit).toBeCloseTo(leaderShare * 7, 6)
    }
  })

  it('G128: extents: two slots are at least two of the largest radii and a clearance apart', () => {
    const asked: number[] = []
    const { add, step } = group({
      spacing: 3,
      memberClearance: 1.5,
      leader: leaderAt(0),
      pattern: (count, spacing) => {
        asked.push(spacing)
        return Array.from({ length: count }, (_, i) => ({ position: v(-spacing * i, 0, 0) }))
      },
    })
    for (const radius of [0.3, 0.7]) add(plus(AT, v(-20 * radius, 0, 0)), { radius })
    step()
    step()
    expect(asked.at(-1)).toBe(Math.max(3, 2 * 0.7 + 1.5))
    add(plus(AT, v(-30, 0, 0)), { radius: 2.5 })
    for (let k = 0; k < 3; k++) step()
    expect(asked.at(-1)).toBe(2 * 2.5 + 1.5)
  })
})

describe('Green, Unaligned Collision Avoidance', () => {
  const random = seeded(6)
  const quaternion = about(anyUnit(random), 1.3)
  const avoid = (): AvoidAgents => new AvoidAgents({ neighborDistance: 100, clearance: 0.5 })
  /** Two agents on courses that cross, and what each does along its own. */
  const along = (paceA: number, paceB: number): [number, number] => {
    const [x, z] = [turned(quaternion, v(1, 0, 0)), turned(quaternion, v(0, 0, 1))]
    const a = { position: plus(AT, x, -2 * paceA), velocity: times(x, paceA), seed: 3, maxForce: 500 }
    const b = { position: plus(AT, z, -2 * paceB), velocity: times(z, paceB), seed: 9, maxForce: 500 }
    return [dotOf(forceOf(avoid(), a, [b]), x), dotOf(forceOf(avoid(), b, [a]), z)]
  }

  it('G118: with spare speed one speeds up and the other slows down; at full speed one slows down', () => {
    const [a, b] = along(5, 5)
    expect(Math.sign(a)).toBe(-Math.sign(b))
    expect(Math.abs(a)).toBeGreaterThan(1)
    const [least, most] = along(TOP, TOP).sort((c, d) => c - d)
    expect(least).toBeLessThan(-0.5)
    expect(Math.abs(most)).toBeLessThan(1e-9)
  })

  it('G119: the velocity less the mean of both only stretches the relative velocity: no other distance', () => {
    for (let n = 0; n < 50; n++) {
      const any = (k: number): Vec3 => times(anyUnit(random), k * random())
      const [p, a, b, k] = [any(40), any(9), any(9), random()]
      const mean = times(plus(a, b), 1 / 2)
      const relative = (share: number): Vec3 =>
        minus(plus(b, minus(b, mean), share), plus(a, minus(a, mean), share))
      const pass = (w: Vec3): Vec3 => plus(p, w, Math.max(0, -dotOf(p, w) / dotOf(w, w)))
      const found = v(0, 0, 0)
      closestApproach(found, p, relative(k))
      expectVec(found, pass(relative(0)), 1e-9)
    }
  })
})

describe('other rows', () => {
  it('G85: the centre stops at the surface of a wall, and loses its speed into it', () => {
    const random = seeded(2)
    for (let i = 0; i < 20; i++) {
      const n = anyUnit(random)
      const velocity = plus(times(n, -20 - 20 * random()), times(anyUnit(random), 8))
      const depth = 0.2 * random()
      const position = plus(AT, n, depth)
      const guard = new Guard(new Obstacles([{ shape: new HalfSpaceShape(n), at: AT }]))
      const world = new SteeringWorld({ guard })
      const one = new SteeringController(null, { ...AGENT, behavior: idle(), position, velocity })
      world.add(one)
      world.step(DT)
      const along = plus(velocity, n, -dotOf(velocity, n))
      expectVec(one.velocity, along, 1e-6)
      expectVec(one.position, plus(plus(position, along, DT), n, -depth), 1e-6)
    }
  })

  it.each([
    ['G82: a series of previous velocities, averaged, is the facing direction', 1],
    ['D42: the heading is smoothed apart from the velocity', 2],
  ])('%s', (_, seed) => {
    const smoothing = 0.25
    const body = new Dummy({ position: { ...AT }, velocity: { ...FLYING } })
    const world = new SteeringWorld()
    const agent = makePilot(new LookWhereGoing({ smoothing }), { ...AGENT, maxTorque: 1e4, body })
    world.add(agent)
    const random = seeded(seed)
    let average = FLYING
    for (let i = 0; i < 20; i++) {
      if (i > 0) {
        Object.assign(body.state.velocity, times(anyUnit(random), 9))
        average = plus(average, minus(body.state.velocity, average), 1 - Math.exp(-DT / smoothing))
      }
      world.step(DT)
      const other = new Dummy({ position: { ...AT }, velocity: { ...average } })
      const same = makePilot(new LookWhereGoing({ smoothing: 0 }), { ...AGENT, maxTorque: 1e4, body: other })
      new SteeringWorld().add(same).step(DT)
      expectVec(agent.demand.torque, same.demand.torque, 1e-6)
      expect(norm(agent.demand.torque)).toBeGreaterThan(0)
    }
  })

  it('D37: three feelers: the deepest penetration of the wall, perpendicular to it', () => {
    const random = seeded(12)
    const [angle, sideShare, horizon] = [0.6, 0.7, 1]
    let bySide = 0
    for (let i = 0; i < 200; i++) {
      const n = anyUnit(random)
      const velocity = times(anyUnit(random), 2 + 6 * random())
      const position = plus(AT, n, 0.5 + 5 * random())
      const walls = new AvoidWalls({
        obstacles: [new Obstacle({ shape: new HalfSpaceShape(n), at: AT })],
        method: 'feelers',
        feelers: 2,
        angle,
        sideShare,
        horizon,
        gain: 1,
      })
      const y = v(0, 0, 0)
      const watched = {
        steer: (agent: Agent, ...rest: [never, never]): void => {
          Object.assign(y, agent.course.y)
          walls.steer(agent, ...rest)
        },
      }
      const force = forceOf(watched, { position, velocity })
      // the two at the side lie in the plane of the course and of the agent's own up
      const course = unit(velocity)
      const reach = norm(velocity) * horizon + 2 * RADIUS
      const feelers = [
        times(course, reach),
        ...[1, -1].map((side) =>
          times(plus(times(course, Math.cos(angle)), y, side * Math.sin(angle)), sideShare * reach),
        ),
      ]
      const depths = feelers.map((feeler) => Math.max(0, -dotOf(plus(minus(position, AT), feeler), n)))
      if (depths[0] === 0 && Math.max(...depths) > 0) bySide++
      expectVec(force, times(n, ((MASS / TAU) * Math.max(...depths)) / horizon), 1e-6)
    }
    expect(bySide).toBeGreaterThan(5)
  })
})
