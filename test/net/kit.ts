import fc from 'fast-check'
import { PoseCodec, type PoseCodecOptions } from 'three-steering/net'

/** A box that is not about the origin, and a codec for it. */
export const BOX = { min: { x: -200, y: -5, z: 1000 }, max: { x: 200, y: 50, z: 1100 } }
export const codecOf = (options: Partial<PoseCodecOptions> = {}): PoseCodec =>
  new PoseCodec({ ...BOX, maxSpeed: 12, ...options })

export const within = (low: number, high: number) => fc.double({ min: low, max: high, noNaN: true })
export const positions = fc.record({ x: within(-200, 200), y: within(-5, 50), z: within(1000, 1100) })
export const velocities = fc.record({ x: within(-12, 12), y: within(-12, 12), z: within(-12, 12) })
export const forms = fc.record({
  positionBits: fc.constantFrom(16, 24, 32),
  velocityBits: fc.constantFrom(0, 10, 16),
  attitude: fc.boolean(),
}) as fc.Arbitrary<Required<Pick<PoseCodecOptions, 'positionBits' | 'velocityBits' | 'attitude'>>>
