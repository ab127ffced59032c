import { expect, it } from 'vitest'
import { ReciprocalAvoidance, SteeringController, SteeringWorld, within, type Vec3Like } from 'three-steering'
import { Dock, Port } from 'three-steering/docking'

// A ship that docked within `ReciprocalAvoidance` beside another one, or while others passed, was pushed out
// of its corridor, into the hull: of two ships at ports 5 m apart one in 40 docked, and while six hunted it
// none.

const DT = 1 / 60
const LIMITS = { maxSpeed: 20, maxForce: 50, maxTorque: 20, mass: 10, inertia: { x: 4, y: 4, z: 4 } }

function scene() {
  const steering = new SteeringWorld()
  const carrier = { position: { x: 0, y: 0, z: 0 } }
  const port = new Port({
    carrier,
    position: { x: 0, y: 4, z: 0 },
    outward: { x: 0, y: 1, z: 0 },
    clearance: 0,
  })
  const dock = within([new ReciprocalAvoidance()], new Dock({ port }))
  const pilot = new SteeringController(null, {
    ...LIMITS,
    position: { x: 0, y: 40, z: 0 },
    radius: 2,
    behavior: dock,
  })
  steering.add(pilot)
  const stages: string[] = []
  pilot.addEventListener('stage', ({ stage }) => stages.push(stage))
  const other = (position: Vec3Like): SteeringController => {
    const idle = new SteeringController(null, { ...LIMITS, position, radius: 2, behavior: { steer() {} } })
    steering.add(idle)
    return idle
  }
  return { steering, pilot, stages, other }
}

it('by ships that are docked at ports beside it', () => {
  const { steering, pilot, stages, other } = scene()
  for (const [x, z] of [[-3.9, 0], [3.9, 0], [0, 3.9]] as const) other({ x, y: 6, z }) // prettier-ignore
  let aside = 0
  for (let i = 0; i < 40 / DT && stages.at(-1) !== 'latched'; i++) {
    steering.step(DT)
    if (pilot.position.y < 14) aside = Math.max(aside, Math.hypot(pilot.position.x, pilot.position.z))
  }
  expect(stages).toEqual(['approach', 'align', 'final', 'latched'])
  expect(aside).toBeLessThan(0.1)
})

it('nor by one that comes close while it is latched', () => {
  const { steering, pilot, stages, other } = scene()
  for (let i = 0; i < 40 / DT && stages.at(-1) !== 'latched'; i++) steering.step(DT)
  const { x, y, z } = pilot.position
  const passer = other({ x: x + 20, y, z: z + 4.1 })
  passer.teleport({ velocity: { x: -10, y: 0, z: 0 } })
  for (let i = 0; i < 4 / DT; i++) steering.step(DT)
  expect(stages.at(-1)).toBe('latched')
  expect(Math.hypot(pilot.position.x - x, pilot.position.y - y, pilot.position.z - z)).toBeLessThan(0.02)
})

it('but it does not run into what stands in its corridor', () => {
  const { steering, pilot, stages, other } = scene()
  const wreck = other({ x: 0.3, y: 9, z: 0 })
  let nearest = Infinity
  for (let i = 0; i < 40 / DT; i++) {
    steering.step(DT)
    const { x, y, z } = pilot.position
    nearest = Math.min(nearest, Math.hypot(x - wreck.position.x, y - wreck.position.y, z - wreck.position.z))
  }
  expect(nearest).toBeGreaterThan(4)
  expect(stages.at(-1)).not.toBe('latched')
})
