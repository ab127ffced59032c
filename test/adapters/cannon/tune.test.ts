import * as CANNON from 'cannon-es'
import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from 'three-steering/authoring'
import { tuneCannon } from 'three-steering/cannon'
import type { Quat, Vec3 } from 'three-steering'
import { number, rotation, v, vector } from '../../support/geometry.js'
import { law } from '../../support/law.js'
import { pick } from '../../support/tier.js'

const DT = 1 / 60
const { Body } = CANNON

const vec = ({ x, y, z }: Vec3): CANNON.Vec3 => new CANNON.Vec3(x, y, z)

/** Makes a shape of a size (m). */
const SHAPES: readonly ((size: number) => CANNON.Shape | null)[] = [
  (size) => new CANNON.Sphere(size),
  (size) => new CANNON.Sphere(size),
  (size) => new CANNON.Box(new CANNON.Vec3(size, size / 3, size / 2)),
  (size) => new CANNON.Box(new CANNON.Vec3(20 * size, size / 10, 20 * size)),
  (size) => new CANNON.Cylinder(size / 2, size / 2, size, 6),
  () => new CANNON.Plane(),
  () => new CANNON.Particle(),
  () => null,
]

interface Piece {
  readonly shape: number
  readonly size: number
  readonly position: Vec3
  readonly turn: Quat
  readonly velocity: Vec3
  readonly type: CANNON.BodyType
  readonly group: number
  readonly mask: number
  readonly asleep: boolean
  /** A second shape, beside the first one. */
  readonly extra: boolean
}

const piece = (places: Arbitrary<Vec3>): Arbitrary<Piece> =>
  fc.record({
    shape: fc.nat(SHAPES.length - 1),
    // three powers of ten
    size: number(-2, 1).map((digits) => 10 ** digits),
    position: places,
    turn: rotation(),
    velocity: vector(8),
    type: fc.constantFrom(Body.DYNAMIC, Body.DYNAMIC, Body.DYNAMIC, Body.STATIC, Body.KINEMATIC),
    group: fc.constantFrom(1, 1, 2, 6),
    mask: fc.constantFrom(-1, -1, 1, 2),
    asleep: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
    extra: fc.boolean(),
  })

/** Bodies that are near each other, at one point, or anywhere. */
const places: Arbitrary<Vec3> = fc.oneof(
  { weight: 8, arbitrary: vector(6) },
  { weight: 1, arbitrary: fc.constant(v(2, -1, 2)) },
  { weight: 1, arbitrary: vector(1e3) },
)

const strangePlaces: Arbitrary<Vec3> = fc.oneof(
  places,
  fc.record({ x: fc.double(), y: number(-6, 6), z: fc.double() }),
  fc.constantFrom(v(1e300, 1e300, 0), v(Infinity, 0, 0), v(-Infinity, 0, NaN), v(1e9, 1e9, 1e9)),
)

function bodyOf({ shape, size, position, turn, velocity, type, group, mask, asleep, extra }: Piece) {
  const body = new Body({
    mass: type === Body.DYNAMIC ? size : 0,
    type,
    position: vec(position),
    quaternion: new CANNON.Quaternion(turn.x, turn.y, turn.z, turn.w),
    velocity: vec(velocity),
    collisionFilterGroup: group,
    collisionFilterMask: mask,
    sleepSpeedLimit: 1,
    sleepTimeLimit: 0.1,
  })
  const first = SHAPES[shape]!(size)
  if (first !== null) body.addShape(first)
  if (extra) body.addShape(new CANNON.Sphere(size / 2), new CANNON.Vec3(size, 0, 2 * size))
  if (asleep) body.sleep()
  return body
}

function worldOf(pieces: readonly Piece[], useBoxes: boolean): CANNON.World {
  const world = new CANNON.World({ gravity: new CANNON.Vec3(0, -10, 0), allowSleep: true })
  world.broadphase.useBoundingBoxes = useBoxes
  for (const piece of pieces) world.addBody(bodyOf(piece))
  return world
}

/** The pairs of a world, by the places of the bodies in its list. */
function pairsOf(world: CANNON.World): number[][] {
  const first: CANNON.Body[] = []
  const second: CANNON.Body[] = []
  world.broadphase.collisionPairs(world, first, second)
  return first.map((body, i) => [body.index, second[i]!.index])
}

function twoBalls(distance = 0.9): [CANNON.World, CANNON.Body, CANNON.Body] {
  const world = new CANNON.World()
  const [a, b] = [0, distance].map((x) => ball(world, v(x, 0, 0)))
  return [world, a!, b!]
}

