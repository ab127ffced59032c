import {
  CircleGeometry,
  CylinderGeometry,
  DoubleSide,
  ExtrudeGeometry,
  Group,
  LatheGeometry,
  Mesh,
  MeshBasicMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  Shape,
  SphereGeometry,
  Vector2,
  type BufferGeometry,
  type ColorRepresentation,
} from 'three'
import { ModelKit } from './model-kit.js'

const WHITE = '#f7f3ea'
/** Scale of the model, whose sizes below are those of a real aircraft. */
const SCALE = 1.32
const WHEEL = 0.48
/** Height of the centre above the lowest point of the wheels (m). */
const HEIGHT = 1.9
const WHEELS = [
  [1.7, -0.3],
  [-1.7, -0.3],
  [0, 3],
] as const

/** Radius of the fuselage (m) at stations along it (m, nose ahead). */
const FUSELAGE = [
  [-5.4, 0.02],
  [-5.2, 0.2],
  [-3.4, 0.5],
  [-1.2, 0.86],
  [0.8, 0.98],
  [2.6, 0.9],
  [4, 0.68],
  [4.2, 0.5],
] as const

/** A small aircraft with a propeller and fixed wheels. Its nose is +z, its centre is at the origin. */
export class PropellerPlane {
  readonly object = new Group()
  /** Ends of the wings, in the axes of the object (m). */
  static readonly tips = [
    [8.6, 0.6, -0.1],
    [-8.6, 0.6, -0.1],
  ] as const
  readonly #blades: Mesh
  readonly #disc: Mesh<CircleGeometry, MeshBasicMaterial>
  readonly #wheels: Mesh

  constructor(color: ColorRepresentation) {
    const paint = new MeshPhysicalMaterial({ vertexColors: true, roughness: 0.32, clearcoat: 0.8 })
    const glass = new MeshStandardMaterial({ color: '#16242f', roughness: 0.08, metalness: 0.3 })
    const canopy = new Mesh(
      new SphereGeometry(1, 20, 14).scale(0.62, 0.62, 1.7).translate(0, 0.82, 0.5),
      glass,
    )
    canopy.castShadow = true
    const model = new Group()
    model.add(hull(color).mesh(paint), canopy)
    const spinner = new ModelKit()
    for (const turn of [0, 1])
      spinner.add(
        new CylinderGeometry(0.05, 0.14, 1.5, 8).translate(0, 0.85, 0).rotateZ(turn * Math.PI),
        '#26282c',
      )
    this.#blades = spinner.mesh(new MeshStandardMaterial({ vertexColors: true, roughness: 0.5 }))
    this.#blades.position.z = 4.5
    this.#disc = new Mesh(
      new CircleGeometry(1.6, 28),
      new MeshBasicMaterial({
        color: '#fff2dc',
        transparent: true,
        opacity: 0,
        side: DoubleSide,
        depthWrite: false,
      }),
    )
    this.#disc.position.z = 4.5
    this.#wheels = wheels()
    model.add(this.#blades, this.#disc, this.#wheels)
    model.scale.setScalar(SCALE)
    this.object.add(model)
    this.object.name = 'propeller plane'
  }

  /** Turns the propeller. `power` in [0, 1]. */
  spin(power: number, seconds: number): void {
    this.#blades.rotation.z = (this.#blades.rotation.z + (8 + 50 * power) * seconds) % (2 * Math.PI)
    this.#disc.material.opacity = 0.05 + 0.17 * power
  }
}

