import type { Agent, Behavior, SnapshotState, Step } from '../types.js'
import type { Vec3, Vec3Like, Wish, Wrench } from '../types.js'
import type { Constraint } from '../solver/constraint.js'
import { drawing } from '../control/last-wishes.js'
import { partLists } from '../control/part-lists.js'
import { servoGain, topSpeed } from '../control/drive.js'
import { cutForce } from '../control/force-limit.js'
import { lendSolver, returnSolver, SolverMemory, type VelocitySolver } from '../solver/velocity-solver.js'
import { constraintRules, type Part, type Weighted, type WeightedPart, weightedRules } from './part-rules.js'
import { concatInto, PartList } from './parts.js'
import { clearWish, collectWish, forwardWish, isIdle, keepFarther, makeWish } from '../control/wish.js'
import { addScaled, copy, isFiniteVec, isZero, length, scale, set, sub, vec3 } from '../math/vec3.js'
import { reciprocal } from '../math/scalar.js'
import { clearWrench, zeroWrench } from '../math/wrench.js'

const wantedVelocity = vec3()

/**
 * Follows its wishes as far as the constraints allow. The force of the wish becomes a wanted velocity, v +
 * F·τ / m; all constraints limit it together, taking into account how far the vehicle's force can change the
 * velocity; the result becomes a force at the end. Forces that are added cancel each other, since every
 * wanted velocity is a servo to which an evasive speed is an error; limits do not (measured in the scenario
 * tests of this project). A wish may be any behaviour or combination; its torque passes unchanged.
 *
 * Several wishes are blended as wanted velocities: the weighted mean of those that want something. Their
 * torques are blended likewise.
 *
 * If not everything can be met, demands give way in this order: first the wishes; then the demands that exist
 * because of other agents, which can yield as well, or for the sake of a gate, all by the same least amount;
 * then the demands of obstacles at rest, by the same least amount; never the limit of the vehicle's force.
 */
export class Within implements Behavior {
  static readonly type: string = 'Within'
  static readonly options = {
    constraints: { kind: ['part'], required: true },
    wishes: { kind: ['weighted'], required: true },
  } as const

  private readonly constraintList: PartList<Part<Constraint>>
  private readonly wishList: PartList<WeightedPart>
  private readonly joined: Behavior[] = []
  private readonly solverMemory = new SolverMemory()
  /** The only wish, while its weight is 1 and no part can have changed: for this number of `partLists`. */
  private onlyWish: Behavior | null = null
  private fixedAt = -1
  /** The constraints that take part in this step. */
  private active: readonly Constraint[] = []

  /**
   * @throws TypeError for a value that is no constraint or a wish that is no behaviour; RangeError for a
   * weight that is not finite.
   */
  constructor(
    constraints: readonly (Constraint | Part<Constraint>)[],
    wish: Behavior | readonly (Behavior | Weighted)[],
  ) {
    this.constraintList = new PartList(constraints, constraintRules('within.constraints'))
    this.wishList = new PartList(Array.isArray(wish) ? wish : [wish], weightedRules('within.wishes'))
  }

  /** The constraints. They may be edited and switched at any time, see `Part`, and so may the wishes. */
  get parts(): Part<Constraint>[] {
    return this.constraintList.parts
  }

  /** The wishes. Their weights may be changed as well, also gradually. */
  get wishes(): WeightedPart[] {
    return this.wishList.parts
  }

  /** The first wish, if there is one. Setting it replaces all wishes by this one. */
  get wish(): Behavior | undefined {
    return this.wishes[0]?.behavior
  }

  set wish(behavior: Behavior) {
    this.wishes.splice(0, Infinity, { behavior, weight: 1 })
  }

  /** The constraints that are switched on. */
  get constraints(): readonly Constraint[] {
    return this.constraintList.inUse
  }

  /** All behaviours that are switched on, the wishes last, read from the parts by this call. */
  get children(): readonly Behavior[] {
    return concatInto(this.joined, this.constraintList.inUse, this.wishList.inUse)
  }

  get fixedChildren(): readonly Behavior[] | null {
    return this.constraintList.isFixed && this.wishList.isFixed ? this.children : null
  }

