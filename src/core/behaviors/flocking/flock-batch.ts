import type { Agent, Behavior, Step, Vec3 } from '../../types.js'
import {
  RECORD,
  WANTED,
  type AgentBlock,
  type BlockPart,
  type BlockParts,
} from '../../control/agent-block.js'
import { set, vec3 } from '../../math/vec3.js'
import type { Batch } from '../../neighbors/batch.js'
import {
  EDGE,
  MASS,
  MAX_FORCE,
  MAX_SPEED,
  MOTION,
  RESPONSE_TIME,
  SortedAgents,
  TRAITS,
  type BatchUsers,
} from '../../neighbors/sorted-agents.js'
import {
  alignmentShare,
  cohesionShare,
  separationShare,
  type AlignmentRule,
  type CohesionRule,
  type FlockRule,
} from './flock.js'
import { FlockSums, SUMS } from './flock-sums.js'
import { Scan } from '../../neighbors/scan.js'

type Agents = Parameters<Batch['prepare']>[0]

/**
 * Whether the force of the rules on an agent is known: it is computed when the agent asks for it; or the
 * agent must compute it by itself.
 */
const LATER = 0
const KNOWN = 1
const UNKNOWN = 2

/** The three rules, see `Flocking`. */
interface Rules extends Behavior {
  readonly reach: number
  readonly maxNeighbors: number
  readonly separation: FlockRule
  readonly alignment: AlignmentRule
  readonly cohesion: CohesionRule
}

/**
 * The flock rules for all agents of a `Flocking` at once, where all agents but a few have one size. Each pair
 * of agents is tested once and added to the sums of both (forward half of the cells); hits are collected
 * without a branch before they are summed. Where a limited number of neighbours counts, these are searched
 * when an agent asks for them.
 */
export class FlockBatch implements Batch, BlockPart {
  readonly sorted: SortedAgents = new SortedAgents()
  readonly users: BatchUsers
  readonly alone: BlockParts = { parts: [this], weights: [1] }
  private readonly flocking: Rules
  private table: Float64Array = new Float64Array(0)
  /** Force of the rules on each agent (N), and whether it is known. */
  private force: Float64Array = new Float64Array(0)
  private known: Uint8Array = new Uint8Array(0)
  /** The weights of the three rules in that force. */
  private readonly weights: Vec3 = vec3()
  private hits: Int32Array = new Int32Array(0)
  private cursor: Agent | null = null
  private agents: Agents | null = null
  private step: Step | null = null
  private readonly kernel = new FlockSums()
  /** Finds the neighbours of an agent, of which a limited number counts. */
  private readonly scan = new Scan()
  private readonly sums = new Float64Array(SUMS)
  private readonly limits = { mass: 0.5, maxForce: 0.5, responseTime: 0.5 }

  constructor(flocking: Rules) {
    this.flocking = flocking
    this.users = { bindings: [], root: flocking }
  }

  prepare(agents: Agents): boolean {
    const { maxNeighbors, reach } = this.flocking
    const { sorted } = this
    const limited = maxNeighbors < Infinity
    // for a rule with a limit, an agent in no group takes no place of another
    const isSorted = sorted.prepare(agents, this.users, reach, limited) && !(limited && sorted.ungrouped > 0)
    this.agents = isSorted ? agents : null
    if (!isSorted || !sorted.areFew) return isSorted
    this.scan.setSource(agents, sorted)
    this.scan.reach = 0
    this.scan.centerReach = reach
    this.scan.most = maxNeighbors
    return isSorted
  }

  steer(cursor: Agent, step: Step, steered: Uint8Array): void {
    const { sorted } = this
    const { separation, alignment, cohesion } = this.flocking
    this.cursor = cursor
    this.step = step
    this.reserve()
    this.known.fill(LATER)
    set(this.weights, separation.weight, alignment.weight, cohesion.weight)
    this.kernel.setRules(separation, alignment, cohesion)
    if (sorted.ungrouped === 0) this.kernel.findAlike()
    if (sorted.areFew) {
      const { group, position, velocity } = this.agents!
      this.kernel.setOthers(position, velocity, 3, group)
      // the others ask for their sums, and may do so in some steps only
      if (!this.users.bindings.some(({ behavior }) => behavior === this.flocking)) return
      this.sumNearest(0, sorted.count)
    } else {
      this.kernel.setOthers(sorted.position, sorted.motion, MOTION, sorted.group)
      this.sumPairs()
    }
    this.applyRules(0, sorted.count, steered)
  }

