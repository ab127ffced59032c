import { Group, Vector3, BufferGeometry, Color, Curve, Mesh, ShaderMaterial, TubeGeometry } from 'three'
import type { ArcPath } from 'three-steering/curves'
import { FatLine } from './fat-line.js'
import { Label } from './label.js'
import { ADDS_LIGHT } from './soft-points.js'

/** Colours of the three stages of a path: turn, straight, turn. */
export const STAGE_COLORS = ['#ffc845', '#f4f8ff', '#4cc3ff'] as const
const NUMERALS = ['I', 'II', 'III'] as const

/** Largest angle between two points of a turn (rad). */
const FINE = 0.06

interface Stage {
  readonly core: FatLine
  readonly glow: GlowTube
  readonly shadow: FatLine
  readonly label: Label
}

/** A path in the colours of its stages, its shadow on the floor, and posts where stages end. */
export class PathLines {
  readonly object = new Group()
  readonly #stages: readonly Stage[]
  readonly #posts = Array.from(
    { length: 4 },
    () => new FatLine({ color: '#86a4d8', width: 1, opacity: 0.28 }),
  )
  readonly #point = new Vector3()

  constructor() {
    this.#stages = STAGE_COLORS.map((color, k) => ({
      core: new FatLine({ color, width: 1.8, additive: false, order: 6 }),
      glow: new GlowTube(color, 5),
      shadow: new FatLine({ color, width: 1.2, opacity: 0.3 }),
      label: new Label(NUMERALS[k]!, { color, size: 0.03, drop: -0.7 }),
    }))
    for (const { core, glow, shadow, label } of this.#stages) this.object.add(glow, core, shadow, label)
    this.object.add(...this.#posts)
    this.object.name = 'path'
  }

  /** Shows a path above a floor at height `floor` (m), as a tube of `radius` (m). */
  show(path: ArcPath, floor: number, radius: number): void {
    const curve = (out: Vector3, s: number): void => void path.pointAt(out, s)
    const ends = new Set<number>([0, path.length])
    for (const [k, { core, glow, shadow, label }] of this.#stages.entries()) {
      const points: number[] = []
      let from = -1
      let to = 0
      for (let i = 0; i < path.count; i++) {
        if (stageOf(path, i) !== k) continue
        if (from < 0) from = path.startOf(i)
        to = path.startOf(i + 1)
        this.#sample(path, i, points)
      }
      core.points = points
      glow.lay(curve, Math.max(0, from), to, radius, Math.max(2, points.length / 3))
      shadow.points = points.map((value, i) => (i % 3 === 1 ? floor : value))
      label.visible = to - from > 0.06 * path.length && from >= 0
      if (from < 0) continue
      ends.add(from).add(to)
      path.pointAt(label.position, (from + to) / 2)
    }
    const places = [...ends].sort((a, b) => a - b)
    for (const [k, post] of this.#posts.entries()) {
      const s = places[k]
      const { x, y, z } = s === undefined ? this.#point : path.pointAt(this.#point, s)
      post.points = s === undefined ? [] : [x, y, z, x, floor, z]
    }
  }

  dispose(): void {
    for (const { label } of this.#stages) label.dispose()
  }

  #sample(path: ArcPath, piece: number, points: number[]): void {
    const from = path.startOf(piece)
    // slightly shorter than the piece, since the next piece may have another direction
    const size = path.startOf(piece + 1) - from
    const count = Math.max(1, Math.ceil((size * path.bendOf(piece)) / FINE))
    for (let j = points.length > 0 ? 1 : 0; j <= count; j++) {
      path.pointAt(this.#point, from + (size * j) / count)
      points.push(this.#point.x, this.#point.y, this.#point.z)
    }
  }
}

/**
 * Stage of a piece: 0 before the straight, 1 on it, 2 after it. Without a straight, all pieces between the
 * first and the last arc count as 1.
 */
export function stageOf(path: ArcPath, piece: number): number {
  let straight = -1
  for (let i = 0; i < path.count; i++) if (path.bendOf(i) === 0) straight = straight < 0 ? i : straight
  if (straight >= 0) return piece < straight ? 0 : piece === straight ? 1 : 2
  return piece === 0 ? 0 : piece === path.count - 1 ? 2 : 1
}

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
  readonly #pointAt: (out: Vector3, station: number) => void
  readonly #from: number
  readonly #to: number

  constructor(curve: (out: Vector3, station: number) => void, from: number, to: number) {
    super()
    this.#pointAt = curve
    this.#from = from
    this.#to = to
  }

  override getPoint(share: number, out = new Vector3()): Vector3 {
    this.#pointAt(out, this.#from + (this.#to - this.#from) * share)
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
        ...ADDS_LIGHT,
      }),
    )
    this.frustumCulled = false
    this.renderOrder = order
  }

  /** Lays the tube along a curve between two stations (m). */
  lay(
    curve: (out: Vector3, station: number) => void,
    from: number,
    to: number,
    radius: number,
    segments: number,
  ): void {
    this.geometry.dispose()
    this.visible = to > from
    if (this.visible) this.geometry = new TubeGeometry(new Stretch(curve, from, to), segments, radius, 10)
  }
}
