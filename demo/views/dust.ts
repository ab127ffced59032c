import { Color } from 'three'
import { PUFF, Puffs } from './puffs.js'

const VERTEX = /* glsl */ `
${PUFF}
varying float vFade, vLight;
void main() {
  float age = time - life.x;
  float share = age / life.y;
  vec4 view = placeOf(age);
  float size = life.z * (0.35 + 1.5 * sqrt(max(0.0, share)));
  vFade = smoothstep(0.0, 0.06, share) * (1.0 - share) * (1.0 - share);
  vLight = life.w;
  gl_Position = share >= 0.0 && share < 1.0 ? projectionMatrix * view : UNSEEN;
  gl_PointSize = min(160.0, pixels * size * projectionMatrix[1][1] / -view.z);
}`

const FRAGMENT = /* glsl */ `
uniform vec3 tint;
uniform float opacity;
varying float vFade, vLight;
void main() {
  float d = length(gl_PointCoord - 0.5) * 2.0;
  float soft = pow(max(0.0, 1.0 - d), 1.5);
  gl_FragColor = vec4(tint * vLight, soft * vFade * opacity);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

/** Puffs of dust that are thrown out. The figures of a puff are its size (m), and the light on it. */
export function makeDust(color: string, opacity: number): Puffs {
  const uniforms = { tint: { value: new Color(color) }, opacity: { value: opacity } }
  return new Puffs('dust', {
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    count: 2400,
    glows: false,
    uniforms,
  })
}
