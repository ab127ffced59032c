import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  Flock,
  Flocking,
  SteeringController,
  SteeringWorld,
  Wander,
  type Quat,
  type Vec3,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { PoseCodec, PoseWriter, type PacketInfo } from 'three-steering/net'
import { law } from '../support/law.js'
import { pick } from '../support/tier.js'
import { expectConsole } from '../support/console.js'
import { BOX, codecOf, forms, positions, velocities, within } from './kit.js'

interface Told {
  readonly key: number
  readonly position: Vec3
  readonly velocity: Vec3
  readonly quaternion: Quat
}

/** What a packet says, with the vectors copied. */
function read(codec: PoseCodec, bytes: ArrayBuffer | ArrayBufferView): PacketInfo & { poses: Told[] } {
  const poses: Told[] = []
  const info = codec.read(bytes, (key, { position, velocity, quaternion }) =>
    poses.push({ key, position: { ...position }, velocity: { ...velocity }, quaternion: { ...quaternion } }),
  )
  return { ...info, poses }
}

/** Angle between two unit attitudes, rad. */
function angle(a: Quat, b: Quat): number {
  const sign = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0 ? -1 : 1
  return (
    4 *
    Math.asin(
      Math.min(1, Math.hypot(a.x - sign * b.x, a.y - sign * b.y, a.z - sign * b.z, a.w - sign * b.w) / 2),
    )
  )
}

const component = fc.oneof(within(-1, 1), fc.constantFrom(0, 1, -1, 0.5, -0.5, Math.SQRT1_2, 1e-9))
const attitudes = fc
  .tuple(component, component, component, component)
  .filter((each) => Math.hypot(...each) > 1e-3)
  .map((each) => each.map((one) => one / Math.hypot(...each)) as [number, number, number, number])
  .map(([x, y, z, w]) => ({ x, y, z, w }))
const keys = fc.integer({ min: 0, max: 2 ** 32 - 1 })

law(
  'a pose comes back within the stated errors, whatever the options, the pose and the order of keys',
  [forms, fc.array(fc.tuple(keys, positions, velocities, attitudes), { maxLength: 6 }), within(0, 1e6)],
  (form, all, time) => {
    const codec = codecOf(form)
    const writer = new PoseWriter(codec).begin(time)
    for (const [key, position, velocity, quaternion] of all)
      writer.addPose(key, position, velocity, quaternion)
    expect(writer.clamped).toBe(0)
    const bytes = writer.end()
    const { complete, count, poses, time: at } = read(codec, bytes)
    expect([complete, count, at]).toEqual([true, all.length, time])
    expect(bytes.length).toBeLessThanOrEqual(19 + all.length * (codec.bytesPerAgent + 5))
    for (const [i, [key, position, velocity, quaternion]] of all.entries()) {
      const got = poses[i]!
      expect(got.key).toBe(key)
      for (const axis of ['x', 'y', 'z'] as const) {
        expect(Math.abs(got.position[axis] - position[axis])).toBeLessThanOrEqual(
          codec.positionError[axis] + 1e-9,
        )
        const wanted = form.velocityBits === 0 ? 0 : velocity[axis]
        expect(Math.abs(got.velocity[axis] - wanted)).toBeLessThanOrEqual(
          Math.min(codec.velocityError, 1) + 1e-12,
        )
      }
      const { w, x, y, z } = got.quaternion
      expect(Math.hypot(x, y, z, w)).toBeCloseTo(1, 12)
      if (form.attitude) expect(angle(got.quaternion, quaternion)).toBeLessThanOrEqual(codec.angleError)
      else expect(got.quaternion).toEqual({ x: 0, y: 0, z: 0, w: 1 })
    }
  },
  400,
)

