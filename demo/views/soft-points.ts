import {
  AdditiveBlending,
  BufferGeometry,
  NormalBlending,
  Points,
  ShaderMaterial,
  type BufferAttribute,
  type IUniform,
  type WebGLRenderer,
} from 'three'

/** Options of a material that adds light and hides nothing. */
export const ADDS_LIGHT = { blending: AdditiveBlending, transparent: true, depthWrite: false } as const

/** What the uniform `pixels` counts: device pixels per CSS pixel, or those in the height of the canvas. */
export interface SizeOfPoints {
  readonly per?: 'pixel' | 'canvas'
  /** Factor. Default 1. */
  readonly scale?: number
}

interface SoftPointsOptions extends SizeOfPoints {
  readonly vertexShader: string
  readonly fragmentShader: string
  readonly attributes: Readonly<Record<string, BufferAttribute>>
  /** Besides `time` (s) and `pixels`. */
  readonly uniforms?: Record<string, IUniform>
  /** Default true. */
  readonly glows?: boolean
}

/** Points that shaders place, size and colour. `pixels` follows the size of the canvas. */
export class SoftPoints extends Points<BufferGeometry, ShaderMaterial> {
  readonly #per: 'pixel' | 'canvas'
  readonly #scale: number

  constructor(
    name: string,
    { attributes, glows = true, per = 'pixel', scale = 1, uniforms, ...shaders }: SoftPointsOptions,
  ) {
    // prettier-ignore
    const geometry = new BufferGeometry()
    for (const [key, attribute] of Object.entries(attributes)) geometry.setAttribute(key, attribute)
    const material = new ShaderMaterial({
      ...ADDS_LIGHT,
      ...(glows ? {} : { blending: NormalBlending }),
      vertexShader: shaders.vertexShader,
      fragmentShader: shaders.fragmentShader,
      uniforms: { time: { value: 0 }, pixels: { value: 1 }, ...uniforms },
    })
    super(geometry, material)
    this.name = name
    this.frustumCulled = false
    this.#per = per
    this.#scale = scale
  }

  /** Time of the scene (s). */
  get time(): number {
    return this.material.uniforms['time']!.value as number
  }
  set time(seconds: number) {
    this.material.uniforms['time']!.value = seconds
  }

  override onBeforeRender(renderer: WebGLRenderer): void {
    const pixels = this.#per === 'pixel' ? renderer.getPixelRatio() : renderer.domElement.height
    this.material.uniforms['pixels']!.value = this.#scale * pixels
  }
}
