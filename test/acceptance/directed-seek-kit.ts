import { DirectedSeek, type Vec3Like } from 'three-steering'
import type { DirectedSeekMethod } from 'three-steering/authoring'
import { jakobHeading, type JakobOptions } from '../../src/blocks/directed-seek/jakob.js'
import { spatialHeading } from '../../src/blocks/directed-seek/stateless.js'
import { dubins2d } from '../../src/blocks/curves/dubins2d.js'
import { dubins3d } from '../../src/blocks/curves/dubins3d.js'
import { ArcPath } from '../../src/blocks/curves/arc-path.js'
import {
  flyTrials,
  seekTrial,
  type MakeSeeker,
  type SeekResult,
  type SeekTrial,
  type TrialOptions,
} from '../rigs/directed-seek.js'
import { Turner, type Guide } from '../rigs/directed-seek-agents.js'
import type { Band, Poses } from '../rigs/dubins-cases.js'

/** The compared methods of flying to a waypoint, and their figures. */

export interface Method {
  readonly name: string
  /** Whether the method flies in a plane, in space, or both. */
  readonly space: '2D' | '3D' | 'both'
  readonly make: MakeSeeker
}

const PLANE: Vec3Like = { x: 0, y: 1, z: 0 }
const known = new ArcPath()

/** Length of the shortest known path (m). */
export function optimum({ from, to }: Poses, radius: number, flat: boolean): number {
  return flat ? dubins2d(known, from, to, radius, PLANE) : dubins3d(known, from, to, radius)
}

/**
 * Radii that a stateless method uses: that of the present speed at both ends, the larger of both, or one for
 * each end.
 */
type Radii = 'now' | 'max' | 'two'

interface Stateless {
  readonly circles: JakobOptions['circles'] | 'space'
  readonly radii?: Radii
  /** Factor on the radii, which leaves force for corrections. */
  readonly widen?: number
}

/** The agent of the paper, guided without memory in every step. */
export function stateless({ circles, radii = 'two', widen = 1 }: Stateless): MakeSeeker {
  return (trial, waypoint) => {
    const options: JakobOptions = {
      circles: circles === 'one' ? 'one' : 'both',
      plane: trial.flat ? PLANE : null,
    }
    const find = circles === 'space' && !trial.flat ? spatialHeading : jakobHeading
    const radiiAt = (speed: number): [number, number] => {
      const [own, there] = [widen * trial.radius(speed), widen * trial.radius(trial.goalSpeed)]
      if (radii === 'two') return [own, there]
      return radii === 'now' ? [own, own] : [Math.max(own, there), Math.max(own, there)]
    }
    const guide: Guide = (out, from, speed, way) => find(out, from, waypoint, ...radiiAt(speed), way, options)
    return new Turner({
      guide,
      // on the last turn the radius of the waypoint, but no tighter than the agent can turn
      radius: (speed, stage) =>
        Math.max(
          trial.radius(speed),
          radiiAt(speed)[stage === 3 ? 1 : 0] / (circles === 'space' ? 1 : widen),
        ),
      speed: trial.goalSpeed,
      change: trial.change,
    })
  }
}

/** The behaviour of the package. */
export function directed(method: DirectedSeekMethod): MakeSeeker {
  return ({ flat, goalSpeed, radius, speed, speeds }, waypoint) =>
    new DirectedSeek({
      target: waypoint,
      method,
      speed: Math.max(speed, goalSpeed),
      arrivalSpeed: goalSpeed,
      // a radius that changes with the speed follows from the force
      ...(!speeds && { radius: radius(speed) }),
      ...(flat && { plane: PLANE }),
    })
}

/** All compared methods. A new method is one new line. */
export const METHODS: readonly Method[] = [
  { name: 'DirectedSeek', space: 'both', make: directed('planned') },
  { name: 'DirectedSeek, stateless', space: 'both', make: directed('stateless') },
  { name: 'DirectedSeek, jakob', space: 'both', make: directed('jakob') },
  { name: 'paper', space: 'both', make: stateless({ circles: 'one' }) },
  { name: 'paper, 1.25 r', space: 'both', make: stateless({ circles: 'one', widen: 1.25 }) },
  { name: 'both circles by length', space: 'both', make: stateless({ circles: 'both' }) },
  { name: 'CSC in space each step', space: '3D', make: stateless({ circles: 'space' }) },
  { name: 'CSC in space, 1.25 r', space: '3D', make: stateless({ circles: 'space', widen: 1.25 }) },
]

/** Flies `count` trials of a band, from the seed `first`. */
export function flySeeks(
  { make }: Method,
  band: Band,
  flat: boolean,
  count: number,
  options: Omit<TrialOptions, 'optimum'> = {},
  steps?: number,
  first = 0,
): SeekResult[] {
  const trials: SeekTrial[] = []
  for (let seed = first; seed < first + count; seed++)
    trials.push(seekTrial(band, seed, flat, { ...options, optimum }))
  return flyTrials(trials, make, steps)
}

export interface Figures {
  /** Percentage of all trials: successes. `chatter`: trials with more than 4 reversals of the turn. */
  readonly success: number
  readonly chatter: number
  /**
   * Median, 95th percentile and maximum: path length over the optimum (successes), heading error in degrees
   * (successes), reversals (all).
   */
  readonly ratio: readonly number[]
  readonly error: readonly number[]
  readonly flips: readonly number[]
  /** Greatest curvature × radius, and greatest relative error of the speed. */
  readonly bend: number
  readonly speedError: number
}

export function figuresOf(results: readonly SeekResult[]): Figures {
  const done = results.filter(({ success }) => success)
  return {
    success: (100 * done.length) / results.length,
    chatter: (100 * results.filter(({ flips }) => flips > 4).length) / results.length,
    ratio: spread(done.map(({ ratio }) => ratio)),
    error: spread(done.map(({ error }) => (error * 180) / Math.PI)),
    flips: spread(results.map(({ flips }) => flips)),
    bend: Math.max(...results.map(({ bend }) => bend)),
    speedError: Math.max(0, ...done.map(({ speedRatio }) => Math.abs(speedRatio - 1))),
  }
}

function spread(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b)
  return [0.5, 0.95, 1].map(
    (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN,
  )
}
