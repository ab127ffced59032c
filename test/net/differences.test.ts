import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blend, Flock, Flocking, SteeringWorld, Wander, type Quat, type Vec3 } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { PoseBuffer, PoseCodec, PoseMemory, PoseWriter, type PacketInfo } from 'three-steering/net'
import { law } from '../support/law.js'
import { pick } from '../support/tier.js'
import { BOX, codecOf, forms, positions, velocities, within } from './kit.js'

type Told = Map<number, { position: Vec3; velocity: Vec3; quaternion: Quat }>

function read(codec: PoseCodec, bytes: Uint8Array, memory?: PoseMemory): { info: PacketInfo; told: Told } {
  const told: Told = new Map()
  const info = codec.read(
    bytes,
    (key, { position, velocity, quaternion }) =>
      told.set(key, { position: { ...position }, velocity: { ...velocity }, quaternion: { ...quaternion } }),
    memory,
  )
  return { info, told }
}

/** 60 birds for so many packets, ten a second: in full, and as differences. */
function flight(
  packets: number,
  refresh = 10,
): { codec: PoseCodec; full: Uint8Array[]; differences: Uint8Array[] } {
  const world = new SteeringWorld({ seed: 7 })
  const random = seeded(2)
  const spread = (): number => 40 * random() - 20
  const rule = { neighborDistance: 8 }
  const flocking = new Flocking({ separation: { neighborDistance: 4 }, alignment: rule, cohesion: rule })
  const flock = new Flock({
    count: 60,
    behavior: blend([flocking, new Wander()]),
    spawn: (_, state) => Object.assign(state.position, { x: spread(), y: spread(), z: spread() }),
    maxSpeed: 10,
    maxForce: 20,
    seed: 100,
  })
  world.add(flock)
  const codec = new PoseCodec({
    min: { x: -200, y: -200, z: -200 },
    max: { x: 200, y: 200, z: 200 },
    maxSpeed: 12,
  })
  const [whole, steps] = [new PoseWriter(codec), new PoseWriter(codec, { differences: true, refresh })]
  const full: Uint8Array[] = []
  const differences: Uint8Array[] = []
  for (let i = 0; i < packets; i++) {
    for (let k = 0; k < 3; k++) world.step(1 / 30)
    full.push(whole.begin(world.time).add(flock).end().slice())
    differences.push(steps.begin(world.time).add(flock).end().slice())
  }
  return { codec, full, differences }
}

const poses = fc.record({
  key: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constantFrom(2 ** 32 - 1, 2 ** 31)),
  position: positions,
  velocity: velocities,
  turn: within(-4, 4),
})

law(
  'packets of differences say the same as packets in full, whoever comes, goes and leaps, in whatever time',
  [
    forms,
    fc.integer({ min: 1, max: 255 }),
    fc.array(fc.tuple(within(0.001, 3), fc.array(poses, { maxLength: 6 })), { maxLength: 8 }),
  ],
  (form, refresh, packets) => {
    const codec = codecOf(form)
    const [whole, steps] = [new PoseWriter(codec), new PoseWriter(codec, { differences: true, refresh })]
    const memory = new PoseMemory()
    let time = 0
    for (const [dt, list] of packets) {
      time += dt
      whole.begin(time)
      steps.begin(time)
      for (const { key, position, velocity, turn } of new Map(list.map((each) => [each.key, each])).values())
        for (const writer of [whole, steps])
          writer.addPose(key, position, velocity, { x: 0, y: Math.sin(turn), z: 0, w: Math.cos(turn) })
      const wanted = read(codec, whole.end())
      const got = read(codec, steps.end(), memory)
      expect(got.told).toEqual(wanted.told)
      expect(got.info).toEqual(wanted.info)
    }
  },
  300,
)

