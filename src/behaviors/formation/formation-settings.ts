import type { MovingFrame } from '../../types.js'
import {
  checkFormation,
  requireLeader,
  requireMaker,
  requirePace,
  requireSpacing,
  type FormationPace,
  type FormationShape,
} from './formation-options.js'
import type { Pattern } from './formation-slot.js'
import type { FormationFrame } from './guide.js'
import { wedgePattern } from './patterns.js'

/** What of a formation may be changed at any time. */
export abstract class FormationSettings {
  columnSpacing: number | undefined
  warp: boolean
  frame: FormationFrame
  private _pattern: Pattern
  private _spacing: number
  private _leader: MovingFrame | null
  private _pace: FormationPace

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: FormationShape) {
    checkFormation(options)
    const {
      frame = 'attitude',
      leader = null,
      pace = 'slowest',
      pattern = wedgePattern,
      warp = false,
    } = options
    this._pattern = pattern
    this._spacing = options.spacing
    this._leader = leader
    this._pace = pace
    this.frame = frame
    this.warp = warp
    this.columnSpacing = options.columnSpacing
  }

  /** Called after a change that asks for other places. */
  protected abstract reshape(leader: boolean): void

  get pattern(): Pattern {
    return this._pattern
  }

  /** The members change over to the new one in flight. @throws TypeError for no function. */
  set pattern(pattern: Pattern) {
    this._pattern = requireMaker(pattern)
    this.reshape(false)
  }

  /** m */
  get spacing(): number {
    return this._spacing
  }

  /** @throws TypeError / RangeError unless > 0. */
  set spacing(spacing: number) {
    this._spacing = requireSpacing('Formation.spacing', spacing)
    this.reshape(false)
  }

  get leader(): MovingFrame | null {
    return this._leader
  }

  /** The members change over to where the new one is. @throws TypeError unless it has a position and a velocity. */
  set leader(leader: MovingFrame | null) {
    this._leader = requireLeader(leader)
    this.reshape(true)
  }

  get pace(): FormationPace {
    return this._pace
  }

  /** @throws RangeError naming what is allowed. */
  set pace(pace: FormationPace) {
    this._pace = requirePace(pace)
  }
}
