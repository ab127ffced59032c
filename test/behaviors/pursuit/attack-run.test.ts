import * as CANNON from 'cannon-es'
import { describe, expect, it } from 'vitest'
import {
  AttackRun,
  Flight,
  Hover,
  SteeringController,
  type AttackRunOptions,
  type Fault,
  type Locomotion,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { angleBetween, dotOf, expectVec, minus, norm, plus, times, unit, v } from '../../support/geometry.js'
import { ask, quietWorld } from '../../support/pilot.js'
import { FULL, pick } from '../../support/tier.js'

/** Motion of a target: writes its velocity at a time. */
type Flown = (time: number) => Vec3

const TARGETS: Readonly<Record<string, Flown>> = {
  'at rest': () => v(0, 0, 0),
  'that flies straight on': () => v(25, 0, 0),
  'that comes': () => v(0, 4, -30),
  'that circles': (time) => v(30 * Math.cos(0.3 * time), 0, 30 * Math.sin(0.3 * time)),
  'that weaves and climbs': (time) => v(30, 8 * Math.cos(0.9 * time), 12 * Math.sin(0.7 * time)),
}
const SHIPS: Readonly<Record<string, () => Locomotion>> = {
  'a drone': () => new Hover(),
  'an aircraft': () => new Flight({ minSpeed: 25 }),
}

const RANGE = 250
const ROOM = 50
const SHOT = 400
const CONE = 0.1
/** A shot is well aimed if it comes this near (rad). */
const AIMED = 0.02
const SHIP = {
  maxSpeed: 60,
  mass: 1000,
  maxForce: 40_000,
  maxTorque: 40_000,
  maxTurnRate: 4,
  responseTime: 0.2,
}

interface Sortie {
  /**
   * For each pass the time (s) during which a shot would have come within the cone of the target, by the
   * oracle below.
   */
  readonly passes: readonly number[]
  readonly least: number
  readonly stages: readonly string[]
  readonly reasons: readonly string[]
  /** Directions from the target to the attacker at the start of each attack. */
  readonly sides: readonly Vec3[]
  readonly faults: readonly Fault[]
}

interface Setting {
  readonly flown?: Flown
  readonly ship?: () => Locomotion
  readonly options?: Partial<AttackRunOptions>
  readonly rate?: number
  readonly seconds?: number
  readonly body?: boolean
  readonly start?: Vec3
}

/**
 * Flies attacks against a target that is moved by hand. Whether the guns bear is found by firing: a shot
 * leaves along the nose at this moment, with the ship's velocity added, against the target's real motion.
 */
function sortie(setting: Setting): Sortie {
  const { flown = TARGETS['at rest']!, ship = SHIPS['a drone']!, options, rate = 60, seconds = 55 } = setting
  const { world, faults } = quietWorld()
  const target = { position: v(0, 0, 600), velocity: flown(0) }
  const aim = ship === SHIPS['a drone'] ? 'nose' : 'course'
  const behavior = new AttackRun({
    aim,
    target,
    range: RANGE,
    minRange: ROOM,
    projectileSpeed: SHOT,
    firingAngle: CONE,
    ...options,
  })
  const engine = new CANNON.World()
  const body = new CANNON.Body({
    mass: SHIP.mass,
    shape: new CANNON.Box(new CANNON.Vec3(1.2, 1.2, 1.2)),
    linearDamping: 0,
    angularDamping: 0,
  })
  const start = setting.start ?? v(10, 0, 40)
  body.velocity.set(start.x, start.y, start.z)
  const own = setting.body
    ? { body: cannonBody(body) }
    : { velocity: start, inertia: v(1000, 1000, 1000), mass: SHIP.mass }
  const { mass: _, ...traits } = SHIP
  const pilot = new SteeringController(null, { behavior, locomotion: ship(), ...traits, ...own })
  if (setting.body) {
    engine.addBody(body)
    attachToCannon(world, engine)
  }
  world.add(pilot)
  const stages: string[] = []
  const reasons: string[] = []
  const sides: Vec3[] = []
  const passes: number[] = []
  let smallest = Infinity
  pilot.addEventListener('stage', ({ stage, reason }) => {
    stages.push(stage)
    reasons.push(reason)
    if (stage !== 'attack') return
    sides.push(unit(minus(pilot.position, target.position)))
    passes.push(0)
  })
  for (let i = 0; i < seconds * rate; i++) {
    const dt = 1 / rate
    target.velocity = flown(i * dt)
    target.position = plus(target.position, target.velocity, dt)
    if (setting.body) engine.step(dt)
    else world.step(dt)
    const distance = minus(target.position, pilot.position)
    smallest = Math.min(smallest, norm(distance))
    if (stages.at(-1) === 'attack' && hits(pilot, distance, (time) => flown(i * dt + time)))
      passes[passes.length - 1]! += dt
  }
  return { passes, least: smallest, stages, reasons, sides, faults }
}

/** Whether a shot fired now comes near enough to a target `off` away that moves like this. */
function hits(pilot: SteeringController, distance: Vec3, flown: Flown): boolean {
  const shot = plus(pilot.velocity, pilot.attitude.x, SHOT)
  const dt = 0.02
  let gap = distance
  let best = Math.PI
  for (let time = 0; time < 1; time += dt) {
    gap = plus(gap, minus(flown(time), shot), dt)
    best = Math.min(best, norm(gap) / (SHOT * time + 1))
    if (dotOf(gap, minus(flown(time), shot)) > 0) break
  }
  return best < AIMED
}

describe.each(Object.keys(SHIPS))('%s', (ship) => {
  it.each(Object.keys(TARGETS))(
    'attacks a target %s: the guns bear in each pass, and the agent breaks off in time and comes back',
    (name) => {
      const {
        passes,
        least: smallest,
        stages,
        faults,
      } = sortie({ flown: TARGETS[name]!, ship: SHIPS[ship]! })
      expect(passes.length).toBeGreaterThanOrEqual(2)
      // The last pass may be cut short by the end of the run.
      for (const time of passes.slice(0, -1)) expect(time).toBeGreaterThan(0.5)
      expect(smallest).toBeGreaterThan(0.85 * ROOM)
      expect(stages.slice(0, 4)).toEqual(['attack', 'break', 'extend', 'approach'])
      expect(faults).toEqual([])
    },
  )
})

it.each([30, 240])('%i steps per second give the same as 60', (rate) => {
  const flown = TARGETS['that flies straight on']!
  const there = sortie({ flown, rate, seconds: pick(25, 40) })
  const here = sortie({ flown, seconds: pick(25, 40) })
  expect(there.stages).toEqual(here.stages)
  expect(Math.abs(there.passes[0]! - here.passes[0]!)).toBeLessThan(0.25)
  expect(Math.abs(there.least - here.least)).toBeLessThan(3)
})

it.each(Object.keys(SHIPS))('works on a cannon-es body: %s', (ship) => {
  const flown = TARGETS['that flies straight on']!
  const { passes, least: smallest, faults } = sortie({ flown, ship: SHIPS[ship]!, body: true, seconds: 50 })
  expect(passes.length).toBeGreaterThanOrEqual(2)
  expect(passes[0]!).toBeGreaterThan(1)
  expect(smallest).toBeGreaterThan(0.85 * ROOM)
  expect(faults).toEqual([])
})

it('works against targets that turn and climb in random ways (all of them: ACCEPTANCE=full)', () => {
  const times: number[] = []
  const leasts: number[] = []
  for (let seed = 1; seed <= pick(2, 8, 150); seed++) {
    const random = seeded(seed)
    const spread = (size: number): number => size * (2 * random() - 1)
    const [rate, speed, phase, climb] = [0.35 * random(), 35 * random(), spread(1), spread(8)]
    const flown: Flown = (time) => {
      const angle = rate * time + phase
      return v(speed * Math.cos(angle), climb * Math.sin(time / 2), speed * Math.sin(angle))
    }
    const ship = Object.values(SHIPS)[seed % 2]!
    const start = v(spread(40), spread(10), 20 + 20 * random())
    const { passes, least: smallest, faults } = sortie({ flown, ship, start, seconds: 60 })
    expect(faults).toEqual([])
    times.push(...passes.slice(0, -1))
    leasts.push(smallest)
  }
  const sorted = times.toSorted((a, b) => a - b)
  if (FULL)
    process.stdout.write(
      `${times.length} passes, on target p5 ${sorted[Math.floor(0.05 * times.length)]!.toFixed(2)} s, ` +
        `median ${sorted[times.length >> 1]!.toFixed(2)} s, nearest ${Math.min(...leasts).toFixed(1)} m of ${ROOM}\n`,
    )
  expect(sorted[times.length >> 1]!).toBeGreaterThan(1.2)
  expect(Math.min(...leasts)).toBeGreaterThan(0.85 * ROOM)
})

describe('the side of the attack', () => {
  it.each<[AttackRunOptions['side'] & {}, string, Vec3]>([
    ['behind', 'that flies straight on', v(-1, 0, 0)],
    ['above', 'at rest', v(0, 1, 0)],
    ['above', 'that flies straight on', v(0, 1, 0)],
    [v(3, 3, 0), 'at rest', unit(v(1, 1, 0))],
    [v(0, -2, 0), 'at rest', v(0, -1, 0)],
  ])('%o of a target %s is reached', (from, name, side) => {
    const {
      sides,
      passes,
      least: smallest,
      faults,
    } = sortie({
      flown: TARGETS[name]!,
      options: { side: from },
      seconds: 60,
    })
    expect(sides.length).toBeGreaterThanOrEqual(2)
    for (const each of sides) expect(angleBetween(each, side)).toBeLessThan(0.7)
    expect(passes[0]!).toBeGreaterThan(0.8)
    expect(smallest).toBeGreaterThan(0.85 * ROOM)
    expect(faults).toEqual([])
  })

  it('by default it is the present side of the agent', () => {
    const { sides } = sortie({ seconds: 12 })
    expect(angleBetween(sides[0]!, v(0, 0, -1))).toBeLessThan(0.3)
  })

  it('behind a target that turns all the time, the agent does not wait for ever', () => {
    const flown: Flown = (time) => v(30 * Math.cos(0.6 * time), 0, 30 * Math.sin(0.6 * time))
    const { passes, reasons } = sortie({ flown, options: { side: 'behind' }, seconds: 60 })
    expect(passes.length).toBeGreaterThanOrEqual(1)
    expect(reasons.includes('as it comes') || passes.length > 1).toBe(true)
  })

  it('behind a target at rest is behind its nose axis', () => {
    const target = { position: v(0, 0, 300), velocity: v(0, 0, 0), quaternion: { x: 0, y: 0, z: 0, w: 1 } }
    const { world } = quietWorld()
    const behavior = new AttackRun({ target, range: 120, minRange: 20, side: 'behind' })
    // Starts in front of its nose, which points along +Z.
    const start = { position: v(0, 0, 600), velocity: v(0, 0, -30) }
    const pilot = new SteeringController(null, { behavior, ...SHIP, ...start })
    world.add(pilot)
    let side: Vec3 | null = null
    pilot.addEventListener('stage', ({ stage }) => {
      if (stage === 'attack') side ??= unit(minus(pilot.position, target.position))
    })
    for (let i = 0; i < 60 * 40; i++) world.step(1 / 60)
    expect(side).not.toBeNull()
    expect(angleBetween(side!, v(0, 0, -1))).toBeLessThan(0.6)
  })
})

describe('lead', () => {
  // A target that crosses, far off and straight ahead.
  const crossing = { position: v(0, 0, 200), velocity: v(40, 0, 0) }

  it('a slow shot leads more than a fast one, and a beam has no lead', () => {
    const towards = (projectileSpeed: number): Vec3 => {
      const behavior = new AttackRun({ target: crossing, range: 300, projectileSpeed })
      return ask(behavior, { velocity: v(0, 0, 50), maxSpeed: 50, maxForce: 1e5, responseTime: 1 }).force
    }
    expect(towards(100).x).toBeGreaterThan(1.2 * towards(400).x)
    expect(towards(400).x).toBeGreaterThan(1.2 * towards(Infinity).x)
  })

  it('guns along the nose are aimed so that the drifting shot meets the target', () => {
    const behavior = new AttackRun({
      target: crossing,
      range: 900,
      projectileSpeed: 300,
      aim: 'nose',
      firingAngle: 3,
    })
    const { world } = quietWorld()
    const pilot = new SteeringController(null, {
      behavior,
      ...SHIP,
      velocity: v(-20, 6, 10),
      maxForce: 1,
      responseTime: 0.1,
    })
    world.add(pilot)
    const target = crossing as { position: Vec3Like }
    for (let i = 0; i < 300; i++) {
      world.step(1 / 120)
      target.position = plus(crossing.position, crossing.velocity, 1 / 120)
    }
    const distance = minus(crossing.position, pilot.position)
    const drift = minus(crossing.velocity, pilot.velocity)
    // |off + drift·t| = 300·t along the nose
    let time = 0
    for (let k = 0; k < 60; k++) time = norm(plus(distance, drift, time)) / 300
    expect(angleBetween(pilot.attitude.x, plus(distance, drift, time))).toBeLessThan(0.01)
  })
})

describe('special cases', () => {
  it('a target with a non-finite position is ignored, and attacked again when it is finite', () => {
    const { world, faults } = quietWorld()
    const target = { position: v(0, 0, 200), velocity: v(5, 0, 0) }
    const behavior = new AttackRun({ target, range: 100 })
    const pilot = new SteeringController(null, { behavior, ...SHIP, velocity: v(20, 0, 20) })
    world.add(pilot)
    for (let i = 0; i < 60; i++) world.step(1 / 60)
    target.position = v(NaN, 0, 0)
    const course = unit(pilot.velocity)
    for (let i = 0; i < 60; i++) world.step(1 / 60)
    expectVec(unit(pilot.velocity), course, 1e-9)
    target.position = v(0, 0, 500)
    const before = norm(minus(pilot.position, target.position))
    for (let i = 0; i < 300; i++) world.step(1 / 60)
    expect(norm(minus(pilot.position, target.position))).toBeLessThan(before - 50)
    expect(faults.map(({ message }) => message)).toEqual([expect.stringMatching(/^target: got .*NaN/)])
  })

  it('a target inside the turning circle is not circled for ever', () => {
    // Half a radius to the side: no turn brings it ahead.
    const { stages, reasons, passes } = sortie({
      start: v(0, 0, 60),
      flown: () => v(0, 0, 0),
      seconds: 1,
      options: {},
    })
    expect(stages.length + reasons.length + passes.length).toBe(0)
    const { world } = quietWorld()
    const target = { position: v(40, 0, 0), velocity: v(0, 0, 0) }
    const behavior = new AttackRun({ target, range: 100, minRange: 10 })
    const pilot = new SteeringController(null, { behavior, ...SHIP, velocity: v(0, 0, 60) })
    world.add(pilot)
    const events: string[] = []
    pilot.addEventListener('stage', ({ stage, reason }) => events.push(`${stage} ${reason}`.trim()))
    for (let i = 0; i < 60 * 25; i++) world.step(1 / 60)
    expect(events[0]).toBe('extend too near')
    expect(events).toContain('attack')
  })

  it('an agent that is followed stops extending', () => {
    const { world } = quietWorld()
    const pilot = new SteeringController(null, { behavior: { steer() {} }, ...SHIP, velocity: v(0, 0, 60) })
    const target = { position: v(40, 0, 0), velocity: v(0, 0, 60) }
    pilot.behavior = new AttackRun({ target, range: 100, minRange: 10 })
    world.add(pilot)
    const events: string[] = []
    pilot.addEventListener('stage', ({ stage, reason }) => events.push(`${stage} ${reason}`.trim()))
    for (let i = 0; i < 60 * 30; i++) {
      // Always beside it.
      target.velocity = times(pilot.velocity, 1)
      target.position = plus(pilot.position, v(40, 0, 0))
      world.step(1 / 60)
    }
    expect(events).toContain('approach followed')
  })
})

describe('invalid options', () => {
  const target = { position: v(0, 0, 9), velocity: v(0, 0, 0) }
  it.each<[string, Partial<AttackRunOptions>]>([
    ['minRange', { minRange: 31 }],
    ['side', { side: v(0, 0, 0) }],
  ])('%s: %o', (name, wrong) => {
    expect(() => new AttackRun({ target, range: 30, ...wrong })).toThrow(`AttackRun.${name}`)
  })
})