function ball(world: CANNON.World, position: Vec3): CANNON.Body {
  const body = new Body({ mass: 1, shape: new CANNON.Sphere(0.5), position: vec(position) })
  world.addBody(body)
  return body
}

/** Counts the collide events of a body. */
function collisionsOf(body: CANNON.Body): { count: number } {
  const seen = { count: 0 }
  body.addEventListener('collide', () => seen.count++)
  return seen
}

describe('the pairs of a tuned world', () => {
  law(
    'are those of NaiveBroadphase, in its order',
    [fc.array(piece(strangePlaces), { maxLength: 60 }), fc.boolean()],
    (pieces, useBoxes) => {
      const world = worldOf(pieces, useBoxes)
      const expected = pairsOf(world)
      tuneCannon(world)
      expect(pairsOf(world)).toEqual(expected)
      // again: nothing is left from the first time
      world.broadphase.useBoundingBoxes = !useBoxes
      const other = worldOf(pieces, !useBoxes)
      expect(pairsOf(world)).toEqual(pairsOf(other))
    },
    300,
  )

  it('are complete far from the origin and among many bodies of many sizes', () => {
    const random = seeded(7)
    const at = (far: number): Vec3 => v(far + 30 * random(), 30 * random(), far - 30 * random())
    for (const far of [0, 1e6, 1e12]) {
      const world = new CANNON.World()
      for (let i = 0; i < 600; i++) {
        const shape = new CANNON.Sphere(0.05 * 100 ** (random() ** 2))
        world.addBody(new Body({ mass: i % 3, shape, position: vec(at(far)) }))
      }
      const expected = pairsOf(world)
      expect(expected.length).toBeGreaterThan(200)
      tuneCannon(world)
      expect(pairsOf(world)).toEqual(expected)
    }
  })

  it('leave out what the filter of the broad phase refuses', () => {
    const world = worldOf([], false)
    for (let i = 0; i < 20; i++) ball(world, v(0.4 * i, 0, 0))
    world.broadphase.needBroadphaseCollision = (a, b) => (a.index + b.index) % 3 === 0
    const expected = pairsOf(world)
    expect(expected.length).toBeGreaterThan(5)
    tuneCannon(world)
    expect(pairsOf(world)).toEqual(expected)
  })

  it('take no tests while all bodies are static or asleep', () => {
    const world = new CANNON.World()
    for (let i = 0; i < 40; i++) ball(world, v(0.1 * i, 0, 0)).sleep()
    for (let i = 0; i < 40; i++) ball(world, v(0.1 * i, 1, 0)).type = Body.STATIC
    world.broadphase.needBroadphaseCollision = () => expect.unreachable()
    tuneCannon(world)
    expect(pairsOf(world)).toEqual([])
  })

  it('take few tests, whatever the number of free bodies', () => {
    const testsFor = (count: number): number => {
      const world = new CANNON.World()
      const random = seeded(3)
      const side = 4 * Math.cbrt(count)
      for (let i = 0; i < count; i++) ball(world, v(side * random(), side * random(), side * random()))
      // a floor and a planet, which are close to all
      world.addBody(new Body({ mass: 0, shape: new CANNON.Sphere(1e5) }))
      let tests = 0
      const isAsked = world.broadphase.needBroadphaseCollision.bind(world.broadphase)
      world.broadphase.needBroadphaseCollision = (a, b) => {
        tests++
        return isAsked(a, b)
      }
      tuneCannon(world)
      pairsOf(world)
      return tests / count
    }
    // the planet is one of them
    expect(testsFor(500)).toBeLessThan(1.2)
    expect(testsFor(pick(1500, 4000))).toBeLessThan(1.2)
  })
})

/** What happens to a world between two steps. `place` in the list of bodies is taken modulo its length. */
type Deed =
  | { readonly kind: 'add'; readonly piece: Piece }
  | { readonly kind: 'remove' | 'wake' | 'sleep'; readonly place: number }
  | { readonly kind: 'move'; readonly place: number; readonly to: Vec3 }
  | { readonly kind: 'none' }

const calm: Arbitrary<Deed>[] = [
  fc.constant({ kind: 'none' as const }),
  fc.record({ kind: fc.constant('add' as const), piece: piece(places) }),
  fc.record({ kind: fc.constantFrom('wake' as const, 'sleep' as const), place: fc.nat(999) }),
  fc.record({ kind: fc.constant('move' as const), place: fc.nat(999), to: places }),
]
const removal: Arbitrary<Deed> = fc.record({ kind: fc.constant('remove' as const), place: fc.nat(999) })