  end(): void {
    this.cursor = this.step = this.agents = null
  }

  /** Place of the agent in `row`; −1 for one that the batch does not compute for. */
  private placeOf(row: number): number {
    const { count, motion, place } = this.sorted
    const n = place[row]!
    return n < 0 || n >= count || motion[MOTION * n + EDGE] === Infinity ? -1 : n
  }

  knows(row: number): boolean {
    return this.agents !== null && this.placeOf(row) >= 0
  }

  /** The same for an agent that is steered one by one; its sums and the force of the rules are computed. */
  private complete(agent: Agent): number {
    if (agent !== this.cursor || this.agents === null) return -1
    const n = this.placeOf(this.agents.row[agent.slot]!)
    if (n < 0 || this.known[n] !== LATER) return n
    this.sumNearest(n, n + 1)
    this.applyRules(n, n + 1, null)
    return n
  }

  /** The sums of the agent that is steered one by one in this step; null for any other. */
  sumsOf(agent: Agent): Float64Array | null {
    const { sums, table } = this
    const n = this.complete(agent)
    if (n < 0) return null
    for (let k = 0; k < SUMS; k++) sums[k] = table[SUMS * n + k]!
    return sums
  }

  /**
   * Adds the force of the rules on the agent that is steered one by one. False where it is not known, or not
   * that of the present weights.
   */
  addForce(agent: Agent, out: Vec3): boolean {
    const { force, known, weights } = this
    const { separation, alignment, cohesion } = this.flocking
    const n = this.complete(agent)
    if (
      known[n] !== KNOWN ||
      separation.weight !== weights.x ||
      alignment.weight !== weights.y ||
      cohesion.weight !== weights.z
    )
      return false
    if (this.table[SUMS * n + 9]! > 0) agent.asks = true
    const f = 3 * n
    out.x += force[f]!
    out.y += force[f + 1]!
    out.z += force[f + 2]!
    return true
  }

  /** Whether agents can take their forces now. */
  get isReady(): boolean {
    return this.agents !== null && this.step !== null
  }

  /** Agents that lie side by side are summed together. */
  steerBlock({ count, data, isLeft, row }: AgentBlock, _step: Step, weight: number): void {
    const { force, known } = this
    for (let i = 0; i < count; i++) {
      const n = this.placeOf(row[i]!)
      if (n < 0) {
        isLeft[i] = 1
        continue
      }
      if (known[n] === LATER) {
        let last = n
        while (i + last - n + 1 < count && this.placeOf(row[i + last - n + 1]!) === last + 1) last++
        this.sumNearest(n, last + 1)
        this.applyRules(n, last + 1, null)
      }
      if (known[n] !== KNOWN) isLeft[i] = 1
      const f = 3 * n
      const o = RECORD * i + WANTED
      data[o]! += force[f]! * weight
      data[o + 1]! += force[f + 1]! * weight
      data[o + 2]! += force[f + 2]! * weight
    }
  }

