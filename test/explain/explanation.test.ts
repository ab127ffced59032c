import { describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  blend,
  Contain,
  contextMap,
  dither,
  Flee,
  Hover,
  LookWhereGoing,
  Obstacle,
  priority,
  ReciprocalAvoidance,
  Seek,
  SphereShape,
  SteeringController,
  SteeringWorld,
  truncatedSum,
  Wander,
  within,
  type Behavior,
  type Vec3Like,
} from 'three-steering'
import type { DebugDraw } from 'three-steering/authoring'
import { explain, type Contribution } from 'three-steering/explain'
import { BEHAVIORS, LOCOMOTIONS, randomScene, stage, type Scene } from '../laws/kit.js'
import { pilot, quietWorld } from '../support/pilot.js'
import { pushing } from '../support/stand-in.js'
import { addFlock } from '../support/flock.js'
import { pick } from '../support/tier.js'

const v = (x: number, y: number, z: number): Vec3Like => ({ x, y, z })

/** The tree of one step of a single pilot. */
function explainStep(behavior: Behavior, options: Parameters<typeof pilot>[1] = {}): Contribution {
  const { world } = quietWorld()
  const one = pilot(behavior, { locomotion: new Hover({ attitude: null }), ...options })
  world.add(one)
  const explanation = explain(world, one)
  world.step(1 / 60)
  return explanation.root!
}

function all(tree: Contribution): Contribution[] {
  return [tree, ...tree.children.flatMap(all)]
}

const verdicts = ({ children }: Contribution): string[] => children.map(({ verdict }) => verdict)

const sum = (list: readonly Vec3Like[]): Vec3Like =>
  list.reduce((a, b) => v(a.x + b.x, a.y + b.y, a.z + b.z), v(0, 0, 0))

function expectNear(a: Vec3Like, b: Vec3Like, tolerance = 1e-9): void {
  const size = 1 + Math.hypot(b.x, b.y, b.z)
  expect(Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)).toBeLessThan(tolerance * size)
}

/** A ball ahead of an agent that flies along +x from the origin, a little above. */
const rock = (): Obstacle => new Obstacle({ shape: new SphereShape(3), at: v(7, 0.5, 0) })

/** Flies straight at it. */
const AT_IT = { velocity: v(9, 0, 0), maxForce: 30 }

