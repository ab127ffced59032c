import type { Neighborhood, Spaces, Vec3 } from '../types.js'
import {
  MASS,
  MAX_SPEED,
  PRIORITY,
  RADIUS,
  SPACE_HEIGHT,
  SPACE_LENGTH,
  TRAITS,
  type Agents,
} from '../engine/agents.js'
import { attitudeFrame, frame } from '../math/frame.js'
import { loadQuat, quat } from '../math/quat.js'
import { copy } from '../math/vec3.js'
import type { Grid } from './grid.js'
import { Scan } from './scan.js'

const attitude = frame()
const orientation = quat()
const axes = quat()

/** What neighbours are, by their rows. */
export class NeighborTraits implements Spaces {
  protected readonly agents: Agents

  constructor(agents: Agents) {
    this.agents = agents
  }

  radius(row: number): number {
    return this.agents.traits[TRAITS * row + RADIUS]!
  }
  mass(row: number): number {
    return this.agents.traits[TRAITS * row + MASS]!
  }
  maxSpeed(row: number): number {
    return this.agents.traits[TRAITS * row + MAX_SPEED]!
  }
  priority(row: number): number {
    return this.agents.traits[TRAITS * row + PRIORITY]!
  }
  avoids(row: number): number {
    return this.agents.binding[row]!.avoids
  }
  get avoidedByAll(): number {
    return this.agents.avoidedByAll
  }
  isManual(row: number): boolean {
    return this.agents.binding[row]!.isManual
  }
  get spaces(): Spaces | null {
    return this.agents.hasSpaces ? this : null
  }
  spaceLength(row: number): number {
    return this.agents.traits[TRAITS * row + SPACE_LENGTH]!
  }
  spaceHeight(row: number): number {
    return this.agents.traits[TRAITS * row + SPACE_HEIGHT]!
  }
  nose(out: Vec3, row: number): Vec3 {
    const { agents } = this
    loadQuat(orientation, agents.orientation, 4 * row)
    return copy(out, attitudeFrame(attitude, orientation, loadQuat(axes, agents.axes, 4 * row)).x)
  }
}

/**
 * The one neighbour query of an agent and step: all agents within the reach of its behaviours and the field
 * of view, in grid order; with a limited number, the agents whose surfaces are nearest, nearest first.
 */
export class Neighbors extends NeighborTraits implements Neighborhood {
  protected readonly grid: Grid
  protected readonly scan = new Scan()

  constructor(agents: Agents, grid: Grid) {
    super(agents)
    this.grid = grid
  }

  get count(): number {
    return this.scan.count
  }
  /** Set by a behaviour that hides some of the neighbours from its parts. */
  set count(count: number) {
    this.scan.count = count
  }
  get row(): Int32Array {
    return this.scan.row
  }
  get distanceSq(): Float64Array {
    return this.scan.distanceSq
  }
  get position(): Float64Array {
    return this.agents.position
  }
  get velocity(): Float64Array {
    return this.agents.velocity
  }
  get group(): Int32Array {
    return this.agents.group
  }
  get id(): Int32Array {
    return this.agents.id
  }
  get seed(): Int32Array {
    return this.agents.seed
  }
  get maxRadius(): number {
    return this.grid.largest
  }
  clear(): void {
    this.scan.count = 0
  }

  /** Finds the neighbours of row `self`; `centerReach`: see `Behavior.reachTo`, m. */
  find(self: number, centerReach: number): void {
    const { agents, grid, scan } = this
    scan.setSource(agents, grid)
    scan.reach = agents.binding[self]!.reach
    scan.centerReach = centerReach
    scan.find(self)
  }
}
