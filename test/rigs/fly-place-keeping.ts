import type * as CANNON from 'cannon-es'
import { Hover, SteeringController, SteeringWorld, Thrusters } from 'three-steering'
import { axesQuat, carryFrame, type Frame } from 'three-steering/authoring'
import type { Behavior, Locomotion, Vec3, Vec3Like } from 'three-steering'
import { addBall, makePhysics } from './bodies.js'
import type { PlaceScene, SceneTarget, Trajectory } from './place-keeping.js'
import { distance, Flips } from '../../demo/scenarios/metrics.js'
import { Audit } from './pursuit.js'
import { inner, minus, ORIGIN, outer, plus, times, unit, vec } from '../../demo/scenarios/vectors.js'

export interface PlaceFlightOptions {
  /** Step (s). Default 1/60. */
  readonly dt?: number
  /** Whether cannon-es moves the agent, as a sphere without collision response. Default 'none'. */
  readonly bodies?: 'none' | 'cannon'
  /**
   * Whether the targets move by a formula, or are pushed along their trajectories as bodies. Default
   * 'scripted'.
   */
  readonly targets?: 'scripted' | 'pushed'
}

export interface PlaceFlight {
  readonly scene: PlaceScene
  /** Time at which the agent first was within half a metre of its place (s). */
  readonly joined: number
  /** Greatest and mean distance from its place (m), from {@link SETTLING} (s) later on. */
  readonly greatest: number
  readonly mean: number
  /** J after joining: reversals of the turn rate (1/s). */
  readonly jitter: number
  /** Length of its path (m). */
  readonly length: number
  /** Whether the flight exceeded its force or speed, or jumped. */
  readonly void: boolean
  /** Its position, every 1/30 s. */
  readonly track: readonly Vec3Like[]
}

/** The agent has joined within this distance (m). */
const NEAR = 0.5
/** Time after joining from which the error is measured (s). */
export const SETTLING = 4

/** Flies a scene and measures it. Deterministic. */
export function flyPlaceScene(scene: PlaceScene, options: PlaceFlightOptions = {}): PlaceFlight {
  const { dt = 1 / 60, bodies = 'none', targets: targetMotion = 'scripted' } = options
  const { agent, behave, limit, responseTime, trajectories } = scene
  const world = new SteeringWorld({ seed: scene.seed })
  const physics = makePhysics(world, bodies)
  const { position, velocity, mass, radius, maxSpeed, maxForce } = agent
  const own = physics === null ? { position, velocity, mass } : { body: addBall(physics, agent) }
  const hosts = trajectories.map((trajectory) =>
    targetMotion === 'pushed' ? pushed(trajectory, world, physics) : scripted(trajectory, scene.facing),
  )
  const others = hosts.map(({ target }) => target)
  const pilot = new SteeringController(null, {
    behavior: behave(others),
    locomotion: locomotionOf(scene),
    ...own,
    radius,
    maxSpeed,
    maxForce,
    responseTime,
    maxTorque: 8 * mass * radius * radius,
    maxTurnRate: 4,
  })
  world.add(pilot)
  const audit = new Audit(agent, dt)
  const flips = new Flips(0.01 * maxSpeed)
  const track: Vec3Like[] = []
  let [joined, greatest, sum, count, pathLength, here] = [Infinity, 0, 0, 0, 0, position]
  const every = Math.max(1, Math.round(1 / 30 / dt))
  for (let i = 1; i * dt <= limit + 1e-9; i++) {
    const time = i * dt
    if (physics === null) world.step(dt)
    else physics.step(dt)
    for (const { moveOn } of hosts) moveOn(time)
    const now = physics?.bodies[0] ?? pilot
    audit.update(now.position, now.velocity)
    pathLength += distance(here, now.position)
    here = plus(now.position, ORIGIN)
    if (i % every === 0) track.push(here)
    const error = scene.errorAt(here, others)
    if (error < NEAR) joined = Math.min(joined, time)
    if (time > joined) flips.see(now.velocity, dt)
    if (!(time > joined + SETTLING)) continue
    greatest = Math.max(greatest, error)
    sum += error
    count++
  }
  world.dispose()
  const fair = count > 0 ? { greatest, mean: sum / count } : { greatest: Infinity, mean: Infinity }
  return {
    scene,
    joined,
    ...fair,
    jitter: flips.count / Math.max(limit - joined, 1),
    length: pathLength,
    void: audit.void,
    track,
  }
}

