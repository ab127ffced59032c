import RAPIER from '@dimforge/rapier3d-compat'
import type * as CANNON from 'cannon-es'
import { beforeAll, describe, expect, it } from 'vitest'
import type { BodyState, SteeringBody } from 'three-steering/authoring'
import { doorTests, type DoorUnderTest } from 'three-steering/door-tests'
import { cannonEngine, noEngine, rapierEngine } from './doors.js'

beforeAll(() => RAPIER.init())

describe.each([noEngine, cannonEngine, rapierEngine])('a world $name', (door) => {
  for (const { name, run } of doorTests(door)) it(name, () => expect(run).not.toThrow())
})

/** A door whose bodies are changed. */
function withBodies(door: DoorUnderTest, change: (body: SteeringBody) => SteeringBody): DoorUnderTest {
  return {
    ...door,
    open(...args) {
      const world = door.open(...args)
      return {
        ...world,
        add(solid) {
          const made = world.add(solid)
          return { ...made, options: { body: change(made.options.body!) } }
        },
      }
    },
  }
}

/** The body with other methods. */
function but(body: SteeringBody, other: Partial<SteeringBody>): SteeringBody {
  return {
    engineBody: body.engineBody!,
    isThere: () => body.isThere!(),
    read: (out) => body.read(out),
    apply: (wrench, step) => body.apply(wrench, step),
    ...other,
  }
}

/** A door that reads a body, and then changes what it read. */
const misreads = (engine: DoorUnderTest, change: (out: BodyState, body: SteeringBody) => void) =>
  withBodies(engine, (body) =>
    but(body, {
      read(out) {
        body.read(out)
        change(out, body)
      },
    }),
  )

const MISTAKES: [string, DoorUnderTest, string][] = [
  [
    'gives each force twice',
    withBodies(cannonEngine, (body) =>
      but(body, {
        apply(wrench, step) {
          body.apply(wrench, step)
          body.apply(wrench, step)
        },
      }),
    ),
    'a force acts once in each step, at the centre of mass, and ends with the wish',
  ],
  [
    'leaves the torque out',
    withBodies(rapierEngine, (body) =>
      but(body, {
        apply: ({ force }, step) => body.apply({ force, torque: { x: 0, y: 0, z: 0 }, turns: false }, step),
      }),
    ),
    'a torque turns the body by its tensor of inertia',
  ],
  [
    'reads no gravity',
    misreads(cannonEngine, (out) => {
      Object.assign(out.gravity, { x: 0, y: 0, z: 0 })
    }),
    'gravity: a body falls; with compensateGravity it hovers and climbs',
  ],
  [
    'reads the damping of the engine as it is',
    misreads(rapierEngine, (out) => {
      out.linearDamping = Math.min(1, -Math.log1p(-out.linearDamping))
    }),
    'damping is read as the fraction that is lost in a second',
  ],
  [
    'leaves the principal axes out',
    misreads(rapierEngine, (out) => {
      Object.assign(out.inertiaFrame, { x: 0, y: 0, z: 0, w: 1 })
    }),
    'a slim body with principal axes skew to its own axes flips over and holds its attitude',
  ],
  [
    'leaves the centre of mass out',
    misreads(rapierEngine, (out) => {
      Object.assign(out.center, { x: 0, y: 0, z: 0 })
    }),
    'a view shows the origin of a body whose centre of mass is elsewhere',
  ],
  [
    'reads the origin in place of the centre of mass',
    misreads(rapierEngine, (out, body) => {
      Object.assign(out.position, (body.engineBody as RAPIER.RigidBody).translation())
    }),
    'the agent is where the centre of mass of its body is, and moves as it does',
  ],
  [
    'does not say that a body was removed',
    withBodies(cannonEngine, (body) => but(body, { isThere: () => true })),
    'a body that leaves its engine is not steered, and no fault is reported',
  ],
  [
    'does not name the body of the engine',
    withBodies(cannonEngine, (body) => ({
      read: (out) => body.read(out),
      apply: (...args) => body.apply(...args),
    })),
    'a body has one controller only',
  ],
  [
    'overwrites the velocity',
    withBodies(cannonEngine, (body) =>
      but(body, {
        apply(wrench, step) {
          const { velocity } = body.engineBody as CANNON.Body
          velocity.scale(Math.min(1, 8 / velocity.length()), velocity)
          body.apply(wrench, step)
        },
      }),
    ),
    'an impulse from outside survives the step',
  ],
  [
    'keeps its bodies awake',
    withBodies(rapierEngine, (body) =>
      but(body, {
        apply(wrench, step) {
          ;(body.engineBody as RAPIER.RigidBody).wakeUp()
          body.apply(wrench, step)
        },
      }),
    ),
    'a body that has arrived falls asleep; a new target and a slow start keep it awake',
  ],
  [
    'makes two steps at a time',
    {
      ...cannonEngine,
      open(...args) {
        const world = cannonEngine.open(...args)
        const step = (): void => {
          world.step()
          world.step()
        }
        return { ...world, step }
      },
    },
    'Arrive comes to rest at its target, at every rate at the same time',
  ],
  [
    'does not drive the world',
    { ...noEngine, name: 'a door that calls step', features: ['engine'] },
    'the engine makes the steps: the world refuses its own until it is let go',
  ],
]

describe('the tests of doors notice a door that', () => {
  it.each(MISTAKES)('%s', (_, door, name) => {
    const test = doorTests(door).find((each) => each.name === name)!
    expect(test.run).toThrow(`${door.name}: ${name}: `)
  })
})
