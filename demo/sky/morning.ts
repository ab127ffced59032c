import { Vector3 } from 'three'

/** Direction to the sun, unit. */
export const MORNING_SUN = new Vector3(0.72, 0.42, 0.16).normalize()

/** A clear morning: pale at the horizon, a few high clouds, distant hills. */
export const MORNING_SKY = /* glsl */ `
const vec3 SUN = vec3(${MORNING_SUN.toArray()
  .map((part) => part.toFixed(5))
  .join(', ')});

vec3 paintSky(vec3 d) {
  float up = max(d.y, 0.0);
  vec3 sky = mix(vec3(0.95, 0.66, 0.42), vec3(0.40, 0.60, 0.78), smoothstep(0.0, 0.26, up));
  sky = mix(sky, vec3(0.07, 0.22, 0.52), smoothstep(0.15, 0.75, up));
  float sun = max(0.0, dot(d, SUN));
  sky += vec3(1.0, 0.85, 0.6) * (0.25 * pow(sun, 8.0) + 1.2 * pow(sun, 90.0) + 8.0 * smoothstep(0.9994, 0.9998, sun));
  vec2 plane = d.xz / (up + 0.22);
  float cloud = fbm(vec3(plane * 1.1, 2.0) + 0.7 * fbm(vec3(plane * 2.2, 7.0)));
  float cover = smoothstep(0.60, 0.88, cloud) * smoothstep(0.03, 0.20, up);
  sky = mix(sky, mix(vec3(0.86, 0.86, 0.90), vec3(1.25, 1.18, 1.08), smoothstep(0.55, 0.85, cloud)), cover * 0.8);
  float around = atan(d.z, d.x);
  for (int k = 0; k < 3; k++) {
    float near = float(k) / 2.0;
    vec3 here = vec3(cos(around), sin(around), 0.0) * mix(2.0, 4.5, near) + 5.0 * float(k);
    float height = mix(0.16, 0.06, near) * (0.75 * noise(here) + 0.3 * noise(here * 3.1) + 0.06 * noise(here * 13.0));
    vec3 hill = mix(vec3(0.40, 0.46, 0.58), vec3(0.16, 0.23, 0.25), near);
    hill = mix(hill, vec3(0.90, 0.62, 0.42), 0.6 * (1.0 - smoothstep(0.0, height, d.y)));
    sky = mix(hill, sky, smoothstep(-0.0012, 0.0012, d.y - height));
  }
  // below the horizon: light reflected by the ground
  return mix(sky, vec3(0.42, 0.38, 0.33), smoothstep(0.0, -0.05, d.y));
}`
