import { describe, expect, it } from 'vitest'
import { DirectedSeek, type Agent, type Step, type Wrench } from 'three-steering'
import { UNEVEN, flyTrials, seekTrial, type TrialOptions } from '../rigs/directed-seek.js'
import { BAND_NAMES } from '../rigs/dubins-cases.js'
import { optimum } from './directed-seek-kit.js'
import { PRINT } from '../support/tier.js'

/** CPU time of the steps in which a plan was made or changed, on one machine. Nothing is asserted of it. */
class Timed extends DirectedSeek {
  static readonly times: number[] = []
  #length = -1

  override steer(agent: Agent, step: Step, out: Wrench): void {
    const before = process.cpuUsage()
    super.steer(agent, step, out)
    const { user, system } = process.cpuUsage(before)
    const length = this.planOf(agent)?.length ?? -1
    if (length !== this.#length) Timed.times.push((user + system) / 1000)
    this.#length = length
  }
}

const SCENES: [string, Omit<TrialOptions, 'optimum'>][] = [
  ['at 0.3 v', { drift: { share: 0.3, turns: false } }],
  ['at 0.6 v', { drift: { share: 0.6, turns: false } }],
  ['at 0.3 v on a circle of 10 r', { drift: { share: 0.3, turns: true } }],
  ...UNEVEN.map((uneven): [string, Omit<TrialOptions, 'optimum'>] => [uneven, { uneven }]),
]

describe.runIf(PRINT)('table: CPU time of plans to moving waypoints', () => {
  it.each(SCENES)(
    '%s is printed',
    (name, options) => {
      const cells = BAND_NAMES.map((band) => {
        for (let pass = 0; pass < 2; pass++) {
          Timed.times.length = 0
          const trials = Array.from({ length: 40 }, (_, seed) =>
            seekTrial(band, seed, false, { ...options, optimum }),
          )
          flyTrials(trials, ({ radius, speed }, target) => new Timed({ target, radius: radius(1), speed }))
        }
        return (Timed.times.reduce((sum, time) => sum + time, 0) / Timed.times.length).toFixed(2)
      })
      process.stdout.write(`| ${name} | ${cells.join(' | ')} |\n`)
      expect(cells.length).toBe(3)
    },
    600_000,
  )
})
