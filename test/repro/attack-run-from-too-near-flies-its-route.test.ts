import { expect, it } from 'vitest'
import { AttackRun, Flight, Hover, SteeringController, type Locomotion, type Vec3Like } from 'three-steering'
import { idle, pilot, quietWorld } from '../support/pilot.js'

// An AttackRun with a `side` that started inside the break-off distance made its route follower forget a plan
// that did not exist yet. That occupied the follower's memory, so no plan was made later either. The run
// threw in 660 of 3,600 steps.

it.each<[string, Locomotion, number, 'behind' | 'above' | Vec3Like]>([
  ['a drone from behind', new Hover(), 10, 'behind'],
  ['a drone from a side', new Hover(), 60, { x: 1, y: 0, z: 0 }],
  ['an aircraft from above', new Flight({ minSpeed: 20 }), 10, 'above'],
  ['an aircraft from a side', new Flight({ minSpeed: 20 }), 60, { x: 1, y: 0, z: 0 }],
])('%s that starts too near first gains distance, then flies its route', (_, locomotion, x, from) => {
  const { world, faults } = quietWorld()
  const target = pilot(idle(), { velocity: { x: 30, y: 0, z: 0 }, maxSpeed: 30 })
  const attacker = new SteeringController(null, {
    behavior: new AttackRun({ target, range: 100, side: from }),
    locomotion,
    maxSpeed: 60,
    maxForce: 60,
    position: { x, y: 0, z: 3 },
    velocity: { x: -40, y: 0, z: 0 },
  })
  const stages: string[] = []
  attacker.addEventListener('stage', ({ stage }) => stages.push(stage))
  world.add(target).add(attacker)
  for (let i = 0; i < 1800; i++) world.step(1 / 60)
  expect(faults).toEqual([])
  expect(stages).toContain('extend')
  expect(stages.slice(stages.indexOf('extend'))).toContain('approach')
})
