import { afterAll, expect, it, vi } from 'vitest'
import { BoxGeometry, Matrix4, Mesh, MeshBasicMaterial, Vector3 } from 'three'
import { BoxShape, HollowShape, Seek, SphereShape, SteeringController, SteeringWorld } from 'three-steering'
import { show } from 'three-steering/debug'
import { birds } from '../../demo/snippets/birds-page.js'

// The pages of the guides that need a browser. That the guides show this code is tested in test/readme.

// With few pictures a second the pages are slow, because a frame makes up for little time.
vi.setConfig({ testTimeout: 300_000 })
const PATIENCE = { timeout: 120_000 }

// this page stays open until the tests of all projects end: without this it keeps drawing, on a whole core
afterAll(() => {
  vi.spyOn(window, 'requestAnimationFrame').mockReturnValue(0)
})

/** Number of pixels of the last canvas of the page that are not black, in the next picture. */
function litPixels(): Promise<number> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      const shown = [...document.querySelectorAll('canvas')].at(-1)!
      const copy = new OffscreenCanvas(shown.width, shown.height).getContext('2d')!
      copy.drawImage(shown, 0, 0)
      const { data } = copy.getImageData(0, 0, shown.width, shown.height)
      let count = 0
      for (let i = 0; i < data.length; i += 4) if (data[i]! + data[i + 1]! + data[i + 2]! > 30) count++
      resolve(count)
    })
  })
}

it('the first page shows a ship that docks', async () => {
  const told = vi.spyOn(console, 'info').mockImplementation(() => {})
  await import('../../demo/snippets/first-page.js')
  await expect.poll(litPixels, PATIENCE).toBeGreaterThan(20)
  await expect.poll(() => told.mock.calls, PATIENCE).toEqual([['docked']])
  told.mockRestore()
})

it('`show` shows agents and what is named, follows what flies away, and ends', async () => {
  const steering = new SteeringWorld()
  const pilot = new SteeringController(null, {
    behavior: new Seek({ target: { x: 90, y: 9, z: 9 } }),
    maxSpeed: 9,
    maxForce: 9,
  })
  steering.add(pilot)
  const canvases = document.querySelectorAll('canvas').length
  const end = show(steering, {
    obstacles: [
      { shape: new BoxShape({ x: 2, y: 2, z: 2 }) },
      { shape: new HollowShape(new SphereShape(9)) },
    ],
    targets: [
      { x: 1, y: 0, z: 0 },
      { position: { x: 0, y: 0, z: 0 }, heading: { x: 1, y: 0, z: 0 } },
      { position: { x: 0, y: 0, z: 0 }, heading: { x: 1, y: 0, z: 0 }, radius: 2 },
    ],
    lines: [[pilot.position, { x: 9, y: 0, z: 0 }]],
    readout: () => `speed ${pilot.velocity.x > 1}`,
  })
  await expect.poll(() => document.body.textContent, PATIENCE).toContain('speed true')
  expect(await litPixels()).toBeGreaterThan(1000)
  end()
  expect(document.querySelectorAll('canvas').length).toBe(canvases)
  expect(document.body.textContent).not.toContain('speed')
  const seconds: number[] = []
  const endAlso = show(new SteeringWorld(), {
    frame: (delta) => void seconds.push(delta),
    objects: [new Mesh(new BoxGeometry(40, 40, 40), new MeshBasicMaterial())],
  })
  await expect.poll(() => seconds.length, PATIENCE).toBeGreaterThan(2)
  expect(seconds[0]).toBe(0)
  expect(await litPixels()).toBeGreaterThan(20_000)
  endAlso()
})

it('a worker moves the birds of a page', async () => {
  const place = new Matrix4()
  const at = (i: number): Vector3 => {
    birds.getMatrixAt(i, place)
    return new Vector3().setFromMatrixPosition(place)
  }
  await expect.poll(() => at(150).length(), PATIENCE).toBeGreaterThan(1)
  const before = at(150)
  await expect.poll(() => at(150).distanceTo(before), PATIENCE).toBeGreaterThan(0.5)
})
