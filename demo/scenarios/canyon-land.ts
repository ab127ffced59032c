import { type Vec3, type Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { evenly, vec, type Random } from './vectors.js'
import { wave } from './scalars.js'

/**
 * The canyon is a ring that winds about the origin. Its centre line has a distance from the axis for each
 * angle.
 */
const RADIUS = 170 // m
const BENDS: readonly Bends[] = [
  { bends: 2, swing: 14, phase: 0.4 },
  { bends: 3, swing: 16, phase: 2.1 },
  { bends: 5, swing: 15, phase: 4 },
  { bends: 8, swing: 7.5, phase: 1.1 },
]

interface Bends {
  /** Their number around the ring. */
  readonly bends: number
  /** Amplitude, m. */
  readonly swing: number
  /** rad */
  readonly phase: number
}

/** Half the width of the river bed, and height of the rim (m). */
const BED = 9.5
const RIM = 38
/** Preferred height of the birds above the river (m). */
export const CRUISE = 15

/** Rows of the mesh around the ring. */
const ROWS = 288
const COLUMN_SIDES = 14

export interface Pillar {
  readonly foot: Vec3Like
  readonly radius: number
  readonly height: number
}

/**
 * A canyon as one triangle mesh, with pillars in the river and arches across it, and the centre line through
 * it.
 */
export class CanyonLand {
  /** Vertices `[3 × vertices]` (m) and indices `[3 × triangles]`, counterclockwise from outside. */
  readonly positions: Float32Array
  readonly triangles: Uint32Array
  readonly pillars: readonly Pillar[]
  /** Angles of the arches (rad). */
  readonly arches: readonly number[]
  readonly #random: Random

  constructor(seed = 5) {
    this.#random = seeded(seed)
    const mesh = new MeshMaker()
    this.#walls(mesh)
    this.pillars = this.#placePillars()
    for (const pillar of this.pillars) this.#column(mesh, pillar)
    this.arches = [0.9, 2.75, 4.9]
    for (const angle of this.arches) this.#arch(mesh, angle)
    this.positions = Float32Array.from(mesh.positions)
    this.triangles = Uint32Array.from(mesh.triangles)
  }

  /** Writes the point of the centre line at `angle`, moved `aside` m outwards and `up` m above the river. */
  at(angle: number, aside: number, up: number, out: Vec3): Vec3 {
    const radius = radiusAt(angle) + aside
    out.x = radius * Math.cos(angle)
    out.y = up
    out.z = radius * Math.sin(angle)
    return out
  }

  /** Angle of a point about the axis, in (−π, π]. */
  angleOf({ x, z }: Vec3Like): number {
    return Math.atan2(z, x)
  }

  /** Distance (m) of a point from the centre line, positive outwards. */
  asideOf({ x, z }: Vec3Like): number {
    return Math.hypot(x, z) - radiusAt(Math.atan2(z, x))
  }

  /** The angle that lies `length` m further along the centre line. */
  onward(angle: number, length: number): number {
    const steps = 3
    for (let k = 0; k < steps; k++) {
      const radius = radiusAt(angle)
      angle += length / steps / Math.hypot(radius, slopeAt(angle))
    }
    return angle
  }

  /** Bed, talus, stepped cliffs, rim, and the surrounding land. */
  #walls(mesh: MeshMaker): void {
    const rows: number[][] = []
    for (let i = 0; i < ROWS; i++) {
      const angle = (2 * Math.PI * i) / ROWS
      const radius = radiusAt(angle)
      // where the centre line is oblique to the radius, the cross section is wider along the radius
      const slant = Math.hypot(radius, slopeAt(angle)) / radius
      const width = widthAt(angle)
      const section = profile(angle, radius)
      rows.push(
        section.map(([side, offset, up]) => {
          const reach = side * offset
          const far = Math.abs(offset) > 60
          const away = far ? reach : reach * slant * width
          const r = Math.max(0.5, radius + away)
          return mesh.point(r * Math.cos(angle), up, r * Math.sin(angle))
        }),
      )
    }
    for (let i = 0; i < ROWS; i++) mesh.strip(rows[(i + 1) % ROWS]!, rows[i]!)
  }

  #placePillars(): Pillar[] {
    const random = this.#random
    const pillars: Pillar[] = []
    for (let k = 0; k < 9; k++) {
      const angle = ((k + 0.25 + 0.3 * random()) / 9) * 2 * Math.PI
      const pair = k % 3 === 1
      for (const side of pair ? [-1, 1] : [random() < 0.5 ? -0.35 : 0.35]) {
        const at = this.at(angle + (pair ? 0.012 * side : 0), side * evenly(random, 4, 6.5), -2, vec(0, 0, 0))
        pillars.push({ foot: at, radius: evenly(random, 1.7, 2.9), height: evenly(random, 22, 36) })
      }
    }
    return pillars
  }

  /** A weathered column: rings that widen and narrow with the rock layers. */
  #column(mesh: MeshMaker, { foot, radius, height }: Pillar): void {
    const rings: number[][] = []
    const count = 18
    for (let i = 0; i <= count; i++) {
      const up = (i / count) * height
      const bulge =
        0.84 + 0.14 * strata(foot.y + up) + 0.5 * Math.max(0, 1 - up / 4) ** 2 + (i === count ? -0.22 : 0)
      rings.push(
        Array.from({ length: COLUMN_SIDES }, (_, k) => {
          const turn = (2 * Math.PI * k) / COLUMN_SIDES
          const rough =
            1 +
            0.2 * wave(3 * Math.cos(turn) + foot.x, 3 * Math.sin(turn) + foot.z, up * 0.16) +
            0.09 * wave(9 * Math.cos(turn) + foot.z, 9 * Math.sin(turn), up * 0.9)
          const r = radius * bulge * rough
          return mesh.point(foot.x + r * Math.cos(turn), foot.y + up, foot.z - r * Math.sin(turn))
        }),
      )
    }
    for (let i = 0; i < count; i++)
      mesh.strip([...rings[i]!, rings[i]![0]!], [...rings[i + 1]!, rings[i + 1]![0]!])
    const top = mesh.point(foot.x, foot.y + height + 0.5, foot.z)
    const crown = rings[count]!
    for (let k = 0; k < COLUMN_SIDES; k++) mesh.triangle(crown[k]!, crown[(k + 1) % COLUMN_SIDES]!, top)
  }

  /** A natural bridge from wall to wall. */
  #arch(mesh: MeshMaker, angle: number): void {
    const count = 18
    const sides = 10
    const rings: number[][] = []
    const middle = vec(0, 0, 0)
    const reach = 24 * widthAt(angle)
    for (let i = 0; i <= count; i++) {
      const t = (i / count) * 2 - 1
      const up = 28 - 10 * t * t
      const thick = 2.6 + 2.2 * t * t
      // slightly oblique
      this.at(angle + 0.03 * t, t * reach, up, middle)
      const along = angle + Math.PI / 2
      rings.push(
        Array.from({ length: sides }, (_, k) => {
          const turn = (2 * Math.PI * k) / sides
          const rough = 1 + 0.16 * wave(t * 9 + angle, Math.cos(turn) * 2, Math.sin(turn) * 2)
          const wide = 1.25 * thick * rough * Math.cos(turn)
          const high = 0.8 * thick * rough * Math.sin(turn)
          return mesh.point(
            middle.x + wide * Math.cos(along),
            middle.y + high,
            middle.z + wide * Math.sin(along),
          )
        }),
      )
    }
    for (let i = 0; i < count; i++)
      mesh.strip([...rings[i + 1]!, rings[i + 1]![0]!], [...rings[i]!, rings[i]![0]!])
  }
}

