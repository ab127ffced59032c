import type { Agent, Behavior, DebugDraw, SnapshotState, Explainer, Step, Wish, Wrench } from '../types.js'
import type { Constraint } from '../solver/constraint.js'
import { DirectionMap, makeInterest, type Interest } from './direction-map.js'
import { DangerMap } from './danger-map.js'
import { servoGain, topSpeed } from '../control/drive.js'
import { cutForce } from '../control/force-limit.js'
import { Memory } from '../control/memory.js'
import { constraintRules, weightedRules, type Part, type Weighted, type WeightedPart } from './part-rules.js'
import { concatInto, PartList } from './parts.js'
import { explainConstraints } from '../solver/explain-constraints.js'
import {
  collectWish,
  loadWish,
  makeSavedWish,
  forwardWish,
  type SavedWish,
  saveWish,
  WISH_WIDTH,
} from '../control/wish.js'
import { requireNumber, requireWhole } from '../math/require.js'
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
} from '../math/vec3.js'
import { clearWrench, zeroWrench } from '../math/wrench.js'

export interface ContextMapOptions {
  /** What is wanted: behaviours, with weights where some count more, and those ≤ 0 not at all. */
  interest: readonly (Behavior | Weighted)[]
  /** What is dangerous: the constraints that `within` takes. Default nothing. */
  danger?: readonly (Constraint | Part<Constraint>)[]
  /** Directions that are looked at, a whole number ≥ 8. Default 80: 25° from one to the next. More find narrower gaps. */
  directions?: number
  /** What is farther than this is no danger, s of flight, > 0; what lies within twice the way to a stop always is. Default 2. */
  horizon?: number
}

/** Danger is drawn so many radii long. */
const DRAWN = 6

// what is kept for each agent: the direction flown last; for `trace` the strongest want and the way to its place
const LAST = 0
const WANTED = 3
const GOAL = 6
const WIDTH = GOAL + WISH_WIDTH

const velocity = vec3()
const last = vec3()
const wanted = vec3()

/**
 * Context maps (Fray, Context Steering, Game AI Pro 2, 2015) in 3D: behaviours write into a map of interest over the directions of a sphere,
 * constraints into a map of danger; maps are merged by their maximum, directions with more than the least danger are masked, and of the rest the most
 * interesting is flown, at the speed of the behaviour that it is most interesting to, unless something must be braked for.
 *
 * Interest is weight · speed · (1 + cosine) / 2 to the wanted velocity, v + F·τ / m, as `within` knows it: no direction that leads somewhere is
 * worth nothing. Departures: Fray's slots stand on a circle in the world; these on a sphere that is carried along with the course, so that no
 * direction of the world is special, and to them come the wanted directions themselves and the one flown last. In place of his interpolation between
 * slots the best one is led towards the wanted direction as far as the danger allows: motion is as smooth as the edge of what is in the way. His
 * cars turn at once; here the velocity is held within what the force can still brake for or turn away from, as in `within`. Torques are summed by weight.
 */