function act(world: CANNON.World, deed: Deed): void {
  if (deed.kind === 'none') return
  if (deed.kind === 'add') return world.addBody(bodyOf(deed.piece))
  const body = world.bodies[deed.place % world.bodies.length]
  if (body === undefined) return
  if (deed.kind === 'move') {
    body.position.copy(vec(deed.to))
    body.aabbNeedsUpdate = true
  } else if (deed.kind === 'remove') world.removeBody(body)
  else if (deed.kind === 'wake') body.wakeUp()
  else body.sleep()
}

/** Everything that a user of the world can see of these deeds: motion, events, rays and queries. */
function fly({ pieces, useBoxes, deeds, ofShapes }: Flight, tune: Tune): string[] {
  // cannon-es mixes up shapes whose ids exceed 32767
  Body.idCounter = 0
  CANNON.Shape.idCounter = 0
  forgetShapeEvents()
  const world = worldOf(pieces, useBoxes)
  const seen: string[] = []
  const tell = (...what: unknown[]): void => void seen.push(JSON.stringify(what))
  const name = (body?: CANNON.Body | null): number => (body ? body.id : -1)
  const watch = (body: CANNON.Body): void => {
    for (const type of ['collide', 'wakeup', 'sleep'])
      body.addEventListener(type, (event: { body?: CANNON.Body }) => tell(type, name(body), name(event.body)))
  }
  for (const body of world.bodies) watch(body)
  world.addEventListener('addBody', ({ body }: { body: CANNON.Body }) => watch(body))
  const what = ofShapes ? 'ShapeContact' : 'Contact'
  for (const type of [`begin${what}`, `end${what}`])
    world.addEventListener(type, (event: { bodyA: CANNON.Body; bodyB: CANNON.Body }) =>
      tell(type, name(event.bodyA), name(event.bodyB)),
    )
  for (const [i, deed] of deeds.entries()) {
    tune(world, i)
    act(world, deed)
    world.step(DT)
    const hits: unknown[] = []
    world.raycastAll(new CANNON.Vec3(-9, 1, -9), new CANNON.Vec3(9, -1, 8), {}, (hit) => {
      hits.push(name(hit.body), hit.distance)
    })
    const query = new CANNON.AABB({
      lowerBound: new CANNON.Vec3(-2, -3, 0),
      upperBound: new CANNON.Vec3(3, 1, 3),
    })
    const bodies = world.broadphase.aabbQuery(world, query, []).map(name)
    const poses = world.bodies.map(({ position, quaternion }) => [position.toArray(), quaternion.w])
    tell(i, poses, hits, bodies)
  }
  return seen
}

type Tune = (world: CANNON.World, step: number) => void

/** cannon-es keeps what it found about shapes for the next step, of whichever world. */
function forgetShapeEvents(): void {
  new CANNON.World().emitContactEvents()
}

interface Flight {
  readonly pieces: readonly Piece[]
  readonly deeds: readonly Deed[]
  readonly useBoxes: boolean
  /** Whether contacts of shapes are listened to, instead of those of bodies. */
  readonly ofShapes: boolean
}

const flight = (...kinds: Arbitrary<Deed>[]): Arbitrary<Flight> =>
  fc.record({
    pieces: fc.array(piece(places), { minLength: 10, maxLength: 30 }),
    deeds: fc.array(fc.oneof(...kinds), { minLength: 1, maxLength: 20 }),
    useBoxes: fc.boolean(),
    ofShapes: fc.boolean(),
  })

function expectSame(tuned: readonly string[], stock: readonly string[]): void {
  const i = stock.findIndex((line, at) => line !== tuned[at])
  expect(tuned[i]).toBe(stock[i])
  expect(tuned.length).toBe(stock.length)
}

describe('a tuned world', () => {
  law(
    'moves and reports as before, bit by bit, tuned before any step',
    [flight(...calm), fc.nat(5)],
    (flown, from) => {
      const stock = fly(flown, () => undefined)
      expectSame(
        fly(flown, (world, i) => i === from && tuneCannon(world)),
        stock,
      )
    },
    60,
  )

  law(
    'moves and reports as with the collision matrices by id, while bodies are removed',
    [flight(removal, ...calm)],
    (flown) => {
      const stock = fly(flown, (world, i) => {
        if (i > 0) return
        world.collisionMatrix = new CANNON.ObjectCollisionMatrix() as never
        world.collisionMatrixPrevious = new CANNON.ObjectCollisionMatrix() as never
      })
      expectSame(
        fly(flown, (world, i) => i === 0 && tuneCannon(world)),
        stock,
      )
    },
    60,
  )
})

