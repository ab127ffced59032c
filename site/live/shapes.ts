import {
  BackSide,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  ConeGeometry,
  CylinderGeometry,
  EdgesGeometry,
  Group,
  IcosahedronGeometry,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  Quaternion,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from 'three'
import { BoxShape, CapsuleShape, CylinderShape, HollowShape, type Shape, SphereShape } from 'three-steering'
import type { ShowMark } from 'three-steering/debug'

export interface Palette {
  readonly sky: number
  readonly above: number
  readonly below: number
  readonly grid: number
  readonly gridOpacity: number
  readonly solid: number
  readonly room: number
  readonly mark: number
  readonly line: number
  readonly trail: number
  readonly agents: readonly number[]
}

export const PALETTES: Readonly<Record<'light' | 'dark', Palette>> = {
  light: {
    sky: 0xeff3f7,
    above: 0xffffff,
    below: 0x9fb0c0,
    grid: 0x8498aa,
    gridOpacity: 0.28,
    solid: 0xb6c2cd,
    room: 0x7f93a6,
    mark: 0xe0731d,
    line: 0x8aa0b4,
    trail: 0.55,
    agents: [0x1f6fd6, 0xd9542b, 0x16886a, 0x8a4fc4],
  },
  dark: {
    sky: 0x10151d,
    above: 0xbcd4ee,
    below: 0x1a2430,
    grid: 0x5b7088,
    gridOpacity: 0.22,
    solid: 0x4b5a6b,
    room: 0x5d7288,
    mark: 0xffa24d,
    line: 0x5f7a94,
    trail: 0.6,
    agents: [0x5aa9ff, 0xff7d55, 0x46d6a8, 0xc08cff],
  },
}

/** A craft with its nose along +Z, inside a ball of radius 1. */
export function dart(): BufferGeometry {
  const nose = [0, 0, 1]
  const port = [0.62, -0.06, -0.76]
  const starboard = [-0.62, -0.06, -0.76]
  const top = [0, 0.26, -0.5]
  const keel = [0, -0.18, -0.45]
  const corners = [nose, port, top, nose, top, starboard, nose, keel, port, nose, starboard, keel]
  corners.push(top, port, keel, top, keel, starboard)
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(corners.flat()), 3))
  geometry.computeVertexNormals()
  return geometry
}

function geometryOf(shape: Shape): BufferGeometry {
  if (shape instanceof SphereShape) return new SphereGeometry(shape.radius, 48, 32)
  if (shape instanceof CapsuleShape) return new CapsuleGeometry(shape.radius, shape.length, 12, 32)
  if (shape instanceof CylinderShape)
    return new CylinderGeometry(shape.radius, shape.radius, shape.height, 48)
  if (shape instanceof BoxShape) {
    const { x, y, z } = shape.halfExtents
    return new BoxGeometry(2 * x, 2 * y, 2 * z)
  }
  throw new TypeError(`The pictures do not show shapes of the kind ${shape.kind}`)
}

/** A body, or for a hollow shape the lines of a room. */
export function solidOf(shape: Shape, palette: Palette): Mesh {
  if (shape instanceof HollowShape) {
    const { inner } = shape
    const color = palette.room
    const room = new Mesh(
      geometryOf(inner),
      new MeshBasicMaterial({ color, side: BackSide, transparent: true, opacity: 0.07, depthWrite: false }),
    )
    const edges = inner instanceof SphereShape ? circles(inner.radius) : new EdgesGeometry(geometryOf(inner))
    room.add(new LineSegments(edges, new LineBasicMaterial({ color, transparent: true, opacity: 0.45 })))
    return room
  }
  return new Mesh(geometryOf(shape), new MeshStandardMaterial({ color: palette.solid, roughness: 0.85 }))
}

/** Three great circles, as pairs of points. */
function circles(radius: number): BufferGeometry {
  const points: number[] = []
  for (let axis = 0; axis < 3; axis++)
    for (let i = 0; i < 96; i++)
      for (const k of [i, i + 1]) {
        const [c, s] = [radius * Math.cos((k / 96) * 2 * Math.PI), radius * Math.sin((k / 96) * 2 * Math.PI)]
        points.push(...(axis === 0 ? [0, c, s] : axis === 1 ? [c, 0, s] : [c, s, 0]))
      }
  return new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(points), 3))
}

/** A ball for a point, an arrow for a heading, a ring for a gate. */
export function markOf(mark: ShowMark, palette: Palette, size: number): Mesh {
  const material = new MeshStandardMaterial({
    color: palette.mark,
    emissive: palette.mark,
    emissiveIntensity: 0.35,
  })
  if (!('position' in mark) || mark.heading === undefined)
    return new Mesh(new IcosahedronGeometry(0.032 * size, 3), material)
  const along = new Vector3(mark.heading.x, mark.heading.y, mark.heading.z).normalize()
  const holder = new Group()
  holder.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), along))
  if (mark.radius !== undefined)
    holder.add(new Mesh(new TorusGeometry(mark.radius, 0.01 * size, 12, 64), material))
  else {
    const length = 0.22 * size
    const shaft = new CylinderGeometry(0.008 * size, 0.008 * size, length, 12).rotateX(Math.PI / 2)
    const tip = new ConeGeometry(0.03 * size, 0.09 * size, 24)
      .rotateX(Math.PI / 2)
      .translate(0, 0, length / 2)
    holder.add(new Mesh(shaft, material), new Mesh(tip, material))
  }
  const root = new Mesh(new BufferGeometry(), material)
  root.add(holder)
  return root
}
