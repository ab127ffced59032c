import type { Agent, Neighborhood, ObstacleQuery, Step, Vec3Like } from '../types.js'
import type { Memory } from '../control/memory.js'
import { topSpeed } from '../control/drive.js'
import { neighborsOf } from '../control/neighbors-of.js'
import { distance, load, save, vec3 } from '../math/vec3.js'

// The numbers below are chosen by hand.

/** It comes nearer when it gains this share of its radius. */
const PROGRESS = 0.5
/** One that comes no nearer for less than this time (s) may still. Longer: it is told later. */
export const PATIENCE = 10
/**
 * It has been everywhere when it has gone this many times as far as it ever was from where it came nearest. A
 * round of a circle is 3.1 of these, of a square 2.8, and there and back 2.
 */
const ROUNDS = 5
/** It then rests where no more than this (radii) is left besides the least, or after as long again. */
export const NEAR = 2
/**
 * One that comes no nearer for this time (s) is held up: it needs a route, and while others are in the way
 * the time stands still. Longer: fewer searches for routes.
 */
export const HELD_UP = 1
/** One that is faster than this share of its top speed is not held up. Smaller: more that wait give up. */
const PACE = 0.5
/** Others within this multiple of the sum of the radii are in the way. */
const CLOSE = 2
/** One that comes no nearer for this time (s), and each time as long again, looks whether a route is left. */
const LOOK = 3
/** It has no way where it has found none so often, and has looked everywhere. Larger: it is told later. */
const LOOKS = 2
/** It tries again after this time (s) where obstacles have moved. Longer: fewer attempts in vain. */
const RETRY = 20
/** Obstacles that have moved by less than this share of the radius, together, have not. */
const MOVED = 0.5

// stored for each agent: whether it has begun (1), or has no way (2), the least that was left (m), for how
// long (s) it has come no nearer, where it was then, how far from there it has been and has gone (m), the
// target (m), whether it needs a route; and of the step in which it was found that it has no way, since which
// SINCE counts: how many obstacles there were, how many that follow a body were at rest, and their mean (m);
// for how long it came no nearer at its next look, and how often in a row it has found no route
export const STATUS = 0
export const LEAST = 1
export const SINCE = 2
const PLACE = 3
const FAR = 6
const WENT = 7
export const TARGET = 8
export const ROUTED = 11
const OBSTACLES = 12
const AT_REST = 13
const MEAN = 14
const NEXT_LOOK = 17
const CLOSED = 18

/** Numbers of a `NoWay` for each agent, and which of them are places. */
export const NO_WAY_WIDTH = 19
export const NO_WAY_PLACES: readonly number[] = [PLACE, TARGET, MEAN]

const NONE = 2

const place = vec3()
const mean = vec3()
const before = vec3()

/**
 * Finds the agents to whose goal no way leads past the obstacles at rest, or within their bounds: they go
 * round and round, or to and fro, and come no nearer (a robot that is back on its own track has been all
 * around, Lumelsky and Stepanov, Dynamic Path Planning for a Mobile Automaton with Limited Information,
 * 1986).
 */
export class NoWay {
  protected readonly memory: Memory
  private readonly first: number

  /** `memory`: has room for its numbers from `first` on, and is saved elsewhere. */
  constructor(memory: Memory, first: number) {
    this.memory = memory
    this.first = first
  }

  /** Whether there is none, as the last `update` found. */
  isKnown(agent: Agent): boolean {
    return this.has(agent, STATUS, NONE)
  }

  protected has(agent: Agent, k: number, value: number): boolean {
    const at = this.memory.find(agent)
    return at >= 0 && this.memory.data[at + this.first + k] === value
  }

  /** Where its numbers of an agent begin. */
  protected at(agent: Agent): number {
    return this.memory.at(agent) + this.first
  }

  /** The goal is a new one, or its way is free. */
  forget(agent: Agent): void {
    const at = this.memory.find(agent) < 0 ? -1 : this.at(agent)
    if (at >= 0) this.memory.data[at + STATUS] = this.memory.data[at + ROUTED] = 0
  }

