import { describe, expect, it } from 'vitest'
import { seeded } from 'three-steering/authoring'
import { PoseBuffer, PoseCodec, PoseWriter } from 'three-steering/net'
import { leastHeapUse, measuringOverhead } from '../support/heap.js'

/**
 * A packet and a frame make no object for an agent. As in the law of steps, JavaScript boxes numbers (16
 * bytes) that pass between functions which are not inlined, so the bounds are one and a half times what was
 * measured.
 */
const COUNT = 300
const WRITER_BOUND = 300
const BUFFER_BOUND = 1300
const FRAMES = 60
const RETAINED = 200_000

const codec = new PoseCodec({
  min: { x: -100, y: -100, z: -100 },
  max: { x: 100, y: 100, z: 100 },
  maxSpeed: 10,
})
const random = seeded(3)
const spread = (size: number): number => size * (2 * random() - 1)
const agents = Array.from({ length: COUNT }, (_, key) => ({
  key,
  position: { x: spread(90), y: spread(90), z: spread(90) },
  velocity: { x: spread(5), y: spread(5), z: spread(5) },
  quaternion: { x: 0, y: Math.sin(key), z: 0, w: Math.cos(key) },
}))

function packet(writer: PoseWriter, time: number): Uint8Array {
  writer.begin(time)
  for (let i = 0; i < COUNT; i++) {
    const { key, position, quaternion, velocity } = agents[i]!
    writer.addPose(key, position, velocity, quaternion)
  }
  return writer.end()
}

function bytesPerAgent(name: string, bound: number, work: () => void): number {
  for (let i = 0; i < 200; i++) work()
  const { allocated, retained } = leastHeapUse(work, FRAMES, bound * COUNT, RETAINED)
  const perAgent = Math.max(0, allocated - measuringOverhead(FRAMES)) / COUNT
  if (process.env['ALLOCATION'] === 'print')
    process.stdout.write(`${name}: ${perAgent.toFixed(1)} B per agent, retained ${retained} B in all\n`)
  return retained < RETAINED ? perAgent : Infinity
}

describe('300 agents', () => {
  it.each([false, true])('are written by a PoseWriter without objects, as differences: %s', (differences) => {
    const writer = new PoseWriter(codec, { differences })
    let time = 0
    const bytes = bytesPerAgent('PoseWriter', WRITER_BOUND, () => packet(writer, (time += 0.1)))
    expect(bytes).toBeLessThan(WRITER_BOUND)
  })

  it.each([false, true])(
    'are received and drawn by a PoseBuffer without objects, as differences: %s',
    (differences) => {
      const writer = new PoseWriter(codec, { differences })
      const buffer = new PoseBuffer(codec)
      let time = 0
      const bytes = bytesPerAgent('PoseBuffer', BUFFER_BOUND, () => {
        time += 0.1
        buffer.receive(packet(writer, time), time)
        for (let frame = 0; frame < 6; frame++) buffer.update(time + frame / 60)
      })
      expect(bytes).toBeLessThan(BUFFER_BOUND)
      expect(buffer.agents).toHaveLength(COUNT)
    },
  )
})
