import { describe, expect, it } from 'vitest'
import {
  BoxShape,
  HalfSpaceShape,
  Obstacles,
  Path,
  SphereShape,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import {
  FlowAround,
  FlowField,
  FlowSum,
  PathFlow,
  tunnelFlow,
  VortexFlow,
  WindFlow,
  type Flow,
  type FlowSource,
} from 'three-steering/flow'
import {
  direction,
  dotOf,
  minus,
  norm,
  number,
  plus,
  times,
  unit,
  v,
  vector,
} from '../../support/geometry.js'
import { law } from '../../support/law.js'
import { turned, unitQuat } from '../../laws/kit.js'

const SEVEN = { x: 7, y: -2, z: 1 }
const STEP = 1e-4

function at(flow: Flow, point: Vec3Like, time = 0): Vec3 {
  return flow.velocityAt(v(NaN, NaN, NaN), point, time)
}

/** Derivative of the flow along an axis, 1/s. */
function slope(flow: Flow, point: Vec3Like, axis: Vec3): Vec3 {
  return times(
    minus(at(flow, plus(point, times(axis, STEP))), at(flow, plus(point, times(axis, -STEP)))),
    0.5 / STEP,
  )
}

function divergence(flow: Flow, point: Vec3Like): number {
  return (
    slope(flow, point, v(1, 0, 0)).x + slope(flow, point, v(0, 1, 0)).y + slope(flow, point, v(0, 0, 1)).z
  )
}

function curl(flow: Flow, point: Vec3Like): Vec3 {
  const [x, y, z] = [v(1, 0, 0), v(0, 1, 0), v(0, 0, 1)].map((axis) => slope(flow, point, axis))
  return v(y!.z - z!.y, z!.x - x!.z, x!.y - y!.x)
}

describe('a vortex', () => {
  const options = { center: SEVEN, axis: v(1, 2, -0.5), radius: 6, speed: 5, climb: 2 }
  const vortex = new VortexFlow(options)
  const axis = unit(options.axis)

  law('has no divergence', [vector(40)], (point) => {
    expect(Math.abs(divergence(vortex, point))).toBeLessThan(1e-6)
  })

  law('turns right-handed about its axis, with the speed of its formula', [vector(40)], (point) => {
    const offset = minus(point, SEVEN)
    const away = minus(offset, times(axis, dotOf(offset, axis)))
    const q = norm(away) / 6
    const flow = at(vortex, point)
    const round = minus(flow, times(axis, dotOf(flow, axis)))
    expect(norm(round)).toBeCloseTo((10 * q) / (1 + q * q), 9)
    expect(dotOf(round, away)).toBeCloseTo(0, 9)
    expect(dotOf(flow, axis)).toBeCloseTo(2 / (1 + q * q) ** 2, 9)
    const sense = v(
      away.y * round.z - away.z * round.y,
      away.z * round.x - away.x * round.z,
      away.x * round.y - away.y * round.x,
    )
    expect(dotOf(sense, axis)).toBeGreaterThanOrEqual(0)
  })

  law(
    'is symmetric about its axis',
    [vector(40), number(-3, 3)],
    (point, angle) => {
      const turn = { ...times(axis, Math.sin(angle)), w: Math.cos(angle) }
      const moved = plus(turned(turn, minus(point, SEVEN)), SEVEN)
      expect(norm(minus(at(vortex, moved), turned(turn, at(vortex, point))))).toBeLessThan(1e-9)
    },
    50,
  )

  law(
    'gives a turned flow if it is turned',
    [vector(40), vector(1), number(0.1, 1)],
    (point, { x, y, z }, w) => {
      const turn = unitQuat(x, y, z, w)
      const moved = new VortexFlow({
        ...options,
        center: turned(turn, SEVEN),
        axis: turned(turn, options.axis),
      })
      const there = at(moved, turned(turn, point))
      expect(norm(minus(there, turned(turn, at(vortex, point))))).toBeLessThan(1e-9)
    },
    50,
  )

  it('has only its climb on the axis', () => {
    expect(at(new VortexFlow({ center: SEVEN, radius: 1, speed: 9, climb: 3 }), SEVEN)).toEqual(v(0, 3, 0))
  })
})

describe('the flow round a ball', () => {
  const ball = { shape: new SphereShape(3), at: SEVEN }
  const wind = new WindFlow({ velocity: { x: 2, y: 5, z: -3 } })
  const flow = new FlowAround({ flow: wind, obstacles: new Obstacles([ball]) })

  law('has no divergence and no curl', [vector(12)], (offset) => {
    const far = norm(offset)
    if (far < 3.1) return
    const point = plus(SEVEN, offset)
    expect(Math.abs(divergence(flow, point))).toBeLessThan(1e-5)
    expect(norm(curl(flow, point))).toBeLessThan(1e-5)
  })

  law('slides along the surface', [direction()], (out) => {
    expect(dotOf(at(flow, plus(SEVEN, times(out, 3 + 1e-9))), out)).toBeCloseTo(0, 6)
  })

  it('is 1.5 times as fast at the equator, and unchanged far away', () => {
    const along = unit(v(2, 5, -3))
    const waist = at(flow, plus(SEVEN, times(unit(v(5, -2, 0)), 3)))
    expect(norm(minus(waist, times(along, 1.5 * Math.sqrt(38))))).toBeLessThan(1e-6)
    expect(norm(minus(at(flow, v(900, 0, 0)), v(2, 5, -3)))).toBeLessThan(1e-5)
  })

  it('is carried along by a moving ball: it is the same in the frame of the ball', () => {
    const carrier = { position: SEVEN, velocity: v(1, -1, 2) }
    const moving = new FlowAround({
      flow: new WindFlow({ velocity: plus(wind.velocity, carrier.velocity) }),
      obstacles: new Obstacles([{ shape: new SphereShape(3), at: carrier }]),
    })
    const point = v(4, 1, 3)
    expect(norm(minus(minus(at(moving, point), carrier.velocity), at(flow, point)))).toBeLessThan(1e-9)
  })
})

describe('the flow round obstacles', () => {
  const shapes = [new BoxShape({ x: 2, y: 1, z: 3 }), new SphereShape(2), new SphereShape(1)]
  const places = [v(0, 0, 0), v(6, 1, 0), v(2.5, 4, 1)]
  const solids = shapes.map((shape, i) => ({ shape, at: places[i]! }))
  const ground = { shape: new HalfSpaceShape(), at: v(0, -4, 0) }
  const obstacles = new Obstacles([...solids, ground])
  const wind = new WindFlow({ velocity: { x: 4, y: -2, z: 1 } })
  const flow = new FlowAround({ flow: wind, obstacles, range: 8, clearance: 0.5 })
  const normal = v(0, 0, 0)

  law('slides along each surface, for any number of obstacles', [vector(9)], (point) => {
    // moves the point to the distance of the clearance
    let place: Vec3 = point
    for (let i = 0; i < 40; i++) place = plus(place, times(normal, 0.5 - obstacles.distance(place, normal)))
    if (Math.abs(obstacles.distance(place, normal) - 0.5) > 1e-7) return
    expect(Math.abs(dotOf(at(flow, place), normal))).toBeLessThan(1e-3)
  })

  law('has no jumps', [vector(12), direction()], (point, step) => {
    const gap = obstacles.distance(point, normal)
    if (gap < 0.6) return
    const there = at(flow, plus(point, times(step, 1e-6)))
    expect(norm(minus(there, at(flow, point)))).toBeLessThan(1e-3)
  })

  it('is finite inside of obstacles, and unchanged out of their range', () => {
    for (const place of places) expect(norm(at(flow, place))).toBeLessThan(10)
    expect(at(flow, v(0, 40, 0))).toEqual({ ...wind.velocity })
  })

  it('along a wall is unchanged', () => {
    const along = new WindFlow({ velocity: v(4, 0, 1) })
    const over = new FlowAround({ flow: along, obstacles: new Obstacles([ground]), range: 8 })
    for (const y of [-4, -3, 0, 5]) expect(norm(minus(at(over, v(1, y, 2)), v(4, 0, 1)))).toBeLessThan(1e-12)
  })
})

describe('a flow along a path', () => {
  const points = [v(0, 0, 0), v(20, 5, 0), v(30, 0, 20), v(10, -5, 30)]
  const path = new Path({ points, ends: 'closed', tube: 3 })
  const flow = new PathFlow({ path, speed: 6, width: 4, inwardShare: 0.8, maxDistance: 30 })
  const random = seeded(3)
  const [spot, ahead] = [v(0, 0, 0), v(0, 0, 0)]

  it('is parallel to the path within the tube, with the same speed everywhere', () => {
    for (let i = 0; i < 100; i++) {
      const s = random() * path.length
      path.tangentAt(ahead, s)
      const across = unit(minus(points[0]!, times(ahead, dotOf(points[0]!, ahead))))
      const offset = norm(across) > 0.5 ? across : unit(v(ahead.y, -ahead.x, 0))
      const point = plus(path.pointAt(spot, s), times(offset, 2.9 * random()))
      expect(norm(at(flow, point))).toBeCloseTo(6, 9)
      path.tangentAt(ahead, path.nearest(point))
      expect(norm(minus(at(flow, point), times(ahead, 6)))).toBeLessThan(1e-9)
    }
  })

  it('leads inwards outside of the tube, and carries floating points into it', () => {
    for (let i = 0; i < 20; i++) {
      let point: Vec3 = plus(
        path.pointAt(spot, random() * path.length),
        v(7 * random(), 7 * random(), 7 * random()),
      )
      for (let n = 0; n < 1000; n++) point = plus(point, times(at(flow, point), 0.02))
      expect(norm(minus(point, path.pointAt(spot, path.nearest(point))))).toBeLessThan(3.6)
    }
  })

  it('uses the same nearest point as the path', () => {
    for (let i = 0; i < 200; i++) {
      const point = plus(path.pointAt(spot, random() * path.length), v(random(), 4 * random(), -random()))
      expect(norm(minus(at(flow, point), at(flow, plus(point, v(1e-7, 0, 0)))))).toBeLessThan(1e-5)
      const s = path.nearest(point)
      const offset = minus(point, path.pointAt(spot, s))
      path.tangentAt(ahead, s)
      // there is no flow at right angles to both the path and the offset from it
      const side = v(
        ahead.y * offset.z - ahead.z * offset.y,
        ahead.z * offset.x - ahead.x * offset.z,
        ahead.x * offset.y - ahead.y * offset.x,
      )
      expect(dotOf(at(flow, point), side)).toBeCloseTo(0, 6)
    }
  })

  it('is zero beyond maxDistance', () => {
    expect(at(flow, v(0, 90, 0))).toEqual(v(0, 0, 0))
  })

  it('has the opposite direction with a speed below 0, and still leads inwards', () => {
    const back = new PathFlow({ path, speed: -6, width: 4, inwardShare: 0.8, maxDistance: 30 })
    const point = v(-3, -6, 4)
    path.tangentAt(ahead, path.nearest(point))
    const [there, here] = [at(flow, point), at(back, point)]
    expect(dotOf(here, ahead)).toBeCloseTo(-dotOf(there, ahead), 9)
    expect(norm(minus(here, plus(there, times(ahead, -2 * dotOf(there, ahead)))))).toBeLessThan(1e-9)
  })
})

describe('a tunnel', () => {
  const tunnel = tunnelFlow({ from: v(0, 0, 0), to: v(0, 0, 50), radius: 4, speed: 8, width: 2 })

  it('is straight within its radius, and fades around it and beyond its ends', () => {
    expect(at(tunnel, v(3, 2, 20))).toEqual(v(0, 0, 8))
    expect(at(tunnel, v(0, 0, 53))).toEqual(v(0, 0, 8))
    expect(at(tunnel, v(5, 0, 20)).z).toBeCloseTo(4, 9)
    for (const point of [v(6, 0, 20), v(0, 0, 56), v(0, 0, -6)]) expect(at(tunnel, point)).toEqual(v(0, 0, 0))
  })
})

describe('a sum of flows', () => {
  it('is the sum of its weighted parts, which may be changed', () => {
    const wind = new WindFlow({ velocity: v(1, 0, 0) })
    const gust = (_point: Vec3Like, time: number, out: Vec3): void => void (out.z = time)
    const sum = new FlowSum([wind, { flow: gust, weight: 0.5 }, new FlowSum([{ flow: wind }])])
    expect(at(sum, SEVEN, 6)).toEqual(v(2, 0, 3))
    sum.parts[1]!.weight = 0
    sum.parts.pop()
    expect(at(sum, SEVEN, 6)).toEqual(v(1, 0, 0))
  })

  it('painted on a grid is the sum of its parts painted', () => {
    const box = { min: v(-5, -5, -5), max: v(5, 5, 5), size: v(4, 4, 4) }
    const wind = new WindFlow({ velocity: v(1, 2, 3) })
    const vortex = new VortexFlow({ center: v(0, 0, 0), radius: 2, speed: 3 })
    const whole = new FlowField(box).paint(new FlowSum([wind, { flow: vortex, weight: 2 }]))
    const parts = new FlowField(box).add(wind).add(vortex, 2)
    whole.data.forEach((value, i) => expect(value).toBeCloseTo(parts.data[i]!, 5))
  })
})

describe('the options of the painters', () => {
  const flow = new WindFlow({ velocity: v(0, 0, 0) })

  it.each<[string, () => unknown]>([
    ['tunnelFlow.radius: got 0, must be > 0', () => tunnelWith({ radius: 0 })],
    ['tunnelFlow.width: got -1, must be > 0', () => tunnelWith({ width: -1 })],
    ['Path.points: got 1 different points, must be ≥ 2', () => tunnelWith({ to: v(0, 0, 0) })],
    ['FlowSum.parts: got 7, must be an array', () => new FlowSum(7 as unknown as FlowSource[])],
    ['FlowSum.parts[0]: got null, must be a flow', () => new FlowSum([null as unknown as FlowSource])],
    ['FlowSum.parts[0].weight: got NaN', () => new FlowSum([{ flow, weight: NaN }])],
  ])('are checked: %s', (message, make) => {
    expect(make).toThrow(message)
  })

  function tunnelWith(wrong: object): PathFlow {
    return tunnelFlow({ from: v(0, 0, 0), to: v(0, 0, 9), radius: 1, speed: 1, ...wrong })
  }
})
