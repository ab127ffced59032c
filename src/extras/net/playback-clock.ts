import { clamp } from '../../core/math/scalar.js'

// The values below are chosen by hand. Times are in seconds.

/** Time for which an arrival counts in the estimate of the server's clock. Longer: a drift shows later. */
const WINDOW = 2
/** A larger error is not worked off by drawing faster or slower, but by a jump ahead. */
const JUMP = 0.5
/** A larger error is worked off at `LARGE_RATE`. Larger: corrections take longer, and are seen less. */
const SMALL = 0.25
/** Drawing up to this share faster or slower is hardly seen. */
const SMALL_RATE = 0.1
/** Time is drawn up to this share faster or slower where the error is large. */
const LARGE_RATE = 0.5
/** Time constant in which a small error is worked off. Longer: more evenly. */
const SETTLE = 0.5
/**
 * Time for which a wait for a packet counts in the choice of the delay. Longer: fewer stops, and later
 * shrinking.
 */
const WAIT_WINDOW = 5
/** What the delay has above the longest wait: a frame of 60 a second. */
const MARGIN = 1 / 60
/** Time that is drawn beyond the newest packet. Longer: fewer stops, and larger corrections after them. */
export const AHEAD = 0.25
/** A packet that is older than the newest by more than this may come from a server that was set back. */
const SET_BACK = 2
/** After this many such packets in a row it counts as set back. */
const SET_BACK_PACKETS = 5

/**
 * The server time that is drawn. It follows the server's clock at a distance, evenly, and never goes back
 * except after the server's own clock went back. The packet that was on its way for the shortest time tells
 * best how the clocks compare, so late packets do no harm.
 */
export class PlaybackClock {
  /** Server time that is drawn, s; −Infinity before the first update after a packet. */
  time = -Infinity
  /** By how much the last update advanced it, s. */
  step = 0.5
  /** Whether the last update left out time. */
  jumped = false
  /** Time of the newest packet, s; −Infinity before the first one. */
  newest = -Infinity
  private readonly mostDelay: number
  private readonly leastDelay: number
  private started = false
  /** Local time of the last call, and of the last update. */
  private now = NaN
  private updated = NaN
  /** Server time minus local time of the fastest packet: in this window, and in the one before. */
  private best = -Infinity
  private bestBefore = -Infinity
  private windowStart = 0.5
  /** The longest wait for a packet, see `delay`: in this window, and in the one before. */
  private wait = -Infinity
  private waitBefore = -Infinity
  private waitStart = 0.5
  private old = 0

  constructor(mostDelay: number, leastDelay: number) {
    this.mostDelay = mostDelay
    this.leastDelay = leastDelay
  }

  /**
   * How far behind the server time is drawn, s: so far that none of the last packets came too late to be
   * drawn.
   */
  get delay(): number {
    const wait = Math.max(this.wait, this.waitBefore)
    return wait === -Infinity ? this.mostDelay : clamp(wait + MARGIN, this.leastDelay, this.mostDelay)
  }

  /** Takes note of a packet. True when the server's clock was set back: then all older packets are void. */
  hear(time: number, now: number): boolean {
    let isSetBack = false
    if (time < this.newest - SET_BACK) {
      if (++this.old < SET_BACK_PACKETS) return false
      isSetBack = true
      this.reset()
    }
    this.old = 0
    this.tell(now)
    if (this.newest === -Infinity) this.windowStart = now
    if (now - this.windowStart > WINDOW) {
      this.bestBefore = this.best
      this.best = -Infinity
      this.windowStart = now
    }
    this.best = Math.max(this.best, time - now)
    if (time > this.newest) this.noteWait(now)
    this.newest = Math.max(this.newest, time)
    return isSetBack
  }

  advance(now: number): void {
    this.tell(now)
    const dt = Number.isNaN(this.updated) ? 0 : now - this.updated
    this.updated = now
    this.step = 0
    this.jumped = false
    if (this.newest === -Infinity) return
    const wanted = now + Math.max(this.best, this.bestBefore) - this.delay
    const before = this.time
    const error = wanted - (before + dt)
    if (!this.started || error > JUMP) this.time = wanted
    else {
      const limit = (error < -SMALL || error > SMALL ? LARGE_RATE : SMALL_RATE) * dt
      this.time = before + dt + Math.max(-limit, Math.min(limit, error * Math.min(1, dt / SETTLE)))
    }
    this.time = Math.min(this.time, this.newest + AHEAD)
    if (this.started) {
      this.time = Math.max(this.time, before)
      this.step = this.time - before
    }
    this.jumped = !this.started || this.step > JUMP
    this.started = true
  }

  /** Just before this packet came, the newest one was the last that could be drawn. */
  private noteWait(now: number): void {
    if (this.newest === -Infinity) {
      this.waitStart = now
      return
    }
    if (now - this.waitStart > WAIT_WINDOW) {
      this.waitBefore = this.wait
      this.wait = -Infinity
      this.waitStart = now
    }
    this.wait = Math.max(this.wait, now + Math.max(this.best, this.bestBefore) - this.newest)
  }

  reset(): void {
    this.started = false
    this.time = -Infinity
    this.newest = this.best = this.bestBefore = -Infinity
    this.wait = this.waitBefore = -Infinity
    this.old = 0
  }

  /** Follows the local clock where it was set back. */
  private tell(now: number): void {
    if (now < this.now) {
      const back = this.now - now
      this.best += back
      this.bestBefore += back
      this.windowStart -= back
      this.waitStart -= back
      this.updated -= back
    }
    this.now = now
  }
}
