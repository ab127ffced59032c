import {
  BufferAttribute,
  BufferGeometry,
  Color,
  type ColorRepresentation,
  LineBasicMaterial,
  LineSegments,
  Object3D,
} from 'three'
import type { DebugDraw, Vec3Like } from '../../core/types.js'
import type { SteeringWorld } from '../../core/engine/world.js'
import { prepareDrawing, trace, type Traced } from '../explain/trace.js'
import { refuse, requireObject } from '../../core/math/require.js'

/** An object that can draw itself as lines, such as an explanation. */
export interface Traceable {
  trace(draw: DebugDraw): void
}

export interface SteeringHelperOptions {
  /** Names of the layers to show. Default all. May be changed later by `shown`. */
  layers?: readonly string[]
  /** Colours by layer name; other layers keep their default. */
  colors?: Readonly<Record<string, ColorRepresentation>>
}

export const DEFAULT_COLORS: Readonly<Record<string, ColorRepresentation>> = {
  velocity: 0x58d68d,
  'force wanted': 0x8d6e2f,
  'force given': 0xffc04d,
  'torque wanted': 0x6b3a7d,
  'torque given': 0xe07bff,
  'attitude ahead': 0xff5a5a,
  'attitude up': 0x66ff66,
  'attitude starboard': 0x5a9bff,
  'course ahead': 0xffb0a0,
  'course up': 0xb8f5b0,
  neighbors: 0x4a6a8a,
  'yz plane': 0x7f93b2,
  discs: 0xff6a5a,
  'wanted direction': 0xf2f4f8,
  'chosen direction': 0x4dffb0,
}

/** Colour of a layer without a default, as of an `Explanation`: bright, and it depends only on the name. */
export function colorFor(name: string): Color {
  if (typeof name !== 'string') refuse('colorFor', name, 'must be a string')
  let hash = 0
  for (const letter of name) hash = (Math.imul(hash, 31) + letter.codePointAt(0)!) | 0
  return new Color().setHSL(((hash >>> 0) * GOLDEN_SHARE) % 1, 0.75, 0.65)
}

/** Golden section: steps of this share of the circle spread hues evenly. */
const GOLDEN_SHARE = 0.6180339887498949

/** Lines of one layer: one geometry that grows, one draw call. */
class Layer {
  readonly lines: LineSegments<BufferGeometry, LineBasicMaterial>
  private attribute = new BufferAttribute(new Float32Array(96), 3)
  private count = 0

  constructor(color: ColorRepresentation) {
    const geometry = new BufferGeometry().setAttribute('position', this.attribute)
    this.lines = new LineSegments(
      geometry,
      new LineBasicMaterial({ color, toneMapped: false, transparent: true, opacity: 0.9 }),
    )
    this.lines.frustumCulled = false
  }

  clear(): void {
    this.count = 0
  }

  add(from: Vec3Like, to: Vec3Like): void {
    if (6 * this.count + 6 > this.attribute.array.length) this.grow()
    this.attribute.setXYZ(2 * this.count, from.x, from.y, from.z)
    this.attribute.setXYZ(2 * this.count + 1, to.x, to.y, to.z)
    this.count++
  }

  show(visible: boolean): void {
    this.lines.visible = visible && this.count > 0
    this.lines.geometry.setDrawRange(0, 2 * this.count)
    this.attribute.needsUpdate = true
  }

  dispose(): void {
    this.lines.geometry.dispose()
    this.lines.material.dispose()
  }

  private grow(): void {
    const larger = new BufferAttribute(new Float32Array(2 * this.attribute.array.length), 3)
    larger.array.set(this.attribute.array)
    this.attribute = larger
    // a buffer on the GPU cannot grow: the old one is freed
    this.lines.geometry.dispose()
    this.lines.geometry.setAttribute('position', larger)
  }
}

/**
 * Draws the motion and the decisions of agents as lines, with one draw call a layer. Add it to the scene, and
 * call `update()` before rendering. Layers: velocity, force and torque wanted and given, attitude and course
 * frames, neighbours, and the drawings of behaviours. For an `Explanation`: the force of each behaviour, in a
 * layer named 'by' and the name of its class.
 */
export class SteeringHelper extends Object3D {
  override readonly type: string = 'SteeringHelper'
  /** Names of the layers to show; null shows all. */
  shown: Set<string> | null
  private readonly target: Traceable | Traced
  private readonly colors: Readonly<Record<string, ColorRepresentation>>
  private readonly byName = new Map<string, Layer>()
  private readonly draw: DebugDraw = { line: (layer, from, to) => this.layer(layer).add(from, to) }

  /** @throws TypeError for a target that cannot draw itself. */
  constructor(target: Traceable | Traced, options: SteeringHelperOptions = {}) {
    super()
    const { layers, colors = {} } = requireObject('SteeringHelper.options', options)
    if (!isTraced(target) && typeof target?.trace !== 'function')
      refuse(
        'SteeringHelper',
        target,
        'must be a SteeringController, a Flock, a SteeringWorld or an Explanation',
      )
    prepareDrawing()
    this.target = target
    this.shown = layers === undefined ? null : new Set(layers)
    this.colors = { ...DEFAULT_COLORS, ...colors }
  }

  /** Names of all layers drawn so far. */
  get layerNames(): string[] {
    return [...this.byName.keys()]
  }

  /** Draws the present state. */
  update(): void {
    for (const layer of this.byName.values()) layer.clear()
    const { draw, target } = this
    if (isTraced(target)) trace(target, draw)
    else target.trace(draw)
    for (const [name, layer] of this.byName) layer.show(this.shown?.has(name) ?? true)
  }

  /** Frees geometries and materials and leaves the scene. A second call does nothing. */
  override dispose(): void {
    this.removeFromParent()
    for (const layer of this.byName.values()) {
      this.remove(layer.lines)
      layer.dispose()
    }
    this.byName.clear()
  }

  private layer(name: string): Layer {
    let layer = this.byName.get(name)
    if (layer === undefined) {
      layer = new Layer(this.colors[name] ?? colorFor(name))
      this.byName.set(name, layer)
      this.add(layer.lines)
    }
    return layer
  }
}

function isTraced(target: Traceable | Traced): target is Traced {
  return typeof (target as Partial<SteeringWorld> | null)?.visitAgents === 'function'
}
