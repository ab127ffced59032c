import { Vector3 } from 'three'
import { constant } from '../views/shaders.js'

/** Direction to the low sun, unit. */
export const ALOFT_SUN = new Vector3(-0.32, 0.15, -0.93).normalize()

/**
 * GLSL function `vec3 air(vec3 direction)`: clear evening air, the colour into which distant objects fade.
 */
export const ALOFT_AIR = /* glsl */ `
${constant('SUN', ALOFT_SUN)}

vec3 air(vec3 d) {
  float up = max(d.y, 0.0);
  float toSun = 0.5 + 0.5 * dot(normalize(vec3(d.x, 0.0, d.z) + 1e-5), normalize(vec3(SUN.x, 0.0, SUN.z)));
  vec3 low = mix(vec3(0.30, 0.22, 0.34), vec3(1.05, 0.46, 0.17), pow(toSun, 3.0));
  vec3 mid = mix(vec3(0.16, 0.20, 0.40), vec3(0.55, 0.36, 0.32), pow(toSun, 2.5));
  vec3 sky = mix(low, mid, smoothstep(0.0, 0.12, up));
  sky = mix(sky, vec3(0.060, 0.125, 0.33), smoothstep(0.07, 0.36, up));
  return mix(sky, vec3(0.013, 0.035, 0.135), smoothstep(0.30, 0.95, up));
}`

/**
 * An evening sky above the clouds: gold at the sun, rose around the horizon, deep blue overhead, high ice
 * clouds, and haze over the cloud tops below.
 */
export const ALOFT_SKY = /* glsl */ `
${ALOFT_AIR}

vec3 paintSky(vec3 d) {
  vec3 sky = air(d);
  float sun = max(0.0, dot(d, SUN));
  sky += vec3(1.3, 0.62, 0.20) * pow(sun, 12.0) * 0.26;
  sky += vec3(2.0, 1.15, 0.45) * pow(sun, 220.0) * 0.8;
  sky += vec3(40.0, 26.0, 12.0) * smoothstep(0.99955, 0.99985, sun);
  float up = max(d.y, 0.0);
  vec2 plane = d.xz / (up + 0.16);
  // stretched along the wind
  vec2 streak = vec2(plane.x * 0.9 + plane.y * 0.35, plane.y * 3.4 - plane.x * 1.1);
  float ice = fbm(vec3(streak * 0.75, 4.0) + 0.8 * fbm(vec3(plane * 1.3, 9.0)));
  float cover = smoothstep(0.50, 0.86, ice) * smoothstep(0.03, 0.16, up) * (1.0 - smoothstep(0.5, 0.95, up));
  float toSun = max(0.0, dot(d, SUN));
  vec3 lit = mix(vec3(0.42, 0.25, 0.33), vec3(1.5, 0.75, 0.36), pow(toSun, 3.0));
  sky = mix(sky, lit, 0.55 * cover);
  // a bank of distant cumulus on the horizon
  float around = atan(d.z, d.x);
  vec3 here = vec3(cos(around) * 6.0, sin(around) * 6.0, 2.0);
  float tower = 0.052 * smoothstep(0.42, 0.85, fbm(here)) + 0.010 * fbm(here * 6.0) - 0.006;
  float inside = smoothstep(0.004, -0.004, d.y - tower);
  vec3 bank = mix(vec3(0.24, 0.19, 0.31), vec3(1.0, 0.48, 0.24), pow(toSun, 2.0));
  bank *= 0.75 + 0.5 * smoothstep(-0.01, 0.06, d.y) + 0.25 * (fbm(here * 9.0 + d.y * 60.0) - 0.5);
  sky = mix(sky, bank, 0.8 * inside);
  return mix(sky, air(vec3(d.x, 0.004, d.z)), smoothstep(0.012, -0.004, d.y));
}`
