import { EPOCH, RATE } from '../world/plan.js'

const BEAT = 1000 / RATE

/** What is added to the clock of this machine (ms), so that all machines have the same. */
let shift = 0

/** Wall clock of the world (ms since the epoch). All processes of a machine have the same. */
export const clockNow = (): number => performance.timeOrigin - EPOCH + performance.now() + shift

/** Differences (ms) that are left alone, that are set at once, and what one correction is at most. */
const EXACT = 5
const FAR = 100
const SLEW = 1

/**
 * Brings the clock to that of the store, which has just said its time (ms since 1970). Small differences go in
 * small steps. Returns how far off the clock was where that was far.
 */
export function agreeOn(time: number): number {
  const error = time - EPOCH - clockNow()
  if (Math.abs(error) < EXACT) return 0
  const isFar = Math.abs(error) > FAR
  shift += isFar ? error : Math.sign(error) * SLEW
  return isFar ? error : 0
}

/** The present beat, of the same clock. */
export const beatNow = (): number => Math.floor(clockNow() / BEAT)

/**
 * Calls `step` with the number of the beat, `RATE` times a second, at the same moments in all processes. A beat
 * that comes too late is left out: a room that is too slow becomes slow motion, and never works off a backlog.
 * @returns a function that ends it.
 */
export function keepTime(step: (beat: number) => void): () => void {
  let last = beatNow()
  let timer: NodeJS.Timeout
  const wait = (): void => {
    timer = setTimeout(tick, Math.max(1, (last + 1) * BEAT - clockNow()))
  }
  const tick = (): void => {
    const beat = beatNow()
    if (beat > last) {
      last = beat
      step(beat)
    }
    wait()
  }
  wait()
  return () => clearTimeout(timer)
}
