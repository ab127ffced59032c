import { Vector3 } from 'three'
import { constant } from '../views/shaders.js'

/** Direction to the sun, unit: behind a viewer who looks out to sea. */
export const SEASIDE_SUN = new Vector3(-0.5, 0.62, 0.6).normalize()

/**
 * GLSL function `vec3 air(vec3 direction)`: clear air by the sea, the colour into which distant objects fade.
 */
export const SEASIDE_AIR = /* glsl */ `
${constant('SUN', SEASIDE_SUN)}

vec3 air(vec3 d) {
  float up = max(d.y, 0.0);
  vec3 sky = mix(vec3(0.52, 0.76, 1.0), vec3(0.17, 0.45, 0.92), smoothstep(0.0, 0.20, up));
  sky = mix(sky, vec3(0.045, 0.22, 0.66), smoothstep(0.10, 0.55, up));
  return mix(sky, vec3(0.018, 0.10, 0.42), smoothstep(0.45, 1.0, up));
}`

/** A summer afternoon by the sea: cumulus clouds far out, a few overhead. */
export const SEASIDE_SKY = /* glsl */ `
${SEASIDE_AIR}

float heap(vec2 p) {
  float big = fbm(vec3(p * 0.9, 3.0));
  return big + 0.30 * (fbm(vec3(p * 3.1, 8.0)) - 0.5);
}

vec3 paintSky(vec3 d) {
  vec3 sky = air(d);
  float sun = max(0.0, dot(d, SUN));
  sky += vec3(1.0, 0.93, 0.78) * (0.20 * pow(sun, 7.0) + 0.7 * pow(sun, 90.0) + 14.0 * smoothstep(0.9994, 0.9998, sun));
  float up = max(d.y, 0.0);
  // cumulus, seen from below
  vec2 plane = d.xz / (up + 0.12) * 0.55 + 3.0;
  float here = heap(plane);
  float lit = heap(plane + 0.16 * normalize(SUN.xz));
  float cover = smoothstep(0.50, 0.60, here) * smoothstep(0.05, 0.16, up) * (1.0 - smoothstep(0.62, 0.95, up));
  vec3 cloud = mix(vec3(0.60, 0.68, 0.82), vec3(1.7, 1.66, 1.58), smoothstep(-0.05, 0.11, here - lit + 0.03));
  sky = mix(sky, cloud, 0.92 * cover);
  // tall clouds on the horizon
  float around = atan(d.z, d.x);
  vec3 there = vec3(cos(around), sin(around), 0.0) * 3.2;
  float tower = 0.015 + 0.17 * smoothstep(0.38, 0.70, fbm(there + 4.0)) + 0.030 * (fbm(there * 4.5 + 9.0) - 0.4);
  vec3 q = vec3(cos(around) * 9.0, sin(around) * 9.0, d.y * 26.0);
  tower += 0.020 * (fbm(q) - 0.5);
  float inside = smoothstep(0.006, -0.006, d.y - tower) * smoothstep(0.0, 0.02, up);
  float bright = smoothstep(0.15, 0.95, fbm(q * 1.7 + 3.0) + 4.0 * (d.y - 0.05) + 0.25);
  vec3 bank = mix(vec3(0.55, 0.66, 0.82), vec3(1.75, 1.68, 1.58), bright);
  sky = mix(sky, mix(air(d), bank, 0.85), inside);
  // haze over the water
  sky = mix(sky, air(vec3(d.x, 0.004, d.z)), smoothstep(0.05, 0.0, d.y) * 0.85);
  return mix(sky, vec3(0.10, 0.22, 0.34), smoothstep(-0.06, -0.16, d.y));
}`