  /** All behaviours, including those that are switched off. */
  get allChildren(): readonly Behavior[] {
    return [...this.constraintList.all, ...this.wishList.all]
  }

  get state(): SnapshotState {
    return [this.constraintList, this.wishList, this.solverMemory]
  }

  refresh(): void {
    this.constraintList.refresh()
    this.wishList.refresh()
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const solver = lendSolver(this.solverMemory)
    try {
      this.steerBy(solver, agent, step, out)
    } finally {
      returnSolver()
    }
  }

  private steerBy(solver: VelocitySolver, agent: Agent, step: Step, out: Wrench): void {
    const { settling } = this.solverMemory
    const { collectedWish } = solver
    if (this.fixedAt !== partLists.changes) this.beginLists(step)
    const { active, onlyWish } = this
    solver.survey(agent, step, active)
    const { wish: outer } = agent
    collectedWish.map = solver.map.isEmpty ? (outer?.map ?? null) : solver.map
    collectedWish.bounds = solver.bounds.isEmpty ? (outer?.bounds ?? null) : solver.bounds
    collectedWish.settled = settling.has(agent) || outer?.settled === true
    const { asks } = agent
    agent.asks = false
    // a single wish is followed bit-identically
    if (onlyWish !== null) {
      collectWish(agent, step, onlyWish, collectedWish, out, wantedVelocity, 1, collectedWish)
      agent.explainer?.grant(out, 1, 1)
    } else WishBlend.of(solver).collect(agent, step, this.wishList, collectedWish, out, wantedVelocity)
    if (isIdle(agent, out.force)) set(wantedVelocity, 0, 0, 0)
    if (asks === true) agent.asks = true
    drawing.wishes?.keep(this, agent, wantedVelocity, collectedWish)
    this.askConstraints(solver, agent, step, wantedVelocity, collectedWish)
    let isChanged = solver.solve(agent, step, wantedVelocity)
    settling.recall(agent, step, collectedWish)
    if (solver.isMoved) copy(collectedWish.goal, solver.goal)
    if (settling.update(agent, step, collectedWish, solver, wantedVelocity)) {
      solver.settle(agent, wantedVelocity)
      isChanged = true
    }
    const { explainer } = agent
    explainer?.addConstraints(agent, step, solver, active, solver.wishVelocity, wantedVelocity, isChanged)
    if (isChanged) {
      scale(out.force, sub(wantedVelocity, wantedVelocity, agent.velocity), agent.mass / solver.time)
      // the wishes give way where the force is not sufficient
      explainer?.scaleTo(out.force, this.wishList.active)
    }
    if (agent.wish === null) cutForce(agent, out.force)
  }

  /** Reads the parts of this step. */
  private beginLists(step: Step): void {
    const { constraintList, wishList } = this
    constraintList.begin(step)
    wishList.begin(step)
    const { active, shares } = wishList
    this.active = constraintList.active
    this.onlyWish = active.length === 1 && shares[0] === 1 ? active[0]! : null
    if (constraintList.isFixed && wishList.isFixed) this.fixedAt = partLists.changes
  }

  /** Asks the constraints again as for the last wish, and lets `look` read what they demand. @internal */
  askAgain(agent: Agent, step: Step, look: (solver: VelocitySolver) => void): void {
    const last = drawing.wishes?.of(this, agent) ?? null
    if (last === null) return
    const solver = lendSolver(this.solverMemory)
    try {
      solver.survey(agent, step, this.active)
      this.askConstraints(solver, agent, step, last.velocity, last.wish, true)
      look(solver)
    } finally {
      returnSolver()
    }
  }

  /** Collects the demands of all constraints for a wanted velocity (m/s) and its wish. */
  private askConstraints(
    solver: VelocitySolver,
    agent: Agent,
    step: Step,
    wanted: Vec3Like,
    wish: Readonly<Wish>,
    isDrawn = false,
  ): void {
    solver.isDrawn = isDrawn
    solver.begin(agent, step, wanted, wish)
    const { settling } = this.solverMemory
    solver.pressure = settling.pressure(agent)
    solver.isSettled = settling.has(agent)
    solver.aim(agent, step, isDrawn)
    solver.constrain(agent, step, this.active)
  }
}

