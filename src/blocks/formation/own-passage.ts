import type { Step } from '../../core/types.js'
import { clamp } from '../../core/math/scalar.js'
import { length, lerp, set, sub, vec3 } from '../../core/math/vec3.js'
import { changeTime } from './formation-change.js'
import type { FormationMotion } from './formation-motion.js'
import { makeSlotState, type Member } from './member.js'
import type { Members } from './members.js'
import { FREE_TIME, OPENING_CLEARANCE, type PassageSearch, SEARCH_PERIOD } from './passage-search.js'
import { Saved } from '../../core/control/serialize-fields.js'

/** Shares of the way to the column that are tried, the least first. Chosen by hand. */
const SHARES = [0, 0.25, 0.5, 0.75, 1]

/** A share this near to its goal, and this slow (1/s), is at its goal. */
const CLOSE = 1e-6
const SLOW = 1e-4

const place = vec3()
const step3 = vec3()
const inColumn = makeSlotState()

/**
 * Each member by itself moves its own slot towards its place in a column behind the leader, as far as its way
 * ahead needs (J. van Verth in Green, Steering Formations: "if a vehicle following its formation position
 * found itself to be intersecting an obstacle in the near future, it would interpolate its formation position
 * with a column position"). The others keep their slots.
 */
export class OwnPassage extends Saved {
  private sinceSearch = 0
  /** Whether a slot has been moved, or is to be moved. */
  private active = false
  private readonly passage: PassageSearch
  private readonly motion: FormationMotion
  private readonly members: Members

  constructor(passage: PassageSearch, motion: FormationMotion, members: Members) {
    super()
    this.passage = passage
    this.motion = motion
    this.members = members
  }

  /**
   * Finds for each member how far it must move to the column. `gap` (m): between two members of the column.
   * Members that are late by less than `late` (m) keep their slots.
   */
  search(gap: number, late: number, step: Step): void {
    const { obstacles } = this.passage.options
    if (obstacles === undefined && !this.active) return
    this.sinceSearch += step.dt
    if (this.sinceSearch < SEARCH_PERIOD) return
    obstacles?.refreshFor(step)
    const { limits } = this.motion
    const { captain, list } = this.members
    this.active = false
    for (const member of list) {
      if (member.columnGoal === 0 && member.lag < late) continue
      this.active = true
      if (member === captain || member.joining) {
        member.columnGoal = 0
        continue
      }
      this.findColumnPlace(member, gap)
      const { x, y, z } = sub(step3, inColumn.position, member.to)
      member.columnTime = changeTime(Math.max(x, 0), Math.max(-x, 0), Math.hypot(y, z), limits)
      const lookAhead = limits.speed * member.columnTime + length(step3) + 2 * member.radius
      const wanted = this.leastFreeShare(member, lookAhead)
      member.columnFreeFor = wanted < member.columnGoal ? member.columnFreeFor + this.sinceSearch : 0
      if (wanted > member.columnGoal || member.columnFreeFor >= FREE_TIME) member.columnGoal = wanted
    }
    this.sinceSearch = 0
  }

  /** Moves the slot state of a member, which has been computed for this step, towards the column. */
  move(member: Member, gap: number, dt: number): void {
    const acceleration = advanceShare(member, dt)
    const { columnRate, columnShare, slotState } = member
    if (!(columnShare > 0)) return
    this.findColumnPlace(member, gap)
    this.motion.blendToTrail(slotState, inColumn, columnShare, columnRate, acceleration, dt)
  }

  /**
   * Writes the place of a member in the column, in the frame of the anchor, into `inColumn`: behind the
   * leader, in the order of their slots from front to rear.
   */
  private findColumnPlace(member: Member, gap: number): void {
    const { captain, list } = this.members
    let rank = 1
    for (const other of list) if (other !== member && other !== captain && isBefore(other, member)) rank++
    set(inColumn.position, -rank * gap, 0, 0)
  }

  /**
   * The least share at which the member's ball is free up to `lookAhead` (m) ahead of its slot. If the leader
   * itself would touch an obstacle, it will turn before that place, so contacts beyond it do not count.
   */
  private leastFreeShare(member: Member, lookAhead: number): number {
    const { passage } = this
    const { columnGoal, columnShare, radius, to } = member
    const { position: end } = inColumn
    const clearance = passage.clearanceOf(radius)
    const leaderFree = passage.leaderFreeDistance(radius, lookAhead + Math.max(0, to.x - end.x))
    // from where the member is now on, if it must catch up
    const now = to.x + (end.x - to.x) * columnShare
    for (const share of SHARES) {
      const margin = share < columnGoal ? OPENING_CLEARANCE * radius : 0
      lerp(place, to, end, share)
      const far = Math.min(leaderFree, lookAhead + to.x - place.x)
      if (passage.sweep(place, radius + clearance + margin, Math.min(0, now - place.x), far) >= far)
        return share
    }
    return 1
  }
}

function isBefore(a: Member, b: Member): boolean {
  const nearer = length(a.to) - length(b.to)
  return a.to.x === b.to.x ? nearer < 0 || (nearer === 0 && a.key < b.key) : a.to.x > b.to.x
}

/**
 * Moves the share towards its goal, with a constant acceleration and then a constant deceleration; from 0 to
 * 1 it takes the member's `columnTime`. Returns the acceleration of the share (1/s²).
 */
function advanceShare(member: Member, dt: number): number {
  const { columnGoal, columnRate, columnShare, columnTime } = member
  const error = columnGoal - columnShare
  if (Math.abs(error) < CLOSE && Math.abs(columnRate) < SLOW) {
    member.columnShare = columnGoal
    member.columnRate = 0
    return 0
  }
  // half of the way with 4 / T², the other half against it
  const most = 4 / (Math.max(columnTime, dt) * Math.max(columnTime, dt))
  const half = (most * dt) / 2
  const rate = Math.sign(error) * (Math.sqrt(half * half + 2 * most * Math.abs(error)) - half)
  const change = clamp(rate - columnRate, -most * dt, most * dt)
  member.columnShare = clamp(columnShare + (columnRate + change / 2) * dt, 0, 1)
  member.columnRate = columnRate + change
  return change / dt
}
