import type { Agent, Behavior, Step, Vec3, Wrench } from '../../types.js'
import type { AnyTable, FieldsOf, OptionsOf } from '../../math/options.js'
import { addScaled, normalize, set, truncate, vec3 } from '../../math/vec3.js'
import { FLOCK_RULE, FlockRule, type FlockRuleOptions, separate } from './flock.js'
import { sumFlock } from './flock-sums.js'
import { neighborsOf } from '../../control/neighbors-of.js'
import { draw, mix } from '../../math/random.js'
import { TAU } from '../../math/scalar.js'
import { selectNearest } from './nearest.js'
import { excessOf, ownSize } from '../../control/nearness.js'
import { yieldShare } from '../avoidance/right-of-way.js'
import { requireFunction } from '../../math/require.js'

export interface SeparationOptions extends FlockRuleOptions, OptionsOf<typeof SEPARATION> {}
export interface Separation extends FieldsOf<typeof SEPARATION> {}

/** The options of separation alone. */
const SEPARATION = {
  /**
   * How the push decreases with the distance d of the centres (to a larger neighbour as in
   * `neighborDistance`); r is the range. `smooth` (default): (r/d − 1) / 4, 0 at the range, so that nothing
   * jumps, the whole force at a fifth of it. `inverse` and `inverse-square`: s/d and (s/d)², where s is the
   * sum of both radii ("a 1/x² curve where x is the combined radii", Green), the whole force where the hulls
   * touch, with a jump at the range.
   */
  law: { kind: 'text', oneOf: ['smooth', 'inverse', 'inverse-square'], default: 'smooth' },
  /**
   * A law of one's own, instead of `law` (Green, Flocking: "other, maybe table based, weighting systems"). It
   * gets the distance of the centres (m, > 0), the sum of both radii (m) and the range (m), and returns the
   * push as a share of the whole force; negative attracts. Default none.
   */
  falloff: { kind: 'function', check: requireFunction<SeparationFalloff> },
  /**
   * Which neighbours count where `maxNeighbors` limits their number: the `nearest` (default), or the
   * `largest` ("taking the top N vehicles by size", Green, Separation), of equal ones the nearest.
   */
  prefer: { kind: 'text', oneOf: ['nearest', 'largest'], default: 'nearest' },
  /**
   * Range as the clearance between the two hulls (m), ≥ 0; then `neighborDistance` must cover twice the
   * agent's radius plus it. Default: the range is `neighborDistance`.
   */
  clearance: { kind: 'number', unit: 'm', atLeast: 0 },
  /**
   * How two agents share the push. `even` (default): each takes the whole push. `priority`, `mass`: each
   * takes other / (own + other) of it, the table of relative masses of Green, so ½ among equals; an agent
   * with priority Infinity ("blockers") takes none, and the other one all.
   */
  share: { kind: 'text', oneOf: ['even', 'priority', 'mass'], default: 'even' },
} as const satisfies AnyTable

const sum = vec3()

/**
 * Keeps clear of neighbours, the more the nearer they are (Green, Separation and Flocking: Σ −d̂/d; Reynolds
 * 1987), by radii, right of way and number as in Green's sections "Separation" and "Extent". It never asks
 * for more than its weight of `maxForce`, however many neighbours push ("pushed by sheer force of numbers").
 * Coincident agents part in seeded directions; with any other law, range or share than the default, two of
 * them part in opposite directions. With only the options of a flock rule it is the separation of `Flocking`.
 */
export class Separation extends FlockRule implements Behavior {
  static readonly type: string = 'Separation'
  static readonly options: readonly [typeof FLOCK_RULE, typeof SEPARATION] = [FLOCK_RULE, SEPARATION]

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: SeparationOptions) {
    super('Separation', options, Separation.options)
  }

  steer(agent: Agent, _step: Step, out: Wrench): void {
    const { response, weight } = this
    if (isPlain(this)) {
      separate(agent, this, sumFlock(agent, this, null, null), out)
      return
    }
    sumPushes(agent, this, sum)
    if (response === 'unit') normalize(sum, sum)
    else truncate(sum, sum, 1)
    addScaled(out.force, out.force, sum, weight * agent.maxForce)
  }
}

/** Whether the rule is the separation of `Flocking`. */
function isPlain({ law, falloff, prefer, clearance, share, maxNeighbors }: Separation): boolean {
  return (
    law === 'smooth' &&
    falloff === undefined &&
    clearance === undefined &&
    share === 'even' &&
    (prefer === 'nearest' || maxNeighbors === Infinity)
  )
}

/** See {@link SeparationOptions}: m, m, m, share of the whole force. */
export type SeparationFalloff = (distance: number, touch: number, range: number) => number

