/** A neutral dark background: nearly black above and below, slightly brighter at eye level. */
export const INSTRUMENT_SKY = /* glsl */ `
vec3 paintSky(vec3 d) {
  float level = exp(-18.0 * d.y * d.y);
  vec3 sky = mix(vec3(0.0030, 0.0052, 0.0110), vec3(0.0018, 0.0030, 0.0070), smoothstep(-0.2, 0.9, d.y));
  sky += vec3(0.004, 0.009, 0.018) * level;
  float side = 0.5 + 0.5 * dot(normalize(d.xz + 1e-5), vec2(0.6, -0.8));
  return sky + vec3(0.008, 0.005, 0.014) * exp(-7.0 * d.y * d.y) * side * side * side;
}`
