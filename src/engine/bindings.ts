import type { AgentMaxima, Behavior, Locomotion, VehicleState } from '../types.js'
import { requireBehavior } from '../math/require.js'
import { show } from '../math/show.js'
import { MASS, MAX_FORCE, MAX_SPEED, RADIUS, RESPONSE_TIME, TRAITS } from './agents.js'
import type { Agents, Binding } from './agents.js'
import { sightOf } from './sight.js'
import { typeName } from '../math/type-name.js'

/**
 * The world that a behaviour works for. Behaviours keep their memory by slot, so each can serve only one
 * world.
 */
const bindingsOf = new WeakMap<Behavior, Bindings>()

/** The bindings of one world: pairs of a root behaviour and a locomotion in use. */
export class Bindings {
  private readonly list = new Set<Binding>()
  private readonly byBehavior = new Map<Behavior, Binding[]>()
  /** Path from the root to the present part. */
  private readonly path: Behavior[] = []
  /** Parts that this walk has visited: a shared part is visited once. */
  private readonly walked = new Set<Behavior>()
  /** Largest reaches (m) of the tree that was claimed last. */
  private reach = 0
  private centerReach = 0
  /** Whether any part derives its reach from the vehicle. */
  private derives = false

  /** @throws TypeError when a part of `behavior` works for another world, or is part of itself. */
  take(behavior: Behavior, locomotion: Locomotion): Binding {
    const same = this.byBehavior.get(behavior) ?? []
    let binding = same.find((each) => each.locomotion === locomotion)
    if (binding === undefined) {
      this.path.length = 0
      this.walked.clear()
      this.claim(behavior, false)
      binding = {
        behavior,
        locomotion,
        broken: null,
        reach: 0,
        centerReach: 0,
        nextReach: 0,
        deriving: [],
        box: new Float64Array(6),
        boxTick: -1,
        count: 0,
      }
      this.list.add(binding)
      this.byBehavior.set(behavior, [...same, binding])
    }
    binding.count++
    return binding
  }

  /** The binding of the pair, when it is in use. */
  find({ behavior, locomotion }: Pick<Binding, 'behavior' | 'locomotion'>): Binding | undefined {
    return this.byBehavior.get(behavior)?.find((each) => each.locomotion === locomotion)
  }

  /** Ends one use of a binding. After the last one the behaviours may work for another world. */
  drop(binding: Binding): void {
    if (--binding.count > 0) return
    this.list.delete(binding)
    const rest = this.byBehavior.get(binding.behavior)!.filter((each) => each !== binding)
    if (rest.length > 0) this.byBehavior.set(binding.behavior, rest)
    else this.byBehavior.delete(binding.behavior)
  }

  /**
   * Updates the reaches of all bindings. Done once per step: parts that were added and reaches that were
   * changed take effect here. A tree is `broken` in this step when a part throws, works for another world, or
   * is part of itself. It keeps its last reach, its agents get no force in this step, and other agents are
   * not affected.
   * @returns the mean distance (m) to which agents with a reach are likely to look; 0 when none has a reach.
   */
  survey(agents: Agents, report: (row: number, part: Behavior, message: string) => void): number {
    this.derives = false
    for (const binding of this.list) {
      this.path.length = 0
      this.walked.clear()
      binding.deriving.length = 0
      binding.boxTick = -1
      binding.broken = null
      try {
        this.reach = this.centerReach = 0
        this.claim(binding.behavior, true, binding.deriving)
        binding.nextReach = this.reach
        if (this.centerReach !== binding.centerReach) agents.version++
        binding.centerReach = this.centerReach
      } catch (error) {
        // the path still ends at the part that failed
        binding.broken = this.path[this.path.length - 1] ?? binding.behavior
        binding.nextReach = binding.reach
        binding.deriving.length = 0
        report(agents.binding.indexOf(binding), binding.broken, `threw ${show(error)}`)
      }
    }
    if (this.derives) reachForEach(agents, report)
    for (const binding of this.list) {
      if (binding.nextReach !== binding.reach) agents.version++
      binding.reach = binding.nextReach
    }
    let sum = 0
    let count = 0
    for (let row = 0; row < agents.count; row++) {
      const sight = sightOf(agents, row)
      sum += sight
      if (sight > 0) count++
    }
    return count > 0 ? sum / count : 0
  }