function hull(color: ColorRepresentation): ModelKit {
  const kit = new ModelKit()
  const outline = FUSELAGE.map(([z, radius]) => new Vector2(radius, z))
  kit.add(new LatheGeometry(outline, 20).rotateX(Math.PI / 2).scale(0.9, 1, 1), WHITE)
  // cowling in the colour of the aircraft, and a stripe along the fuselage
  kit.add(ring(2.5, 0.925, 4, 0.7), color)
  kit.add(new CylinderGeometry(0.04, 0.36, 0.8, 16).rotateX(Math.PI / 2), color, [0, 0, 4.55])
  for (const side of [-1, 1]) kit.box([0.06, 0.22, 5.4], [side * 0.74, 0.06, -0.2], color, side * 0.045)
  kit.add(wing(6.4, 1.15, 0.62, 0.15, 0.06), WHITE, [0, -0.42, 0.35])
  for (const side of [-1, 1]) {
    // ends of the wings
    kit.add(wingEnd(side), color)
  }
  kit.add(wing(2.3, 0.62, 0.4, 0.09, 0), color, [0, 0.16, -4.75])
  kit.add(fin(), color)
  for (const [x, z] of WHEELS) {
    const top = x === 0 ? -0.7 : -0.5
    const leg = new CylinderGeometry(0.07, 0.09, HEIGHT - WHEEL + top, 8).translate(
      0,
      (top - HEIGHT + WHEEL) / 2,
      0,
    )
    kit.add(leg, '#d9d4c8', [x, 0, z])
    // fairings
    if (x !== 0)
      kit.add(new SphereGeometry(1, 10, 8).scale(0.2, 0.3, 0.7), color, [x, -HEIGHT + WHEEL + 0.14, z - 0.1])
  }
  return kit
}

/** A wing with raised ends, by half span, half chords at root and end, thickness, and slope. */
function wing(half: number, root: number, end: number, thick: number, raise: number): BufferGeometry {
  const shape = new Shape()
  shape
    .moveTo(-half, -end)
    .lineTo(0, -root)
    .lineTo(half, -end)
    .lineTo(half, end * 0.7)
  shape.lineTo(0, root * 0.8).lineTo(-half, end * 0.7)
  const geometry = new ExtrudeGeometry(shape, {
    depth: thick,
    bevelSize: 0.08,
    bevelThickness: 0.07,
    bevelSegments: 2,
  }).rotateX(Math.PI / 2)
  // the shape lies in x and y, and y becomes the direction ahead
  const at = geometry.getAttribute('position')
  for (let i = 0; i < at.count; i++) at.setY(i, at.getY(i) + thick / 2 + raise * 2.2 * Math.abs(at.getX(i)))
  geometry.computeVertexNormals()
  return geometry
}

function wingEnd(side: number): BufferGeometry {
  return new SphereGeometry(1, 12, 8).scale(0.75, 0.14, 0.72).translate(side * 6.1, 0.4, 0.3)
}

function fin(): BufferGeometry {
  const shape = new Shape()
  shape.moveTo(-5.5, 0.1).lineTo(-5.6, 2.1).lineTo(-4.9, 2.1).lineTo(-3.3, 0.45)
  return new ExtrudeGeometry(shape, { depth: 0.1, bevelSize: 0.05, bevelThickness: 0.04, bevelSegments: 1 })
    .translate(0, 0, -0.05)
    .rotateY(-Math.PI / 2)
}

function ring(from: number, wide: number, to: number, narrow: number): BufferGeometry {
  return new CylinderGeometry(narrow + 0.03, wide + 0.03, to - from, 20, 1)
    .rotateX(Math.PI / 2)
    .scale(0.9, 1, 1)
    .translate(0, 0, (from + to) / 2)
}

function wheels(): Mesh {
  const kit = new ModelKit()
  for (const [x, z] of WHEELS) {
    kit.add(new CylinderGeometry(WHEEL, WHEEL, 0.24, 16).rotateZ(Math.PI / 2), '#1b1b1d', [
      x,
      WHEEL - HEIGHT,
      z,
    ])
    kit.add(new CylinderGeometry(0.2, 0.2, 0.27, 12).rotateZ(Math.PI / 2), '#b9bcc2', [x, WHEEL - HEIGHT, z])
  }
  return kit.mesh(new MeshStandardMaterial({ vertexColors: true, roughness: 0.7 }))
}
