import type { Panel } from './panel.js'
import type { Player } from './player.js'
import type { Stage } from './stage.js'

/** Options given by the query string of the page, for example `?scene=river&seed=3&count=1000&paused=1`. */
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
  /** Position and target of the camera (m), if the visitor has moved it. */
  readonly camera?: readonly number[]
  /** Values of the control panel that differ from those of the scene, by the path of the control. */
  readonly controls?: Readonly<Record<string, unknown>>
}

const MAX_COUNT = 100_000

export function readAddress(search: string): Address {
  const query = new URLSearchParams(search)
  const count = integerOf(query, 'count', 1, MAX_COUNT)
  const camera = query.get('camera')?.split(',').map(Number)
  const controls = objectOf(query, 'controls')
  return {
    scene: query.get('scene') ?? '',
    seed: integerOf(query, 'seed', 0, 0x7fffffff) ?? 1,
    ...(count === undefined ? {} : { count }),
    paused: query.get('paused') === '1',
    antialias: query.get('aa') !== '0',
    skylight: query.get('sky') !== '0',
    pixelRatio: integerOf(query, 'pixels', 1, 4) ?? 2,
    ui: query.get('ui') !== '0',
    ...(camera?.length === 6 && camera.every(Number.isFinite) ? { camera } : {}),
    ...(controls === undefined ? {} : { controls }),
  }
}

/** Keeps seed, camera and control panel in the address, so that a link or a reload shows the same. */
export class AddressBar {
  readonly #stage: Stage
  readonly #player: Player
  readonly #panel: Panel
  #cameraMoved = false

  constructor(stage: Stage, player: Player, panel: Panel) {
    this.#stage = stage
    this.#player = player
    this.#panel = panel
    stage.controls.addEventListener('end', () => {
      this.#cameraMoved = true
      this.write()
    })
  }

  /** Sets what the address of the page says. Call when the scene has been opened the first time. */
  apply({ camera, controls }: Address): void {
    if (controls) this.#panel.set(controls)
    if (!camera) return
    const [x, y, z, ...to] = camera as [number, number, number, number, number, number]
    this.#cameraMoved = true
    // scenes that move the camera themselves leave it to the visitor from now on
    this.#stage.controls.dispatchEvent({ type: 'start' })
    this.#stage.camera.position.set(x, y, z)
    this.#stage.controls.target.set(...to)
  }

  /** Call when the scene was opened again, with a camera and controls of its own. */
  restart(): void {
    this.#cameraMoved = false
    this.write()
  }

  write(): void {
    const url = new URL(window.location.href)
    const query = url.searchParams
    query.set('seed', String(this.#player.seed))
    query.delete('camera')
    if (this.#cameraMoved) {
      const { position } = this.#stage.camera
      const numbers = [position, this.#stage.controls.target].flatMap(({ x, y, z }) => [x, y, z])
      query.set('camera', numbers.map((n) => n.toFixed(2)).join(','))
    }
    const changes = this.#panel.changes
    if (Object.keys(changes).length > 0) query.set('controls', JSON.stringify(changes))
    else query.delete('controls')
    window.history.replaceState(null, '', url)
  }
}

/** The object in a part of the address. What is not an object is ignored. */
function objectOf(query: URLSearchParams, name: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(query.get(name) ?? 'null')
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

function integerOf(query: URLSearchParams, name: string, low: number, high: number): number | undefined {
  const text = query.get(name)
  if (text === null || text === '') return undefined
  const value = Number(text)
  if (!Number.isInteger(value) || value < low || value > high) {
    throw new RangeError(`${name}=${text} in the address: a whole number from ${low} to ${high} is allowed`)
  }
  return value
}
