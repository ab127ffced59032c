import type { Agent, Behavior, Step, Vec3, Wish, Wrench } from '../types.js'
import { servoGain, topSpeed } from '../control/drive.js'
import { clearWish, collectWish, makeWish, forwardWish, keepFarther } from '../control/wish.js'
import { reciprocal } from '../math/scalar.js'
import { addScaled, copy, isFiniteVec, isZero, length, scale, set, sub, vec3 } from '../math/vec3.js'
import { clearWrench, zeroWrench } from '../math/wrench.js'

/**
 * A wish counts in full from this share of `maxForce` on, or of the force for another top speed, whichever is less; below it less and less, so
 * that none comes or goes with a jump.
 */
const FULL = 0.1

/** Hears several behaviours as one wish. */
export class WishBlend {
  // of its own: a wish may be a blend of wishes itself
  private readonly own: Wrench = zeroWrench()
  private readonly one: Wish = makeWish()
  private readonly wanted: Vec3 = vec3()

  /**
   * As `hearWish` does, for all `behaviors`: the velocity wanted is the mean of theirs by the weights of those that want something, and so is the
   * torque. Of several places the farthest counts, since nobody knows where it will end; of several who spare something the last.
   */
  collect(
    agent: Agent,
    step: Step,
    behaviors: readonly Behavior[],
    weights: readonly number[],
    heard: Wish,
    out: Wrench,
    velocity: Vec3,
  ): void {
    const { one, own, wanted } = this
    const { explainer: ledger, wish: outer } = agent
    const gain = servoGain(agent, step)
    const full = FULL * Math.min(agent.maxForce, gain * topSpeed(agent))
    let forces = 0
    let torques = 0
    clearWish(heard)
    heard.goalDistance = heard.straightDistance = 0
    set(wanted, 0, 0, 0)
    // who listens around this is told what counts in the end
    agent.wish = one
    for (let i = 0; i < behaviors.length; i++) {
      const weight = weights[i]!
      clearWrench(own)
      collectWish(agent, step, behaviors[i]!, one, own, velocity, weight)
      if (!isFiniteVec(own.force)) {
        // for the world to report
        copy(out.force, own.force)
        agent.wish = outer
        return
      }
      const force = weight * opinion(length(own.force), full)
      if (force !== 0) keepFarther(heard, one)
      const torque = own.turns || !isZero(own.torque) ? weight : 0
      sub(velocity, velocity, agent.velocity)
      addScaled(wanted, wanted, velocity, force)
      addScaled(out.torque, out.torque, own.torque, torque)
      if (own.turns && weight !== 0) out.turns = true
      forces += Math.abs(force)
      torques += Math.abs(torque)
      if (ledger === null) continue
      scale(own.force, velocity, gain)
      ledger.grant(own, force, torque)
    }
    agent.wish = outer
    if (!(forces > 0)) clearWish(heard)
    forwardWish(outer, heard)
    const force = reciprocal(forces, 0)
    const torque = reciprocal(torques, 0)
    scale(out.torque, out.torque, torque)
    addScaled(velocity, agent.velocity, wanted, force)
    scale(out.force, wanted, gain * force)
    ledger?.cut(force, torque)
  }
}

/** How much a force of this size (N) is an opinion, in [0, 1]. */
function opinion(size: number, full: number): number {
  return size < full ? size / full : size > 0 ? 1 : 0
}
