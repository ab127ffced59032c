import { readFileSync } from 'node:fs'
import { BoxGeometry, Group, Mesh, MeshStandardMaterial, Object3D, Texture, Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import { Flyable, readModel } from '../../demo/own/flyable.js'
import { checkGlb } from '../../demo/own/glb.js'

const bytesOf = (name: string): ArrayBuffer =>
  new Uint8Array(readFileSync(new URL(`../../assets/${name}`, import.meta.url))).buffer

const textOf = (text: string): ArrayBuffer => new Uint8Array(new TextEncoder().encode(text)).buffer

/** A GLB with a list of contents and nothing else. */
function glbOf(contents: unknown, version = 2): ArrayBuffer {
  const json = new TextEncoder().encode(JSON.stringify(contents).padEnd(200))
  const bytes = new ArrayBuffer(20 + json.length)
  const view = new DataView(bytes)
  const words = [0x46546c67, version, bytes.byteLength, json.length, 0x4e4f534a]
  words.forEach((word, k) => view.setUint32(4 * k, word, true))
  new Uint8Array(bytes, 20).set(json)
  return bytes
}

const file = (name: string, bytes: ArrayBuffer): Pick<File, 'name' | 'arrayBuffer'> => ({
  name,
  arrayBuffer: () => Promise.resolve(bytes),
})

/** A box with its middle at `at`. */
function boxOf(x: number, y: number, z: number, at = new Vector3()): Mesh {
  const mesh = new Mesh(new BoxGeometry(x, y, z), new MeshStandardMaterial())
  mesh.position.copy(at)
  return mesh
}

/** Smallest and largest coordinates of what a ship shows. */
function extentOf(ship: Group): { low: Vector3; high: Vector3 } {
  const low = new Vector3(Infinity, Infinity, Infinity)
  const high = low.clone().negate()
  const corner = new Vector3()
  for (const mesh of ship.children.filter((each) => each instanceof Mesh)) {
    const position = mesh.geometry.getAttribute('position')
    for (let k = 0; k < position.count; k++) {
      corner.fromBufferAttribute(position, k).applyMatrix4(mesh.matrix)
      low.min(corner)
      high.max(corner)
    }
  }
  return { low, high }
}

describe('a file that cannot be shown is refused in plain words', () => {
  it.each([
    ['an empty file', new ArrayBuffer(0), /empty/],
    ['a text', textOf('a text of more than twenty bytes'), /not a GLB.*Export/],
    ['a picture', textOf('\x89PNG\r\n and so on, longer than its header'), /not a GLB/],
    ['a glTF in parts', textOf('{ "asset": { "version": "2.0" } }'), /other files.*\.glb/],
    ['glTF 1', glbOf({ meshes: [{}] }, 1), /version 1/],
    ['no mesh', glbOf({ asset: { version: '2.0' } }), /nothing to see/],
    ['parts elsewhere', glbOf({ meshes: [{}], buffers: [{ uri: 'hull.bin' }] }), /hull\.bin/],
    [
      'pictures elsewhere',
      glbOf({ meshes: [{}], images: [{ uri: 'https://a.example/skin.png' }] }),
      /skin\.png/,
    ],
    [
      'a compression',
      glbOf({ meshes: [{}], extensionsRequired: ['KHR_draco_mesh_compression'] }),
      /without compression/,
    ],
    ['the half of a file', bytesOf('ship.glb').slice(0, 9000), /not whole/],
  ])('%s', (_, bytes, message) => {
    expect(() => checkGlb('mine.glb', bytes)).toThrow(message)
    expect(() => checkGlb('mine.glb', bytes)).toThrow('mine.glb')
  })

  it('a file of more than a hundred megabytes', () => {
    expect(() => checkGlb('mine.glb', new ArrayBuffer(101e6))).toThrow(/too large: 101 MB/)
  })

  it('a model without size, or with corners nowhere', () => {
    expect(() => new Flyable('dot', boxOf(0, 0, 0))).toThrow(/no size/)
    expect(() => new Flyable('empty', new Group())).toThrow(/no size/)
    const broken = boxOf(1, 1, 1)
    broken.position.x = Infinity
    expect(() => new Flyable('broken', broken)).toThrow(/damaged/)
  })
})

describe('a model of any size', () => {
  it.each(['ship', 'drone', 'lander', 'bird', 'spaceport'])(
    '%s.glb of this project becomes a ship',
    async (name) => {
      const model = await readModel(file(`${name}.glb`, bytesOf(`${name}.glb`)))
      const { high, low } = extentOf(model.makeShip())
      expect(model.triangles).toBeGreaterThan(10)
      expect(Math.max(...high.clone().sub(low).toArray())).toBeCloseTo(5, 4)
      expect(high.add(low).length()).toBeLessThan(1e-4)
    },
  )

  it.each([1e-6, 1, 4e5])('has its middle at the origin and is 5 m long, with edges of %d m', (edge) => {
    const inner = boxOf(edge, 2 * edge, 4 * edge, new Vector3(7, -3, 11).multiplyScalar(edge))
    const outer = new Group().add(inner)
    outer.scale.setScalar(3)
    outer.rotation.set(Math.PI / 2, 0, 0)
    const model = new Flyable('box', outer)
    const { high, low } = extentOf(model.makeShip())
    // the outer group has turned z to −y
    expect(high.toArray()).toEqual([0.625, 2.5, 1.25].map((side) => expect.closeTo(side, 4) as number))
    expect(low.toArray()).toEqual([-0.625, -2.5, -1.25].map((side) => expect.closeTo(side, 4) as number))
  })

  it('turns its nose by quarters about an axis, four of which are none', () => {
    const model = new Flyable('box', boxOf(1, 2, 4))
    const sizes = (): number[] => model.half.toArray().map((half) => Number((2 * half).toFixed(4)))
    expect(sizes()).toEqual([1.25, 2.5, 5])
    model.turnNose('y')
    expect(sizes()).toEqual([5, 2.5, 1.25])
    model.turnNose('x')
    expect(sizes()).toEqual([5, 1.25, 2.5])
    model.turnNose('z')
    expect(sizes()).toEqual([1.25, 5, 2.5])
    for (const axis of ['z', 'z', 'z', 'x', 'x', 'x', 'y', 'y', 'y'] as const) model.turnNose(axis)
    const { high } = extentOf(model.makeShip())
    expect(high.toArray()).toEqual([0.625, 1.25, 2.5].map((side) => expect.closeTo(side, 6) as number))
  })

  it('keeps the places of its flames, or has one at its stern', () => {
    const model = boxOf(1, 1, 10)
    const node = new Object3D()
    node.name = 'nozzle_up_0'
    node.position.set(0, -0.5, 4)
    model.add(node)
    const flame = new Flyable('a', model).makeShip().children.find(({ name }) => name !== '')
    expect(flame!.position.toArray()).toEqual([0, -0.25, 2].map((x) => expect.closeTo(x, 6) as number))
    const stern = new Flyable('b', boxOf(1, 1, 10)).makeShip().children.find(({ name }) => name !== '')
    expect(stern!.position.z).toBeCloseTo(-2.5)
    expect(new Vector3(0, 0, 1).applyQuaternion(stern!.quaternion).z).toBeCloseTo(-1)
  })

  it('frees geometry, materials and textures', () => {
    const mesh = boxOf(1, 1, 1)
    const material = mesh.material as MeshStandardMaterial
    material.map = new Texture()
    const freed: string[] = []
    mesh.geometry.addEventListener('dispose', () => freed.push('geometry'))
    material.addEventListener('dispose', () => freed.push('material'))
    material.map.addEventListener('dispose', () => freed.push('texture'))
    new Flyable('box', mesh).free()
    expect(freed.toSorted()).toEqual(['geometry', 'material', 'texture'])
  })
})
