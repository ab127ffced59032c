import { Vector3 } from 'three'
import { constant } from '../views/shaders.js'

/** Direction to the moon, unit. */
export const AURORA_MOON = new Vector3(0.55, 0.42, 0.72).normalize()

/** A polar night: aurora above distant snow peaks and a misty lake that reflects them. */
export const AURORA_SKY = /* glsl */ `
${constant('MOON', AURORA_MOON)}

vec3 night(vec3 d) {
  float up = abs(d.y);
  vec3 sky = mix(vec3(0.016, 0.040, 0.075), vec3(0.0045, 0.007, 0.021), smoothstep(0.0, 0.55, up));
  return sky + vec3(0.020, 0.070, 0.075) * exp(-up * 9.0);
}

// one curtain: a wavy line on a high layer, seen from below, brightest at its lower edge
vec3 curtain(vec3 d, float height, float shift, vec3 low, vec3 high) {
  float up = abs(d.y) + 0.04;
  vec2 floor1 = d.xz / up;
  vec2 bend = vec2(fbm(vec3(floor1 * 0.5, shift)), noise(vec3(floor1 * 0.6, shift + 5.0))) - 0.5;
  float here = smoothstep(0.30, 0.62, noise(vec3(floor1 * 0.55, shift + 3.0)));
  vec3 light = vec3(0.0);
  for (int k = 0; k < 9; k++) {
    float rise = float(k) / 8.0;
    vec2 p = floor1 * (height + 0.30 * rise) + 1.5 * bend;
    float line = abs(sin(1.5 * p.x + 0.8 * p.y + 1.8 * bend.x + shift));
    float ray = 0.35 + 1.0 * noise(vec3(p * 8.0, shift));
    light += mix(low, high, smoothstep(0.1, 0.9, rise)) * pow(1.0 - line, 9.0) * ray * pow(1.0 - rise, 1.4);
  }
  return light * smoothstep(0.02, 0.22, up) * (0.3 + 0.7 * here) / 3.2;
}

vec3 aurora(vec3 d) {
  vec3 green = curtain(d, 0.55, 1.7, vec3(0.06, 0.62, 0.36), vec3(0.10, 0.16, 0.52));
  vec3 violet = curtain(d, 0.8, 6.1, vec3(0.05, 0.36, 0.42), vec3(0.44, 0.10, 0.50));
  return 1.25 * green + 1.15 * violet;
}

float ridge(vec3 d, float scale, float seed, float tall) {
  vec2 heading = normalize(d.xz + 1e-5);
  float peaks = fbm(vec3(heading * scale, seed)) - 0.32 + 0.30 * abs(noise(vec3(heading * scale * 3.1, seed + 2.0)) - 0.5);
  return max(0.0, peaks) * tall;
}

vec3 paintSky(vec3 d) {
  bool below = d.y < 0.0;
  vec3 m = vec3(d.x, abs(d.y), d.z);
  vec3 sky = night(m) + aurora(m);
  float moon = max(0.0, dot(m, MOON));
  sky += vec3(0.55, 0.66, 0.80) * (0.10 * pow(moon, 24.0) + 0.35 * pow(moon, 300.0) + 9.0 * smoothstep(0.99965, 0.99985, moon));
  // three ridges, the distant ones paler
  for (int k = 0; k < 3; k++) {
    float tall = ridge(m, 3.0 + 1.6 * float(k), 11.0 * float(k) + 1.0, 0.21 - 0.045 * float(k));
    float edge = smoothstep(tall + 0.0015, tall - 0.0015, m.y);
    float snow = smoothstep(0.45, 1.0, m.y / max(tall, 1e-3)) * (0.4 + 0.8 * noise(vec3(m.xz * 60.0, m.y * 90.0)));
    vec3 rock = mix(vec3(0.020, 0.050, 0.072), vec3(0.006, 0.013, 0.026), float(k) / 2.0);
    rock += vec3(0.030, 0.062, 0.085) * snow * (0.5 + 0.5 * dot(normalize(m.xz), normalize(MOON.xz)));
    sky = mix(sky, rock, edge);
  }
  if (below) {
    // a calm lake: a darker reflection, broken by ripples
    float ripple = 0.72 + 0.28 * noise(vec3(d.xz / (0.03 - d.y) * 2.0, 4.0));
    sky *= mix(0.75, 0.32, smoothstep(0.0, -0.8, d.y)) * ripple;
  }
  // mist along the shore
  return sky + vec3(0.035, 0.105, 0.120) * exp(-abs(d.y) * 26.0);
}`

/** Whether a direction is below the tops of the peaks. Stars are hidden there. */
export function isBelowPeaks(_x: number, y: number): boolean {
  return y < 0.12
}
