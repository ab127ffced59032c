import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Mesh,
  Ray,
  ShaderMaterial,
  Vector3,
  type CubeTexture,
} from 'three'
import { MeshBVH } from 'three-mesh-bvh'
import type { CanyonLand } from '../scenarios/canyon-land.js'
import { NOISE } from '../sky/backdrop.js'

const VERTEX = /* glsl */ `
attribute float lit;
varying vec3 vNormal, vWorld;
varying float vLit;
void main() {
  vWorld = position;
  vNormal = normal;
  vLit = lit;
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
}`

/** Dust in the air, for materials of this scene. */
export const DUSTY = /* glsl */ `
uniform samplerCube sky;
uniform vec3 sun;
vec3 dusty(vec3 color, vec3 eye) {
  float far = length(eye);
  vec3 direction = eye / far;
  vec3 air = textureLod(sky, vec3(direction.x, abs(direction.y) * 0.5 + 0.03, direction.z), 4.0).rgb;
  float glow = pow(max(0.0, dot(direction, sun)), 4.0);
  float thick = 1.0 - exp(-far * (0.0010 + 0.0016 * glow));
  return mix(color, air * (0.75 + 0.35 * glow), thick);
}`

const FRAGMENT = /* glsl */ `
varying vec3 vNormal, vWorld;
varying float vLit;
${NOISE}
${DUSTY}
vec3 layers(float h) {
  // a few thick beds with thin ones between them
  float bed = noise(vec3(h * 0.21, 3.0, 1.0));
  float thin = noise(vec3(h * 1.1, 7.0, 2.0));
  float fine = noise(vec3(h * 3.7, 1.0, 5.0));
  vec3 c = mix(vec3(0.40, 0.125, 0.055), vec3(0.62, 0.285, 0.125), smoothstep(0.35, 0.62, bed));
  c = mix(c, vec3(0.76, 0.49, 0.30), 0.8 * smoothstep(0.68, 0.74, thin));
  c = mix(c, vec3(0.24, 0.075, 0.045), 0.7 * smoothstep(0.34, 0.27, thin));
  return c * (0.80 + 0.4 * fine);
}
void main() {
  vec3 eye = vWorld - cameraPosition;
  float far = length(eye);
  float near = 1.0 / (1.0 + far * 0.012);
  vec3 p = vWorld;
  float warp = 1.6 * (noise(p * 0.035) - 0.5) + 0.55 * (noise(p * vec3(0.5, 0.9, 0.5)) - 0.5);
  float rough = noise(p * vec3(0.9, 1.9, 0.9));
  float grain = noise(p * vec3(3.1, 5.3, 3.1));
  // beds protrude or recede: the normal is tilted at each edge
  float h = p.y + warp;
  float shelf = noise(vec3(h * 1.6, 5.0, 2.0)) - noise(vec3(h * 1.6 + 0.5, 5.0, 2.0));
  // rough look: flat face normals are mixed with the smooth ones
  vec3 face = normalize(cross(dFdx(vWorld), dFdy(vWorld)));
  vec3 n = normalize(normalize(vNormal) + 0.8 * face * sign(dot(face, vNormal)));
  vec3 bump = vec3(noise(p * 0.8 + 9.0), noise(p * 0.8 + 21.0), noise(p * 0.8 + 35.0)) - 0.5;
  n = normalize(n + (0.55 * bump + vec3(0.0, 1.3 * shelf, 0.0)) * (0.35 + 0.65 * near));
  float steep = 1.0 - smoothstep(0.45, 0.8, vNormal.y);
  vec3 rock = layers(h) * (0.66 + 0.42 * rough + 0.4 * (grain - 0.5) * near);
  // dark desert varnish in vertical streaks
  float streak = noise(vec3(p.x * 0.55, p.y * 0.03, p.z * 0.55));
  rock = mix(rock, vec3(0.16, 0.075, 0.055), 0.55 * smoothstep(0.58, 0.85, streak) * steep * smoothstep(4.0, 16.0, p.y));
  vec3 sand = mix(vec3(0.50, 0.27, 0.14), vec3(0.64, 0.40, 0.23), noise(p * 0.4)) * (0.85 + 0.3 * grain * near);
  vec3 pebbles = mix(vec3(0.30, 0.20, 0.15), vec3(0.55, 0.42, 0.33), grain);
  sand = mix(sand, pebbles, smoothstep(1.4, 0.1, p.y) * 0.7);
  float scrub = smoothstep(0.66, 0.74, noise(p * vec3(0.55, 0.0, 0.55)) * 0.75 + 0.3 * grain);
  sand = mix(sand, vec3(0.12, 0.15, 0.06), scrub * (smoothstep(30.0, 36.0, p.y) + 0.8 * smoothstep(0.4, 1.2, p.y) * smoothstep(6.0, 2.0, p.y)));
  // wet near the water
  vec3 albedo = mix(sand, rock, steep) * mix(0.5, 1.0, smoothstep(-0.4, 0.25, p.y));
  float deep = smoothstep(40.0, 2.0, p.y);
  float day = max(0.0, dot(n, sun)) * smoothstep(0.15, 0.85, vLit);
  vec3 light = vec3(2.75, 2.15, 1.45) * day;
  // light from the sky, less at the bottom, and red light reflected between the walls
  light += vec3(0.22, 0.30, 0.46) * (0.5 + 0.5 * n.y) * mix(1.0, 0.42, deep);
  light += vec3(0.50, 0.225, 0.105) * deep * (0.66 - 0.3 * n.y);
  gl_FragColor = vec4(dusty(albedo * light, eye), 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

/** Geometry of the land, for drawing and for `MeshShape`. */
export function landGeometry({
  positions,
  triangles,
}: Pick<CanyonLand, 'positions' | 'triangles'>): BufferGeometry {
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(positions, 3))
  geometry.setIndex(new BufferAttribute(triangles, 1))
  return geometry
}

/** Sandstone: coloured beds, precomputed shadows of a fixed sun, and a red glow at the bottom. */
export function canyonRock(
  geometry: BufferGeometry,
  sky: CubeTexture,
  sun: Vector3,
): Mesh<BufferGeometry, ShaderMaterial> {
  geometry.computeVertexNormals()
  geometry.setAttribute('lit', new BufferAttribute(sunlight(geometry, sun), 1))
  const material = new ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    uniforms: { sky: { value: sky }, sun: { value: sun } },
  })
  const mesh = new Mesh(geometry, material)
  mesh.frustumCulled = false
  mesh.name = 'canyon'
  return mesh
}

/** 1 for vertices in sunlight, 0 for vertices in shadow. */
function sunlight(geometry: BufferGeometry, sun: Vector3): Float32Array {
  // the tree reorders triangles, so it gets a copy of the geometry
  const tree = new MeshBVH(geometry.clone(), { targetLeafSize: 10 })
  const position = geometry.getAttribute('position')
  const normal = geometry.getAttribute('normal')
  const lit = new Float32Array(position.count)
  const ray = new Ray()
  const out = new Vector3()
  for (let i = 0; i < position.count; i++) {
    out.fromBufferAttribute(normal, i)
    ray.origin.fromBufferAttribute(position, i).addScaledVector(out, 0.25)
    ray.direction.copy(sun)
    lit[i] = out.dot(sun) > 0 && tree.raycastFirst(ray, DoubleSide, 0, 220) === null ? 1 : 0
  }
  return lit
}