/**
 * Coincident agents count as if they were at this share of the range, in a direction that both compute.
 * Agents nearer than the second share count as if they were at that distance. Chosen by hand.
 */
const COINCIDENT_SHARE = 0.05
const NEAREST_SHARE = 1e-6

const direction = vec3()

/** Indices of the selected neighbours. */
let selected = new Int32Array(64)

/** Writes the sum of the pushes of the selected neighbours, as a share of the whole force, unlimited. */
function sumPushes(agent: Agent, rule: Separation, out: Vec3): void {
  const { count } = neighborsOf(agent)
  const { neighborDistance, groups, fieldOfView, maxNeighbors, prefer } = rule
  const byDistance = prefer === 'nearest' || maxNeighbors === Infinity
  if (selected.length < Math.min(byDistance ? maxNeighbors : count, count))
    selected = new Int32Array(2 * count)
  let found: number
  if (byDistance) found = selectNearest(agent, maxNeighbors, neighborDistance, groups, fieldOfView, selected)
  else {
    found = selectNearest(agent, count, neighborDistance, groups, fieldOfView, selected)
    found = keepLargest(agent, maxNeighbors, found)
  }
  set(out, 0, 0, 0)
  for (let n = 0; n < found; n++) addPush(agent, rule, selected[n]!, out)
}

/**
 * Moves the `most` largest of the first `found` selected neighbours, which are in the order of their
 * distance, to the front. Returns their number.
 */
function keepLargest(agent: Agent, most: number, found: number): number {
  const neighbors = neighborsOf(agent)
  const { row } = neighbors
  let kept = 0
  for (let n = 0; n < found; n++) {
    const i = selected[n]!
    const radius = neighbors.radius(row[i]!)
    if (kept >= most && !(radius > neighbors.radius(row[selected[kept - 1]!]!))) continue
    let at = kept < most ? kept++ : kept - 1
    for (; at > 0 && radius > neighbors.radius(row[selected[at - 1]!]!); at--)
      selected[at] = selected[at - 1]!
    selected[at] = i
  }
  return kept
}

/** Adds the push of neighbour i. */
function addPush(
  agent: Agent,
  { law, falloff, clearance, neighborDistance, share }: Separation,
  i: number,
  out: Vec3,
): void {
  const { position: at } = agent
  const neighbors = neighborsOf(agent)
  const { position, distanceSq, seed } = neighbors
  const r = neighbors.row[i]!
  const touch = agent.radius + neighbors.radius(r)
  const excess = excessOf(neighbors, i, ownSize(agent))
  // the clearance is measured between the hulls, whatever their sizes
  const isNarrow = clearance !== undefined && touch + clearance < neighborDistance + excess
  const range = isNarrow ? touch + clearance : neighborDistance
  const inner = isNarrow ? 0 : excess
  const d = Math.sqrt(distanceSq[i]!)
  if (!(d - inner < range)) return
  // inside a larger neighbour, where d − inner is negative, the push is that at a small distance
  const least = d > 0 && inner === 0 ? NEAREST_SHARE : COINCIDENT_SHARE
  const distance = Math.max(d - inner, least * range)
  const ratio = touch / (distance + inner)
  let strength =
    falloff !== undefined
      ? falloff(Math.max(d, distance), touch, range)
      : law === 'smooth'
        ? (range / distance - 1) / 4
        : law === 'inverse'
          ? ratio
          : ratio * ratio
  if (share === 'priority') strength *= yieldShare(agent.priority, neighbors.priority(r))
  else if (share === 'mass') strength *= yieldShare(agent.mass, neighbors.mass(r))
  if (d > 0) {
    const p = 3 * r
    const k = strength / d
    out.x += k * (at.x - position[p]!)
    out.y += k * (at.y - position[p + 1]!)
    out.z += k * (at.z - position[p + 2]!)
    return
  }
  partingDirection(direction, agent.seed, seed[r]!)
  out.x += strength * direction.x
  out.y += strength * direction.y
  out.z += strength * direction.z
}

/**
 * Writes the unit direction (world axes) in which the agent with the seed `own` leaves the position that it
 * shares with the agent with the seed `other`. The other agent computes the opposite direction, so that the
 * momenta cancel, and both compute the same direction in every step. Seeds must differ.
 */
function partingDirection(out: Vec3, own: number, other: number): Vec3 {
  const stream = mix(Math.min(own, other), Math.max(own, other))
  const z = 2 * draw(stream, 0) - 1
  const angle = TAU * draw(stream, 1)
  const sign = own < other ? 1 : -1
  const horizontal = sign * Math.sqrt(1 - z * z)
  return set(out, horizontal * Math.cos(angle), horizontal * Math.sin(angle), sign * z)
}
