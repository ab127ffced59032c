import { InstancedMesh, Matrix4, Object3D, Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import {
  blend,
  Flock,
  Flocking,
  SteeringWorld,
  Tether,
  Thrusters,
  Wander,
  type Quat,
  type Vec3,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { PoseBuffer, PoseCodec, PoseWriter, type PoseBufferOptions } from 'three-steering/net'
import { pick } from '../support/tier.js'
import { expectConsole } from '../support/console.js'

const ORIGIN = { x: 0, y: 0, z: 0 }
const BOX = { min: { x: -100, y: -100, z: -100 }, max: { x: 100, y: 100, z: 100 }, maxSpeed: 10 }
const codec = new PoseCodec(BOX)
const DT = 1 / 60
/** Ten updates a second. */
const EVERY = 6

const distance = (a: Vec3, b: Vec3): number => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)
const angle = (a: Quat, b: Quat): number =>
  2 * Math.acos(Math.min(1, Math.abs(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w)))

interface Frame {
  readonly time: number
  readonly positions: readonly Vec3[]
  readonly quaternions: readonly Quat[]
  /** At every sixth frame. */
  readonly bytes: Uint8Array | null
}

/** A flock, or ships with thrusters, that wander about: every frame of some seconds, with its packets. */
function flight(kind: 'flock' | 'ships', seconds: number, by = codec): Frame[] {
  const world = new SteeringWorld({ seed: 5, fixedStep: DT })
  const wander = { behavior: new Wander(), weight: 0.5 }
  const home = { behavior: new Tether({ target: ORIGIN, radius: 20 }), weight: 2 }
  const flocking = new Flocking({
    separation: { neighborDistance: 4 },
    alignment: { neighborDistance: 9 },
    cohesion: { neighborDistance: 9 },
  })
  const flock = new Flock({
    behavior: kind === 'flock' ? blend([flocking, wander, home]) : blend([wander, home]),
    count: kind === 'flock' ? pick(30, 200) : 12,
    maxSpeed: 8,
    maxForce: 20,
    seed: 1000,
    ...(kind === 'ships' && { maxTorque: 0.5, locomotion: new Thrusters({ ahead: 20, astern: 8 }) }),
  })
  world.add(flock)
  const writer = new PoseWriter(by)
  // without the start: a bird may turn at once when it sets off
  for (let i = 0; i < 120; i++) world.step(DT)
  return Array.from({ length: Math.round(seconds / DT) }, (_, frame) => {
    world.step(DT)
    const each = Array.from({ length: flock.size }, (__, i) => i)
    return {
      time: world.time,
      positions: each.map((i) => flock.position(i, { x: 0, y: 0, z: 0 })),
      quaternions: each.map((i) => flock.quaternion(i, { x: 0, y: 0, z: 0, w: 1 })),
      bytes: frame % EVERY === 0 ? writer.begin(world.time).add(flock).end().slice() : null,
    }
  })
}

/** What was at `time`, between two frames. */
function trueAt(frames: readonly Frame[], time: number, i: number): { position: Vec3; quaternion: Quat } {
  const at = (time - frames[0]!.time) / DT
  const k = Math.max(0, Math.min(frames.length - 2, Math.floor(at)))
  const u = at - k
  const { x, y, z } = frames[k]!.positions[i]!
  const next = frames[k + 1]!.positions[i]!
  const quaternion = frames[Math.min(frames.length - 1, Math.round(at))]!.quaternions[i]!
  return {
    position: { x: x + u * (next.x - x), y: y + u * (next.y - y), z: z + u * (next.z - z) },
    quaternion,
  }
}

/** A network with its own idea of time. */
interface Network {
  /** Delay of packet `i`, s; Infinity loses it. */
  readonly delay?: (i: number) => number
  /** How often packet `i` comes, each 30 ms after the other. */
  readonly copies?: (i: number) => number
  /** Local time at a time of the server, s. */
  readonly local?: (time: number) => number
  /** Whether the page draws at a time. */
  readonly isVisible?: (time: number) => boolean
}

interface Seen {
  /** Worst distance from the truth at the drawn time, m, of all frames in which everything was drawn. */
  worst: number
  worstAngle: number
  /** Least and most that drawn time advanced, relative to local time. */
  slowest: number
  fastest: number
  /** Longest way between two frames beyond that of the truth at full speed, m. */
  jump: number
  /** How far drawn time is behind the server's, s. */
  behind: number
  entered: number
  left: number
  news: number
}

/** Plays a flight over a network, from a second after its start. */
function play(frames: readonly Frame[], network: Network, options: PoseBufferOptions = {}): Seen {
  const { copies = () => 1, delay = () => 0.05, isVisible = () => true, local = (time) => time } = network
  const mail: { at: number; bytes: Uint8Array }[] = []
  frames.forEach(({ bytes, time }, frame) => {
    if (bytes === null) return
    const i = frame / EVERY
    for (let k = 0; k < copies(i); k++) mail.push({ at: time + delay(i) + 0.03 * k, bytes })
  })
  mail.sort((a, b) => a.at - b.at)
  const seen: Seen = {
    worst: 0,
    worstAngle: 0,
    slowest: Infinity,
    fastest: 0,
    jump: 0,
    behind: 0,
    entered: 0,
    left: 0,
    news: 0,
  }
  const buffer = new PoseBuffer(codec, {
    ...options,
    enter: () => void seen.entered++,
    leave: () => void seen.left++,
  })
  const last = new Map<number, Vec3>()
  let next = 0
  let before = NaN
  const start = frames[0]!.time
  for (const { time } of frames) {
    while (mail[next] !== undefined && mail[next]!.at <= time) {
      if (buffer.receive(mail[next]!.bytes, local(mail[next]!.at))) seen.news++
      next++
    }
    if (!isVisible(time)) continue
    const drawn = buffer.time
    buffer.update(local(time))
    for (const { key, position, quaternion } of buffer.agents) {
      const truth = trueAt(frames, buffer.time, key - 1000)
      if (buffer.time > start && time > start + 1) {
        seen.worst = Math.max(seen.worst, distance(truth.position, position))
        seen.worstAngle = Math.max(seen.worstAngle, angle(truth.quaternion, quaternion))
        const way = distance(position, last.get(key) ?? position)
        seen.jump = Math.max(seen.jump, way - 8 * (buffer.time - drawn))
      }
      last.set(key, { ...position })
    }
    if (time > start + 1) {
      const rate = (buffer.time - drawn) / (local(time) - before)
      seen.slowest = Math.min(seen.slowest, rate)
      seen.fastest = Math.max(seen.fastest, rate)
      seen.behind = time - buffer.time
    }
    before = local(time)
  }
  return seen
}

describe('a flock at 10 updates a second', () => {
  const frames = flight('flock', pick(4, 15, 60))

  it('is drawn less than 1 cm from where it was, evenly', () => {
    const seen = play(frames, {})
    expect(seen.worst).toBeGreaterThan(1e-4)
    expect(seen.worst).toBeLessThan(0.01)
    expect(seen.worstAngle).toBeLessThan(0.15)
    expect(seen.slowest).toBeGreaterThan(0.99)
    expect(seen.fastest).toBeLessThan(1.01)
    expect(seen.behind).toBeCloseTo(0.25, 2)
    expect([seen.entered, seen.left]).toEqual([frames[0]!.positions.length, 0])
  })

  it('is so also when every packet is late by up to a tenth of a second', () => {
    const random = seeded(3)
    const seen = play(frames, { delay: () => 0.05 + 0.1 * random() })
    expect(seen.worst).toBeLessThan(0.01)
    expect(seen.slowest).toBeGreaterThan(0.85)
    expect(seen.fastest).toBeLessThan(1.15)
  })

  it('is so also when packets come twice, or out of order', () => {
    const random = seeded(3)
    const doubled = play(frames, { copies: (i) => 1 + (i % 3) })
    expect(doubled.worst).toBeLessThan(0.01)
    expect(doubled.news).toBe(play(frames, {}).news)
    const shuffled = play(frames, { delay: () => 0.05 + 0.25 * random() }, { delay: 0.5 })
    expect(shuffled.worst).toBeLessThan(0.01)
    expect(shuffled.jump).toBeLessThan(0.01)
  })

  it('is not far off when one packet in five is lost', () => {
    const random = seeded(9)
    const seen = play(frames, { delay: () => (random() < 0.2 ? Infinity : 0.05) })
    expect(seen.worst).toBeLessThan(0.5)
    expect(seen.jump).toBeLessThan(0.1)
    expect(seen.left).toBe(0)
    // with a longer delay nothing is guessed, and curves are only longer
    const patient = play(frames, { delay: (i) => (i % 5 === 2 ? Infinity : 0.05) }, { delay: 0.3 })
    expect(patient.worst).toBeLessThan(0.06)
  })

  it('is drawn as early as the network allows, where the delay may change', () => {
    const long = flight('ships', 14)
    const options = { delay: 0.6, leastDelay: 0.05 }
    const random = seeded(4)
    const seen = (delay: (i: number) => number) => play(long, { delay }, options)
    const [steady, uneven, lossy] = [
      seen(() => 0.05),
      seen(() => 0.05 + 0.05 * random()),
      seen((i) => (i % 9 === 5 ? Infinity : 0.05)),
    ]
    // the way of 0.05 s, and the time between two packets; what is late adds to it, and one packet that is
    // lost
    expect(steady.behind).toBeCloseTo(0.05 + 0.1 + 1 / 60, 2)
    expect(uneven.behind).toBeGreaterThan(steady.behind + 0.03)
    expect(uneven.behind).toBeLessThan(steady.behind + 0.06)
    expect(lossy.behind).toBeCloseTo(steady.behind + 0.1, 2)
    for (const { slowest, fastest, jump } of [steady, uneven, lossy]) {
      expect(slowest).toBeGreaterThan(0.85)
      expect(fastest).toBeLessThan(1.55)
      expect(jump).toBeLessThan(0.05)
    }
    expect(steady.worst).toBeLessThan(0.02)
  })

  it('is so also by a local clock that drifts, at any origin', () => {
    for (const rate of [0.995, 1.005]) {
      const seen = play(frames, { local: (time) => -1e6 + rate * time })
      expect(seen.worst).toBeLessThan(0.01)
      expect(seen.slowest).toBeGreaterThan(0.9)
      expect(seen.fastest).toBeLessThan(1.1)
    }
  })

  it('goes on from the present after a pause of the page, without a rush and without a way back', () => {
    for (const arrives of [0.05, Infinity]) {
      // while it is hidden, packets come or are thrown away
      const hidden = (time: number): boolean => time > frames[0]!.time + 1.5 && time < frames[0]!.time + 3
      const seen = play(frames, {
        isVisible: (time) => !hidden(time),
        delay: (i) => (hidden(frames[EVERY * i]!.time) ? arrives : 0.05),
      })
      expect(seen.slowest).toBeGreaterThanOrEqual(0)
      expect(seen.behind).toBeCloseTo(0.25, 1)
      expect(seen.left).toBe(0)
      if (arrives < 1) {
        expect(seen.worst).toBeLessThan(0.01)
        expect(seen.fastest).toBeLessThan(1.05)
      }
    }
  })

  it('stands still while nothing comes, and nobody is gone', () => {
    const dark = (i: number): boolean => i > 15 && i < 32
    const seen = play(frames, { delay: (i) => (dark(i) ? Infinity : 0.05) })
    expect(seen.left).toBe(0)
    expect(seen.slowest).toBe(0)
    expect(seen.behind).toBeLessThan(0.5)
  })
})

it('ships are drawn less than 1 cm from where they were, and turned by less than 1°', () => {
  const seen = play(flight('ships', pick(3, 15, 60)), {})
  expect(seen.worst).toBeLessThan(0.01)
  expect(seen.worstAngle).toBeLessThan(Math.PI / 180)
})

/** A packet of some agents that fly along x, from key · 10 m. */
function packet(time: number, keys: readonly number[], by = codec, complete = true): Uint8Array {
  const writer = new PoseWriter(by).begin(time, { complete })
  for (const key of keys) writer.addPose(key, { x: 10 * key + 2 * time, y: 1, z: 0 }, { x: 2, y: 0, z: 0 })
  return writer.end().slice()
}

/** Draws 60 frames a second up to a time. */
function runTo(buffer: PoseBuffer, from: number, to: number): void {
  for (let now = from; now < to; now += DT) buffer.update(now)
}

const keysOf = (buffer: PoseBuffer): number[] => buffer.agents.map(({ key }) => key).sort((a, b) => a - b)

describe('agents come and go', () => {
  it('an agent is drawn from its first sample to the first packet without it', () => {
    const told: string[] = []
    const buffer = new PoseBuffer(codec, {
      enter: (key) => void told.push(`+${key} at ${buffer.time.toFixed(2)}`),
      leave: (key) => void told.push(`-${key} at ${buffer.time.toFixed(2)}`),
    })
    for (let i = 0; i < 20; i++) {
      buffer.receive(packet(0.1 * i, i < 5 || i >= 12 ? [1] : [1, 2]), 0.1 * i)
      runTo(buffer, 0.1 * i, 0.1 * (i + 1) - 1e-9)
    }
    expect(told[0]).toMatch(/^\+1 at 0\.0[0-2]/)
    expect(told[1]).toMatch(/^\+2 at 0\.5[0-2]/)
    expect(told[2]).toMatch(/^-2 at 1\.2[0-2]/)
    expect(told.length).toBe(3)
    expect(buffer.get(1)!.position.x).toBeCloseTo(10 + 2 * buffer.time, 2)
    expect(buffer.get(2)).toBe(null)
  })

  it('an old packet does not bring it back', () => {
    const buffer = new PoseBuffer(codec)
    const old = packet(0.5, [1, 2])
    for (let i = 0; i < 20; i++)
      buffer.receive(i === 5 ? old : packet(0.1 * i, i < 6 ? [1, 2] : [1]), 0.1 * i)
    runTo(buffer, 1.9, 2)
    expect(keysOf(buffer)).toEqual([1])
    expect(buffer.receive(old, 2)).toBe(false)
    runTo(buffer, 2, 2.2)
    expect(keysOf(buffer)).toEqual([1])
  })

  it('of packets that list only a part, an agent goes when it was not heard of for long', () => {
    const buffer = new PoseBuffer(codec, { keep: 0.5 })
    for (let i = 0; i < 20; i++) {
      buffer.receive(packet(0.1 * i, [1], codec, false), 0.1 * i)
      if (i < 10) buffer.receive(packet(0.1 * i, [2], codec, false), 0.1 * i)
      runTo(buffer, 0.1 * i, 0.1 * (i + 1))
      if (i > 2 && i < 15) expect(keysOf(buffer)).toEqual([1, 2])
    }
    expect(keysOf(buffer)).toEqual([1])
  })

  it('an agent that goes from one source to another goes on as one, also where a packet is lost', () => {
    for (const lost of [-1, 9, 10, 11]) {
      let changes = 0
      const buffer = new PoseBuffer(codec, { enter: () => void changes++, leave: () => void changes++ })
      let x = NaN
      for (let i = 0; i < 20; i++) {
        const [west, east] = i < 10 ? [[1, 2], [3]] : [[1], [2, 3]]
        buffer.receive(packet(0.1 * i, west), 0.1 * i, 'west')
        if (i !== lost) buffer.receive(packet(0.1 * i, east), 0.1 * i + 0.01, 'east')
        for (let k = 0; k < 6; k++) {
          buffer.update(0.1 * i + 0.02 + k * DT)
          if (i < 3) continue
          const now = buffer.get(2)!.position.x
          expect(Math.abs(now - 20 - 2 * buffer.time)).toBeLessThan(0.01)
          if (x === x) expect(now).toBeGreaterThan(x - 1e-3)
          x = now
        }
      }
      expect(changes).toBe(3)
      buffer.drop('east')
      buffer.receive(packet(2, [1]), 2, 'west')
      runTo(buffer, 2, 2.3)
      expect(keysOf(buffer)).toEqual([1])
    }
  })

  it('no more than maxAgents are kept', () => {
    expectConsole()
    const buffer = new PoseBuffer(codec, { maxAgents: 3 })
    for (let i = 0; i < 9; i++) buffer.receive(packet(0.1 * i, [i, i + 1, i + 2, i + 3]), 0.1 * i)
    runTo(buffer, 0.8, 1)
    expect(buffer.agents.length).toBeLessThanOrEqual(3)
  })

  it('after clear it starts anew', () => {
    expectConsole()
    let left = 0
    const buffer = new PoseBuffer(codec, { leave: () => void left++ })
    for (let i = 0; i < 5; i++) buffer.receive(packet(50 + 0.1 * i, [1]), 0.1 * i)
    buffer.update(0.4)
    buffer.clear()
    expect([left, buffer.agents.length]).toEqual([1, 0])
    buffer.receive(packet(3, [4]), 0.5)
    buffer.update(0.5)
    expect(buffer.time).toBeCloseTo(2.8, 9)
    buffer.update(0.71)
    expect(keysOf(buffer)).toEqual([4])
  })
})

it('follows a server that comes back from a snapshot with an older clock', () => {
  let changes = 0
  const buffer = new PoseBuffer(codec, { enter: () => void changes++, leave: () => void changes++ })
  for (let i = 0; i < 60; i++) {
    const time = i < 30 ? 20 + 0.1 * i : 12 + 0.1 * i
    buffer.receive(packet(time, [1, 2]), 0.1 * i)
    runTo(buffer, 0.1 * i, 0.1 * (i + 1))
  }
  expect(buffer.time).toBeCloseTo(17.8, 1)
  expect(buffer.get(2)!.position.x).toBeCloseTo(20 + 2 * buffer.time, 2)
  expect(changes).toBe(2)
})

it('an agent that leaps is not drawn on the way, as in a world that wraps around', () => {
  const buffer = new PoseBuffer(codec)
  const places: number[] = []
  for (let i = 0; i < 20; i++) {
    const x = 90 + i < 100 ? 90 + i : i - 110
    buffer.receive(
      new PoseWriter(codec)
        .begin(0.1 * i)
        .addPose(1, { x, y: 0, z: 0 }, { x: 10, y: 0, z: 0 })
        .end(),
      0.1 * i,
    )
    for (let k = 0; k < 6; k++) {
      buffer.update(0.1 * i + k * DT)
      if (buffer.agents.length > 0) places.push(buffer.get(1)!.position.x)
    }
  }
  expect(places.filter((x) => Math.abs(x) < 89)).toEqual([])
  expect(places.at(-1)!).toBeLessThan(-91)
})

it('without velocities in the packets they are derived from the positions', () => {
  const plain = new PoseCodec({ ...BOX, velocityBits: 0 })
  const buffer = new PoseBuffer(plain)
  // a circle of 10 m at 5 m/s
  const at = (time: number): Vec3 => ({ x: 10 * Math.cos(time / 2), y: 0, z: 10 * Math.sin(time / 2) })
  let worst = 0
  for (let i = 0; i < 40; i++) {
    buffer.receive(
      new PoseWriter(plain)
        .begin(0.1 * i)
        .addPose(1, at(0.1 * i))
        .end(),
      0.1 * i,
    )
    for (let k = 0; k < 6; k++) {
      buffer.update(0.1 * i + k * DT)
      if (i < 5) continue
      worst = Math.max(worst, distance(buffer.get(1)!.position, at(buffer.time)))
      const { x, y, z } = buffer.get(1)!.velocity
      expect(Math.hypot(x, y, z)).toBeCloseTo(5, 1)
    }
  }
  expect(worst).toBeLessThan(0.01)
})

describe('shows agents', () => {
  it('as objects of their own, and as instances of a mesh', () => {
    const mesh = new InstancedMesh(undefined, undefined, 3)
    const ship = new Object3D()
    const left: unknown[] = []
    const buffer = new PoseBuffer(codec, {
      enter: (key) => (key === 1 ? ship : key < 5 ? mesh : null),
      leave: (key, shown) => left.push([key, shown === mesh]),
    })
    for (let i = 0; i < 12; i++) {
      buffer.receive(packet(0.1 * i, i < 7 ? [1, 2, 3, 4, 5] : [1, 3, 4, 5]), 0.1 * i)
      runTo(buffer, 0.1 * i, 0.1 * (i + 1))
      if (i === 5) expect(mesh.count).toBe(3)
    }
    expect(left).toEqual([[2, true]])
    expect(mesh.count).toBe(2)
    expect(ship.position.x).toBeCloseTo(10 + 2 * buffer.time, 2)
    const matrix = new Matrix4()
    const xs = [0, 1].map((i) => {
      mesh.getMatrixAt(i, matrix)
      return new Vector3().setFromMatrixPosition(matrix).x
    })
    for (const [i, x] of xs.sort((a, b) => a - b).entries())
      expect(x).toBeCloseTo(10 * (3 + i) + 2 * buffer.time, 2)
    buffer.clear()
    expect(mesh.count).toBe(0)
  })

  it('as views of one’s own', () => {
    const written: [number, number][] = []
    let flushed = -1
    const view = {
      write: (index: number, { position }: { position: Vec3 }) => void written.push([index, position.x]),
      flush: (count: number) => void (flushed = count),
    }
    const buffer = new PoseBuffer(codec, { enter: () => view })
    for (let i = 0; i < 5; i++) buffer.receive(packet(0.1 * i, [1, 2]), 0.1 * i)
    buffer.update(0.4)
    expect(written.map(([index]) => index)).toEqual([0, 1])
    expect(flushed).toBe(2)
  })
})

describe('is refused in words', () => {
  const buffer = new PoseBuffer(codec)
  it.each<[string, () => unknown, RegExp]>([
    ['no codec', () => new PoseBuffer({} as never), /^PoseBuffer: codec: got .*must be a PoseCodec/],
    ['a delay', () => new PoseBuffer(codec, { delay: -1 }), /^PoseBuffer\.delay: got -1/],
    ['no agents', () => new PoseBuffer(codec, { maxAgents: 0 }), /^PoseBuffer\.maxAgents: got 0/],
    [
      'a callback',
      () => new PoseBuffer(codec, { enter: 5 as never }),
      /^PoseBuffer\.enter: got 5, must be a function/,
    ],
    ['a time', () => buffer.receive(packet(1, [1]), NaN), /^receive: now: got NaN/],
    ['a source', () => buffer.receive(packet(1, [1]), 1, {} as never), /^receive: source: got/],
    ['bytes', () => buffer.receive(new Uint8Array(40), 1), /^read: got a damaged packet/],
    ['a frame', () => buffer.update(Infinity), /^update: now: got Infinity/],
    [
      'a thing that shows nothing',
      () => {
        const shows = new PoseBuffer(codec, { enter: () => ({}) as never })
        shows.receive(packet(1, [1]), 1)
        shows.update(1)
        shows.update(1.5)
      },
      /^view: got/,
    ],
  ])('%s', (_, make, text) => expect(make).toThrow(text))

  it('and then nothing has changed', () => {
    expect(buffer.agents).toEqual([])
    expect(buffer.receive(packet(1, [1]), 1)).toBe(true)
  })
})

it('whatever comes in whatever order, time never goes back and everything is finite', () => {
  expectConsole()
  for (let run = 0; run < pick(3, 40, 1000); run++) {
    const random = seeded(run)
    const velocityBits = ([0, 10, 16] as const)[run % 3]!
    const mixed = new PoseCodec({ ...BOX, velocityBits })
    const buffer = new PoseBuffer(mixed, { delay: random() < 0.3 ? 0 : 0.3 * random(), maxAgents: 20 })
    const sent: Uint8Array[] = []
    let now = 100 * random()
    let time = -Infinity
    for (let i = 0; i < 120; i++) {
      now += random() < 0.02 ? 3 * random() : 0.03 * random()
      const keys = Array.from({ length: 10 }, () => Math.floor(12 * random()))
      sent.push(packet(2 + 0.02 * i + (random() < 0.1 ? random() : 0), keys, mixed, random() < 0.7))
      for (let k = 0; k < 2; k++) {
        const which = sent[Math.max(0, sent.length - 1 - Math.floor(8 * random() * random()))]!
        buffer.receive(which, now, random() < 0.5 ? 'a' : 'b')
      }
      buffer.update(now)
      expect(buffer.time).toBeGreaterThanOrEqual(time)
      time = buffer.time
      for (const { position, quaternion, velocity } of buffer.agents) {
        const { x, y, z } = position
        expect(Math.abs(x + y + z + velocity.x + velocity.y + velocity.z)).toBeLessThan(1000)
        expect(Math.abs(Math.hypot(quaternion.x, quaternion.y, quaternion.z, quaternion.w) - 1)).toBeLessThan(
          1e-6,
        )
      }
    }
  }
})

describe('new agents after a change of clocks', () => {
  it.each([
    ['back', 30, 12],
    ['forward', 12, 30],
  ])('are drawn when the server comes back and its clock was set %s', (_, first, second) => {
    const buffer = new PoseBuffer(codec)
    for (let i = 0; i < 40; i++) {
      buffer.receive(packet((i < 20 ? first : second) + 0.1 * i, i < 20 ? [1] : [1, 2]), 0.1 * i)
      runTo(buffer, 0.1 * i, 0.1 * (i + 1))
    }
    expect(keysOf(buffer)).toEqual([1, 2])
    expect(buffer.time).toBeCloseTo(second + 3.8, 1)
  })

  it('are drawn when the local clock was set back or forward', () => {
    for (const shift of [-3600, 3600]) {
      const buffer = new PoseBuffer(codec)
      for (let i = 0; i < 120; i++) {
        const now = 0.1 * i + (i < 20 ? 0 : shift)
        buffer.receive(packet(0.1 * i, i < 30 ? [1] : [1, 2]), now)
        runTo(buffer, now, now + 0.1)
      }
      expect(keysOf(buffer)).toEqual([1, 2])
      expect(Math.abs(buffer.time - 11.8)).toBeLessThan(0.05)
    }
  })
})
