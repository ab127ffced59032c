/** Lines that are written in a second; what is beyond is counted. */
const MOST = 10

let second = 0
let lines = 0

function write(...parts: unknown[]): void {
  const now = Math.floor(performance.now() / 1000)
  if (now !== second) {
    if (lines > MOST) console.warn(`and ${lines - MOST} lines more`)
    second = now
    lines = 0
  }
  if (++lines <= MOST) console.warn(parts.map(String).join(' ').split('\n', 1)[0])
}

/** Whoever attacks a server writes its log: so errors have one line each, and few in a second. */
export const shortLog = { ...console, error: write, warn: write }
