import type { AgentMaxima, Behavior, VehicleState } from '../types.js'
import {
  MASS,
  MAX_FORCE,
  MAX_SPEED,
  RADIUS,
  RESPONSE_TIME,
  SPACE_HEIGHT,
  SPACE_LENGTH,
  TRAITS,
  type Agents,
} from '../engine/agents.js'
import { show } from '../math/show.js'

/** Largest reach, m. */
const MAX_REACH = 1e12

const vehicle: { -readonly [K in keyof VehicleState]: VehicleState[K] } = {
  radius: 0.5,
  mass: 0.5,
  maxForce: 0.5,
  speed: 0.5,
  maxSpeed: 0.5,
  responseTime: 0.5,
}
const maxima: { -readonly [K in keyof AgentMaxima]: AgentMaxima[K] } = { radius: 0.5, speed: 0.5 }

/**
 * Raises the reach of each binding to the largest one that its parts derive from any of its agents, see
 * `Behavior.reachFor`. A binding with a part that throws is `broken` in this step.
 */
export function deriveReaches(
  agents: Agents,
  report: (row: number, part: Behavior, message: string) => void,
): void {
  maxima.radius = maxima.speed = 0
  for (let row = 0; row < agents.count; row++) {
    load(agents, row)
    const { radius, speed, maxSpeed } = vehicle
    const topSpeed = maxSpeed < Infinity && maxSpeed > speed ? maxSpeed : speed
    if (radius > maxima.radius && radius < Infinity) maxima.radius = radius
    if (topSpeed > maxima.speed && topSpeed < Infinity) maxima.speed = topSpeed
  }
  for (let row = 0; row < agents.count; row++) {
    const binding = agents.binding[row]!
    const { deriving } = binding
    if (deriving.length === 0) continue
    load(agents, row)
    for (let i = 0; i < deriving.length && binding.broken === null; i++) {
      const part = deriving[i]!
      try {
        const reach: unknown = part.reachFor!(vehicle, maxima)
        if (typeof reach !== 'number' || Number.isNaN(reach))
          throw new TypeError(`reachFor: got ${show(reach)}, must be a number`)
        if (reach > binding.reach) binding.reach = Math.min(reach, MAX_REACH)
      } catch (error) {
        binding.broken = part
        report(row, part, `threw ${show(error)}`)
      }
    }
  }
}

function load({ hasSpaces, traits, velocity }: Agents, row: number): void {
  const t = TRAITS * row
  const vx = velocity[3 * row]!
  const vy = velocity[3 * row + 1]!
  const vz = velocity[3 * row + 2]!
  vehicle.radius = traits[t + RADIUS]!
  if (hasSpaces) vehicle.radius *= Math.max(traits[t + SPACE_LENGTH]!, traits[t + SPACE_HEIGHT]!)
  vehicle.mass = traits[t + MASS]!
  vehicle.maxForce = traits[t + MAX_FORCE]!
  vehicle.speed = Math.sqrt(vx * vx + vy * vy + vz * vz)
  vehicle.maxSpeed = traits[t + MAX_SPEED]!
  vehicle.responseTime = traits[t + RESPONSE_TIME]!
}
