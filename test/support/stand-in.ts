import type { Agent, Behavior, Step, Vec3, Vec3Like, Wrench } from 'three-steering'
import type { Neighborhood } from 'three-steering/authoring'
import {
  attitudeFrame,
  axesQuat,
  copyFrame,
  DEFAULT_FORWARD,
  DEFAULT_UP,
  frame,
} from '../../src/core/math/frame.js'
import { quat } from '../../src/core/math/quat.js'
import { length } from '../../src/core/math/vec3.js'

/** An agent with writable state. */
export type StandIn = { -readonly [K in keyof Agent]: Agent[K] }

const alone: Neighborhood = {
  count: 0,
  row: new Int32Array(0),
  distanceSq: new Float64Array(0),
  position: new Float64Array(0),
  velocity: new Float64Array(0),
  group: new Int32Array(0),
  id: new Int32Array(0),
  seed: new Int32Array(0),
  maxRadius: 0,
  radius: () => 0,
  mass: () => 0,
  maxSpeed: () => 0,
  priority: () => 1,
  avoids: () => 0,
  isManual: () => false,
}

/**
 * A single agent for tests of one function: 1 kg, at rest at the origin, nose along +Z, unless `state`
 * differs. Its attitude frame follows from `orientation` and `axes`, its speed from `velocity`.
 */
export function standIn(state: Partial<StandIn> = {}): StandIn {
  const orientation = state.orientation ?? quat()
  const axes = state.axes ?? axesQuat(quat(), DEFAULT_FORWARD, DEFAULT_UP)
  const attitude = attitudeFrame(frame(), orientation, axes)
  const velocity = state.velocity ?? { x: 0, y: 0, z: 0 }
  return {
    id: 0,
    slot: 0,
    generation: 1,
    seed: 1,
    position: { x: 0, y: 0, z: 0 },
    velocity,
    speed: length(velocity),
    orientation,
    angularVelocity: { x: 0, y: 0, z: 0 },
    course: copyFrame(frame(), attitude),
    attitude,
    axes,
    mass: 1,
    inertia: { x: 1, y: 1, z: 1 },
    inertiaFrame: { x: 0, y: 0, z: 0, w: 1 },
    center: { x: 0, y: 0, z: 0 },
    radius: 0.5,
    maxSpeed: 10,
    maxForce: 100,
    maxTorque: 10,
    maxTurnRate: 6,
    priority: 1,
    responseTime: 0.1,
    group: 1,
    damping: 0,
    angularDamping: 0,
    gravity: { x: 0, y: 0, z: 0 },
    lastForce: { x: 0, y: 0, z: 0 },
    plane: { x: 0, y: 0, z: 0 },
    stepHeight: 0,
    maxSlope: 0,
    axis: { x: 0, y: 0, z: 0 },
    compensateGravity: false,
    compensateDamping: false,
    neighbors: alone,
    wish: null,
    explainer: null,
    flockCenter: { x: 0, y: 0, z: 0 },
    forceAlong: () => state.maxForce ?? 100,
    forceLag: 0,
    forceTurnTime: 0,
    turnForForce: () => {},
    random: () => 0.5,
    ...state,
  }
}

export function stepOf(dt = 1 / 60, emit: Step['emit'] = () => {}): Step {
  return { dt, time: 0, tick: 0, up: { x: 0, y: 1, z: 0 }, emit }
}

export function wrench(
  force: Vec3Like = { x: 0, y: 0, z: 0 },
  torque: Vec3Like = { x: 0, y: 0, z: 0 },
): Wrench {
  return { force: { ...force }, torque: { ...torque }, turns: false }
}

/** A behaviour that always asks for the same force, and for no torque. */
export function pushing(force: Vec3Like): Behavior & { force: Vec3 } {
  return {
    force: { x: force.x, y: force.y, z: force.z },
    steer(_agent, _step, out) {
      out.force.x += this.force.x
      out.force.y += this.force.y
      out.force.z += this.force.z
    },
  }
}
