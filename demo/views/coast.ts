import {
  CircleGeometry,
  Group,
  Mesh,
  PlaneGeometry,
  ShaderMaterial,
  type BufferGeometry,
  type CubeTexture,
} from 'three'
import { NOISE } from '../sky/backdrop.js'
import { SEASIDE_AIR } from '../sky/seaside.js'
import { depthChart } from './depth-chart.js'
import { GROUND, heightAt, RUNWAY_PLACE, RUNWAY_SIZE } from './seashore.js'

const VERTEX = /* glsl */ `
varying vec3 vWorld, vNormal;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  vWorld = world.xyz;
  vNormal = normal;
  gl_Position = projectionMatrix * viewMatrix * world;
}`

const END = /* glsl */ `
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
  #include <dithering_fragment>`

const LAND = /* glsl */ `
uniform vec2 runway, runwaySize;
varying vec3 vWorld, vNormal;
${NOISE}
${SEASIDE_AIR}
#include <common>
#include <dithering_pars_fragment>

// fields separated by hedges
vec3 fields(vec2 p) {
  p = mat2(0.94, 0.34, -0.34, 0.94) * p + 26.0 * vec2(noise(vec3(p / 190.0, 1.0)), noise(vec3(p / 190.0, 5.0)));
  vec2 size = vec2(150.0, 96.0);
  vec2 cell = floor(p / size);
  p.x += 60.0 * hash(vec3(cell.y, 3.0, 1.0));
  cell = floor(p / size);
  vec2 at = abs(fract(p / size) - 0.5) * size;
  float edge = min(0.5 * size.x - at.x, 0.5 * size.y - at.y);
  float kind = hash(vec3(cell, 2.0));
  vec3 crop = mix(vec3(0.17, 0.27, 0.07), vec3(0.25, 0.33, 0.09), fract(kind * 7.0));
  crop = kind > 0.72 ? vec3(0.50, 0.42, 0.16) : crop;
  crop = kind > 0.90 ? vec3(0.27, 0.19, 0.11) : crop;
  crop *= 0.93 + 0.10 * sin(p.x * 1.1 + kind * 9.0) * smoothstep(0.3, 0.8, kind);
  return mix(vec3(0.055, 0.105, 0.035), crop, smoothstep(2.0, 4.5, edge));
}

void main() {
  vec3 eye = vWorld - cameraPosition;
  float far = length(eye);
  vec3 n = normalize(vNormal);
  float grain = fbm(vWorld / 7.0);
  vec3 color = fields(vWorld.xz) * (0.8 + 0.4 * grain);
  vec3 meadow = vec3(0.19, 0.30, 0.085) * (0.7 + 0.6 * grain);
  // the airfield
  vec2 outside = abs(vWorld.xz - runway) - runwaySize;
  color = mix(meadow, color, smoothstep(40.0, 120.0, max(outside.x, outside.y)));
  vec2 along = vWorld.xz - runway;
  float tar = step(max(outside.x, outside.y), 0.0);
  vec3 strip = vec3(0.115, 0.118, 0.125) * (0.85 + 0.3 * grain);
  float dashes = step(abs(along.y), 0.5) * step(0.5, fract(along.x / 46.0)) * step(outside.x, -70.0);
  float keys = step(-52.0, outside.x) * step(outside.x, -16.0) * step(0.5, fract(along.y / 3.4)) * step(outside.y, -2.0);
  float rim = step(-1.6, outside.y) * step(outside.y, -0.8);
  strip = mix(strip, vec3(0.75), max(max(dashes, keys), rim));
  color = mix(color, strip, tar);
  float apron = step(max(abs(along.x - 60.0) - 210.0, abs(along.y - 62.0) - 26.0), 0.0);
  color = mix(color, vec3(0.30, 0.30, 0.29) * (0.9 + 0.15 * grain), apron);
  // sand, wet near the water, and chalk on steep slopes
  float dune = vWorld.y + 1.4 * (grain - 0.5);
  vec3 sand = mix(vec3(0.42, 0.34, 0.23), vec3(0.80, 0.70, 0.50), smoothstep(0.2, 0.9, dune)) * (0.9 + 0.2 * grain);
  color = mix(sand, color, smoothstep(2.4, 3.3, dune));
  vec3 chalk = vec3(0.86, 0.84, 0.78) * (0.72 + 0.4 * fbm(vec3(vWorld.x / 30.0, vWorld.y / 2.5, vWorld.z / 30.0)));
  color = mix(color, chalk, smoothstep(0.84, 0.66, n.y));
  float sun = max(0.0, dot(n, SUN));
  color *= vec3(1.55, 1.45, 1.25) * sun + vec3(0.30, 0.37, 0.46) * (0.6 + 0.4 * n.y);
  color = mix(color, air(vec3(eye.x, 0.004 * far, eye.z) / far), 1.0 - exp(-max(0.0, far - 300.0) / 4200.0));
  gl_FragColor = vec4(color, 1.0);
  ${END}
}`

