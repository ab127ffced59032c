import * as CANNON from 'cannon-es'
import {
  AvoidObstacles,
  BoxShape,
  Flight,
  FollowPath,
  Hover,
  Obstacles,
  ReciprocalAvoidance,
  SteeringController,
  SteeringWorld,
  Thrusters,
  within,
  type Behavior,
  type Locomotion,
  type Quat,
  type Vec3,
} from 'three-steering'
import { type Frame, type SteeringBody, axesQuat } from 'three-steering/authoring'
import { boxPattern, Formation, KeepPace, KeepSlot } from 'three-steering/formation'
import { attachToCannon, cannonBody, obstaclesFromCannon } from 'three-steering/cannon'
import { GateRecorder, type GatePilot, type GateTrialResult } from './gate-recorder.js'
import type { GateTrial } from './narrow-gate.js'
import { conjugate, plus, product, turned, vec } from '../../demo/scenarios/vectors.js'

export interface GateTrialOptions {
  /** Step (s). Default 1/60. */
  readonly dt?: number
  /**
   * Whether cannon-es moves the agents, as spheres that collide with each other and the wall. Default 'none'.
   */
  readonly bodies?: 'none' | 'cannon'
}

/** Half size of the wall, in half widths of the block. So large that no agent flies around it. */
const WALL = 14
/** Longest duration (s). */
const LIMIT = 120

/** Flies a scene and measures it. Deterministic. */
export function flyGateTrial(trial: GateTrial, options: GateTrialOptions = {}): GateTrialResult {
  const { dt = 1 / 60, bodies = 'none' } = options
  const world = new SteeringWorld({ seed: trial.seed })
  const physics = bodies === 'none' ? null : new CANNON.World()
  if (physics !== null) attachToCannon(world, physics)
  const wall = makeWall(trial, physics)
  const { formation, pilots, step } = muster(trial, world, physics, wall)
  const recorder = new GateRecorder(trial, formation, pilots, wall, dt)
  for (let i = 1; i * dt <= LIMIT && !recorder.done; i++) {
    step(dt)
    recorder.update(i)
  }
  world.dispose()
  return recorder.result()
}

/** Four slabs around the gate, as obstacles or as bodies. */
function makeWall({ gate, half, radius, spacing, turn }: GateTrial, physics: CANNON.World | null): Obstacles {
  const out = WALL * (spacing + radius)
  const slabs = [
    { size: vec((out - half.x) / 2, out, half.z), at: vec((out + half.x) / 2, 0, 0) },
    { size: vec((out - half.x) / 2, out, half.z), at: vec(-(out + half.x) / 2, 0, 0) },
    { size: vec(half.x, (out - half.y) / 2, half.z), at: vec(0, (out + half.y) / 2, 0) },
    { size: vec(half.x, (out - half.y) / 2, half.z), at: vec(0, -(out + half.y) / 2, 0) },
  ].map(({ size, at }) => ({ size, at: plus(gate, turned(turn, at)) }))
  if (physics === null)
    return new Obstacles(slabs.map(({ size, at }) => ({ shape: new BoxShape(size), at, turn })))
  for (const { size, at } of slabs) {
    const body = new CANNON.Body({ mass: 0, type: CANNON.Body.STATIC })
    body.addShape(new CANNON.Box(new CANNON.Vec3(size.x, size.y, size.z)))
    body.position.set(at.x, at.y, at.z)
    body.quaternion.set(turn.x, turn.y, turn.z, turn.w)
    physics.addBody(body)
  }
  return obstaclesFromCannon(physics)
}

interface Muster {
  readonly formation: Formation
  readonly pilots: readonly GatePilot[]
  readonly step: (dt: number) => void
}

/** Group of the members. The leader is in another group and is not avoided. */
const MEMBERS = 1
const UNSEEN = 2