describe('the stated errors', () => {
  it('are those of the bits: 3 mm in 400 m, 1.2 cm/s at 12 m/s, 0.3°', () => {
    const { angleError, bytesPerAgent, positionError, velocityError } = codecOf()
    expect(positionError.x).toBeCloseTo(200 / 65535, 12)
    expect(positionError.y).toBeCloseTo(27.5 / 65535, 12)
    expect(velocityError).toBeCloseTo(12 / 1022, 12)
    expect(angleError).toBeLessThan(0.005)
    expect(bytesPerAgent).toBe(14)
    expect(codecOf({ velocityBits: 0 }).bytesPerAgent).toBe(10)
    expect(codecOf({ velocityBits: 16 }).bytesPerAgent).toBe(16)
    expect(codecOf({ positionBits: 32 }).positionError.x).toBeCloseTo(200 / (2 ** 32 - 1), 15)
  })

  it('are reached: a bound that is half as large would be wrong', () => {
    const codec = codecOf()
    const random = seeded(4)
    let position = 0
    let velocity = 0
    let attitude = 0
    const share = (): number => 2 * random() - 1
    // the hardest attitudes have four components of about the same magnitude
    for (let i = 0; i < 1500; i++) {
      const [x, y, z, w] = [1, 1, 1, 1].map((one) => (random() < 0.5 ? one : -one) * (0.5 + 0.005 * share()))
      const d = Math.hypot(x!, y!, z!, w!)
      const q = { x: x! / d, y: y! / d, z: z! / d, w: w! / d }
      const p = { x: 200 * share(), y: 0, z: 1050 }
      const v = { x: 12 * share(), y: 0, z: 0 }
      const [got] = read(codec, new PoseWriter(codec).begin(0).addPose(1, p, v, q).end()).poses
      position = Math.max(position, Math.abs(got!.position.x - p.x) / codec.positionError.x)
      velocity = Math.max(velocity, Math.abs(got!.velocity.x - v.x) / codec.velocityError)
      attitude = Math.max(attitude, angle(got!.quaternion, q) / codec.angleError)
    }
    for (const share of [position, velocity, attitude]) expect(share).toBeGreaterThan(0.75)
    expect(Math.max(position, velocity, attitude)).toBeLessThanOrEqual(1 + 1e-9)
  })

  it('vanish for an agent at rest, upright', () => {
    const codec = codecOf()
    const [got] = read(codec, new PoseWriter(codec).begin(0).addPose(1, BOX.min).end()).poses
    expect(got).toEqual({
      key: 1,
      position: BOX.min,
      velocity: { x: 0, y: 0, z: 0 },
      quaternion: { x: 0, y: 0, z: 0, w: 1 },
    })
  })
})

