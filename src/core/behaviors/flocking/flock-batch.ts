import type { Agent, Behavior, Step, Vec3 } from '../../types.js'
import {
  RECORD,
  WANTED,
  type AgentBlock,
  type BlockPart,
  type BlockParts,
} from '../../control/agent-block.js'
import { set, vec3 } from '../../math/vec3.js'
import type { Batch, FoundNeighbors } from '../../neighbors/batch.js'
import {
  EDGE,
  MASS,
  MAX_FORCE,
  MAX_SPEED,
  MOTION,
  SortedAgents,
  TRAITS,
  type BatchUsers,
  type Limits,
} from '../../neighbors/sorted-agents.js'
import {
  alignmentShare,
  cohesionShare,
  separationShare,
  type AlignmentRule,
  type CohesionRule,
  type FlockRule,
} from './flock.js'
import { emptySums, pushCoincident, separationGain, SUMS, type FlockSums } from './flock-sums.js'
import { NearestFew } from '../../neighbors/nearest-few.js'
import { coneEdge } from './nearest.js'
import { NearestSums } from './nearest-sums.js'

type Agents = Parameters<Batch['prepare']>[0]
type Binding = BatchUsers['bindings'][number]

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

/** The part of an agent that the rules read. */
interface Bird extends Limits {
  speed: number
  readonly velocity: Vec3
  readonly force: Vec3
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
  private readonly nearest = new NearestFew(this.sorted)
  private readonly nearestSums = new NearestSums(this.nearest)
  private readonly sums: FlockSums = emptySums()
  private readonly bird: Bird = {
    mass: 0.5,
    maxSpeed: 0.5,
    maxForce: 0.5,
    responseTime: 0.5,
    speed: 0.5,
    velocity: vec3(),
    force: vec3(),
  }

  constructor(flocking: Rules) {
    this.flocking = flocking
    this.users = { bindings: [], root: flocking }
  }

  prepare(agents: Agents): boolean {
    const { maxNeighbors, reach } = this.flocking
    const { sorted } = this
    const limited = maxNeighbors < Infinity
    // for a rule with a limit, an agent in no group takes no place of another
    const isSorted = sorted.build(agents, this.users, reach, limited) && !(limited && sorted.ungrouped > 0)
    this.agents = isSorted ? agents : null
    if (isSorted && sorted.areFew) this.nearest.begin(agents, reach, maxNeighbors)
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
    if (sorted.areFew) {
      this.nearestSums.begin(separation, alignment, cohesion)
      // the others ask for their sums, and may do so in some steps only
      if (!this.users.bindings.some(({ behavior }) => behavior === this.flocking)) return
      this.nearestSums.sum(0, sorted.count, this.table)
    } else this.sumPairs()
    this.applyRules(0, sorted.count, steered)
  }

  end(): void {
    this.cursor = this.step = this.agents = null
  }

  list(row: number, binding: Binding, out: FoundNeighbors): boolean {
    const { nearest, sorted } = this
    // with a limit of the rules, the agents see more than was found
    if (!sorted.areFew || this.flocking.maxNeighbors < Infinity) return false
    if (binding.reach > 0 || binding.centerReach !== this.flocking.reach) return false
    const n = this.placeOf(row)
    if (n < 0) return false
    out.count = nearest.find(n)
    for (let i = 0; i < out.count; i++) {
      out.row[i] = sorted.row[nearest.place[i]!]!
      out.distanceSq[i] = nearest.distanceSq[i]!
    }
    return true
  }

  /** Place of the agent in `row`; −1 for one that the batch does not compute for. */
  private placeOf(row: number): number {
    const { motion, place } = this.sorted
    const n = place[row]!
    return n < 0 || motion[MOTION * n + EDGE] === Infinity ? -1 : n
  }

  /** The same for an agent that is steered one by one; its sums and the force of the rules are computed. */
  private complete(agent: Agent): number {
    if (agent !== this.cursor || this.agents === null) return -1
    const n = this.placeOf(this.agents.row[agent.slot]!)
    if (n < 0 || this.known[n] !== LATER) return n
    this.nearestSums.sum(n, n + 1, this.table)
    this.applyRules(n, n + 1, null)
    return n
  }

