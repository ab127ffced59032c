import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  Group,
  IcosahedronGeometry,
  InstancedMesh,
  Matrix4,
  MeshStandardMaterial,
  Quaternion,
  Vector3,
} from 'three'
import { seeded } from 'three-steering/authoring'
import { heightAt, RUNWAY } from './seashore.js'

const turn = new Quaternion()
const up = new Vector3(0, 1, 0)
const matrix = new Matrix4()
const place = new Vector3()
const size = new Vector3()
const color = new Color()

const SHIRTS = ['#d8433b', '#f2c14e', '#3d7dca', '#f4f1ea', '#2a9d6f', '#e9862f', '#3b3f4a', '#d96c9a']
const PARASOLS = ['#d8433b', '#f4f1ea', '#2f6fc4', '#f2b632', '#2aa198']

interface Stand {
  readonly x: number
  readonly z: number
  readonly y?: number
  readonly turn?: number
  readonly size: readonly [number, number, number]
  readonly color: string
}

/** Objects at the seaside: spectators, parasols, sailing boats, trees and the buildings of the airfield. */
export function seasideLife(): Group {
  const random = seeded(5)
  const any = (low: number, high: number): number => low + (high - low) * random()
  const one = (of: readonly string[]): string => of[Math.floor(random() * of.length)]!
  const group = new Group()
  const people = Array.from({ length: 900 }, (): Stand => {
    const tall = any(1.05, 1.5)
    return {
      x: any(-1, 1) * any(0, 190) + any(-60, 60),
      z: any(22, 62),
      turn: any(-0.6, 0.6),
      size: [0.56, tall, 0.4],
      color: one(SHIRTS),
    }
  })
  group.add(many(new CylinderGeometry(0.42, 0.5, 1, 7).translate(0, 0.5, 0), people, 0.8))
  const heads = people.map((each): Stand => {
    const { x, z } = each
    return {
      x,
      z,
      y: each.size[1] + 0.13,
      size: [0.3, 0.34, 0.3],
      color: one(['#e6b48c', '#8d5a3b', '#f0c9a4']),
    }
  })
  group.add(many(new IcosahedronGeometry(0.5, 0), heads, 0.8))
  const shades = Array.from({ length: 60 }, (): Stand => ({
    x: any(-260, 260),
    z: any(14, 40),
    y: 1.7,
    size: [1.7, 0.8, 1.7],
    color: one(PARASOLS),
  }))
  group.add(many(new ConeGeometry(1, 1, 9).translate(0, 0.5, 0), shades, 0.7))
  const poles = shades.map(({ x, z }): Stand => ({ x, z, size: [0.06, 2, 0.06], color: '#e9e4d8' }))
  group.add(many(new CylinderGeometry(1, 1, 1, 5).translate(0, 0.5, 0), poles, 0.6))
  const boats = Array.from({ length: 16 }, (): Stand => {
    const scale = any(0.8, 1.5)
    return {
      x: any(-420, 420),
      z: any(-140, -900),
      y: 0,
      turn: any(0, 6.3),
      size: [scale, scale, scale],
      color: one(['#ffffff', '#fbf3e0', '#ffffff', '#e8553f']),
    }
  })
  group.add(many(sails(), boats, 0.7), many(hulls(), boats, 0.6))
  group.add(many(new IcosahedronGeometry(1, 1), trees(random), 1))
  group.add(...sheds())
  return group
}

function trees(random: () => number): Stand[] {
  const found: Stand[] = []
  while (found.length < 620) {
    const [x, z] = [(random() - 0.5) * 3000, (random() - 0.42) * 2000]
    const green = new Color('#2f5a24').lerp(new Color('#5d7f33'), random())
    const wide = 3 + 3.5 * random()
    const high = heightAt(x, z)
    const field = Math.abs(x - RUNWAY.x) < 760 && z > -20 && z < 420
    if (high < 7 || field) continue
    found.push({ x, z, y: 0.7 * wide, size: [wide, 1.15 * wide, wide], color: `#${green.getHexString()}` })
  }
  return found
}

function sheds(): InstancedMesh[] {
  const z = RUNWAY.z + 106
  const halls = [-110, -45, 20, 85, 150].map((x): Stand => ({
    x,
    z,
    size: [46, 11, 34],
    color: x === 20 ? '#c9ced4' : '#aeb7bf',
  }))
  const doors = halls.map(({ x }): Stand => ({ x, z: z - 17.2, size: [36, 8, 0.6], color: '#3c4650' }))
  const tower: Stand[] = [
    { x: 215, z, size: [8, 22, 8], color: '#e7e2d6' },
    { x: 215, z, y: 22, size: [13, 4.5, 13], color: '#29343d' },
    { x: 215, z, y: 26.5, size: [14, 1, 14], color: '#d8433b' },
  ]
  return [many(new BoxGeometry(1, 1, 1).translate(0, 0.5, 0), [...halls, ...doors, ...tower], 0.7)]
}

function many(geometry: BufferGeometry, stands: readonly Stand[], rough: number): InstancedMesh {
  const mesh = new InstancedMesh(
    geometry,
    new MeshStandardMaterial({ roughness: rough, flatShading: true }),
    stands.length,
  )
  stands.forEach((stand, k) => {
    const { x, z, y = 0 } = stand
    place.set(x, Math.max(0, heightAt(x, z)) + y, z)
    matrix.compose(place, turn.setFromAxisAngle(up, stand.turn ?? 0), size.fromArray(stand.size))
    mesh.setMatrixAt(k, matrix)
    mesh.setColorAt(k, color.set(stand.color))
  })
  mesh.frustumCulled = false
  return mesh
}

/** A main sail and a jib (m). */
function sails(): BufferGeometry {
  return triangles([0, 1.2, -3.4, 0, 1.2, 0.3, 0, 10, 0.2, 0, 1.2, 0.7, 0, 1, 3.6, 0, 8.4, 0.5])
}

function hulls(): BufferGeometry {
  const [l, r, b, s] = [[-1, 0.8, -3.5], [1, 0.8, -3.5], [0, 0.9, 4.2], [0, -0.4, -2.6]] as const // prettier-ignore
  return triangles([...l, ...b, ...r, ...l, ...s, ...b, ...r, ...b, ...s, ...l, ...r, ...s])
}

/** Triangles that are visible from both sides. */
function triangles(points: readonly number[]): BufferGeometry {
  const back: number[] = []
  for (let k = 0; k < points.length; k += 9)
    back.push(...points.slice(k, k + 3), ...points.slice(k + 6, k + 9), ...points.slice(k + 3, k + 6))
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(new Float32Array([...points, ...back]), 3))
  geometry.computeVertexNormals()
  return geometry
}
