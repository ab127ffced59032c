import { PoseCodec } from 'three-steering/net'
import { AXES, TRAITS } from '../world/craft.js'
import { DT, HALF_HEIGHT, HALF_WIDTH, STEPS_PER_FRAME, type Plan } from '../world/plan.js'

/** Kinds of messages. */
export const POSES = 'poses'
export const STICK = 'stick'
export const SHIP = 'ship'

/** What a player needs to steer its ship, also after its connection was lost. Only that player gets it. */
export interface ShipMessage {
  readonly key: number
  readonly secret: string
}

/** What the page asks for first, at `/world`. */
export interface WorldMessage {
  readonly plan: Plan
  /** Host and port of the process of each cell: null for that of the page, empty where nobody serves it. */
  readonly cells: readonly { readonly address: string | null; readonly roomId: string }[]
}

export const roomIdOf = (cell: number): string => `cell-${cell}`

/** Time (s) between two frames of a room. */
export const FRAME_TIME = DT * STEPS_PER_FRAME

/** Largest rounding of a position that nobody sees (m). */
const FINE_ENOUGH = 0.01

/** How poses travel: the same for all rooms of a world. */
export function codecOf({ length }: Plan): PoseCodec {
  const margin = 5
  const max = { x: length / 2 + margin, y: HALF_HEIGHT + margin, z: HALF_WIDTH + margin }
  return new PoseCodec({
    min: { x: -max.x, y: -max.y, z: -max.z },
    max,
    maxSpeed: 1.2 * Math.max(...Object.values(TRAITS).map((traits) => traits.maxSpeed)),
    positionBits: length / 2 ** 16 < FINE_ENOUGH ? 16 : 24,
  })
}

/** The axes of a stick, −1 … 1, one byte each. Anything else counts as 0. */
export function writeStick(axes: readonly number[]): Uint8Array {
  const bytes = new Int8Array(AXES.length)
  for (let i = 0; i < bytes.length; i++) bytes[i] = Math.round(127 * Math.max(-1, Math.min(1, axes[i]! || 0)))
  return new Uint8Array(bytes.buffer)
}

/** Reads a stick into `axes`. Returns false, and changes nothing, for bytes that are no stick. */
export function readStick(bytes: Uint8Array, axes: number[]): boolean {
  if (bytes.length !== AXES.length) return false
  for (let i = 0; i < bytes.length; i++) axes[i] = Math.max(-1, ((bytes[i]! << 24) >> 24) / 127)
  return true
}
