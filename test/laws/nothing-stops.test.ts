import { describe, expect, it, vi } from 'vitest'
import {
  AttackRun,
  AvoidObstacles,
  blend,
  DirectedSeek,
  dither,
  Flocking,
  Guard,
  Hover,
  LeaderFollow,
  MatchAttitude,
  MatchVelocity,
  modes,
  neighborSearch,
  Obstacles,
  OffsetPursue,
  Pursue,
  Seek,
  smooth,
  SphereShape,
  SteeringController,
  SteeringWorld,
  Wander,
  within,
  type Agent,
  type Behavior,
  type Blend,
  type ControllerOptions,
  type Fault,
  type Locomotion,
  type Modes,
  type Step,
  type Vec3,
  type Wrench,
} from 'three-steering'
import type { BodyState } from 'three-steering/authoring'
import { FollowFlowField } from 'three-steering/flow'
import { Formation, KeepSlot, linePattern } from 'three-steering/formation'
import { Dummy } from '../support/pilot.js'
import { bitsOf, firstDifference } from './kit.js'

// A faulty part harms only its own agent, whatever it does: no step and no frame fails, the other agents fly
// on bit-identically as in a world without the fault, and the fault is reported once, with the agent and the
// part.

const BEFORE = 10
const AFTER = 40

const raise = (what: unknown): never => {
  throw what
}
const bare = Object.create(null) as object
const rude = { toString: () => raise(new Error('no words')) }

/** A behaviour that does nothing until a test makes it do something wrong. */
class Suspect implements Behavior {
  readonly neighborSearch = neighborSearch
  reach = 4
  does: (agent: Agent, step: Step, out: Wrench) => void = () => undefined
  steer(agent: Agent, step: Step, out: Wrench): void {
    this.does(agent, step, out)
  }
}

class Engine implements Locomotion {
  readonly hover = new Hover()
  actuate(...all: Parameters<Locomotion['actuate']>): void {
    this.hover.actuate(...all)
  }
  forceAlong(...all: Parameters<Locomotion['forceAlong']>): number {
    return this.hover.forceAlong(...all)
  }
  forceLag(): number {
    return 0
  }
}

class Hull extends Dummy {}

class Picture {
  write(): void {}
  flush(): void {}
}

class Planning {
  plan(): void {}
}

/** A user's own shape. */
class Rock extends SphereShape {}

/** The faulty agent and its parts, before the fault. */
interface Cast {
  world: SteeringWorld
  victim: SteeringController
  suspect: Suspect
  blend: Blend
  modes: Modes<'a' | 'b'>
  engine: Engine
  hull: Hull
  picture: Picture
  planning: Planning
  rock: Rock
  reef: Rock
  thing: {
    position: Vec3
    velocity: Vec3
    quaternion: { x: number; y: number; z: number; w: number }
    angularVelocity: Vec3
  }
  point: (out: Vec3) => void
  flow: (out: Vec3) => void
  pattern: typeof linePattern
  select: () => 'a' | 'b'
}

interface Kind {
  /** The behaviour of the faulty agent. Default the suspect in a blend. */
  behavior?: (cast: Cast) => Behavior
  options?: (cast: Cast) => Partial<ControllerOptions>
  /** Causes the fault. */
  breaks: (cast: Cast) => void
  /** Class of the faulty part; '' when no fault is to be reported. */
  part: string
  says?: RegExp
  /** The fault is reported for the world, not for an agent. */
  global?: boolean
  /** The agent's state is not finite from then on: for the others it is as if it had been removed. */
  lost?: boolean
}