  /**
   * Called in each step in which the agent goes on, with what is `left` (m) of its way. @returns whether it
   * has gone far in vain, or, after `patience` (s), has not even left the place.
   */
  update(agent: Agent, { dt }: Step, left: number, patience = Infinity): boolean {
    const at = this.at(agent)
    const { data } = this.memory
    const { position, radius, speed } = agent
    if (data[at + STATUS] === 0 || left < data[at + LEAST]! - PROGRESS * radius) {
      data[at + STATUS] = 1
      data[at + LEAST] = left
      data[at + SINCE] = data[at + FAR] = data[at + WENT] = data[at + CLOSED] = 0
      data[at + NEXT_LOOK] = LOOK
      save(position, data, at + PLACE)
      return false
    }
    // others that hold it up are not what bars its way
    if (data[at + SINCE]! > HELD_UP && isAmongOthers(agent)) return false
    data[at + SINCE]! += dt
    // one that stands elsewhere shall be told, too
    const stands = speed * PATIENCE < radius
    data[at + WENT]! += (stands ? data[at + FAR]! / PATIENCE : speed) * dt
    const far = (data[at + FAR] = Math.max(
      data[at + FAR]!,
      distance(load(place, data, at + PLACE), position),
    ))
    if (!(data[at + SINCE]! > PATIENCE)) return false
    const rounds = data[at + WENT]! / (ROUNDS * Math.max(far, radius))
    const isOver = rounds > 2 || (rounds > 1 && left < data[at + LEAST]! + NEAR * radius)
    return isOver || (data[at + SINCE]! > patience && far < radius)
  }

  /**
   * Called in each step after `update`: whether no route past the obstacles in `map` leads to `target` (m),
   * as far as it knows, and it is about as near as it ever was, where so much is `left` (m).
   */
  isClosed(agent: Agent, step: Step, map: ObstacleQuery | null, target: Vec3Like, left = 0): boolean {
    const at = this.at(agent)
    const { data } = this.memory
    if (map?.hasRoute !== undefined && data[at + SINCE]! > data[at + NEXT_LOOK]!) {
      data[at + NEXT_LOOK]! += LOOK
      data[at + CLOSED] = map.hasRoute(agent, step, target) ? 0 : data[at + CLOSED]! + 1
    }
    return data[at + CLOSED]! >= LOOKS && left < data[at + LEAST]! + NEAR * agent.radius
  }

  /**
   * Called in each step in which it rests: whether obstacles have come, gone, moved or turned since, and it
   * tries again. What moves on and on bars no way.
   */
  isOutdated(agent: Agent, { dt }: Step, map: ObstacleQuery | null): boolean {
    const at = this.at(agent)
    const { data } = this.memory
    data[at + SINCE]! += dt
    if (!(data[at + SINCE]! > RETRY)) return false
    if ((map?.size ?? 0) !== data[at + OBSTACLES]) return true
    const count = map?.atRest(mean) ?? 0
    const moved = count * distance(load(before, data, at + MEAN), mean)
    return count !== data[at + AT_REST] || moved > MOVED * agent.radius
  }

  /** Notes that there is no way past the obstacles in `map`. */
  note(agent: Agent, map: ObstacleQuery | null): void {
    const at = this.at(agent)
    const { data } = this.memory
    data[at + STATUS] = NONE
    data[at + SINCE] = 0
    data[at + OBSTACLES] = map?.size ?? 0
    data[at + AT_REST] = map?.atRest(mean) ?? 0
    save(mean, data, at + MEAN)
  }
}

/** Whether the agent is so slow that it may be held up. */
export function isSlow(agent: Agent): boolean {
  return !(agent.speed > PACE * topSpeed(agent))
}

/** Whether others are so close that they keep it from going on, and can make way. None does at full pace. */
export function isAmongOthers(agent: Agent): boolean {
  if (!isSlow(agent)) return false
  const neighbors = neighborsOf(agent)
  for (let i = 0; i < neighbors.count; i++) if (isInTheWay(agent, neighbors, i)) return true
  return false
}

/** The same for one of the neighbours. */
export function isInTheWay({ group, radius }: Agent, neighbors: Neighborhood, i: number): boolean {
  const r = neighbors.row[i]!
  return (
    neighbors.distanceSq[i]! < (CLOSE * (radius + neighbors.radius(r))) ** 2 &&
    neighbors.priority(r) < Infinity &&
    (neighbors.avoids(r) & group) !== 0
  )
}
