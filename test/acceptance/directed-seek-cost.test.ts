import { describe, expect, it } from 'vitest'
import { DirectedSeek, type Agent, type Step, type Wrench } from 'three-steering'
import { quantile } from '../curves/near-kit.js'
import { UNEVEN, flyTrials, seekTrial, type TrialOptions } from '../rigs/directed-seek.js'
import { BAND_NAMES, type Band } from '../rigs/dubins-cases.js'
import { optimum } from './directed-seek-kit.js'
import { PRINT } from '../support/tier.js'

/** Time of the steps in which a plan was made or changed, on one machine. Nothing is asserted of it. */
class Timed extends DirectedSeek {
  /** Of the flights since these were emptied: times (ms) of first plans, and of all plans. */
  static readonly first: number[] = []
  static readonly all: number[] = []
  #length = -1

  override steer(agent: Agent, step: Step, out: Wrench): void {
    const before = performance.now()
    super.steer(agent, step, out)
    const time = performance.now() - before
    const length = this.planOf(agent)?.length ?? -1
    if (length === this.#length) return
    Timed.all.push(time)
    if (this.#length < 0) Timed.first.push(time)
    this.#length = length
  }
}

const FLIGHTS = 40
/**
 * The same flights are flown so often, and of each step the least time counts: in the others the code was
 * being compiled, or the machine did something else.
 */
const PASSES = 5

type Scene = Omit<TrialOptions, 'optimum'>

const SCENES: [string, Scene][] = [
  ['at 0.3 v', { drift: { share: 0.3, turns: false } }],
  ['at 0.6 v', { drift: { share: 0.6, turns: false } }],
  ['at 0.3 v on a circle of 10 r', { drift: { share: 0.3, turns: true } }],
  ...UNEVEN.map((uneven): [string, Scene] => [uneven, { uneven }]),
]

function flyOnce(band: Band, scene: Scene): void {
  Timed.first.length = Timed.all.length = 0
  const trials = Array.from({ length: FLIGHTS }, (_, seed) =>
    seekTrial(band, seed, false, { ...scene, optimum }),
  )
  flyTrials(trials, ({ radius, speed }, target) => new Timed({ target, radius: radius(1), speed }))
}

/** The least times (ms) of first plans, and of all plans, of several passes of the same flights. */
function timesOf(band: Band, scene: Scene): [first: number[], all: number[]] {
  flyOnce(band, scene)
  const first = [...Timed.first]
  const all = [...Timed.all]
  for (let pass = 1; pass < PASSES; pass++) {
    flyOnce(band, scene)
    expect([Timed.first.length, Timed.all.length]).toEqual([first.length, all.length])
    first.forEach((time, i) => (first[i] = Math.min(time, Timed.first[i]!)))
    all.forEach((time, i) => (all[i] = Math.min(time, Timed.all[i]!)))
  }
  return [first, all]
}

/** Mean, 95th percentile and maximum. */
function told(times: readonly number[]): string {
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length
  return [mean, quantile(times, 0.95), Math.max(...times)].map((time) => time.toFixed(2)).join(' / ')
}

describe.runIf(PRINT)('table: time of plans to moving waypoints', () => {
  it.each(SCENES)(
    '%s is printed',
    (name, scene) => {
      const cells = BAND_NAMES.flatMap((band) => timesOf(band, scene).map(told))
      process.stdout.write(`| ${name} | ${cells.join(' | ')} |\n`)
      expect(cells.length).toBe(6)
    },
    600_000,
  )
})
