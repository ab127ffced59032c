import type { Agent, Behavior, DebugDraw, SnapshotState, Step, Wish, Wrench } from '../../core/types.js'
import type { Constraint } from '../../core/solver/constraint.js'
import { DirectionMap, makeInterest, type Interest } from './direction-map.js'
import { DangerMap } from './danger-map.js'
import { servoGain, topSpeed } from '../../core/control/drive.js'
import { cutForce } from '../../core/control/force-limit.js'
import { drawing } from '../../core/control/last-wishes.js'
import { Memory } from '../../core/control/memory.js'
import {
  constraintRules,
  weightedRules,
  type Part,
  type Weighted,
  type WeightedPart,
} from '../../core/combine/part-rules.js'
import { concatInto, PartList } from '../../core/combine/parts.js'
import { openSolution } from '../../core/solver/settling.js'
import { lendSolver, returnSolver, SolverMemory } from '../../core/solver/velocity-solver.js'
import type { ConstraintSet } from '../../core/solver/constraint-set.js'
import { collectWish, forwardWish, isIdle } from '../../core/control/wish.js'
import {
  addScaled,
  copy,
  isFiniteVec,
  isZero,
  length,
  load,
  normalize,
  save,
  scale,
  set,
  sub,
  truncate,
  vec3,
} from '../../core/math/vec3.js'
import { clearWrench, zeroWrench } from '../../core/math/wrench.js'
import { readOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'
import { unchecked } from '../../core/math/require.js'

export interface ContextMapOptions extends Options, OptionsOf<typeof ContextMap.options> {}
export interface ContextMap extends FieldsOf<typeof ContextMap.options> {}

/** Length of the line of a direction without danger in debug drawings, in radii of the agent. */
const DRAWN_RADII = 6

// stored for each agent: the direction flown last
const WIDTH = 3

const velocity = vec3()
const lastDirection = vec3()
const wanted = vec3()
const solution = openSolution(wanted)

/**
 * Context maps (Fray, Context Steering, Game AI Pro 2, 2015) in 3D. Behaviours write into a map of interest
 * over the directions of a sphere, constraints into a map of danger. Each map takes the maximum of its
 * inputs, directions with more than the least danger are masked, and of the remaining directions the most
 * interesting one is flown. The speed is the wanted speed of the behaviour with the highest interest in that
 * direction, unless the agent must brake.
 *
 * Interest is weight · speed · (1 + cosine) / 2 relative to the wanted velocity, v + F·τ / m, as in `within`:
 * the direction opposite to the wanted one has no interest. Departures: Fray's slots lie on a circle in the
 * world. Here they lie on a sphere that is carried along with the course, so that no world direction is
 * special, and the wanted directions and the direction flown last are added to them. Fray interpolates
 * between slots. Here the best slot is moved towards the wanted direction as far as the danger allows, so the
 * motion is as smooth as the outlines of the obstacles. Fray's cars turn at once. Here the velocity is
 * limited to what the force can still brake for or turn away from, as in `within`. Torques are summed by
 * weight. The input of a player is not turned to another direction: where it is the strongest interest, it
 * is slowed and stopped as by `within`.
 */
export class ContextMap implements Behavior {
  static readonly type: string = 'ContextMap'
  static readonly options = {
    /** The behaviours that are followed, with optional weights. A part with a weight ≤ 0 has no interest. */
    interest: { kind: ['weighted'], required: true, check: unchecked<readonly (Behavior | Weighted)[]> },
    /** The constraints that are obeyed, as for `within`. Default none. */
    danger: { kind: ['part'], default: [], check: unchecked<readonly (Constraint | Part<Constraint>)[]> },
    /**
     * Number of directions that are compared, a whole number ≥ 8. Default 80: 25° from one to the next. More
     * directions find narrower gaps.
     */
    // 25° from one direction to the next; the cost grows in proportion. Chosen by hand.
    directions: { kind: 'number', whole: true, atLeast: 8, atMost: 1e6, default: 80 },
    /**
     * Obstacles beyond this time of flight (s) are ignored, > 0. Obstacles within twice the stopping distance
     * always count. Default 2.
     */
    // Time enough to evade most obstacles without a detour around distant ones. Chosen by hand.
    horizon: { kind: 'number', unit: 's', above: 0, infinite: true, default: 2 },
  } as const satisfies AnyTable

  readonly directions: number
  private readonly interestList: PartList<WeightedPart>
  private readonly dangerList: PartList<Part<Constraint>>
  private readonly directionMap: DirectionMap
  private readonly dangerMap = new DangerMap()
  private readonly interests: Interest[] = []
  private readonly driftInterest: Interest = makeInterest()
  /** The interest that the chosen direction serves. */
  private served: Interest = makeInterest()
  private readonly own: Wrench = zeroWrench()
  private readonly memory = new Memory(WIDTH)
  private readonly solverMemory = new SolverMemory()
  /** Tells that the agent is as near to its goal as it gets. */
  private readonly joined: Behavior[] = []

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: ContextMapOptions) {
    const { interest, danger, directions, horizon } = readOptions('contextMap', ContextMap.options, options)
    this.interestList = new PartList(interest, weightedRules('contextMap.interest'))
    this.dangerList = new PartList(danger, constraintRules('contextMap.danger'))
    this.directions = directions
    this.directionMap = new DirectionMap(directions)
    this.horizon = horizon
  }

  /**
   * Behaviours that write interest. Their weights may be changed, and parts may be switched, added, removed
   * and reordered at any time, see `Part`.
   */
  get interest(): WeightedPart[] {
    return this.interestList.parts
  }

  /** Constraints that write danger. They may be switched, added and removed as well. */
  get danger(): Part<Constraint>[] {
    return this.dangerList.parts
  }

  /** All behaviours that are switched on, the constraints first, read from the parts by this call. */
  get children(): readonly Behavior[] {
    return concatInto(this.joined, this.dangerList.inUse, this.interestList.inUse)
  }

  get fixedChildren(): readonly Behavior[] | null {
    return this.dangerList.isFixed && this.interestList.isFixed ? this.children : null
  }

  /** All behaviours, including those that are switched off. */
  get allChildren(): readonly Behavior[] {
    return [...this.dangerList.all, ...this.interestList.all]
  }

  get state(): SnapshotState {
    return [this.dangerList, this.interestList, this.memory, this.solverMemory]
  }

  refresh(): void {
    this.interestList.refresh()
    this.dangerList.refresh()
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { memory } = this
    this.interestList.begin(step)
    this.dangerList.begin(step)
    const strongest = this.collectInterests(agent, step, out)
    if (strongest === null) return
    const offset = memory.at(agent)
    scale(velocity, strongest.direction, strongest.speed)
    drawing.wishes?.keep(this, agent, velocity, strongest.wish)
    load(lastDirection, memory.data, offset)
    const interest = strongest.wish.isManual
      ? this.slow(agent, step, strongest)
      : this.chooseVelocity(agent, step, strongest)
    if (interest === null) scale(out.force, sub(velocity, velocity, agent.velocity), servoGain(agent, step))
    else copy(out.force, interest.force)
    const { served } = this
    forwardWish(agent.wish, served.wish)
    scale(wanted, served.direction, served.speed)
    this.solverMemory.settling.update(agent, step, served.wish, solution, velocity)
    if (this.servedBehavior !== undefined) agent.explainer?.scaleTo(out.force, [this.servedBehavior])
    save(lastDirection, memory.data, offset)
    if (agent.wish === null) cutForce(agent, out.force)
  }

  /** Draws the danger of all directions: the less danger, the longer the line. */
  trace(agent: Agent, step: Step, draw: DebugDraw): void {
    const { directionMap, dangerMap } = this
    const last = drawing.wishes?.of(this, agent) ?? null
    if (last === null) return
    copy(velocity, last.velocity)
    this.askConstraints(agent, step, last.wish, true)
    directionMap.trace(
      agent,
      dangerMap,
      Math.max(length(velocity), dangerMap.demandedSpeed),
      DRAWN_RADII * agent.radius,
      draw,
    )
  }

  /** Asks all interests, sums their torques. Returns the strongest; null if an answer is not finite. */
  private collectInterests(agent: Agent, step: Step, out: Wrench): Interest | null {
    const { own, interests } = this
    const { active, shares } = this.interestList
    const { asks, wish: outer } = agent
    agent.asks = false
    let strongest: Interest | null = null
    let manual: Interest | null = null
    for (let i = 0; i < active.length; i++) {
      if (i === interests.length) interests.push(makeInterest())
      const interest = interests[i]!
      const weight = shares[i]!
      clearWrench(own)
      // the outer combination gets only the wish that is served, in the end
      agent.wish = interest.wish
      interest.wish.settled = outer?.settled === true
      collectWish(agent, step, active[i]!, interest.wish, own, velocity, weight)
      agent.explainer?.grant(own, 0, weight)
      addScaled(out.torque, out.torque, own.torque, weight)
      if (own.turns && weight !== 0) out.turns = true
      copy(interest.force, own.force)
      normalize(interest.direction, velocity)
      interest.speed = length(velocity)
      if (interest.wish.isManual && weight > 0) manual = interest
      // a behaviour that asks for nothing has no interest
      const isCounted = weight > 0 && !isZero(own.force)
      interest.strength = isCounted ? weight * interest.speed : 0
      if (isCounted && (strongest === null || interest.strength > strongest.strength)) strongest = interest
      // the world reports what is not finite
      if (!isFiniteVec(own.force)) copy(out.force, own.force)
    }
    agent.wish = outer
    const rests = isIdle(agent, out.force)
    if (asks === true) agent.asks = true
    return isZero(out.force) ? (strongest ?? manual ?? this.drift(agent, rests)) : null
  }

  /** Without any interest the agent keeps its velocity, or stands, and still obeys the constraints. */
  private drift({ maxSpeed, velocity: now }: Agent, rests: boolean): Interest {
    const { driftInterest } = this
    if (rests) set(velocity, 0, 0, 0)
    else truncate(velocity, now, maxSpeed)
    normalize(driftInterest.direction, velocity)
    driftInterest.speed = length(velocity)
    return driftInterest
  }

  private get servedBehavior(): Behavior | undefined {
    return this.interestList.active[this.interests.indexOf(this.served)]
  }

  /** Explains which interest was served, and how the constraints changed its velocity. */
  private explain(agent: Agent, step: Step, limits: ConstraintSet, isChanged: boolean): void {
    const { explainer } = agent
    if (explainer === null) return
    const { dangerList, own, served } = this
    copy(own.force, served.force)
    if (this.servedBehavior !== undefined) explainer.grant(own, 1, 0, this.servedBehavior)
    scale(wanted, served.direction, served.speed)
    explainer.addConstraints(agent, step, limits, dangerList.active, wanted, velocity, isChanged)
  }

  /** Collects the demands of all constraints for `velocity`. */
  private askConstraints(agent: Agent, step: Step, wish: Readonly<Wish>, isDrawn = false): void {
    const { dangerMap } = this
    dangerMap.isDrawn = isDrawn
    const { active } = this.dangerList
    dangerMap.begin(agent, velocity, wish)
    dangerMap.constrain(agent, step, active)
    dangerMap.assess(agent, step, this.horizon)
  }

  /**
   * Writes the velocity to fly into `velocity`, and its direction into `lastDirection`. Returns the interest
   * whose velocity is flown unchanged, if there is one.
   */
  private chooseVelocity(agent: Agent, step: Step, strongest: Interest): Interest | null {
    const { directionMap, dangerMap, interests } = this
    this.askConstraints(agent, step, strongest.wish)
    const speed = Math.max(strongest.speed, dangerMap.demandedSpeed)
    let interest: Interest | null = null
    this.served = strongest
    if (dangerMap.isExiting) scale(velocity, dangerMap.exit, Math.min(dangerMap.exitSpeed, topSpeed(agent)))
    else if (speed > 0) {
      const served = directionMap.choose(
        agent.course,
        interests,
        this.interestList.active.length,
        strongest,
        dangerMap,
        speed,
        lastDirection,
      )
      this.served = served
      scale(velocity, directionMap.direction, Math.max(served.speed, dangerMap.demandedSpeed))
      if (directionMap.isExact && served.speed >= dangerMap.demandedSpeed) interest = served
    } else interest = strongest
    const turned = !dangerMap.isExiting && speed > 0 && !directionMap.isExact
    if (turned) copy(lastDirection, directionMap.direction)
    else set(lastDirection, 0, 0, 0)
    if (dangerMap.limitVelocity(agent, step, turned, velocity)) interest = null
    this.explain(agent, step, dangerMap, interest === null)
    return interest
  }

  /** The same for the input of a player, which has one direction only. */
  private slow(agent: Agent, step: Step, input: Interest): Interest | null {
    const { active } = this.dangerList
    const solver = lendSolver(this.solverMemory)
    this.served = input
    set(lastDirection, 0, 0, 0)
    try {
      solver.survey(agent, step, active)
      solver.begin(agent, step, velocity, input.wish)
      solver.constrain(agent, step, active)
      const isChanged = solver.solve(agent, step, velocity)
      this.explain(agent, step, solver, isChanged)
      return isChanged ? null : input
    } finally {
      returnSolver()
    }
  }
}

/**
 * Short for `new ContextMap(options)`:
 * `contextMap({ interest: [new Seek(…)], danger: [new AvoidObstacles(…)] })`.
 */
export function contextMap(options: ContextMapOptions): ContextMap {
  return new ContextMap(options)
}
