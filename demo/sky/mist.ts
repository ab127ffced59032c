import { Vector3 } from 'three'
import { constant } from '../views/shaders.js'

/** Direction to the sun, which has just risen, unit. */
export const MIST_SUN = new Vector3(-0.13, 0.2, -0.97).normalize()

/**
 * GLSL functions. `vec3 air(vec3 direction)`: the sky of a cold morning, gold around the sun. `vec3
 * misty(vec3 colour, vec3 world)`: a colour seen through the mist, which is densest at height 0 and below and
 * thins out upwards.
 */
export const MIST_AIR = /* glsl */ `
${constant('SUN', MIST_SUN)}

vec3 air(vec3 d) {
  float up = max(d.y, 0.0);
  float toSun = 0.5 + 0.5 * dot(normalize(vec3(d.x, 0.0, d.z) + 1e-5), normalize(vec3(SUN.x, 0.0, SUN.z)));
  float gold = pow(toSun, 5.0);
  vec3 low = mix(vec3(0.13, 0.215, 0.265), vec3(0.80, 0.43, 0.21), gold);
  vec3 mid = mix(vec3(0.06, 0.13, 0.19), vec3(0.30, 0.29, 0.27), pow(toSun, 3.0));
  vec3 sky = mix(low, mid, smoothstep(0.0, 0.20, up));
  sky = mix(sky, vec3(0.030, 0.095, 0.165), smoothstep(0.12, 0.52, up));
  sky = mix(sky, vec3(0.010, 0.034, 0.075), smoothstep(0.45, 1.0, up));
  float sun = max(0.0, dot(d, SUN));
  return sky + vec3(1.1, 0.60, 0.27) * (0.20 * pow(sun, 10.0) + 0.55 * pow(sun, 80.0));
}

// opacity in [0, 1] of the mist between the eye and a point
float thickness(vec3 world) {
  float far = distance(world, cameraPosition);
  float a = exp(-(cameraPosition.y + 10.0) / 17.0);
  float b = exp(-(world.y + 10.0) / 17.0);
  float rise = (world.y - cameraPosition.y) / 17.0;
  float low = abs(rise) > 0.01 ? (a - b) / rise : a;
  return 1.0 - exp(-far * (0.0009 + 0.011 * low));
}

vec3 misty(vec3 color, vec3 world) {
  vec3 toward = normalize(world - cameraPosition);
  // all but hidden at the highest layer of mist, so that its edge does not show
  float sunk = smoothstep(8.0, -11.0, world.y);
  color = mix(color, air(vec3(toward.x, abs(toward.y) * 0.4, toward.z)), thickness(world));
  return mix(color, 0.86 * air(vec3(toward.x, 0.0, toward.z)), sunk);
}`

/** A clear sky above the mist: thin streaks of cloud that catch the light, and three mountain ranges. */
export const MIST_SKY = /* glsl */ `
${MIST_AIR}

vec3 paintSky(vec3 d) {
  vec3 sky = air(d);
  float sun = max(0.0, dot(d, SUN));
  sky += vec3(30.0, 21.0, 11.0) * smoothstep(0.99920, 0.99965, sun);
  float up = max(d.y, 0.0);
  vec2 plane = d.xz / (up + 0.2);
  vec2 comb = vec2(plane.x * 0.5 - plane.y * 0.3, plane.y * 2.6 + plane.x * 1.2);
  float wisp = fbm(vec3(comb * 0.8, 2.0) + 0.9 * fbm(vec3(plane * 1.1, 5.0)));
  float cover = smoothstep(0.50, 0.86, wisp) * smoothstep(0.05, 0.22, up) * (1.0 - smoothstep(0.6, 0.98, up));
  sky = mix(sky, mix(vec3(0.16, 0.22, 0.27), vec3(1.1, 0.66, 0.36), pow(sun, 5.0)), 0.5 * cover);
  float around = atan(d.z, d.x);
  for (int k = 0; k < 3; k++) {
    float near = float(k) / 2.0;
    vec3 here = vec3(cos(around), sin(around), 0.0) * mix(2.3, 4.1, near) + 9.0 * float(k);
    float sharp = 1.0 - abs(2.0 * noise(here * 1.7 + 3.0) - 1.0);
    float height = mix(0.135, 0.06, near) * (0.5 * noise(here) + 0.55 * sharp * noise(here * 0.7 + 11.0) + 0.16 * (1.0 - abs(2.0 * noise(here * 5.1) - 1.0)) + 0.03 * noise(here * 21.0));
    vec3 haze = air(vec3(d.x, 0.0, d.z));
    vec3 hill = mix(haze, vec3(0.035, 0.075, 0.10), mix(0.30, 0.62, near));
    hill = mix(hill, haze, 0.92 * (1.0 - smoothstep(0.0, max(height, 0.01), d.y)));
    sky = mix(hill, sky, smoothstep(-0.0012, 0.0012, d.y - height));
  }
  return mix(sky, air(vec3(d.x, 0.0, d.z)), smoothstep(0.012, -0.004, d.y));
}`