/** Places all members at the start of the path, and the leader, which is not seen by others. */
function muster(
  trial: GateTrial,
  world: SteeringWorld,
  physics: CANNON.World | null,
  wall: Obstacles,
): Muster {
  const { count, cruise, mass, maxForce, maxSpeed, path, radius, spacing } = trial
  const pattern = (members: number, gap: number): ReturnType<typeof boxPattern> =>
    boxPattern(members, gap, { width: 3, height: 3 })
  let way = 0
  const formation = new Formation({
    pattern,
    spacing,
    frame: 'course',
    route: (ahead, out) => void path.pointAt(out, way + ahead),
    obstacles: wall,
  })
  const frame = path.frameAt({ x: vec(0, 0, 0), y: vec(0, 0, 0), z: vec(0, 0, 0) }, 0)
  const traits = { mass, radius, maxSpeed, maxForce, maxTorque: 8 * mass * radius * radius, maxTurnRate: 3 }
  const motion = { velocity: plus(vec(0, 0, 0), frame.x, cruise), quaternion: quaternionOf(frame) }
  const leader = new SteeringController(null, {
    ...traits,
    ...motion,
    position: path.pointAt(vec(0, 0, 0), 0),
    behavior: within([new KeepPace({ formation })], new FollowPath({ path, speed: cruise, end: 'pass' })),
    group: UNSEEN,
  })
  formation.leader = leader
  world.add(leader)
  const behavior = within(
    [
      new AvoidObstacles({ obstacles: wall }),
      new ReciprocalAvoidance({ neighborDistance: 6 * spacing, groups: MEMBERS }),
    ],
    new KeepSlot({ formation }),
  )
  const seats: Seat[] = []
  for (const { position: slot } of pattern(count, spacing)) {
    const position = plus(plus(plus(leader.position, frame.x, slot.x), frame.y, slot.y), frame.z, slot.z)
    const options = { ...traits, behavior, locomotion: locomotionOf(trial), group: MEMBERS }
    seats.push(seat(world, physics, options, { ...motion, position }))
  }
  const pilots = seats.map(({ pilot, body }) => ({
    get position() {
      return (body ?? pilot).position
    },
    get velocity() {
      return (body ?? pilot).velocity
    },
    get id() {
      return pilot.id
    },
  }))
  const step = (dt: number): void => {
    if (physics === null) world.step(dt)
    else physics.step(dt)
    way = path.nearest(leader.position, way - spacing, way + 4 * spacing)
  }
  return { formation, pilots, step }
}

interface Seat {
  readonly pilot: SteeringController
  readonly body: CANNON.Body | null
}

interface Traits {
  readonly mass: number
  readonly radius: number
  readonly maxSpeed: number
  readonly maxForce: number
  readonly maxTorque: number
  readonly maxTurnRate: number
  readonly group: number
  readonly behavior: Behavior
  readonly locomotion: Locomotion
}

function seat(
  world: SteeringWorld,
  physics: CANNON.World | null,
  traits: Traits,
  state: { readonly position: Vec3; readonly velocity: Vec3; readonly quaternion: Quat },
): Seat {
  let body: CANNON.Body | null = null
  let own: { mass: number } | { body: SteeringBody } = { mass: traits.mass }
  if (physics !== null) {
    const { position, velocity, quaternion } = state
    body = new CANNON.Body({
      mass: traits.mass,
      shape: new CANNON.Sphere(traits.radius),
      linearDamping: 0,
      angularDamping: 0,
    })
    body.position.set(position.x, position.y, position.z)
    body.velocity.set(velocity.x, velocity.y, velocity.z)
    body.quaternion.set(quaternion.x, quaternion.y, quaternion.z, quaternion.w)
    physics.addBody(body)
    own = { body: cannonBody(body) }
  }
  const { mass: _, ...others } = traits
  const pilot = new SteeringController(null, { ...others, ...own, ...(body === null ? state : {}) })
  world.add(pilot)
  return { pilot, body }
}

function locomotionOf({ cruise, make, maxForce }: GateTrial): Locomotion {
  if (make === 'drone') return new Hover()
  if (make === 'aircraft') return new Flight({ minSpeed: 0.3 * cruise })
  const side = maxForce / 2
  return new Thrusters({ ahead: maxForce, astern: side, up: side, down: side, port: side, starboard: side })
}

/** Attitude for a model with its nose along +z and its top along +y. */
function quaternionOf({ x, y }: Frame): Quat {
  const toNose = axesQuat({ x: 0, y: 0, z: 0, w: 1 }, vec(0, 0, 1), vec(0, 1, 0))
  const toFrame = axesQuat({ x: 0, y: 0, z: 0, w: 1 }, x, y)
  return product(toFrame, conjugate(toNose))
}
