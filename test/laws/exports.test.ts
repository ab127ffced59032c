import RAPIER from '@dimforge/rapier3d-compat'
import * as CANNON from 'cannon-es'
import { expect, it } from 'vitest'
import { SteeringController, SteeringWorld, type Behavior } from 'three-steering'
import * as core from 'three-steering'
import * as authoring from 'three-steering/authoring'
import * as curves from 'three-steering/curves'
import * as docking from 'three-steering/docking'
import * as flow from 'three-steering/flow'
import * as formation from 'three-steering/formation'
import * as net from 'three-steering/net'
import * as classic from 'three-steering/classic'
import * as racing from 'three-steering/racing'
import * as bvh from 'three-steering/bvh'
import * as cannon from 'three-steering/cannon'
import * as doorTests from 'three-steering/door-tests'
import * as rapier from 'three-steering/rapier'
import * as debug from 'three-steering/debug'
import * as explain from 'three-steering/explain'
import * as presets from 'three-steering/presets'
import * as shards from 'three-steering/shards'
import * as snapshot from 'three-steering/snapshot'
import * as three from 'three-steering/three'
import { idle } from './kit.js'

// Each value that the package exports is imported by name in a test; test/vehicles goes through all vehicles.
// What a behaviour does is the matter of that test, of the recorded flights and of the laws, which fly each
// form of the kit.

const ENTRIES = {
  'three-steering': core,
  'three-steering/authoring': authoring,
  'three-steering/bvh': bvh,
  'three-steering/cannon': cannon,
  'three-steering/classic': classic,
  'three-steering/curves': curves,
  'three-steering/debug': debug,
  'three-steering/docking': docking,
  'three-steering/door-tests': doorTests,
  'three-steering/explain': explain,
  'three-steering/flow': flow,
  'three-steering/formation': formation,
  'three-steering/net': net,
  'three-steering/presets': presets,
  'three-steering/racing': racing,
  'three-steering/rapier': rapier,
  'three-steering/shards': shards,
  'three-steering/snapshot': snapshot,
  'three-steering/three': three,
}

const SOURCES: Readonly<Record<string, string>> = import.meta.glob('../**/*.test.{ts,tsx}', {
  eager: true,
  import: 'default',
  query: '?raw',
})

/** The names that tests import. Those of `OWN` are used below. */
const imported = new Set(
  Object.values(SOURCES)
    .flatMap((text) => text.match(/^import \{[^}]*\} from/gm) ?? [])
    .flatMap((line) => line.slice('import {'.length, line.indexOf('}')).split(','))
    .map((name) => name.replace(/ as .*/, '').trim()),
)

/** Makes one step of an agent with this behaviour. */
function stepOf(behavior: Behavior): void {
  const world = new SteeringWorld()
  world.add(new SteeringController(null, { behavior, maxSpeed: 8, maxForce: 20 })).step(1 / 60)
}

await RAPIER.init()

/** What has no test of its own: it is for authors of behaviours, and used by those of the package. */
const OWN: Readonly<Record<string, () => void>> = {
  FlockRule: () => expect(new authoring.FlockRule('mine', { neighborDistance: 3, weight: 2 }).weight).toBe(2),
  isGone: () => {
    const gone: boolean[] = []
    const hunt: Behavior = {
      steer(agent, step): void {
        for (const isThere of [true, false])
          gone.push(authoring.isGone(agent, step, hunt, { isThere: () => isThere }))
      },
    }
    stepOf(hunt)
    expect(gone).toEqual([false, true])
  },
  isSteered: () => {
    const body = new CANNON.Body({ mass: 1, shape: new CANNON.Sphere(1) })
    const options = { behavior: idle(), body: cannon.cannonBody(body), maxSpeed: 1, maxForce: 1 }
    const one = new SteeringController(null, options)
    expect(authoring.isSteered(body)).toBe(false)
    new SteeringWorld().add(one)
    expect(authoring.isSteered(body)).toBe(true)
  },
  RapierDoor: () => {
    const door = rapier.rapierDoor(new SteeringWorld(), new RAPIER.World({ x: 0, y: 0, z: 0 }))
    expect(door).toBeInstanceOf(rapier.RapierDoor)
  },
  readOptions: () => {
    const table = { size: { kind: 'number', above: 0, default: 2 } } as const
    const read = (options: { size?: number }): number => authoring.readOptions('Box', table, options).size
    expect([read({ size: 3 }), read({})]).toEqual([3, 2])
    expect(() => read({ size: 0 })).toThrow('Box.size')
  },
  Pipeline: () => {
    const target = { position: { x: 1, y: 0, z: 0 } }
    const targeters = [new classic.PlaceTargeter(target)]
    expect(classic.pipeline({ targeters, actuator: new classic.ArriveActuator() })).toBeInstanceOf(
      classic.Pipeline,
    )
  },
  PipelineGoal: () => expect(new classic.PipelineGoal().hasPosition).toBe(false),
  PipelinePath: () => {
    const path = new classic.PipelinePath()
    path.add({ x: 0, y: 1, z: 0 })
    expect([path.count, path.points[0]]).toEqual([1, { x: 0, y: 1, z: 0 }])
  },
}

it.each(Object.entries(ENTRIES))('each export of %s is used by a test', (_, entry) => {
  expect(Object.keys(entry).filter((name) => !imported.has(name) && !(name in OWN))).toEqual([])
})

it.each(Object.entries(OWN))('%s, which no other test uses, works', (_, use) => {
  expect.hasAssertions()
  use()
})
