import { describe, expect, it } from 'vitest'
import {
  AvoidWalls,
  BoxShape,
  HollowShape,
  Obstacle,
  within,
  type Agent,
  type Behavior,
  type Step,
  type Vec3,
  type Vec3Like,
  type Wrench,
} from 'three-steering'
import { type Constraint, type VelocityConstraints, seeded } from 'three-steering/authoring'
import { explain } from 'three-steering/explain'
import { servoGain } from '../../src/core/control/drive.js'
import { pilot, quietWorld } from '../support/pilot.js'
import { pick } from '../support/tier.js'

let gain = 0

/** Demands one velocity. */
class Demand implements Constraint {
  readonly normal: Vec3Like
  readonly least: number
  readonly yields: boolean
  constructor(normal: Vec3Like, least: number, yields = false) {
    this.normal = normal
    this.least = least
    this.yields = yields
  }
  steer(): void {}
  constrain(agent: Agent, step: Step, limits: VelocityConstraints): void {
    gain = servoGain(agent, step)
    limits.addHalfSpace(this.normal, this.least, this.yields)
  }
}

class Velocity implements Behavior {
  readonly velocity: Vec3Like
  constructor(velocity: Vec3Like) {
    this.velocity = velocity
  }
  steer(agent: Agent, step: Step, out: Wrench): void {
    for (const axis of ['x', 'y', 'z'] as const)
      out.force[axis] = (this.velocity[axis] - agent.velocity[axis]) * servoGain(agent, step)
  }
}

const AGENT = { maxSpeed: 10, maxForce: 100, mass: 1, responseTime: 0.1 }

/** Verdicts of constraints on an agent that wants a velocity, and the velocity that resulted. */
function judge(
  constraints: readonly Constraint[],
  wanted: Vec3Like,
  velocity: Vec3Like = { x: 0, y: 0, z: 0 },
  dt = 1 / 60,
): { verdicts: string[]; notes: string[]; solved: Vec3 } {
  const { world } = quietWorld()
  const one = pilot(within(constraints, new Velocity(wanted)), { ...AGENT, velocity })
  world.add(one)
  const why = explain(world, one)
  world.step(dt)
  const { force } = one.demand
  const solved = {
    x: velocity.x + force.x / gain,
    y: velocity.y + force.y / gain,
    z: velocity.z + force.z / gain,
  }
  const parts = why.root!.children.slice(0, constraints.length)
  return { verdicts: parts.map(({ verdict }) => verdict), notes: parts.map(({ note }) => note), solved }
}

describe('overruled', () => {
  it('a constraint that yields to another is overruled', () => {
    const firm = new Demand({ x: 1, y: 0, z: 0 }, 2)
    const yielding = new Demand({ x: -1, y: 0, z: 0 }, 1, true)
    const { verdicts, notes } = judge([firm, yielding], { x: 3, y: 0, z: 0 })
    expect(verdicts).toEqual(['silent', 'overruled'])
    expect(notes[1]).toMatch(/violated by .* m\/s/)
  })

  it('two constraints that contradict each other are both overruled', () => {
    const [a, b] = [new Demand({ x: 1, y: 0, z: 0 }, 2), new Demand({ x: -1, y: 0, z: 0 }, 2)]
    expect(judge([a, b], { x: 0, y: 1, z: 0 }).verdicts).toEqual(['overruled', 'overruled'])
  })

  it('a constraint beyond the limits of the vehicle is overruled, whatever it has changed', () => {
    const { verdicts } = judge(
      [new Demand({ x: -1, y: 0, z: 0 }, 5)],
      { x: 8, y: 0, z: 0 },
      { x: 200, y: 0, z: 0 },
    )
    expect(verdicts).toEqual(['overruled'])
  })

  it('a wall that comes too fast is overruled', () => {
    const container = new HollowShape(new BoxShape({ x: 40, y: 40, z: 40 }))
    const walls = new AvoidWalls({ obstacles: [new Obstacle({ shape: container })] })
    const { verdicts } = judge([walls], { x: 10, y: 0, z: 0 }, { x: 400, y: 0, z: 0 })
    expect(verdicts).toEqual(['overruled'])
  })

  it('a constraint that is met is not overruled', () => {
    const demand = (): Demand => new Demand({ x: 1, y: 0, z: 0 }, 1)
    expect(judge([demand()], { x: 3, y: 0, z: 0 }).verdicts).toEqual(['silent'])
    expect(judge([demand()], { x: -3, y: 0, z: 0 }).verdicts).toEqual(['granted'])
  })

  it.each([1 / 30, 1 / 60, 1 / 240])('exactly the violated constraints are overruled (dt %f s)', (dt) => {
    const random = seeded(77)
    const spread = (size: number): number => size * (2 * random() - 1)
    let overruled = 0
    const cases = pick(80, 400)
    for (let n = 0; n < cases; n++) {
      const constraints = Array.from({ length: 1 + Math.floor(7 * random()) }, () => {
        const [x, y, z] = [spread(1), spread(1), spread(1)]
        const size = Math.hypot(x, y, z)
        return new Demand({ x: x / size, y: y / size, z: z / size }, spread(6), random() < 0.5)
      })
      const vector = (size: number): Vec3 => ({ x: spread(size), y: spread(size), z: spread(size) })
      const { solved, verdicts } = judge(constraints, vector(8), vector(random() < 0.3 ? 30 : 5), dt)
      constraints.forEach(({ least, normal }, i) => {
        const lack = least - (normal.x * solved.x + normal.y * solved.y + normal.z * solved.z)
        const limit = 1e-3 * (1 + Math.abs(least))
        // within rounding of the limit either verdict is right
        if (Math.abs(lack - limit) < 1e-6) return
        expect(verdicts[i] === 'overruled', `case ${n}, constraint ${i}: ${verdicts[i]}, lacks ${lack}`).toBe(
          lack > limit,
        )
        if (lack > limit) overruled++
      })
    }
    expect(overruled).toBeGreaterThan(cases / 4)
  })
})
