import {
  CanvasTexture,
  CylinderGeometry,
  Group,
  Mesh,
  MeshStandardMaterial,
  RepeatWrapping,
  SRGBColorSpace,
  TorusGeometry,
  type BufferAttribute,
  Float32BufferAttribute,
} from 'three'
import { seeded } from 'three-steering/authoring'
import { SPINDLE, SPOKE, SPOKES, TUBE, WHEEL, WHEEL_OFFSET } from '../scenarios/station-wheels.js'
import { SoftPoints } from './soft-points.js'

/** Pixels of the plating of a wheel: along a quarter of the tube, and around it. */
const LONG = 1024
const AROUND = 256

/** The two habitat wheels of a station, with spokes, spindle, lit windows and running lights. */
export class Habitat {
  readonly object = new Group()
  readonly #lights = makeLights()

  constructor() {
    const hull = plated()
    const strut = new MeshStandardMaterial({ color: '#8d949c', metalness: 0.75, roughness: 0.42 })
    const dark = new MeshStandardMaterial({ color: '#3d434b', metalness: 0.7, roughness: 0.55 })
    for (const side of [-1, 1]) {
      const wheel = new Group()
      wheel.position.y = side * WHEEL_OFFSET
      const tube = new Mesh(new TorusGeometry(WHEEL, TUBE, 28, 160), hull)
      // ribs inside and outside, along the whole tube
      const ribs = [-0.72, 0.72].map((share) => {
        const rib = new Mesh(new TorusGeometry(WHEEL + 0.25, 0.42, 8, 160), dark)
        rib.position.z = share * TUBE
        return rib
      })
      const rim = new Group()
      rim.rotation.x = Math.PI / 2
      rim.add(tube, ...ribs)
      wheel.add(rim)
      for (let k = 0; k < SPOKES; k++) wheel.add(...spoke((k / SPOKES) * 2 * Math.PI, strut, dark))
      const hub = new Mesh(new CylinderGeometry(4.6, 4.6, 5.5, 32), strut)
      const cap = new Mesh(new CylinderGeometry(2.6, 3.9, 3, 32), dark)
      cap.position.y = side * 4
      if (side < 0) cap.rotation.x = Math.PI
      wheel.add(hub, cap)
      const spindle = new Mesh(new CylinderGeometry(SPINDLE * 0.8, SPINDLE, WHEEL_OFFSET - 10, 20), strut)
      spindle.position.y = side * (10 + (WHEEL_OFFSET - 10) / 2)
      if (side < 0) spindle.rotation.x = Math.PI
      const mast = new Mesh(new CylinderGeometry(0.16, 0.4, 16, 8), dark)
      mast.position.y = side * (WHEEL_OFFSET + 12)
      if (side < 0) mast.rotation.x = Math.PI
      this.object.add(wheel, spindle, mast)
      for (const y of [18, 26, 34]) {
        const collar = new Mesh(new CylinderGeometry(2.9, 2.9, 1.3, 24), dark)
        collar.position.y = side * y
        this.object.add(collar)
      }
    }
    this.object.add(this.#lights)
    this.object.name = 'habitat'
  }

  set time(seconds: number) {
    this.#lights.time = seconds
  }
}

function spoke(angle: number, strut: MeshStandardMaterial, dark: MeshStandardMaterial): Mesh[] {
  const shape = new CylinderGeometry(SPOKE * 0.8, SPOKE, WHEEL - TUBE, 14)
  const beam = new Mesh(shape, strut)
  const lock = new Mesh(new CylinderGeometry(1.7, 1.35, 2.6, 20), dark)
  const parts = [beam, lock]
  const reach = [(WHEEL - TUBE) / 2 + 1, WHEEL - TUBE - 1]
  parts.forEach((part, k) => {
    part.rotation.set(Math.PI / 2, 0, 0)
    part.position.set(0, 0, reach[k])
    part.position.applyAxisAngle(part.up, angle)
    part.rotation.set(Math.PI / 2, 0, -angle)
  })
  return parts
}

/** Plates of slightly different greys, with rows of windows of which some are lit. */
function plated(): MeshStandardMaterial {
  const random = seeded(41)
  const [plates, paint] = canvas()
  const [windows, glass] = canvas()
  paint.fillStyle = '#aab1b8'
  paint.fillRect(0, 0, LONG, AROUND)
  for (let x = 0; x < LONG; x += 32)
    for (let y = 0; y < AROUND; y += 32) {
      const grey = Math.round(142 + 44 * random())
      paint.fillStyle = `rgb(${grey} ${grey + 3} ${grey + 7})`
      const split = random() < 0.4 ? 16 : 32
      for (let k = 0; k < 32; k += split) paint.fillRect(x + 1, y + k + 1, 31, split - 1)
    }
  paint.fillStyle = '#c7743a'
  for (const y of [62, 66, 190, 194]) paint.fillRect(0, y, LONG, 2)
  glass.fillStyle = '#000'
  glass.fillRect(0, 0, LONG, AROUND)
  for (const y of [20, 40, 84, 104, 124, 144, 164, 212, 232])
    for (let x = 4; x < LONG; x += 11) {
      if (random() < 0.16) continue
      paint.fillStyle = '#20262e'
      paint.fillRect(x, y, 7, 6)
      if (random() < 0.36) continue
      const warm = 0.55 + 0.45 * random()
      const cool = random() < 0.14
      glass.fillStyle = cool
        ? `rgb(${150 * warm} ${205 * warm} ${255 * warm})`
        : `rgb(${255 * warm} ${196 * warm} ${118 * warm})`
      glass.fillRect(x, y, 7, 6)
    }
  const [map, emissiveMap] = [plates, windows].map((each) => {
    const texture = new CanvasTexture(each)
    texture.wrapS = texture.wrapT = RepeatWrapping
    texture.repeat.set(4, 1)
    texture.colorSpace = SRGBColorSpace
    texture.anisotropy = 8
    return texture
  })
  return new MeshStandardMaterial({
    map: map!,
    emissiveMap: emissiveMap!,
    emissive: '#ffffff',
    emissiveIntensity: 1.5,
    metalness: 0.45,
    roughness: 0.5,
  })
}

function canvas(): [HTMLCanvasElement, CanvasRenderingContext2D] {
  const element = document.createElement('canvas')
  element.width = LONG
  element.height = AROUND
  return [element, element.getContext('2d')!]
}

/** Lamps on the rims that light up one after the other, and blinking ones on the masts. */
function lamps(): Record<string, BufferAttribute> {
  const position: number[] = []
  const tint: number[] = []
  const phase: number[] = []
  for (const side of [-1, 1]) {
    for (let k = 0; k < 32; k++) {
      const angle = ((k + 0.5) / 32) * 2 * Math.PI
      const reach = WHEEL + TUBE + 0.5
      position.push(reach * Math.sin(angle), side * WHEEL_OFFSET, reach * Math.cos(angle))
      tint.push(...(side > 0 ? [0.5, 0.85, 1.3] : [0.5, 0.85, 1.3]))
      phase.push(k / 32)
    }
    position.push(0, side * (WHEEL_OFFSET + 20.2), 0)
    tint.push(3, 0.25, 0.15)
    phase.push(side > 0 ? 2 : 2.5)
  }
  return {
    position: new Float32BufferAttribute(position, 3),
    tint: new Float32BufferAttribute(tint, 3),
    phase: new Float32BufferAttribute(phase, 1),
  }
}

function makeLights(): SoftPoints {
  return new SoftPoints('lights', {
    vertexShader: /* glsl */ `
attribute vec3 tint;
attribute float phase;
uniform float time, pixels;
varying vec3 vTint;
void main() {
  // phases from 2 on blink, others run around the rim
  float run = fract(time * 0.22 - phase);
  float light = phase < 1.5 ? 0.35 + 1.6 * pow(run, 8.0) : pow(max(0.0, sin(time * 2.6 + 6.28 * phase)), 8.0);
  vTint = tint * light;
  vec4 view = modelViewMatrix * vec4(position, 1.0);
  gl_Position = projectionMatrix * view;
  gl_PointSize = pixels * (phase < 1.5 ? 1500.0 : 4200.0) * (0.5 + 0.5 * light) / -view.z;
}`,
    fragmentShader: /* glsl */ `
varying vec3 vTint;
void main() {
  float d = length(gl_PointCoord - 0.5) * 2.0;
  gl_FragColor = vec4(vTint * (0.6 * pow(max(0.0, 1.0 - d), 3.0) + 2.0 * pow(max(0.0, 1.0 - 3.4 * d), 1.5)), 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`,
    attributes: lamps(),
    per: 'canvas',
    scale: 1e-3,
  })
}
