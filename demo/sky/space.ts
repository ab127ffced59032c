import { BufferAttribute } from 'three'
import { seeded } from 'three-steering/authoring'
import { SoftPoints } from '../views/soft-points.js'

/** Deep space: a dim band of dust and light, teal on one side and violet on the other. */
export const SPACE_SKY = /* glsl */ `
vec3 paintSky(vec3 d) {
  vec3 pole = normalize(vec3(0.35, 0.86, -0.37));
  float across = dot(d, pole) + 0.16 * (fbm(d * 2.1 + 3.0) - 0.5);
  float band = exp(-across * across * 14.0);
  float cloud = fbm(d * 3.4 + 1.3 * fbm(d * 2.2 + 9.0));
  float dust = smoothstep(0.42, 0.72, fbm(d * 5.2 + 21.0));
  vec3 base = mix(vec3(0.0035, 0.006, 0.014), vec3(0.010, 0.010, 0.026), d.y * 0.5 + 0.5);
  vec3 teal = vec3(0.012, 0.050, 0.075);
  vec3 violet = vec3(0.085, 0.030, 0.105);
  vec3 rose = vec3(0.16, 0.060, 0.055);
  float side = smoothstep(-0.6, 0.7, d.x + 0.5 * d.z + 0.4 * (cloud - 0.5));
  vec3 glow = mix(teal, violet, side);
  vec3 sky = base + glow * smoothstep(0.34, 0.80, cloud) * (0.30 + 1.1 * band);
  sky += rose * band * band * smoothstep(0.45, 0.85, cloud) * 0.55;
  return sky * mix(1.0, 0.45, dust * band);
}`

/**
 * Albedo of a planet with seas, dry land and clouds. It has no alpha channel; clouds are recognized by their
 * whiteness.
 */
export const PLANET_SKIN = /* glsl */ `
vec3 paintSky(vec3 d) {
  vec3 warp = 0.25 * vec3(fbm(d * 4.0), fbm(d * 4.0 + 7.0), fbm(d * 4.0 + 13.0));
  float land = fbm(d * 2.6 + warp + 4.0) + 0.30 * fbm(d * 11.0 + 11.0) - 0.13;
  float coast = smoothstep(0.515, 0.535, land);
  vec3 sea = mix(vec3(0.006, 0.028, 0.075), vec3(0.015, 0.10, 0.14), smoothstep(0.44, 0.525, land));
  float dry = fbm(d * 6.0 + 31.0);
  vec3 ground = mix(vec3(0.045, 0.075, 0.035), vec3(0.21, 0.15, 0.085), smoothstep(0.38, 0.62, dry));
  ground = mix(ground, vec3(0.30, 0.25, 0.20), smoothstep(0.62, 0.78, land + 0.2 * (fbm(d * 24.0) - 0.5)));
  vec3 skin = mix(sea, ground * (0.75 + 0.5 * fbm(d * 40.0)), coast);
  skin = mix(skin, vec3(0.72, 0.78, 0.85), smoothstep(0.84, 0.90, abs(d.y) + 0.16 * (fbm(d * 9.0) - 0.5)));
  vec3 swirl = d * vec3(3.0, 6.5, 3.0) + 1.5 * vec3(fbm(d * 3.6), fbm(d * 3.6 + 7.0), fbm(d * 3.6 + 13.0));
  float cloud = smoothstep(0.50, 0.76, fbm(swirl + 2.0) + 0.16 * (fbm(d * 32.0) - 0.5));
  return mix(skin, vec3(0.80, 0.84, 0.88), cloud * 0.95);
}`

const STAR_VERTEX = /* glsl */ `
attribute vec3 color;
attribute float size;
uniform float pixels;
varying vec3 vColor;
void main() {
  vColor = color;
  vec4 clip = projectionMatrix * vec4(mat3(viewMatrix) * position, 1.0);
  gl_Position = size > 0.0 ? clip.xyww : vec4(2.0, 2.0, 2.0, 1.0);
  gl_PointSize = size * pixels;
}`

const STAR_FRAGMENT = /* glsl */ `
varying vec3 vColor;
void main() {
  float d = length(gl_PointCoord - 0.5) * 2.0;
  gl_FragColor = vec4(vColor * pow(max(0.0, 1.0 - d), 1.6), 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

/** Stars at infinity, many faint and few bright. Directions for which `covered` is true have none. */
export function makeStars(
  count: number,
  seed: number,
  covered: (x: number, y: number, z: number) => boolean = () => false,
): SoftPoints {
  const random = seeded(seed)
  const position = new Float32Array(3 * count)
  const color = new Float32Array(3 * count)
  const size = new Float32Array(count)
  for (let k = 0; k < count; k++) {
    const y = 2 * random() - 1
    const around = 2 * Math.PI * random()
    const flat = Math.sqrt(1 - y * y)
    const x = flat * Math.cos(around)
    const z = flat * Math.sin(around)
    position.set([x, y, z], 3 * k)
    const bright = random() ** 7
    const warmth = random()
    const light = 0.16 + 1.7 * bright
    color.set([light * (0.72 + 0.45 * warmth), light * 0.88, light * (1.12 - 0.4 * warmth)], 3 * k)
    size[k] = covered(x, y, z) ? 0 : 1.7 + 3.4 * bright
  }
  const attributes = {
    position: new BufferAttribute(position, 3),
    color: new BufferAttribute(color, 3),
    size: new BufferAttribute(size, 1),
  }
  const stars = new SoftPoints('stars', {
    vertexShader: STAR_VERTEX,
    fragmentShader: STAR_FRAGMENT,
    attributes,
  })
  stars.renderOrder = -90
  return stars
}
