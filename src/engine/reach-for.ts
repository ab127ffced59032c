import type { Behavior, Others, Vehicle } from '../types.js'
import { show } from '../math/show.js'
import { MASS, MAX_FORCE, MAX_SPEED, RADIUS, RESPONSE_TIME, TRAITS, type Agents } from './agents.js'

/** Reaches are rounded up to so many of these to a doubling, so that a speed that changes does not undo the neighbour lists in each step. */
const STEPS = 4

/** Nobody looks farther than this, m. */
const FARTHEST = 1e12

const vehicle: { -readonly [K in keyof Vehicle]: Vehicle[K] } = {
  radius: 0.5,
  mass: 0.5,
  maxForce: 0.5,
  speed: 0.5,
  maxSpeed: 0.5,
  responseTime: 0.5,
}
const others: { -readonly [K in keyof Others]: Others[K] } = { radius: 0.5, speed: 0.5 }

/**
 * Raises what each brain asks to see to what its parts derive from their agents, see `Behavior.reachFor`: of all agents of a brain the most. A brain
 * with a part that cannot be asked is `broken` in this step.
 */
export function reachForEach(
  agents: Agents,
  report: (row: number, part: Behavior, message: string) => void,
): void {
  others.radius = others.speed = 0
  for (let row = 0; row < agents.count; row++) {
    load(agents, row)
    const { radius, speed, maxSpeed } = vehicle
    const most = maxSpeed < Infinity && maxSpeed > speed ? maxSpeed : speed
    if (radius > others.radius && radius < Infinity) others.radius = radius
    if (most > others.speed && most < Infinity) others.speed = most
  }
  for (let row = 0; row < agents.count; row++) {
    const brain = agents.brain[row]!
    const { deriving } = brain
    if (deriving.length === 0) continue
    load(agents, row)
    for (let i = 0; i < deriving.length && brain.broken === null; i++) {
      const part = deriving[i]!
      try {
        const reach: unknown = part.reachFor!(vehicle, others)
        if (typeof reach !== 'number' || Number.isNaN(reach))
          throw new TypeError(`reachFor: got ${show(reach)}, must be a number`)
        if (reach > brain.asked) brain.asked = roundedUp(Math.min(reach, FARTHEST))
      } catch (error) {
        brain.broken = part
        report(row, part, `threw ${show(error)}`)
      }
    }
  }
}

function load({ traits, velocity }: Agents, row: number): void {
  const t = TRAITS * row
  const vx = velocity[3 * row]!
  const vy = velocity[3 * row + 1]!
  const vz = velocity[3 * row + 2]!
  vehicle.radius = traits[t + RADIUS]!
  vehicle.mass = traits[t + MASS]!
  vehicle.maxForce = traits[t + MAX_FORCE]!
  vehicle.speed = Math.sqrt(vx * vx + vy * vy + vz * vz)
  vehicle.maxSpeed = traits[t + MAX_SPEED]!
  vehicle.responseTime = traits[t + RESPONSE_TIME]!
}

function roundedUp(reach: number): number {
  return 2 ** (Math.ceil(STEPS * Math.log2(reach)) / STEPS)
}
