import * as CANNON from 'cannon-es'
import { describe, expect, it, vi } from 'vitest'
import {
  AmbientLight,
  BoxGeometry,
  InstancedMesh,
  Mesh,
  MeshBasicMaterial,
  PerspectiveCamera,
  Scene,
  WebGLRenderer,
} from 'three'
import { Arrive, Flocking, Hover, SteeringController, SteeringWorld } from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { SteeringHelper } from 'three-steering/debug'
import { addFlock } from '../support/flock.js'

// In a real browser, with the ESM build of cannon-es that bundlers use. The set-up file fails on any console
// error or warning.

function picture() {
  const renderer = new WebGLRenderer({ preserveDrawingBuffer: true })
  renderer.setSize(64, 48, false)
  document.body.append(renderer.domElement)
  const scene = new Scene()
  const camera = new PerspectiveCamera(60, 64 / 48, 0.1, 500)
  camera.position.set(0, 0, 30)
  scene.add(new AmbientLight())
  /** Number of pixels that are not black. */
  const lit = (): number => {
    renderer.render(scene, camera)
    const gl = renderer.getContext()
    const pixels = new Uint8Array(4 * 64 * 48)
    gl.readPixels(0, 0, 64, 48, gl.RGBA, gl.UNSIGNED_BYTE, pixels)
    let count = 0
    for (let i = 0; i < pixels.length; i += 4) if (pixels[i]! + pixels[i + 1]! + pixels[i + 2]! > 30) count++
    return count
  }
  const close = (): void => {
    renderer.dispose()
    renderer.domElement.remove()
  }
  return { renderer, scene, lit, close }
}

describe('in a browser', () => {
  it('a cannon body is steered to its goal, stops there, and emits `arrive`', () => {
    const engine = new CANNON.World({ gravity: new CANNON.Vec3(0, -9.81, 0) })
    const body = new CANNON.Body({ mass: 5, shape: new CANNON.Sphere(0.5), linearDamping: 0.1 })
    engine.addBody(body)
    const steering = new SteeringWorld()
    const detach = attachToCannon(steering, engine)
    const ship = new Mesh(new BoxGeometry(), new MeshBasicMaterial())
    new Scene().add(ship)
    const pilot = new SteeringController(ship, {
      body: cannonBody(body),
      behavior: new Arrive({ target: { x: 8, y: 3, z: -4 } }),
      maxSpeed: 6,
      maxForce: 150,
      compensateGravity: true,
    })
    let arrivals = 0
    pilot.addEventListener('arrive', () => arrivals++)
    steering.add(pilot)
    // real time passes as simulated time does, on a busy machine, too
    let now = performance.now()
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
    for (let i = 0; i < 600; i++) {
      // uneven frames, as browsers have them
      const frame = 1 / (i % 2 === 0 ? 50 : 75)
      now += 1000 * frame
      engine.step(1 / 60, frame)
      steering.present()
    }
    clock.mockRestore()
    expect(arrivals).toBe(1)
    expect(body.position.distanceTo(new CANNON.Vec3(8, 3, -4))).toBeLessThan(0.02)
    expect(ship.position.distanceTo(body.position as unknown as Mesh['position'])).toBeLessThan(0.02)
    detach()
    steering.dispose()
  })

  it('a flock is drawn as instances, with its helper, in one frame', () => {
    const { renderer, scene, lit, close } = picture()
    const birds = new InstancedMesh(new BoxGeometry(1, 1, 1), new MeshBasicMaterial({ color: 'white' }), 50)
    scene.add(birds)
    const steering = new SteeringWorld()
    const flock = addFlock(steering, {
      behavior: new Flocking({
        separation: { neighborDistance: 2 },
        alignment: { neighborDistance: 5 },
        cohesion: { neighborDistance: 6 },
      }),
      locomotion: new Hover({ attitude: null }),
      count: 50,
      maxSpeed: 5,
      maxForce: 10,
      view: birds,
    })
    expect(steering.advance(1 / 30)).toBe(2)
    const shown = lit()
    expect(shown).toBeGreaterThan(20)
    const helper = new SteeringHelper(flock)
    scene.add(helper)
    helper.update()
    expect(lit()).toBeGreaterThan(shown)
    expect(renderer.info.render.calls).toBeGreaterThan(5)
    helper.dispose()
    birds.visible = false
    expect(lit()).toBe(0)
    steering.dispose()
    close()
  })
})
