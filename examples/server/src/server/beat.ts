import { RATE } from '../world/plan.js'

const BEAT = 1000 / RATE

/** Start of the world's clock: time then fits into fewer digits than since 1970. */
const EPOCH = Date.UTC(2026, 0, 1)

/** Wall clock that never goes back (ms since the epoch). All processes of a machine have the same. */
export const clockNow = (): number => performance.timeOrigin - EPOCH + performance.now()

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