const body = ({ hull }: Cast): Partial<ControllerOptions> => ({ body: hull })
const locomotion = ({ engine }: Cast): Partial<ControllerOptions> => ({ locomotion: engine })
const does = (what: Suspect['does']): Pick<Kind, 'breaks' | 'part'> => ({
  breaks: ({ suspect }) => (suspect.does = what),
  part: 'Suspect',
})
const has = (name: string, get: () => unknown): Pick<Kind, 'breaks' | 'part'> => ({
  breaks: ({ suspect }) => void Object.defineProperty(suspect, name, { get }),
  part: 'Suspect',
})
const any = (thing: unknown): Record<string, unknown> => thing as Record<string, unknown>
/** Replaces a coordinate by any value. */
const put = (vector: unknown, value: unknown): void => void (any(vector)['x'] = value)
const reads = (change: (state: BodyState) => void): Kind => ({
  options: body,
  breaks: ({ hull }) => {
    const read = hull.read.bind(hull)
    hull.read = (out) => {
      read(out)
      change(out)
    }
  },
  part: 'Hull',
  lost: true,
})
const aims = (behavior: (cast: Cast) => Behavior, part: string, breaks: (cast: Cast) => void): Kind => ({
  behavior,
  breaks,
  part,
})
const aroundReef = ({ reef }: Cast): Behavior =>
  within(
    [new AvoidObstacles({ obstacles: new Obstacles([{ shape: reef, at: { x: 3, y: 0, z: 0 } }]) })],
    new Seek({ target: { x: 9, y: 0, z: 0 } }),
  )
const formation = ({ pattern, thing }: Cast, mutable: Cast): Behavior =>
  new KeepSlot({
    formation: new Formation({
      leader: thing,
      spacing: 3,
      pattern: (...all) => mutable.pattern?.(...all) ?? pattern(...all),
    }),
  })

