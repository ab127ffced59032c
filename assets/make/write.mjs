import { Document, NodeIO } from '@gltf-transform/core'
import { unit } from './shape.mjs'

const COPYRIGHT = 'CC0 1.0, three-steering contributors'

/** One .glb file under construction: materials by name, meshes and marker nodes under one root node. */
export class Model {
  constructor(name) {
    this.document = new Document()
    this.buffer = this.document.createBuffer()
    this.scene = this.document.createScene(name)
    this.document.getRoot().setDefaultScene(this.scene)
    this.root = this.document.createNode(name)
    this.scene.addChild(this.root)
    this.materials = new Map()
    const asset = this.document.getRoot().getAsset()
    asset.copyright = COPYRIGHT
    asset.generator = 'three-steering assets/make-models.mjs'
  }

  material(name, { metal = 0, rough = 0.7, emissive, doubleSided = false } = {}) {
    const material = this.document
      .createMaterial(name)
      .setMetallicFactor(metal)
      .setRoughnessFactor(rough)
      .setDoubleSided(doubleSided)
    if (emissive) material.setEmissiveFactor(emissive)
    this.materials.set(name, material)
    return this
  }

  /** A node with a mesh: `parts` maps material names to shapes. */
  mesh(name, parts, { position = [0, 0, 0], parent = this.root } = {}) {
    const mesh = this.document.createMesh(name)
    for (const [material, shape] of Object.entries(parts)) {
      mesh.addPrimitive(this.#primitive(shape).setMaterial(this.materials.get(material)))
    }
    const node = this.document.createNode(name).setMesh(mesh).setTranslation(position)
    parent.addChild(node)
    return node
  }

  /** An empty node whose +Z looks along `direction`: a nozzle, a berth, a lamp. */
  marker(name, position, direction = [0, 0, 1], parent = this.root) {
    const node = this.document.createNode(name).setTranslation(position)
    parent.addChild(node.setRotation(turnFromZ(unit(direction))))
    return node
  }

  async write(path) {
    await new NodeIO().write(path, this.document)
  }

  /** Corners with the same place and colour are shared; without normals, loaders shade every face flat. */
  #primitive(shape) {
    const position = []
    const color = []
    const index = []
    const known = new Map()
    for (const { points, colors } of shape.triangles) {
      for (const [k, point] of points.entries()) {
        const place = point.map((value) => Math.fround(value))
        const tint = colors[k]
        const key = [...place, ...tint].join()
        if (!known.has(key)) {
          known.set(key, known.size)
          position.push(...place)
          color.push(...tint.map((value) => Math.round(value * 65535)), 65535)
        }
        index.push(known.get(key))
      }
    }
    return this.document
      .createPrimitive()
      .setAttribute('POSITION', this.#accessor('VEC3', new Float32Array(position)))
      .setAttribute('COLOR_0', this.#accessor('VEC4', new Uint16Array(color)).setNormalized(true))
      .setIndices(this.#accessor('SCALAR', new Uint16Array(index)))
  }

  #accessor(type, values) {
    return this.document.createAccessor().setType(type).setArray(values).setBuffer(this.buffer)
  }
}

/** Least rotation from +Z to a unit direction, as x, y, z, w. */
function turnFromZ([x, y, z]) {
  if (z < -0.999999) return [0, 1, 0, 0]
  const w = 1 + z
  const size = Math.hypot(-y, x, w)
  return [-y / size, x / size, 0, w / size]
}
