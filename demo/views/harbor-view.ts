import { Color, MeshStandardMaterial, PointLight, Vector3, type Object3D } from 'three'
import { meshesOf } from '../models.js'
import { CORRIDOR, PORT_REACH, PORTS } from '../scenarios/spaceport.js'
import { Corridors } from './corridors.js'

const FREE = new Color('#38e8a0')
const COMING = new Color('#ffb13b')
const TAKEN = new Color('#c9302a')
const LEAVING = new Color('#5ab4ff')

const WHITE = new Color('#ffe6cc')
const tinted = new Color()

interface Look {
  readonly color: Color
  /** Rate (1/s) at which lights run inwards. 0: they do not run. */
  readonly rate: number
  readonly glow: number
}

/** State of a harbour: the holder of each port, and the phase of each ship. */
export interface Harbor {
  readonly time: number
  readonly ports: readonly { readonly holder: number }[]
  readonly ships: readonly { readonly pilot: { readonly id: number }; readonly leg: string }[]
}

const LOOKS: Record<'free' | 'coming' | 'taken' | 'leaving', Look> = {
  free: { color: FREE, rate: 0, glow: 0.55 },
  coming: { color: COMING, rate: 0.75, glow: 1.3 },
  taken: { color: TAKEN, rate: 0, glow: 0.3 },
  leaving: { color: LEAVING, rate: -0.75, glow: 0.9 },
}

/** View of the station: its model, corridors of light, and a signal at each port. */
export class HarborView {
  readonly #model: Object3D
  readonly #corridors = new Corridors({
    port: PORT_REACH,
    length: CORRIDOR,
    count: PORTS,
    narrow: 2.7,
    wide: 4.2,
  })
  readonly #signals: readonly MeshStandardMaterial[]
  readonly #lamps: readonly PointLight[]

  /** Adds lamps and corridors to the model. */
  constructor(model: Object3D) {
    this.#model = model
    const materials = meshesOf(model).map(({ material }) => material as MeshStandardMaterial)
    this.#signals = Array.from({ length: PORTS }, (_, k) => {
      const signal = materials.find(({ name }) => name === `signal_${k}`)!
      signal.emissiveIntensity = 2.2
      return signal
    })
    this.#lamps = Array.from({ length: PORTS }, (_, k) => {
      const lamp = new PointLight('#ffffff', 34, 16, 1.6)
      const angle = (k / PORTS) * 2 * Math.PI
      lamp.position.copy(new Vector3(Math.sin(angle), 0, Math.cos(angle)).multiplyScalar(PORT_REACH + 1.5))
      lamp.position.y = 3.4
      return lamp
    })
    for (const material of materials) if (material.name === 'window') material.emissiveIntensity = 0.75
    model.add(this.#corridors.object, ...this.#lamps)
  }

  get object(): Object3D {
    return this.#model
  }

  set pixels(pixels: number) {
    this.#corridors.pixels = pixels
  }

  /** Call once per frame. */
  update(scenario: Harbor): void {
    this.#corridors.time = scenario.time
    for (let k = 0; k < PORTS; k++) {
      const { color, glow, rate } = LOOKS[lookOf(scenario, k)]
      this.#corridors.paint(k, color, rate, glow)
      this.#signals[k]!.emissive.lerp(color, 0.1)
      // white floodlights with a slight tint of the signal
      this.#lamps[k]!.color.lerp(tinted.copy(WHITE).lerp(color, 0.16), 0.1)
    }
  }
}

function lookOf({ ports, ships }: Harbor, k: number): keyof typeof LOOKS {
  const { holder } = ports[k]!
  if (holder < 0) return 'free'
  const ship = ships.find(({ pilot }) => pilot.id === holder)
  if (ship?.leg === 'docked') return 'taken'
  return ship?.leg === 'undock' ? 'leaving' : 'coming'
}
