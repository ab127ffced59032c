import {
  HalfFloatType,
  Mesh,
  OrthographicCamera,
  PlaneGeometry,
  Scene,
  ShaderMaterial,
  SpotLight,
  WebGLRenderTarget,
  type WebGLRenderer,
} from 'three'

const VERTEX = /* glsl */ `
varying vec2 vPlace;
void main() {
  vPlace = position.xy;
  gl_Position = vec4(position.xy, 0.0, 1.0);
}`

/** Pattern of bright lines from two folded sets of waves. */
export const WEB = /* glsl */ `
float web(vec2 p, float t) {
  vec2 q = p + 0.55 * vec2(sin(1.3 * p.y + t), sin(1.7 * p.x - 0.8 * t));
  q += 0.35 * vec2(sin(2.9 * p.y - 1.3 * t + p.x), cos(3.1 * p.x + 1.1 * t - p.y));
  float a = sin(q.x + 0.4 * t) + sin(q.y - 0.3 * t);
  float b = sin(0.8 * q.x + 1.1 * q.y + 1.7) + sin(1.2 * q.y - 0.9 * q.x - 0.5 * t);
  float fold = 1.0 - abs(0.5 * a), other = 1.0 - abs(0.5 * b);
  return pow(max(fold, 0.0), 7.0) + 0.8 * pow(max(other, 0.0), 9.0);
}`

const FRAGMENT = /* glsl */ `
uniform float time, reach;
varying vec2 vPlace;
${WEB}
void main() {
  vec2 p = vPlace * reach * 0.85;
  // red light is refracted slightly less than blue light
  float r = web(p, time), b = web(p + 0.06, time);
  float edge = 1.0 - smoothstep(0.82, 1.0, length(vPlace));
  gl_FragColor = vec4((vec3(0.42) + 1.1 * vec3(r, 0.5 * (r + b), b)) * edge, 1.0);
}`

/** Sunlight through waves: a spot light that projects a moving pattern of bright lines, and casts shadows. */
export class Caustics {
  readonly light: SpotLight
  readonly #target: WebGLRenderTarget
  readonly #studio = new Scene()
  readonly #camera = new OrthographicCamera()
  readonly #time = { value: 0 }

  /** @param reach Radius of the lit area (m). @param height Height of the light (m). */
  constructor(reach: number, height: number, power: number) {
    this.#target = new WebGLRenderTarget(1024, 1024, { type: HalfFloatType, depthBuffer: false })
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { time: this.#time, reach: { value: reach } },
      depthTest: false,
      depthWrite: false,
      toneMapped: false,
    })
    const canvas = new Mesh(new PlaneGeometry(2, 2), material)
    canvas.frustumCulled = false
    this.#studio.add(canvas)
    this.light = new SpotLight('#f2fbff', power, 0, Math.atan(reach / height), 0.1, 0)
    // slightly oblique, so that shadows lie beside the objects
    this.light.position.set(0.18 * height, height, 0.1 * height)
    this.light.map = this.#target.texture
    this.light.castShadow = true
    this.light.shadow.mapSize.set(2048, 2048)
    this.light.shadow.camera.near = height - 20
    this.light.shadow.camera.far = height + 25
    this.light.shadow.bias = -0.002
    this.light.shadow.normalBias = 0.05
  }

  set time(seconds: number) {
    this.#time.value = seconds
  }

  /** Call before the scene is rendered. */
  paint(renderer: WebGLRenderer): void {
    const { toneMapping } = renderer
    renderer.toneMapping = 0
    renderer.setRenderTarget(this.#target)
    renderer.render(this.#studio, this.#camera)
    renderer.setRenderTarget(null)
    renderer.toneMapping = toneMapping
  }

  dispose(): void {
    this.#target.dispose()
    const canvas = this.#studio.children[0] as Mesh<PlaneGeometry, ShaderMaterial>
    canvas.geometry.dispose()
    canvas.material.dispose()
  }
}
