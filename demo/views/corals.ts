import {
  BufferAttribute,
  CylinderGeometry,
  FrontSide,
  Group,
  IcosahedronGeometry,
  Mesh,
  MeshStandardMaterial,
  PlaneGeometry,
  Vector3,
  type BufferGeometry,
} from 'three'
import { mergeVertices } from 'three/addons/utils/BufferGeometryUtils.js'
import { seeded } from 'three-steering/authoring'
import type { Coral } from '../scenarios/reef.js'
import { NOISE } from '../sky/backdrop.js'

const HEADS = ['#b0708f', '#a08a4c', '#5f9080', '#b86f58', '#7670ae']
const COLUMNS = ['#c47a4c', '#98588a', '#6f9659']

/** A sea bed of sand with round corals and columns. All cast shadows. */
export function makeCorals(corals: readonly Coral[], reach: number): Group {
  const group = new Group()
  corals.forEach((coral, k) => {
    const { kind, at, radius, height } = coral
    const colors = kind === 'head' ? HEADS : COLUMNS
    const mesh = new Mesh(
      kind === 'head' ? head(radius, k) : column(radius, height, k),
      grown(colors[k % colors.length]!),
    )
    mesh.position.copy(at)
    mesh.castShadow = mesh.receiveShadow = true
    group.add(mesh)
  })
  group.add(bed(reach, corals))
  group.name = 'reef'
  return group
}

/** Winding ridges, as on a brain coral. */
function grown(color: string): MeshStandardMaterial {
  // front faces cast the shadow, since the back faces are in the sand
  const material = new MeshStandardMaterial({ color, roughness: 0.85, shadowSide: FrontSide })
  painted(
    material,
    /* glsl */ `
    vec3 q = vPlace * 1.4 + 1.4 * vec3(noise(vPlace * 0.8), noise(vPlace * 0.8 + 9.0), noise(vPlace * 0.8 + 17.0));
    float ridge = abs(noise(q * 2.1) - 0.5) * 2.0;
    float line = smoothstep(0.0, 0.35, ridge);
    float patch1 = noise(vPlace * 0.55 + 40.0);
    diffuseColor.rgb *= mix(0.5, 1.1, line) * (0.7 + 0.5 * noise(vPlace * 6.0));
    diffuseColor.rgb = mix(diffuseColor.rgb, diffuseColor.gbr * 1.1, 0.45 * smoothstep(0.5, 0.75, patch1));
    // sandy and dark at the foot
    diffuseColor.rgb *= mix(0.30, 1.0, smoothstep(-0.5, 1.6, vPlace.y));`,
  )
  return material
}

/** Adds GLSL that changes the colour of a standard material by the world position `vPlace`. */
function painted(
  material: MeshStandardMaterial,
  code: string,
  more: { readonly feet?: Vector3[] } = {},
): void {
  const feet = more.feet && more.feet.length > 0 ? more.feet : null
  material.onBeforeCompile = (shader) => {
    if (feet) shader.uniforms['feet'] = { value: feet }
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', 'varying vec3 vPlace;\n#include <common>')
      .replace(
        '#include <begin_vertex>',
        '#include <begin_vertex>\nvPlace = (modelMatrix * vec4(position, 1.0)).xyz;',
      )
    shader.fragmentShader = shader.fragmentShader
      .replace(
        '#include <common>',
        `varying vec3 vPlace;\n${feet ? `uniform vec3 feet[${feet.length}];` : ''}\n#include <common>\n${NOISE.replaceAll('hash(', 'cell(')}`,
      )
      .replace('#include <color_fragment>', `#include <color_fragment>\n${code}`)
  }
  material.customProgramCacheKey = () => code
}

/** Almost the sphere that the fish avoid. */
function head(radius: number, seed: number): BufferGeometry {
  const round = new IcosahedronGeometry(radius, 10)
  round.deleteAttribute('uv')
  round.deleteAttribute('normal')
  const geometry = mergeVertices(round, 1e-4)
  const random = seeded(seed + 1)
  const waves = Array.from({ length: 8 }, () => ({
    direction: new Vector3(random() - 0.5, random() - 0.5, random() - 0.5)
      .normalize()
      .multiplyScalar(4 + 7 * random()),
    phase: 7 * random(),
  }))
  return dented(
    geometry,
    (p) => waves.reduce((sum, { direction, phase }) => sum + Math.sin(direction.dot(p) + phase), 0) / 8,
    0.045,
  )
}

