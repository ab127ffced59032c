import { describe, expect, it } from 'vitest'
import { DirectedSeek, type Agent, type Step, type Wrench } from 'three-steering'
import { quantile } from '../curves/near-kit.js'
import { UNEVEN, flyTrials, seekTrial, type SeekResult, type TrialOptions } from '../rigs/directed-seek.js'
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

const FLIGHTS = 100
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

function flyOnce(band: Band, scene: Scene): SeekResult[] {
  Timed.first.length = Timed.all.length = 0
  const trials = Array.from({ length: FLIGHTS }, (_, seed) =>
    seekTrial(band, seed, false, { ...scene, optimum }),
  )
  return flyTrials(trials, ({ radius, speed }, target) => new Timed({ target, radius: radius(1), speed }))
}

/** Mean, 95th percentile and maximum. */
function told(values: readonly number[], digits: number): string {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const figures = [mean, quantile(values, 0.95), Math.max(...values)]
  return figures.map((figure) => figure.toFixed(digits)).join(' / ')
}

/** Flies a cell of the table several times. @returns its cells. */
function rowOf(band: Band, scene: Scene): string {
  const results = flyOnce(band, scene)
  const first = [...Timed.first]
  const all = [...Timed.all]
  for (let pass = 1; pass < PASSES; pass++) {
    flyOnce(band, scene)
    expect([Timed.first.length, Timed.all.length]).toEqual([first.length, all.length])
    first.forEach((time, i) => (first[i] = Math.min(time, Timed.first[i]!)))
    all.forEach((time, i) => (all[i] = Math.min(time, Timed.all[i]!)))
  }
  const times = results.map(({ time, trial }) => (time * trial.speed) / trial.radius(trial.speed))
  const beyond = results.map(({ flips, goalFlips }) => flips - goalFlips)
  return [
    band,
    `${results.filter(({ success }) => success).length} of ${FLIGHTS}`,
    told(times, 1),
    `${quantile(beyond, 0.95)} / ${Math.max(...beyond)}`,
    told(first, 2),
    told(all, 2),
    (all.length / FLIGHTS).toFixed(0),
  ].join(' | ')
}

const HEADER = `| waypoint | band | met | time (r / v) | to and fro, beyond its own, 95 % / most | first plan (ms) | any plan (ms) | plans a flight |
| --- | --- | --- | --- | --- | --- | --- | --- |
`

describe.runIf(PRINT)('table: flights to moving waypoints, and the time of their plans', () => {
  it.each(SCENES)(
    '%s is printed',
    (name, scene) => {
      const rows = BAND_NAMES.map((band) => `| ${name} | ${rowOf(band, scene)} |\n`)
      process.stdout.write((name === SCENES[0]![0] ? HEADER : '') + rows.join(''))
      expect(rows.length).toBe(3)
    },
    600_000,
  )
})
