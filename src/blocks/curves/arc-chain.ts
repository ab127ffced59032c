/** Most links of a chain. A roll per link is unknown. */
export const MAX_LINKS = 48
/** Number of sections of a chain. An angle per section is unknown. */
export const SECTIONS = 3
/** Components of the gap at the end: position and heading. */
export const GAPS = 5
export const MAX_UNKNOWNS: number = MAX_LINKS + SECTIONS

/**
 * Start and goal of a chain: unit headings, and the goal's position in turn radii, seen from the start.
 * `sideA` is at right angles to `headingA`.
 */
export interface ChainEnds {
  readonly headingA: Float64Array
  readonly sideA: Float64Array
  readonly position: Float64Array
  readonly headingB: Float64Array
  /** Two unit vectors that span the plane across `headingB`. */
  readonly across: Float64Array
}

/**
 * A curve of curvature 1 as a serial robot arm: arcs of radius 1 (links), each rolled about the tangent
 * relative to the one before. The links form three sections of `share` links each; all links of a section
 * have the same angle. With one link per section the chain is three arcs in planes of their own (CCC); with
 * many it approximates a helicoidal arc (Sussmann 1995).
 */
export class ArcChain {
  /** Links per section. */
  share = 1
  /**
   * `[links + 3]`: roll of each link about the tangent at its start, of the first from the side vector; then
   * the angle of a link of each section, rad.
   */
  readonly unknowns: Float64Array = new Float64Array(MAX_UNKNOWNS)
  /** `[6 × links]`: axis of each joint: tangent (roll), then binormal (angle). */
  readonly axis: Float64Array = new Float64Array(6 * MAX_LINKS)
  /** `[6 × links]`: a point on each axis. */
  readonly pivot: Float64Array = new Float64Array(6 * MAX_LINKS)
  /** End point and end heading of the last walk. */
  readonly end: Float64Array = new Float64Array(6)
  /** Gap between end and goal: position, then heading across the wanted one (rad). Of the last walk. */
  readonly gap: Float64Array = new Float64Array(5)
  /** Two unit vectors across the end heading, in which `gap` measures the heading. Of the last walk. */
  readonly across: Float64Array = new Float64Array(6)
  ends!: ChainEnds

  get links(): number {
    return SECTIONS * this.share
  }

  /** Arc length for `unknowns` (radii). */
  lengthOf(unknowns: Float64Array): number {
    const { share, links } = this
    return share * (unknowns[links]! + unknowns[links + 1]! + unknowns[links + 2]!)
  }

  /** Walks along the chain: sets `axis`, `pivot`, `end`, `gap`. @returns the gap's size (radii plus rad). */
  walk(unknowns: Float64Array): number {
    const { axis, pivot, share, links, end } = this
    const { headingA, sideA } = this.ends
    let tx = headingA[0]!
    let ty = headingA[1]!
    let tz = headingA[2]!
    let nx = sideA[0]!
    let ny = sideA[1]!
    let nz = sideA[2]!
    let bx = ty * nz - tz * ny
    let by = tz * nx - tx * nz
    let bz = tx * ny - ty * nx
    let px = 0
    let py = 0
    let pz = 0
    let sine = 0
    let cosine = 0
    let rise = 0
    for (let i = 0; i < links; i++) {
      if (i % share === 0) {
        const angle = unknowns[links + i / share]!
        const half = Math.sin(angle / 2)
        sine = Math.sin(angle)
        cosine = Math.cos(angle)
        rise = 2 * half * half
      }
      const c = Math.cos(unknowns[i]!)
      const s = Math.sin(unknowns[i]!)
      const mx = nx * c + bx * s
      const my = ny * c + by * s
      const mz = nz * c + bz * s
      bx = bx * c - nx * s
      by = by * c - ny * s
      bz = bz * c - nz * s
      const at = 6 * i
      axis[at] = tx
      axis[at + 1] = ty
      axis[at + 2] = tz
      axis[at + 3] = bx
      axis[at + 4] = by
      axis[at + 5] = bz
      pivot[at] = px
      pivot[at + 1] = py
      pivot[at + 2] = pz
      pivot[at + 3] = px + mx
      pivot[at + 4] = py + my
      pivot[at + 5] = pz + mz
      px += tx * sine + mx * rise
      py += ty * sine + my * rise
      pz += tz * sine + mz * rise
      nx = mx * cosine - tx * sine
      ny = my * cosine - ty * sine
      nz = mz * cosine - tz * sine
      tx = tx * cosine + mx * sine
      ty = ty * cosine + my * sine
      tz = tz * cosine + mz * sine
    }
    end[0] = px
    end[1] = py
    end[2] = pz
    end[3] = tx
    end[4] = ty
    end[5] = tz
    return this.measure()
  }

  /** Copies `other` with each link cut into `pieces` equal ones: the same curve with more joints. */
  refine(other: ArcChain, pieces: number): this {
    this.ends = other.ends
    this.share = other.share * pieces
    const { unknowns, links } = this
    for (let i = 0; i < links; i++) unknowns[i] = i % pieces === 0 ? other.unknowns[i / pieces]! : 0
    for (let k = 0; k < SECTIONS; k++) unknowns[links + k] = other.unknowns[other.links + k]! / pieces
    return this
  }

  assign(other: ArcChain): this {
    this.ends = other.ends
    this.share = other.share
    this.unknowns.set(other.unknowns)
    return this
  }

  /** Measures the gap, and carries the directions across the goal's heading to the end. @returns its size. */
  private measure(): number {
    const { end, gap, across } = this
    const { position, headingB: b, across: a } = this.ends
    const x = end[3]!
    const y = end[4]!
    const z = end[5]!
    for (let k = 0; k < 3; k++) gap[k] = end[k]! - position[k]!
    const first = x * a[0]! + y * a[1]! + z * a[2]!
    const second = x * a[3]! + y * a[4]! + z * a[5]!
    const ahead = x * b[0]! + y * b[1]! + z * b[2]!
    const away = Math.sqrt(first * first + second * second)
    const angle = Math.atan2(away, ahead)
    const share = away > 1e-9 ? angle / away : 1
    gap[3] = first * share
    gap[4] = second * share
    for (let k = 0; k < 3; k++) {
      const middle = (b[k]! + end[3 + k]!) / Math.max(1 + ahead, 1e-9)
      across[k] = a[k]! - first * middle
      across[3 + k] = a[3 + k]! - second * middle
    }
    return Math.abs(gap[0]!) + Math.abs(gap[1]!) + Math.abs(gap[2]!) + angle
  }
}
