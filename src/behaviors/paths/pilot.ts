import type { Agent, SnapshotState, Step, Wrench } from '../../types.js'
import type { Obstacle } from '../../obstacles/obstacle.js'
import { requireFinite, requireNumber } from '../../math/require.js'
import { distance, vec3 } from '../../math/vec3.js'
import type { VehicleLimits } from '../directed-seek/vehicle-limits.js'
import { isCrowded } from '../avoidance/crowd.js'
import { Detour } from './detour.js'
import { inTheWay, onTheLane } from './in-the-way.js'
import type { Following } from './path-techniques.js'
import type { BlockedPath, PilotMetrics, PilotOptions } from './pilot-options.js'
import { Progress } from './progress.js'

/** Shorter than some seconds, braking for a corner is trouble; longer, nobody waits for it. */
const DEFAULT_WINDOW = 3

const DEFAULT_THRESHOLD = 0.75

/** Who makes no progress, and has turned by so much, is not held but circles. */
const TURNED = 0.3

/** Segments of the path that are looked along for what is in the way: the last one, this one, and a next. */
const SEGMENTS = 3

type Trouble = BlockedPath['why']

const spot = vec3()

/** @throws TypeError / RangeError naming the option. */
export function readPilot(options: boolean | PilotOptions | undefined): Pilot | null {
  if (options === undefined || options === false) return null
  if (options !== true && (typeof options !== 'object' || options === null))
    throw new TypeError(`FollowPath.pilot: got ${String(options)}, must be true, false or an object`)
  return new Pilot(options === true ? {} : options)
}

/** Watches how agents get on along their paths, and helps those who do not. Its fields may be changed at any time. */
export class Pilot {
  window: number
  threshold: number
  escape: boolean
  renavigate: PilotOptions['renavigate']
  private readonly progress = new Progress()
  private readonly detour = new Detour()
  readonly state: SnapshotState = [this.progress, this.detour]

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: PilotOptions) {
    const { window = DEFAULT_WINDOW, threshold = DEFAULT_THRESHOLD, renavigate, escape = false } = options
    if (renavigate !== undefined && typeof renavigate !== 'function')
      throw new TypeError(`FollowPath.pilot.renavigate: got ${String(renavigate)}, must be a function`)
    this.window = requireFinite('FollowPath.pilot.window', window, 0, true)
    this.threshold = requireNumber('FollowPath.pilot.threshold', threshold, 0, true, 1)
    this.escape = escape
    this.renavigate = renavigate
  }

  /** On a new path. */
  begin(agent: Agent, way: number): void {
    this.progress.begin(agent, way)
    this.detour.forget(agent)
  }

  /** Adds the force of who is on a detour. @returns whether it is. */
  flyDetour(agent: Agent, step: Step, terms: VehicleLimits, out: Wrench): boolean {
    return this.detour.fly(agent, step, terms, out)
  }

  /** Looks how an agent gets on. @returns what trouble it is in. */
  look(agent: Agent, step: Step, { ahead, lane, manner, place, target, terms }: Following): Trouble | null {
    const { progress, threshold } = this
    const { slot } = agent
    const way = ahead - distance(target, agent.position)
    const { endless, lap } = lane.path
    const made = endless ? way / lap - Math.floor(way / lap) : 1 - (lane.end - way) / lap
    const isTime = progress.look(agent, step, way, terms.cruise, this.window)
    progress.setFinished(agent, Math.min(Math.max(made, 0), 1))
    if (!isTime) return null
    if (manner.crowdRadius !== undefined) {
      lane.pointAt(spot, lane.nextStation(place))
      progress.setCrowded(agent, isCrowded(agent, spot, manner.crowdRadius))
    }
    const circling = progress.circling(slot)
    if (progress.stuck(slot) < threshold && circling < threshold) return null
    const isCircling = circling >= Math.min(TURNED, threshold)
    progress.retry(agent, way, isCircling)
    return isCircling ? 'circling' : 'stuck'
  }

  /** Rests at the end. */
  rest(agent: Agent): void {
    this.progress.begin(agent, 0)
    this.progress.setFinished(agent, 1)
  }

  /** Says what is in the way. */
  describe(agent: Agent, why: Trouble, { lane, manner, place, target }: Following): BlockedPath {
    const { obstacles } = manner
    let obstacle: Obstacle | null = null
    let at = place
    if (obstacles !== undefined) {
      // what stands on the lane rather than what it only passes closely: that the agent can slide along
      for (const radius of [0, agent.radius]) {
        // a dog, or a hook, may be beyond of what holds the agent
        let from = lane.lastStation(lane.lastStation(place))
        for (let k = 0; k < SEGMENTS && obstacle === null && from < lane.end; k++) {
          obstacle = onTheLane(obstacles, radius, lane, from)
          if (obstacle !== null) at = from
          from = lane.nextStation(from)
        }
      }
      obstacle ??= inTheWay(obstacles, agent.radius, agent.position, target)
    }
    return {
      why,
      path: lane.path,
      place: lane.direction * place,
      waypoint: lane.waypointAt(at),
      segment: lane.segmentAt(at),
      obstacle,
      crowded: this.progress.crowded(agent.slot),
      tries: this.progress.tries(agent.slot) - 1,
    }
  }

  /** Lets who is in trouble try something else, see `PilotOptions.escape`. @returns the way along the lane to go on at. */
  breakFree(
    agent: Agent,
    step: Step,
    why: Trouble,
    { ahead, lane, manner, place, target }: Following,
  ): number {
    const { detour, progress } = this
    const { obstacles } = manner
    const { slot } = agent
    if (!this.escape || progress.crowded(slot) >= this.threshold) return place
    if (why === 'circling') return ahead
    const back = obstacles === undefined ? NaN : detour.goBack(agent, step, lane, place, target, obstacles)
    if (!Number.isNaN(back)) return back
    detour.backOff(agent, step, target, progress.tries(slot) - 1, obstacles)
    return place
  }

  metricsOf(slot: number): PilotMetrics {
    const { progress } = this
    return {
      stuck: progress.held(slot),
      finished: progress.finished(slot),
      crowded: progress.crowded(slot),
      circling: progress.circling(slot),
    }
  }
}