describe('contributions', () => {
  it('a blend grants each part its output times its weight', () => {
    const tree = explainStep(blend([pushing(v(3, 0, 0)), { behavior: pushing(v(0, 4, 2)), weight: 0.5 }]))
    expect(tree.name).toBe('Blend')
    const [one, other] = tree.children
    expect([one!.verdict, other!.verdict]).toEqual(['granted', 'granted'])
    expect(other!.weight).toBe(0.5)
    expect(other!.asked.force).toEqual(v(0, 4, 2))
    expect(other!.granted.force).toEqual(v(0, 2, 1))
    expect(tree.asked.force).toEqual(v(3, 2, 1))
    expect(tree.own.force).toEqual(v(0, 0, 0))
  })

  it('a priority: parts before the chosen one are silent, parts after it are not asked', () => {
    const tree = explainStep(
      priority([pushing(v(0, 0, 0)), pushing(v(1, 0, 0)), blend([pushing(v(0, 9, 0))])]),
    )
    expect(verdicts(tree)).toEqual(['silent', 'granted', 'not asked'])
    // the parts of a behaviour that was not asked are listed as well
    expect(verdicts(tree.children[2]!)).toEqual(['not asked'])
  })

  it('a part that is switched off is off, with all its parts', () => {
    const off = { behavior: blend([pushing(v(0, 9, 0))]), enabled: false }
    const tree = explainStep(priority([off, pushing(v(1, 0, 0))]))
    expect(verdicts(tree)).toEqual(['off', 'granted'])
    expect(verdicts(tree.children[0]!)).toEqual(['off'])
  })

  it('a priority refuses outputs below the threshold', () => {
    const tree = explainStep(priority([pushing(v(0.05, 0, 0)), pushing(v(1, 0, 0))]))
    expect(verdicts(tree)).toEqual(['refused', 'granted'])
  })

  it('a truncated sum cuts the part that does not fit; parts after it are not asked', () => {
    const parts = [pushing(v(60, 0, 0)), pushing(v(0, 80, 0)), pushing(v(0, 0, 1))]
    const tree = explainStep(truncatedSum(parts), { maxTorque: 0 })
    expect(verdicts(tree)).toEqual(['granted', 'cut', 'not asked'])
    expectNear(tree.children[1]!.granted.force, v(0, 40, 0))
  })

  it('a truncated sum that is cut as a whole cuts all its parts', () => {
    const parts = [pushing(v(60, 0, 0)), pushing(v(0, 80, 0)), pushing(v(0, 0, 1))]
    const tree = explainStep(truncatedSum(parts, { budget: 'sum' }), { maxTorque: 0 })
    // the 60-80-100 triangle just fits
    expect(verdicts(tree)).toEqual(['granted', 'granted', 'not asked'])
    const over = explainStep(truncatedSum([pushing(v(90, 0, 0)), pushing(v(0, 120, 0))], { budget: 'sum' }))
    expect(verdicts(over)).toEqual(['cut', 'cut'])
    expectNear(over.children[0]!.granted.force, v(60, 0, 0))
  })

  it('a dither does not ask parts that were not drawn', () => {
    const never = { behavior: pushing(v(1, 0, 0)), probability: 0 }
    const tree = explainStep(dither([never, { behavior: pushing(v(2, 0, 0)), probability: 1 }]))
    expect(verdicts(tree)).toEqual(['not asked', 'granted'])
  })

  it('`within`: constraints contribute the force by which they changed the wanted force', () => {
    const avoid = new AvoidObstacles({ obstacles: [rock()] })
    const container = new Contain({ bounds: [new Obstacle({ shape: new SphereShape(1), at: v(0, 500, 0) })] })
    const wish = new Seek({ target: v(40, 0, 0) })
    const tree = explainStep(within([avoid, container], wish), AT_IT)
    const [rocks, walls, seek] = tree.children
    expect([rocks!.behavior, walls!.behavior, seek!.behavior]).toEqual([avoid, container, wish])
    expect(rocks!.verdict).not.toBe('silent')
    expect(walls!.verdict).toBe('silent')
    // the middle of the rock is above the line, so the agent goes down
    expect(rocks!.granted.force.y).toBeLessThan(0)
    expectNear(sum(tree.children.map(({ granted }) => granted.force)), tree.asked.force)
    expect(tree.own.force).toEqual(v(0, 0, 0))
  })

  it('`within`: the wish loses the force that the vehicle cannot give', () => {
    const tree = explainStep(
      within([new AvoidObstacles({ obstacles: [rock()] })], pushing(v(1e5, 0, 0))),
      AT_IT,
    )
    const [rocks, wish] = tree.children
    expect(wish!.verdict).toBe('cut')
    expect(wish!.granted.force.x).toBeLessThan(30)
    expectNear(sum([rocks!.granted.force, wish!.granted.force]), tree.asked.force)
  })

  it('`within`: two constraints contribute separately', () => {
    const push = (normal: Vec3Like, least: number): Behavior & Pick<AvoidObstacles, 'constrain'> => ({
      steer: () => undefined,
      constrain: (_agent, _step, limits) => limits.addHalfSpace(normal, least),
    })
    const tree = explainStep(within([push(v(0, 1, 0), 0.5), push(v(0, 0, -1), 0.25)], pushing(v(0, 0, 0))))
    // for a servo of 0.1 s and 1 kg
    expectNear(tree.children[0]!.granted.force, v(0, 5, 0), 1e-6)
    expectNear(tree.children[1]!.granted.force, v(0, 0, -2.5), 1e-6)
  })

  it('`within`: several wishes get their shares of the mean', () => {
    const wishes = [
      new Seek({ target: v(40, 0, 0) }),
      { behavior: new Seek({ target: v(0, 40, 0) }), weight: 3 },
    ]
    const tree = explainStep(within([], wishes), { maxForce: 1e4 })
    expectNear(tree.children[0]!.granted.force, v(25, 0, 0))
    expectNear(tree.children[1]!.granted.force, v(0, 75, 0))
  })

  it('a context map: the interest that was chosen, and the change by the danger', () => {
    const danger = [new AvoidObstacles({ obstacles: [rock()] })]
    const interest = [
      new Seek({ target: v(40, 0, 0) }),
      { behavior: new Seek({ target: v(-40, 0, 0) }), weight: 0.1 },
    ]
    const tree = explainStep(contextMap({ interest, danger }), AT_IT)
    const [rocks, there, back] = tree.children
    expect(back!.verdict).toBe('refused')
    expect(rocks!.verdict).not.toBe('silent')
    expect(rocks!.granted.force.y).toBeLessThan(0)
    expectNear(sum([rocks!.granted.force, there!.granted.force]), tree.asked.force)
  })

  it('a context map: only the danger that is in the way contributes', () => {
    const far = new Obstacle({ shape: new SphereShape(1), at: v(0, 500, 0) })
    const danger = [new AvoidObstacles({ obstacles: [far] }), new AvoidObstacles({ obstacles: [rock()] })]
    const tree = explainStep(contextMap({ interest: [new Seek({ target: v(40, 0, 0) })], danger }), AT_IT)
    const [nothing, rocks] = tree.children
    expect(nothing!.verdict).toBe('silent')
    expect(rocks!.granted.force.y).toBeLessThan(0)
  })

  it('the root is granted the output of the locomotion', () => {
    const tree = explainStep(pushing(v(300, 0, 0)))
    expect(tree.verdict).toBe('cut')
    expect(tree.asked.force.x).toBe(300)
    expectNear(tree.granted.force, v(100, 0, 0))
  })

  it('a torque that was not given is cut, also where all of the force was given', () => {
    const turning: Behavior = {
      steer: (_agent, _step, { force, torque }) => void ((force.x = 1), (torque.y = 300)),
    }
    const tree = explainStep(turning, { maxTorque: 2 })
    expect(tree.granted.force.x).toBe(1)
    expect(tree.granted.torque.y).toBeLessThan(300)
    expect(tree.verdict).toBe('cut')
  })

  it('holding an attitude is not silent', () => {
    const hold: Behavior = { steer: (_agent, _step, out) => void (out.turns = true) }
    expect(explainStep(priority([hold, pushing(v(1, 0, 0))])).children[0]!.verdict).toBe('granted')
  })

  it('a behaviour that does not record its parts is shown without parts', () => {
    const part = pushing(v(1, 0, 0))
    const wrapper: Behavior = {
      children: [part],
      steer: (agent, step, out) => part.steer(agent, step, out),
    }
    expect(explainStep(blend([wrapper])).children[0]!.children).toEqual([])
  })
})

