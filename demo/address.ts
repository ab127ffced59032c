/** Options given by the query string of the page, for example `?scene=ships&seed=3&count=1000&paused=1`. */
export interface Address {
  /** Scene id. Empty shows the gallery. */
  readonly scene: string
  readonly seed: number
  readonly count?: number
  readonly paused: boolean
  readonly antialias: boolean
  /**
   * `sky=0` turns off image-based lighting by the sky. Preparing it takes seconds on a computer without a
   * graphics card.
   */
  readonly skylight: boolean
  /** Upper bound for device pixels per CSS pixel. */
  readonly pixelRatio: number
  /** `ui=0` hides everything except the canvas. */
  readonly ui: boolean
}

const MAX_COUNT = 100_000

export function readAddress(search: string): Address {
  const query = new URLSearchParams(search)
  const count = integerOf(query, 'count', 1, MAX_COUNT)
  return {
    scene: query.get('scene') ?? '',
    seed: integerOf(query, 'seed', 0, 0x7fffffff) ?? 1,
    ...(count === undefined ? {} : { count }),
    paused: query.get('paused') === '1',
    antialias: query.get('aa') !== '0',
    skylight: query.get('sky') !== '0',
    pixelRatio: integerOf(query, 'pixels', 1, 4) ?? 2,
    ui: query.get('ui') !== '0',
  }
}

function integerOf(query: URLSearchParams, name: string, low: number, high: number): number | undefined {
  const text = query.get(name)
  if (text === null || text === '') return undefined
  const value = Number(text)
  if (!Number.isInteger(value) || value < low || value > high) {
    throw new RangeError(
      `${name}=${text} in the address: a integerOf number from ${low} to ${high} is allowed`,
    )
  }
  return value
}
