import { describe, expect, it } from 'vitest'
import {
  AvoidObstacles,
  BoxShape,
  FollowPath,
  Obstacles,
  Path,
  SteeringController,
  SteeringWorld,
  Wheels,
  within,
} from 'three-steering'
import { v } from '../support/geometry.js'
import { pick, report } from '../support/tier.js'

/** A lorry, from the middle of its rear axle (m). */
const FRONT = 6.5
const REAR = 1.5
const HALF_WIDTH = 1.25
const WHEELBASE = 5
const MASS = 8000
/** From the rear axle to the front corners. */
const REACH = Math.hypot(FRONT, HALF_WIDTH)

/** A street around a block with square corners, and walls on its outer side. */
const BLOCK = 20
const THICK = 1

interface Slab {
  readonly x: number
  readonly z: number
  readonly halfX: number
  readonly halfZ: number
}

function slabsOf(street: number): Slab[] {
  const outer = BLOCK + street + THICK
  return [
    { x: 0, z: 0, halfX: BLOCK, halfZ: BLOCK },
    ...[-1, 1].flatMap((side) => [
      { x: side * outer, z: 0, halfX: THICK, halfZ: outer + THICK },
      { x: 0, z: side * outer, halfX: outer + THICK, halfZ: THICK },
    ]),
  ]
}

/** Clearance (m) between a slab and a point; negative inside. */
function clearanceOf({ x, z, halfX, halfZ }: Slab, atX: number, atZ: number): number {
  const [dx, dz] = [Math.abs(atX - x) - halfX, Math.abs(atZ - z) - halfZ]
  return dx > 0 && dz > 0 ? Math.hypot(dx, dz) : Math.max(dx, dz)
}

/** Clearance (m) between the sides of the hull and the slabs. */
function hullClearance(slabs: readonly Slab[], { position, attitude }: SteeringController): number {
  const { x: nose, z: side } = attitude
  let least = Infinity
  for (let i = 0; i <= 32; i++)
    for (const hand of [-1, 1]) {
      const along = -REAR + ((FRONT + REAR) * i) / 32
      const across = hand * HALF_WIDTH
      const [atX, atZ] = [
        position.x + along * nose.x + across * side.x,
        position.z + along * nose.z + across * side.z,
      ]
      for (const slab of slabs) least = Math.min(least, clearanceOf(slab, atX, atZ))
    }
  return least
}

interface Drive {
  readonly touches: number
  readonly least: number
  readonly ball: number
  readonly laps: number
  /** Mean speed along its path, m/s. */
  readonly pace: number
  /** What it was told that it cannot do. */
  readonly told: readonly string[]
}

function drive(street: number, speed: number, radius: number, seconds: number, rate = 60): Drive {
  const world = new SteeringWorld({ seed: 1 })
  const slabs = slabsOf(street)
  const obstacles = new Obstacles(
    slabs.map(({ x, z, halfX, halfZ }) => ({
      shape: new BoxShape(v(halfX, 3, halfZ)),
      at: v(x, 0, z),
    })),
  )
  const middle = BLOCK + street / 2
  const path = new Path({
    points: [v(middle, 0, middle), v(middle, 0, -middle), v(-middle, 0, -middle), v(-middle, 0, middle)],
    curve: 'arcs',
    radius: 10,
    ends: 'closed',
  })
  const follow = new FollowPath({ path, speed })
  const lorry = new SteeringController(null, {
    behavior: within([new AvoidObstacles({ obstacles })], follow),
    plane: v(0, 1, 0),
    position: v(middle, 0, 0),
    quaternion: { x: 0, y: 1, z: 0, w: 0 },
    mass: MASS,
    inertia: v(MASS, (MASS * 8 ** 2) / 12, MASS),
    maxForce: 4 * MASS,
    maxTorque: 40 * MASS,
    maxSpeed: 1.2 * speed,
    radius,
    locomotion: new Wheels({ wheelbase: WHEELBASE, steerRate: 0.8 }),
  })
  world.add(lorry)
  let [laps, touches, least, ball] = [0, 0, Infinity, Infinity]
  let touched = false
  const told: string[] = []
  lorry.addEventListener('cannot', ({ reason }) => told.push(reason))
  lorry.addEventListener('stage', ({ stage }) => {
    if (stage === 'lap') laps++
  })
  for (let k = 0; k < seconds * rate; k++) {
    world.step(1 / rate)
    const clearance = hullClearance(slabs, lorry)
    least = Math.min(least, clearance)
    ball = Math.min(
      ball,
      ...slabs.map((slab) => clearanceOf(slab, lorry.position.x, lorry.position.z) - radius),
    )
    if (clearance <= 0 && !touched) touches++
    touched = clearance <= 0
  }
  const pace = (follow.stationOf(lorry) - middle) / seconds
  world.dispose()
  return { touches, least, ball, laps, pace, told }
}

describe('a lorry whose ball reaches from its rear axle to its front corners', () => {
  it.each(pick([7], [7], [4, 7, 12]))(
    'goes round square corners in a street three times as wide as that, at %d m/s: its hull touches nothing',
    (speed) => {
      const { touches, least, ball, laps } = drive(3 * REACH, speed, REACH, pick(40, 60, 120))
      report(`lorry at ${speed} m/s`, [{ touches, least, ball, laps }])
      expect(touches).toBe(0)
      expect(ball).toBeGreaterThan(0)
      expect(laps).toBeGreaterThan(0)
    },
  )

  // The clearance and the margin of its ball leave its centre 0.3 m to 1.5 m on both sides.
  it.each(pick([15], [14.5, 15, 16], [14.5, 15, 16, 17]))(
    'gets round them in a street of %f m, by ways of its own curves where its path is not free',
    (street) => {
      for (const speed of pick([7], [4, 7]))
        for (const rate of pick([60], [30, 144], [30, 60, 144])) {
          const { touches, ball, pace } = drive(street, speed, REACH, 60, rate)
          report(`lorry in a street of ${street} m at ${speed} m/s, ${rate} Hz`, [{ pace }])
          expect(touches).toBe(0)
          expect(ball).toBeGreaterThan(0)
          // from 16 m on without a stop
          expect(pace).toBeGreaterThan((street < 16 ? 0.45 : 0.85) * speed)
        }
    },
    60_000,
  )

  it.each(pick([13.5], [13, 13.5]))('is told where there is no room to get round them: %f m', (street) => {
    const { told, touches } = drive(street, 4, REACH, 14)
    expect(told).toEqual(['comes no nearer: obstacles or bounds are in its way on all sides'])
    expect(touches).toBe(0)
  })
})
