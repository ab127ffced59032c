import { describe, expect, it } from 'vitest'
import { ArcPath } from 'three-steering/curves'
import { DirectedSeekShow, SPEED } from '../../demo/scenarios/directed-seek-show.js'
import { courseOf, PRESETS, TOUR } from '../../demo/scenarios/directed-seek-presets.js'
import { distance, magnitude } from '../../demo/scenarios/metrics.js'
import { Passage } from '../../demo/scenarios/passage.js'
import { shortestWay } from '../../demo/scenarios/shortest-way.js'
import { plus, vec } from '../../demo/scenarios/vectors.js'
import { seeded } from 'three-steering/authoring'

const DT = 1 / 60

/** Flies until the course changes, and returns the results by method. */
function flyOne(show: DirectedSeekShow): Record<string, { state: string; ratio: number; error: number }> {
  const { runs, craft, shortest } = show
  const best = shortest.length
  for (let k = 0; show.runs === runs; k++) {
    if (k > 120 / DT) throw new Error(`course ${show.course.name} has no end`)
    show.step(DT)
  }
  return Object.fromEntries(
    craft.map(({ method, passage, state }) => [
      method,
      { state, ratio: passage.flown / best, error: passage.headingError },
    ]),
  )
}

describe('the directed-seek scene', () => {
  it('passes every waypoint of the tour in its direction by plan, on the shortest path', () => {
    const show = new DirectedSeekShow()
    for (const name of TOUR) {
      expect(show.course.name).toBe(name)
      const { ratio, error, state } = flyOne(show)['planned']!
      // it may be shorter by the tolerance only
      const fine = state === 'gone' && ratio < 1.005 && ratio > 0.98 && error < Math.PI / 180
      expect({ name, ratio, error, fine }).toMatchObject({ fine: true })
    }
    // the other methods fly farther or do not arrive
    const { planned, jakob, stateless } = show.scores
    expect(planned.lost).toBe(0)
    expect(jakob.lost + stateless.lost).toBeGreaterThan(0)
    expect(jakob.sum / jakob.arrived).toBeGreaterThan(planned.sum / planned.arrived + 0.01)
  }, 20_000)

  it('waits while a pose is dragged, and then keeps the dragged pose', () => {
    const show = new DirectedSeekShow({ seed: 2 })
    for (let k = 0; k < 60; k++) show.step(DT)
    show.held = true
    show.course.start.position.x += 3
    show.course.goal.heading.x = 0
    show.begin()
    for (let k = 0; k < 60; k++) show.step(DT)
    for (const { pilot, state } of show.craft) {
      expect(state).toBe('waiting')
      expect(distance(pilot.position, show.course.start.position)).toBe(0)
    }
    show.held = false
    const { start } = structuredClone(show.course)
    flyOne(show)
    expect(show.course).toMatchObject({ name: 'yours', start })
    show.preset = 'far'
    expect(show.course.name).toBe('far')
  }, 20_000)

  it('no agent turns more tightly than the radius and the spare force allow', () => {
    const show = new DirectedSeekShow({ seed: 3 })
    show.turnRadius = 5
    let most = 0
    for (let k = 0; k < 400; k++) {
      show.step(DT)
      for (const { pilot, state } of show.craft)
        if (state === 'flying') most = Math.max(most, magnitude(pilot.force))
    }
    expect(most).toBeLessThan((1.2 * SPEED ** 2) / 5 + 1e-9)
    expect(most).toBeGreaterThan(SPEED ** 2 / 5)
  })
})

describe('the measures of the scene', () => {
  it('the shortest path to a moving waypoint ends at its place at the time of arrival', () => {
    const random = seeded(4)
    const path = new ArcPath()
    const end = vec(0, 0, 0)
    for (let k = 0; k < 20; k++) {
      const course = courseOf('moving waypoint', random, 8, SPEED)
      const length = shortestWay(path, course, 8, SPEED)
      expect(path.length).toBe(length)
      const { position, velocity } = course.goal
      path.pointAt(end, length)
      const time = distance(end, position) / magnitude(velocity)
      expect(distance(end, plus(position, velocity, time))).toBeLessThan(1e-6)
      // in time, and not much too early: the length jumps where another type of path becomes shorter
      expect(length).toBeLessThan(SPEED * time + 1e-6)
      expect(length).toBeGreaterThan(SPEED * time - 2)
    }
  })

  it.each(PRESETS)('a course of the kind %s has unit headings and a finite path', (preset) => {
    const random = seeded(9)
    for (let k = 0; k < 20; k++) {
      const course = courseOf(preset, random, 8, SPEED)
      expect(magnitude(course.start.heading)).toBeCloseTo(1, 9)
      expect(magnitude(course.goal.heading)).toBeCloseTo(1, 9)
      expect(Number.isFinite(shortestWay(new ArcPath(), course, 8, SPEED))).toBe(true)
    }
  })

  it('a passage counts within its tolerances only', () => {
    const goal = { position: vec(0, 0, 0), heading: vec(0, 0, 1) }
    const pass = (x: number, slope: number): Passage => {
      const passage = new Passage(vec(x, 0, -5))
      for (let k = 1; k <= 100; k++)
        passage.see(vec(x + slope * (0.1 * k - 5), 0, -5 + 0.1 * k), vec(10 * slope, 0, 10), goal, 1)
      return passage
    }
    expect(pass(0, 0)).toMatchObject({ passed: true, headingError: 0 })
    expect(pass(0, 0).flown).toBeCloseTo(5, 9)
    expect(pass(0.04, 0)).toMatchObject({ passed: true, missedBy: 0.04 })
    expect(pass(0.06, 0)).toMatchObject({ passed: false, missedBy: 0.06 })
    expect(pass(0, Math.tan(Math.PI / 100)).passed).toBe(true)
    expect(pass(0, Math.tan(Math.PI / 80)).passed).toBe(false)
    expect(pass(3, 0).missedBy).toBe(Infinity)
  })
})
