import { BackSide, Color, Mesh, ShaderMaterial, SphereGeometry } from 'three'
import { ADDS_LIGHT } from './soft-points.js'

const VERTEX = /* glsl */ `
varying vec3 vNormal, vEye;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  vNormal = normalize(mat3(modelMatrix) * normal);
  vEye = cameraPosition - world.xyz;
  gl_Position = projectionMatrix * viewMatrix * world;
}`

const FRAGMENT = /* glsl */ `
uniform vec3 color;
varying vec3 vNormal, vEye;
void main() {
  float rim = pow(1.0 - abs(dot(normalize(vNormal), normalize(vEye))), 3.5);
  float above = 0.35 + 0.65 * smoothstep(-0.8, 1.0, vNormal.y);
  gl_FragColor = vec4(color * rim * above, 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

/** A transparent sphere that is bright only near its rim. */
export function makeBubble(radius: number, color: Color): Mesh<SphereGeometry, ShaderMaterial> {
  const material = new ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    uniforms: { color: { value: color } },
    side: BackSide,
    ...ADDS_LIGHT,
  })
  const bubble = new Mesh(new SphereGeometry(radius, 96, 64), material)
  bubble.name = 'bubble'
  return bubble
}
