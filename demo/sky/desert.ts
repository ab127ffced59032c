import { Vector3 } from 'three'
import { constant } from '../views/shaders.js'

/** Direction to the afternoon sun, unit. */
export const DESERT_SUN = new Vector3(0.62, 0.58, -0.53).normalize()

/** A desert afternoon: deep blue above, dust at the horizon, distant mesas. */
export const DESERT_SKY = /* glsl */ `
${constant('SUN', DESERT_SUN)}

vec3 paintSky(vec3 d) {
  float up = max(d.y, 0.0);
  vec3 sky = mix(vec3(1.10, 0.76, 0.50), vec3(0.52, 0.66, 0.80), smoothstep(0.0, 0.22, up));
  sky = mix(sky, vec3(0.12, 0.32, 0.66), smoothstep(0.12, 0.75, up));
  float sun = max(0.0, dot(d, SUN));
  sky += vec3(1.0, 0.78, 0.5) * (0.30 * pow(sun, 6.0) + 0.9 * pow(sun, 60.0) + 10.0 * smoothstep(0.9993, 0.9998, sun));
  vec2 plane = d.xz / (up + 0.25);
  float wisp = fbm(vec3(plane.x * 0.8, plane.y * 2.0, 3.0) + 0.6 * fbm(vec3(plane * 1.8, 9.0)));
  sky = mix(sky, vec3(1.15, 1.08, 0.98), 0.65 * smoothstep(0.56, 0.86, wisp) * smoothstep(0.04, 0.25, up));
  float around = atan(d.z, d.x);
  for (int k = 0; k < 2; k++) {
    float near = float(k);
    vec3 here = vec3(cos(around), sin(around), 0.3) * mix(4.0, 7.0, near) + 9.0 * near;
    // flat tops
    float mesa = mix(0.075, 0.045, near) * smoothstep(0.50, 0.56, noise(here)) + 0.012 * noise(here * 5.0);
    vec3 rock = mix(vec3(0.72, 0.52, 0.44), vec3(0.56, 0.30, 0.18), near);
    rock = mix(rock, vec3(1.0, 0.72, 0.5), 0.55);
    sky = mix(rock, sky, smoothstep(-0.001, 0.001, d.y - mesa));
  }
  return mix(sky, vec3(0.62, 0.40, 0.26), smoothstep(0.0, -0.04, d.y));
}`
