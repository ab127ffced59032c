import { EventDispatcher, InstancedMesh, Object3D, PerspectiveCamera, Vector3 } from 'three'
import type { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { describe, expect, it } from 'vitest'
import type { SteeringWorld, Vec3Like } from 'three-steering'
import { Asteroids } from '../../demo/scenarios/asteroids.js'
import { Docking } from '../../demo/scenarios/docking.js'
import { Dogfight } from '../../demo/scenarios/dogfight.js'
import { Needle } from '../../demo/scenarios/needle.js'
import { Station } from '../../demo/scenarios/station.js'
import type { Stage } from '../../demo/stage.js'
import {
  AsteroidsCue,
  behindBalls,
  behindBodies,
  behindClouds,
  DockingCue,
  DogfightCue,
  stationCue,
} from '../../demo/views/cues.js'
import { Director, type Cue, type Star } from '../../demo/views/director.js'
import { NeedleCamera } from '../../demo/views/needle-camera.js'
import { pick } from '../support/tier.js'

const STEP = 1 / 60

class Controls extends EventDispatcher<{ start: object }> {
  readonly target = new Vector3()
}

type IsBlocked = (from: Vec3Like, to: Vec3Like) => boolean

/** A scene without its picture. `look` moves the camera and tells what it should show. */
interface Film {
  readonly camera: PerspectiveCamera
  readonly controls: Controls
  readonly steering: SteeringWorld
  readonly isBlocked: IsBlocked
  step(): void
  look(seconds: number): Star
}

const models = (count: number): Object3D[] => Array.from({ length: count }, () => new Object3D())

function directed(
  scene: { readonly steering: SteeringWorld; step(dt: number): void },
  isBlocked: IsBlocked,
  cue: () => Cue,
  camera = new PerspectiveCamera(45, 1280 / 720),
): Film {
  const controls = new Controls()
  const director = new Director(camera, controls as unknown as OrbitControls, isBlocked)
  const look = (seconds: number): Star => {
    const now = cue()
    director.frame(now, seconds)
    return now.stars[0]!
  }
  return { camera, controls, steering: scene.steering, isBlocked, look, step: () => scene.step(STEP) }
}

function docking(camera = new PerspectiveCamera(45, 1280 / 720)): Film {
  const ships = models(8)
  const scene = new Docking({ view: (index) => ships[index]! })
  const shown = new DockingCue(scene.traffic, ships)
  const cue = (): Cue => shown.cue(scene.time, camera.aspect < 1)
  return directed(scene, behindBodies(scene.hulls), cue, camera)
}

const FILMS: Record<string, () => Film> = {
  Dogfight: () => {
    const seats = models(12)
    const scene = new Dogfight({ view: (index) => seats[index]! })
    const shown = new DogfightCue(scene, seats)
    return directed(scene, behindClouds(-105), () => shown.cue())
  },
  Asteroids: () => {
    const ships = models(12)
    const scene = new Asteroids({ view: (_, index) => ships[index]! })
    const { fleet } = scene
    const shown = new AsteroidsCue(scene, ships)
    const isBlocked = behindBalls(scene.field.rocks)
    return directed({ steering: fleet.steering, step: (dt) => scene.step(dt) }, isBlocked, () =>
      shown.cue(-1, 21),
    )
  },
  Docking: () => docking(),
  'Docking on a phone': () => docking(new PerspectiveCamera(62, 390 / 844)),
  Station: () => {
    const [boats, ships, raiders] = [models(7), models(5), models(5)]
    const view = {
      freighter: (k: number) => boats[k]!,
      wing: (k: number) => ships[k]!,
      raider: (k: number) => raiders[k]!,
      drones: new InstancedMesh(undefined, undefined, 1),
    }
    const scene = new Station({ drones: 1, view })
    return directed(scene, behindBodies(scene.hulls), () =>
      stationCue(scene, ships, raiders, scene.raid.raiders),
    )
  },
  Needle: () => {
    const ships = models(9)
    const scene = new Needle({ view: (index) => ships[index]! })
    const stage = { camera: new PerspectiveCamera(45, 1280 / 720), controls: new Controls() }
    const { camera, controls } = stage
    scene.steering.present(1)
    const view = new NeedleCamera(stage as unknown as Stage, scene, ships)
    const look = (seconds: number): Star => {
      view.update(seconds)
      // the ship that is last, which is the nearest
      const last = scene.ships.reduce((a, b) => (b.station < a.station ? b : a))
      const { radius, velocity } = last.pilot
      return { position: ships[last.index]!.position, velocity, radius }
    }
    const isBlocked: IsBlocked = (from, to) => !scene.course.obstacles.sees(from, to)
    return { camera, controls, steering: scene.steering, isBlocked, look, step: () => scene.step(STEP) }
  },
}

const place = new Vector3()

/**
 * Shares of the pictures, ten a second, in which the subject is too small, not in the picture, or hidden, and
 * the number of jumps of the camera per minute.
 */
function watch(film: Film, seconds: number): Record<'small' | 'outside' | 'hidden' | 'jumps', number> {
  const { camera, controls, isBlocked, steering } = film
  const found = { small: 0, outside: 0, hidden: 0, jumps: 0 }
  const before = new Vector3()
  const frames = Math.round(10 * seconds)
  for (let k = 0; k < 6 * frames; k++) {
    film.step()
    steering.present(1)
    before.copy(camera.position)
    const { position, radius } = film.look(STEP)
    if (k > 0 && before.distanceTo(camera.position) > 4) found.jumps += 60 / seconds
    if (k % 6 !== 0) continue
    camera.lookAt(controls.target)
    camera.updateMatrixWorld()
    const pixels = (radius * 720) / (Math.tan((camera.fov * Math.PI) / 360) * camera.position.distanceTo(place.copy(position))) // prettier-ignore
    const { x, y, z } = place.copy(position).project(camera)
    if (pixels < 60) found.small += 1 / frames
    if (z > 1 || Math.abs(x) > 0.95 || Math.abs(y) > 0.95) found.outside += 1 / frames
    if (isBlocked(camera.position, position)) found.hidden += 1 / frames
  }
  return found
}

describe('the camera that frames what happens', () => {
  for (const [name, open] of Object.entries(FILMS))
    it(`shows its subject in ${name}: large, in the picture, and in the open`, () => {
      const { hidden, jumps, outside, small } = watch(open(), pick(15, 60))
      expect(small).toBeLessThan(0.02)
      expect(outside).toBeLessThan(0.02)
      expect(hidden).toBeLessThan(0.02)
      expect(jumps).toBeLessThan(20)
    }, 300_000)
})