const names = Object.keys(BEHAVIORS)

describe('notes say why an agent stands still', () => {
  it('granted forces that cancel each other are named', () => {
    const tree = explainStep(blend([pushing(v(3, 0, 4)), pushing(v(-3, 0, -4))]))
    expect(tree.children.map(({ verdict }) => verdict)).toEqual(['granted', 'granted'])
    expect(tree.note).toMatch(/^the forces of (\w+), \1 cancel each other$/)
  })

  it('`within`: a wish whose target lies inside an obstacle, once the agent stands before it', () => {
    const { world } = quietWorld()
    const ball = new Obstacle({ shape: new SphereShape(3), at: v(9, 1, 2) })
    const behavior = within([new AvoidObstacles({ obstacles: [ball] })], new Arrive({ target: v(9, 1, 2) }))
    const one = pilot(behavior, { locomotion: new Hover({ attitude: null }) })
    world.add(one)
    for (let i = 0; i < 600; i++) world.step(1 / 60)
    const explanation = explain(world, one)
    world.step(1 / 60)
    expect(Math.hypot(one.velocity.x, one.velocity.y, one.velocity.z)).toBeLessThan(0.01)
    expect(explanation.root!.note).toMatch(
      /^the forces of (AvoidObstacles, Arrive|Arrive, AvoidObstacles) cancel/,
    )
  })

  it('a vehicle that is too weak for its weight; not one that is strong enough, or does not want to climb', () => {
    const noteOf = (force: Vec3Like, maxForce: number): string => {
      const world = new SteeringWorld({ gravity: v(0, -9.81, 0) })
      const one = pilot(pushing(force), { mass: 2, maxForce, locomotion: new Hover({ attitude: null }) })
      world.add(one)
      const explanation = explain(world, one)
      world.step(1 / 60)
      return explanation.root!.note
    }
    expect(noteOf(v(1, 5, 0), 9)).toBe('cannot climb: its largest force, 9 N, is below its weight, 19.6 N')
    expect(noteOf(v(1, 5, 0), 20)).toBe('')
    expect(noteOf(v(1, -5, 0), 9)).toBe('')
  })
})