function column(radius: number, height: number, seed: number): BufferGeometry {
  const geometry = mergeVertices(
    (() => {
      const tube = new CylinderGeometry(radius, radius, height, 28, 26)
      tube.deleteAttribute('uv')
      tube.deleteAttribute('normal')
      return tube
    })(),
    1e-4,
  )
  const position = geometry.getAttribute('position') as BufferAttribute
  for (let i = 0; i < position.count; i++) {
    const [x, y, z] = [position.getX(i), position.getY(i), position.getZ(i)]
    const turn = Math.atan2(z, x)
    const flute = 0.06 * Math.cos(7 * turn + 0.5 * Math.sin(y + seed)) + 0.05 * Math.sin(1.7 * y + seed)
    // rounded at the top, and never outside of the cylinder that the fish avoid
    const over = Math.max(0, (y - height / 2) / radius + 1)
    const k = (0.93 + flute) * Math.sqrt(1 - 0.9 * Math.min(1, over) ** 2)
    position.setXYZ(i, x * k, y - 0.08 * radius * over * (1 + Math.sin(3 * turn + seed)), z * k)
  }
  geometry.computeVertexNormals()
  return geometry
}

function dented(
  geometry: BufferGeometry,
  height: (direction: Vector3) => number,
  share: number,
): BufferGeometry {
  const position = geometry.getAttribute('position') as BufferAttribute
  const point = new Vector3()
  const out = new Vector3()
  for (let i = 0; i < position.count; i++) {
    point.fromBufferAttribute(position, i)
    out.copy(point).normalize()
    // never outside of the sphere
    point.multiplyScalar(1 + share * (height(out) - 0.6))
    position.setXYZ(i, point.x, point.y, point.z)
  }
  geometry.computeVertexNormals()
  return geometry
}

function bed(reach: number, corals: readonly Coral[]): Mesh {
  const size = 5 * reach
  const plane = new PlaneGeometry(size, size, 110, 110).rotateX(-Math.PI / 2)
  const position = plane.getAttribute('position') as BufferAttribute
  for (let i = 0; i < position.count; i++) {
    const [x, z] = [position.getX(i), position.getZ(i)]
    const far = Math.hypot(x, z)
    const dune =
      0.12 * Math.sin(0.5 * x + 1.3 * Math.sin(0.21 * z)) + 0.1 * Math.sin(0.41 * z + Math.sin(0.3 * x))
    // never above the floor of the water inside the lagoon, rising outside
    const bank = Math.max(0, far - reach - 1)
    position.setY(i, dune - 0.25 + 0.55 * bank ** 1.15)
  }
  plane.computeVertexNormals()
  const material = new MeshStandardMaterial({ color: '#8d8670', roughness: 0.95 })
  painted(
    material,
    /* glsl */ `
    vec2 s = vPlace.xz;
    float ripple = sin(dot(s, vec2(2.1, 1.3)) + 2.5 * noise(vec3(s * 0.4, 1.0)) + 1.5 * sin(s.y * 0.23));
    diffuseColor.rgb *= (0.82 + 0.14 * ripple) * (0.75 + 0.5 * noise(vec3(s * 0.35, 4.0)));
    // dark around the foot of a coral
    float open = 1.0;
    for (int k = 0; k < ${Math.max(1, corals.length)}; k++) open *= 1.0 - 0.75 * exp(-1.1 * max(0.0, distance(s, feet[k].xy) - feet[k].z));
    diffuseColor.rgb *= open;`,
    {
      feet: corals.map(
        ({ at, radius }) =>
          new Vector3(at.x, at.z, Math.sqrt(Math.max(0.1, radius ** 2 - Math.min(at.y, 0.8 * radius) ** 2))),
      ),
    },
  )
  const mesh = new Mesh(plane, material)
  mesh.receiveShadow = true
  return mesh
}

/**
 * Distance ahead of the camera that should be free of corals (m), and the additional weight of a column
 * compared with a rounded coral (m).
 */
const AHEAD = 14
const TALL = 3

/**
 * Direction (rad) of a camera at `seat` (m) from the centre that has the greatest clearance from corals in
 * its view.
 */
export function clearest(corals: readonly Coral[], seat: number): number {
  let best = 0
  let most = -Infinity
  for (let k = 0; k < 36; k++) {
    const angle = (2 * Math.PI * k) / 36
    const clearances = corals.map(({ at, kind, radius }) => {
      const along = at.x * Math.cos(angle) + at.z * Math.sin(angle)
      const across = at.z * Math.cos(angle) - at.x * Math.sin(angle)
      return (
        Math.hypot(across, along - Math.min(seat, Math.max(seat - AHEAD, along))) -
        radius -
        (kind === 'column' ? TALL : 0)
      )
    })
    const least = Math.min(...clearances)
    if (least <= most) continue
    most = least
    best = angle
  }
  return best
}
