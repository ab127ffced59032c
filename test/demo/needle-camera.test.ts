import { EventDispatcher, Object3D, PerspectiveCamera, Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import { Needle } from '../../demo/scenarios/needle.js'
import type { Stage } from '../../demo/stage.js'
import { NeedleCamera } from '../../demo/views/needle-camera.js'
import { pick } from '../support/tier.js'

const STEP = 1 / 60

class Controls extends EventDispatcher<{ start: object }> {
  readonly target = new Vector3()
}

function open(count: number) {
  const models = Array.from({ length: count }, () => new Object3D())
  const needle = new Needle({ seed: 1, count, view: (index) => models[index]! })
  needle.steering.present(1)
  const stage = { camera: new PerspectiveCamera(), controls: new Controls() }
  const view = new NeedleCamera(stage as unknown as Stage, needle, models)
  const step = (): void => {
    needle.step(STEP)
    needle.steering.present(1)
    view.update(STEP)
  }
  return { needle, view, step, ...stage }
}

describe('the camera that follows through the openings', () => {
  it('passes the openings without coming near a wall, and moves smoothly', () => {
    const { needle, camera, step, view } = open(pick(3, 9))
    const normal = { x: 0, y: 0, z: 0 }
    const [last, before] = [camera.position.clone(), new Vector3()]
    let nearest = Infinity
    let jolt = 0
    let fastest = 0
    const seconds = pick(24, 60, 260)
    for (let k = 0; k < 60 * seconds; k++) {
      step()
      nearest = Math.min(nearest, needle.course.obstacles.distance(camera.position, normal))
      const moved = camera.position.clone().sub(last).divideScalar(STEP)
      if (k > 1) jolt = Math.max(jolt, moved.distanceTo(before) / STEP)
      fastest = Math.max(fastest, moved.length())
      before.copy(moved)
      last.copy(camera.position)
    }
    expect(needle.passages).toBeGreaterThan(0)
    expect(nearest).toBeGreaterThan(1)
    // m/s², m/s
    expect(jolt).toBeLessThan(60)
    expect(fastest).toBeLessThan(50)
    view.dispose()
    needle.dispose()
  })

  it('is left to the visitor after a drag, and only moves along', () => {
    const { needle, camera, controls, step } = open(3)
    for (let k = 0; k < 30; k++) step()
    controls.dispatchEvent({ type: 'start' })
    camera.position.x += 12
    const arm = camera.position.clone().sub(controls.target)
    const from = camera.position.clone()
    for (let k = 0; k < 120; k++) step()
    expect(camera.position.clone().sub(controls.target).distanceTo(arm)).toBeLessThan(1e-6)
    expect(camera.position.distanceTo(from)).toBeGreaterThan(20)
    needle.dispose()
  })
})