describe('a flock of 60, ten packets a second', () => {
  it('takes less than half of the bytes, and is the same', () => {
    const { codec, differences, full } = flight(100)
    const memory = new PoseMemory()
    for (const [i, bytes] of differences.entries())
      expect(read(codec, bytes, memory)).toEqual(read(codec, full[i]!))
    const bytesOf = (list: readonly Uint8Array[]): number =>
      list.slice(20).reduce((sum, { length }) => sum + length - 19, 0) / (60 * (list.length - 20))
    expect(bytesOf(full)).toBeCloseTo(15, 1)
    expect(bytesOf(differences)).toBeLessThan(6)
    if (process.env['SIZES']) console.info(`${bytesOf(full)} and ${bytesOf(differences)} bytes an agent`)
  })

  it('is whole again ten packets after a loss, and nothing is said wrongly meanwhile', () => {
    const { codec, differences, full } = flight(100)
    const memory = new PoseMemory()
    const random = seeded(3)
    let missing = 0
    let calm = 0
    for (const [i, bytes] of differences.entries()) {
      if (i > 0 && random() < 0.05) {
        calm = 0
        continue
      }
      const { told } = read(codec, full[i]!)
      const got = read(codec, bytes, memory)
      for (const [key, pose] of got.told) expect(pose).toEqual(told.get(key))
      missing += 60 - got.told.size
      expect(got.info.complete).toBe(got.told.size === 60)
      if (++calm > 10) expect(got.told.size).toBe(60)
    }
    expect(missing).toBeGreaterThan(100)
  })

  it('is drawn without anybody leaving, where packets are lost, late, doubled or in another order', () => {
    const { codec, differences } = flight(100)
    const buffer = new PoseBuffer(codec, { keep: 2 })
    const random = seeded(5)
    const order = differences.map((bytes, i) => ({ bytes, at: i + (random() < 0.1 ? 1.5 : 0) }))
    order.sort((a, b) => a.at - b.at)
    let now = 0
    for (const { bytes } of order) {
      now += 0.1
      if (random() > 0.05) buffer.receive(bytes, now)
      if (random() < 0.1) buffer.receive(bytes, now)
      buffer.update(now)
      if (now > 2) expect(buffer.agents).toHaveLength(60)
    }
    expect(buffer.agents).toHaveLength(60)
  })

  it('is whole at once for a client that gets a start, and then for good', () => {
    const codec = codecOf()
    const writer = new PoseWriter(codec, { differences: true, refresh: 255 })
    const [always, late] = [new PoseMemory(), new PoseMemory()]
    const random = seeded(8)
    for (let i = 0; i < 60; i++) {
      writer.begin(i / 10)
      for (let key = 0; key < 20; key++)
        if (random() < 0.95)
          writer.addPose(
            key,
            { x: 100 * Math.sin(i / 40 + key), y: 3, z: 1050 },
            { x: 25 * Math.cos(i / 40 + key), y: 0, z: 0 },
            { x: 0, y: Math.sin(i / 20), z: 0, w: Math.cos(i / 20) },
          )
      const bytes = writer.end().slice()
      const wanted = read(codec, bytes, always)
      expect(wanted.told.size).toBeGreaterThan(10)
      if (i === 20) expect(read(codec, writer.start(), late)).toEqual(wanted)
      if (i > 20) expect(read(codec, bytes, late)).toEqual(wanted)
    }
  })

  it('goes on when its server was set back', () => {
    const { codec, differences } = flight(60)
    const memory = new PoseMemory()
    for (const bytes of differences) read(codec, bytes, memory)
    for (const bytes of differences.slice(0, 11)) read(codec, bytes, memory)
    expect(read(codec, differences[11]!, memory).told.size).toBe(60)
  })
})

describe('differences', () => {
  const codec = codecOf()

  it('need a memory, and packets that list all', () => {
    const writer = new PoseWriter(codec, { differences: true })
    const bytes = writer.begin(1).addPose(1, BOX.min).end()
    expect(() => codec.read(bytes, () => {})).toThrow('needs the memory of its source')
    expect(() => writer.begin(1, { complete: false })).toThrow('begin: complete: got false, must be true')
    expect(() => new PoseWriter(codec, { refresh: 0 })).toThrow('refresh: got 0')
    expect(() => new PoseWriter(codec).begin(1).start()).toThrow('start: called without')
  })

  it('from a stranger are refused in words, or read, and change nothing where they are refused', () => {
    const random = seeded(11)
    let refused = 0
    let taken = 0
    for (let i = 0; i < pick(600, 10_000, 300_000); i++) {
      const writer = new PoseWriter(codec, { differences: true })
      const memory = new PoseMemory()
      const packet = (time: number): Uint8Array => {
        writer.begin(time)
        for (const key of [7, 8, 2 ** 31, 9])
          writer.addPose(key, { x: (key % 100) + time, y: 2, z: 1020 }, { x: 1, y: 2, z: 3 })
        return writer.end().slice()
      }
      read(codec, packet(1), memory)
      const good = i % 5 === 0 ? (packet(2), writer.start().slice()) : packet(2)
      let bytes = good.slice()
      if (i % 3 === 0) bytes = bytes.subarray(0, Math.floor(random() * bytes.length))
      const changes = 1 + Math.floor(4 * random())
      for (let k = 0; k < changes; k++)
        bytes[Math.floor(random() * bytes.length)] = Math.floor(256 * random())
      try {
        const { told } = read(codec, bytes, memory)
        taken++
        for (const { position, velocity, quaternion } of told.values()) {
          expect(position.x >= -200 && position.x <= 200.001 && position.z <= 1100.001).toBe(true)
          expect(Math.hypot(velocity.x, velocity.y, velocity.z)).toBeLessThan(21)
          expect(Math.hypot(quaternion.x, quaternion.y, quaternion.z, quaternion.w)).toBeCloseTo(1, 9)
        }
      } catch (error) {
        if (!(error instanceof RangeError && /^read: got a (damaged )?packet/.test(error.message)))
          throw error
        refused++
        expect(read(codec, good, memory).told.size).toBe(4)
      }
    }
    expect(refused).toBeGreaterThan(100)
    expect(taken).toBeGreaterThan(100)
  })
})
