import {
  type BufferGeometry,
  DoubleSide,
  DynamicDrawUsage,
  InstancedMesh,
  Matrix4,
  MeshStandardMaterial,
  Quaternion,
} from 'three'
import type { Pose } from 'three-steering/authoring'

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

/** Fish in one draw call, with swinging tails. */
export class Shoal {
  readonly mesh: InstancedMesh<BufferGeometry, MeshStandardMaterial>
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
      shader.vertexShader = `uniform float time, size, rate;\n${shader.vertexShader}`
      shader.vertexShader = shader.vertexShader.replace(
        '#include <begin_vertex>',
        /* glsl */ `vec3 transformed = position;
        // a fish in front of the lens looks no larger than one at this many lengths
        vec3 place = (modelMatrix * instanceMatrix * vec4(0.0, 0.0, 0.0, 1.0)).xyz;
        float shrunk = min(1.0, distance(cameraPosition, place) / (${NEAREST.toFixed(1)} * size));
        float own = fract(float(gl_InstanceID) * 0.618);
        float along = position.z / size;
        float swing = 0.25 - along;
        transformed.x += size * 0.20 * swing * swing * sin(6.2832 * (time * rate * (1.5 + 0.5 * own) + own) + 3.0 * along);
        transformed *= shrunk;`,
      )
      shader.fragmentShader = shader.fragmentShader.replace(
        '#include <emissivemap_fragment>',
        /* glsl */ `totalEmissiveRadiance += vec3(0.010, 0.055, 0.075) * (0.4 + diffuseColor.rgb);`,
      )
    }
    this.mesh = new InstancedMesh(geometry, material, Math.max(1, count))
    this.mesh.count = count
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage)
    this.mesh.frustumCulled = false
    this.mesh.name = 'shoal'
  }

  /** Sets the pose of one fish. A flock writes the matrices itself. */
  put(index: number, { position, quaternion }: Pose): void {
    place.makeRotationFromQuaternion(turn.copy(quaternion)).setPosition(position.x, position.y, position.z)
    this.mesh.setMatrixAt(index, place)
    this.mesh.instanceMatrix.needsUpdate = true
  }

  /** Scene time (s). Drives the tails. */
  set time(seconds: number) {
    this.#time.value = seconds
  }
}
