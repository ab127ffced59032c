import {
  BoxGeometry,
  CircleGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  ShaderMaterial,
  type CubeTexture,
  type IUniform,
  type Vector3,
} from 'three'

/** Colour of the air: dark nearby, the glow of the horizon in the distance. */
const AIR = /* glsl */ `
uniform samplerCube sky;
vec3 air(vec3 eye, float far) {
  vec3 low = textureLod(sky, vec3(eye.x, 0.06 * far, eye.z), 4.0).rgb;
  return mix(vec3(0.016, 0.018, 0.042), low, 0.85 * (1.0 - exp(-far * 0.0011)));
}`

const VERTEX = /* glsl */ `
varying vec3 vNormal, vPlace, vWorld;
flat varying float vOwn;
void main() {
  vec4 world = instanceMatrix * vec4(position, 1.0);
  vec3 size = vec3(instanceMatrix[0].x, instanceMatrix[1].y, instanceMatrix[2].z);
  vPlace = position * size;
  vOwn = fract(float(gl_InstanceID) * 0.61803);
  vNormal = normal;
  vWorld = world.xyz;
  gl_Position = projectionMatrix * viewMatrix * world;
}`

const FRAGMENT = /* glsl */ `
${AIR}
uniform vec3 sun;
uniform float mist, haze;
varying vec3 vNormal, vPlace, vWorld;
flat varying float vOwn;
float hash(vec2 p) { return fract(sin(dot(p, vec2(12.9898, 78.233)) + vOwn * 61.0) * 43758.5453); }
void main() {
  vec3 eye = vWorld - cameraPosition;
  float far = length(eye);
  vec3 light = vec3(0.05, 0.06, 0.11) + vec3(1.2, 0.45, 0.2) * 0.30 * max(0.0, dot(vNormal, sun));
  vec3 color = mix(vec3(0.30, 0.32, 0.40), vec3(0.42, 0.36, 0.36), vOwn) * light;
  if (abs(vNormal.y) < 0.5) {
    vec2 at = vec2(abs(vNormal.x) > 0.5 ? vPlace.z : vPlace.x, vPlace.y) / vec2(1.7, 2.6);
    vec2 cell = floor(at), in1 = fract(at) - 0.5;
    float chance = hash(cell) * (0.6 + 0.8 * hash(vec2(cell.y, 3.0)));
    float lit = step(0.80 - 0.16 * vOwn, chance);
    vec2 blur = fwidth(at);
    // distant windows blend into each other
    float pane = smoothstep(0.40, 0.30, abs(in1.x)) * smoothstep(0.36, 0.26, abs(in1.y));
    float share = mix(lit * pane, 0.11, smoothstep(0.22, 0.7, max(blur.x, blur.y)));
    vec3 lamp = mix(vec3(1.0, 0.62, 0.28), vec3(0.55, 0.80, 1.0), step(0.72, hash(cell + 7.0)));
    color += lamp * share * (0.2 + 0.9 * hash(cell + 13.0));
  }
  float thick = max(1.0 - exp(-far * haze), smoothstep(mist + 55.0, mist, vWorld.y));
  gl_FragColor = vec4(mix(color, air(eye, far), thick), 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

const MIST_VERTEX = /* glsl */ `
varying vec3 vEye;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  vEye = world.xyz - cameraPosition;
  gl_Position = projectionMatrix * viewMatrix * world;
}`

const MIST_FRAGMENT = /* glsl */ `
varying vec3 vEye;
${AIR}
void main() {
  gl_FragColor = vec4(air(vEye, length(vEye)), 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

/** A building: centre, half widths, and height of its top (m). */
export interface Tower {
  readonly x: number
  readonly z: number
  readonly wide: number
  readonly deep: number
  readonly top: number
}

/**
 * Buildings with lit windows that stand in mist, in two draw calls. `mist` is the height (m) below which
 * nothing is visible.
 */
export function makeTowers(towers: readonly Tower[], mist: number, sky: CubeTexture, sun: Vector3): Group {
  const uniforms: Record<string, IUniform> = {
    sky: { value: sky },
    sun: { value: sun },
    mist: { value: mist },
    haze: { value: 0.0016 },
  }
  const walls = new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms })
  const blocks = new InstancedMesh(new BoxGeometry(1, 1, 1), walls, towers.length)
  const place = new Matrix4()
  for (const [index, { x, z, wide, deep, top }] of towers.entries()) {
    place.makeScale(2 * wide, top - mist, 2 * deep).setPosition(x, (top + mist) / 2, z)
    blocks.setMatrixAt(index, place)
  }
  blocks.frustumCulled = false
  const fog = new ShaderMaterial({ vertexShader: MIST_VERTEX, fragmentShader: MIST_FRAGMENT, uniforms })
  const floor = new Mesh(new CircleGeometry(3000, 64).rotateX(-Math.PI / 2).translate(0, mist, 0), fog)
  const city = new Group().add(blocks, floor)
  city.name = 'towers'
  return city
}