const KINDS: Record<string, Kind> = {
  // thrown values
  'steer throws an error': { ...does(() => raise(new Error('out of cheese'))), says: /out of cheese/ },
  'steer throws nothing': { ...does(() => raise(undefined)), says: /undefined/ },
  'steer throws words': { ...does(() => raise('words')), says: /words/ },
  'steer throws a symbol': does(() => raise(Symbol('cheese'))),
  'steer throws what has no toString': does(() => raise(bare)),
  'steer throws what throws when shown': does(() => raise(rude)),
  'steer never ends its calls': does(function again(...all): void {
    again(...all)
  }),
  'steer makes a step of the world': {
    breaks: ({ suspect, world }) => (suspect.does = () => world.step(1 / 60)),
    part: 'Suspect',
  },
  // results that are not finite
  'a force that is NaN': does((_a, _s, out) => put(out.force, NaN)),
  'a force that is infinite': does((_a, _s, out) => put(out.force, Infinity)),
  'a torque that is NaN': does((_a, _s, out) => put(out.torque, NaN)),
  'a force that is a word': does((_a, _s, out) => put(out.force, 'fast')),
  'a force that is a symbol': does((_a, _s, out) => put(out.force, Symbol('x'))),
  'a force that is a BigInt': does((_a, _s, out) => put(out.force, 5n)),
  'a force that is nothing': does((_a, _s, out) => put(out.force, undefined)),
  'no force at all': does((_a, _s, out) => void (any(out)['force'] = null)),
  'another vector as force': does((agent, _s, out) => void (any(out)['force'] = agent.position)),
  'another vector as torque': does((_a, _s, out) => void (any(out)['torque'] = { x: 0, y: 0, z: 1 })),
  // methods and getters other than `steer`
  'refresh throws': {
    breaks: ({ suspect }) => Object.assign(suspect, { refresh: () => raise(new Error('stale')) }),
    part: 'Suspect',
    says: /stale/,
  },
  'reach throws': has('reach', () => raise(new Error('blind'))),
  'reach is NaN': has('reach', () => NaN),
  'reach is infinite': has('reach', () => Infinity),
  'reach is a symbol': has('reach', () => Symbol('far')),
  'reach is a BigInt': has('reach', () => 5n),
  'reach without a search': has('neighborSearch', () => undefined),
  'reach is a word': has('reach', () => '5'),
  'children throw': has('children', () => raise(new Error('orphan'))),
  'children are a number': has('children', () => 5),
  'children have a hole': has('children', () => [null]),
  'children are no behaviours': has('children', () => [{}]),
  'children are its parents': {
    breaks: ({ blend, suspect }) => Object.assign(suspect, { children: [blend] }),
    part: 'Suspect',
  },
  // lists
  'a part that is null': { breaks: ({ blend }) => blend.parts.push(null as never), part: 'Blend' },
  'a part that is the whole': {
    breaks: ({ blend }) => blend.parts.push({ behavior: blend, weight: 1 }),
    part: 'Blend',
  },
  'a weight that is NaN': {
    ...does((_a, _s, out) => put(out.force, 1)),
    breaks: ({ blend, suspect }) => {
      suspect.does = (_agent, _step, out) => put(out.force, 1)
      blend.parts[0]!.weight = NaN
    },
    part: 'Blend',
  },
  'the current mode is deleted': {
    behavior: ({ modes }) => modes,
    breaks: ({ modes }) => void modes.trees.delete('a'),
    part: 'Modes',
  },
  'select throws': {
    behavior: (cast) => modes({ a: new Wander(), b: new Wander() }, { select: () => cast.select() }),
    breaks: (cast) => (cast.select = () => raise(new Error('torn'))),
    part: 'Modes',
  },
  // shared objects
  'the position of the agent replaced': does((agent) => void (any(agent)['position'] = { x: 0, y: 0, z: 0 })),
  'columns of the neighbours filled with NaN': does(({ neighbors }) => void neighbors.position.fill(NaN)),
  'velocities of the neighbours filled with NaN': does(({ neighbors }) => void neighbors.velocity.fill(NaN)),
  'groups of the neighbours filled with 0': does(({ neighbors }) => void neighbors.group.fill(0)),
  'seeds of the neighbours filled with 0': does(({ neighbors }) => void neighbors.seed.fill(0)),
  'one neighbour moved': does(({ neighbors: { count, position, row } }) => {
    if (count > 0) position[3 * row[0]!] = 1e9
  }),
  'the step is NaN long': does((_agent, step) => void (any(step)['dt'] = NaN)),
  'the time goes back': does((_agent, step) => void (any(step)['time'] = 0)),
  'up is nowhere': does((_agent, step) => put(step.up, NaN)),
  'emit is gone': does((_agent, step) => void (any(step)['emit'] = null)),
  // locomotion
  'actuate throws': {
    options: locomotion,
    breaks: ({ engine }) => (engine.actuate = () => raise(new Error('flooded'))),
    part: 'Engine',
    says: /flooded/,
  },
  'actuate gives NaN': {
    options: locomotion,
    breaks: ({ engine }) => (engine.actuate = (_agent, _demand, _step, out) => put(out.force, NaN)),
    part: 'Engine',
  },
  'forceAlong throws': {
    options: locomotion,
    behavior: aroundReef,
    breaks: ({ engine }) => (engine.forceAlong = () => raise(new Error('weak'))),
    part: 'Engine',
  },
  'pointMass throws': {
    options: locomotion,
    breaks: ({ engine }) =>
      void Object.defineProperty(engine, 'pointMass', { get: () => raise(new Error('heavy')) }),
    part: 'Engine',
  },
  // body
  'read throws': { ...reads(() => raise(new Error('no contact'))), says: /no contact/ },
  'a body that is nowhere': reads(({ position }) => put(position, NaN)),
  'a body whose place is a word': reads(({ position }) => put(position, 'there')),
  'a body without mass': reads((state) => (state.mass = NaN)),
  'a body with a spin that is NaN': reads(({ angularVelocity }) => put(angularVelocity, NaN)),
  'a body with inertia that is NaN': reads(({ inertia }) => put(inertia, NaN)),
  'a body in gravity that is NaN': reads(({ gravity }) => put(gravity, NaN)),
  'a body that hands out its own vector': reads(
    (state) => void (any(state)['position'] = { x: 1, y: 1, z: 1 }),
  ),
  'a body that reports only its position': {
    ...reads(() => undefined),
    breaks: ({ hull }) => (hull.read = ({ position }) => void Object.assign(position, { x: 0, y: 0, z: 0 })),
  },
  'apply throws': {
    options: body,
    breaks: ({ hull }) => (hull.apply = () => raise(new Error('torn off'))),
    part: 'Hull',
    says: /apply threw .*torn off/,
  },
  // views
  'write throws': {
    breaks: ({ picture }) => (picture.write = () => raise(new Error('no canvas'))),
    part: 'Picture',
  },
  'flush throws': {
    breaks: ({ picture }) => (picture.flush = () => raise(new Error('no paint'))),
    part: 'Picture',
  },
  // the world
  'a planner throws': {
    breaks: ({ planning }) => (planning.plan = () => raise(new Error('no plan'))),
    part: 'Planning',
    global: true,
  },
  'a planner makes a step': {
    breaks: ({ planning, world }) => (planning.plan = () => world.step(1 / 60)),
    part: 'Planning',
    global: true,
  },
  'gravity is NaN': { breaks: ({ world }) => put(world.gravity, NaN), part: 'world', global: true },
  'gravity is a word': { breaks: ({ world }) => put(world.gravity, 'down'), part: 'world', global: true },
  'up is NaN': { breaks: ({ world }) => put(world.up, NaN), part: 'world', global: true },
  'a shape of the guard throws': {
    breaks: ({ rock }) =>
      Object.assign(rock, {
        distance: () => raise(new Error('eroded')),
        sweep: () => raise(new Error('eroded')),
      }),
    part: 'Rock',
    global: true,
  },
  'a shape of the guard gives NaN': {
    breaks: ({ rock }) => Object.assign(rock, { distance: () => NaN, sweep: () => NaN }),
    part: 'Rock',
    global: true,
  },
  // listeners
  'a listener of the agent throws': {
    ...does((agent, step) => step.emit(agent, 'stage', agent.activeBehavior!, 'on')),
    breaks: ({ suspect, victim }) => {
      suspect.does = (agent, step) => step.emit(agent, 'stage', suspect, 'on')
      victim.addEventListener('stage', () => raise(new Error('deaf')))
    },
    part: "listener of 'stage'",
    says: /deaf/,
  },
  'a listener of the world throws': {
    breaks: ({ suspect, world }) => {
      suspect.does = (agent, step) => step.emit(agent, 'arrive', suspect)
      world.addEventListener('arrive', () => raise(new Error('deaf')))
    },
    part: "listener of 'arrive'",
  },
  'what is added in a step cannot be': {
    breaks: ({ suspect, world }) => {
      const elsewhere = new SteeringWorld()
      const shared = new Wander()
      elsewhere.add(new SteeringController(null, { behavior: shared, maxSpeed: 1, maxForce: 1 }))
      suspect.does = () =>
        world.add(new SteeringController(null, { behavior: shared, maxSpeed: 1, maxForce: 1, name: 'guest' }))
    },
    part: 'change requested inside the step',
    global: true,
  },
  // options of behaviours
  'a target function gives NaN': aims(
    (cast) => blend([new Seek({ target: (_agent, out) => cast.point(out) })]),
    'Seek',
    (cast) => (cast.point = (out) => put(out, NaN)),
  ),
  'a target function gives words': aims(
    (cast) => blend([new Seek({ target: (_agent, out) => cast.point(out) })]),
    'Seek',
    (cast) => (cast.point = (out) => put(out, 'far')),
  ),
  'a target function throws': aims(
    (cast) => blend([new Seek({ target: (_agent, out) => cast.point(out) })]),
    'Seek',
    (cast) => (cast.point = () => raise(new Error('lost'))),
  ),
  'a coordinate becomes a word': aims(
    ({ thing }) => smooth(new Seek({ target: thing }), { time: 0.1 }),
    'Seek',
    ({ thing }) => put(thing.position, '7'),
  ),
  'a target has no place any more': aims(
    ({ thing }) => new Seek({ target: thing }),
    'Seek',
    ({ thing }) => void (any(thing)['position'] = null),
  ),
  'the quaternion of a leader turns NaN': aims(
    ({ thing }) => blend([new OffsetPursue({ target: thing, offset: { x: -2, y: 0, z: 0 } })]),
    'OffsetPursue',
    ({ thing }) => put(thing.quaternion, NaN),
  ),
  'the quaternion to match turns NaN': aims(
    ({ thing }) => new MatchAttitude({ target: thing }),
    'MatchAttitude',
    ({ thing }) => put(thing.quaternion, NaN),
  ),
  'the velocity to match turns NaN': aims(
    ({ thing }) => new MatchVelocity({ target: thing }),
    'MatchVelocity',
    ({ thing }) => put(thing.velocity, NaN),
  ),
  'the velocity of a leader turns NaN': aims(
    ({ thing }) => new LeaderFollow({ target: thing, distance: 3 }),
    'LeaderFollow',
    ({ thing }) => put(thing.velocity, NaN),
  ),
  'the position of a pursued target turns NaN': aims(
    ({ thing }) => new Pursue({ target: thing }),
    'Pursue',
    ({ thing }) => put(thing.position, NaN),
  ),
  'a target under attack turns NaN': aims(
    ({ thing }) => new AttackRun({ target: thing, range: 20 }),
    'AttackRun',
    ({ thing }) => put(thing.position, NaN),
  ),
  'a goal function gives NaN': aims(
    (cast) => new DirectedSeek({ target: (_agent, out) => cast.point(out.position) }),
    'DirectedSeek',
    (cast) => (cast.point = (out) => put(out, NaN)),
  ),
  'a flow field gives NaN': aims(
    (cast) => new FollowFlowField({ field: (_point, _time, out) => cast.flow(out) }),
    'FollowFlowField',
    (cast) => (cast.flow = (out) => put(out, NaN)),
  ),
  'a flow field throws': aims(
    (cast) => new FollowFlowField({ field: (_point, _time, out) => cast.flow(out) }),
    'FollowFlowField',
    (cast) => (cast.flow = () => raise(new Error('dry'))),
  ),
  'a formation pattern throws': aims(
    (cast) => formation(cast, cast),
    'KeepSlot',
    (cast) => {
      cast.pattern = () => raise(new Error('no order'))
      reshape(cast)
    },
  ),
  'a formation pattern gives NaN': aims(
    (cast) => formation(cast, cast),
    'KeepSlot',
    (cast) => {
      cast.pattern = () => [{ position: { x: NaN, y: 0, z: 0 } }]
      reshape(cast)
    },
  ),
  'the leader of a formation turns NaN': aims(
    (cast) => formation(cast, cast),
    'KeepSlot',
    ({ thing }) => put(thing.position, NaN),
  ),
  'an obstacle throws': aims(aroundReef, 'AvoidObstacles', ({ reef }) =>
    Object.assign(reef, {
      distance: () => raise(new Error('eroded')),
      sweep: () => raise(new Error('eroded')),
    }),
  ),
  'a part throws below a dither': aims(
    ({ suspect }) => dither([{ behavior: suspect, probability: 1 }]),
    'Suspect',
    ({ suspect }) => (suspect.does = () => raise(new Error('deep'))),
  ),
}