  /**
   * Computes the force of the rules on the agents at the places `from … to − 1`. With `steered`, and where
   * the rules are their whole tree, writes what they want, and what the locomotion gives: as `shareOf` and
   * `capThrust`, but in one loop and with plain numbers. Very large or small numbers are left to those.
   */
  private applyRules(from: number, to: number, steered: Uint8Array | null): void {
    const { force: forces, known, limits, sorted, table, weights } = this
    const { separation, alignment, cohesion } = this.flocking
    const { dt } = this.step!
    const { given, traits, wanted } = this.agents!
    const { motion, plain, row: rows } = sorted
    const isSmooth = alignment.response !== 'unit'
    const forSeparation = separationShare(separation)
    const forCohesion = cohesionShare(cohesion)
    const { x: separationWeight, y: alignmentWeight, z: cohesionWeight } = weights
    const seeks = cohesion.approach === 'seek'
    const { emergency } = cohesion
    for (let n = from; n < to; n++) {
      const s = SUMS * n
      const m = MOTION * n
      const offsetCount = table[s + 10]!
      known[n] = UNKNOWN
      if (seeks || motion[m + EDGE] === Infinity || table[s + 11]! > 0) continue
      if (offsetCount === 0 && emergency) continue
      const row = rows[n]!
      const trait = TRAITS * row
      const most = traits[trait + MAX_FORCE]!
      const vx = motion[m]!
      const vy = motion[m + 1]!
      const vz = motion[m + 2]!
      let x = table[s]!
      let y = table[s + 1]!
      let z = table[s + 2]!
      let sq = x * x + y * y + z * z
      let isUsual = isUsualSq(sq)
      let k = 0
      if (sq > 0) {
        const d = Math.sqrt(sq)
        k = separationWeight * most * (forSeparation * d < 1 ? forSeparation : 1 / d)
      }
      let fx = k * x
      let fy = k * y
      let fz = k * z
      const velocityCount = table[s + 9]!
      if (velocityCount > 0) {
        const share = 1 / velocityCount
        x = table[s + 3]! * share - vx
        y = table[s + 4]! * share - vy
        z = table[s + 5]! * share - vz
        sq = x * x + y * y + z * z
        isUsual &&= isUsualSq(sq)
        if (sq > 0) {
          let gain = Infinity
          if (isSmooth) {
            limits.mass = traits[trait + MASS]!
            limits.maxForce = most
            limits.responseTime = traits[trait + RESPONSE_TIME]!
            gain = alignmentShare(limits, this.step!, 'smooth')
          }
          const d = Math.sqrt(sq)
          k = alignmentWeight * most * (gain * d < 1 ? gain : 1 / d)
          fx += k * x
          fy += k * y
          fz += k * z
        }
      }
      if (offsetCount > 0) {
        const share = 1 / offsetCount
        x = table[s + 6]! * share
        y = table[s + 7]! * share
        z = table[s + 8]! * share
        sq = x * x + y * y + z * z
        isUsual &&= isUsualSq(sq)
        if (sq > 0) {
          const d = Math.sqrt(sq)
          k = cohesionWeight * most * (forCohesion * d < 1 ? forCohesion : 1 / d)
          fx += k * x
          fy += k * y
          fz += k * z
        }
      }
      if (!isUsual) continue
      if (steered === null || plain[n] === 0) {
        known[n] = KNOWN
        const f = 3 * n
        forces[f] = fx
        forces[f + 1] = fy
        forces[f + 2] = fz
        continue
      }
      const w = 6 * row
      wanted[w] = fx
      wanted[w + 1] = fy
      wanted[w + 2] = fz
      wanted[w + 3] = wanted[w + 4] = wanted[w + 5] = 0
      let gx = fx
      let gy = fy
      let gz = fz
      sq = fx * fx + fy * fy + fz * fz
      isUsual = sq < 1e200
      if (sq > most * most) {
        const share = most / Math.sqrt(sq)
        gx *= share
        gy *= share
        gz *= share
      }
      const maxSpeed = traits[trait + MAX_SPEED]!
      if (maxSpeed < Infinity) {
        const perForce = dt / traits[trait + MASS]!
        const ux = vx + gx * perForce
        const uy = vy + gy * perForce
        const uz = vz + gz * perForce
        const speed = Math.sqrt(vx * vx + vy * vy + vz * vz)
        const limit = maxSpeed > speed ? maxSpeed : speed
        const speedSq = ux * ux + uy * uy + uz * uz
        isUsual &&= speedSq < 1e200
        if (speedSq > limit * limit) {
          const share = limit / Math.sqrt(speedSq)
          gx = (ux * share - vx) / perForce
          gy = (uy * share - vy) / perForce
          gz = (uz * share - vz) / perForce
        }
      }
      given[w] = gx
      given[w + 1] = gy
      given[w + 2] = gz
      given[w + 3] = given[w + 4] = given[w + 5] = 0
      // one that is not finite is reported by the steering one by one
      if (isUsual && Math.abs(gx + gy + gz) < Infinity) steered[row] = 1
    }
  }

