import { describe, expect, it } from 'vitest'
import { Hover, type Behavior, type Vec3Like } from 'three-steering'
import type { Constraint, VelocityConstraints } from 'three-steering/authoring'
import { BEHAVIORS, inner, randomScene, stage, type Scene } from './kit.js'
import { pick } from '../support/tier.js'

/**
 * Demands because of other agents yield to those of walls and bodies: where not all demands can be met, no
 * agent is pushed into a wall by another agent. Firm demands are the same with and without other agents.
 */

interface Demand {
  readonly normal: Vec3Like
  readonly least: number
  readonly yields: boolean
}

function isConstraint(behavior: Behavior): behavior is Constraint {
  return 'constrain' in behavior && typeof behavior.constrain === 'function'
}

/** The demands of a constraint on the agent of a scene in the third step. */
function demandsOf(scene: Scene, constraint: Constraint): Demand[] {
  const demands: Demand[] = []
  const limits: VelocityConstraints = {
    wantedVelocity: { x: 3, y: -4, z: 5 },
    goalDistance: Infinity,
    addToMap() {},
    addHalfSpace: ({ x, y, z }, least, yields = false) =>
      void demands.push({ normal: { x, y, z }, least, yields }),
    addObstacle() {},
    addScanner() {},
    addWall() {},
    setExit() {},
  }
  const behavior: Behavior = {
    children: [constraint],
    steer: (agent, step) => {
      demands.length = 0
      constraint.constrain(agent, step, limits)
    },
  }
  const { world, faults } = stage(scene, behavior, new Hover())
  for (let i = 0; i < 3; i++) world.step(1 / 60)
  expect(faults).toEqual([])
  return demands
}

const CONSTRAINTS = Object.entries(BEHAVIORS).filter(([, make]) => isConstraint(make(randomScene(1))))

/** Constraints that make demands because of other agents, which the test must see. */
const OF_OTHERS = ['AvoidAgents', 'Queue', 'ReciprocalAvoidance']

describe('firm demands', () => {
  it('are tested for all constraints', () => {
    const names = CONSTRAINTS.map(([name]) => name)
    expect(names).toEqual(expect.arrayContaining([...OF_OTHERS, 'AvoidObstacles', 'AvoidWalls', 'Contain']))
  })

  it.each(CONSTRAINTS)('%s makes none because of other agents', (name, make) => {
    let more = 0
    for (let seed = 1; seed <= pick(20, 40); seed++) {
      const crowded = randomScene(seed)
      // `make` still gets the other agents' positions, because obstacles may stand there
      const alone = (): Demand[] => {
        const { others } = crowded
        return demandsOf({ ...crowded, others: [] }, make({ ...crowded, others }) as Constraint)
      }
      const firm = (list: readonly Demand[]) => list.filter(({ yields }) => !yields)
      const all = demandsOf(crowded, make(crowded) as Constraint)
      const own = alone()
      if (all.length > own.length) more++
      const known = firm(own)
      const strange = firm(all).filter(
        (one) =>
          !known.some(
            (other) =>
              Math.abs(one.least - other.least) < 1e-6 * (1 + Math.abs(one.least)) &&
              inner(one.normal, other.normal) > 1 - 1e-6,
          ),
      )
      expect(strange).toEqual([])
    }
    if (OF_OTHERS.includes(name)) expect(more).toBeGreaterThan(5)
  })
})
