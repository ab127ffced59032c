import { type Camera, Object3D, type Scene, Vector3 } from 'three'
import { expect, it, vi } from 'vitest'
import { Flock, Seek, SteeringController, SteeringWorld } from 'three-steering'
import { show } from 'three-steering/debug'

const renderer = {
  domElement: { style: {}, addEventListener() {}, remove() {} },
  loop: null as ((time: number) => void) | null,
  drawn: {} as { scene: Scene; camera: Camera },
  setSize() {},
  dispose() {},
  setAnimationLoop(loop: ((time: number) => void) | null) {
    this.loop = loop
  },
  render(scene: Scene, camera: Camera) {
    this.drawn = { scene, camera }
  },
}

// What it shows is tested in test/browser/guides.test.ts, and by each block of the pages in
// scripts/consumers.mjs.

it('`show` refuses what is no world and what is no obstacle, and does nothing where there is no page', () => {
  const world = new SteeringWorld()
  expect(() => show(null as never)).toThrow('show: got null, must be a SteeringWorld')
  for (const options of [7, null]) expect(() => show(world, options as never)).toThrow('show.options')
  expect(() => show(world, { size: 0 })).toThrow('show.size')
  expect(() => show(world, { frame: 1 as never })).toThrow('show.frame')
  expect(() => show(world, { center: { x: NaN, y: 0, z: 0 } })).toThrow('show.center')
  expect(() => show(world, { obstacles: [{} as never] })).toThrow(TypeError)
  const end = show(world, {
    frame: () => {
      throw new Error('there is no picture')
    },
  })
  expect(end()).toBeUndefined()
})

it.each([
  { x: 0, y: 1, z: 0 },
  { x: 0, y: 0, z: 1 },
  { x: 0, y: -1, z: 0 },
  { x: 0.6, y: 0, z: -0.8 },
])('`show` has its ground below what it shows, in a world whose up is %o', async (up) => {
  vi.resetModules()
  vi.doMock('three', async (original) => ({
    ...(await original<object>()),
    // a constructor that returns an object gives it to `new`
    WebGLRenderer: function () {
      return renderer
    },
  }))
  const drawing = await import('three-steering/debug')

  const page = { createElement: () => ({ style: {}, remove() {} }), body: { append() {} } }
  for (const [name, value] of Object.entries({ document: page, innerWidth: 800, innerHeight: 600 }))
    vi.stubGlobal(name, value)
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('removeEventListener', () => {})
  const world = new SteeringWorld({ up })
  world.add(
    new SteeringController(new Object3D(), { maxSpeed: 5, maxForce: 9, behavior: new Seek({ target: up }) }),
  )
  const end = drawing.show(world)
  renderer.loop!(0)
  const { scene, camera } = renderer.drawn
  const grid = scene.children.find(({ type }) => type === 'GridHelper')!
  expect(new Vector3(0, 1, 0).applyQuaternion(grid.quaternion).distanceTo(up)).toBeCloseTo(0, 9)
  expect(grid.position.dot(up)).toBeLessThan(-0.5)
  expect(camera.position.dot(up)).toBeGreaterThan(1)
  // lines of a few agents are seen, and those of a flock would hide it
  const lines = scene.children.find(({ type }) => type === 'SteeringHelper')!
  expect(lines.visible).toBe(true)
  const behavior = new Seek({ target: up })
  world.add(new Flock({ count: 100, maxSpeed: 5, maxForce: 9, behavior }))
  renderer.loop!(20)
  expect(lines.visible).toBe(false)
  // what is up in the world is up in the picture, and not to a side
  const top = new Vector3().copy(up).applyQuaternion(camera.quaternion.clone().invert())
  expect(top.y).toBeGreaterThan(0.8)
  expect(top.x).toBeCloseTo(0, 9)
  end()
  vi.unstubAllGlobals()
  vi.doUnmock('three')
})
