import {
  AdditiveBlending,
  BufferGeometry,
  Color,
  Curve,
  Mesh,
  ShaderMaterial,
  TubeGeometry,
  Vector3,
} from 'three'

const VERTEX = /* glsl */ `
varying vec3 vNormal, vEye;
void main() {
  vec4 view = modelViewMatrix * vec4(position, 1.0);
  vNormal = normalMatrix * normal;
  vEye = -view.xyz;
  gl_Position = projectionMatrix * view;
}`

const FRAGMENT = /* glsl */ `
uniform vec3 tint;
varying vec3 vNormal, vEye;
void main() {
  float face = max(0.0, dot(normalize(vNormal), normalize(vEye)));
  gl_FragColor = vec4(tint * (0.16 * pow(face, 1.5) + 0.22 * pow(face, 8.0)), 1.0);
  #include <colorspace_fragment>
}`

/** A section of a curve that is given as a function of its arc length (m). */
class Stretch extends Curve<Vector3> {
  readonly #at: (out: Vector3, station: number) => void
  readonly #from: number
  readonly #to: number

  constructor(at: (out: Vector3, station: number) => void, from: number, to: number) {
    super()
    this.#at = at
    this.#from = from
    this.#to = to
  }

  override getPoint(share: number, out = new Vector3()): Vector3 {
    this.#at(out, this.#from + (this.#to - this.#from) * share)
    return out
  }

  // the curve is already parametrized by arc length
  override getPointAt(share: number, out = new Vector3()): Vector3 {
    return this.getPoint(share, out)
  }
}

/** A soft tube of light. */
export class GlowTube extends Mesh<BufferGeometry, ShaderMaterial> {
  constructor(color: string, order: number) {
    super(
      new BufferGeometry(),
      new ShaderMaterial({
        vertexShader: VERTEX,
        fragmentShader: FRAGMENT,
        uniforms: { tint: { value: new Color(color) } },
        blending: AdditiveBlending,
        transparent: true,
        depthWrite: false,
      }),
    )
    this.frustumCulled = false
    this.renderOrder = order
  }

  /** Lays the tube along the curve `at` between two stations (m). */
  lay(
    at: (out: Vector3, station: number) => void,
    from: number,
    to: number,
    radius: number,
    segments: number,
  ): void {
    this.geometry.dispose()
    this.visible = to > from
    if (this.visible) this.geometry = new TubeGeometry(new Stretch(at, from, to), segments, radius, 10)
  }
}
