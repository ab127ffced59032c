import {
  blend,
  Cruise,
  DRONES,
  FISH,
  Flight,
  Flock,
  Flocking,
  GEESE,
  Hover,
  STARLINGS,
  SteeringController,
  SteeringWorld,
  type FlockOptions,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { MeshShape } from 'three-steering/bvh'
import { AirShow } from '../../demo/scenarios/air-show.js'
import { Airfield } from '../../demo/scenarios/airfield.js'
import { Antipodes } from '../../demo/scenarios/antipodes.js'
import { Asteroids } from '../../demo/scenarios/asteroids.js'
import { BirdRiver } from '../../demo/scenarios/bird-river.js'
import { BlackArt } from '../../demo/scenarios/black-art.js'
import { CanyonLand } from '../../demo/scenarios/canyon-land.js'
import { Canyon } from '../../demo/scenarios/canyon.js'
import { Crossroads } from '../../demo/scenarios/crossroads.js'
import { DirectedSeekShow } from '../../demo/scenarios/directed-seek-show.js'
import { Docking } from '../../demo/scenarios/docking.js'
import { Dogfight } from '../../demo/scenarios/dogfight.js'
import { GateRace } from '../../demo/scenarios/gate-race.js'
import { Landing } from '../../demo/scenarios/landing.js'
import { Murmuration } from '../../demo/scenarios/murmuration.js'
import { Needle } from '../../demo/scenarios/needle.js'
import { ReefSchools } from '../../demo/scenarios/reef-schools.js'
import { Sentries } from '../../demo/scenarios/sentries.js'
import { Station } from '../../demo/scenarios/station.js'
import { Street } from '../../demo/scenarios/street.js'
import { TASKS, YourScene } from '../../demo/scenarios/your-scene.js'
import type { Scene as SiteScene } from '../../site/scene.js'
import { cannonEngine, noEngine, rapierEngine } from '../adapters/doors.js'
import {
  BEHAVIORS,
  idle,
  LOCOMOTIONS,
  numberOf,
  plus,
  product,
  randomScene,
  times,
  unitQuat,
  ZERO,
  type SceneObject,
} from '../laws/kit.js'
import { inBuilding, movingRocks, shipTraffic } from '../rigs/avoid-scenes.js'
import { Circuit } from '../rigs/circuit.js'
import { makeConvoy } from '../rigs/convoy.js'
import { DOOR_SCENES, Stage } from '../rigs/door-scenes.js'
import { DoorwayShow } from '../rigs/doorway-show.js'
import { readmeFlock } from '../rigs/readme-flock.js'
import { CRAFTED } from './crafted.js'
import { stretched, type FlownScene } from './flown.js'

const DT = 1 / 60

interface Scenario {
  readonly steering: SteeringWorld
  step(dt: number): void
}

function gallery(scenario: Scenario): FlownScene {
  return { worlds: [scenario.steering], step: () => scenario.step(DT) }
}

/** The scenes of the gallery, with fewer agents where the gallery has hundreds. */
const GALLERY: Readonly<Record<string, () => FlownScene>> = {
  'air show': () => gallery(new AirShow()),
  airfield: () => gallery(new Airfield()),
  antipodes: () => {
    const scenario = new Antipodes({ count: 40 })
    return {
      worlds: [scenario.crowd.steering, scenario.textbook!.steering],
      step: () => scenario.step(DT),
    }
  },
  asteroids: () => {
    const scenario = new Asteroids()
    return { worlds: [scenario.fleet.steering], step: () => scenario.step(DT) }
  },
  'black art': () => {
    const scenario = new BlackArt({ count: 12 })
    return { worlds: scenario.columns.map(({ steering }) => steering), step: () => scenario.step(DT) }
  },
  canyon: () => {
    const land = new CanyonLand()
    const shape = new MeshShape({ vertices: land.positions, indices: land.triangles })
    return gallery(new Canyon({ land, shape, count: 24 }))
  },
  circuit: () => gallery(new Circuit()),
  crossroads: () => gallery(new Crossroads({ count: 40 })),
  'directed seek': () => gallery(new DirectedSeekShow()),
  docking: () => gallery(new Docking()),
  dogfight: () => gallery(new Dogfight()),
  doorway: () => gallery(new DoorwayShow({ count: 40 })),
  gates: () => gallery(new GateRace()),
  landing: () => gallery(new Landing()),
  murmuration: () => gallery(new Murmuration({ count: 400 })),
  needle: () => gallery(new Needle()),
  reef: () => gallery(new ReefSchools({ count: 120 })),
  river: () => gallery(new BirdRiver({ count: 100 })),
  sentries: () => gallery(new Sentries()),
  station: () => gallery(new Station()),
  street: () => gallery(new Street()),
  ...Object.fromEntries(
    TASKS.map((task) => [`your scene, ${task}`, () => gallery(new YourScene({ task, count: 12 }))]),
  ),
}

/** The scenes of the bench, small. */
const BENCH: Readonly<Record<string, () => FlownScene>> = {
  'moving rocks': () => avoiding(movingRocks(120)),
  building: () => avoiding(inBuilding(6)),
  'ships with trees and neighbours': () => avoiding(shipTraffic(60)),
  'flock of the README': () => alone(readmeFlock(400)),
  'convoy past rocks': () => alone(makeConvoy(3, 12, false).world),
}

function alone(world: SteeringWorld): FlownScene {
  return { worlds: [world], step: () => world.step(DT) }
}

function avoiding({ world, step }: ReturnType<typeof inBuilding>): FlownScene {
  return { worlds: [world], step }
}

/** A flock of 120 of each preset, as its page builds it. */
const PRESETS: Readonly<Record<string, () => FlownScene>> = Object.fromEntries(
  Object.entries({ STARLINGS, FISH, GEESE, DRONES }).map(([name, { traits, flocking, cruise }]) => [
    name,
    () => {
      const world = new SteeringWorld({ seed: 4 })
      const random = seeded(4)
      const size = 2 * flocking.separation.neighborDistance
      const place = (): number => size * (random() - 0.5)
      const behavior = blend([new Flocking(flocking), new Cruise(cruise)])
      const spawn: FlockOptions['spawn'] = (_i, { position, velocity }) => {
        Object.assign(position, { x: 2 * place(), y: place(), z: 2 * place() })
        Object.assign(velocity, { x: place(), y: 0.2 * place(), z: place() })
      }
      world.add(new Flock({ ...traits, count: 120, behavior, locomotion: new Flight(), spawn }))
      return alone(world)
    },
  ]),
)

/** The scenes of the documentation, each for as long as its page shows it. */
const modules = import.meta.glob<{ start: () => SiteScene }>('../../site/scenes/*.ts', { eager: true })
const SITE: Readonly<Record<string, () => FlownScene>> = Object.fromEntries(
  Object.entries(modules).map(([path, { start }]) => [
    /([\w-]+)\.ts$/.exec(path)![1]!,
    () => {
      const scene = start()
      return { worlds: [scene.world], step: stretched(() => scene.world.step(DT), scene.lasts) }
    },
  ]),
)

/** A form of the kit with one vehicle, among things that move and turn at constant rates. */
function flyForm(name: string, gait: string, seed = 5, traits = {}): FlownScene {
  const scene = randomScene(seed)
  const world = new SteeringWorld({ up: scene.up, seed: 5 })
  const { position, velocity, quaternion, angularVelocity } = scene.self
  const behavior = BEHAVIORS[name]!(scene)
  const locomotion = LOCOMOTIONS[gait]!(scene)
  const pose = { position, velocity, quaternion, angularVelocity }
  world.add(
    new SteeringController(null, { ...scene.traits, ...traits, ...pose, behavior, locomotion, seed: 7 }),
  )
  for (const other of scene.others) {
    const drift = { behavior: idle(), locomotion: new Hover({ attitude: null }), maxSpeed: 50, maxForce: 0 }
    world.add(new SteeringController(null, { ...drift, position: other.position, velocity: other.velocity }))
  }
  const things = [scene.target, ...scene.others]
  return {
    worlds: [world],
    step: () => {
      for (const thing of things) drive(thing)
      world.step(DT)
    },
  }
}

function drive({ position, velocity, quaternion, angularVelocity: spin }: SceneObject): void {
  Object.assign(position, plus(position, velocity, DT))
  const { x, y, z, w } = product({ ...times(spin, DT / 2), w: 1 }, quaternion)
  Object.assign(quaternion, unitQuat(x, y, z, w))
}

const gaits = Object.keys(LOCOMOTIONS)
const forms = (seed?: number, traits?: object): Readonly<Record<string, () => FlownScene>> =>
  Object.fromEntries(
    Object.keys(BEHAVIORS).map((name) => {
      const gait = gaits[numberOf(name) % gaits.length]!
      return [`${name}; ${gait}`, () => flyForm(name, gait, seed, traits)]
    }),
  )
/** Each form flies with one locomotion, which depends on its name only. */
const FORMS = forms()
/** The same with another agent at other places. */
export const TWINS = forms(6, { radius: 1.3, mass: 9, maxSpeed: 8, maxTurnRate: 2, responseTime: 0.3 })

/** The scenes that fly alike with every engine. */
const ENGINES: Readonly<Record<string, () => FlownScene>> = Object.fromEntries(
  [noEngine, cannonEngine, rapierEngine].flatMap((engine) =>
    DOOR_SCENES.map((scene) => [
      `${scene.name}; ${engine.name}`,
      () => {
        const stage = new Stage(engine, scene.gravity ?? ZERO, DT)
        const see = scene.build(stage)
        return {
          worlds: [stage.steering],
          step: () => {
            stage.step()
            see()
          },
        }
      },
    ]),
  ),
)

/** All scenes by group and name, those that are flown soonest first. */
export const SCENES = {
  forms: FORMS,
  crafted: CRAFTED,
  engines: ENGINES,
  site: SITE,
  presets: PRESETS,
  bench: BENCH,
  gallery: GALLERY,
}
