import { describe, expect, it } from 'vitest'
import { Path, type Vec3 } from 'three-steering'
import type { PathCurve } from 'three-steering/authoring'
import { dubins } from 'three-steering/curves'
import { racingLine, type Gate, type RacingLineOptions } from 'three-steering/racing'
import { gateCourse, GATE_COURSES, stopsOf } from '../../rigs/gate-courses.js'
import { crossOf, dotOf, minus, norm, plus } from '../../support/geometry.js'

const v = (x = 0, y = 0, z = 0): Vec3 => ({ x, y, z })
const gate = (position: Vec3, radius = 3, heading = v(1)): Gate => ({ position, heading, radius })

/**
 * Where a path crosses the plane of a gate near its own station for it: distance from the centre, and cosine
 * of the angle.
 */
function passOf(path: Path, i: number, { position, heading }: Gate): { off: number; cosine: number } {
  const s = path.stationOf(i)
  const unit = plus(v(), heading, 1 / norm(heading))
  const distance = minus(path.pointAt(v(), s), position)
  expect(Math.abs(dotOf(distance, unit))).toBeLessThan(1e-6 * path.length)
  return { off: norm(distance), cosine: dotOf(path.tangentAt(v(), s), unit) }
}

function sharpest(path: Path): number {
  let largest = 0
  for (let i = 0; i < path.line.count; i++) largest = Math.max(largest, path.line.bendOf(i))
  return largest
}

describe('racingLine', () => {
  it.each(GATE_COURSES)(
    'passes all discs of a %s clear of their rims, in their directions, without a corner',
    (kind) => {
      for (const seed of [1, 2, 3]) {
        const course = gateCourse(kind, seed)
        const { maxSpeed: speed, maxForce, mass } = course
        const gates = stopsOf(course)
        const clearance = 1.5 * course.radius
        const line = racingLine(gates, { speed, acceleration: maxForce / mass, clearance })
        const path = new Path(line)
        gates.forEach((each, i) => {
          const { off: distance, cosine } = passOf(path, i, each)
          expect(cosine).toBeGreaterThan(0.4)
          // On a slanted passage a ball needs more space.
          if (each.radius > 0) expect(distance + clearance / cosine).toBeLessThan(each.radius * (1 + 1e-9))
          else expect(distance).toBeLessThan(1e-9)
        })
        for (let i = 1; i < path.line.count; i++) expect(path.cornerOf(i)).toBe(0)
      }
    },
  )

  it('is straight where a straight line passes all discs', () => {
    const gates = [gate(v(0, 0), 0), gate(v(30, 2)), gate(v(60, -2)), gate(v(90, 2, 2)), gate(v(120), 0)]
    const path = new Path(racingLine(gates, { speed: 10, acceleration: 10 }))
    expect(path.length).toBeLessThan(120 * (1 + 1e-6))
  })

  it('touches the inner edge of a bend, the shortest possible line', () => {
    // A right angle with a disc of radius 3 in the corner. The shortest path is the arc of the turn radius
    // that touches its edge.
    const gates = [gate(v(-60), 0), gate(v(0, 0, 0), 3, v(1, 1)), gate(v(0, 60), 0, v(0, 1))]
    const path = new Path(racingLine(gates, { speed: 10, acceleration: 100 / 9.3, clearance: 1 }))
    const { off: distance } = passOf(path, 1, gates[1]!)
    expect(distance).toBeCloseTo(2, 4)
    // By brute force: symmetrical paths of a straight, an arc of radius 10, and a straight, through the same
    // point.
    let smallest = Infinity
    for (let angle = 0; angle < 1; angle += 2e-3) {
      const half = Math.PI / 4 - angle
      if (half < 0) break
      const path = new Path({
        curve: dubins,
        points: [v(-60), v(-Math.SQRT2, Math.SQRT2), v(0, 60)],
        headings: [null, v(1, 1), null].map((each, i) =>
          i === 0
            ? v(Math.cos(angle), Math.sin(angle))
            : i === 2
              ? v(Math.sin(angle), Math.cos(angle))
              : each,
        ),
        radius: 10,
      })
      smallest = Math.min(smallest, path.length)
    }
    expect(path.length).toBeLessThan(smallest * (1 + 1e-4))
    expect(path.length).toBeGreaterThan(smallest * (1 - 1e-4))
  })

  it('turns no tighter than at full speed unless that saves time, and never tighter than turnRadius', () => {
    const gates = [gate(v(0), 0), gate(v(40, 10), 1), gate(v(80, -10), 1), gate(v(120), 0)]
    const wide = new Path(racingLine(gates, { speed: 10, acceleration: 10 }))
    expect(sharpest(wide)).toBeLessThan(1 / (100 / 9.3) + 1e-9)
    // A hairpin that would need a loop at full speed.
    const hairpin = [gate(v(0), 0), gate(v(40), 1, v(0, 1)), gate(v(0, 8), 0, v(-1))]
    const tight = new Path(racingLine(hairpin, { speed: 20, acceleration: 10 }))
    expect(sharpest(tight)).toBeGreaterThan(1 / 20)
    expect(tight.length).toBeLessThan(100)
    const events = new Path(racingLine(hairpin, { speed: 20, acceleration: 10, turnRadius: 15 }))
    expect(sharpest(events)).toBeLessThan(1 / 15 + 1e-9)
  })

  it('closes to a loop', () => {
    const gates = Array.from({ length: 8 }, (_, i) => {
      const a = (i * Math.PI) / 4
      return gate(v(50 * Math.cos(a), 0, 50 * Math.sin(a)), 5, v(-Math.sin(a), 0, Math.cos(a)))
    })
    const path = new Path(racingLine(gates, { speed: 10, acceleration: 10, ends: 'closed' }))
    expect(path.ends).toBe('closed')
    // Inside the circle through the inner edges, nothing is shorter than the chords between them.
    expect(path.length).toBeLessThan(2 * Math.PI * 45)
    expect(path.length).toBeGreaterThan(16 * 45 * Math.sin(Math.PI / 8))
    for (let i = 0; i < path.line.count; i++) expect(path.cornerOf(i)).toBe(0)
  })
})

