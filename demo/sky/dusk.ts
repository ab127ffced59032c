import { Vector3 } from 'three'
import { constant } from '../views/shaders.js'

/** Direction to the sun, which has just set, unit. */
export const DUSK_SUN = new Vector3(-0.42, 0.015, -0.9).normalize()

/** An evening over a lake: afterglow, lit bands of cloud, four ridges of hills that fade into haze. */
export const DUSK_SKY = /* glsl */ `
${constant('SUN', DUSK_SUN)}

vec3 air(vec3 d) {
  float up = max(d.y, 0.0);
  vec3 east = normalize(vec3(SUN.x, 0.0, SUN.z));
  float toSun = max(0.0, dot(normalize(vec3(d.x, 0.0, d.z) + 1e-5), east));
  vec3 low = mix(vec3(0.40, 0.21, 0.26), vec3(1.25, 0.44, 0.11), pow(toSun, 3.0));
  vec3 mid = mix(vec3(0.21, 0.17, 0.31), vec3(0.66, 0.27, 0.22), pow(toSun, 2.0));
  vec3 high = vec3(0.062, 0.095, 0.235);
  vec3 top = vec3(0.016, 0.028, 0.095);
  vec3 sky = mix(low, mid, smoothstep(0.0, 0.16, up));
  sky = mix(sky, high, smoothstep(0.10, 0.48, up));
  sky = mix(sky, top, smoothstep(0.42, 1.0, up));
  float sun = max(0.0, dot(d, SUN));
  sky += vec3(1.5, 0.62, 0.18) * pow(sun, 24.0) * 0.55;
  sky += vec3(2.2, 1.15, 0.45) * pow(sun, 260.0) * 0.9;
  return sky;
}

vec3 clouds(vec3 d, vec3 sky) {
  float up = max(d.y, 0.0);
  vec2 plane = d.xz / (up + 0.13);
  vec3 p = vec3(plane.x * 0.55 + 3.0, plane.y * 1.5, 1.7);
  float wisp = fbm(p + 0.6 * fbm(p * 1.7 + 5.0));
  float cover = smoothstep(0.50, 0.78, wisp) * smoothstep(0.015, 0.10, up) * (1.0 - smoothstep(0.55, 0.95, up));
  float toSun = 0.5 + 0.5 * dot(normalize(vec3(d.x, 0.0, d.z) + 1e-5), normalize(vec3(SUN.x, 0.0, SUN.z)));
  vec3 lit = mix(vec3(0.30, 0.16, 0.26), vec3(1.35, 0.42, 0.20), pow(toSun, 3.0));
  vec3 shade = mix(vec3(0.09, 0.085, 0.17), vec3(0.30, 0.14, 0.19), toSun);
  float edge = smoothstep(0.50, 0.66, wisp) - smoothstep(0.62, 0.86, wisp) * 0.8;
  vec3 cloud = mix(shade, lit, clamp(edge, 0.0, 1.0) * (1.0 - smoothstep(0.2, 0.6, up)) + 0.12);
  return mix(sky, cloud, cover * 0.72);
}

float ridge(float around, float seed, float rough) {
  vec3 p = vec3(cos(around) * rough, sin(around) * rough, seed);
  return noise(p) * 0.62 + noise(p * 2.7) * 0.26 + noise(p * 9.0) * 0.08 + noise(p * 31.0) * 0.035;
}

vec3 paintSky(vec3 d) {
  vec3 mirror = vec3(d.x, abs(d.y), d.z);
  vec3 sky = clouds(mirror, air(mirror));
  float around = atan(d.z, d.x);
  vec3 haze = air(normalize(vec3(d.x, 0.02, d.z)));
  for (int k = 0; k < 4; k++) {
    float near = float(k) / 3.0;
    float height = mix(0.085, 0.028, near) * (ridge(around, 3.0 + 7.0 * float(k), mix(2.2, 5.5, near)) * 1.5 - 0.22);
    vec3 hill = mix(haze * vec3(0.55, 0.50, 0.62), vec3(0.016, 0.016, 0.03), mix(0.25, 0.96, near));
    float mist = mix(0.75, 0.25, near) * (1.0 - smoothstep(0.0, max(height, 0.004), mirror.y));
    hill = mix(hill, haze * 0.8, mist * 0.6);
    sky = mix(hill, sky, smoothstep(-0.0011, 0.0011, mirror.y - height));
  }
  return sky;
}`