describe('a law of all trees', () => {
  it.each(names)('%s: the contributions of its parts and its own one sum up to its output', (name) => {
    for (let seed = 0; seed < pick(2, 5); seed++) {
      const scene = randomScene(seed)
      const { world, pilot: one } = stage(scene, BEHAVIORS[name]!(scene), LOCOMOTIONS['Hover']!(scene))
      const explanation = explain(world, one)
      for (let i = 0; i < 3; i++) {
        world.step(1 / 60)
        for (const { asked, children, own } of all(explanation.root!)) {
          expectNear(sum([own.force, ...children.map(({ granted }) => granted.force)]), asked.force, 1e-6)
          expectNear(sum([own.torque, ...children.map(({ granted }) => granted.torque)]), asked.torque, 1e-6)
        }
        expectNear(explanation.root!.asked.force, one.demand.force)
        expectNear(explanation.root!.granted.force, one.force)
      }
    }
  })

  const combinations: Readonly<Record<string, (scene: Scene) => Behavior>> = {
    blend: ({ target }) =>
      blend([new Seek({ target }), { behavior: new Wander(), weight: 0.3 }], { average: true }),
    'blend, cut': ({ target }) =>
      blend([{ behavior: new Seek({ target }), weight: 9 }, new Wander()], { truncate: 'sum' }),
    'blend, parts cut': ({ target }) => blend([new Flee({ target }), new Wander()], { truncate: 'parts' }),
    priority: ({ target }) => priority([new Seek({ target }), new Wander()]),
    dither: ({ target }) => dither([{ behavior: new Seek({ target }), probability: 0.5 }, new Wander()]),
    'truncated sum': ({ target }) =>
      truncatedSum([{ behavior: new Seek({ target }), weight: 0.4 }, new Wander(), new Flee({ target })]),
    within: ({ target }) =>
      within([new ReciprocalAvoidance({ neighborDistance: 25 })], new Arrive({ target })),
    'within, wishes': ({ target }) =>
      within(
        [new ReciprocalAvoidance({ neighborDistance: 25 })],
        [new Arrive({ target }), new LookWhereGoing(), new Wander()],
      ),
    nested: ({ target }) =>
      blend([
        within(
          [new ReciprocalAvoidance({ neighborDistance: 25 })],
          truncatedSum([new Arrive({ target }), new Wander()]),
        ),
        { behavior: priority([new Flee({ target, panicDistance: 1 }), new Seek({ target })]), weight: 0.2 },
      ]),
  }

  it.each(Object.keys(combinations))('%s has no own contribution, except by cutting', (name) => {
    for (let seed = 0; seed < pick(6, 20); seed++) {
      const scene = randomScene(seed)
      const { world, pilot: one } = stage(scene, combinations[name]!(scene), LOCOMOTIONS['Hover']!(scene))
      const explanation = explain(world, one)
      world.step(1 / 60)
      const { own } = explanation.root!
      expect(own.force).toEqual(v(0, 0, 0))
      expect(own.torque).toEqual(v(0, 0, 0))
    }
  })

  it.each(names)('%s: an explained flight is bit-identical', (name) => {
    const scene = randomScene(3)
    const runs = [true, false].map((explained) => {
      const { world, pilot: one } = stage(scene, BEHAVIORS[name]!(scene), LOCOMOTIONS['Hover']!(scene))
      if (explained) explain(world, one)
      const bits: number[] = []
      for (let i = 0; i < pick(5, 20); i++) {
        world.step(1 / 60)
        bits.push(...Object.values(one.demand.force), one.force.x, one.force.y, one.force.z, one.torque.x)
      }
      return bits
    })
    expect(runs[0]).toEqual(runs[1])
  })
})

