import { hint } from '#hints'
import type { Body, World } from 'cannon-es'
import type { SteeringWorld } from '../../core/engine/world.js'
import type { BodyState, SteeringBody, Vec3Like, Wrench } from '../../core/types.js'
import { copyQuat } from '../../core/math/quat.js'
import { lockInertia, readEngineLock } from '../../core/math/engine-lock.js'
import { copy, isZero, length, set } from '../../core/math/vec3.js'
import { refuse } from '../../core/math/require.js'

/** Values of `CANNON.Body`, written out: Node may load another copy than the user's bundler. */
const DYNAMIC = 1
const AWAKE = 0

/**
 * A body hovers at rest when its force differs from its weight by less than this share of the weight
 * (dimensionless), and it is slower than this (m/s). Chosen by hand.
 */
const HOVER_TOLERANCE = 1e-6

/**
 * Connects an agent to one cannon-es body: reads its state and adds force and torque for the next internal
 * step only. Never writes pose or velocity. While the body is in no cannon world, its agent does not steer
 * and is not seen by other agents. A wrench that is not zero wakes a sleeping body and keeps a drowsy body
 * awake. Warns once when the body cannot be steered, also when it becomes so later: static or kinematic, mass
 * 0, or without shapes (it has no inertia and ignores torque).
 * @throws TypeError when `body` is not a cannon body.
 */
export function cannonBody(body: Body): SteeringBody {
  if (typeof body?.invInertia?.x !== 'number' || typeof body.force?.x !== 'number')
    refuse('cannonBody', body, 'must be a CANNON.Body')
  hint(body, () => whyImmovable(body))
  return {
    // shapes may be added later
    get radius(): number {
      const { boundingRadius } = body
      return boundingRadius > 0 && boundingRadius < Number.MAX_VALUE ? boundingRadius : 0.5
    },
    extent: (direction) => extentOf(body, direction),
    engineBody: body,
    isThere: () => body.world !== null,
    isJoinedTo: (other) => isJoined(body, other),
    read: (out) => readBody(body, out),
    apply: (wrench) => applyWrench(body, wrench),
  }
}

/** Of the box around its shapes, m. */
function extentOf(body: Body, { x, y, z }: Vec3Like): number {
  if (body.aabbNeedsUpdate) body.updateAABB()
  const { position } = body
  const { lowerBound: low, upperBound: high } = body.aabb
  return (
    x * ((x < 0 ? low : high).x - position.x) +
    y * ((y < 0 ? low : high).y - position.y) +
    z * ((z < 0 ? low : high).z - position.z)
  )
}

/** Bodies that joints hold together, during a search. */
const joined: Body[] = []

/** Whether joints hold two bodies together. Of the constraints of cannon-es only distances have no pivot. */
function isJoined(body: Body, other: object): boolean {
  const { constraints } = body.world ?? { constraints: [] }
  let found = false
  joined.push(body)
  for (let i = 0; i < joined.length && !found; i++)
    for (let k = 0; k < constraints.length; k++) {
      const { bodyA, bodyB } = constraints[k]!
      if ((bodyA !== joined[i] && bodyB !== joined[i]) || !('pivotA' in constraints[k]!)) continue
      const next = bodyA === joined[i] ? bodyB : bodyA
      found ||= next === other
      if (!joined.includes(next)) joined.push(next)
    }
  joined.length = 0
  return found
}

function readBody(body: Body, out: BodyState): void {
  copy(out.position, body.position)
  copyQuat(out.quaternion, body.quaternion)
  copy(out.velocity, body.velocity)
  copy(out.angularVelocity, body.angularVelocity)
  out.mass = body.mass > 0 ? body.mass : 1
  // the engine uses the inverse, which is zero for fixedRotation and for bodies without shapes
  const { x, y, z } = body.invInertia
  set(out.inertia, x > 0 ? 1 / x : 0, y > 0 ? 1 / y : 0, z > 0 ? 1 / z : 0)
  lockInertia(out.inertia, body.quaternion, body.angularFactor)
  out.linearDamping = body.linearDamping
  out.angularDamping = body.angularDamping
  if (body.world === null) set(out.gravity, 0, 0, 0)
  else copy(out.gravity, body.world.gravity)
  readEngineLock(out, body.linearFactor)
}

function applyWrench(body: Body, { force, torque }: Readonly<Wrench>): void {
  // outside a world nothing clears the forces, so they would add up
  if (body.world === null || (isZero(force) && isZero(torque))) return
  if (body.type !== DYNAMIC || !(body.mass > 0)) {
    // it may have become so since it was given to its agent
    hint(body, () => whyImmovable(body))
    return
  }
  // a drowsy body falls asleep by its speed alone, whatever its forces (cannon-es: Body.sleepTick)
  if (body.sleepState !== AWAKE && !(isZero(torque) && balancesWeight(body, force))) body.wakeUp()
  body.force.x += force.x
  body.force.y += force.y
  body.force.z += force.z
  body.torque.x += torque.x
  body.torque.y += torque.y
  body.torque.z += torque.z
}

/** Whether a force (N) only balances gravity on a body at rest. Such a body may sleep where it hovers. */
function balancesWeight({ mass, velocity, world }: Body, { x, y, z }: Vec3Like): boolean {
  const { gravity } = world!
  const difference = Math.hypot(x + mass * gravity.x, y + mass * gravity.y, z + mass * gravity.z)
  return difference < HOVER_TOLERANCE * mass * length(gravity) && length(velocity) < HOVER_TOLERANCE
}

/** Why forces or torques do nothing; empty when they do something. */
function whyImmovable(body: Body): string {
  let why = ''
  if (body.type !== DYNAMIC) why = 'is static or kinematic, so forces do nothing'
  else if (!(body.mass > 0)) why = 'has mass 0, so forces do nothing'
  else if (body.shapes.length === 0) why = 'has no shapes, so it has no inertia and ignores torque'
  return why === '' ? '' : `cannonBody: body ${body.id} ${why}`
}

/**
 * Runs the steering inside a cannon-es world: once per internal step, after gravity and before the solver,
 * through `world.subsystems`. So forces act in every internal step at any frame rate. Call per rendered
 * frame: `world.step(1 / 60, delta); steering.present()`.
 * @returns a function that detaches. It may be called at any time, also inside callbacks, and more than once.
 * @throws TypeError when the steering world has a physics engine already, or `world` is not a cannon world.
 */
export function attachToCannon(steering: SteeringWorld, world: World): () => void {
  if (!Array.isArray(world?.subsystems)) refuse('attachToCannon', world, 'must be a CANNON.World')
  if (!steering?.drive) refuse('attachToCannon', steering, 'must be a SteeringWorld')
  let attached = true
  let interpolating = false
  const subsystem = {
    update(): void {
      if (!attached) return
      // `step(dt, elapsed)` keeps this step in the accumulator until it ends; `step(dt)` does not use it
      interpolating = world.accumulator > 0
      if (world.dt > 0) driver.step(world.dt)
    },
  }
  const removeSubsystem = (): void => {
    const index = world.subsystems.indexOf(subsystem)
    if (index >= 0) world.subsystems.splice(index, 1)
  }
  const driver = steering.drive(() => (interpolating ? Math.min(1, world.accumulator / world.dt) : 1))
  world.subsystems.push(subsystem)
  return () => {
    if (!attached) return
    attached = false
    driver.release()
    // cannon may be iterating over the list now, with a cached length: the subsystem does nothing from here
    // on and is removed afterwards
    queueMicrotask(removeSubsystem)
  }
}
