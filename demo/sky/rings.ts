import { Vector3 } from 'three'

/** Direction to the sun of the ringed planet, unit. */
export const RINGS_SUN = new Vector3(0.78, 0.4, 0.3).normalize()

/** Direction to the planet, and the normal of the plane of its rings, unit. */
const GIANT = new Vector3(0.3, 0.13, -0.94).normalize()
const POLE = new Vector3(-0.2, 0.94, 0.26).normalize()

const glsl = (v: Vector3): string =>
  `vec3(${v
    .toArray()
    .map((part) => part.toFixed(5))
    .join(', ')})`

/** A sky near a ringed gas giant: its banded globe, the rings with its shadow on them, dust, faint gas. */
export const RINGS_SKY = /* glsl */ `
const vec3 SUN = ${glsl(RINGS_SUN)};
const vec3 GIANT = ${glsl(GIANT)}; // centre of the planet, at distance 1
const vec3 POLE = ${glsl(POLE)};
const float GLOBE = 0.4; // radius of the globe
const float OVER = 0.055; // height of the eye above the plane of the rings

vec3 deep(vec3 d) {
  float cloud = fbm(d * 2.6 + 1.2 * fbm(d * 1.9 + 5.0));
  vec3 sky = mix(vec3(0.004, 0.005, 0.012), vec3(0.012, 0.010, 0.022), 0.5 + 0.5 * d.y);
  sky += vec3(0.030, 0.040, 0.085) * smoothstep(0.40, 0.85, cloud);
  sky += vec3(0.075, 0.028, 0.034) * smoothstep(0.50, 0.90, fbm(d * 3.3 + 17.0)) * smoothstep(-0.5, 0.8, d.x);
  float sun = max(0.0, dot(d, SUN));
  return sky + vec3(1.0, 0.78, 0.5) * (0.10 * pow(sun, 12.0) + 0.5 * pow(sun, 120.0) + 30.0 * smoothstep(0.9993, 0.9998, sun));
}

vec3 globe(vec3 n) {
  float lat = dot(n, POLE);
  vec3 along = normalize(n - lat * POLE + 1e-4);
  float curl = fbm(vec3(along * 3.0 + lat * 2.0)) - 0.5;
  float belt = lat * 9.0 + 0.9 * curl + 0.25 * fbm(vec3(along * 9.0 + lat * 20.0));
  float tone = 0.5 + 0.5 * sin(belt * 2.3 + 1.6 * sin(belt * 0.9));
  vec3 skin = mix(vec3(0.36, 0.19, 0.11), vec3(0.80, 0.62, 0.42), tone);
  skin = mix(skin, vec3(0.55, 0.58, 0.60), smoothstep(0.55, 0.95, abs(lat)));
  return skin * (0.85 + 0.3 * fbm(vec3(along * 20.0 + lat * 60.0)));
}

// colour of the ring at a distance from the centre, and its density in [0, 1]
vec4 ring(float r) {
  float t = (r - 0.56) / 0.62;
  if (t < 0.0 || t > 1.0) return vec4(0.0);
  float fine = 0.55 + 0.45 * noise(vec3(t * 46.0, 1.0, 2.0)) * (0.5 + noise(vec3(t * 160.0, 4.0, 2.0)));
  float gap = 1.0 - 0.92 * (smoothstep(0.020, 0.012, abs(t - 0.60)) + 0.7 * smoothstep(0.008, 0.003, abs(t - 0.82)));
  float dense = fine * gap * smoothstep(0.0, 0.10, t) * smoothstep(1.0, 0.93, t);
  return vec4(mix(vec3(0.34, 0.26, 0.19), vec3(0.62, 0.55, 0.46), noise(vec3(t * 9.0, 7.0, 3.0))), dense);
}

vec3 paintSky(vec3 d) {
  vec3 sky = deep(d);
  float along = dot(d, GIANT);
  float aside = sqrt(max(0.0, 1.0 - along * along));
  float hit = 1e9;
  if (along > 0.0) {
    float inside = GLOBE * GLOBE - aside * aside;
    float t = along - sqrt(max(0.0, inside));
    vec3 n = normalize(d * t - GIANT);
    float day = dot(n, SUN);
    vec3 body = globe(n) * (0.95 * smoothstep(-0.12, 0.9, day) + 0.004);
    // shadow of the rings on the globe
    vec3 p = GIANT + n * GLOBE;
    float toRing = -dot(p - GIANT, POLE) / dot(SUN, POLE);
    if (toRing > 0.0) body *= 1.0 - 0.65 * ring(length(p + SUN * toRing - GIANT)).a;
    body += vec3(0.9, 0.55, 0.3) * 0.12 * pow(1.0 - max(0.0, -dot(n, d)), 3.0) * smoothstep(-0.2, 0.5, day);
    float edge = smoothstep(GLOBE + 0.0012, GLOBE - 0.0012, aside);
    sky = mix(sky, body, edge);
    sky += vec3(0.9, 0.6, 0.36) * 0.10 * exp(-max(0.0, aside - GLOBE) * 26.0) * (1.0 - edge) * smoothstep(-0.5, 0.6, day);
    if (edge > 0.5) hit = t;
  }
  // the plane of the rings, slightly below the eye
  float steep = dot(d, POLE);
  vec3 middle = GIANT - POLE * (dot(GIANT, POLE) + OVER);
  float reach = -OVER / steep;
  if (reach > 0.0 && reach < hit && reach < 6.0) {
    vec3 p = d * reach;
    vec4 dust = ring(length(p - middle));
    vec3 out1 = p - GIANT;
    float behind = dot(out1, SUN);
    float shade = behind < 0.0 ? smoothstep(0.985, 1.03, length(out1 - SUN * behind) / GLOBE) : 1.0;
    float thick = clamp(0.10 / abs(steep), 0.35, 1.0);
    sky = mix(sky, dust.rgb * (0.30 * shade + 0.006) * mix(0.35, 1.0, smoothstep(0.15, 1.1, reach)), dust.a * thick * smoothstep(0.06, 0.5, reach));
  }
  return sky;
}`

/** Whether the globe or its rings cover a direction. Stars are hidden there. */
export function isCovered(x: number, y: number, z: number): boolean {
  const steep = x * POLE.x + y * POLE.y + z * POLE.z
  return steep < 0 || x * GIANT.x + y * GIANT.y + z * GIANT.z > 0.91
}
