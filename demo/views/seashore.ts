import { Vector2 } from 'three'
import { hash } from '../scenarios/scalars.js'

/**
 * Terrain of the air show. The crowd is at the origin and looks towards −z, out to sea. Lengths in metres.
 */

/** Half the width of the modelled ground. */
export const GROUND = 2400

/** Centre, half length and half width of the runway. */
export const RUNWAY = { x: -60, z: 232, length: 620, breadth: 15 }

/** Height above the sea. Negative values are below it. */
export function heightAt(x: number, z: number): number {
  const inland = z - shore(x) + 22 * wave(x / 170, z / 170) + 5 * wave(x / 38, z / 38)
  if (inland < 0) return Math.max(-14, inland * 0.1)
  // a beach at the bay, cliffs at the headlands
  const wild = headland(x)
  const beach = Math.min(5, inland * 0.085)
  const cliff = 30 * step(0, 26, inland) + 12 * step(20, 500, inland) * (0.5 + wave(x / 210 + 9, z / 210))
  const hills = 90 * step(420, 1800, inland) * (0.6 + 0.5 * wave(x / 520, z / 520 + 4))
  const flat = step(1.1, 1.7, Math.max(Math.abs(x - RUNWAY.x) / RUNWAY.length, Math.abs(z - RUNWAY.z) / 120))
  return beach + (wild * cliff + hills) * (0.08 + 0.92 * flat)
}

/** z coordinate of the shoreline: a bay between two headlands. */
function shore(x: number): number {
  const left = 560 * step(-420, -1050, x) - 300 * step(-1500, -2300, x)
  const right = 430 * step(520, 1150, x) - 260 * step(1500, 2300, x)
  return 4 + 0.00012 * x * x * step(900, 300, Math.abs(x)) - left - right
}

/** 0 at the beach, 1 at the cliffs. */
function headland(x: number): number {
  return Math.max(step(-330, -620, x), step(420, 700, x))
}

function step(from: number, to: number, at: number): number {
  const t = Math.min(1, Math.max(0, (at - from) / (to - from)))
  return t * t * (3 - 2 * t)
}

/** Value noise in [−1, 1]. */
function wave(x: number, y: number): number {
  const [i, j] = [Math.floor(x), Math.floor(y)]
  const [u, v] = [step(0, 1, x - i), step(0, 1, y - j)]
  const low = hash(i, j) * (1 - u) + hash(i + 1, j) * u
  const high = hash(i, j + 1) * (1 - u) + hash(i + 1, j + 1) * u
  return 2 * (low * (1 - v) + high * v) - 1
}

export const RUNWAY_PLACE = new Vector2(RUNWAY.x, RUNWAY.z)
export const RUNWAY_SIZE = new Vector2(RUNWAY.length, RUNWAY.breadth)
