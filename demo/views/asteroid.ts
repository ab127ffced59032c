import { BufferAttribute, BufferGeometry, Mesh, MeshStandardMaterial, Vector3 } from 'three'
import { NOISE } from '../sky/backdrop.js'

/** Squares along an edge of each of the six faces of the cube. */
const DETAIL = 84

const FACES = [
  [new Vector3(1, 0, 0), new Vector3(0, 1, 0)],
  [new Vector3(-1, 0, 0), new Vector3(0, 1, 0)],
  [new Vector3(0, 1, 0), new Vector3(0, 0, 1)],
  [new Vector3(0, -1, 0), new Vector3(0, 0, 1)],
  [new Vector3(0, 0, 1), new Vector3(0, 1, 0)],
  [new Vector3(0, 0, -1), new Vector3(0, 1, 0)],
] as const

/**
 * A rock with craters. `groundAt` gives the distance (m) of its ground from the centre in a unit direction.
 */
export function makeAsteroid(
  groundAt: (direction: Vector3) => number,
): Mesh<BufferGeometry, MeshStandardMaterial> {
  const mesh = new Mesh(skin(groundAt), regolith())
  mesh.castShadow = mesh.receiveShadow = true
  mesh.name = 'asteroid'
  return mesh
}

/** A cube projected onto a sphere, with squares of similar size. */
function skin(groundAt: (direction: Vector3) => number): BufferGeometry {
  const side = DETAIL + 1
  const position = new Float32Array(6 * side * side * 3)
  const normal = new Float32Array(position.length)
  const index: number[] = []
  const [along, across] = [new Vector3(), new Vector3()]
  for (let face = 0; face < 6; face++) {
    // one more square on each side, so that normals are continuous across the edges of the cube
    const points = facePoints(face, groundAt)
    const pointAt = (i: number, j: number): Vector3 => points[(j + 1) * (side + 2) + i + 1]!
    for (let j = 0; j < side; j++) {
      for (let i = 0; i < side; i++) {
        const vertex = face * side * side + j * side + i
        pointAt(i, j).toArray(position, 3 * vertex)
        along.subVectors(pointAt(i + 1, j), pointAt(i - 1, j))
        across.subVectors(pointAt(i, j + 1), pointAt(i, j - 1))
        along
          .cross(across)
          .normalize()
          .toArray(normal, 3 * vertex)
        if (i === DETAIL || j === DETAIL) continue
        index.push(vertex, vertex + 1, vertex + side, vertex + 1, vertex + side + 1, vertex + side)
      }
    }
  }
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(position, 3))
  geometry.setAttribute('normal', new BufferAttribute(normal, 3))
  geometry.setIndex(index)
  return geometry
}

function facePoints(face: number, groundAt: (direction: Vector3) => number): Vector3[] {
  const [ahead, up] = FACES[face]!
  const aside = new Vector3().crossVectors(up, ahead)
  // equal angles
  const slope = (k: number): number => Math.tan(((k / DETAIL) * 2 - 1) * (Math.PI / 4))
  const points: Vector3[] = []
  for (let j = -1; j <= DETAIL + 1; j++) {
    for (let i = -1; i <= DETAIL + 1; i++) {
      const point = ahead.clone().addScaledVector(aside, slope(i)).addScaledVector(up, slope(j)).normalize()
      points.push(point.multiplyScalar(groundAt(point)))
    }
  }
  return points
}

/** Dust and rubble: colour and fine relief from noise. */
function regolith(): MeshStandardMaterial {
  const material = new MeshStandardMaterial({ color: '#ffffff', roughness: 1, metalness: 0 })
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nvarying vec3 vGround;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nvGround = position;')
    shader.fragmentShader = shader.fragmentShader
      .replace(
        '#include <common>',
        /* glsl */ `#include <common>
varying vec3 vGround;
${NOISE}
float rubble(vec3 p) { return 0.6 * noise(p * 0.8) + 0.29 * noise(p * 1.9) + 0.11 * noise(p * 4.3); }`,
      )
      .replace(
        '#include <color_fragment>',
        /* glsl */ `#include <color_fragment>
float here = rubble(vGround);
float veins = fbm(vGround * 0.11 + 3.0);
vec3 soil = mix(vec3(0.150, 0.118, 0.098), vec3(0.300, 0.250, 0.205), smoothstep(0.25, 0.75, here));
soil = mix(soil, vec3(0.20, 0.115, 0.072), 0.75 * smoothstep(0.46, 0.66, veins));
soil = mix(soil, vec3(0.36, 0.33, 0.30), 0.6 * smoothstep(0.60, 0.78, fbm(vGround * 0.23 + 11.0)));
diffuseColor.rgb = soil;`,
      )
      .replace(
        '#include <normal_fragment_maps>',
        /* glsl */ `#include <normal_fragment_maps>
{
  float tick = 0.05 + 0.0006 * length(vViewPosition);
  vec3 slope = vec3(rubble(vGround + vec3(tick, 0, 0)), rubble(vGround + vec3(0, tick, 0)), rubble(vGround + vec3(0, 0, tick))) - here;
  normal = normalize(normal - normalMatrixOf(slope) * (0.2 / tick));
}`,
      )
      .replace(
        'void main() {',
        'uniform mat3 normalMatrix;\nvec3 normalMatrixOf(vec3 v) { return normalMatrix * v; }\nvoid main() {',
      )
  }
  return material
}