/**
 * Short for `new Within(constraints, wish)`:
 * `within([new AvoidObstacles({ obstacles })], new Arrive({ target }))`.
 */
export function within(
  constraints: readonly (Constraint | Part<Constraint>)[],
  wish: Behavior | readonly (Behavior | Weighted)[],
): Within {
  return new Within(constraints, wish)
}

/**
 * A wish counts in full if its force is at least this share of `maxForce`, or of the force for the top speed,
 * whichever is less. The weight of a smaller force falls in proportion, so that no wish sets in or ends with
 * a jump. Chosen by hand.
 */
const FULL_FORCE_SHARE = 0.1

/** Collects several behaviours as one wish. */
class WishBlend {
  private static readonly made = new Map<VelocitySolver, WishBlend>()

  /** A wish may be a blend of wishes itself: each solver that is lent has a blend. */
  static of(solver: VelocitySolver): WishBlend {
    let blend = WishBlend.made.get(solver)
    if (blend === undefined) WishBlend.made.set(solver, (blend = new WishBlend()))
    return blend
  }

  private readonly own: Wrench = zeroWrench()
  private readonly partWish: Wish = makeWish()
  private readonly sum: Vec3 = vec3()

  /**
   * Does for all active parts what `collectWish` does for one. The wanted velocity is the weighted mean of
   * the velocities of those that want something, and likewise the torque. Of several goals the farthest
   * counts, since it is not known where the blend will end; of several exemptions the last.
   */
  collect(
    agent: Agent,
    step: Step,
    { active: behaviors, shares: weights }: PartList<WeightedPart>,
    wish: Wish,
    out: Wrench,
    velocity: Vec3,
  ): void {
    const { own, partWish, sum } = this
    const { explainer, wish: outer } = agent
    const gain = servoGain(agent, step)
    const fullForce = FULL_FORCE_SHARE * Math.min(agent.maxForce, gain * topSpeed(agent))
    let forceWeights = 0
    let torqueWeights = 0
    clearWish(wish)
    wish.goalDistance = wish.straightDistance = 0
    set(sum, 0, 0, 0)
    // the outer combination gets the blended goal only
    agent.wish = partWish
    for (let i = 0; i < behaviors.length; i++) {
      const weight = weights[i]!
      clearWrench(own)
      collectWish(agent, step, behaviors[i]!, partWish, own, velocity, weight, wish)
      if (!isFiniteVec(own.force)) {
        // the world reports it
        copy(out.force, own.force)
        agent.wish = outer
        return
      }
      const forceWeight = weight * significance(length(own.force), fullForce)
      if (forceWeight !== 0) keepFarther(wish, partWish)
      const torqueWeight = own.turns || !isZero(own.torque) ? weight : 0
      sub(velocity, velocity, agent.velocity)
      addScaled(sum, sum, velocity, forceWeight)
      addScaled(out.torque, out.torque, own.torque, torqueWeight)
      if (own.turns && weight !== 0) out.turns = true
      forceWeights += Math.abs(forceWeight)
      torqueWeights += Math.abs(torqueWeight)
      if (explainer === null) continue
      scale(own.force, velocity, gain)
      explainer.grant(own, forceWeight, torqueWeight)
    }
    agent.wish = outer
    if (!(forceWeights > 0)) clearWish(wish)
    forwardWish(outer, wish)
    const forceScale = reciprocal(forceWeights, 0)
    const torqueScale = reciprocal(torqueWeights, 0)
    scale(out.torque, out.torque, torqueScale)
    addScaled(velocity, agent.velocity, sum, forceScale)
    scale(out.force, sum, gain * forceScale)
    explainer?.cut(forceScale, torqueScale)
  }
}

/** How much a wish with a force of this size (N) counts, in [0, 1]. */
function significance(size: number, fullForce: number): number {
  return size < fullForce ? size / fullForce : size > 0 ? 1 : 0
}
