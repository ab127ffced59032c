import { Vector3 } from 'three'

/** Direction to a low sun, unit. */
export const RUST_SUN = new Vector3(0.93, 0.33, 0.02).normalize()

/** Direction to the planet next to it, unit. */
const WORLD = new Vector3(-0.36, -0.1, -0.92).normalize()

const glsl = (v: Vector3): string =>
  `vec3(${v
    .toArray()
    .map((part) => part.toFixed(5))
    .join(', ')})`

/** A sky far from the sun: a small bright sun, a rust-red planet, a thin band of dust. */
export const RUST_SKY = /* glsl */ `
const vec3 SUN = ${glsl(RUST_SUN)};
const vec3 WORLD = ${glsl(WORLD)};
const float SIZE = 0.30; // radius of the planet, seen from distance 1

vec3 paintSky(vec3 d) {
  vec3 pole = normalize(vec3(-0.5, 0.78, 0.38));
  float across = dot(d, pole) + 0.12 * (fbm(d * 2.3 + 4.0) - 0.5);
  float band = exp(-across * across * 16.0);
  float cloud = fbm(d * 3.6 + 1.4 * fbm(d * 2.0 + 8.0));
  vec3 sky = vec3(0.0035, 0.0045, 0.0085);
  sky += mix(vec3(0.030, 0.020, 0.016), vec3(0.012, 0.022, 0.036), smoothstep(-0.5, 0.6, d.z)) * band * smoothstep(0.30, 0.80, cloud) * 1.3;
  float sun = max(0.0, dot(d, SUN));
  sky += vec3(1.0, 0.82, 0.6) * (0.05 * pow(sun, 10.0) + 0.35 * pow(sun, 160.0) + 2.0 * pow(sun, 2500.0) + 60.0 * smoothstep(0.99955, 0.9998, sun));
  float along = dot(d, WORLD);
  float aside = sqrt(max(0.0, 1.0 - along * along));
  if (along > 0.0) {
    float inside = max(0.0, SIZE * SIZE - aside * aside);
    vec3 n = normalize(d * (along - sqrt(inside)) - WORLD);
    float day = dot(n, SUN);
    float belt = n.y * 7.0 + 0.5 * n.x + 1.1 * fbm(n * vec3(2.5, 8.0, 2.5)) + 0.4 * fbm(n * vec3(9.0, 26.0, 9.0));
    vec3 skin = mix(vec3(0.42, 0.17, 0.09), vec3(0.80, 0.52, 0.33), 0.5 + 0.5 * sin(belt * 2.1));
    skin = mix(skin, vec3(0.86, 0.74, 0.62), smoothstep(0.6, 0.9, abs(n.y)));
    vec3 body = skin * (0.8 * smoothstep(-0.05, 0.75, day) + 0.006);
    body += vec3(1.0, 0.55, 0.28) * 0.55 * pow(1.0 - max(0.0, -dot(n, d)), 3.5) * smoothstep(-0.22, 0.35, day);
    float edge = smoothstep(SIZE + 0.0012, SIZE - 0.0012, aside);
    sky = mix(sky, body, edge);
    sky += vec3(0.9, 0.45, 0.2) * 0.10 * exp(-max(0.0, aside - SIZE) * 34.0) * (1.0 - edge) * smoothstep(-0.3, 0.6, day);
  }
  return sky;
}`

/** Whether the planet covers a direction. Stars are hidden there. */
export function isBehindWorld(x: number, y: number, z: number): boolean {
  return x * WORLD.x + y * WORLD.y + z * WORLD.z > 0.952
}
