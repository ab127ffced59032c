import { RADIUS, TRAITS, type Agents } from './agents.js'

/** Cells are counted in 32-bit integers; a coordinate beyond this shares the last cell, which stays correct. */
const FAR = 1 << 28

/**
 * Uniform grid over the agents of one step, built by counting sort into kept arrays. Agents lie in cell order, in each
 * cell in the order of their stream keys, with position and velocity copied beside them. The cells cover the bounding box; when
 * that would take far more cells than agents, they are hashed into a table instead, so the world may be as wide as it likes.
 */
export class Grid {
  /** Number of agents in the grid. */
  count = 0
  hashed = false
  cell = 1
  /** Cells along each axis when not hashed. */
  nx = 0
  ny = 0
  nz = 0
  x0 = 0
  y0 = 0
  z0 = 0
  /** `[cells + 1]`: entries of cell c are `start[c] … start[c + 1] − 1`. */
  start = new Int32Array(1)
  /** Slot of each entry. */
  slot = new Int32Array(0)
  x = new Float64Array(0)
  y = new Float64Array(0)
  z = new Float64Array(0)
  vx = new Float64Array(0)
  vy = new Float64Array(0)
  vz = new Float64Array(0)
  radius = new Float64Array(0)
  group = new Int32Array(0)
  id = new Int32Array(0)
  /** Table size − 1 when hashed. */
  private mask = 0
  private key = new Int32Array(0)

  build(agents: Agents, cell: number): void {
    this.reserve(agents.count)
    this.measure(agents, cell)
    const { key, start } = this
    const { position, order, lost } = agents
    const cells = this.hashed ? this.mask + 1 : this.nx * this.ny * this.nz
    start.fill(0, 0, cells + 1)
    const total = agents.count
    let count = 0
    for (let i = 0; i < total; i++) {
      const slot = order[i]!
      if (lost[slot] === 1) {
        key[i] = -1
        continue
      }
      const k = this.cellAt(position[3 * slot]!, position[3 * slot + 1]!, position[3 * slot + 2]!)
      key[i] = k
      start[k + 1]!++
      count++
    }
    this.count = count
    for (let c = 0; c < cells; c++) start[c + 1]! += start[c]!
    // filled from the back so that start[c] ends as the first entry of c: each cell keeps the order of the keys
    for (let i = total - 1; i >= 0; i--) {
      const k = key[i]!
      if (k >= 0) this.place(agents, order[i]!, --start[k + 1]!)
    }
    // every bound moved down by its own cell: shift back by one
    for (let c = 0; c < cells; c++) start[c] = start[c + 1]!
    start[cells] = count
  }

  /** Index along an axis, clamped to the grid. */
  axis(value: number, origin: number, n: number): number {
    const i = Math.floor((value - origin) / this.cell)
    return i < 0 ? 0 : i >= n ? n - 1 : i
  }

  /** Hash of integer cell coordinates (Teschner et al. 2003). */
  hash(i: number, j: number, k: number): number {
    return ((Math.imul(i, 73856093) ^ Math.imul(j, 19349663) ^ Math.imul(k, 83492791)) >>> 0) & this.mask
  }

  /** Integer cell coordinate of the unbounded grid. */
  coordinate(value: number): number {
    const i = Math.floor(value / this.cell)
    return i < -FAR ? -FAR : i > FAR ? FAR : i
  }

  /** Whether entry `e` lies in this cell of the unbounded grid. */
  liesIn(e: number, i: number, j: number, k: number): boolean {
    return (
      this.coordinate(this.x[e]!) === i &&
      this.coordinate(this.y[e]!) === j &&
      this.coordinate(this.z[e]!) === k
    )
  }

  private cellAt(x: number, y: number, z: number): number {
    if (this.hashed) return this.hash(this.coordinate(x), this.coordinate(y), this.coordinate(z))
    const i = this.axis(x, this.x0, this.nx)
    return i + this.nx * (this.axis(y, this.y0, this.ny) + this.ny * this.axis(z, this.z0, this.nz))
  }

  private place(agents: Agents, slot: number, at: number): void {
    const { position, velocity } = agents
    const p = 3 * slot
    this.slot[at] = slot
    this.x[at] = position[p]!
    this.y[at] = position[p + 1]!
    this.z[at] = position[p + 2]!
    this.vx[at] = velocity[p]!
    this.vy[at] = velocity[p + 1]!
    this.vz[at] = velocity[p + 2]!
    this.radius[at] = agents.traits[TRAITS * slot + RADIUS]!
    this.group[at] = agents.group[slot]!
    this.id[at] = agents.id[slot]!
  }

  /** Fits the cells to the bounding box, or switches to hashing when the box is far too large for that. */
  private measure(agents: Agents, cell: number): void {
    const { position, order, lost, count } = agents
    let x0 = Infinity,
      y0 = Infinity,
      z0 = Infinity,
      x1 = -Infinity,
      y1 = -Infinity,
      z1 = -Infinity
    for (let i = 0; i < count; i++) {
      const slot = order[i]!
      if (lost[slot] === 1) continue
      const x = position[3 * slot]!
      const y = position[3 * slot + 1]!
      const z = position[3 * slot + 2]!
      if (x < x0) x0 = x
      if (x > x1) x1 = x
      if (y < y0) y0 = y
      if (y > y1) y1 = y
      if (z < z0) z0 = z
      if (z > z1) z1 = z
    }
    this.cell = cell
    const limit = 8 * count + 64
    const nx = Math.floor((x1 - x0) / cell) + 1
    const ny = Math.floor((y1 - y0) / cell) + 1
    const nz = Math.floor((z1 - z0) / cell) + 1
    this.hashed = !(nx * ny * nz <= limit)
    this.x0 = x0
    this.y0 = y0
    this.z0 = z0
    this.nx = this.hashed ? 0 : nx
    this.ny = this.hashed ? 0 : ny
    this.nz = this.hashed ? 0 : nz
    let table = 64
    while (table < 2 * count) table *= 2
    this.mask = table - 1
    const cells = this.hashed ? table : nx * ny * nz
    if (this.start.length < cells + 1) this.start = new Int32Array(Math.max(cells + 1, 2 * this.start.length))
  }

  private reserve(count: number): void {
    if (this.slot.length >= count) return
    const size = Math.max(count, 2 * this.slot.length)
    for (const name of ['slot', 'key', 'group', 'id'] as const) this[name] = new Int32Array(size)
    for (const name of ['x', 'y', 'z', 'vx', 'vy', 'vz', 'radius'] as const)
      this[name] = new Float64Array(size)
  }
}