/** Collects points and triangles. */
class MeshMaker {
  readonly positions: number[] = []
  readonly triangles: number[] = []

  point(x: number, y: number, z: number): number {
    this.positions.push(x, y, z)
    return this.positions.length / 3 - 1
  }

  triangle(a: number, b: number, c: number): void {
    this.triangles.push(a, b, c)
  }

  /** Triangles between two rows with the same number of points. */
  strip(row: readonly number[], next: readonly number[]): void {
    for (let k = 0; k + 1 < row.length; k++) {
      // choosing the shorter diagonal would depend on rounding, so the diagonals alternate
      const [a, b, c, d] = [row[k]!, row[k + 1]!, next[k + 1]!, next[k]!]
      if (k % 2 === 0) {
        this.triangle(a, b, c)
        this.triangle(a, c, d)
      } else {
        this.triangle(a, b, d)
        this.triangle(b, c, d)
      }
    }
  }
}

function radiusAt(angle: number): number {
  let radius = RADIUS
  // called for each bird in each step: an iterator and a list for each bend would be garbage
  for (let i = 0; i < BENDS.length; i++) {
    const { bends, swing, phase } = BENDS[i]!
    radius += swing * Math.sin(bends * angle + phase)
  }
  return radius
}

/** Change of the radius per radian (m). */
function slopeAt(angle: number): number {
  let slope = 0
  for (let i = 0; i < BENDS.length; i++) {
    const { bends, swing, phase } = BENDS[i]!
    slope += bends * swing * Math.cos(bends * angle + phase)
  }
  return slope
}

