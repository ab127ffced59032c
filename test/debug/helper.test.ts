import { describe, expect, it } from 'vitest'
import { Color, LineSegments, Scene, type BufferAttribute, type LineBasicMaterial } from 'three'
import {
  AvoidObstacles,
  blend,
  Flee,
  neighborSearch,
  Seek,
  Separation,
  SphereShape,
  SteeringWorld,
  within,
  type Behavior,
  type Vec3,
} from 'three-steering'
import type { DebugDraw } from 'three-steering/authoring'
import { explain } from 'three-steering/explain'
import { colorFor, DEFAULT_COLORS, SteeringHelper } from 'three-steering/debug'
import { expectVec, number, plus, times, v } from '../support/geometry.js'
import { law } from '../support/law.js'
import { idle, pilot } from '../support/pilot.js'
import { addFlock } from '../support/flock.js'

/** The segments of a layer, as pairs of points. */
function segments(helper: SteeringHelper, layer: string): [ReturnType<typeof v>, ReturnType<typeof v>][] {
  const at = helper.layerNames.indexOf(layer)
  const lines = helper.children[at] as LineSegments
  if (!lines.visible) return []
  const position = lines.geometry.getAttribute('position') as BufferAttribute
  const { count } = lines.geometry.drawRange
  const point = (i: number) => v(position.getX(i), position.getY(i), position.getZ(i))
  return Array.from({ length: count / 2 }, (_, i) => [point(2 * i), point(2 * i + 1)])
}

function drawing(lines: (draw: DebugDraw) => void): SteeringHelper {
  return new SteeringHelper({ trace: lines })
}