describe('headings of a path', () => {
  const points = [v(), v(20, 5), v(40, -5, 8), v(60)]
  it.each<PathCurve>(['spline', dubins])('are the directions in which %s passes its points', (curve) => {
    const headings = [null, v(1, 1), v(0, 0, -4), v(1, 0, 1)]
    const path = new Path({ points, curve, headings, radius: curve === dubins ? [2, 3, 4, 2] : 0 })
    points.forEach((point, i) => {
      expect(norm(minus(path.pointAt(v(), path.stationOf(i)), point))).toBeLessThan(1e-6)
      const heading = headings[i]
      if (!heading) return
      const distance = norm(crossOf(path.tangentAt(v(), path.stationOf(i)), heading)) / norm(heading)
      expect(distance).toBeLessThan(1e-6)
      expect(dotOf(path.tangentAt(v(), path.stationOf(i)), heading)).toBeGreaterThan(0)
    })
    for (let i = 1; i < path.line.count; i++) expect(path.cornerOf(i)).toBe(0)
    if (curve === dubins) expect(sharpest(path)).toBeLessThan(1 / 2 + 1e-9)
  })

  it('turn a spline into an arc if they are those of an arc', () => {
    const path = new Path({ points: [v(10), v(0, 10)], headings: [v(0, 1), v(-1)] })
    for (let s = 0; s <= path.length; s += path.length / 50)
      expect(Math.abs(norm(path.pointAt(v(), s)) - 10)).toBeLessThan(0.005)
  })
})

describe('invalid options', () => {
  const gates = [gate(v(0)), gate(v(30)), gate(v(60))]
  const refused: [string, unknown, object, string][] = [
    ['no gates', undefined, {}, 'racingLine.gates: got undefined'],
    ['one gate', [gates[0]], {}, 'racingLine.gates: got length 1'],
    ['a radius', [...gates, gate(v(90), NaN)], {}, 'racingLine.gates[3].radius: got NaN'],
    ['speed', gates, { speed: 0 }, 'racingLine.speed: got 0'],
    ['acceleration', gates, { acceleration: Infinity }, 'racingLine.acceleration: got Infinity'],
    ['clearance', gates, { clearance: -1 }, 'racingLine.clearance: got -1'],
    ['turn radius', gates, { turnRadius: '7' }, "racingLine.turnRadius: got '7'"],
    ['ends', gates, { ends: 'ping-pong' }, "racingLine.ends: got 'ping-pong'"],
  ]
  it.each(refused)('of racingLine: %s is refused', (_, list, bad, message) => {
    const options = { speed: 10, acceleration: 10, ...bad } as RacingLineOptions
    expect(() => racingLine(list as Gate[], options)).toThrow(message)
  })

  const points = [v(), v(20), v(40, 10)]
  const paths: [string, object, string][] = [
    ['headings of a polyline', { curve: 'polyline', headings: [null, null, null] }, 'Path.headings'],
    ['too few headings', { headings: [null] }, 'Path.headings: got length 1, must be 3'],
    ['a heading of nothing', { headings: [null, v(), null] }, 'Path.headings[1]: got (0, 0, 0)'],
    ['a radius for each that is none', { curve: dubins, radius: [1, 2, -3] }, 'Path.radius[2]: got -3'],
    // oxlint-disable-next-line no-sparse-arrays
    ['a hole in the radii', { curve: 'arcs', radius: [1, , 3] }, 'Path.radius[1]: got undefined'],
    ['too few radii', { curve: 'arcs', radius: [1] }, 'Path.radius: got length 1, must be 3'],
  ]
  it.each(paths)('of Path: %s is refused', (_, bad, message) => {
    expect(() => new Path({ points, ...bad })).toThrow(message)
  })
})