/** Relative width: wide halls and narrow passages. */
function widthAt(angle: number): number {
  return 1.06 + 0.17 * Math.sin(4 * angle + 0.6) + 0.07 * Math.sin(11 * angle + 2)
}

/** How far the rock layer at a height protrudes, in [0, 1]. Hard layers protrude, soft ones are eroded. */
function strata(up: number): number {
  return 0.5 + 0.3 * Math.sin(up * 0.9 + 0.5) + 0.2 * Math.sin(up * 2.1 + 1.7)
}

/** Height of the foot and the edge of each cliff step, and its distance back from the first (m). */
const STEPS = [
  { foot: 3.5, edge: 13.5, back: 0 },
  { foot: 14.5, edge: 25, back: 4.2 },
  { foot: 26, edge: RIM, back: 8.6 },
] as const

/** Cross section from the inside out: side (−1 or 1), distance from the centre line (m), height (m). */
function profile(angle: number, radius: number): [number, number, number][] {
  const wall = (side: number): [number, number, number][] => {
    const x = radius * Math.cos(angle) * 0.06
    const z = radius * Math.sin(angle) * 0.06
    const points: [number, number, number][] = []
    // talus
    const bank = BED + 1.6 * wave(x * 2.2, side * 5, z * 2.2)
    points.push([side, 3.4, -1.6 + 0.3 * wave(x * 5, side, z * 5)])
    points.push([side, bank * 0.72, -0.5 + 0.4 * wave(x * 4, side * 2, z * 4)])
    points.push([side, bank, 0.9 + 0.5 * wave(x * 3, side * 3, z * 3)])
    for (const [n, { foot, edge, back }] of STEPS.entries()) {
      const rows = 5
      for (let k = 0; k <= rows; k++) {
        const up = foot + ((edge - foot) * k) / rows
        // buttresses and alcoves, and protruding layers
        const bay =
          2.6 * wave(x * 2.6 + 0.5 * n, up * 0.05 + side * 7 + n, z * 2.6) +
          1.1 * wave(x * 7, n + side, z * 7)
        const ledge = 1.5 * (strata(up) - 0.5) * -1
        const lean = (k / rows) * 1.4
        const cap = k === rows ? 0.9 : 0
        points.push([side, bank + 2.2 + back + bay + ledge + lean + cap, up])
      }
    }
    const rim = points.at(-1)![1]
    points.push([side, rim + 4, RIM + 0.6 + wave(x * 3, 9, z * 3)])
    points.push([side, rim + 10, RIM + 1.4 + 1.6 * wave(x * 2, 7, z * 2)])
    return points
  }
  const inner = wall(-1).reverse()
  const outer = wall(1)
  const plain = (side: number, offset: number, hill: number): [number, number, number] => [
    side,
    offset,
    RIM + 2.5 + hill * (0.5 + 0.5 * wave((side * offset) / 31 + 5 * Math.cos(angle), 3, 5 * Math.sin(angle))),
  ]
  return [
    plain(-1, radius - 0.5, 0),
    plain(-1, Math.max(61, radius * 0.6), 5),
    ...inner,
    [1, 0, -1.9],
    ...outer,
    plain(1, 70, 6),
    plain(1, 140, 14),
    plain(1, 330, 30),
    plain(1, 800, 46),
  ]
}