describe('SteeringHelper', () => {
  it('draws velocity, forces, torques, frames and neighbours of an agent, from its position', () => {
    const world = new SteeringWorld()
    const behavior: Behavior = {
      reach: 10,
      neighborSearch,
      steer: (agent, _step, out) => {
        void agent.neighbors.count
        out.force.x = 200
        out.torque.y = 3
        out.turns = true
      },
    }
    const one = pilot(behavior, { velocity: v(0, 0, 5), position: v(1, 2, 3), radius: 0.5 })
    world.add(one)
    world.add(pilot(idle(), { position: v(2, 2, 3) }))
    world.step(1 / 60)
    const helper = new SteeringHelper(one)
    helper.update()
    expect(new Set(helper.layerNames)).toEqual(
      new Set([
        'velocity',
        'force wanted',
        'force given',
        'torque wanted',
        'torque given',
        'attitude ahead',
        'attitude up',
        'attitude starboard',
        'course ahead',
        'course up',
        'neighbors',
      ]),
    )
    for (const layer of helper.layerNames) expectVec(segments(helper, layer)[0]![0], one.position, 1e-5)
    const along = (layer: string) => {
      const [[from, to]] = segments(helper, layer) as [[ReturnType<typeof v>, ReturnType<typeof v>]]
      return plus(to, from, -1)
    }
    // 200 N are wanted, 100 N can be given: twice as long. A full force is as long as a full speed
    expectVec(along('force wanted'), times(along('force given'), 2), 1e-4)
    expect(along('force given').x).toBeGreaterThan(0)
    expect(along('velocity').z / along('force given').x).toBeCloseTo(0.5, 1)
    expectVec(along('torque wanted'), along('torque given'), 1e-5)
    expectVec(along('attitude ahead'), times(one.attitude.x, along('attitude ahead').z), 1e-2)
    expectVec(segments(helper, 'neighbors')[0]![1], v(2, 2, 3), 1e-5)
  })

  it('has one object and one draw call for each layer, however many agents', () => {
    const world = new SteeringWorld()
    const flock = addFlock(world, {
      behavior: new Separation({ neighborDistance: 5 }),
      count: 300,
      maxSpeed: 1,
      maxForce: 1,
    })
    world.step(1 / 60)
    const helper = new SteeringHelper(flock)
    helper.update()
    const layers = helper.children.length
    expect(helper.layerNames).toHaveLength(layers)
    expect(segments(helper, 'velocity')).toHaveLength(300)
    flock.add(100)
    world.step(1 / 60)
    helper.update()
    expect(helper.children).toHaveLength(layers)
    expect(segments(helper, 'velocity')).toHaveLength(400)
  })

  law(
    'grows with what is drawn, shrinks again, and loses no line on the way',
    [number(0, 400), number(0, 400)],
    (a, b) => {
      let count = Math.floor(a)
      const helper = drawing((draw) => {
        for (let i = 0; i < count; i++) draw.line('grid', v(i, 0, 0), v(i, 1, -i))
      })
      for (const next of [count, Math.floor(b), 0, 3]) {
        count = next
        helper.update()
        const seen = helper.layerNames.length === 0 ? [] : segments(helper, 'grid')
        expect(seen).toHaveLength(count)
        for (const [i, [from, to]] of seen.entries()) {
          expectVec(from, v(i, 0, 0), 0)
          expectVec(to, v(i, 1, -i), 0)
        }
      }
    },
    20,
  )

  it('shows the chosen layers; the choice may be changed at any time', () => {
    const helper = new SteeringHelper(
      {
        trace(draw) {
          draw.line('a', v(0, 0, 0), v(1, 0, 0))
          draw.line('b', v(0, 0, 0), v(0, 1, 0))
        },
      },
      { layers: ['b'] },
    )
    helper.update()
    const visible = (): string[] => helper.layerNames.filter((_, i) => helper.children[i]!.visible)
    expect([helper.layerNames, visible()]).toEqual([['a', 'b'], ['b']])
    helper.shown?.add('a')
    helper.update()
    expect(visible()).toEqual(['a', 'b'])
    helper.shown = new Set()
    helper.update()
    expect(visible()).toEqual([])
    helper.shown = null
    helper.update()
    expect(visible()).toEqual(['a', 'b'])
  })

  it('has a colour for each layer, which may be an option', () => {
    const trace = (draw: DebugDraw): void => {
      for (const layer of ['velocity', 'course up', 'own']) draw.line(layer, v(0, 0, 0), v(1, 1, 1))
    }
    const helper = new SteeringHelper({ trace }, { colors: { velocity: 'red', own: 0x123456 } })
    helper.update()
    const colorOf = (i: number): number =>
      ((helper.children[i] as LineSegments).material as unknown as { color: Color }).color.getHex()
    expect([colorOf(0), colorOf(1), colorOf(2)]).toEqual([0xff0000, DEFAULT_COLORS['course up'], 0x123456])
  })

  it('draws the drawings of behaviours, also deep in a combination', () => {
    const leaf: Behavior = {
      steer() {},
      trace: (agent, _step, draw) => draw.line('plan', agent.position, v(0, 0, 9)),
    }
    const world = new SteeringWorld()
    const one = pilot({ steer() {}, children: [{ steer() {}, children: [leaf] }] })
    world.add(one)
    const helper = new SteeringHelper(world)
    helper.update()
    expectVec(segments(helper, 'plan')[0]![1], v(0, 0, 9), 0)
  })

  it('draws the discs of obstacles and the direction that passes them, from the next step on', () => {
    const world = new SteeringWorld()
    const obstacles = [{ shape: new SphereShape(2), at: v(0, 0, 20) }]
    const avoiding = within([new AvoidObstacles({ obstacles })], new Seek({ target: v(0, 0, 60) }))
    world.add(pilot(avoiding, { velocity: v(0, 0, 5) }))
    const helper = new SteeringHelper(world)
    world.step(1 / 60)
    helper.update()
    expect(segments(helper, 'discs')).toHaveLength(32)
    const [[from, to]] = segments(helper, 'chosen direction') as [[Vec3, Vec3]]
    // aside of the wanted direction, by more than the radius of the obstacle at its distance
    expect(Math.hypot(to.x - from.x, to.y - from.y) / (to.z - from.z)).toBeGreaterThan(2 / 20)
    expect(segments(helper, 'wanted direction')[0]![1].z).toBeGreaterThan(5)
  })

  it('draws nothing for an agent that has left its world', () => {
    const world = new SteeringWorld()
    const one = pilot()
    world.add(one)
    const helper = new SteeringHelper(one)
    helper.update()
    expect(segments(helper, 'velocity')).toHaveLength(1)
    world.remove(one)
    helper.update()
    for (const layer of helper.layerNames) expect(segments(helper, layer)).toEqual([])
  })

  it('draws neighbours only to agents that are in the world', () => {
    const world = new SteeringWorld()
    const behavior: Behavior = { reach: 100, neighborSearch, steer: (agent) => void agent.neighbors.count }
    const pilots = [0, 1, 2, 3].map((i) => pilot(behavior, { position: v(5 + i, 0, 0), maxForce: 1 }))
    pilots.forEach((each) => world.add(each))
    world.step(1 / 60)
    world.remove(pilots[0]!)
    world.remove(pilots[2]!)
    const helper = new SteeringHelper(world)
    helper.update()
    for (const [from, to] of segments(helper, 'neighbors')) {
      expect([6, 8]).toContain(Math.round(from.x))
      expect([6, 8]).toContain(Math.round(to.x))
    }
  })

  it('does not call steer', () => {
    let steps = 0
    const world = new SteeringWorld()
    world.add(pilot({ steer: () => void steps++ }))
    const helper = new SteeringHelper(world)
    helper.update()
    helper.update()
    expect(steps).toBe(0)
  })

  it('dispose frees every layer and leaves the scene; a second call does nothing', () => {
    const scene = new Scene()
    const helper = drawing((draw) => {
      draw.line('a', v(0, 0, 0), v(1, 0, 0))
      draw.line('b', v(0, 0, 0), v(1, 0, 0))
    })
    scene.add(helper)
    helper.update()
    const freed: string[] = []
    for (const [i, child] of (helper.children as LineSegments[]).entries()) {
      child.geometry.addEventListener('dispose', () => freed.push(`geometry ${i}`))
      ;(
        child.material as LineSegments['material'] & { addEventListener: (t: string, f: () => void) => void }
      ).addEventListener('dispose', () => freed.push(`material ${i}`))
    }
    helper.dispose()
    helper.dispose()
    expect(freed.sort()).toEqual(['geometry 0', 'geometry 1', 'material 0', 'material 1'])
    expect([scene.children.length, helper.children.length, helper.layerNames]).toEqual([0, 0, []])
    // it may be used again
    helper.update()
    expect(helper.layerNames).toEqual(['a', 'b'])
  })

  it('frees a buffer that has become too small', () => {
    let count = 1
    const helper = drawing((draw) => {
      for (let i = 0; i < count; i++) draw.line('a', v(0, 0, 0), v(1, 0, 0))
    })
    helper.update()
    let freed = 0
    ;(helper.children[0] as LineSegments).geometry.addEventListener('dispose', () => freed++)
    count = 1000
    helper.update()
    expect(freed).toBeGreaterThan(0)
  })

  it('is never culled as a whole, because its lines may be anywhere', () => {
    const helper = drawing((draw) => draw.line('a', v(0, 0, 0), v(1, 0, 0)))
    helper.update()
    expect(helper.children[0]!.frustumCulled).toBe(false)
  })

  it.each([null, undefined, 5, 'ship', {}])('refuses a target that cannot draw itself: %s', (bad) => {
    expect(() => new SteeringHelper(bad as never)).toThrow(TypeError)
    expect(() => new SteeringHelper(bad as never)).toThrow(/SteeringHelper.*must be/)
  })

  it('draws an explanation: the force of each behaviour, in a layer and a colour of its own', () => {
    const world = new SteeringWorld()
    const tree = blend([new Seek({ target: v(0, 0, 50) }), new Flee({ target: v(9, 0, 0) })])
    const one = pilot(tree, { position: v(1, 2, 3) })
    world.add(one)
    const helper = new SteeringHelper(explain(world, one))
    helper.update()
    expect(helper.layerNames).toEqual([])
    world.step(1 / 60)
    helper.update()
    expect(helper.layerNames).toEqual(['by Seek', 'by Flee'])
    expectVec(segments(helper, 'by Seek')[0]![0], v(1, 2, 3))
    expectVec(segments(helper, 'by Flee')[0]![0], segments(helper, 'by Seek')[0]![1], 1e-6)
    const [seek, flee] = (helper.children as LineSegments<never, LineBasicMaterial>[]).map(
      ({ material }) => material.color,
    )
    expect(seek!.equals(flee!)).toBe(false)
    expect(colorFor('by Seek').equals(seek!)).toBe(true)
  })
})
