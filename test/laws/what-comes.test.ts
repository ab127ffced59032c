import { describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  BoxShape,
  CapsuleShape,
  CylinderShape,
  Obstacles,
  SphereShape,
  within,
  type Quat,
  type Shape,
  type Vec3,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { about, plus, times, turned, unit, v } from '../support/geometry.js'
import { pilot, quietWorld } from '../support/pilot.js'
import { pick } from '../support/tier.js'

// What comes does not run over one who can step aside: an agent at rest at its goal, in space and in a plane,
// whatever the form, the size, the speed and the way of what comes, also where many come at once.

const SHAPES: readonly ((size: number) => Shape)[] = [
  (size) => new SphereShape(size),
  (size) => new BoxShape(v(size, size, size)),
  (size) => new BoxShape(v(size, size / 4, size)),
  (size) => new BoxShape(v(size / 4, size, size / 4)),
  (size) => new CapsuleShape(size / 3, size),
  (size) => new CylinderShape(size, size),
]
/** From above, aslant, and level. */
const WAYS = [v(0, -1, 0), v(-0.6, -0.8, 0), v(-0.96, -0.28, 0), v(-1, 0, 0)]
const RATES = [30, 60, 144]

interface Comer {
  readonly shape: Shape
  readonly at: { position: Vec3; readonly velocity: Vec3; readonly quaternion: Quat }
}

/** Least gap (m) between an agent at rest at its goal and what comes, within `seconds`. */
function leastGap(
  comers: readonly Comer[],
  isPlanar: boolean,
  maxForce: number,
  dt: number,
  seconds: number,
) {
  const obstacles = new Obstacles(comers)
  const { world } = quietWorld()
  const agent = pilot(within([new AvoidObstacles({ obstacles })], new Arrive({ target: v(0, 0, 0) })), {
    maxSpeed: 5,
    maxForce,
    ...(isPlanar ? { plane: v(0, 1, 0) } : {}),
  })
  world.add(agent)
  let gap = Infinity
  for (let time = 0; time < seconds; time += dt) {
    world.step(dt)
    for (const { at } of comers) at.position = plus(at.position, times(at.velocity, dt))
    obstacles.refresh()
    gap = Math.min(gap, obstacles.distance(agent.position, v(0, 0, 0)) - agent.radius)
  }
  return gap
}

describe.each([false, true])('in a plane: %s', (isPlanar) => {
  it('one that comes passes', () => {
    const random = seeded(34)
    const all = SHAPES.flatMap((shape) =>
      [1, 3, 6].flatMap((size) =>
        [0.5, 3, 10].flatMap((speed) => WAYS.map((way) => ({ shape, size, speed, way }))),
      ),
    )
    const hits: string[] = []
    all.forEach(({ shape, size, speed, way }, i) => {
      const turn = about(v(0, 1, 0), 7 * random())
      const quaternion = random() < 0.5 ? about(unit(v(random(), random(), random())), 3 * random()) : turn
      const velocity = times(turned(turn, way), speed)
      const off = times(v(random() - 0.5, random() - 0.5, random() - 0.5), random() < 0.5 ? 0 : size)
      const dt = 1 / RATES[Math.floor(3 * random())]!
      const maxForce = random() < 0.5 ? 3 : 10
      if (i % pick(6, 1) !== 0) return
      const before = Math.max(5, (4 + 3 * size) / speed)
      const at = { position: plus(off, times(velocity, -before)), velocity, quaternion }
      const seconds = before + (3 * size) / speed + 1
      const gap = leastGap([{ shape: shape(size), at }], isPlanar, maxForce, dt, seconds)
      if (!(gap > 0)) hits.push(`${i}: ${gap} m`)
    })
    expect(hits).toEqual([])
  })

  it('many that come pass', () => {
    // in a plane the gaps between them close now and then
    const [most, of] = pick([1, 8], [4, 48])
    const random = seeded(35)
    const hits: string[] = []
    for (let i = 0; i < of; i++) {
      const speed = i % 2 ? 3 : 8
      const comers = Array.from({ length: 30 }, () => {
        const to = unit(v(random() - 0.5, isPlanar ? 0 : random() - 0.5, random() - 0.5))
        const miss = times(v(random() - 0.5, isPlanar ? 0 : random() - 0.5, random() - 0.5), 5 * random())
        const position = plus(miss, times(to, -speed * (3 + 40 * random())))
        const at = { position, velocity: times(to, speed), quaternion: about(to, 3 * random()) }
        return { shape: SHAPES[i % 2]!(0.3 + 0.7 * random()), at }
      })
      const gap = leastGap(comers, isPlanar, i % 4 < 2 ? 5 : 15, 1 / RATES[i % 3]!, 45)
      if (!(gap > 0)) hits.push(`${i}: ${gap} m`)
    }
    expect(hits.slice(isPlanar ? most : 0)).toEqual([])
  })
})
