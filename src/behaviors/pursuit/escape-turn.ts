import type { Agent, Moving, Vec3, Vec3Like } from '../../types.js'
import { closestApproach } from '../../math/approach.js'
import {
  addScaled,
  copy,
  cross,
  dot,
  isZero,
  length,
  normalize,
  reject,
  scale,
  set,
  sub,
  vec3,
} from '../../math/vec3.js'
import { farthestAlong } from './intercept.js'

/** How far ahead (s) an escape is thought through, and in what steps. */
const FORESIGHT = 2
const STEP = 0.08

/** A miss by so many times the reach is as good as any wider one. */
const WIDE = 3

/** What a metre of distance at the end is worth, in metres of miss: little more than a way to choose among equals. */
const FINAL = 0.005

/** Another direction must be better than the one of the last step by this share of the reach: of equals none would be kept for long. With 0.3 more are caught. */
const BETTER = 0.1

/** It turns back to flying straight away when that keeps the threat off by so much more than what made it turn. */
const CLEAR = 1.2

/** Directions tried: so many rings around the course of the threat, with four on each, and the course itself. */
const RINGS = 7
const ON_RING = 4

const gap = vec3()
const drift = vec3()
const ahead = vec3()
const beside = vec3()
const above = vec3()
const way = vec3()
const last = vec3()
const line = vec3()
const moved = vec3()
const own = vec3()
const its = vec3()

/** What is known of the two: reach (m), accelerations (m/s²) and top speeds (m/s) of the agent and of the threat. */
export interface Odds {
  reach: number
  power: number
  top: number
  grip: number
  swift: number
}

/** What {@link foresee} found: the nearest it came, m, and what the end is worth, m. */
const found = { miss: 0, value: 0 }

/**
 * Writes the unit direction to thrust in, away from a threat that is faster: straight away, as long as that keeps it off for the next two
 * seconds; else the best of 29 directions around the threat's course, each flown through in mind, with the threat after it. For one
 * that turns wider that comes out as what Isaacs found for the homicidal chauffeur (Differential Games, 1965): let it come near, then
 * turn hard across its course, inside of its turning circle. `kept` is the direction it has turned to in the last step, or zero, and is kept up to
 * date: it is held until another one is clearly better.
 */
export function turnInside(out: Vec3, agent: Agent, threat: Moving, odds: Odds, kept: Vec3): Vec3 {
  const isTurning = !isZero(kept)
  copy(last, kept)
  set(kept, 0, 0, 0)
  sub(gap, agent.position, threat.position)
  normalize(out, gap)
  foresee(agent, threat, out, odds, -Infinity)
  if (found.miss >= WIDE * odds.reach * (isTurning ? CLEAR : 1)) return out
  let most = found.value
  if (isTurning) {
    foresee(agent, threat, last, odds, -Infinity)
    const held = found.value + BETTER * odds.reach
    if (held > most) {
      most = held
      copy(out, last)
    }
  }
  normalize(ahead, threat.velocity)
  findSide(agent, threat, odds.reach)
  for (let k = 0; k <= RINGS * ON_RING; k++) {
    const angle = (Math.PI * Math.ceil(k / ON_RING)) / (RINGS + 1)
    const turn = (2 * Math.PI * k) / ON_RING
    scale(way, ahead, Math.cos(angle))
    addScaled(way, way, beside, Math.sin(angle) * Math.cos(turn))
    addScaled(way, way, above, Math.sin(angle) * Math.sin(turn))
    foresee(agent, threat, way, odds, most)
    if (found.value <= most) continue
    most = found.value
    copy(out, way)
  }
  copy(kept, out)
  return out
}

/** `beside`: the side, square to the course of the threat, to which it will miss as things stand; dead on, up in the course frame. */
function findSide(agent: Agent, threat: Moving, reach: number): void {
  sub(gap, agent.position, threat.position)
  sub(drift, agent.velocity, threat.velocity)
  closestApproach(beside, gap, drift)
  reject(beside, beside, ahead)
  if (!(length(beside) > 1e-3 * reach)) reject(beside, agent.course.y, ahead)
  if (!(length(beside) > 1e-6)) reject(beside, agent.course.z, ahead)
  normalize(beside, beside)
  cross(above, ahead, beside)
}

/** Flies both for a while: the agent along `n`, the threat to where it will meet it. Gives up when it cannot be worth `most`. */
function foresee(agent: Agent, threat: Moving, n: Vec3Like, odds: Odds, most: number): void {
  const { grip, power, reach, swift, top } = odds
  copy(own, agent.velocity)
  copy(its, threat.velocity)
  sub(gap, agent.position, threat.position)
  let nearest = length(gap)
  for (let time = 0; time < FORESIGHT; time += STEP) {
    // it aims ahead, by the time it takes to come
    addScaled(line, gap, own, Math.min(1, length(gap) / swift))
    normalize(line, line)
    farthestAlong(its, its, line, swift, grip * STEP)
    farthestAlong(own, own, n, top, power * STEP)
    sub(moved, own, its)
    const sq = dot(moved, moved)
    const pass = sq > 0 ? Math.min(STEP, Math.max(0, -dot(gap, moved) / sq)) : 0
    nearest = Math.min(nearest, length(addScaled(line, gap, moved, pass)))
    addScaled(gap, gap, moved, STEP)
    if (nearest + FINAL * (length(gap) + (top + swift) * FORESIGHT) < most) break
  }
  found.miss = nearest
  found.value = Math.min(nearest, WIDE * reach) + FINAL * length(gap)
}
