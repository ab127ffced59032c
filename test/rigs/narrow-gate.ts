import { Path, type Quat, type Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import {
  aside,
  direction,
  evenly,
  plus,
  product,
  turnAbout,
  turnFromZ,
  unit,
  vec,
} from '../../demo/scenarios/vectors.js'

/** A block of nine meets a gate narrower than itself. Equal seeds give equal scenes. */

/** A drone; a ship with side and retro engines of half the main engine's force; an aircraft that banks. */
export type Make = 'drone' | 'ship' | 'aircraft'

export interface GateTrial {
  readonly seed: number
  readonly make: Make
  readonly count: number
  /** Radius (m), mass (kg), top speed (m/s) and force (N) of each agent. */
  readonly radius: number
  readonly mass: number
  readonly maxSpeed: number
  readonly maxForce: number
  /** Distance of the slots (m), and cruising speed of the leader (m/s). */
  readonly spacing: number
  readonly cruise: number
  /** Path of the leader, through the centre of the gate and on. */
  readonly path: Path
  /**
   * Centre of the gate (m), its turn (the passage is along +z), half of its width and height, and half of the
   * wall's thickness (m).
   */
  readonly gate: Vec3Like
  readonly turn: Quat
  readonly half: { readonly x: number; readonly y: number; readonly z: number }
}

/** When the gate is seen: with time to narrow the formation, or so late that the leader has to wait. */
export type Sight = 'early' | 'late'

export function makeGateTrial(seed: number, make: Make, sight: Sight = 'early'): GateTrial {
  const random = seeded(7919 * seed + 13)
  const radius = evenly(random, 0.5, 1.5)
  const mass = evenly(random, 1, 20)
  const spacing = radius * evenly(random, 3.4, 4.6)
  const maxSpeed = spacing * evenly(random, 3.2, 4.6)
  const cruise = maxSpeed * evenly(random, 0.5, 0.6)
  const maxForce = mass * maxSpeed * evenly(random, 0.8, 1.2)
  // not vertical, because a vertical leader has no defined up direction
  const ahead = unit(vec(evenly(random, -1, 1), evenly(random, -0.5, 0.5), evenly(random, -1, 1)))
  const side = aside(random, ahead)
  const gate = vec(evenly(random, -50, 50), evenly(random, -50, 50), evenly(random, -50, 50))
  const tilt = turnAbout(aside(random, ahead), evenly(random, 0, 0.35))
  const turn = product(product(tilt, turnFromZ(ahead)), turnAbout(vec(0, 0, 1), evenly(random, 0, Math.PI)))
  const runUp = cruise * (sight === 'early' ? evenly(random, 12, 16) : evenly(random, 1, 4))
  const before = plus(gate, ahead, sight === 'early' ? -8 * spacing : -4 * spacing)
  const behind = plus(gate, ahead, 8 * spacing)
  const points = [
    plus(plus(before, ahead, -runUp), side, evenly(random, -0.3, 0.3) * runUp),
    before,
    behind,
    plus(plus(behind, ahead, 60 * cruise), direction(random), 12 * cruise),
  ]
  const half = {
    x: radius * evenly(random, 1.8, 2.8),
    y: radius * evenly(random, 1.8, 2.8),
    z: radius * evenly(random, 0.3, 2),
  }
  const path = new Path({ points, curve: 'arcs', radius: 10 * spacing })
  return { seed, make, count: 9, radius, mass, maxSpeed, maxForce, spacing, cruise, path, gate, turn, half }
}
