import { grown } from '../math/grown.js'
import type { Agents } from './agents.js'
import type { Grid } from './grid.js'
import { Scan } from './scan.js'

/** The lists reach farther than is asked for by this share, so that they hold for some steps. */
const SKIN_SHARE = 0.25
/** Lists that held for fewer steps than this cost more than they saved … */
const SHORT_LIFE = 3
/** … and are not made again for this many steps. */
const PAUSE = 60
/** More candidates than this per agent are a crush: the lists would need too much memory. */
const CROWD = 96

/**
 * Lists of those who may come within reach before somebody has moved half the skin (Verlet 1967: neighbour lists): until then
 * a query looks at a dozen candidates instead of 27 cells, and the grid keeps its order. The result of a query is the
 * same with and without them.
 */
export class Candidates {
  /** Whether the lists may be used in this step. */
  hold = false
  /** Rows that are candidates of row r: `list[start[r] … start[r + 1] − 1]`. */
  start = new Int32Array(1)
  list = new Int32Array(0)
  private readonly grid: Grid
  private readonly agents: Agents
  private readonly scan: Scan
  private version = -1
  private reach = 0
  private moveSq = 0
  private age = 0
  private pause = 0
  /** Positions when the lists were made, `[3 × rows]`. */
  private made = new Float64Array(0)

  constructor(grid: Grid, agents: Agents) {
    this.grid = grid
    this.agents = agents
    this.scan = new Scan(grid, agents)
  }

  /** Brings grid and lists up to the present positions. `reach` is the mean reach of those who look around, m. */
  update(reach: number): void {
    const { grid, agents } = this
    if (this.hold && this.version === agents.version && this.reach === reach) {
      this.age++
      if (!this.strayed()) return
    }
    const shortLived = this.hold && this.age < SHORT_LIFE
    this.pause = shortLived ? PAUSE : this.pause - 1
    this.hold = false
    if (this.pause > 0) return grid.build(agents, reach)
    const skin = SKIN_SHARE * reach
    grid.build(agents, reach + skin)
    if (grid.count === agents.count) this.layOut()
    this.hold = this.make(skin)
    if (!this.hold) this.pause = PAUSE
    this.version = agents.version
    this.reach = reach
    this.moveSq = (skin * skin) / 4
    this.age = 0
  }

  /** Lays neighbours in space side by side in memory. */
  private layOut(): void {
    const { grid, agents } = this
    agents.arrange(grid.rows)
    for (let row = 0; row < grid.count; row++) grid.rows[row] = row
  }

  /** Whether somebody has moved so far that the lists may miss a pair. */
  private strayed(): boolean {
    const { made, moveSq } = this
    const { position, count } = this.agents
    for (let p = 0; p < 3 * count; p += 3) {
      const dx = position[p]! - made[p]!
      const dy = position[p + 1]! - made[p + 1]!
      const dz = position[p + 2]! - made[p + 2]!
      if (dx * dx + dy * dy + dz * dz > moveSq) return true
    }
    return false
  }

  /** Makes the lists; false when there are too many candidates. */
  private make(skin: number): boolean {
    const { scan } = this
    const { count, brain, position, lost } = this.agents
    if (this.start.length < count + 1) {
      const size = Math.max(count + 1, 2 * this.start.length)
      this.start = new Int32Array(size)
      this.made = new Float64Array(3 * size)
    }
    scan.reserve()
    let total = 0
    for (let row = 0; row < count; row++) {
      this.start[row] = total
      const { reach } = brain[row]!
      if (reach === 0 || lost[row] === 1) continue
      scan.around(row, reach + skin)
      const end = total + scan.count
      if (end > CROWD * count) return false
      if (end > this.list.length) this.list = grown(this.list, Math.max(end, 2 * this.list.length))
      for (let n = 0; n < scan.count; n++) this.list[total + n] = scan.row[n]!
      total = end
    }
    this.start[count] = total
    for (let p = 0; p < 3 * count; p++) this.made[p] = position[p]!
    return true
  }
}
