/** What the address asks for, for example `?scene=ships&seed=3&count=1000&paused=1`. */
export interface Address {
  /** Empty: the gallery. */
  readonly scene: string
  readonly seed: number
  readonly count?: number
  readonly paused: boolean
  readonly antialias: boolean
  /** `sky=0`: things are not lit by the sky, which takes seconds to prepare where there is no graphics card. */
  readonly skylight: boolean
  /** Upper bound for device pixels per CSS pixel. */
  readonly pixelRatio: number
  /** `ui=0` hides everything but the picture. */
  readonly ui: boolean
}

const MAX_COUNT = 100_000

export function readAddress(search: string): Address {
  const query = new URLSearchParams(search)
  const count = whole(query, 'count', 1, MAX_COUNT)
  return {
    scene: query.get('scene') ?? '',
    seed: whole(query, 'seed', 0, 0x7fffffff) ?? 1,
    ...(count === undefined ? {} : { count }),
    paused: query.get('paused') === '1',
    antialias: query.get('aa') !== '0',
    skylight: query.get('sky') !== '0',
    pixelRatio: whole(query, 'pixels', 1, 4) ?? 2,
    ui: query.get('ui') !== '0',
  }
}

function whole(query: URLSearchParams, name: string, low: number, high: number): number | undefined {
  const text = query.get(name)
  if (text === null || text === '') return undefined
  const value = Number(text)
  if (!Number.isInteger(value) || value < low || value > high) {
    throw new RangeError(`${name}=${text} in the address: a whole number from ${low} to ${high} is allowed`)
  }
  return value
}