export class ContextMap implements Behavior {
  static readonly type: string = 'ContextMap'
  readonly directions: number
  horizon: number
  private readonly wishes: PartList<WeightedPart, Weighted>
  private readonly dangers: PartList<Part<Constraint>>
  private readonly compass: DirectionMap
  private readonly map = new DangerMap()
  private readonly wants: Interest[] = []
  private readonly nobody: Interest = makeInterest()
  /** Whose is done, as far as can be. */
  private served: Interest = makeInterest()
  private readonly shown: SavedWish = makeSavedWish()
  private readonly own: Wrench = zeroWrench()
  private readonly memory = new Memory(WIDTH)
  private readonly all: Behavior[] = []

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: ContextMapOptions) {
    const { interest, danger = [], directions = 80, horizon = 2 } = options
    this.wishes = new PartList(interest, weightedRules('contextMap.interest'))
    this.dangers = new PartList(danger, constraintRules('contextMap.danger'))
    this.directions = requireWhole('contextMap.directions', directions, 8, 1e6)
    this.compass = new DirectionMap(directions)
    this.horizon = requireNumber('contextMap.horizon', horizon, 0, true)
  }

  /** Behaviours that feed interest. They may be weighted anew, switched, added, removed and reordered at any time, see `Part`. */
  get interest(): WeightedPart[] {
    return this.wishes.parts
  }

  /** Constraints that feed danger. They may be switched, added and removed, too. */
  get danger(): Part<Constraint>[] {
    return this.dangers.parts
  }

  /** All that are switched on, constraints first. Brought up to date by this call. */
  get children(): readonly Behavior[] {
    return concatInto(this.all, this.dangers.behaviors, this.wishes.behaviors)
  }

  /** As `children`, with those that are switched off. */
  get allChildren(): readonly Behavior[] {
    return [...this.dangers.all, ...this.wishes.all]
  }

  get state(): SnapshotState {
    return [this.dangers, this.wishes, this.memory]
  }

  refresh(): void {
    this.wishes.refresh()
    this.dangers.refresh()
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { memory } = this
    this.wishes.begin(step)
    this.dangers.begin(step)
    const first = this.hear(agent, step, out)
    if (first === null) return
    const at = memory.at(agent)
    save(scale(velocity, first.direction, first.speed), memory.data, at + WANTED)
    saveWish(first.wish, memory.data, at + GOAL)
    this.ask(agent, step, first.wish)
    load(last, memory.data, at + LAST)
    const want = this.fly(agent, step, first)
    if (agent.explainer !== null) this.tell(agent, step, agent.explainer, want === null)
    if (want === null) scale(out.force, sub(velocity, velocity, agent.velocity), servoGain(agent, step))
    else copy(out.force, want.force)
    forwardWish(agent.wish, this.served.wish)
    if (this.servant !== undefined) agent.explainer?.scaleTo(out.force, [this.servant])
    save(last, memory.data, at + LAST)
    if (agent.wish === null) cutForce(agent, out.force)
  }

  /** Draws the danger of all directions: the longer the line, the less there is. */
  trace(agent: Agent, step: Step, draw: DebugDraw): void {
    const { compass, map, memory } = this
    const at = memory.find(agent)
    if (at < 0) return
    load(velocity, memory.data, at + WANTED)
    this.ask(agent, step, loadWish(this.shown, memory.data, at + GOAL))
    compass.trace(agent, map, Math.max(length(velocity), map.push), DRAWN * agent.radius, draw)
  }

  /** Hears what is wanted, and sums torques. Returns the strongest; null where one is not finite. */
  private hear(agent: Agent, step: Step, out: Wrench): Interest | null {
    const { own, wants } = this
    const { active, shares } = this.wishes
    const outer = agent.wish
    let first: Interest | null = null
    for (let i = 0; i < active.length; i++) {
      if (i === wants.length) wants.push(makeInterest())
      const want = wants[i]!
      const weight = shares[i]!
      clearWrench(own)
      // what is heard is kept to itself: who listens around this is told of the one that is served
      agent.wish = want.wish
      collectWish(agent, step, active[i]!, want.wish, own, velocity, weight)
      agent.explainer?.grant(own, 0, weight)
      addScaled(out.torque, out.torque, own.torque, weight)
      if (own.turns && weight !== 0) out.turns = true
      copy(want.force, own.force)
      normalize(want.direction, velocity)
      want.speed = length(velocity)
      // no opinion is of no interest
      const counts = weight > 0 && !isZero(own.force)
      want.strength = counts ? weight * want.speed : 0
      if (counts && (first === null || want.strength > first.strength)) first = want
      // what is not finite is for the world to report
      if (!isFiniteVec(own.force)) copy(out.force, own.force)
    }
    agent.wish = outer
    return isZero(out.force) ? (first ?? this.drift(agent)) : null
  }

  /** Where there is nobody to want anything it flies on, and minds the dangers all the same. */
  private drift({ maxSpeed, velocity: now }: Agent): Interest {
    const { nobody } = this
    normalize(nobody.direction, truncate(velocity, now, maxSpeed))
    nobody.speed = length(velocity)
    return nobody
  }

  private get servant(): Behavior | undefined {
    return this.wishes.active[this.wants.indexOf(this.served)]
  }

  /** Tells whose want was served, and what the constraints made of it. */
  private tell(agent: Agent, step: Step, ledger: Explainer, changed: boolean): void {
    const { dangers, map, own, served } = this
    copy(own.force, served.force)
    if (this.servant !== undefined) ledger.grant(own, 1, 0, this.servant)
    scale(wanted, served.direction, served.speed)
    explainConstraints(agent, step, map, dangers.active, wanted, velocity, changed)
  }

  /** Asks all constraints about `velocity`. */
  private ask(agent: Agent, step: Step, heard: Readonly<Wish>): void {
    const { map } = this
    const { active } = this.dangers
    map.begin(agent, velocity, heard)
    map.constrain(agent, step, active)
    map.look(agent, step, this.horizon)
  }

  /** Writes the velocity to have into `velocity`, and its direction into `last`. Returns the want that is done as it is, if one is. */
  private fly(agent: Agent, step: Step, first: Interest): Interest | null {
    const { compass, map, wants } = this
    const speed = Math.max(first.speed, map.push)
    let want: Interest | null = null
    this.served = first
    if (map.isExiting) scale(velocity, map.exit, Math.min(map.exitSpeed, topSpeed(agent)))
    else if (speed > 0) {
      const served = compass.choose(agent.course, wants, this.wishes.active.length, first, map, speed, last)
      this.served = served
      scale(velocity, compass.direction, Math.max(served.speed, map.push))
      if (compass.exact && served.speed >= map.push) want = served
    } else want = first
    const turned = !map.isExiting && speed > 0 && !compass.exact
    if (turned) copy(last, compass.direction)
    else set(last, 0, 0, 0)
    return map.hold(agent, step, turned, velocity) ? null : want
  }
}

/** Short for `new ContextMap(options)`: `contextMap({ interest: [new Seek(…)], danger: [new AvoidObstacles(…)] })`. */
export function contextMap(options: ContextMapOptions): ContextMap {
  return new ContextMap(options)
}
