import { describe, expect, it } from 'vitest'
import { Obstacle, type Vec3 } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { wallOf, shapeOf } from '../rigs/course-behavior.js'
import { clearance, distanceTo, roomIn, type Block, type Form } from '../rigs/course.js'
import { COURSES, type CourseKind } from '../rigs/courses.js'
import { flyCourse } from '../rigs/fly-course.js'
import { FlightRecorder } from '../rigs/flight.js'
import { Flips } from '../../demo/scenarios/metrics.js'
import { STREAMS } from '../rigs/streams.js'
import { anyTurn, direction, times, turnFromY, turned, vec } from '../../demo/scenarios/vectors.js'
import { ALL } from '../support/tier.js'

/** Tests of the measuring instruments themselves. */

const FORMS: readonly Form[] = [
  { kind: 'sphere', radius: 3 },
  { kind: 'box', half: vec(2, 1, 4) },
  { kind: 'capsule', radius: 1.5, length: 4 },
  { kind: 'cylinder', radius: 2, height: 3 },
  { kind: 'halfSpace' },
]

describe('the measured distances', () => {
  const random = seeded(3)
  const normal: Vec3 = vec(0, 0, 0)

  it.each(FORMS)('agree with the package for a $kind, outside and inside', (form) => {
    for (let i = 0; i < 300; i++) {
      const block: Block = { form, at: times(direction(random), 5), turn: anyTurn(random) }
      const point = times(direction(random), 10 * random())
      const { at, turn } = block
      expect(distanceTo(block, point)).toBeCloseTo(
        new Obstacle({ shape: shapeOf(form), at, turn: turn! }).distance(point, normal),
        9,
      )
      expect(roomIn(block, point)).toBeCloseTo(
        new Obstacle({ shape: wallOf(form), at, turn: turn! }).distance(point, normal),
        9,
      )
    }
  })

  it('follow a drifting block', () => {
    const block: Block = { form: { kind: 'sphere', radius: 1 }, at: vec(1, 0, 0), velocity: vec(0, 2, 0) }
    expect(distanceTo(block, vec(1, 7, 0), 2)).toBeCloseTo(2, 12)
  })

  it('depend on the direction of the normal', () => {
    for (let i = 0; i < 20; i++) {
      const up = i < 2 ? vec(0, i === 0 ? 1 : -1, 0) : direction(random)
      const { x, y, z } = turned(turnFromY(up), vec(0, 1, 0))
      expect(Math.hypot(x - up.x, y - up.y, z - up.z)).toBeLessThan(1e-12)
    }
  })
})

describe('the count of flips', () => {
  function weave(rate: number, hertz: number): Flips {
    const flips = new Flips(0.1)
    // the course swings by ±0.3 rad: `rate` reversals a second
    for (let i = 0; i <= 10 * hertz; i++) {
      const angle = 0.3 * Math.sin((Math.PI * rate * i) / hertz)
      flips.see(vec(Math.cos(angle), 0, Math.sin(angle)), 1 / hertz)
    }
    return flips
  }

  it.each([30, 60, 240])('is the number of reversals, at %i steps a second', (hertz) => {
    expect(weave(2, hertz).count).toBe(20)
  })

  it('excludes slow drifts, motion near rest, and a steady turn', () => {
    expect(weave(0.1, 60).count).toBe(0)
    const rest = new Flips(0.1)
    for (let i = 0; i < 600; i++) rest.see(vec(0.05, 0, i % 2 === 0 ? 0.05 : -0.05), 1 / 60)
    expect(rest.count).toBe(0)
    const turn = new Flips(0.1)
    for (let i = 0; i < 600; i++) turn.see(vec(Math.cos(i / 60), Math.sin(i / 60), 1), 1 / 60)
    expect(turn.count).toBe(0)
  })

  it('counts a reversal in every step as jumps', () => {
    const flips = new Flips(0.1)
    for (let i = 0; i < 62; i++) flips.see(vec(1, 0, i % 2 === 0 ? 0.1 : -0.1), 1 / 60)
    expect([flips.count, flips.jumps]).toEqual([60, 60])
  })
})

describe('courses', () => {
  const all = { ...COURSES, ...STREAMS }
  const kinds = Object.keys(all) as (CourseKind | keyof typeof STREAMS)[]

  it.each(kinds)('%s: equal seeds give equal courses, other seeds others', (kind) => {
    expect(all[kind](4)).toEqual(all[kind](4))
    expect(all[kind](4)).not.toEqual(all[kind](5))
  })

  it.each(kinds.filter((kind) => kind !== 'inside' && kind !== 'insideSolid'))(
    '%s has its starts and goals in the open',
    (kind) => {
      for (let seed = 0; seed < 20; seed++) {
        const { pilots, blocks, bounds } = all[kind](seed)
        for (const { start, goal, radius } of pilots) {
          expect(clearance(blocks, start)).toBeGreaterThan(radius)
          if (goal !== null) expect(clearance(blocks, goal)).toBeGreaterThan(1.1 * radius)
          for (const bound of bounds) expect(roomIn(bound, start)).toBeGreaterThan(radius)
        }
      }
    },
  )

  it.runIf(ALL)('fly identically when flown twice', () => {
    const flown = (): unknown => flyCourse(COURSES.bowl(3), { record: true }).track
    expect(flown()).toEqual(flown())
  })

  it.each([
    ['nothing', 0, 0, 0, false],
    ['more force than there is', 1.2, 0, 0, true],
    ['more speed', 0, 1.1, 0, true],
    ['a leap', 0, 0, 0.01, true],
  ] as const)('notice %s', (_, force, speed, leap, isVoid) => {
    const course = COURSES.offLine(1)
    const [pilot] = course.pilots
    const { start, maxSpeed, maxForce, mass } = pilot!
    const dt = 1 / 60
    const recorder = new FlightRecorder({ ...pilot!, velocity: vec(0.9 * maxSpeed, 0, 0) }, course, dt)
    let x = start.x
    for (let i = 1; i <= 100; i++) {
      const vx = (speed === 0 ? 0.9 : speed) * maxSpeed
      const vy = i % 2 === 0 ? 0 : (force * dt * maxForce) / mass
      x += vx * dt + (i === 50 ? leap : 0)
      recorder.update(vec(x, start.y + (i % 2 === 0 ? 0 : vy * dt), start.z), vec(vx, vy, 0), i * dt)
    }
    expect(recorder.result().void).toBe(isVoid)
  })
})
