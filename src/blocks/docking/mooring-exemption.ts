import type { Agent, Exemption, Vec3 } from '../../core/types.js'
import { add, scale, vec3 } from '../../core/math/vec3.js'
import type { PortPose } from './port-pose.js'
import type { Port } from './port.js'

/** Least length of a lane (corridors): it keeps its direction at the port. */
const MIN_LANE = 1e-4

/**
 * In the corridor of its port an agent does not avoid the carrier, nor what is at the port itself: a pad on
 * the ground, a mesh that shows the carrier. Outside of the corridor both count.
 */
export class MooringExemption implements Exemption {
  readonly place: Vec3 = vec3()
  lane: Vec3 | undefined
  readonly obstacles = true
  readonly agents = false
  carrier: object | undefined
  private readonly ownLane: Vec3 = vec3()

  /**
   * Reports that the agent is in the corridor. No other agent pushes it off its way, which leads from the
   * port to this distance (m): others count only on that way. Without it all count.
   */
  report({ wish }: Agent, port: Port, { carrier, outward, portPosition }: PortPose, way?: number): void {
    if (wish === null) return
    add(this.place, carrier.position, portPosition)
    this.lane =
      way === undefined ? undefined : scale(this.ownLane, outward, Math.max(way, MIN_LANE * port.corridor))
    this.carrier = port.carrier
    wish.exemption = this
  }
}
