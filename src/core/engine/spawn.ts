import type { Quat, SteeringBody, Vec3 } from '../types.js'
import { leanTowards } from '../control/nose.js'
import { modelAttitude } from '../control/turn.js'
import { carryFrame, frame } from '../math/frame.js'
import { quat, quatFromAxes } from '../math/quat.js'
import { seeded } from '../math/random.js'
import { TAU } from '../math/scalar.js'
import { length, scale, vec3 } from '../math/vec3.js'
import type { Agents } from './agents.js'
import { bodyState, readBody } from './body-state.js'
import type { AgentOptions, AgentSettings, StateOptions } from './options.js'
import type { InstancedMeshLike, Viewable } from './views.js'

/**
 * State in which member `index` of a flock starts: m, m/s, attitude. Fields are preset and may be
 * overwritten. A quaternion that is not overwritten is replaced by one whose nose points along the velocity.
 */
export interface SpawnState {
  readonly position: Vec3
  readonly velocity: Vec3
  readonly quaternion: Quat
}

export interface FlockOptions extends AgentOptions {
  /** Number of members, whole, ≥ 0. */
  count: number
  /** Shows the members: an `InstancedMesh` or a view of your own. Default none. */
  view?: Viewable | InstancedMeshLike
  /**
   * Writes the start of each member. Default: evenly distributed in a ball, flying in all directions at half
   * of `maxSpeed`.
   */
  spawn?: (index: number, state: SpawnState) => void
  /** Physics body of each member. Default none: members integrate themselves. */
  body?: (index: number) => SteeringBody
}

/**
 * Start in a ball of radius `ball` (m), flying in any direction. Depends only on the flock's seed and the
 * member's number.
 */
export function defaultStart(
  { seed = 0, maxSpeed }: Pick<AgentSettings, 'seed' | 'maxSpeed'>,
  born: number,
  ball: number,
): SpawnState {
  const random = seeded(seed + born)
  const speed = maxSpeed < Infinity ? maxSpeed / 2 : 1
  return {
    position: onSphere(ball * Math.cbrt(random()), random),
    velocity: onSphere(speed, random),
    quaternion: quat(),
  }
}

function onSphere(radius: number, random: () => number): Vec3 {
  const y = 2 * random() - 1
  const angle = TAU * random()
  const ringRadius = Math.sqrt(1 - y * y)
  return vec3(radius * ringRadius * Math.cos(angle), radius * y, radius * ringRadius * Math.sin(angle))
}

export function isUnturned({ quaternion: { x, y, z, w } }: SpawnState): boolean {
  return x === 0 && y === 0 && z === 0 && w === 1
}

/** Points the nose along the velocity, the top as far up as that allows. */
export function faceAlong({ velocity, quaternion }: SpawnState, agents: Agents, row: number): void {
  const speed = length(velocity)
  if (!(speed > 0 && speed < Infinity)) return
  const f = carryFrame(frame(), scale(vec3(), velocity, 1 / speed))
  leanTowards(f, { x: 0, y: 1, z: 0 })
  const [x, y, z, w] = agents.axes.subarray(4 * row, 4 * row + 4)
  modelAttitude(quaternion, quatFromAxes(quat(), f.x, f.y), quat(x, y, z, w))
}

/** Start of a controller: the state of its body, else the options, else the pose of the object. */
export function startOf(
  object: Viewable | null,
  options: StateOptions,
  body: SteeringBody | null,
): Required<StateOptions> {
  if (body !== null) {
    readBody(body)
    return bodyState
  }
  // a view that a user wrote may have no pose
  const pose = object as Partial<StateOptions> | null
  const {
    position = pose?.position ?? vec3(),
    quaternion = pose?.quaternion ?? quat(),
    velocity = vec3(),
    angularVelocity = vec3(),
  } = options
  return { position, quaternion, velocity, angularVelocity }
}