  /** The sums of the agent that is steered one by one in this step; null for any other. */
  sumsOf(agent: Agent): FlockSums | null {
    const { sums, table } = this
    const n = this.complete(agent)
    if (n < 0) return null
    const s = SUMS * n
    sums.separationX = table[s]!
    sums.separationY = table[s + 1]!
    sums.separationZ = table[s + 2]!
    sums.velocityX = table[s + 3]!
    sums.velocityY = table[s + 4]!
    sums.velocityZ = table[s + 5]!
    sums.offsetX = table[s + 6]!
    sums.offsetY = table[s + 7]!
    sums.offsetZ = table[s + 8]!
    sums.velocityCount = table[s + 9]!
    sums.offsetCount = table[s + 10]!
    const coincident = table[s + 11]!
    if (coincident > 0) pushCoincident(agent, coincident, this.flocking.separation.neighborDistance, sums)
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
        this.nearestSums.sum(n, last + 1, this.table)
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
    const { bird, force: forces, known, sorted, table, weights } = this
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
            sorted.loadLimits(bird, this.agents!, n)
            gain = alignmentShare(bird, this.step!, 'smooth')
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
    const { length } = this.sorted.x
    if (this.table.length >= SUMS * length) return
    this.table = new Float64Array(SUMS * length)
    this.force = new Float64Array(3 * length)
    this.known = new Uint8Array(length)
    this.hits = new Int32Array(length + 1)
  }

