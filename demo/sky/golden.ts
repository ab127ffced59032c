import { Vector3 } from 'three'
import { constant } from '../views/shaders.js'

/** Direction to the low sun, unit. */
export const GOLDEN_SUN = new Vector3(-0.9, 0.38, 0.14).normalize()

/** A clear evening by the sea: gold at the sun, and cumulus that it lights from the side. */
export const GOLDEN_SKY = /* glsl */ `
${constant('SUN', GOLDEN_SUN)}

vec3 air(vec3 d) {
  float up = max(d.y, 0.0);
  float toSun = 0.5 + 0.5 * dot(normalize(vec3(d.x, 0.0, d.z) + 1e-5), normalize(vec3(SUN.x, 0.0, SUN.z)));
  vec3 low = mix(vec3(0.62, 0.60, 0.66), vec3(1.25, 0.80, 0.42), pow(toSun, 2.2));
  vec3 mid = mix(vec3(0.30, 0.47, 0.72), vec3(0.82, 0.66, 0.52), pow(toSun, 2.6));
  vec3 sky = mix(low, mid, smoothstep(0.0, 0.14, up));
  sky = mix(sky, vec3(0.13, 0.30, 0.62), smoothstep(0.08, 0.42, up));
  return mix(sky, vec3(0.05, 0.15, 0.42), smoothstep(0.40, 1.0, up));
}

vec3 paintSky(vec3 d) {
  vec3 sky = air(d);
  float sun = max(0.0, dot(d, SUN));
  sky += vec3(1.3, 0.80, 0.36) * (0.20 * pow(sun, 9.0) + 0.9 * pow(sun, 160.0));
  sky += vec3(3.0, 2.3, 1.4) * smoothstep(0.9982, 0.9996, sun);
  float up = max(d.y, 0.0);
  // high clouds, drawn out by the wind
  vec2 plane = d.xz / (up + 0.16);
  float wisp = fbm(vec3(plane.x * 0.7 + plane.y * 0.3, plane.y * 2.1 - plane.x * 0.7, 4.0) + 0.7 * fbm(vec3(plane * 1.2, 9.0)));
  float cover = smoothstep(0.52, 0.86, wisp) * smoothstep(0.04, 0.18, up) * (1.0 - smoothstep(0.55, 0.95, up));
  sky = mix(sky, mix(vec3(0.86, 0.80, 0.80), vec3(1.6, 1.15, 0.75), pow(sun, 2.0)), 0.6 * cover);
  // cumulus on the horizon
  float around = atan(d.z, d.x);
  vec3 there = vec3(cos(around), sin(around), 0.0) * 3.4;
  float tower = 0.012 + 0.13 * smoothstep(0.40, 0.72, fbm(there + 6.0)) + 0.030 * (fbm(there * 4.5 + 2.0) - 0.4);
  vec3 q = vec3(cos(around) * 9.0, sin(around) * 9.0, d.y * 26.0);
  tower += 0.020 * (fbm(q) - 0.5);
  float inside = smoothstep(0.006, -0.006, d.y - tower) * smoothstep(0.0, 0.02, up);
  float side = fbm(q * 1.7 + 3.0) + 4.0 * (d.y - 0.05);
  vec3 bank = mix(vec3(0.52, 0.52, 0.64), vec3(1.55, 1.18, 0.86), smoothstep(0.25, 0.85, side + 0.2));
  sky = mix(sky, mix(air(d), bank, 0.8), inside);
  sky = mix(sky, air(vec3(d.x, 0.004, d.z)), smoothstep(0.05, 0.0, d.y) * 0.85);
  return mix(sky, vec3(0.10, 0.20, 0.30), smoothstep(-0.06, -0.2, d.y));
}`
