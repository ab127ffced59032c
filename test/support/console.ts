/** One call of `console.error` or `console.warn`. */
export interface ConsoleCall {
  readonly level: 'error' | 'warn'
  readonly text: string
}

let calls: ConsoleCall[] = []
let expected = false
const watched = new Set<ConsoleCall['level']>()

/**
 * Declares that this test expects console output. Returns the calls of this test so far and to come (live).
 */
export function expectConsole(): readonly ConsoleCall[] {
  expected = true
  return calls
}

/** Replaces one console method, once: records its calls, and prints those of tests that expect none. */
export function watchConsole(level: ConsoleCall['level']): void {
  if (watched.has(level)) return
  watched.add(level)
  const print = console[level].bind(console)
  console[level] = (...args: unknown[]) => {
    calls.push({ level, text: args.map(String).join(' ') })
    if (!expected) print(...args)
  }
}

/** Returns the unexpected calls since the last call, and starts again. */
export function takeUnexpectedCalls(): readonly ConsoleCall[] {
  const unexpected = expected ? [] : calls
  calls = []
  expected = false
  return unexpected
}
