import type { Shape } from './shape.js'

/** Triangles as lists: `[3 × vertices]` coordinates (m), and `[3 × triangles]` numbers of vertices. */
export interface Triangles {
  readonly vertices: Float32Array
  readonly indices: Uint32Array
}

/** Makes a shape of triangles: a sheet without an inside. */
export type MeshMaker = (triangles: Triangles) => Shape

/** The shape of triangles, which an engine calls `what`. @throws TypeError when nothing makes one. */
export function meshFrom(mesh: MeshMaker | undefined, what: string, triangles: () => Triangles): Shape {
  if (mesh === undefined)
    throw new TypeError(
      `${what} needs the option mesh: (triangles) => new MeshShape(triangles), with MeshShape of three-steering/bvh`,
    )
  return mesh(triangles())
}