  private reserve(): void {
    const { length } = this.sorted.row
    if (this.table.length >= SUMS * length) return
    this.table = new Float64Array(SUMS * length)
    this.force = new Float64Array(3 * length)
    this.known = new Uint8Array(length)
    this.hits = new Int32Array(length + 1)
  }

  /** Sums all pairs of agents. */
  private sumPairs(): void {
    const { sorted } = this
    const { reach } = this.flocking
    const { count, position, start, nx, ny, nz, x0, y0, z0, width, length } = sorted
    const { hits, table } = this
    table.fill(0, 0, SUMS * count)
    const reachSq = reach * reach
    const wideSq = width * width
    const perLength = 1 / length
    const halfWidth = 0.5 * width * perLength
    const perChord = halfWidth / wideSq
    for (let cz = 0; cz < nz; cz++)
      for (let cy = 0; cy < ny; cy++) {
        const line = nx * (cy + ny * cz)
        const end = start[line + nx]!
        for (let i = start[line]!; i < end; i++) {
          const x = position[3 * i]!
          const y = position[3 * i + 1]!
          const z = position[3 * i + 2]!
          const up = (cy + 1) * width - (y - y0)
          const down = y - y0 - cy * width
          const top = (cz + 1) * width - (z - z0)
          const along = (x - x0) * perLength
          let found = 0
          // its own line from itself on, and four lines around: agents in the others have tested this one
          for (let q = 0; q < 5; q++) {
            const jy = cy + (q === 0 ? 0 : q === 1 ? 1 : q - 3)
            const jz = cz + (q < 2 ? 0 : 1)
            if (jy < 0 || jy >= ny || jz >= nz) continue
            const offY = jy === cy ? 0 : jy > cy ? up : down
            const offZ = jz === cz ? 0 : top
            const chordSq = wideSq - offY * offY - offZ * offZ
            if (!(chordSq > 0)) continue
            // half of the chord in cells, or a little more: (1 + u) / 2 ≥ √u, and faster
            const half = halfWidth + chordSq * perChord
            const first = along > half ? (along - half) | 0 : 0
            const last = (along + half) | 0
            const cells = nx * (jy + ny * jz)
            const to = start[cells + (last < nx ? last : nx - 1) + 1]!
            for (let j = q === 0 ? i + 1 : start[cells + first]!; j < to; j++) {
              const dx = position[3 * j]! - x
              const dy = position[3 * j + 1]! - y
              const dz = position[3 * j + 2]! - z
              // no branch to mispredict
              hits[found] = j
              found += Number(dx * dx + dy * dy + dz * dz < reachSq)
            }
          }
          this.sumOver(hits, found, i, true)
        }
      }
  }

  /** Sums the agents at the places `from … to − 1`, of which a limited number of neighbours counts. */
  private sumNearest(from: number, to: number): void {
    const { scan, sorted, table } = this
    table.fill(0, SUMS * from, SUMS * to)
    for (let i = from; i < to; i++) {
      if (sorted.motion[MOTION * i + EDGE] === Infinity) continue
      scan.find(sorted.row[i]!)
      this.sumOver(scan.row, scan.count, i, false)
    }
  }

  /** Adds the sums of the agent at place `i` over its neighbours. */
  private sumOver(list: Int32Array, count: number, i: number, both: boolean): void {
    const { kernel, sorted, table } = this
    const { motion, position } = sorted
    const { self } = kernel
    for (let k = 0; k < 3; k++) self[k] = position[3 * i + k]!
    for (let k = 0; k <= EDGE; k++) self[3 + k] = motion[MOTION * i + k]!
    kernel.add(list, count, i, both, table)
  }
}

/** Whether the square root of a square keeps all digits, see `shareOf`. */
function isUsualSq(sq: number): boolean {
  return sq < 1e200 && !(sq > 0 && sq < 1e-200)
}
