import {
  AdditiveBlending,
  CanvasTexture,
  Color,
  Group,
  Sprite,
  SpriteMaterial,
  type Vector3Like,
} from 'three'

const COUNT = 24

/** Short bright lights at muzzles, at hits, and where something blows up. */
export class Flashes {
  readonly object = new Group()
  readonly #ends: number[] = []
  readonly #lengths: number[] = []
  readonly #sprites: readonly Sprite[]
  #next = 0

  constructor() {
    const map = glow()
    this.#sprites = Array.from({ length: COUNT }, () => {
      const material = new SpriteMaterial({
        map,
        blending: AdditiveBlending,
        depthWrite: false,
        toneMapped: false,
      })
      const sprite = new Sprite(material)
      sprite.visible = false
      return sprite
    })
    this.object.add(...this.#sprites)
  }

  /** Lights up at a place for some seconds, `size` metres wide. */
  flash(at: Vector3Like, size: number, color: Color, seconds: number, time: number): void {
    const k = this.#next++ % COUNT
    const sprite = this.#sprites[k]!
    sprite.position.copy(at)
    sprite.scale.setScalar(size)
    sprite.material.color.copy(color)
    sprite.material.rotation = 2.4 * this.#next
    this.#lengths[k] = seconds
    this.#ends[k] = time + seconds
  }

  update(time: number): void {
    this.#sprites.forEach((sprite, k) => {
      const left = ((this.#ends[k] ?? -1) - time) / (this.#lengths[k] ?? 1)
      sprite.visible = left > 0 && left <= 1
      sprite.material.opacity = left
    })
  }
}

function glow(): CanvasTexture {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 64
  const pen = canvas.getContext('2d')!
  const light = pen.createRadialGradient(32, 32, 0, 32, 32, 32)
  light.addColorStop(0, '#ffffff')
  light.addColorStop(0.25, 'rgb(255 255 255 / 55%)')
  light.addColorStop(1, 'rgb(255 255 255 / 0%)')
  pen.fillStyle = light
  pen.fillRect(0, 0, 64, 64)
  // four rays
  pen.fillStyle = 'rgb(255 255 255 / 50%)'
  pen.fillRect(0, 31, 64, 2)
  pen.fillRect(31, 0, 2, 64)
  return new CanvasTexture(canvas)
}