  /** Sums all pairs of agents. */
  private sumPairs(): void {
    const { sorted } = this
    const { separation: sep, alignment: ali, cohesion: coh, reach } = this.flocking
    const { count, group, motion, start, nx, ny, nz, x0, y0, z0, width, length } = sorted
    const { x: X, y: Y, z: Z } = sorted
    const { hits, table } = this
    table.fill(0, 0, SUMS * count)
    const reachSq = reach * reach
    const wideSq = width * width
    const perLength = 1 / length
    const halfWidth = 0.5 * width * perLength
    const perChord = halfWidth / wideSq
    const fade = sep.response === 'unit' ? 0 : 1 / sep.neighborDistance
    const sepSq = sep.neighborDistance * sep.neighborDistance
    const aliSq = ali.neighborDistance * ali.neighborDistance
    const cohSq = coh.neighborDistance * coh.neighborDistance
    const sepEdge = coneEdge(sep.fieldOfView)
    const aliEdge = coneEdge(ali.fieldOfView)
    const cohEdge = coneEdge(coh.fieldOfView)
    const alike = sorted.ungrouped === 0 && isAlike(sep, ali, coh)
    for (let cz = 0; cz < nz; cz++)
      for (let cy = 0; cy < ny; cy++) {
        const line = nx * (cy + ny * cz)
        const end = start[line + nx]!
        for (let i = start[line]!; i < end; i++) {
          const x = X[i]!
          const y = Y[i]!
          const z = Z[i]!
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
              const dx = X[j]! - x
              const dy = Y[j]! - y
              const dz = Z[j]! - z
              // no branch to mispredict
              hits[found] = j
              found += Number(dx * dx + dy * dy + dz * dz < reachSq)
            }
          }
          const m = MOTION * i
          const vx = motion[m]!
          const vy = motion[m + 1]!
          const vz = motion[m + 2]!
          const hx = motion[m + 3]!
          const hy = motion[m + 4]!
          const hz = motion[m + 5]!
          const ownEdge = motion[m + EDGE]!
          const own = group[i]!
          let sx = 0
          let sy = 0
          let sz = 0
          let ax = 0
          let ay = 0
          let az = 0
          let ox = 0
          let oy = 0
          let oz = 0
          let velocityCount = 0
          let offsetCount = 0
          let coincident = 0
          for (let n = 0; n < found; n++) {
            const j = hits[n]!
            const dx = X[j]! - x
            const dy = Y[j]! - y
            const dz = Z[j]! - z
            const sq = dx * dx + dy * dy + dz * dz
            const other = MOTION * j
            const t = dx * motion[other + 3]! + dy * motion[other + 4]! + dz * motion[other + 5]!
            const ahead = dx * hx + dy * hy + dz * hz
            const side = ahead * Math.abs(ahead)
            const back = -t * Math.abs(t)
            const gain = sq > 0 ? separationGain(sq, fade) : 0
            const s = SUMS * j
            if (alike && sq > 0) {
              if (side >= ownEdge * sq) {
                sx -= dx * gain
                sy -= dy * gain
                sz -= dz * gain
                ax += motion[other]!
                ay += motion[other + 1]!
                az += motion[other + 2]!
                velocityCount++
                ox += dx
                oy += dy
                oz += dz
                offsetCount++
              }
              if (back >= motion[other + EDGE]! * sq) {
                table[s]! += dx * gain
                table[s + 1]! += dy * gain
                table[s + 2]! += dz * gain
                table[s + 3]! += vx
                table[s + 4]! += vy
                table[s + 5]! += vz
                table[s + 6]! -= dx
                table[s + 7]! -= dy
                table[s + 8]! -= dz
                table[s + 9]!++
                table[s + 10]!++
              }
              continue
            }
            const sees = side >= ownEdge * sq
            const isSeen = back >= motion[other + EDGE]! * sq
            const g = group[j]!
            if (sq < sepSq) {
              if (sees && side >= sepEdge * sq && (g & sep.groups) !== 0) {
                sx -= dx * gain
                sy -= dy * gain
                sz -= dz * gain
                if (sq === 0) coincident++
              }
              if (isSeen && back >= sepEdge * sq && (own & sep.groups) !== 0) {
                table[s]! += dx * gain
                table[s + 1]! += dy * gain
                table[s + 2]! += dz * gain
                if (sq === 0) table[s + 11]!++
              }
            }
            if (sq < aliSq) {
              if (sees && side >= aliEdge * sq && (g & ali.groups) !== 0) {
                ax += motion[other]!
                ay += motion[other + 1]!
                az += motion[other + 2]!
                velocityCount++
              }
              if (isSeen && back >= aliEdge * sq && (own & ali.groups) !== 0) {
                table[s + 3]! += vx
                table[s + 4]! += vy
                table[s + 5]! += vz
                table[s + 9]!++
              }
            }
            if (sq < cohSq) {
              if (sees && side >= cohEdge * sq && (g & coh.groups) !== 0) {
                ox += dx
                oy += dy
                oz += dz
                offsetCount++
              }
              if (isSeen && back >= cohEdge * sq && (own & coh.groups) !== 0) {
                table[s + 6]! -= dx
                table[s + 7]! -= dy
                table[s + 8]! -= dz
                table[s + 10]!++
              }
            }
          }
          const s = SUMS * i
          table[s]! += sx
          table[s + 1]! += sy
          table[s + 2]! += sz
          table[s + 3]! += ax
          table[s + 4]! += ay
          table[s + 5]! += az
          table[s + 6]! += ox
          table[s + 7]! += oy
          table[s + 8]! += oz
          table[s + 9]! += velocityCount
          table[s + 10]! += offsetCount
          table[s + 11]! += coincident
        }
      }
  }
}

/** Whether the three rules count the same neighbours: all within one radius. */
function isAlike(...rules: readonly FlockRule[]): boolean {
  const [{ neighborDistance }] = rules as [FlockRule]
  return rules.every(
    (rule) =>
      rule.neighborDistance === neighborDistance && rule.groups === -1 && coneEdge(rule.fieldOfView) === -2,
  )
}

/** Whether the square root of a square keeps all digits, see `shareOf`. */
function isUsualSq(sq: number): boolean {
  return sq < 1e200 && !(sq > 0 && sq < 1e-200)
}
