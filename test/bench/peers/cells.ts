import { FLOCK_3D, flockSide, flockStart } from '../../rigs/flock-3d.js'

type Three = [number, number, number]

/** The fastest flock in plain JavaScript that we know. */
export interface CellFlock {
  step(): void
  /** Position and velocity of each agent, in the order of the start. */
  state(): { position: Three; velocity: Three }[]
}

/** Columns of the state: position, velocity, and the square of the speed times that of the view's edge. */
const columns = (count: number): Float64Array[] => Array.from({ length: 7 }, () => new Float64Array(count))

/** Sums of one agent: separation, velocity, offset, number. */
const SUMS = 10

/**
 * FLOCK-3D without a library: arrays kept in the order of the cells, each pair of agents tested once and
 * added to both sums, no objects. Cells are a quarter of the radius long and a radius wide; a line of cells
 * is cut to the part that the sphere of sight touches.
 */
export function cellFlock(count: number, k: number, flow = false): CellFlock {
  const { radius, maxSpeed, maxForce, dt } = FLOCK_3D
  const side = flockSide(count, k)
  const across = Math.max(1, Math.floor(side / radius))
  const along = Math.max(1, Math.floor((4 * side) / radius))
  const width = side / across
  const perWidth = across / side
  const perLength = along / side
  const cells = along * across * across
  const cosine = Math.cos(FLOCK_3D.fieldOfView / 2)
  const edge = cosine * Math.abs(cosine)
  const start = new Int32Array(cells + 2)
  const cellOf = new Int32Array(count)
  const hits = new Int32Array(count + 1)
  const sums = new Float64Array(SUMS * count)
  let now = columns(count)
  let next = columns(count)
  let id = Int32Array.from({ length: count }, (_, i) => i)
  let nextId = new Int32Array(count)
  flockStart(
    count,
    side,
    (i, position, velocity) => {
      for (const [c, axis] of (['x', 'y', 'z'] as const).entries()) {
        now[c]![i] = position[axis]
        now[c + 3]![i] = velocity[axis]
      }
    },
    flow,
  )

  function sort(): void {
    const [X, Y, Z, VX, VY, VZ] = now as [Float64Array, Float64Array, Float64Array, ...Float64Array[]]
    const [X2, Y2, Z2, VX2, VY2, VZ2, E2] = next
    start.fill(0)
    for (let i = 0; i < count; i++) {
      const cx = Math.min(along - 1, Math.floor(X[i]! * perLength))
      const cy = Math.min(across - 1, Math.floor(Y[i]! * perWidth))
      const cz = Math.min(across - 1, Math.floor(Z[i]! * perWidth))
      const cell = cx + along * (cy + across * cz)
      cellOf[i] = cell
      start[cell + 2]!++
    }
    for (let c = 2; c < cells + 2; c++) start[c]! += start[c - 1]!
    for (let i = 0; i < count; i++) {
      const n = start[cellOf[i]! + 1]!++
      const vx = VX![i]!
      const vy = VY![i]!
      const vz = VZ![i]!
      X2![n] = X[i]!
      Y2![n] = Y[i]!
      Z2![n] = Z[i]!
      VX2![n] = vx
      VY2![n] = vy
      VZ2![n] = vz
      E2![n] = edge * (vx * vx + vy * vy + vz * vz)
      nextId[n] = id[i]!
    }
    ;[now, next, id, nextId] = [next, now, nextId, id]
  }

  function sumPairs([X, Y, Z, VX, VY, VZ, E]: Float64Array[]): void {
    const radiusSq = radius * radius
    sums.fill(0)
    for (let cz = 0; cz < across; cz++)
      for (let cy = 0; cy < across; cy++) {
        const line = along * (cy + across * cz)
        const end = start[line + along]!
        for (let i = start[line]!; i < end; i++) {
          const x = X![i]!
          const y = Y![i]!
          const z = Z![i]!
          const up = (cy + 1) * width - y
          const down = y - cy * width
          const top = (cz + 1) * width - z
          let found = 0
          // its own line from itself on, and four lines around: agents in the others have tested this one
          for (let q = 0; q < 5; q++) {
            const jy = cy + (q === 0 ? 0 : q === 1 ? 1 : q - 3)
            const jz = cz + (q < 2 ? 0 : 1)
            if (jy < 0 || jy >= across || jz >= across) continue
            const dy = jy === cy ? 0 : jy > cy ? up : down
            const dz = jz === cz ? 0 : top
            const chordSq = radiusSq - dy * dy - dz * dz
            if (!(chordSq > 0)) continue
            const half = Math.sqrt(chordSq)
            const from = Math.max(0, Math.floor((x - half) * perLength))
            const to = Math.min(along - 1, Math.floor((x + half) * perLength))
            const lineOfCells = along * (jy + across * jz)
            const last = start[lineOfCells + to + 1]!
            for (let j = q === 0 ? i + 1 : start[lineOfCells + from]!; j < last; j++) {
              const dx = X![j]! - x
              const ey = Y![j]! - y
              const ez = Z![j]! - z
              // no branch to mispredict
              hits[found] = j
              found += Number(dx * dx + ey * ey + ez * ez < radiusSq)
            }
          }
          const vx = VX![i]!
          const vy = VY![i]!
          const vz = VZ![i]!
          const ownEdge = E![i]!
          let sx = 0
          let sy = 0
          let sz = 0
          let ax = 0
          let ay = 0
          let az = 0
          let ox = 0
          let oy = 0
          let oz = 0
          let seen = 0
          for (let n = 0; n < found; n++) {
            const j = hits[n]!
            const dx = X![j]! - x
            const dy = Y![j]! - y
            const dz = Z![j]! - z
            const sq = dx * dx + dy * dy + dz * dz
            const wx = VX![j]!
            const wy = VY![j]!
            const wz = VZ![j]!
            const gain = 1 / sq
            const ahead = dx * vx + dy * vy + dz * vz
            if (ahead * Math.abs(ahead) >= ownEdge * sq) {
              sx -= dx * gain
              sy -= dy * gain
              sz -= dz * gain
              ax += wx
              ay += wy
              az += wz
              ox += dx
              oy += dy
              oz += dz
              seen++
            }
            const back = -(dx * wx + dy * wy + dz * wz)
            if (back * Math.abs(back) >= E![j]! * sq) {
              const s = SUMS * j
              sums[s]! += dx * gain
              sums[s + 1]! += dy * gain
              sums[s + 2]! += dz * gain
              sums[s + 3]! += vx
              sums[s + 4]! += vy
              sums[s + 5]! += vz
              sums[s + 6]! -= dx
              sums[s + 7]! -= dy
              sums[s + 8]! -= dz
              sums[s + 9]!++
            }
          }
          const s = SUMS * i
          sums[s]! += sx
          sums[s + 1]! += sy
          sums[s + 2]! += sz
          sums[s + 3]! += ax
          sums[s + 4]! += ay
          sums[s + 5]! += az
          sums[s + 6]! += ox
          sums[s + 7]! += oy
          sums[s + 8]! += oz
          sums[s + 9]! += seen
        }
      }
  }

  function move([X, Y, Z, VX, VY, VZ]: Float64Array[]): void {
    for (let i = 0; i < count; i++) {
      const s = SUMS * i
      const seen = sums[s + 9]!
      let vx = VX![i]!
      let vy = VY![i]!
      let vz = VZ![i]!
      if (seen > 0) {
        let fx = 0
        let fy = 0
        let fz = 0
        let x = sums[s]!
        let y = sums[s + 1]!
        let z = sums[s + 2]!
        let sq = x * x + y * y + z * z
        let gain = sq > 0 ? FLOCK_3D.separation / Math.sqrt(sq) : 0
        fx += gain * x
        fy += gain * y
        fz += gain * z
        x = sums[s + 3]! / seen - vx
        y = sums[s + 4]! / seen - vy
        z = sums[s + 5]! / seen - vz
        sq = x * x + y * y + z * z
        gain = sq > 0 ? FLOCK_3D.alignment / Math.sqrt(sq) : 0
        fx += gain * x
        fy += gain * y
        fz += gain * z
        x = sums[s + 6]!
        y = sums[s + 7]!
        z = sums[s + 8]!
        sq = x * x + y * y + z * z
        gain = sq > 0 ? FLOCK_3D.cohesion / Math.sqrt(sq) : 0
        fx += gain * x
        fy += gain * y
        fz += gain * z
        sq = fx * fx + fy * fy + fz * fz
        gain = sq > maxForce * maxForce ? (maxForce / Math.sqrt(sq)) * dt : dt
        vx += fx * gain
        vy += fy * gain
        vz += fz * gain
        sq = vx * vx + vy * vy + vz * vz
        if (sq > maxSpeed * maxSpeed) {
          const cut = maxSpeed / Math.sqrt(sq)
          vx *= cut
          vy *= cut
          vz *= cut
        }
        VX![i] = vx
        VY![i] = vy
        VZ![i] = vz
      }
      const x = X![i]! + vx * dt
      const y = Y![i]! + vy * dt
      const z = Z![i]! + vz * dt
      X![i] = x >= 0 && x < side ? x : x - Math.floor(x / side) * side
      Y![i] = y >= 0 && y < side ? y : y - Math.floor(y / side) * side
      Z![i] = z >= 0 && z < side ? z : z - Math.floor(z / side) * side
    }
  }

  return {
    step(): void {
      sort()
      sumPairs(now)
      move(now)
    },
    state(): { position: Three; velocity: Three }[] {
      const states: { position: Three; velocity: Three }[] = []
      const at = (from: number, i: number): Three => [now[from]![i]!, now[from + 1]![i]!, now[from + 2]![i]!]
      for (let i = 0; i < count; i++) states[id[i]!] = { position: at(0, i), velocity: at(3, i) }
      return states
    },
  }
}
