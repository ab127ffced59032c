import {
  AdditiveBlending,
  BufferGeometry,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineLoop,
  Mesh,
  Path,
  PlaneGeometry,
  ShaderMaterial,
  Shape,
  ExtrudeGeometry,
  type Color,
} from 'three'

const VERTEX = /* glsl */ `
varying vec3 vNormal, vPlace;
void main() {
  vPlace = position;
  vNormal = normal;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`

const WALL_FRAGMENT = /* glsl */ `
uniform float gate, reach;
uniform vec3 glow;
varying vec3 vNormal, vPlace;
void main() {
  vec2 at = abs(vPlace.xy);
  float outside = max(0.0, max(at.x, at.y) - gate);
  // courses of stone, lit by the gate
  vec2 cell = abs(fract(vPlace.xy / vec2(3.0, 1.5) + vec2(0.5 * mod(floor(vPlace.y / 1.5), 2.0), 0.0)) - 0.5);
  vec2 blur = fwidth(vPlace.xy / vec2(3.0, 1.5)) + 0.012;
  float joint = 1.0 - smoothstep(0.5 - 2.0 * blur.x, 0.5, cell.x) * 0.5 - smoothstep(0.5 - 2.0 * blur.y, 0.5, cell.y) * 0.5;
  vec3 stone = vec3(0.020, 0.026, 0.050) * (0.5 + 0.5 * joint);
  vec3 light = glow * (0.9 * exp(-outside * 0.55) + 0.2 * exp(-outside * 0.12)) * (0.4 + 0.6 * joint);
  if (abs(vNormal.z) < 0.5) light = glow * 1.5;
  float fade = 1.0 - smoothstep(0.45 * reach, reach, length(vPlace.xy));
  gl_FragColor = vec4(stone * 1.6 + light, (0.55 + 0.3 * exp(-outside * 0.5) + 0.2 * (1.0 - joint)) * fade);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

const VEIL_FRAGMENT = /* glsl */ `
uniform float gate;
uniform vec3 glow;
varying vec3 vPlace;
void main() {
  vec2 at = abs(vPlace.xy) / gate;
  gl_FragColor = vec4(glow * 0.14 * pow(max(at.x, at.y), 3.0), 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

/**
 * A wall of translucent glass in the plane z = 0 that fades out at `reach` metres, with a glowing square gate
 * of half width `gate`.
 */
export function makeGate(gate: number, half: number, reach: number, color: Color): Group {
  const uniforms = { gate: { value: gate }, reach: { value: reach }, glow: { value: color } }
  const outline = new Shape().absarc(0, 0, reach, 0, 2 * Math.PI)
  const hole = new Path()
  hole.moveTo(-gate, -gate).lineTo(-gate, gate).lineTo(gate, gate).lineTo(gate, -gate).closePath()
  outline.holes.push(hole)
  const slab = new ExtrudeGeometry(outline, { depth: 2 * half, bevelEnabled: false, curveSegments: 48 })
  const stone = new ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: WALL_FRAGMENT,
    uniforms,
    transparent: true,
    depthWrite: false,
  })
  const veil = new ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: VEIL_FRAGMENT,
    uniforms,
    blending: AdditiveBlending,
    transparent: true,
    depthWrite: false,
    side: 2,
  })
  const group = new Group()
  group.add(
    new Mesh(slab.translate(0, 0, -half), stone),
    new Mesh(new PlaneGeometry(2 * gate, 2 * gate), veil),
  )
  for (const z of [-half - 0.02, half + 0.02]) {
    const rim = new BufferGeometry()
    const corners = [-gate, -gate, z, gate, -gate, z, gate, gate, z, -gate, gate, z]
    rim.setAttribute('position', new Float32BufferAttribute(corners, 3))
    group.add(new LineLoop(rim, new LineBasicMaterial({ color: color.clone().multiplyScalar(3) })))
  }
  group.name = 'gate'
  return group
}
