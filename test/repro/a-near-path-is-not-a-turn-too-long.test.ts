import { expect, it } from 'vitest'
import { type Vec3Like, type Waypoint } from 'three-steering'
import { ArcPath, dubins3d } from 'three-steering/curves'
import { plus, vec } from '../../demo/scenarios/vectors.js'
import { posesOf } from '../rigs/dubins-cases.js'
import { pick } from '../support/tier.js'

// Where two poses were a little too close for an arc, a straight and an arc, no search began at these arcs.
// One near pose in two hundred got a path up to 3.5 times as long as that of poses 1 % of a radius away.

const path = new ArcPath()

function length(position: Vec3Like, heading: Vec3Like, to: Waypoint): number {
  return dubins3d(path, { position, heading }, to, 1)
}

it.each([
  [
    'with two arcs that overlap',
    [-0.629, -0.087, 0.772],
    [-0.571, -1.264, 0.938],
    [-0.431, -0.889, -0.156],
    1.87,
  ],
  ['as an open helix', [0.086, -0.543, -0.835], [-2.765, 0.015, -1.306], [-0.449, -0.589, -0.672], 4.4],
  ['almost there and back', [0.952, 0.2, -0.231], [0.212, -1.798, 0.844], [-0.946, -0.306, -0.107], 3.53],
])('finds the path %s', (_, start, goal, end, most) => {
  const at = ([x, y, z]: number[]): Vec3Like => vec(x!, y!, z!)
  expect(length(vec(0, 0, 0), at(start), { position: at(goal), heading: at(end) })).toBeLessThan(most)
})

it('is no longer than straight on, and then the path from there', () => {
  let worst = 0
  for (let seed = 0; seed < pick(60, 250, 3000); seed++) {
    const { from, to } = posesOf('near', seed, false)
    const all = length(from.position, from.heading, to)
    for (const ahead of [0.01, 0.1]) {
      const rest = length(plus(from.position, from.heading, ahead), from.heading, to)
      worst = Math.max(worst, all / (ahead + rest))
    }
  }
  expect(worst).toBeLessThan(1.02)
})
