import {
  AdditiveBlending,
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  DynamicDrawUsage,
  InstancedBufferAttribute,
  InstancedMesh,
  Matrix4,
  MeshStandardMaterial,
  Points,
  Quaternion,
  ShaderMaterial,
} from 'three'
import type { Pose } from 'three-steering/authoring'

const HALO_VERTEX = /* glsl */ `
attribute float glow;
uniform float height, size;
varying float vGlow;
void main() {
  vGlow = glow;
  vec4 view = viewMatrix * vec4(position, 1.0);
  gl_Position = glow > 0.01 ? projectionMatrix * view : vec4(2.0, 2.0, 2.0, 1.0);
  gl_PointSize = height * projectionMatrix[1][1] * 1.3 * size / -view.z;
  // drawn nearer by its radius, so that the ground does not cut it
  vec4 near = projectionMatrix * vec4(view.xyz * (1.0 - min(0.5, 1.3 * size / length(view.xyz))), 1.0);
  gl_Position.z = near.z / near.w * gl_Position.w;
}`

const HALO_FRAGMENT = /* glsl */ `
varying float vGlow;
void main() {
  float d = length(gl_PointCoord - 0.5) * 2.0;
  float light = pow(max(0.0, 1.0 - d), 2.4);
  gl_FragColor = vec4(vec3(1.0, 0.42, 0.12) * light * vGlow * 0.85, 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

const place = new Matrix4()
const turn = new Quaternion()

/** Distance from the camera (lengths of a fish) below which a fish is drawn smaller. */
const NEAREST = 2.8

export interface Swimming {
  /** Length from nose to tail (m). Default 1. */
  readonly length?: number
  /** Rate of the tail beat, 1 for a small fish at cruising speed. Default 1. */
  readonly rate?: number
}

/** Fish in one draw call, with swinging tails and an adjustable glow. */
export class Shoal {
  readonly mesh: InstancedMesh<BufferGeometry, MeshStandardMaterial>
  /** Halos of glowing fish. */
  readonly halos: Points<BufferGeometry, ShaderMaterial>
  readonly #glow: InstancedBufferAttribute
  readonly #places: BufferAttribute
  readonly #light: BufferAttribute
  readonly #time = { value: 0 }

  constructor(geometry: BufferGeometry, count: number, { length = 1, rate = 1 }: Swimming = {}) {
    const material = new MeshStandardMaterial({
      vertexColors: true,
      flatShading: true,
      // fins are single-sided sheets
      side: DoubleSide,
      roughness: 0.45,
      metalness: 0.1,
    })
    material.onBeforeCompile = (shader) => {
      shader.uniforms['time'] = this.#time
      shader.uniforms['size'] = { value: length }
      shader.uniforms['rate'] = { value: rate }
      shader.vertexShader = `attribute float glow;\nuniform float time, size, rate;\nvarying float vGlow;\n${shader.vertexShader}`
      shader.vertexShader = shader.vertexShader.replace(
        '#include <begin_vertex>',
        /* glsl */ `vec3 transformed = position;
        vGlow = glow;
        // a fish in front of the lens looks no larger than one at this many lengths
        vec3 place = (modelMatrix * instanceMatrix * vec4(0.0, 0.0, 0.0, 1.0)).xyz;
        float shrunk = min(1.0, distance(cameraPosition, place) / (${NEAREST.toFixed(1)} * size));
        float own = fract(float(gl_InstanceID) * 0.618);
        float along = position.z / size;
        float swing = 0.25 - along;
        transformed.x += size * 0.20 * swing * swing * sin(6.2832 * (time * rate * (1.5 + 0.5 * own + 1.6 * glow) + own) + 3.0 * along);
        transformed *= shrunk;`,
      )
      shader.fragmentShader = `varying float vGlow;\n${shader.fragmentShader}`
      shader.fragmentShader = shader.fragmentShader.replace(
        '#include <emissivemap_fragment>',
        /* glsl */ `totalEmissiveRadiance += mix(vec3(0.010, 0.055, 0.075), vec3(2.6, 0.62, 0.10), vGlow) * (0.4 + diffuseColor.rgb);`,
      )
    }
    this.#glow = new InstancedBufferAttribute(new Float32Array(Math.max(1, count)), 1)
    this.#glow.setUsage(DynamicDrawUsage)
    geometry.setAttribute('glow', this.#glow)
    this.mesh = new InstancedMesh(geometry, material, Math.max(1, count))
    this.mesh.count = count
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage)
    this.mesh.frustumCulled = false
    this.mesh.name = 'shoal'
    const halos = new BufferGeometry()
    this.#places = new BufferAttribute(new Float32Array(3 * Math.max(1, count)), 3)
    this.#light = new BufferAttribute(this.#glow.array, 1)
    halos.setAttribute('position', this.#places)
    halos.setAttribute('glow', this.#light)
    const light = new ShaderMaterial({
      vertexShader: HALO_VERTEX,
      fragmentShader: HALO_FRAGMENT,
      uniforms: { height: { value: 600 }, size: { value: length } },
      blending: AdditiveBlending,
      transparent: true,
      depthWrite: false,
    })
    this.halos = new Points(halos, light)
    this.halos.frustumCulled = false
  }

  /** Sets the pose of one fish. A flock writes the matrices itself. */
  put(index: number, { position, quaternion }: Pose): void {
    place.makeRotationFromQuaternion(turn.copy(quaternion)).setPosition(position.x, position.y, position.z)
    this.mesh.setMatrixAt(index, place)
    this.mesh.instanceMatrix.needsUpdate = true
  }

  glowOf(index: number): number {
    return this.#glow.getX(index)
  }

  /** Sets the glow of a fish, from 0 (none) to 1. */
  glow(index: number, value: number): void {
    this.#glow.setX(index, value)
    this.#glow.needsUpdate = true
  }

  /** Height of the canvas in device pixels. */
  set height(pixels: number) {
    this.halos.material.uniforms['height']!.value = pixels
  }

  /** Call once per frame, after poses and glow are set. */
  update(): void {
    const { array } = this.mesh.instanceMatrix
    for (let index = 0; index < this.mesh.count; index++)
      this.#places.setXYZ(index, array[16 * index + 12]!, array[16 * index + 13]!, array[16 * index + 14]!)
    this.#places.needsUpdate = this.#light.needsUpdate = true
  }

  /** Scene time (s). Drives the tails. */
  set time(seconds: number) {
    this.#time.value = seconds
  }
}
