import type { Vec3, Waypoint } from '../../types.js'
import { ArcPath } from '../../curves/arc-path.js'
import { csc } from '../../curves/csc.js'
import { TAU } from '../../math/scalar.js'
import { addScaled, isZero, normalize, vec3 } from '../../math/vec3.js'
import { jakobHeading, shortestOnPlane, type JakobOptions, type JakobStage } from './jakob.js'

/** A first turn that is nearer to a whole circle than this (rad) is overshoot; a way that is shorter by less (in radii) is none. */
const SLACK = 0.02

const SPATIAL: JakobOptions = { circles: 'both', plane: null }

const path = new ArcPath()
const pose = { position: vec3(), heading: vec3() }

/**
 * The truly 3D form of `jakobHeading`, which Jakob leaves open (2004, section 6): the shortest path of two turns and a straight in space, each in a
 * plane of its own, found anew in every call, of which only the first direction is used. A path that is missed by a hair is longer by
 * a whole turn; so an agent that heads along the steering plane keeps to the tolerances of the algorithm there, which all come to.
 */
export function spatialHeading(
  out: Vec3,
  from: Waypoint,
  to: Waypoint,
  radius: number,
  goalRadius: number,
  way: number,
): JakobStage {
  const flat = shortestOnPlane(out, from, to, radius, goalRadius, way)
  if (Number.isNaN(flat) || !(findPath(from, to, radius, goalRadius, way) < flat - SLACK * radius))
    return jakobHeading(out, from, to, radius, goalRadius, way, SPATIAL)
  const bend = path.count > 0 ? path.bendOf(0) : 0
  if (bend === 0) {
    path.tangentAt(out, 0)
    return 2
  }
  const angle = path.startOf(1) * bend
  const whole = angle > TAU - SLACK
  if (whole || angle <= Math.PI / 2) path.tangentAt(out, path.startOf(1))
  else normalize(out, path.curvatureAt(out, 0))
  // a radius so small that its curvature is none
  if (isZero(out)) return jakobHeading(out, from, to, radius, goalRadius, way, SPATIAL)
  return whole || angle < SLACK ? 2 : 1
}

/** Fills `path` from where the agent was half a step before, see jakobHeading. Returns its length, m. */
function findPath(from: Waypoint, to: Waypoint, radius: number, goalRadius: number, way: number): number {
  normalize(pose.heading, from.heading)
  addScaled(pose.position, from.position, pose.heading, -way / 2)
  return csc(path, pose, to, radius, goalRadius)
}