function reshape({ victim }: Cast): void {
  const { formation: one } = victim.behavior as KeepSlot
  one.spacing = 4
}

interface Recording {
  readonly bits: number[][]
  readonly faults: Fault[]
  readonly victim: number
}

/** Flies the other agents beside the faulty one, with or without the fault at step `BEFORE`. */
function fly({ behavior, breaks, lost, options, global }: Kind, broken: boolean): Recording {
  const suspect = new Suspect()
  const rock = new Rock(0.5)
  const guarded = global === true && !broken ? new SphereShape(0.5) : rock
  const guard = new Guard(
    new Obstacles([
      { shape: guarded, at: { x: 0, y: 90, z: 0 } },
      { shape: new SphereShape(3), at: { x: 9, y: 0, z: 0 } },
    ]),
  )
  const world = new SteeringWorld({ seed: 5, gravity: { x: 0, y: -0.1, z: 0 }, guard })
  const cast: Cast = {
    world,
    suspect,
    rock,
    reef: new Rock(0.5),
    blend: blend([suspect, new Wander()]),
    modes: modes({ a: new Wander(), b: new Wander() }),
    engine: new Engine(),
    hull: new Hull(),
    picture: new Picture(),
    planning: new Planning(),
    thing: {
      position: { x: 12, y: 0, z: 0 },
      velocity: { x: 1, y: 0, z: 0 },
      quaternion: { x: 0, y: 0, z: 0, w: 1 },
      angularVelocity: { x: 0, y: 0, z: 0 },
    },
    point: (out) => void Object.assign(out, { x: 12, y: 0, z: 0 }),
    flow: (out) => void Object.assign(out, { x: 1, y: 0, z: 0 }),
    pattern: linePattern,
    select: () => 'a',
    victim: null as never,
  }
  world.addPlanner(cast.planning)
  const flocking = new Flocking({
    separation: { neighborDistance: 3 },
    alignment: { neighborDistance: 5 },
    cohesion: { neighborDistance: 6, emergency: false },
  })
  const mind = blend([flocking, new Wander()])
  const traits = { maxSpeed: 8, maxForce: 20, radius: 0.4 }
  const birds = Array.from(
    { length: 7 },
    (_, i) =>
      new SteeringController(null, {
        ...traits,
        behavior: mind,
        seed: 10 + i,
        position: { x: 3 * Math.cos(i), y: i / 4, z: 3 * Math.sin(i) },
      }),
  )
  // without force it stays in place, whatever it wants, so the others see the same
  cast.victim = new SteeringController(cast.picture, {
    ...traits,
    maxForce: 0,
    maxTorque: 0,
    name: 'Icarus',
    seed: 1,
    behavior: behavior?.(cast) ?? cast.blend,
    ...options?.(cast),
  })
  const faults: Fault[] = []
  world.addEventListener('fault', (fault) => faults.push(fault))
  world.add(birds[0]!).add(birds[1]!).add(cast.victim)
  for (const bird of birds.slice(2)) world.add(bird)
  const victim = cast.victim.id
  const bits: number[][] = []
  for (let i = 0; i < BEFORE + AFTER; i++) {
    if (i === BEFORE)
      if (broken) breaks(cast)
      else if (lost === true) world.remove(cast.victim)
    world.step(1 / 60)
    world.present(0.5)
    bits.push(bitsOf(birds))
  }
  world.dispose()
  return { bits, faults, victim }
}