const SEA = /* glsl */ `
uniform samplerCube sky;
uniform sampler2D depth;
uniform float time, ground;
varying vec3 vWorld;
${NOISE}
${SEASIDE_AIR}
#include <common>
#include <dithering_pars_fragment>

vec2 slope(vec2 p, float far) {
  vec2 s = vec2(0.8, 0.5) * cos(dot(p, vec2(0.071, 0.047)) + time * 0.8);
  s += vec2(-0.4, 0.9) * cos(dot(p, vec2(-0.043, 0.123)) + time * 1.0);
  s += vec2(0.6, -0.7) * cos(dot(p, vec2(0.21, -0.18)) + time * 1.5 + 2.0 * sin(p.x * 0.031));
  float fine = 1.0 / (1.0 + far * 0.004);
  s += fine * vec2(0.3, 0.9) * cos(dot(p, vec2(0.22, 0.63)) + time * 2.1 + 2.0 * sin(p.y * 0.07));
  s += fine * fine * vec2(0.9, -0.2) * cos(dot(p, vec2(1.1, -0.4)) + time * 2.9 + sin(p.y * 0.31));
  return s;
}

void main() {
  vec3 eye = vWorld - cameraPosition;
  float far = length(eye);
  vec3 ray = eye / far;
  vec2 s = slope(vWorld.xz, far) * 0.035;
  s += 0.10 * (vec2(noise(vec3(vWorld.xz / 3.1, time * 0.7)), noise(vec3(vWorld.zx / 3.7, 9.0 - time * 0.6))) - 0.5) / (1.0 + far * 0.006);
  vec3 normal = normalize(vec3(-s.x, 1.0, -s.y));
  vec3 mirror = reflect(ray, normal);
  mirror.y = abs(mirror.y) + 0.02;
  float fresnel = 0.02 + 0.75 * pow(1.0 - max(0.0, -dot(ray, normal)), 4.0);
  vec3 light = textureLod(sky, mirror, 2.5).rgb;
  float deep = 14.0 * texture2D(depth, vWorld.xz / (2.0 * ground) + 0.5).r;
  float gust = fbm(vec3(vWorld.xz / 240.0, time * 0.02));
  vec3 body = mix(vec3(0.012, 0.098, 0.185), vec3(0.020, 0.135, 0.225), gust);
  body = mix(vec3(0.10, 0.42, 0.44), body, 1.0 - exp(-deep / 3.2));
  body = mix(vec3(0.46, 0.50, 0.38), body, smoothstep(-0.1, 1.2, deep));
  vec3 color = mix(body, light, fresnel);
  vec3 glint = reflect(-SUN, normal);
  color += vec3(1.6, 1.45, 1.2) * pow(max(0.0, -dot(glint, ray)), 260.0);
  // breakers near the shore, whitecaps farther out
  float surf = sin(deep * 4.2 + time * 1.1 + 3.0 * noise(vec3(vWorld.xz / 22.0, 2.0)));
  float foam = smoothstep(0.55, 0.95, surf) * smoothstep(1.7, 0.2, deep) * step(0.001, deep);
  foam = max(foam, smoothstep(0.35, 0.02, deep));
  float horse = noise(vec3(vWorld.x / 9.0, vWorld.z / 4.0 + time * 0.5, time * 0.25)) * gust;
  foam = max(foam, smoothstep(0.50, 0.60, horse) * smoothstep(1500.0, 200.0, far) * 0.7);
  color = mix(color, vec3(0.92, 0.95, 0.96), foam * (0.6 + 0.4 * noise(vec3(vWorld.xz / 1.3, time))));
  color = mix(color, air(vec3(ray.x, 0.004, ray.z)), 1.0 - exp(-max(0.0, far - 400.0) / 5200.0));
  gl_FragColor = vec4(color, 1.0);
  ${END}
}`

const LINES = 220
/** Exponent by which mesh lines are denser in the middle. */
const CLOSER = 1.7

/** Fields, cliffs, a beach and an airfield, and the sea in front of them. */
export class Coast {
  readonly object = new Group()
  readonly #sea: Mesh<CircleGeometry, ShaderMaterial>
  readonly #chart = depthChart(heightAt, GROUND)

  constructor(sky: CubeTexture) {
    const land = new Mesh(
      ground(),
      new ShaderMaterial({
        vertexShader: VERTEX,
        fragmentShader: LAND,
        uniforms: { runway: { value: RUNWAY_PLACE }, runwaySize: { value: RUNWAY_SIZE } },
        dithering: true,
      }),
    )
    this.#sea = new Mesh(
      new CircleGeometry(9000, 64).rotateX(-Math.PI / 2),
      new ShaderMaterial({
        vertexShader: VERTEX,
        fragmentShader: SEA,
        uniforms: {
          sky: { value: sky },
          depth: { value: this.#chart },
          time: { value: 0 },
          ground: { value: GROUND },
        },
        dithering: true,
      }),
    )
    land.frustumCulled = false
    this.object.add(land, this.#sea)
    this.object.name = 'coast'
  }

  set time(seconds: number) {
    this.#sea.material.uniforms['time']!.value = seconds
  }

  dispose(): void {
    this.#chart.dispose()
  }
}

function ground(): BufferGeometry {
  const geometry = new PlaneGeometry(2, 2, LINES, LINES).rotateX(-Math.PI / 2)
  const position = geometry.getAttribute('position')
  const spread = (u: number): number => Math.sign(u) * Math.abs(u) ** CLOSER * GROUND
  for (let k = 0; k < position.count; k++) {
    const [x, z] = [spread(position.getX(k)), spread(position.getZ(k))]
    position.setXYZ(k, x, heightAt(x, z), z)
  }
  geometry.computeVertexNormals()
  geometry.deleteAttribute('uv')
  return geometry
}
