/** A kind of fish. Each kind schools with its own kind and avoids all others. */
export interface Kind {
  readonly name: string
  readonly count: number
  /** Length from nose to tail (m). */
  readonly length: number
  /** Radius for avoidance (m). */
  readonly radius: number
  /** Cruising speed and escape speed (m/s). */
  readonly cruise: number
  readonly burst: number
  /** Greatest acceleration (m/s²). Every fish has a mass of 1 kg. */
  readonly force: number
  /** Neighbour distances of separation, alignment and cohesion (m). */
  readonly apart: number
  readonly along: number
  readonly together: number
  /** Path of the school around the reef: radius and height (m), sense of rotation, and start angle (rad). */
  readonly round: {
    readonly out: number
    readonly up: number
    readonly sense: 1 | -1
    readonly start: number
  }
}

export const KINDS: readonly Kind[] = [
  {
    name: 'basslets',
    count: 160,
    length: 0.5,
    radius: 0.16,
    cruise: 1.7,
    burst: 5.5,
    force: 12,
    apart: 0.95,
    along: 2.2,
    together: 3,
    round: { out: 8, up: 4.8, sense: 1, start: 0.6 },
  },
  {
    name: 'damsels',
    count: 110,
    length: 0.6,
    radius: 0.2,
    cruise: 1.6,
    burst: 5,
    force: 11,
    apart: 1.25,
    along: 2.4,
    together: 3.4,
    round: { out: 11.5, up: 3.6, sense: -1, start: 2.4 },
  },
  {
    name: 'fusiliers',
    count: 84,
    length: 0.85,
    radius: 0.24,
    cruise: 2.8,
    burst: 6.5,
    force: 13,
    apart: 1.5,
    along: 3.6,
    together: 4.5,
    round: { out: 13, up: 7.8, sense: 1, start: 4.2 },
  },
  {
    name: 'jacks',
    count: 26,
    length: 1.5,
    radius: 0.42,
    cruise: 3,
    burst: 7,
    force: 12,
    apart: 2.6,
    along: 5,
    together: 6,
    round: { out: 15, up: 6, sense: -1, start: 5.4 },
  },
]
