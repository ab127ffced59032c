import { type BufferAttribute, type InterleavedBufferAttribute, type Mesh, Vector3 } from 'three'

const vertex = new Vector3()

/** The vertices (m, in the axes of the mesh) that are drawn, as they are posed and morphed now. Empty when there are none. */
export function pointsOf(mesh: Mesh): Float64Array {
  const { drawRange, index } = mesh.geometry
  const position = positionOf(mesh)
  if (position === undefined) return new Float64Array(0)
  const end = Math.min(index?.count ?? position.count, drawRange.start + drawRange.count)
  const drawn = new Uint8Array(position.count)
  for (let i = drawRange.start; i < end; i++) drawn[index === null ? i : index.getX(i)] = 1
  const points: number[] = []
  for (let i = 0; i < drawn.length; i++) {
    if (drawn[i] === 0) continue
    mesh.getVertexPosition(i, vertex)
    points.push(vertex.x, vertex.y, vertex.z)
  }
  return Float64Array.from(points)
}

/** Number that grows each time the vertices of a mesh are told to have changed; −1 without vertices. */
export function versionOf(mesh: Mesh): number {
  const position = positionOf(mesh)
  if (position === undefined) return -1
  return 'data' in position ? position.data.version : position.version
}

function positionOf(mesh: Mesh): BufferAttribute | InterleavedBufferAttribute | undefined {
  return (mesh.geometry.attributes as Partial<Mesh['geometry']['attributes']>)['position']
}