describe('the contacts of a tuned world', () => {
  it('are reported with the right bodies when ids are large', () => {
    forgetShapeEvents()
    Body.idCounter = 70_000
    const [world, a, b] = twoBalls()
    tuneCannon(world)
    const seen: unknown[] = []
    for (const type of ['beginContact', 'endContact'])
      world.addEventListener(type, (event: { bodyA: CANNON.Body; bodyB: CANNON.Body }) =>
        seen.push([type, event.bodyA === a, event.bodyB === b]),
      )
    world.step(DT)
    b.position.x = 3
    world.step(DT)
    expect(seen).toEqual([
      ['beginContact', true, true],
      ['endContact', true, true],
    ])
  })

  it('do not begin again for a body when another one is removed', () => {
    const [world, , b] = twoBalls()
    const others = [10, 20, 30].map((x) => ball(world, v(x, 0, 0)))
    const last = ball(world, v(0.9, 0.9, 0))
    tuneCannon(world)
    const [first, second] = [collisionsOf(b), collisionsOf(last)]
    world.step(DT)
    const counts = [first.count, second.count]
    expect(counts).toEqual([2, 1])
    world.removeBody(others[0]!)
    for (const body of world.bodies) body.velocity.set(0, 0, 0)
    world.step(DT)
    expect([first.count, second.count]).toEqual(counts)
  })

  it.each([1, 2])('begin again for a body that is removed after step %d and comes back', (steps) => {
    const [world, a, b] = twoBalls()
    tuneCannon(world)
    const seen = collisionsOf(a)
    for (let i = 0; i < steps; i++) world.step(DT)
    expect(seen.count).toBe(1)
    world.removeBody(b)
    world.addBody(b)
    b.position.copy(a.position)
    world.step(DT)
    expect(seen.count).toBe(2)
  })

  it('are kept when the world is tuned twice', () => {
    const [world, a] = twoBalls()
    tuneCannon(world)
    const seen = collisionsOf(a)
    world.step(DT)
    world.broadphase = new CANNON.NaiveBroadphase()
    tuneCannon(world)
    world.step(DT)
    expect(seen.count).toBe(1)
    expect(Object.hasOwn(world.broadphase, 'collisionPairs')).toBe(true)
  })

  it('can be read and set as in the matrices of cannon-es', () => {
    const [world, a, b] = twoBalls()
    tuneCannon(world)
    world.step(DT)
    const { collisionMatrix } = world
    expect([collisionMatrix.get(a, b), collisionMatrix.get(b, a), collisionMatrix.get(a, a)]).toEqual([
      1, 1, 0,
    ])
    collisionMatrix.set(a, b, false)
    expect(collisionMatrix.get(b, a)).toBe(0)
    collisionMatrix.set(b, a, true)
    expect(collisionMatrix.get(a, b)).toBe(1)
    world.collisionMatrixTick()
    expect(world.collisionMatrix.get(a, b)).toBe(0)
    expect(world.collisionMatrixPrevious.get(a, b)).toBe(1)
    collisionMatrix.reset()
    expect(world.collisionMatrixPrevious.get(a, b)).toBe(0)
  })
})

describe('the collision matrix of a tuned world', () => {
  const idPair = fc.tuple(fc.nat(12), fc.nat(12)).filter(([a, b]) => a !== b)
  // neighbouring ids and ids far apart
  const keyOf = (a: number, b: number): string => `${Math.min(a, b)} ${Math.max(a, b)}`
  const spread = fc.constantFrom(1, 4096, 100_000_007)
  law(
    'remembers which pairs are set',
    [fc.array(fc.tuple(idPair, fc.boolean()), { maxLength: 300 }), spread],
    (settings, factor) => {
      const world = new CANNON.World()
      tuneCannon(world)
      const { collisionMatrix } = world
      const expected = new Map<string, boolean>()
      const bodies = Array.from({ length: 13 }, (_, i) => ({ id: i * factor }) as CANNON.Body)
      for (const [[a, b], value] of settings) {
        collisionMatrix.set(bodies[a]!, bodies[b]!, value)
        expected.set(keyOf(a, b), value)
      }
      for (let a = 0; a < 13; a++)
        for (let b = 0; b < 13; b++) {
          const value = expected.get(keyOf(a, b)) ?? false
          expect(collisionMatrix.get(bodies[a]!, bodies[b]!)).toBe(value ? 1 : 0)
        }
    },
  )
})

describe('tuneCannon', () => {
  it.each([undefined, null, {}, 7, new CANNON.NaiveBroadphase()])('refuses %s', (world) => {
    expect(() => tuneCannon(world as never)).toThrow(/tuneCannon: got .*, must be a CANNON.World/)
  })
})
