import { Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import * as terrain from '../../demo/snippets/birds-over-terrain.js'
import * as follow from '../../demo/snippets/follow-camera.js'
import * as gltf from '../../demo/snippets/gltf-rocks.js'
import * as pause from '../../demo/snippets/pause.js'
import * as saved from '../../demo/snippets/save-and-load.js'
import * as shot from '../../demo/snippets/shot-bird.js'
import * as run from '../../demo/snippets/victim.js'

// The code of the how-to pages. That the pages show it is tested in readme.test.ts.

const fly = (frame: (seconds: number) => void, seconds: number, rate = 60): void => {
  for (let i = 0; i < rate * seconds; i++) frame(1 / rate)
}

describe('the how-to', () => {
  it('follows the ship with the camera, behind it and without a jump, at any frame rate', () => {
    const { camera, ship } = follow
    fly(follow.frame, 3)
    for (const rate of [30, 60, 144]) {
      for (let i = 0; i < 6 * rate; i++) {
        follow.frame(1 / rate)
        expect(camera.position.distanceTo(ship.position)).toBeGreaterThan(8)
        expect(camera.position.distanceTo(ship.position)).toBeLessThan(20)
        const ahead = new Vector3(0, 0, 1).applyQuaternion(ship.quaternion)
        expect(ship.position.clone().sub(camera.position).normalize().dot(ahead)).toBeGreaterThan(0.5)
      }
    }
  })

  it('stands in a pause, and flies the same way in slow motion', () => {
    const place = (): Vector3 => new Vector3().copy(pause.pilot.position)
    fly(pause.frame, 8)
    pause.onKey({ code: 'KeyP' })
    const before = place()
    fly(pause.frame, 5)
    expect(place()).toEqual(before)
    pause.onKey({ code: 'KeyP' })
    pause.onKey({ code: 'KeyT' })
    const from = place()
    fly(pause.frame, 1)
    const slow = place().distanceTo(from)
    expect(slow).toBeGreaterThan(0.2 * 9)
    expect(slow).toBeLessThan(0.28 * 10)
    expect(place().length()).toBeCloseTo(12, 0)
  })

  it('keeps ships clear of rocks that turn', () => {
    expect(gltf.rocks.children.length).toBe(12)
    let nearest = Infinity
    const out = { x: 0, y: 0, z: 0 }
    for (let i = 0; i < 60 * 40; i++) {
      gltf.frame(1 / 60)
      for (const { position, radius } of [gltf.prey, gltf.hunter])
        for (const rock of gltf.obstacles) nearest = Math.min(nearest, rock.distance(position, out) - radius)
    }
    expect(nearest).toBeGreaterThan(0)
  })

  it('keeps birds above hills', () => {
    const at = new Vector3()
    let lowest = Infinity
    for (let i = 0; i < 60 * 12; i++) {
      terrain.frame(1 / 60)
      if (i % 10 > 0) continue
      for (let bird = 0; bird < terrain.birds.size; bird++) {
        terrain.birds.position(bird, at)
        expect(Math.hypot(at.x, at.z)).toBeLessThan(100)
        lowest = Math.min(lowest, at.y - terrain.height(at.x, at.z))
      }
    }
    expect(lowest).toBeGreaterThan(0)
  })

  it('goes on from a saved game to the last bit', () => {
    fly(saved.frame, 2)
    saved.game.score = 3
    const text = saved.save()
    fly(saved.frame, 4)
    const first = saved.places()
    saved.game.score = 9
    fly(saved.frame, 3)
    saved.load(text)
    expect(saved.game.score).toBe(3)
    fly(saved.frame, 4)
    expect(saved.places()).toBe(first)
  })

  it('brings the victim of a horde to the door, untouched', () => {
    let nearest = Infinity
    let seconds = 0
    const { victim } = run
    for (
      ;
      seconds < 30 && Math.hypot(victim.position.x - 36, victim.position.z - 36) > 2;
      seconds += 1 / 60
    ) {
      run.frame(1 / 60)
      for (const { position, radius } of run.horde)
        nearest = Math.min(
          nearest,
          Math.hypot(position.x - victim.position.x, position.z - victim.position.z) - 2 * radius,
        )
    }
    expect(seconds).toBeLessThan(25)
    expect(nearest).toBeGreaterThan(0)
  })

  it('takes the bird out that is hit, and no other', () => {
    const { birds, shoot } = shot
    fly(shot.frame, 5)
    expect(birds.size).toBe(100)
    const [hit, last] = [new Vector3(), new Vector3()]
    birds.position(40, hit)
    birds.position(birds.size - 1, last)
    const from = hit.clone().add(new Vector3(0, 1, 0))
    expect(shoot(from, new Vector3(0, 1, 0))).toBe(false)
    expect(shoot(from, new Vector3(0, -1, 0))).toBe(true)
    expect(birds.size).toBe(99)
    // the last one has the number of the one that was hit
    const now = new Vector3()
    birds.position(40, now)
    expect(now).toEqual(last)
    fly(shot.frame, 1)
  })
})
