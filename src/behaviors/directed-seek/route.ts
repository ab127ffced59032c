import type { Agent, Vec3Like } from '../../types.js'
import { ArcPath } from '../../curves/arc-path.js'
import { csc } from '../../curves/csc.js'
import { dubins2d } from '../../curves/dubins2d.js'
import { dubins3d } from '../../curves/dubins3d.js'
import { reedsShepp } from '../../curves/reeds-shepp.js'
import { reverse3d } from '../../curves/reverse3d.js'
import { addScaled, copy, distance, vec3 } from '../../math/vec3.js'
import { SLOWEST, turnRadius, type VehicleLimits } from './vehicle-limits.js'
import type { Goal } from './goal.js'
import { paceAlong } from './track.js'

/** With a lag there must be force left to correct by, and a straight at the end on which it dies away, in lags. */
const LAG_MARGIN = 1.15
const RUN_IN = 4

/** The same for who must turn first, in turns by a right angle. */
const SWING_LEAD = 0.5
const SWING_RUN_IN = 1

/** Share of a step that every way ends with straight: an engine turns the velocity once a step, and in its last it shall be the goal's. */
const LAST_STEP = 0.15

/** A way that is longer than the distance by this much, in radii, may have a turn too many. */
const TURN = 3

/** Points at which the pace of a way is looked at to know its time. */
const SAMPLES = 24

const middle = new ArcPath()
const bare = new ArcPath()
const start = { position: vec3(), heading: vec3() }
const end = { position: vec3(), heading: vec3() }
const radii = { start: 0, end: 0 }

/**
 * Plans the way of `agent`, now flying along the unit `heading`, to `goal`, into `out`. With a lag it begins with the stretch that is
 * flown before the force follows, and ends with a run-in. `rough` looks at arc, straight and arc only. Returns its length, m.
 */
export function planRoute(
  out: ArcPath,
  agent: Agent,
  heading: Vec3Like,
  goal: Goal,
  terms: VehicleLimits,
  rough = false,
): number {
  const { cruise, dt, final, lag, turnTime: swing } = terms
  const lead = agent.speed * (lag + SWING_LEAD * swing)
  const last = Math.max(final, SLOWEST * cruise)
  const runIn = (RUN_IN * lag + SWING_RUN_IN * swing) * last
  lay(out, agent, heading, goal, terms, lead, runIn + LAST_STEP * dt * last, rough)
  // a way that just fits, as most do that are flown anew, may be a whole turn longer for a hair of a straight
  const round = TURN * turnRadius(terms, final)
  if (runIn > 0 || !(out.length > distance(agent.position, goal.position) + round)) return out.length
  lay(bare, agent, heading, goal, terms, lead, 0, rough)
  return bare.length < out.length - round / 2 ? out.copy(bare).length : out.length
}

/** Lays the way: `lead` (m) straight on, the shortest, and `runIn` (m) straight to the goal. */
function lay(
  out: ArcPath,
  agent: Agent,
  heading: Vec3Like,
  goal: Goal,
  terms: VehicleLimits,
  lead: number,
  runIn: number,
  rough: boolean,
): void {
  const { brake, final, lag, turnTime: swing } = terms
  const { speed } = agent
  const margin = lag > 0 || swing > 0 ? LAG_MARGIN : 1
  radii.start = margin * turnRadius(terms, speed)
  radii.end = margin * turnRadius(terms, final)
  out.begin(agent.position, heading).straight(lead)
  copy(start.heading, heading)
  addScaled(start.position, agent.position, heading, lead)
  copy(end.heading, goal.heading)
  addScaled(end.position, goal.position, goal.heading, -runIn)
  shortest(terms, rough)
  const change = Math.abs(speed * speed - final * final) / (2 * brake)
  if (radii.start !== radii.end && straightOf(middle) < change) {
    radii.start = radii.end = Math.max(radii.start, radii.end)
    shortest(terms, rough)
  }
  out.append(middle).straight(runIn)
}

function shortest({ plane, reverse }: VehicleLimits, rough: boolean): void {
  const radius = Math.max(radii.start, radii.end)
  if (plane !== null) {
    if (reverse) reedsShepp(middle, start, end, radius, plane)
    else dubins2d(middle, start, end, radius, plane)
  } else if (reverse && !rough) reverse3d(middle, start, end, radius)
  else if (rough) csc(middle, start, end, radii.start, radii.end)
  else dubins3d(middle, start, end, radii)
}

/** Length of all straights, m. */
function straightOf(path: ArcPath): number {
  let sum = 0
  for (let i = 0; i < path.count; i++) if (path.bendOf(i) === 0) sum += path.startOf(i + 1) - path.startOf(i)
  return sum
}

/** Time (s) that the rest of the path from `s` takes who is now `speed` (m/s) fast. */
export function timeAlong(path: ArcPath, s: number, speed: number, terms: VehicleLimits): number {
  const { brake, cruise } = terms
  const piece = (path.length - s) / SAMPLES
  if (!(piece > 0)) return 0
  let time = 0
  let fast = Math.max(speed, SLOWEST * cruise)
  for (let i = 0; i < SAMPLES; i++) {
    const pace = paceAlong(path, s + (i + 0.5) * piece, terms)
    fast = Math.min(pace, Math.sqrt(fast * fast + 2 * brake * piece))
    fast = Math.max(fast, 1e-3 * cruise)
    time += piece / fast
  }
  return time
}
