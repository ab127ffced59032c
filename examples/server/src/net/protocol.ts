import { schema, t } from '@colyseus/schema'
import type { Room } from '@colyseus/sdk'
import { PoseCodec } from 'three-steering/net'
import { AXES, TRAITS } from '../world/craft.js'
import type { Tree } from '../world/cuts.js'
import { DT, STEPS_PER_FRAME, type Plan } from '../world/plan.js'

/** Kinds of messages. */
export const POSES = 'poses'
export const SHIP = 'ship'
export const OWN = 'own'

/**
 * How a client holds its stick in one step of its own ship: the axes, −127 … 127, and the number of the step. It has
 * flown that step before the server comes to it.
 */
export const StickInput = schema(
  {
    tick: t.uint32(),
    ahead: t.int8(),
    up: t.int8(),
    right: t.int8(),
    roll: t.int8(),
    pitch: t.int8(),
    yaw: t.int8(),
  },
  'StickInput',
)
export type StickInput = InstanceType<typeof StickInput>
/** Value of an axis that is all the way over. */
export const FULL_STICK = 127

/** Sends how the stick is held in a step: axes −1 … 1, anything else counts as 0. */
export function sendStick(room: Room, tick: number, axes: readonly number[]): void {
  const input = room.input<StickInput>()
  input.data.tick = tick
  for (const [i, axis] of AXES.entries())
    input.data[axis] = Math.round(FULL_STICK * Math.max(-1, Math.min(1, axes[i]! || 0)))
  input.send()
}

/** What only the player of a ship gets: how it was after a step, and whether the stick comes in time. */
export interface OwnState {
  readonly tick: number
  /** By how much the beat was more than the step, because the room has left out beats. */
  readonly lag: number
  /** By how much the step of a stick was more than the beat at which it came, at least, since this was told last. */
  readonly early: number
  /** Position (m), attitude, velocity (m/s) and angular velocity (rad/s) of the body. */
  readonly pose: readonly number[]
}

/** What a player needs to steer its ship, also after its connection was lost. Only that player gets it. */
export interface ShipMessage {
  readonly key: number
  readonly secret: string
}

/** How the world is cut: the trees that count now, or soon, or did until lately, the newest one first. */
export interface Division {
  readonly version: number
  readonly trees: readonly Tree[]
}

/** What the page asks for first, at `/world`. */
export interface WorldMessage {
  readonly plan: Plan
  readonly division: Division
  /** Host and port of the process of each cell: null for that of the page, empty where nobody serves it. */
  readonly cells: readonly { readonly address: string | null; readonly roomId: string }[]
}

export const roomIdOf = (cell: number): string => `cell-${cell}`

/** Time (s) between two frames of a room. */
export const FRAME_TIME = DT * STEPS_PER_FRAME

/** Largest rounding of a position that nobody sees (m). */
const FINE_ENOUGH = 0.01

/** How poses travel: the same for all rooms of a world. */
export function codecOf({ size }: Plan): PoseCodec {
  const margin = 5
  const max = { x: size.x / 2 + margin, y: size.y / 2 + margin, z: size.z / 2 + margin }
  return new PoseCodec({
    min: { x: -max.x, y: -max.y, z: -max.z },
    max,
    maxSpeed: 1.2 * Math.max(...Object.values(TRAITS).map((traits) => traits.maxSpeed)),
    positionBits: Math.max(size.x, size.y, size.z) / 2 ** 16 < FINE_ENOUGH ? 16 : 24,
  })
}