/** Mean distance between two flights of the same scene, over the length of the path. */
export function pathDifference(one: PlaceFlight, other: PlaceFlight): number {
  const samples = Math.min(one.track.length, other.track.length)
  let sum = 0
  for (let i = 0; i < samples; i++) sum += distance(one.track[i]!, other.track[i]!)
  return sum / samples / one.length
}

function locomotionOf({ make, agent }: PlaceScene): Locomotion {
  if (make !== 'ship') return new Hover()
  const ahead = agent.maxForce
  const side = ahead / 2
  return new Thrusters({ ahead, up: side, down: side, port: side, starboard: side })
}

/** A target on its trajectory. */
interface Host {
  readonly target: SceneTarget
  /** Call after a step, with the time then (s). */
  readonly moveOn: (time: number) => void
}

/** A target that moves by a formula. */
function scripted(trajectory: Trajectory, facing: boolean): Host {
  const { position, velocity } = trajectory(0)
  const course = levelFrame(velocity)
  const place = { position: { ...position }, velocity: { ...velocity }, course }
  const quaternion = axesQuat({ x: 0, y: 0, z: 0, w: 1 }, course.x, course.y)
  const angularVelocity = turnRate(trajectory, 0)
  const target: SceneTarget = facing
    ? { ...place, quaternion, angularVelocity, forward: vec(1, 0, 0), up: vec(0, 1, 0) }
    : place
  const moveOn = (time: number): void => {
    const now = trajectory(time)
    Object.assign(target.position, now.position)
    Object.assign(target.velocity, now.velocity)
    carryFrame(course, unit(now.velocity))
    axesQuat(quaternion, course.x, course.y)
    Object.assign(angularVelocity, turnRate(trajectory, time))
  }
  return { target, moveOn }
}

/** A target that is pushed along its trajectory, as a body. */
function pushed(trajectory: Trajectory, world: SteeringWorld, physics: CANNON.World | null): Host {
  const { position, velocity } = trajectory(0)
  const behavior: Behavior = {
    steer(agent, { dt, time }, { force }) {
      Object.assign(force, times(minus(trajectory(time + dt).velocity, agent.velocity), agent.mass / dt))
    },
  }
  const traits = { behavior, maxSpeed: Infinity, maxForce: 1e9 }
  const own = { mass: 3, radius: 0.5, position, velocity }
  const body = physics === null ? null : addBall(physics, own)
  const pilot = new SteeringController(null, body === null ? { ...traits, ...own } : { ...traits, body })
  world.add(pilot)
  const target = { position: { ...position }, velocity: { ...velocity }, course: levelFrame(velocity) }
  const index = physics === null ? 0 : physics.bodies.length - 1
  const moveOn = (): void => {
    const now = physics?.bodies[index] ?? pilot
    Object.assign(target.position, plus(now.position, ORIGIN))
    Object.assign(target.velocity, plus(now.velocity, ORIGIN))
    carryFrame(target.course, unit(target.velocity))
  }
  return { target, moveOn }
}

function levelFrame(velocity: Vec3Like): Frame {
  const x = unit(velocity)
  const up = Math.abs(x.y) > 0.999 ? vec(1, 0, 0) : vec(0, 1, 0)
  const y = unit(plus(up, x, -inner(up, x)))
  return { x, y, z: outer(x, y) }
}

function turnRate(trajectory: Trajectory, time: number): Vec3 {
  const [before, now, after] = [-1e-5, 0, 1e-5].map((k) => trajectory(time + k).velocity)
  return times(outer(now!, minus(after!, before!)), 0.5e5 / inner(now!, now!))
}
