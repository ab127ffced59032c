import { reportArrived } from '../control/wish.js'
import type { Agent, Behavior, ObstacleQuery, SnapshotState, Step, Vec3Like } from '../types.js'
import { Memory } from '../control/memory.js'
import * as N from './no-way.js'
import { distance, load, save, vec3 } from '../math/vec3.js'

/** A target that has moved by more than this share of the radius is a new one. */
const TARGET_SHIFT = 0.1

const place = vec3()

/** `NoWay` of a behaviour that itself tells that there is none, and then rests. */
export class Barred extends N.NoWay {
  readonly state: SnapshotState = [this.memory]

  constructor() {
    super(new Memory(N.NO_WAY_WIDTH, N.NO_WAY_PLACES), 0)
  }

  /** Whether it needs a route, see `seeksRoute`. */
  needsRoute(agent: Agent): boolean {
    return this.has(agent, N.ROUTED, 1)
  }

  /**
   * For a behaviour without a goal: it needs a route to the place `ahead` (m) once it is held up, until the
   * straight line to that place is free.
   */
  seeksRoute(agent: Agent, map: ObstacleQuery, ahead: Vec3Like): void {
    const at = this.at(agent)
    const { data } = this.memory
    if (data[at + N.ROUTED] === 1) data[at + N.ROUTED] = map.isPathFree(agent.position, ahead, 1) ? 0 : 1
    else if (data[at + N.STATUS] === 1 && data[at + N.SINCE]! > N.HELD_UP) data[at + N.ROUTED] = 1
  }

  /**
   * For a behaviour that was barred: whether it shall still rest, as the straight line to its target (m), the
   * same one, is not free. Undefined: as it was then.
   */
  holds(agent: Agent, step: Step, map: ObstacleQuery | null, target?: Vec3Like): boolean {
    if (!this.isKnown(agent)) return false
    load(place, this.memory.data, this.at(agent) + N.TARGET)
    const isSame = target === undefined || distance(place, target) < TARGET_SHIFT * agent.radius
    if (isSame && !this.isOutdated(agent, step, map) && !isWayFree(agent, map, place)) {
      reportArrived(agent)
      return true
    }
    this.forget(agent)
    return false
  }

  /**
   * For a behaviour that goes to `target` (m), and has so much `left` (m): whether it is found now that no
   * way leads there past the obstacles in `map`, within the bounds. Emits `cannot` then.
   * @param turning time (s) for which it may turn on the spot.
   */
  bars(
    agent: Agent,
    step: Step,
    behavior: Behavior,
    map: ObstacleQuery | null,
    target: Vec3Like,
    left: number,
    turning: number,
  ): boolean {
    // one that a combination has brought to rest was told by it
    if (agent.wish?.settled === true) return false
    if (map === null && (agent.wish?.bounds ?? null) === null) return false
    const patience = N.PATIENCE + turning
    const hasBeenAround = this.update(agent, step, left, patience)
    const { data } = this.memory
    const at = this.at(agent)
    const isNear = left < data[at + N.LEAST]! + N.NEAR * agent.radius
    const isLate = data[at + N.SINCE]! > (isNear ? patience : 2 * patience)
    const mayRest = isLate && isShut(agent, map, target)
    const isClosed = this.isClosed(agent, step, map, target)
    if (!hasBeenAround && !mayRest && !isClosed) return false
    if (isWayFree(agent, map, target) || N.isAmongOthers(agent)) return false
    this.note(agent, map)
    save(target, data, at + N.TARGET)
    step.emit(
      agent,
      'cannot',
      behavior,
      '',
      'comes no nearer: obstacles or bounds are in its way on all sides',
    )
    reportArrived(agent)
    return true
  }
}

/** Whether the straight line to a place (m) is free of the obstacles in `map`, and within the bounds. */
function isWayFree({ position, wish }: Agent, map: ObstacleQuery | null, to: Vec3Like): boolean {
  const bounds = wish?.bounds ?? null
  return (
    (map === null || map.isPathFree(position, to)) && (bounds === null || bounds.isPathFree(position, to))
  )
}

/** Whether it cannot be near a place (m), which lies in an obstacle in `map` or out of its bounds. */
function isShut({ radius, wish }: Agent, map: ObstacleQuery | null, at: Vec3Like): boolean {
  const away = Math.max(map?.distanceToFree(at) ?? 0, wish?.bounds?.distanceToFree(at) ?? 0)
  return away > radius
}
