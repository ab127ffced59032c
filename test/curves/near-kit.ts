import { expect } from 'vitest'
import type { Vec3Like, Waypoint } from 'three-steering'
import type { ArcPath } from 'three-steering/curves'
import { ArcChain } from '../../src/blocks/curves/arc-chain.js'
import { findCcc } from '../../src/blocks/curves/ccc.js'
import { NearPose } from '../../src/blocks/curves/near-pose.js'
import { plus, times, turned, unit, vec } from '../../demo/scenarios/vectors.js'
import { backwards } from './space-kit.js'

const curvature = vec(0, 0, 0)
const pose = new NearPose()
const chain = new ArcChain()

/** Writes the path of three arcs that `findCcc` finds from 8 starts. Returns its length, or Infinity. */
export function ccc(out: ArcPath, from: Waypoint, to: Waypoint, radius: number): number {
  if (!pose.read(from, to, radius) || findCcc(chain, pose, 8) === Infinity) return Infinity
  return pose.write(out, chain, from, radius)
}

/**
 * Expects that a path starts and ends in the poses within 1e-9 radii, and has at most the curvature 1 /
 * radius.
 */
export function expectPath(
  path: ArcPath,
  from: Waypoint,
  to: Waypoint,
  radius: number,
  length: number,
): void {
  expect(path.length).toBe(length)
  expect(apart(path.pointAt(vec(0, 0, 0), 0), from.position)).toBe(0)
  expect(apart(path.pointAt(vec(0, 0, 0), length), to.position)).toBeLessThan(1e-9 * radius)
  expect(apart(path.tangentAt(vec(0, 0, 0), 0), unit(from.heading))).toBeLessThan(1e-9)
  expect(apart(path.tangentAt(vec(0, 0, 0), length), unit(to.heading))).toBeLessThan(1e-9)
  let bend = 0
  let gears = 0
  for (let i = 0; i < 50; i++) {
    const { x, y, z } = path.curvatureAt(curvature, (i / 49) * length)
    bend = Math.max(bend, Math.hypot(x, y, z) * radius)
    gears += path.gearAt((i / 49) * length)
  }
  expect(bend).toBeLessThan(1 + 1e-12)
  expect(gears).toBe(50)
}

export function apart(a: Vec3Like, b: Vec3Like): number {
  return Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)
}

/** The same pair moved, scaled, mirrored, and reversed; lengths are to be divided by `size`. */
export function likes(
  from: Waypoint,
  to: Waypoint,
): { name: string; from: Waypoint; to: Waypoint; size: number }[] {
  const each = (
    name: string,
    size: number,
    point: (p: Vec3Like) => Vec3Like,
    way: (d: Vec3Like) => Vec3Like,
  ) => {
    const moved = ({ position, heading }: Waypoint): Waypoint => ({
      position: point(position),
      heading: way(heading),
    })
    return { name, from: moved(from), to: moved(to), size }
  }
  const spin = { x: 0.3, y: -0.5, z: 0.1, w: Math.sqrt(0.65) }
  const mirrored = ({ x, y, z }: Vec3Like): Vec3Like => vec(-x, y, z)
  const [start, goal] = backwards(from, to)
  return [
    each(
      'position and attitude',
      1,
      (p) => plus(vec(3, -7, 1), turned(spin, p), 1),
      (d) => turned(spin, d),
    ),
    each(
      'size',
      37,
      (p) => times(p, 37),
      (d) => times(d, 5),
    ),
    each('mirror', 1, mirrored, mirrored),
    { name: 'time', from: start, to: goal, size: 1 },
  ]
}

/** The quantile of sorted numbers at a share. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))]!
}
