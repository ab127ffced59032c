import {
  BufferAttribute,
  CircleGeometry,
  Color,
  DoubleSide,
  Group,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  PlaneGeometry,
  ShaderMaterial,
} from 'three'
import { seeded } from 'three-steering/authoring'
import { WEB } from './caustics.js'
import { WORLD_VERTEX } from './shaders.js'
import { ADDS_LIGHT, SoftPoints } from './soft-points.js'

/**
 * From below, the sky is visible in a round window straight above. Around it the surface reflects the water.
 */
const SURFACE_FRAGMENT = /* glsl */ `
uniform float time, murk;
uniform vec3 water;
varying vec3 vWorld;
${WEB}
void main() {
  vec3 eye = vWorld - cameraPosition;
  float far = length(eye);
  float up = eye.y / far;
  float wave = web(vWorld.xz * 0.32, 0.7 * time);
  float window = smoothstep(0.30, 0.78, up + 0.16 * (wave - 0.5));
  vec3 color = mix(water * 1.5 + vec3(0.02, 0.16, 0.19) * wave, vec3(0.50, 0.92, 0.98), window);
  color += vec3(0.5, 0.75, 0.75) * wave * wave * (0.18 + 0.5 * window);
  float clear = exp(-murk * murk * far * far);
  gl_FragColor = vec4(mix(water, color, clear), 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

const RAY_VERTEX = /* glsl */ `
attribute vec4 place; // x, z, width, phase
uniform float depth;
varying vec2 vUv;
varying float vPhase, vNear;
void main() {
  vUv = uv;
  vPhase = place.w;
  vec3 foot = vec3(place.x, 0.0, place.y);
  vec3 side = normalize(cross(vec3(0.0, 1.0, 0.0), cameraPosition - foot));
  float up = uv.y * depth;
  vec3 world = foot + side * position.x * place.z * (1.35 - 0.5 * uv.y) + vec3(0.18 * up, up, 0.1 * up);
  vNear = smoothstep(3.0, 12.0, distance(cameraPosition.xz, world.xz));
  gl_Position = projectionMatrix * viewMatrix * vec4(world, 1.0);
}`

const RAY_FRAGMENT = /* glsl */ `
uniform float time;
varying vec2 vUv;
varying float vPhase, vNear;
void main() {
  float across = 1.0 - abs(2.0 * vUv.x - 1.0);
  float streak = 0.6 + 0.4 * sin(17.0 * vUv.x + 5.0 * vPhase + 0.4 * time) * sin(9.0 * vUv.x - 0.3 * time + vPhase);
  float glow = 0.5 + 0.5 * sin(0.35 * time + 6.2832 * vPhase);
  float light = across * across * streak * glow * smoothstep(0.0, 0.45, vUv.y) * vNear;
  gl_FragColor = vec4(vec3(0.40, 0.78, 0.82) * light * 0.13, 1.0);
}`

/** Bubbles rise in columns, specks drift. Both wrap around from the surface to the bottom. */
const SPECK_VERTEX = /* glsl */ `
attribute vec4 seed; // speed, size, phase, 1 for a bubble
uniform float time, depth, pixels;
varying float vBubble, vFade;
void main() {
  vec3 world = position;
  world.y = mod(position.y + seed.x * time, depth);
  float wobble = 0.25 + 0.5 * (1.0 - seed.w);
  world.x += wobble * sin(1.7 * time * (0.4 + 0.6 * seed.w) + 6.2832 * seed.z + world.y);
  world.z += wobble * cos(1.3 * time * (0.4 + 0.6 * seed.w) + 9.0 * seed.z);
  vec4 view = viewMatrix * vec4(world, 1.0);
  vBubble = seed.w;
  vFade = smoothstep(0.0, 0.8, world.y) * smoothstep(-1.0, -2.5, view.z) * exp(0.045 * view.z);
  gl_Position = projectionMatrix * view;
  gl_PointSize = clamp(pixels * projectionMatrix[1][1] * seed.y * (1.0 + 0.06 * world.y * seed.w) / -view.z, 1.0, 40.0);
}`

const SPECK_FRAGMENT = /* glsl */ `
varying float vBubble, vFade;
void main() {
  vec2 p = 2.0 * gl_PointCoord - 1.0;
  float d = length(p);
  float ring = smoothstep(0.45, 0.85, d) * (1.0 - smoothstep(0.85, 1.0, d));
  float spark = 1.0 - smoothstep(0.0, 0.35, length(p - vec2(-0.3, -0.35)));
  float light = mix(0.35 * (1.0 - smoothstep(0.2, 1.0, d)), 0.55 * ring + 0.9 * spark, vBubble);
  gl_FragColor = vec4(vec3(0.62, 0.92, 0.95) * light * vFade, 1.0);
}`

const BUBBLES = 150
const VENTS = 6
const SPECKS = 420
const RAYS = 14

/** The water itself: its surface from below, rays of light, bubbles and drifting specks. */
export class Water {
  readonly object = new Group()
  readonly #time = { value: 0 }

  constructor(reach: number, depth: number, water: Color, murk: number) {
    const surface = new Mesh(
      new CircleGeometry(6 * reach, 48).rotateX(Math.PI / 2),
      this.#material(WORLD_VERTEX, SURFACE_FRAGMENT, { water: { value: water }, murk: { value: murk } }),
    )
    surface.position.y = depth
    surface.material.side = DoubleSide
    this.object.add(surface, this.#rays(reach, depth), this.#specks(reach, depth))
    this.object.name = 'water'
  }

  /** Scene time (s). */
  set time(seconds: number) {
    this.#time.value = seconds
  }

  #rays(reach: number, depth: number): Mesh {
    const random = seeded(11)
    const geometry = new InstancedBufferGeometry()
    const plane = new PlaneGeometry(1, 1)
    for (const name of ['position', 'uv']) geometry.setAttribute(name, plane.getAttribute(name))
    geometry.setIndex(plane.getIndex())
    const places = Array.from({ length: RAYS }, () => {
      const far = 0.8 * reach * Math.sqrt(random())
      const turn = 2 * Math.PI * random()
      return [far * Math.cos(turn), far * Math.sin(turn), 2 + 3.5 * random(), random()]
    })
    geometry.setAttribute('place', new InstancedBufferAttribute(new Float32Array(places.flat()), 4))
    const material = this.#material(RAY_VERTEX, RAY_FRAGMENT, { depth: { value: depth } })
    const rays = new Mesh(geometry, Object.assign(material, ADDS_LIGHT, { side: DoubleSide }))
    rays.frustumCulled = false
    return rays
  }

  #specks(reach: number, depth: number): SoftPoints {
    const random = seeded(5)
    const places: number[] = []
    const seeds: number[] = []
    const put = (x: number, z: number, ...seed: number[]): void => {
      places.push(x, depth * random(), z)
      seeds.push(...seed)
    }
    for (let k = 0; k < BUBBLES; k++) {
      const turn = (2 * Math.PI * (k % VENTS)) / VENTS + 0.7
      const far = reach * (0.3 + 0.09 * (k % VENTS))
      put(
        far * Math.cos(turn),
        far * Math.sin(turn),
        1.6 + random(),
        0.05 + 0.09 * random() ** 2,
        random(),
        1,
      )
    }
    for (let k = 0; k < SPECKS; k++) {
      const [x, z] = [2 * random() - 1, 2 * random() - 1]
      put(1.1 * reach * x, 1.1 * reach * z, 0.05 * random() - 0.08, 0.035, random(), 0)
    }
    return new SoftPoints('specks', {
      vertexShader: SPECK_VERTEX,
      fragmentShader: SPECK_FRAGMENT,
      attributes: {
        position: new BufferAttribute(new Float32Array(places), 3),
        seed: new BufferAttribute(new Float32Array(seeds), 4),
      },
      uniforms: { time: this.#time, depth: { value: depth } },
      per: 'canvas',
    })
  }

  #material(
    vertexShader: string,
    fragmentShader: string,
    more: Record<string, { value: unknown }>,
  ): ShaderMaterial {
    return new ShaderMaterial({ vertexShader, fragmentShader, uniforms: { time: this.#time, ...more } })
  }
}
