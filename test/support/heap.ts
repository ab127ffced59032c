// set by `node --expose-gc`
const collect = (globalThis as { gc?: () => void }).gc!

export interface HeapUse {
  /** Allocated bytes per step. */
  readonly allocated: number
  /** Total growth of the heap (bytes) that was not collected. */
  readonly retained: number
}

export function measureHeap(step: () => void, steps: number): HeapUse {
  collect()
  const before = process.memoryUsage().heapUsed
  let allocated = 0
  let last = before
  for (let i = 0; i < steps; i++) {
    step()
    const now = process.memoryUsage().heapUsed
    // a step in which the collector ran is not counted: a few of hundreds
    if (now > last) allocated += now - last
    last = now
  }
  collect()
  return { allocated: allocated / steps, retained: process.memoryUsage().heapUsed - before }
}

/**
 * The least values of up to twenty measurements, until both are below their bounds: some code is compiled
 * late. What a step itself allocates or retains is in each measurement.
 */
export function leastHeapUse(step: () => void, steps: number, bound: number, mayRetain = Infinity): HeapUse {
  let { allocated, retained } = measureHeap(step, steps)
  for (let i = 0; i < 19 && (allocated >= bound || retained >= mayRetain); i++) {
    const next = measureHeap(step, steps)
    allocated = Math.min(allocated, next.allocated)
    retained = Math.min(retained, next.retained)
  }
  return { allocated, retained }
}

/** Bytes per step that the measurement itself allocates. */
export function measuringOverhead(steps: number): number {
  return measureHeap(() => undefined, steps).allocated
}
