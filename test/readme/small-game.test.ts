import { readFileSync } from 'node:fs'
import RAPIER from '@dimforge/rapier3d-compat'
import { PerspectiveCamera, Scene, Vector3, type Object3D } from 'three'
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { SmallGame } from '../../demo/snippets/small-game.js'
import { cannonPhysics } from '../../demo/snippets/small-game-cannon.js'
import { rapierPhysics } from '../../demo/snippets/small-game-rapier.js'
import { apart, xyz } from '../laws/kit.js'
import { ALL } from '../support/tier.js'

// The small game of the guides, played without a picture on both engines.

const FRAME = 1 / 50
const START = { x: 0, y: 0, z: -60 }
const STATION = { x: 0, y: 0, z: 90 }

async function rocksOf(): Promise<Object3D> {
  const file = readFileSync(new URL('../../assets/rocks.glb', import.meta.url))
  const bytes = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength)
  const { scene } = await new GLTFLoader().parseAsync(bytes, '')
  scene.children[0]!.children.forEach((rock, i) => {
    rock.position.set(30 * (i - 1), 5 * i, 10)
    rock.scale.setScalar(8)
  })
  return scene
}

beforeAll(() => RAPIER.init())

const ENGINES = [
  ['cannon-es', cannonPhysics],
  ['Rapier', rapierPhysics],
] as const

describe.each(ENGINES.slice(0, ALL ? 2 : 1))('the small game on %s', (_engine, physics) => {
  const open = async (): Promise<SmallGame> =>
    new SmallGame(physics, new Scene(), new PerspectiveCamera(), await rocksOf())

  function play(game: SmallGame, seconds: number, each?: () => void): void {
    for (let i = 0; i < seconds / FRAME; i++) {
      game.frame(FRAME)
      each?.()
    }
  }

  /** The nearest enemy as seen from the ship: to port and up, as shares of its distance. */
  function aimOf({ enemies, player, ship }: SmallGame): [number, number] {
    const alive = enemies.filter(({ mesh }) => mesh.visible).map(({ pilot }) => pilot.position)
    alive.sort((a, b) => apart(a, player.position) - apart(b, player.position))
    const { x, y, z } = ship.worldToLocal(new Vector3().copy(alive[0]!))
    const far = Math.hypot(x, y, z)
    // behind: turn to port
    return z > 0 ? [x / far, y / far] : [1, 0]
  }

  it('hunts, is hit, docks, and is saved; nothing touches anything', async () => {
    const game = await open()
    const { player, enemies, held } = game
    const faults: string[] = []
    game.steering.addEventListener('fault', ({ message }) => faults.push(message))
    let nearest = Infinity
    const watch = (): void => {
      for (const { pilot, mesh } of enemies)
        if (mesh.visible) nearest = Math.min(nearest, apart(pilot.position, player.position))
    }
    const hunters = (): number => enemies.filter(({ mind }) => mind.current === 'hunt').length

    held.add('KeyW')
    play(game, 6, watch)
    expect(apart(player.position, START)).toBeGreaterThan(40)
    expect(hunters()).toBeGreaterThan(0)
    expect(apart(game.camera.position, player.position)).toBeLessThan(20)

    // turn to the nearest enemy and fire, until it is hit
    held.clear()
    for (let i = 0; i < 400 && game.score === 0; i++) {
      const [x, y] = aimOf(game)
      for (const [key, presses] of Object.entries({
        ArrowRight: x < -0.03,
        ArrowLeft: x > 0.03,
        ArrowUp: y > 0.03,
        ArrowDown: y < -0.03,
      }))
        held[presses ? 'add' : 'delete'](key)
      play(game, 2 * FRAME, watch)
      game.press('Space')
    }
    held.clear()
    expect(game.score).toBe(1)
    expect(enemies.filter(({ mesh }) => !mesh.visible)).toHaveLength(1)
    expect(game.flare.scale.x).toBeGreaterThan(0.5)
    // held, it fires on
    game.beam.scale.setScalar(0)
    held.add('Space')
    play(game, 0.5, watch)
    held.clear()
    expect(game.beam.scale.x).toBeGreaterThan(0.01)

    const before = xyz(player.position)
    game.press('KeyP')
    play(game, 1)
    expect(xyz(player.position)).toEqual(before)
    game.press('KeyP')
    game.press('KeyT')
    const start = game.steering.time
    play(game, 2, watch)
    expect(game.steering.time - start).toBeCloseTo(0.5, 1)
    game.press('KeyT')

    game.press('KeyC')
    for (let i = 0; i < 60 && !game.isDocked; i++) play(game, 1, watch)
    expect(game.isDocked).toBe(true)
    play(game, 5, watch)
    expect(hunters()).toBe(0)
    const docked = game.save()
    const far = apart(player.position, STATION)
    game.press('KeyC')
    held.add('KeyW')
    play(game, 4, watch)
    expect(apart(player.position, STATION)).toBeGreaterThan(far + 3)
    held.clear()

    // the same game goes on from the saved moment, also in another window
    for (const other of [game, await open()]) {
      other.load(docked)
      play(other, 5)
      expect(other.isDocked).toBe(true)
      expect(other.score).toBe(1)
      expect(apart(other.player.position, STATION)).toBeCloseTo(far, 1)
    }
    expect(nearest).toBeGreaterThan(player.radius + enemies[0]!.pilot.radius)
    expect(faults).toEqual([])
  })
})
