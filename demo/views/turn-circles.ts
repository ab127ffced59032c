import {
  DoubleSide,
  Group,
  Matrix4,
  Mesh,
  PlaneGeometry,
  ShaderMaterial,
  Vector3,
  type Vector3Like,
} from 'three'
import type { Waypoint } from 'three-steering'
import { circlePoints, FatLine } from './fat-line.js'
import { Label } from './label.js'
import { ADDS_LIGHT } from './soft-points.js'

const PLANE_VERTEX = /* glsl */ `
varying vec2 vAt;
void main() {
  vAt = position.xy * 2.0;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`

const PLANE_FRAGMENT = /* glsl */ `
uniform float size;
varying vec2 vAt;
void main() {
  float radial = length(vAt);
  vec2 p = vAt * size;
  vec2 blur = max(fwidth(p), 1e-5);
  vec2 line = 1.0 - min(vec2(1.0), abs(fract(p - 0.5) - 0.5) / blur);
  float grid = max(line.x, line.y) * (1.0 - smoothstep(0.2, 0.6, max(blur.x, blur.y)));
  float fade = smoothstep(1.0, 0.55, radial);
  float rim = smoothstep(1.5 * fwidth(radial), 0.0, abs(radial - 0.985));
  gl_FragColor = vec4(vec3(0.55, 0.45, 1.0) * (fade * (0.012 + 0.026 * grid) + 0.02 * rim), 1.0);
  #include <colorspace_fragment>
}`

const PALE = '#a9b8d8'
const RIM = '#62719a'
const OMEGA = '#a898ff'

const basis = new Matrix4()
const x = new Vector3()
const y = new Vector3()
const z = new Vector3()
const ahead = new Vector3()
const aside = new Vector3()
const middle = new Vector3()

interface Circle {
  readonly line: FatLine
  readonly label: Label
}

/**
 * The figure of the paper: the steering plane Ω and in it the turn circles of the agent and of the waypoint.
 */
export class TurnCircles {
  readonly circles = new Group()
  readonly plane = new Group()
  readonly #rims: readonly Circle[]
  readonly #sheet: Mesh<PlaneGeometry, ShaderMaterial>
  readonly #omega = new Label('Ω', { color: OMEGA, size: 0.034 })

  constructor() {
    const circle = (letter: string, below: string, above: string, dashed = false): Circle => ({
      // not transparent, since overlapping segments would show as dots
      line: new FatLine({ color: RIM, width: 1.4, additive: false, dash: dashed ? 0.07 : 0, order: 3 }),
      label: new Label(letter, { below, above, color: PALE, size: 0.027 }),
    })
    this.#rims = [
      circle('k', 'A', '+'),
      circle('k', 'A', '−'),
      circle('k', 'W', ''),
      circle('k', 'W', '′', true),
    ]
    for (const { line, label } of this.#rims) {
      line.points = circlePoints()
      this.circles.add(line, label)
    }
    this.#sheet = new Mesh(
      new PlaneGeometry(1, 1),
      new ShaderMaterial({
        vertexShader: PLANE_VERTEX,
        fragmentShader: PLANE_FRAGMENT,
        uniforms: { size: { value: 1 } },
        ...ADDS_LIGHT,
        side: DoubleSide,
      }),
    )
    this.plane.add(this.#sheet, this.#omega)
  }

  /**
   * Draws plane and circles for an agent and a waypoint. Where the plane of the paper is undefined, the plane
   * through the heading of the agent is used.
   */
  show(agent: Waypoint, goal: Waypoint, radius: number): void {
    x.copy(goal.heading).normalize()
    ahead.copy(agent.heading).normalize()
    y.copy(agent.position).sub(goal.position)
    const far = y.length()
    if (!projectOut(y, x, 1e-4 * far) && !projectOut(y.copy(ahead), x, 1e-4))
      projectOut(y.set(x.y, x.z, x.x), x, 0)
    z.crossVectors(x, y)
    basis.makeBasis(x, y, z)
    // heading of the agent, projected onto the plane
    if (!projectOut(ahead, z, 1e-4)) ahead.copy(x)
    aside.crossVectors(z, ahead)
    this.#put(0, agent.position, aside, -radius)
    this.#put(1, agent.position, aside, radius)
    this.#put(2, goal.position, y, radius)
    this.#put(3, goal.position, y, -radius)
    middle.copy(agent.position).add(goal.position).multiplyScalar(0.5)
    const reach = far / 2 + 2.3 * radius
    this.#sheet.position.copy(middle)
    this.#sheet.quaternion.setFromRotationMatrix(basis)
    this.#sheet.scale.setScalar(2 * reach)
    this.#sheet.material.uniforms['size']!.value = reach / radius
    this.#omega.position
      .copy(middle)
      .addScaledVector(x, -0.68 * reach)
      .addScaledVector(y, 0.68 * reach)
  }

  dispose(): void {
    for (const { label } of this.#rims) label.dispose()
    this.#omega.dispose()
  }

  #put(index: number, at: Vector3Like, towards: Vector3, distance: number): void {
    const { line, label } = this.#rims[index]!
    line.position.copy(at).addScaledVector(towards, distance)
    line.quaternion.setFromRotationMatrix(basis)
    line.scale.setScalar(Math.abs(distance))
    label.position.copy(line.position)
  }
}

/** Removes from `v` its part along the unit `axis`, and normalizes it. False if less than `least` remains. */
function projectOut(v: Vector3, axis: Vector3, least: number): boolean {
  v.addScaledVector(axis, -v.dot(axis))
  if (!(v.length() > least)) return false
  v.normalize()
  return true
}