describe('what is outside the bounds', () => {
  it('is sent as the nearest inside, and counted', () => {
    expectConsole()
    const codec = codecOf()
    const writer = new PoseWriter(codec).begin(0)
    writer.addPose(1, { x: 1e300, y: -1e300, z: 1050 }, { x: 1e9, y: -13, z: 5 })
    writer.addPose(2, { x: 0, y: 0, z: 1050 }, { x: 0, y: 0, z: -12.01 })
    writer.addPose(3, { x: 0, y: 0, z: 1050 })
    expect(writer.clamped).toBe(2)
    const [got] = read(codec, writer.end()).poses
    expect(got!.position.x).toBeCloseTo(200, 9)
    expect(got!.position.y).toBeCloseTo(-5, 9)
    expect(got!.velocity.x).toBeCloseTo(12, 9)
    expect(got!.velocity.y).toBeCloseTo(-12, 9)
  })

  it.each<[string, () => unknown, RegExp]>([
    [
      'a box without room',
      () => codecOf({ max: BOX.min }),
      /^PoseCodec\.max: got \(-200, -5, 1000\), must be above min/,
    ],
    ['an endless box', () => codecOf({ max: { x: Infinity, y: 1, z: 2000 } }), /^PoseCodec\.max: .*finite/],
    ['no speed', () => codecOf({ maxSpeed: 0 }), /^PoseCodec\.maxSpeed: got 0, must be > 0/],
    [
      'bits',
      () => codecOf({ positionBits: 20 as never }),
      /^PoseCodec\.positionBits: got 20, allowed are 16, 24, 32/,
    ],
    ['another codec', () => new PoseWriter({} as never), /^PoseWriter: codec: got .*must be a PoseCodec/],
    ['a time', () => new PoseWriter(codecOf()).begin(-1), /^begin: time: got -1/],
    ['options', () => new PoseWriter(codecOf()).begin(1, null as never), /^begin: got null/],
    [
      'NaN',
      () => new PoseWriter(codecOf()).begin(0).addPose(1, { x: NaN, y: 0, z: 0 }),
      /^addPose: position: got \(NaN/,
    ],
    [
      'a key',
      () => new PoseWriter(codecOf()).begin(0).addPose(1.5, BOX.min),
      /^addPose: key: got 1\.5, must be a whole/,
    ],
    ['no begin', () => new PoseWriter(codecOf()).end(), /^end: called before begin/],
    ['a handle', () => new PoseWriter(codecOf()).begin(0).add({} as never), /^add: handle: got/],
    [
      'an agent in no world',
      () => new PoseWriter(codecOf()).begin(0).add(new SteeringController(null, AGENT)),
      /^add: 'pilot' is in no world/,
    ],
  ])('is refused: %s', (_, make, text) => expect(make).toThrow(text))
})

const AGENT = { behavior: new Wander(), maxSpeed: 9, maxForce: 20, name: 'pilot' }

/** A flock and a ship with a body whose centre of mass is 1 m ahead of its origin; it turns and drifts. */
function sky(): { world: SteeringWorld; flock: Flock; ship: SteeringController } {
  const world = new SteeringWorld({ seed: 4 })
  const flock = new Flock({
    ...AGENT,
    behavior: new Flocking({
      separation: { neighborDistance: 3 },
      alignment: { neighborDistance: 6 },
      cohesion: { neighborDistance: 9 },
    }),
    count: 40,
    seed: 100,
  })
  const ship = new SteeringController(null, {
    ...AGENT,
    behavior: new Wander(),
    seed: 5,
    body: {
      read(out) {
        Object.assign(out.position, { x: 3, y: 4, z: 6 })
        Object.assign(out.velocity, { x: 1, y: 0, z: 0 })
        Object.assign(out.angularVelocity, { x: 0, y: 2, z: 0 })
        Object.assign(out.quaternion, { x: 0, y: 0, z: 0, w: 1 })
        Object.assign(out.center, { x: 0, y: 0, z: 1 })
      },
      apply() {},
    },
  })
  world.add(flock).add(ship)
  for (let i = 0; i < 30; i++) world.step(1 / 60)
  return { world, flock, ship }
}

describe('agents of a world', () => {
  const codec = new PoseCodec({ min: { x: -99, y: -99, z: -99 }, max: { x: 99, y: 99, z: 99 }, maxSpeed: 20 })

  it('are sent by their keys, as they are', () => {
    const { flock, ship, world } = sky()
    flock.remove(7)
    const bytes = new PoseWriter(codec).begin(world.time).add(flock).add(ship).end()
    const { poses, time } = read(codec, bytes)
    expect(time).toBe(world.time)
    expect(poses.map(({ key }) => key)).toEqual([
      ...Array.from({ length: 39 }, (_, i) => (i === 7 ? 139 : 100 + i)),
      5,
    ])
    for (const [i, { position, quaternion, velocity }] of poses.slice(0, 39).entries()) {
      const q = flock.quaternion(i, { x: 0, y: 0, z: 0, w: 1 })
      expect(angle(quaternion, q)).toBeLessThan(codec.angleError)
      const p = flock.position(i, { x: 0, y: 0, z: 0 })
      const v = flock.velocity(i, { x: 0, y: 0, z: 0 })
      for (const axis of ['x', 'y', 'z'] as const) {
        expect(Math.abs(position[axis] - p[axis])).toBeLessThanOrEqual(codec.positionError[axis] + 1e-12)
        expect(Math.abs(velocity[axis] - v[axis])).toBeLessThanOrEqual(codec.velocityError + 1e-12)
      }
    }
    // the origin is 1 m behind the centre of mass, and swings to −x by 2 m/s
    const { position, velocity } = poses[39]!
    expect(position.z).toBeCloseTo(5, 2)
    expect(velocity.x).toBeCloseTo(-1, 1)
  })

  it('take 15 bytes each in a flock', () => {
    const { flock, world } = sky()
    expect(new PoseWriter(codec).begin(world.time).add(flock).end().length).toBe(19 + 40 * 15 + 1)
  })

  it('are left out where they are outside an area, or their body cannot be read', () => {
    const { flock, ship, world } = sky()
    const writer = new PoseWriter(codec).begin(world.time)
    const center = flock.position(3, { x: 0, y: 0, z: 0 })
    writer.add(flock, { center, radius: 2 }).add(ship, { center: { x: 3, y: 4, z: 5 }, radius: 0 })
    const near = Array.from({ length: 40 }, (_, i) => flock.position(i, { x: 0, y: 0, z: 0 })).filter(
      ({ x, y, z }) => Math.hypot(x - center.x, y - center.y, z - center.z) <= 2,
    ).length
    expect(near).toBeLessThan(40)
    expect(writer.size).toBe(near + 1)
    ship.body!.read = () => {
      throw new Error('gone')
    }
    expect(writer.begin(0).add(ship).size).toBe(0)
    expect(() => writer.begin(0, { complete: 1 as never })).toThrow('begin: complete: got 1, must be true')
  })
})

it('reads a packet out of the middle of a buffer, and a plain ArrayBuffer', () => {
  const codec = codecOf()
  const bytes = new PoseWriter(codec).begin(2, { complete: false }).addPose(-1, BOX.min).end()
  const middle = new Uint8Array(bytes.length + 10)
  middle.set(bytes, 5)
  const told = read(codec, middle.subarray(5, -5))
  expect(told.complete).toBe(false)
  expect(told.poses[0]!.key).toBe(2 ** 32 - 1)
  expect(read(codec, bytes.slice().buffer)).toEqual(told)
  expect(read(codec, new DataView(middle.buffer, 5, bytes.length))).toEqual(told)
})

describe('bytes of a stranger', () => {
  const codec = codecOf()
  const writer = new PoseWriter(codec)
  const packet = (): Uint8Array => {
    writer.begin(3)
    for (const key of [7, 8, 2 ** 31, 9])
      writer.addPose(key, { x: key % 100, y: 2, z: 1020 }, { x: 1, y: 2, z: 3 })
    return writer.end().slice()
  }

  /** Whether the bytes were refused in words; else all that they say is finite and within the bounds. */
  function isRefused(bytes: Uint8Array): boolean {
    let visits = 0
    try {
      codec.read(bytes, (key, { position, velocity, quaternion }) => {
        visits++
        expect(key >>> 0).toBe(key)
        expect(
          position.x >= -200 && position.x <= 200.001 && position.z >= 1000 && position.z <= 1100.001,
        ).toBe(true)
        expect(Math.max(Math.abs(velocity.x), Math.abs(velocity.y), Math.abs(velocity.z))).toBeLessThan(
          12.001,
        )
        expect(Math.hypot(...Object.values(quaternion as unknown as number[]))).toBeCloseTo(1, 9)
      })
      expect(visits * 15).toBeLessThanOrEqual(bytes.length)
      return false
    } catch (error) {
      if (!(error instanceof RangeError && /^read: got a (damaged )?packet/.test(error.message))) throw error
      expect(visits).toBe(0)
      return true
    }
  }

  it.each<[string, (bytes: Uint8Array) => Uint8Array, string]>([
    ['nothing', () => new Uint8Array(), 'no packet of poses'],
    [
      'another message',
      () => new TextEncoder().encode('{"type":"hello","name":"stranger"}'),
      'no packet of poses',
    ],
    ['another version', (bytes) => bytes.fill(9, 1, 2), 'of version 9, must be 2'],
    ['other options', () => new PoseWriter(codecOf({ maxSpeed: 13 })).begin(0).end(), 'with other options'],
    ['a huge count', (bytes) => bytes.fill(255, 15, 19), 'too short'],
    ['a cut', (bytes) => bytes.subarray(0, -1), 'damaged packet'],
    ['more at the end', (bytes) => new Uint8Array([...bytes, 0]), 'does not fit'],
    ['a key without end', (bytes) => bytes.fill(255, 19, 29), 'a key is too large'],
    ['no time', (bytes) => bytes.fill(255, 7, 15), 'its time is NaN'],
  ])('is refused: %s', (_, change, text) => {
    const bytes = change(packet())
    expect(() => codec.read(bytes, () => {})).toThrow(text)
    expect(isRefused(bytes)).toBe(true)
  })

  it.each([[undefined], [null], ['bytes'], [5], [[1, 2]], [{}]])('%s is no packet', (value) => {
    expect(() => codec.read(value as never, () => {})).toThrow(/^read: bytes: got .*must be an ArrayBuffer/)
  })

  it('are refused in words, or read, whatever they are', () => {
    const random = seeded(11)
    let refused = 0
    let taken = 0
    for (let i = 0; i < pick(600, 10_000, 300_000); i++) {
      let bytes = packet()
      if (i % 3 === 0) bytes = bytes.subarray(0, Math.floor(random() * bytes.length))
      const changes = 1 + Math.floor(4 * random())
      for (let k = 0; k < changes; k++)
        bytes[Math.floor(random() * bytes.length)] = Math.floor(256 * random())
      if (i % 7 === 0) bytes = Uint8Array.from({ length: 60 }, () => Math.floor(256 * random()))
      if (isRefused(bytes)) refused++
      else taken++
    }
    expect(refused).toBeGreaterThan(100)
    expect(taken).toBeGreaterThan(100)
  })
})
