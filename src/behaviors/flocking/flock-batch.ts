import type { Agent, Behavior, Step, Vec3 } from '../../types.js'
import { capThrust } from '../../control/thrust.js'
import { vec3 } from '../../math/vec3.js'
import type { Batch } from '../../neighbors/batch.js'
import { EDGE, MOTION, SortedAgents, type BatchUsers } from '../../neighbors/sorted-agents.js'
import {
  alignmentShare,
  cohesionShare,
  separationShare,
  shareOf,
  type AlignmentRule,
  type CohesionRule,
  type FlockRule,
} from './flock.js'
import { emptySums, pushCoincident, separationGain, SUMS, type FlockSums } from './flock-sums.js'
import { NearestFew } from '../../neighbors/nearest-few.js'
import { coneEdge } from './nearest.js'
import { sumNearestFew } from './nearest-sums.js'

type Agents = Parameters<Batch['prepare']>[0]

/** The three rules, see `Flocking`. */
interface Rules extends Behavior {
  readonly reach: number
  readonly separation: FlockRule
  readonly alignment: AlignmentRule
  readonly cohesion: CohesionRule
}

/** The part of an agent that the rules read. */
interface Bird {
  mass: number
  maxSpeed: number
  maxForce: number
  responseTime: number
  speed: number
  readonly velocity: Vec3
  readonly force: Vec3
}

/**
 * The flock rules for all agents of a `Flocking` at once, where all neighbours within the radius count alike
 * and all agents have one size. Each pair of agents is tested once and added to the sums of both (forward
 * half of the cells); hits are collected without a branch before they are summed.
 */
export class FlockBatch implements Batch {
  readonly sorted: SortedAgents = new SortedAgents()
  readonly users: BatchUsers
  private readonly flocking: Rules
  private table: Float64Array = new Float64Array(0)
  private hits: Int32Array = new Int32Array(0)
  private cursor: Agent | null = null
  private agents: Agents | null = null
  private readonly nearest = new NearestFew(this.sorted)
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
    const isSorted = this.sorted.build(agents, this.users, this.flocking.reach)
    this.agents = isSorted ? agents : null
    return isSorted
  }

  steer(cursor: Agent, step: Step, steered: Uint8Array): void {
    this.cursor = cursor
    this.reserve()
    if (this.sorted.areFew) this.sumFew()
    else this.sumPairs()
    if (this.users.bindings.some(({ behavior }) => behavior === this.flocking)) this.applyRules(step, steered)
  }

  end(): void {
    this.cursor = null
    this.agents = null
  }

  /** The sums of the agent that is steered one by one in this step; null for any other. */
  sumsOf(agent: Agent): FlockSums | null {
    if (agent !== this.cursor || this.agents === null) return null
    const { sums, table } = this
    const { motion, place } = this.sorted
    const n = place[this.agents.row[agent.slot]!]!
    if (motion[MOTION * n + EDGE] === Infinity) return null
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

  /** Writes what the rules want, and what the locomotion gives. */
  private applyRules(step: Step, steered: Uint8Array): void {
    const { bird, sorted, table } = this
    const { separation, alignment, cohesion } = this.flocking
    const { force } = bird
    const { given, wanted } = this.agents!
    const { count, mass, maxForce, maxSpeed, motion, plain, responseTime, row: rows } = sorted
    const { velocity } = bird
    const { response } = alignment
    const forSeparation = separationShare(separation)
    const forCohesion = cohesionShare(cohesion)
    if (cohesion.approach === 'seek') return
    for (let n = 0; n < count; n++) {
      const s = SUMS * n
      const offsetCount = table[s + 10]!
      if (plain[n] === 0 || table[s + 11]! > 0 || (offsetCount === 0 && cohesion.emergency)) continue
      const most = maxForce[n]!
      bird.mass = mass[n]!
      bird.maxSpeed = maxSpeed[n]!
      bird.maxForce = most
      bird.responseTime = responseTime[n]!
      const m = MOTION * n
      const vx = motion[m]!
      const vy = motion[m + 1]!
      const vz = motion[m + 2]!
      velocity.x = vx
      velocity.y = vy
      velocity.z = vz
      bird.speed = Math.sqrt(vx * vx + vy * vy + vz * vz)
      let x = table[s]!
      let y = table[s + 1]!
      let z = table[s + 2]!
      let k = shareOf(x, y, z, forSeparation)
      k = k > 0 ? separation.weight * most * k : 0
      let fx = k * x
      let fy = k * y
      let fz = k * z
      const velocityCount = table[s + 9]!
      if (velocityCount > 0) {
        const share = 1 / velocityCount
        x = table[s + 3]! * share - vx
        y = table[s + 4]! * share - vy
        z = table[s + 5]! * share - vz
        k = shareOf(x, y, z, alignmentShare(bird, step, response))
        k = k > 0 ? alignment.weight * most * k : 0
        fx += k * x
        fy += k * y
        fz += k * z
      }
      if (offsetCount > 0) {
        const share = 1 / offsetCount
        x = table[s + 6]! * share
        y = table[s + 7]! * share
        z = table[s + 8]! * share
        k = shareOf(x, y, z, forCohesion)
        k = k > 0 ? cohesion.weight * most * k : 0
        fx += k * x
        fy += k * y
        fz += k * z
      }
      const row = rows[n]!
      const w = 6 * row
      wanted[w] = fx
      wanted[w + 1] = fy
      wanted[w + 2] = fz
      wanted[w + 3] = wanted[w + 4] = wanted[w + 5] = 0
      force.x = fx
      force.y = fy
      force.z = fz
      capThrust(bird, step, force, true)
      given[w] = force.x
      given[w + 1] = force.y
      given[w + 2] = force.z
      given[w + 3] = given[w + 4] = given[w + 5] = 0
      // one that is not finite is reported by the steering one by one
      if (Math.abs(fx + fy + fz + force.x + force.y + force.z) < Infinity) steered[row] = 1
    }
  }

  private reserve(): void {
    const { length } = this.sorted.x
    if (this.table.length >= SUMS * length) return
    this.table = new Float64Array(SUMS * length)
    this.hits = new Int32Array(length + 1)
  }

  /** Sums the nearest few agents around each. */
  private sumFew(): void {
    const { separation, alignment, cohesion, reach } = this.flocking
    this.nearest.begin(this.agents!)
    sumNearestFew(this.nearest, reach, separation, alignment, cohesion, this.table)
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
            const half = Math.sqrt(chordSq)
            const first = Math.floor((x - x0 - half) * perLength)
            const last = Math.floor((x - x0 + half) * perLength)
            const cells = nx * (jy + ny * jz)
            const to = start[cells + (last < nx ? last : nx - 1) + 1]!
            for (let j = q === 0 ? i + 1 : start[cells + (first > 0 ? first : 0)]!; j < to; j++) {
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
