import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Player } from '../../demo/player.js'
import type { LiveScene, SceneModule } from '../../demo/scene.js'
import type { Stage } from '../../demo/stage.js'

const FRAME = 1000 / 60

describe('the player of a scene', () => {
  let now = 0
  let next: ((time: number) => void) | null = null
  let steps = 0
  const presented: number[] = []

  beforeEach(() => {
    now = steps = 0
    next = null
    presented.length = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    vi.stubGlobal('requestAnimationFrame', (callback: (time: number) => void) => (next = callback))
  })
  afterEach(() => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })

  const scene: LiveScene = {
    scenario: { step: () => void steps++, state: () => ({}) },
    present: (_, seconds) => void presented.push(seconds),
    panel: () => {},
    dispose: () => {},
  }

  /** Starts a player, and lets it draw for a second. */
  async function play(): Promise<void> {
    const stage = { clear() {}, render() {} }
    const module: SceneModule = { open: () => Promise.resolve(scene) }
    const player = new Player(stage as Stage, module, { seed: 1 })
    await player.reset()
    player.start()
    draw(60)
  }

  function draw(frames: number): void {
    for (let k = 0; k < frames; k++) {
      now += FRAME
      next!(now)
    }
  }

  it('makes sixty steps a second, at any rate of frames', async () => {
    await play()
    expect(steps).toBeGreaterThanOrEqual(59)
    expect(steps).toBeLessThanOrEqual(60)
    for (let k = 0; k < 24; k++) {
      now += 1000 / 24
      next!(now)
    }
    expect(steps).toBeGreaterThanOrEqual(118)
    expect(steps).toBeLessThanOrEqual(120)
  })

  it('goes on where it was when the page has been hidden for a minute', async () => {
    await play()
    const before = steps
    // a hidden page gets no frames
    now += 60_000
    draw(1)
    expect(steps - before).toBeLessThanOrEqual(6)
    expect(presented.at(-1)).toBeLessThanOrEqual(0.1)
    const back = steps
    draw(60)
    expect(steps - back).toBeGreaterThanOrEqual(59)
    expect(steps - back).toBeLessThanOrEqual(61)
  })
})
