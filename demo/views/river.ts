import { BufferAttribute, BufferGeometry, Mesh, ShaderMaterial, Vector3, type CubeTexture } from 'three'
import type { Vec3 } from 'three-steering'
import { DUSTY } from './canyon-rock.js'

const VERTEX = /* glsl */ `
attribute vec2 along; // distance along the river and across it (m)
varying vec3 vWorld;
varying vec2 vAlong;
void main() {
  vWorld = position;
  vAlong = along;
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
}`

const FRAGMENT = /* glsl */ `
uniform float time;
varying vec3 vWorld;
varying vec2 vAlong;
${DUSTY}
void main() {
  vec3 eye = vWorld - cameraPosition;
  float far = length(eye);
  vec3 ray = eye / far;
  vec2 p = vec2(vAlong.x - 1.6 * time, vAlong.y);
  vec2 s = vec2(0.7, 0.4) * cos(dot(p, vec2(0.5, 0.3)) + 0.7 * sin(p.y)) + vec2(-0.3, 0.8) * cos(dot(p, vec2(0.8, -1.1)) + time)
    + vec2(0.6, -0.5) * cos(dot(p, vec2(1.9, 1.3)) + 1.6 * time) + vec2(0.4, 0.6) * cos(dot(p, vec2(-1.2, 2.9)) - time);
  vec3 n = normalize(vec3(0.03 * s.x / (1.0 + far * 0.012), 1.0, 0.03 * s.y / (1.0 + far * 0.012)));
  vec3 mirror = reflect(ray, n);
  float fresnel = 0.10 + 0.90 * pow(1.0 - max(0.0, -dot(ray, n)), 4.0);
  // the surroundings are reflected as a warm wall, the sky only at steep angles
  float open = smoothstep(0.15, 0.95, abs(mirror.y));
  vec3 above = mix(vec3(0.50, 0.225, 0.10), textureLod(sky, mirror, 2.0).rgb, open);
  vec3 deep = mix(vec3(0.14, 0.17, 0.11), vec3(0.01, 0.10, 0.105), smoothstep(5.5, 2.0, abs(vAlong.y)));
  vec3 color = mix(deep, above, fresnel) + vec3(1.0, 0.85, 0.6) * 3.0 * pow(max(0.0, dot(mirror, sun)), 400.0);
  gl_FragColor = vec4(dusty(color, eye), 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

const STEPS = 360

/**
 * Water that flows around a ring. `at` gives the point at an angle, at a distance outwards of the centre
 * line.
 */
export class River {
  readonly object: Mesh<BufferGeometry, ShaderMaterial>

  constructor(
    at: (angle: number, aside: number, up: number, out: Vec3) => Vec3,
    half: number,
    level: number,
    sky: CubeTexture,
    sun: Vector3,
  ) {
    const positions: number[] = []
    const along: number[] = []
    const index: number[] = []
    const point = { x: 0, y: 0, z: 0 }
    const last = { x: 0, y: 0, z: 0 }
    let distance = 0
    for (let i = 0; i <= STEPS; i++) {
      const angle = (2 * Math.PI * i) / STEPS
      at(angle, 0, level, point)
      if (i > 0) distance += Math.hypot(point.x - last.x, point.z - last.z)
      Object.assign(last, point)
      for (const side of [-1, 1]) {
        at(angle, side * half, level, point)
        positions.push(point.x, point.y, point.z)
        along.push(distance, side * half)
      }
      if (i < STEPS) index.push(2 * i, 2 * i + 2, 2 * i + 1, 2 * i + 1, 2 * i + 2, 2 * i + 3)
    }
    const geometry = new BufferGeometry()
    geometry.setAttribute('position', new BufferAttribute(Float32Array.from(positions), 3))
    geometry.setAttribute('along', new BufferAttribute(Float32Array.from(along), 2))
    geometry.setIndex(index)
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { sky: { value: sky }, sun: { value: sun }, time: { value: 0 } },
    })
    this.object = new Mesh(geometry, material)
    this.object.frustumCulled = false
    this.object.name = 'river'
  }

  set time(seconds: number) {
    this.object.material.uniforms['time']!.value = seconds
  }
}
