import {
  CanvasTexture,
  Color,
  CylinderGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  Quaternion,
  SphereGeometry,
  SRGBColorSpace,
  TorusGeometry,
  Vector3,
  type Object3D,
} from 'three'
import type { Vec3Like } from 'three-steering'
import { ADDS_LIGHT } from './soft-points.js'

/** State of a pad, shown by the colour of its lamps. */
export type PadSignal = 'free' | 'expected' | 'taken' | 'leaving'

const SIGNALS: Record<PadSignal, string> = {
  free: '#1f7f96',
  expected: '#ffb03a',
  taken: '#4dff9a',
  leaving: '#6aa8ff',
}

const LAMPS = 20
const RINGS = 6

export interface PadPlace {
  /** Direction of the pad and of the arrow on it, unit, perpendicular to each other. */
  readonly up: Vec3Like
  readonly north: Vec3Like
}

interface Lights {
  readonly lamps: InstancedMesh
  readonly rings: readonly Mesh<TorusGeometry, MeshBasicMaterial>[]
  readonly color: Color
}

/** Landing pads with lamps around them and rings of light above that run down the approach. */
export class LandingPads {
  readonly object = new Group()
  readonly #lights: readonly Lights[]
  readonly #goal = new Color()
  readonly #shade = new Color()

  /** Pads are `level` m from the centre and have a radius of `radius` m. The approach is `descent` m long. */
  constructor(places: readonly PadPlace[], level: number, radius: number, descent: number) {
    const steel = new MeshStandardMaterial({ color: '#596069', metalness: 0.6, roughness: 0.55 })
    const parts = {
      deck: new CylinderGeometry(radius, 0.94 * radius, 0.34, 48).translate(0, -0.185, 0),
      foot: new CylinderGeometry(0.5 * radius, 0.66 * radius, 3, 12).translate(0, -1.8, 0),
      rim: new TorusGeometry(radius, 0.09, 6, 64).rotateX(Math.PI / 2),
      lamp: new SphereGeometry(0.1, 8, 6),
      ring: new TorusGeometry(0.62 * radius, 0.028, 5, 72).rotateX(Math.PI / 2),
    }
    this.#lights = places.map(({ up, north }, index) => {
      const pad = new Group()
      const paint = new MeshStandardMaterial({ map: markings(index + 1), metalness: 0.1, roughness: 0.85 })
      const deck = new Mesh(parts.deck, [steel, paint, steel])
      const foot = new Mesh(parts.foot, steel)
      const rim = new Mesh(parts.rim, steel)
      for (const mesh of [deck, foot, rim]) mesh.castShadow = mesh.receiveShadow = true
      const lights = this.#hang(parts, radius, descent)
      pad.add(deck, foot, rim, lights.lamps, ...lights.rings)
      stand(pad, up, north, level)
      this.object.add(pad)
      return lights
    })
    this.object.name = 'landing pads'
  }

  /** Updates the lamps and rings of a pad. Call once per frame. */
  signal(index: number, signal: PadSignal, time: number, seconds: number): void {
    const { lamps, rings, color } = this.#lights[index]!
    color.lerp(this.#goal.set(SIGNALS[signal]), 1 - Math.exp(-4 * seconds))
    const moving = signal === 'expected' || signal === 'leaving'
    for (let k = 0; k < LAMPS; k++) {
      const beat = moving
        ? 0.55 + 0.45 * Math.sin((signal === 'leaving' ? -1 : 1) * 4 * time + (k * 4 * Math.PI) / LAMPS)
        : 0.8
      lamps.setColorAt(k, this.#shade.copy(color).multiplyScalar(0.25 + 1.5 * beat))
    }
    lamps.instanceColor!.needsUpdate = true
    for (const [k, { material }] of rings.entries()) {
      // downwards, or upwards for a departure
      const phase = (k / RINGS + (signal === 'leaving' ? -1 : 1) * 0.55 * time) % 1
      const wave = Math.max(0, Math.cos(2 * Math.PI * phase)) ** 4
      const goal = moving ? 0.1 + 0.75 * wave : 0.03
      material.opacity += (goal - material.opacity) * (1 - Math.exp(-8 * seconds))
      material.color.copy(color)
    }
  }

  #hang(parts: { lamp: SphereGeometry; ring: TorusGeometry }, radius: number, descent: number): Lights {
    const lamps = new InstancedMesh(parts.lamp, new MeshBasicMaterial(), LAMPS)
    const place = new Matrix4()
    for (let k = 0; k < LAMPS; k++) {
      const angle = (k / LAMPS) * 2 * Math.PI
      lamps.setMatrixAt(k, place.makeTranslation(radius * Math.sin(angle), 0.09, radius * Math.cos(angle)))
      lamps.setColorAt(k, new Color(0, 0, 0))
    }
    lamps.frustumCulled = false
    const rings = Array.from({ length: RINGS }, (_, k) => {
      const material = new MeshBasicMaterial({
        ...ADDS_LIGHT,
        opacity: 0,
      })
      const ring = new Mesh(parts.ring, material)
      ring.position.y = 0.4 + (descent * (k + 0.6)) / RINGS
      ring.scale.setScalar(1 + 0.11 * k)
      return ring
    })
    return { lamps, rings, color: new Color(SIGNALS.free) }
  }
}

const turn = new Matrix4()
const y = new Vector3()
const z = new Vector3()

function stand(pad: Object3D, up: Vec3Like, north: Vec3Like, level: number): void {
  y.copy(up)
  z.copy(north)
  turn.makeBasis(new Vector3().crossVectors(y, z), y, z)
  pad.quaternion.copy(new Quaternion().setFromRotationMatrix(turn))
  pad.position.copy(y).multiplyScalar(level)
}

/** A texture with a ring, an arrow and a number on dark plates. */
function markings(number: number): CanvasTexture {
  const size = 512
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = size
  const pen = canvas.getContext('2d')!
  pen.fillStyle = '#33373d'
  pen.fillRect(0, 0, size, size)
  pen.strokeStyle = 'rgb(0 0 0 / 35%)'
  for (let k = 1; k < 8; k++) {
    pen.lineWidth = 2
    pen.strokeRect((k * size) / 8, -4, 0.1, size + 8)
    pen.strokeRect(-4, (k * size) / 8, size + 8, 0.1)
  }
  const mid = size / 2
  const circle = (radius: number, width: number, color: string): void => {
    pen.strokeStyle = color
    pen.lineWidth = width
    pen.beginPath()
    pen.arc(mid, mid, radius, 0, 2 * Math.PI)
    pen.stroke()
  }
  circle(0.445 * size, 20, '#e7a83c')
  circle(0.29 * size, 9, '#e9e6de')
  circle(0.09 * size, 6, '#e9e6de')
  pen.strokeStyle = '#e9e6de'
  pen.lineWidth = 7
  for (let k = 0; k < 4; k++) {
    pen.save()
    pen.translate(mid, mid)
    pen.rotate((k * Math.PI) / 2)
    pen.beginPath()
    pen.moveTo(0, 0.12 * size)
    pen.lineTo(0, 0.25 * size)
    pen.stroke()
    pen.restore()
  }
  pen.fillStyle = '#e9e6de'
  pen.font = `600 ${0.11 * size}px 'Liberation Sans', sans-serif`
  pen.textAlign = 'center'
  pen.fillText(String(number), mid, 0.905 * size)
  const texture = new CanvasTexture(canvas)
  texture.colorSpace = SRGBColorSpace
  texture.anisotropy = 8
  return texture
}