describe.each(Object.keys(KINDS))('%s', (name) => {
  const kind = KINDS[name]!

  it('does not stop other agents, and is reported once', () => {
    const bad = fly(kind, true)
    const good = fly(kind, false)
    expect(good.faults).toEqual([])
    expect(firstDifference(bad.bits, good.bits)).toBeNull()
    expect(bad.bits.every((row) => row.every(Number.isFinite))).toBe(true)
    const { behavior, id, message } = bad.faults[0] ?? {
      behavior: 'nothing',
      id: NaN,
      message: 'is reported',
    }
    expect(bad.faults.slice(1)).toEqual([])
    expect(`${behavior}: ${message}`).toMatch(new RegExp(`^${kind.part}:`))
    expect(id).toBe(kind.global === true ? -1 : bad.victim)
    if (kind.says) expect(message).toMatch(kind.says)
  })
})

it('an error in a fault listener is reported on the console, and stops no agent', () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const world = new SteeringWorld()
  world.addEventListener('fault', () => raise(rude))
  world.add(
    new SteeringController(null, {
      maxSpeed: 1,
      maxForce: 1,
      behavior: { steer: () => raise(new Error('x')) },
    }),
  )
  for (let i = 0; i < 3; i++) world.step(1 / 60)
  expect(world.tick).toBe(3)
  expect(errors).toHaveBeenCalledTimes(1)
  errors.mockRestore()
})

it('two kinds of faults of one part are reported once each, and again for an agent that is added later', () => {
  const world = new SteeringWorld()
  const faults: Fault[] = []
  world.addEventListener('fault', (fault) => faults.push(fault))
  const suspect = new Suspect()
  const make = (): SteeringController =>
    new SteeringController(null, { maxSpeed: 1, maxForce: 1, behavior: suspect })
  world.add(make())
  suspect.does = () => raise(new Error('one'))
  for (let i = 0; i < 3; i++) world.step(1 / 60)
  suspect.does = (_agent, _step, out) => put(out.force, NaN)
  for (let i = 0; i < 3; i++) world.step(1 / 60)
  world.add(make())
  for (let i = 0; i < 3; i++) world.step(1 / 60)
  expect(faults.map(({ id, message }) => [id, message.includes('one')])).toEqual([
    [0, true],
    [0, false],
    [1, false],
  ])
})