  /**
   * Claims every part of a tree for this world, raises `reach` and `centerReach` to those of the parts, and
   * lists in `deriving` the parts that derive their reach from the vehicle. With `refresh`, changes in the
   * parts take effect.
   */
  private claim(behavior: Behavior, refresh: boolean, deriving?: Behavior[]): void {
    const { path } = this
    if (path.includes(behavior)) throw new TypeError(`behavior: this ${typeName(behavior)} is part of itself`)
    if (this.walked.has(behavior)) return
    this.walked.add(behavior)
    path.push(behavior)
    if (refresh) behavior.refresh?.()
    const other = bindingsOf.get(behavior)
    if (other !== this) {
      if (other?.uses(behavior) === true)
        throw new TypeError(
          `behavior: this ${typeName(behavior)} works for another SteeringWorld; give each world its own`,
        )
      bindingsOf.set(behavior, this)
    }
    if (deriving !== undefined && behavior.reachFor !== undefined) {
      deriving.push(behavior)
      this.derives = true
    }
    const ownReach = behavior.reach
    if (ownReach !== undefined) {
      if (!(typeof ownReach === 'number' && ownReach < Infinity))
        throw new TypeError(`reach: got ${show(ownReach)}, must be a finite number`)
      if (behavior.reachTo === 'center') this.centerReach = Math.max(this.centerReach, ownReach)
      else this.reach = Math.max(this.reach, ownReach)
    }
    const { children } = behavior
    if (children !== undefined && !Array.isArray(children))
      throw new TypeError(`children: got ${show(children)}, must be an array of behaviours`)
    if (children !== undefined)
      for (let i = 0; i < children.length; i++)
        this.claim(requireBehavior('children', children[i]), refresh, deriving)
    path.pop()
  }

  /** Whether `behavior` is part of any tree in use. */
  private uses(behavior: Behavior): boolean {
    for (const binding of this.list) if (contains(binding.behavior, behavior)) return true
    return false
  }
}

/**
 * Whether `tree` contains `part`. The set `seen` is needed because a tree may have become part of itself
 * since the last survey.
 */
function contains(tree: Behavior, part: Behavior, seen: Set<Behavior> = new Set()): boolean {
  if (tree === part) return true
  if (seen.has(tree)) return false
  seen.add(tree)
  return tree.children?.some((child) => contains(child, part, seen)) ?? false
}

/**
 * Reaches are rounded up to this many steps per doubling, so that a changing speed does not invalidate the
 * neighbour lists in each step. Chosen by hand.
 */
const STEPS_PER_DOUBLING = 4

/** Largest reach, m. */
const MAX_REACH = 1e12

const vehicle: { -readonly [K in keyof VehicleState]: VehicleState[K] } = {
  radius: 0.5,
  mass: 0.5,
  maxForce: 0.5,
  speed: 0.5,
  maxSpeed: 0.5,
  responseTime: 0.5,
}
const maxima: { -readonly [K in keyof AgentMaxima]: AgentMaxima[K] } = { radius: 0.5, speed: 0.5 }

/**
 * Raises the reach of each binding to the largest one that its parts derive from any of its agents, see
 * `Behavior.reachFor`. A binding with a part that throws is `broken` in this step.
 */
function reachForEach(agents: Agents, report: (row: number, part: Behavior, message: string) => void): void {
  maxima.radius = maxima.speed = 0
  for (let row = 0; row < agents.count; row++) {
    load(agents, row)
    const { radius, speed, maxSpeed } = vehicle
    const topSpeed = maxSpeed < Infinity && maxSpeed > speed ? maxSpeed : speed
    if (radius > maxima.radius && radius < Infinity) maxima.radius = radius
    if (topSpeed > maxima.speed && topSpeed < Infinity) maxima.speed = topSpeed
  }
  for (let row = 0; row < agents.count; row++) {
    const binding = agents.binding[row]!
    const { deriving } = binding
    if (deriving.length === 0) continue
    load(agents, row)
    for (let i = 0; i < deriving.length && binding.broken === null; i++) {
      const part = deriving[i]!
      try {
        const reach: unknown = part.reachFor!(vehicle, maxima)
        if (typeof reach !== 'number' || Number.isNaN(reach))
          throw new TypeError(`reachFor: got ${show(reach)}, must be a number`)
        if (reach > binding.nextReach) binding.nextReach = roundedUp(Math.min(reach, MAX_REACH))
      } catch (error) {
        binding.broken = part
        report(row, part, `threw ${show(error)}`)
      }
    }
  }
}

function load({ traits, velocity }: Agents, row: number): void {
  const t = TRAITS * row
  const vx = velocity[3 * row]!
  const vy = velocity[3 * row + 1]!
  const vz = velocity[3 * row + 2]!
  vehicle.radius = traits[t + RADIUS]!
  vehicle.mass = traits[t + MASS]!
  vehicle.maxForce = traits[t + MAX_FORCE]!
  vehicle.speed = Math.sqrt(vx * vx + vy * vy + vz * vz)
  vehicle.maxSpeed = traits[t + MAX_SPEED]!
  vehicle.responseTime = traits[t + RESPONSE_TIME]!
}

function roundedUp(reach: number): number {
  return 2 ** (Math.ceil(STEPS_PER_DOUBLING * Math.log2(reach)) / STEPS_PER_DOUBLING)
}
