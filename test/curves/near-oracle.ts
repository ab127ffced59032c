import { type Vec3, type Vec3Like, type Waypoint } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { inner, minus, outer, plus, times, unit, vec } from '../../demo/scenarios/vectors.js'

/**
 * Helicoidal arcs by the maximum principle (Sussmann 1995), independent of all code in src: the costate of
 * the position is a constant force f, that of the heading a moment m that turns the heading, m' = f × t, t' =
 * (m / |m|) × t, with f · t + |m| = 1. Five unknowns: roll and size of m, its rate, f along m, length. They
 * are found by shooting from random starts (Levenberg and Marquardt, derivatives by differences).
 */
export function shortestByShooting(from: Waypoint, to: Waypoint, starts: number, seed: number): number {
  const random = seeded(seed)
  let best = Infinity
  for (let i = 0; i < starts; i++) {
    const x = [2 * Math.PI * random(), 0.02 + 2.5 * random() ** 1.5, 3 * random() - 1.5, 3 * random() - 1.5]
    x.push(2 + 6 * random())
    if (!(fit(from, to, x, 40) < 1e-8) || x[4]! > 1.02 * best) continue
    if (fit(from, to, x, 160) < 1e-9) best = Math.min(best, x[4]!)
  }
  return best
}

/** Error of the end: position and heading. */
function shoot(from: Waypoint, to: Waypoint, x: readonly number[], steps: number): number[] {
  const [roll, size, rate, along, length] = x as [number, number, number, number, number]
  let t = unit(from.heading)
  let p: Vec3Like = from.position
  const side = unit(outer(t, Math.abs(t.x) < 0.6 ? vec(1, 0, 0) : vec(0, 1, 0)))
  let b: Vec3Like = plus(times(side, Math.cos(roll)), outer(t, side), Math.sin(roll))
  const f = plus(plus(times(t, 1 - size), b, along), outer(b, t), -rate)
  let m: Vec3Like = times(b, size)
  const h = length / steps
  for (let i = 0; i < steps; i++) {
    const middle = plus(m, outer(f, t), h / 2)
    b = unit(plus(middle, t, -inner(middle, t)))
    const n = outer(b, t)
    const way = plus(times(t, Math.sin(h)), n, 1 - Math.cos(h))
    p = plus(p, way, 1)
    m = plus(m, outer(f, way), 1)
    t = unit(plus(times(t, Math.cos(h)), n, Math.sin(h)))
  }
  return [...parts(minus(p, to.position)), ...parts(minus(t, unit(to.heading)))]
}

function parts({ x, y, z }: Vec3): number[] {
  return [x, y, z]
}

const square = (v: readonly number[]): number => v.reduce((sum, part) => sum + part * part, 0)

function fit(from: Waypoint, to: Waypoint, x: number[], steps: number): number {
  let miss = shoot(from, to, x, steps)
  let damping = 1e-3
  for (let i = 0; i < 25 && square(miss) > 1e-22; i++) {
    const columns = x.map((value, k) => {
      const moved = shoot(from, to, x.with(k, value + 1e-6), steps)
      return moved.map((part, q) => (part - miss[q]!) / 1e-6)
    })
    let better = false
    for (let tries = 0; tries < 5 && !better; tries++) {
      const step = solve(columns, miss, damping)
      const next = x.map((value, k) => value + step[k]!)
      const missed = next[4]! > 0.05 && next[4]! < 13 ? shoot(from, to, next, steps) : [Infinity]
      better = square(missed) < square(miss)
      damping *= better ? 0.1 : 10
      if (!better) continue
      miss = missed
      next.forEach((value, k) => (x[k] = value))
    }
    if (!better) break
  }
  return Math.sqrt(square(miss))
}

/** Solves the damped normal equations by elimination. */
function solve(columns: readonly number[][], miss: readonly number[], damping: number): number[] {
  const n = columns.length
  const dot = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, part, i) => sum + part * b[i]!, 0)
  const rows = columns.map((a, i) => [
    ...columns.map((b, j) => dot(a, b) * (i === j ? 1 + damping : 1) + (i === j ? 1e-14 : 0)),
    -dot(a, miss),
  ])
  for (let i = 0; i < n; i++)
    for (let k = 0; k < n; k++) {
      if (k === i) continue
      const share = rows[k]![i]! / rows[i]![i]!
      for (let j = i; j <= n; j++) rows[k]![j]! -= share * rows[i]![j]!
    }
  return rows.map((row, i) => row[n]! / row[i]!)
}
