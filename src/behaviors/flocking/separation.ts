import type { Agent, Behavior, Step, Wrench } from '../../types.js'
import { requireFinite } from '../../math/require.js'
import { addScaled, normalize, truncate, vec3 } from '../../math/vec3.js'
import { sumApart, type ApartRule, type SeparationLaw, type SeparationShare } from './apart.js'
import { FlockRule, separate, sumFlock, type FlockRuleOptions } from './flock.js'

export interface SeparationOptions extends FlockRuleOptions {
  /**
   * How the push falls off with the distance d of the centres (to a larger neighbour as in `neighborDistance`), r being the range. `smooth` (default): (r/d − 1) / 4, nothing at the range,
   * so nothing jolts, the whole force at a fifth of it. `inverse` and `inverse-square`: s/d and (s/d)², s being the sum of both radii
   * ("a 1/x² curve where x is the combined radii", Green), the whole force where the hulls touch, with a step at the range.
   */
  law?: SeparationLaw
  /** Range as the clear distance between the two hulls, m, ≥ 0; then `neighborDistance` must cover twice the agent's radius and it. Default: the range is `neighborDistance`. */
  clearance?: number
  /**
   * Who gives way. `even` (default): both take the whole push. `priority`, `mass`: each takes other / (own + other) of it, the table of relative
   * masses of Green, so ½ among equals; priority Infinity ("blockers") takes none, and the other one all.
   */
  share?: SeparationShare
}

const LAWS: readonly SeparationLaw[] = ['smooth', 'inverse', 'inverse-square']
const SHARES: readonly SeparationShare[] = ['even', 'priority', 'mass']

const sum = vec3()

/**
 * SnapshotState apart from neighbours, the more the nearer (Green, Separation and Flocking: Σ −d̂/d; Reynolds 1987), by radii, right of way and
 * number as in Green's sections "Separation" and "Extent". Never asks for more than its weight of `maxForce`, however many push
 * ("pushed by sheer force of numbers"). Coincident agents part in seeded directions; by any other
 * law, range or share than the default, two of them in opposite ones. With the options of a flock rule alone it is the separation of `Flocking`.
 */
export class Separation extends FlockRule implements Behavior, ApartRule {
  static readonly type: string = 'Separation'
  law: SeparationLaw
  clearance: number | undefined
  share: SeparationShare

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: SeparationOptions) {
    super('Separation', options)
    const { law = 'smooth', clearance, share = 'even' } = options
    if (!LAWS.includes(law))
      throw new RangeError(`Separation.law: got '${law}', allowed are '${LAWS.join("', '")}'`)
    if (!SHARES.includes(share))
      throw new RangeError(`Separation.share: got '${share}', allowed are '${SHARES.join("', '")}'`)
    this.law = law
    this.share = share
    this.clearance =
      clearance === undefined ? undefined : requireFinite('Separation.clearance', clearance, 0, false)
  }

  get reach(): number {
    return this.neighborDistance
  }

  steer(agent: Agent, _step: Step, out: Wrench): void {
    const { law, clearance, share, response, weight } = this
    if (law === 'smooth' && clearance === undefined && share === 'even') {
      separate(agent, this, sumFlock(agent, this, null, null), out)
      return
    }
    sumApart(agent, this, sum)
    if (response === 'unit') normalize(sum, sum)
    else truncate(sum, sum, 1)
    addScaled(out.force, out.force, sum, weight * agent.maxForce)
  }
}
