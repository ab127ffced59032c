/** Parts of a triangle: its face, its three sides, its three corners. */
const PARTS = 7
/** Corners nearer than this share of the size of the mesh are one: numbers of single precision. */
const WELD_SHARE = 1e-6

/**
 * Outward directions of a closed surface at each part of each triangle: `[21 × triangles]`, the normals of
 * its face, of its sides ab, bc, ca and of its corners a, b, c, of any length. The normal of a side is the
 * sum of those of its two faces, the normal of a corner the sum of those of all its faces weighted by their
 * angles. With these a point is outside exactly when it lies in front of the part that is nearest to it
 * (Bærentzen and Aanæs, Signed distance computation using the angle weighted pseudonormal, 2005). `corners`
 * is `[9 × triangles]`, m.
 * @throws RangeError naming `what`, when the surface has an open edge, or is inside out.
 */
export function outwardNormals(what: string, corners: Float32Array): Float64Array {
  const count = corners.length / 9
  const ids = weld(corners)
  const normals = faceNormals(corners)
  const sides = new Map<string, number[]>()
  const points = new Float64Array(corners.length)
  for (let i = 0; i < 3 * count; i++) {
    const a = ids[i]!
    const face = Math.floor(i / 3)
    const side = sideOf(ids, i)
    const sum = sides.get(side) ?? [0, 0, 0, 0]
    sides.set(side, sum)
    const angle = angleAt(corners, i)
    for (let c = 0; c < 3; c++) {
      const n = normals[3 * face + c]!
      sum[c]! += n
      points[3 * a + c]! += angle * n
    }
    // a closed surface runs along each side as often in one direction as in the other
    sum[3]! += Math.sign(ids[nextOf(i)]! - a)
  }
  let open = 0
  for (const sum of sides.values()) if (sum[3] !== 0) open++
  if (open > 0)
    throw new RangeError(`${what}: got a surface with ${open} open edges, must be closed to be solid`)
  const volume = volumeOf(corners)
  if (!(volume > 0))
    throw new RangeError(`${what}: got a volume of ${volume} m³, must be > 0: its faces look inwards`)
  const out = new Float64Array(3 * PARTS * count)
  for (let i = 0; i < 3 * count; i++) {
    const face = Math.floor(i / 3)
    const a = 3 * ids[i]!
    const at = 3 * PARTS * face
    out.set(normals.subarray(3 * face, 3 * face + 3), at)
    out.set(sides.get(sideOf(ids, i))!.slice(0, 3), at + 3 * (1 + (i % 3)))
    out.set(points.subarray(a, a + 3), at + 3 * (4 + (i % 3)))
  }
  return out
}

/** The corner after corner i in its triangle. */
function nextOf(i: number): number {
  return i % 3 === 2 ? i - 2 : i + 1
}

/** Key of the side that begins at corner i, the same for both of its faces. */
function sideOf(ids: Int32Array, i: number): string {
  const a = ids[i]!
  const b = ids[nextOf(i)]!
  return a < b ? `${a} ${b}` : `${b} ${a}`
}

/** Closes cracks: moves corners that coincide within the tolerance to exactly one position. */
export function closeCracks(corners: Float32Array): void {
  const ids = weld(corners)
  for (let i = 0; i < ids.length; i++) corners.copyWithin(3 * i, 3 * ids[i]!, 3 * ids[i]! + 3)
}

/** Gives coinciding corners one number: `[3 × triangles]`, the index of the first of them. */
function weld(corners: Float32Array): Int32Array {
  let size = 0
  for (const each of corners) size = Math.max(size, Math.abs(each))
  const tolerance = WELD_SHARE * size
  // in cells much wider than the tolerance, so that most corners have only one cell to search
  const cell = 64 * tolerance || 1
  const cells = new Map<string, number[]>()
  const ids = new Int32Array(corners.length / 3)
  for (let i = 0; i < ids.length; i++) {
    const x = corners[3 * i]!
    const y = corners[3 * i + 1]!
    const z = corners[3 * i + 2]!
    let found = -1
    const last = (value: number): number => Math.floor((value + tolerance) / cell)
    for (let cx = Math.floor((x - tolerance) / cell); cx <= last(x); cx++)
      for (let cy = Math.floor((y - tolerance) / cell); cy <= last(y); cy++)
        for (let cz = Math.floor((z - tolerance) / cell); cz <= last(z); cz++)
          for (const other of cells.get(`${cx} ${cy} ${cz}`) ?? [])
            if (
              Math.abs(corners[3 * other]! - x) <= tolerance &&
              Math.abs(corners[3 * other + 1]! - y) <= tolerance &&
              Math.abs(corners[3 * other + 2]! - z) <= tolerance
            )
              found = other
    ids[i] = found < 0 ? i : found
    if (found >= 0) continue
    const key = `${Math.floor(x / cell)} ${Math.floor(y / cell)} ${Math.floor(z / cell)}`
    const inside = cells.get(key)
    if (inside === undefined) cells.set(key, [i])
    else inside.push(i)
  }
  return ids
}

function faceNormals(corners: Float32Array): Float64Array {
  const normals = new Float64Array(corners.length / 3)
  for (let i = 0; i < corners.length; i += 9) {
    const [ux, uy, uz] = edge(corners, i, i + 3)
    const [vx, vy, vz] = edge(corners, i, i + 6)
    const x = uy * vz - uz * vy
    const y = uz * vx - ux * vz
    const z = ux * vy - uy * vx
    // a triangle without area gets the normal zero
    const d = Math.hypot(x, y, z) || 1
    normals.set([x / d, y / d, z / d], i / 3)
  }
  return normals
}

/** Angle of its triangle at corner i, rad. */
function angleAt(corners: Float32Array, i: number): number {
  const [ux, uy, uz] = edge(corners, 3 * i, 3 * nextOf(i))
  const [vx, vy, vz] = edge(corners, 3 * i, 3 * nextOf(nextOf(i)))
  const sine = Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx)
  return Math.atan2(sine, ux * vx + uy * vy + uz * vz)
}

function volumeOf(corners: Float32Array): number {
  let sum = 0
  for (let i = 0; i < corners.length; i += 9) {
    // relative to a corner of the mesh, so that no digits cancel far from the origin
    const [ax, ay, az] = edge(corners, 0, i)
    const [bx, by, bz] = edge(corners, 0, i + 3)
    const [cx, cy, cz] = edge(corners, 0, i + 6)
    sum += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
  }
  return sum / 6
}

function edge(corners: Float32Array, from: number, to: number): [number, number, number] {
  return [
    corners[to]! - corners[from]!,
    corners[to + 1]! - corners[from + 1]!,
    corners[to + 2]! - corners[from + 2]!,
  ]
}
