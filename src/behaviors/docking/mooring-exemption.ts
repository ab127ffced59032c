import type { Agent, Exemption, Vec3 } from '../../types.js'
import { add, vec3 } from '../../math/vec3.js'
import type { PortPose } from './port-pose.js'
import type { Port } from './port.js'

/**
 * In the corridor of its port an agent does not avoid the carrier, nor what is at the port itself: a pad on
 * the ground, a mesh that shows the carrier. Outside of the corridor both count.
 */
export class MooringExemption implements Exemption {
  readonly place: Vec3 = vec3()
  readonly obstacles = true
  readonly agents = false
  carrier: object | undefined

  /** Reports that the agent is in the corridor. */
  report({ wish }: Agent, port: Port, { carrier, portPosition }: PortPose): void {
    if (wish === null) return
    add(this.place, carrier.position, portPosition)
    this.carrier = port.carrier
    wish.exemption = this
  }
}
