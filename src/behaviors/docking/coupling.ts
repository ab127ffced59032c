import type { Agent, Vec3, Vec3Like } from '../../types.js'
import { copy, isZero, normalize, reject, scale, set, vec3 } from '../../math/vec3.js'
import { requireVector } from '../../math/require.js'
import type { Coupling } from './port-pose.js'

const AHEAD: Vec3Like = { x: 1, y: 0, z: 0 }

export interface CouplingOptions {
  probe?: Vec3Like
  axis?: Vec3Like
  top?: Vec3Like
}

/** The docking point of a ship, which may be given or be the end of each on one side. */
export class ShipCoupling implements Coupling {
  readonly probe: Vec3 = vec3(1, 0, 0)
  readonly axis: Vec3 = vec3(1, 0, 0)
  readonly top: Vec3 = vec3(0, 1, 0)
  /** Whether the docking point is `radius` out from the middle, along the axis. */
  own = true
  /** Copies of what it was made from. @internal */
  given: CouplingOptions = {}

  /** Itself, for this agent. */
  of(agent: Agent): this {
    if (this.own) scale(this.probe, this.axis, agent.radius)
    return this
  }
}

/**
 * @param side of the ship where nothing is given: its nose.
 * @throws TypeError / RangeError naming the option.
 */
export function couplingOf(what: string, options: CouplingOptions, side: Vec3Like = AHEAD): ShipCoupling {
  const { axis, probe, top } = options
  const coupling = new ShipCoupling()
  copy(coupling.axis, side)
  if (probe !== undefined) {
    copy(coupling.probe, requireVector(`${what}.probe`, probe))
    coupling.own = false
    normalize(coupling.axis, probe)
  }
  if (axis !== undefined) normalize(coupling.axis, requireVector(`${what}.axis`, axis))
  if (isZero(coupling.axis))
    throw new RangeError(`${what}.axis: got no direction; a probe at the centre needs an axis`)
  const { axis: nose } = coupling
  if (top !== undefined) copy(coupling.top, requireVector(`${what}.top`, top))
  else if (Math.abs(nose.y) > 0.9) set(coupling.top, 1, 0, 0)
  reject(coupling.top, coupling.top, nose)
  normalize(coupling.top, coupling.top)
  if (isZero(coupling.top)) throw new RangeError(`${what}.top: must not lie along the axis`)
  coupling.given = {
    ...(probe !== undefined && { probe: copy(vec3(), probe) }),
    ...(axis !== undefined && { axis: copy(vec3(), axis) }),
    ...(top !== undefined && { top: copy(vec3(), top) }),
  }
  return coupling
}
