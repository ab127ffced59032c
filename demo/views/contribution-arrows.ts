import {
  Color,
  ConeGeometry,
  CylinderGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  Vector3,
  type Vector3Like,
} from 'three'
import type { Explanation } from 'three-steering/explain'
import type { Row } from './contribution-rows.js'

/** Length of an arrow at the largest force, and of its head (m). */
const LONG = 11
const HEAD = 1.2
/** Forces below this share of the largest are not drawn. */
const LEAST = 0.012
/**
 * Time constant with which arrows follow (s). Figures change ten times a second, but arrows move smoothly.
 */
const LAG = 0.07

/**
 * Longest reach of the polygon, as a multiple of the largest force. Beyond that all arrows shrink, with this
 * time constant (s).
 */
const MOST = 1.15
const SHRINK = 0.4

/** The force of the engines is drawn if it differs from the sum by this share of the largest force. */
const LEAST_DIFFERENCE = 0.04
const GREY = '#8e9bb3'

const UP = new Vector3(0, 1, 0)
const direction = new Vector3()
const start = new Vector3()

/** One arrow, drawn on top of everything. */
class Arrow {
  readonly object = new Group()
  readonly #shaft: Mesh<CylinderGeometry, MeshBasicMaterial>
  readonly #head: Mesh<ConeGeometry, MeshBasicMaterial>
  readonly #girth: number
  readonly #shown = new Vector3()

  constructor(shaft: CylinderGeometry, head: ConeGeometry, girth: number, order: number) {
    const material = new MeshBasicMaterial({ transparent: true, depthTest: false, depthWrite: false, toneMapped: false }) // prettier-ignore
    this.#shaft = new Mesh(shaft, material)
    this.#head = new Mesh(head, material)
    this.#girth = girth
    this.object.add(this.#shaft, this.#head)
    this.#shaft.renderOrder = this.#head.renderOrder = order
    this.object.visible = false
  }

  /**
   * Points along `along` (m) from `from`. `share` is the part of the change since the last call that is
   * shown. Moves `from` to the tip.
   */
  point(from: Vector3, along: Vector3, share: number, color: string | Color, opacity: number): void {
    const shown = this.#shown.lerp(along, share)
    const length = shown.length()
    this.object.visible = length > LEAST * LONG
    if (!this.object.visible) return
    this.#shaft.material.color.set(color)
    this.#shaft.material.opacity = opacity
    this.object.position.copy(from)
    this.object.quaternion.setFromUnitVectors(UP, direction.copy(shown).divideScalar(length))
    const head = Math.min(HEAD, 0.55 * length)
    // short arrows are thin
    const girth = this.#girth * Math.min(1, 0.35 + 0.2 * length)
    this.object.scale.set(girth, 1, girth)
    this.#shaft.scale.y = length - head
    this.#head.position.y = length - head
    this.#head.scale.y = head
    from.add(shown)
  }

  hide(): void {
    this.object.visible = false
    this.#shown.setScalar(0)
  }
}

/**
 * The contributions as arrows, each starting at the tip of the one before, and their sum in white: a polygon
 * of forces. A grey arrow shows the force that the engines give, if it is smaller.
 */
export class ContributionArrows {
  readonly object = new Group()
  readonly #shaft = new CylinderGeometry(0.1, 0.1, 1, 10).translate(0, 0.5, 0)
  readonly #head = new ConeGeometry(0.36, 1, 16).translate(0, 0.5, 0)
  readonly #arrows: Arrow[] = []
  readonly #sum = new Arrow(this.#shaft, this.#head, 1.5, 40)
  readonly #given = new Arrow(this.#shaft, this.#head, 1.2, 39)
  #scale = 1

  constructor() {
    this.object.add(this.#sum.object, this.#given.object)
    this.object.name = 'contributions'
  }

  /** Call once per frame. A force of `maxForce` has the full arrow length. */
  update(
    place: Vector3Like,
    rows: readonly Row[],
    { wanted, given }: Explanation,
    maxForce: number,
    seconds: number,
  ): void {
    const share = seconds > 0 ? 1 - Math.exp(-seconds / LAG) : 1
    let most = MOST * maxForce
    sum.setScalar(0)
    for (const { own } of rows) most = Math.max(most, sum.add(force.copy(own)).length())
    const fits = (MOST * maxForce) / most
    this.#scale += (fits - this.#scale) * (seconds > 0 ? 1 - Math.exp(-seconds / SHRINK) : 1)
    const full = maxForce / this.#scale
    start.copy(place)
    for (const [k, { color, own }] of rows.entries()) {
      const arrow = (this.#arrows[k] ??= this.#make(k))
      arrow.point(start, scaled(own, full), share, color, 0.95)
    }
    for (const arrow of this.#arrows.slice(rows.length)) arrow.hide()
    this.#sum.point(start.copy(place), scaled(wanted.force, full), share, '#ffffff', 0.9)
    const isLess = force.copy(wanted.force).sub(given.force).length() > LEAST_DIFFERENCE * maxForce
    this.#given.point(start.copy(place), scaled(given.force, isLess ? full : Infinity), share, GREY, 0.9)
  }

  hide(): void {
    for (const arrow of [...this.#arrows, this.#sum, this.#given]) arrow.hide()
  }

  #make(k: number): Arrow {
    const arrow = new Arrow(this.#shaft, this.#head, 1, 41 + k)
    this.object.add(arrow.object)
    return arrow
  }
}

const force = new Vector3()
const sum = new Vector3()

function scaled({ x, y, z }: Vector3Like, maxForce: number): Vector3 {
  return force.set(x, y, z).multiplyScalar(LONG / maxForce)
}
