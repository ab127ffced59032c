import { CanvasTexture, Sprite, SpriteMaterial, SRGBColorSpace } from 'three'

const SIZE = 128

/** A letter with an index below and a mark above, as in the paper. It has a constant size on the screen. */
export class Label extends Sprite {
  readonly #height: number

  /** `drop` moves it down on the screen, in units of its height. */
  constructor(letter: string, { color = '#ffffff', below = '', above = '', size = 0.04, drop = 0 } = {}) {
    const canvas = document.createElement('canvas')
    canvas.width = 2 * SIZE
    canvas.height = SIZE
    const pen = canvas.getContext('2d')!
    pen.textBaseline = 'alphabetic'
    pen.fillStyle = color
    pen.shadowColor = 'rgb(4 8 18 / 95%)'
    pen.shadowBlur = 10
    const face = (part: number, italic: boolean): string =>
      `${italic ? 'italic ' : ''}500 ${part * SIZE}px Georgia, 'Liberation Serif', 'Times New Roman', serif`
    pen.font = face(0.62, true)
    const wide = pen.measureText(letter).width
    pen.font = face(0.38, true)
    const more = Math.max(pen.measureText(below).width, pen.measureText(above).width)
    const left = SIZE - (wide + more) / 2
    for (let pass = 0; pass < 2; pass++) {
      pen.font = face(0.62, true)
      pen.fillText(letter, left, 0.7 * SIZE)
      pen.font = face(0.38, true)
      pen.fillText(below, left + wide, 0.86 * SIZE)
      pen.fillText(above, left + wide + 2, 0.42 * SIZE)
    }
    const map = new CanvasTexture(canvas)
    map.colorSpace = SRGBColorSpace
    super(
      new SpriteMaterial({
        map,
        transparent: true,
        depthTest: false,
        depthWrite: false,
        sizeAttenuation: false,
        toneMapped: false,
      }),
    )
    this.#height = size
    this.size = 1
    this.center.y = 0.5 + drop
    this.renderOrder = 20
  }

  /** Size, as a multiple of that at the start. */
  set size(factor: number) {
    this.scale.set(2 * factor * this.#height, factor * this.#height, 1)
  }

  override dispose(): void {
    super.dispose()
    this.material.map?.dispose()
    this.material.dispose()
  }
}