describe('an explanation', () => {
  it('has a new tree in each step, and older trees stay', () => {
    const { world } = quietWorld()
    const one = pilot(blend([new Seek({ target: v(0, 9, 0) })]))
    world.add(one)
    const explanation = explain(world, one)
    expect(explanation.root).toBeNull()
    world.step(0.1)
    const first = explanation.root!
    const before = JSON.stringify(first)
    world.step(0.1)
    expect(explanation.root).not.toBe(first)
    expect(JSON.stringify(first)).toBe(before)
    expect(explanation.time).toBeCloseTo(0.1)
  })

  it('is plain data', () => {
    const { world } = quietWorld()
    const one = pilot(priority([new Seek({ target: v(0, 9, 0) })]))
    world.add(one)
    const explanation = explain(world, one)
    world.step(0.1)
    const data = JSON.parse(JSON.stringify(explanation))
    expect(data.root.name).toBe('Priority')
    expect(data.root.children[0]).toMatchObject({ name: 'Seek', verdict: 'granted', weight: 1 })
    expect(data.root.children[0].asked.force.y).toBeGreaterThan(0)
  })

  it('ends when it is stopped', () => {
    const { world } = quietWorld()
    const one = pilot(pushing(v(1, 0, 0)))
    world.add(one)
    const explanation = explain(world, one)
    world.step(0.1)
    explanation.stop()
    const last = explanation.root
    world.step(0.1)
    expect(explanation.root).toBe(last)
    expect(explain(world, one)).not.toBe(explanation)
  })

  it('may be of a member of a flock', () => {
    const { world } = quietWorld()
    const flock = addFlock(world, { count: 5, behavior: blend([new Wander()]), maxSpeed: 5, maxForce: 9 })
    const explanations = [0, 3].map((index) => explain(world, flock, index))
    world.step(0.1)
    const [one, other] = explanations.map(({ root }) => root!.children[0]!.asked.force)
    expect(one).not.toEqual(other)
  })

  it('ends with its agent, also when another one gets its slot', () => {
    const { world } = quietWorld()
    const one = pilot(pushing(v(1, 0, 0)))
    world.add(one)
    const explanation = explain(world, one)
    world.step(0.1)
    world.remove(one)
    world.add(pilot(pushing(v(2, 0, 0))))
    world.step(0.1)
    expect(explanation.root!.asked.force.x).toBe(1)
  })

  it('has no tree for a step in which the agent fails', () => {
    const { world, faults } = quietWorld()
    let wrong = true
    const moody: Behavior = {
      steer: (_agent, _step, out) => {
        out.force.x = 1
        if (wrong) throw new Error('not today')
      },
    }
    const one = pilot(blend([moody, pushing(v(1, 0, 0))]))
    world.add(one)
    const explanation = explain(world, one)
    world.step(0.1)
    expect(faults).toHaveLength(1)
    expect(explanation.root).toBeNull()
    wrong = false
    world.step(0.1)
    expect(explanation.root!.asked.force.x).toBe(2)
    expect(explanation.root!.children).toHaveLength(2)
  })

  it('refuses agents of other worlds', () => {
    const { world } = quietWorld()
    const flock = addFlock(world, { count: 2, behavior: new Wander(), maxSpeed: 5, maxForce: 9 })
    expect(() => explain(world, pilot())).toThrow(TypeError)
    expect(() => explain(world, flock, 2)).toThrow(/explain: .* must be an agent of this world/)
    expect(() => explain(new SteeringWorld(), flock)).toThrow(TypeError)
    expect(() => explain({} as SteeringWorld, flock)).toThrow(
      /explain: world: got .* must be a SteeringWorld/,
    )
    world.dispose()
    expect(() => explain(world, flock)).toThrow(/after dispose/)
  })

  it('draws the contributions tip to tail, from the agent to the sum', () => {
    const { world } = quietWorld()
    const one = new SteeringController(null, {
      behavior: blend([pushing(v(30, 0, 0)), priority([pushing(v(0, 0, 40))])]),
      maxSpeed: 10,
      maxForce: 100,
      position: v(7, 8, 9),
    })
    world.add(one)
    const explanation = explain(world, one)
    world.step(1 / 60)
    const lines: { layer: string; from: Vec3Like; to: Vec3Like }[] = []
    const draw: DebugDraw = {
      line: (layer, from, to) => void lines.push({ layer, from: { ...from }, to: { ...to } }),
    }
    explanation.trace(draw)
    expect(lines).toHaveLength(2)
    expect(lines[0]!.from).toEqual(v(7, 8, 9))
    expect(lines[1]!.from).toEqual(lines[0]!.to)
    const { to } = lines[1]!
    const [x, y, z] = [to.x - 7, to.y - 8, to.z - 9]
    expect(y).toBeCloseTo(0)
    expect(z / x).toBeCloseTo(4 / 3)
  })
})
