import { type Waypoint } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { ArcPath } from 'three-steering/curves'
import { ArcChain } from '../../src/blocks/curves/arc-chain.js'
import { shorten } from '../../src/blocks/curves/chain-descent.js'
import { csc } from '../../src/blocks/curves/csc.js'
import { NearPose } from '../../src/blocks/curves/near-pose.js'
import { between, direction, plus, vec } from '../../demo/scenarios/vectors.js'

/** A pair of poses for which three arcs are the shortest, and the arcs found for it. */
interface Case {
  readonly ends: NearPose
  /** Length of the path of arc, straight and arc. */
  readonly other: number
  readonly best: number
  readonly unknowns: readonly number[]
}

const chain = new ArcChain()

/**
 * Chooses starts as those of src/blocks/curves/ccc.ts were chosen. It solves random pairs from random
 * starts. Then it repeatedly takes the solution that shortens the paths of all pairs most when used as a
 * start. A table of 48 from 2,000 pairs and 90 starts each takes a minute.
 */
export function chooseStarts(count: number, pairs: number, tries: number, seed: number): number[][] {
  const cases = hardCases(pairs, tries, seed)
  const ratios = cases.map(({ ends, other, best }) =>
    cases.map(({ unknowns }) => Math.min(follow(ends, unknowns, 16), other) / best),
  )
  const reached = cases.map(({ other, best }) => other / best)
  const chosen: number[][] = []
  while (chosen.length < Math.min(count, cases.length)) {
    const costs = cases.map((_, start) =>
      ratios.reduce((sum, row, i) => sum + Math.min(2, row[start]! - 1, reached[i]! - 1), 0),
    )
    const start = costs.indexOf(Math.min(...costs))
    chosen.push([...cases[start]!.unknowns])
    ratios.forEach((row, i) => (reached[i] = Math.min(reached[i]!, row[start]!)))
  }
  return chosen
}

function hardCases(pairs: number, tries: number, seed: number): Case[] {
  const random = seeded(seed)
  const path = new ArcPath()
  const cases: Case[] = []
  for (let i = 0; i < pairs; i++) {
    const from: Waypoint = { position: vec(0, 0, 0), heading: direction(random) }
    const away = i % 10 === 0 ? between(random, 0.001, 0.5) : between(random, 0.5, 4.5)
    const to: Waypoint = { position: plus(vec(0, 0, 0), direction(random), away), heading: direction(random) }
    const ends = new NearPose()
    ends.read(from, to, 1)
    const other = csc(path, from, to, 1, 1)
    let best = Infinity
    let unknowns: number[] = []
    for (let k = 0; k < tries; k++) {
      const any = (low: number, high: number): number => low + (high - low) * random()
      const found = follow(
        ends,
        [any(0, 6.28), any(1.6, 4.6), any(1.6, 4.6), any(0.2, 3.2), any(0.2, 4.7), any(0.2, 3.2)],
        40,
      )
      if (!(found < best)) continue
      best = found
      unknowns = [...chain.unknowns.subarray(0, 6)]
    }
    if (best < 0.999 * other) cases.push({ ends, other, best, unknowns })
  }
  return cases
}

function follow(ends: NearPose, unknowns: readonly number[], steps: number): number {
  chain.ends = ends
  chain.share = 1
  chain.unknowns.set(unknowns)
  return shorten(chain, steps)
}
