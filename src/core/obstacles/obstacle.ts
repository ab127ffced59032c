import type { Quat, QuatLike, Vec3, Vec3Like } from '../types.js'
import { AXES } from '../math/directions.js'
import { ballCone } from './outline.js'
import type { OutlineSink, Shape, SweptBall } from './shape.js'
import { sweepByBall } from './sweep.js'
import { isIdentity, multiply, normalizeQuat, quat, rotate, unrotate } from '../math/quat.js'
import {
  requireFinite,
  requireObject,
  requireQuaternion,
  requireVector,
  refuse,
  unchecked,
} from '../math/require.js'
import { add, copy, cross, isZero, length, set, sub, vec3 } from '../math/vec3.js'
import { checkOption, readOptions } from '../math/options.js'
import type { AnyTable, Option, Options, OptionsOf } from '../math/options.js'

/**
 * A body that an obstacle can follow: a mesh, a `CANNON.Body`, a controller. It is read once per step and
 * never written.
 */
export interface FollowedBody {
  readonly position: Vec3Like
  readonly quaternion?: QuatLike
  /** m/s. Default at rest. */
  readonly velocity?: Vec3Like
  /** rad/s, world axes. */
  readonly angularVelocity?: Vec3Like
  /**
   * What `position` is, in the axes of the body as seen from its origin (m): the centre of mass of an agent.
   * Default the origin.
   */
  readonly center?: Vec3Like
}

export interface ObstacleOptions extends Options, OptionsOf<typeof Obstacle.options> {}

/** Number of calls of `Obstacle.shift`, by which a set knows that it has to look at all of its obstacles. */
export const shifts = { count: 0 }

/** The ball around a shape is enlarged by this share, so that rounding excludes no point of it. */
const ROUNDING = 1e-12

const ZERO: Vec3Like = Object.freeze({ x: 0, y: 0, z: 0 })
const arm = vec3()
const outer = quat()

/** A shape at a position in the world, at rest or following a moving body. */
export class Obstacle {
  static readonly options = {
    shape: { kind: 'instance', required: true, check: requireShape },
    /** Position (m), or the body that the obstacle follows. Default the origin. */
    at: { kind: 'point', unit: 'm', default: ZERO, check: requireAt },
    /** Position (m) of the shape in the axes of the followed body. Default its origin. */
    offset: { kind: 'vector', unit: 'm', check: requireVector },
    /** Attitude of the shape in the axes of the followed body, or of the world. Default none. */
    turn: { kind: 'quaternion', check: requireQuaternion },
    /**
     * Object that the obstacle belongs to, by which `ignore` functions recognize it. Default the followed
     * body.
     */
    owner: { kind: 'named', check: unchecked<object> },
  } as const satisfies AnyTable

  readonly shape: Shape
  /** {@link Shape.ballRadius}, m; −1 where the shape has none. @internal */
  readonly ballRadius: number
  /** Radius (m) of a ball around `position` that contains it; Infinity if it is unbounded. @internal */
  readonly boundingRadius: number
  private readonly sweepsBall: boolean
  readonly owner: object | null
  /**
   * Position (m), attitude (unit quaternion), velocity (m/s) and angular velocity (rad/s) of the shape, as of
   * the last `refresh`. Live, read only.
   */
  readonly position: Readonly<Vec3> = vec3()
  readonly quaternion: Readonly<Quat> = quat()
  readonly velocity: Readonly<Vec3> = vec3()
  readonly angularVelocity: Readonly<Vec3> = vec3()
  /** The followed body; null for an obstacle that stands still. */
  readonly followed: FollowedBody | null
  /** As given; `turn` is normalized. @internal */
  readonly offset: Vec3 = vec3()
  /** @internal */
  readonly turn: Quat = quat()
  /**
   * Position (m) of the followed body at the last `refresh`, or of the obstacle that follows none: the point
   * whose velocity is known. @internal
   */
  readonly origin: Vec3
  /** True without offset and turn. Most of thousands of obstacles are so. @internal */
  readonly isPlain: boolean
  /** The agent that it belongs to, and the number of changes for which that is right. @internal */
  keeper: object | null = null
  /** @internal */
  keeperAt = 0
  private hasMotion = false
  // scratch of its own, because the methods of a shape may query other obstacles
  private readonly local: Vec3 = vec3()
  private readonly localDirection: Vec3 = vec3()

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: ObstacleOptions) {
    const { shape, at, offset, turn, owner } = readOptions('Obstacle', Obstacle.options, options)
    this.shape = shape
    this.ballRadius = shape.ballRadius ?? -1
    this.boundingRadius = boundingRadiusOf(shape)
    // a subclass may have its own `sweep`
    this.sweepsBall = Object.hasOwn((Object.getPrototypeOf(shape) as object | null) ?? {}, 'sweepBall')
    const followed = followedBy(at)
    this.followed = followed
    this.owner = owner ?? followed
    if (offset !== undefined) copy(this.offset, offset)
    if (turn !== undefined) normalizeQuat(this.turn, turn)
    this.isPlain = offset === undefined && turn === undefined && followed?.center === undefined
    this.origin = this.isPlain ? this.position : vec3()
    if (followed === null) this.place(at as Vec3Like, IDENTITY, ZERO, ZERO, ZERO)
    else this.follow(followed)
  }

  /** Reads the pose of the followed body. True when it has changed. A pose that is not finite is ignored. */
  refresh(): boolean {
    const { position, quaternion } = this
    if (this.followed === null) return false
    const { x, y, z } = position
    const { x: qx, y: qy, z: qz, w: qw } = quaternion
    this.read()
    return (
      x !== position.x ||
      y !== position.y ||
      z !== position.z ||
      qx !== quaternion.x ||
      qy !== quaternion.y ||
      qz !== quaternion.z ||
      qw !== quaternion.w
    )
  }

  /**
   * Moves an obstacle that stands still by a vector (m), for a floating origin; the sets that it is in notice
   * at their next `refresh`. One that follows a body moves with that. @throws TypeError / RangeError for a
   * vector that is not finite.
   */
  shift(by: Vec3Like): void {
    requireVector('Obstacle.shift: by', by)
    if (this.followed !== null) return
    add(this.position, this.position, by)
    if (!this.isPlain) add(this.origin, this.origin, by)
    shifts.count++
  }

  /** @internal As `refresh`, for callers that detect changes themselves. */
  read(): void {
    // an object of a scene may have another parent by now
    this.keeperAt = 0
    if (this.followed !== null) this.follow(this.followed)
  }

  /** Distance (m) from a world point to the surface, negative inside; writes the outward unit normal. */
  distance(point: Vec3Like, normal: Vec3): number {
    const { local } = this
    // a ball needs no rotation, and scenes have hundreds of them
    if (this.ballRadius >= 0) return this.shape.distance(sub(local, point, this.position), normal)
    sub(local, point, this.position)
    if (isIdentity(this.quaternion)) return this.shape.distance(local, normal)
    const distance = this.shape.distance(unrotate(local, this.quaternion, local), normal)
    rotate(normal, this.quaternion, normal)
    return distance
  }

  /** Whether the surface is nearer to a world point than `distance` (m), or contains it. @internal */
  isNearer(point: Vec3Like, distance: number, normal: Vec3): boolean {
    const { ballRadius, local, shape } = this
    const away = length(sub(local, point, this.position))
    if (ballRadius >= 0) return away - ballRadius < distance
    if (away > (this.boundingRadius + distance) * (1 + ROUNDING)) return false
    if (shape.isBeyond !== undefined) {
      unrotate(local, this.quaternion, local)
      if (shape.isBeyond(local, distance)) return false
    }
    return this.distance(point, normal) < distance
  }

  /** See {@link Shape.sweep}, in world axes, for the present pose. */
  sweep(origin: Vec3Like, direction: Vec3Like, radius: number, limit: number): number {
    return sweepByBall(this, origin, direction, radius, limit)
  }

  /** As `sweep`, without numbers that are passed and would be boxed. @internal */
  sweepBall(origin: Vec3Like, direction: Vec3Like, ball: SweptBall): void {
    const { local, localDirection, shape } = this
    this.toLocal(origin, direction)
    if (this.sweepsBall) shape.sweepBall!(local, localDirection, ball)
    else ball.distance = shape.sweep(local, localDirection, ball.radius, ball.limit)
  }

  /** See {@link Shape.leave}, in world axes, for the present pose. */
  leave(origin: Vec3Like, direction: Vec3Like, radius: number): number {
    this.toLocal(origin, direction)
    return this.shape.leave(this.local, this.localDirection, radius)
  }

  /**
   * See {@link Shape.outline}. The axes of the circles are in the axes of the shape: rotate them by
   * `quaternion`. False for a shape without outline that is not a ball.
   */
  outline(from: Vec3Like, radius: number, rim: OutlineSink): boolean {
    const { ballRadius, local, shape } = this
    if (shape.outline === undefined && ballRadius < 0) return false
    unrotate(local, this.quaternion, sub(local, from, this.position))
    if (shape.outline !== undefined) shape.outline(local, radius, rim)
    else ballCone(0, 0, 0, local, ballRadius + radius, rim)
    return true
  }

  /** Upper bound (m/s) of the speed of its points; for a hollow shape of those of its wall. @internal */
  fastest(): number {
    const { angularVelocity, origin, position, shape, velocity } = this
    const spin = length(angularVelocity)
    // a ball that rotates about its centre looks as if it did not
    if (spin === 0 || (this.ballRadius >= 0 && this.isPlain)) return length(velocity)
    const { cavity = shape } = shape
    let reach = 0
    for (let i = 0; i < AXES.length; i++) reach = Math.max(reach, cavity.support(AXES[i]!))
    // a corner is farther away than any face: by at most √3, rounded up
    reach = reach < Infinity ? 1.8 * reach + length(sub(arm, origin, position)) : 0
    return length(velocity) + spin * reach
  }

  /** Whether it looks different as it turns: a ball that rotates about its centre does not. @internal */
  get turns(): boolean {
    return !isZero(this.angularVelocity) && !(this.ballRadius >= 0 && this.isPlain)
  }

  /** Whether it moves or turns. @internal */
  get moves(): boolean {
    return !isZero(this.velocity) || this.turns
  }

  /** Velocity (m/s) of the obstacle's material at a world point. */
  velocityAt(out: Vec3, point: Vec3Like): Vec3 {
    if (isZero(this.angularVelocity)) return copy(out, this.velocity)
    // rotation about the point of the followed body whose velocity is known
    sub(arm, point, this.origin)
    return add(out, cross(out, this.angularVelocity, arm), this.velocity)
  }

  private toLocal(origin: Vec3Like, direction: Vec3Like): void {
    const { local, localDirection } = this
    sub(local, origin, this.position)
    if (isIdentity(this.quaternion)) copy(localDirection, direction)
    else {
      unrotate(local, this.quaternion, local)
      unrotate(localDirection, this.quaternion, direction)
    }
  }

  private follow({ position, quaternion, velocity, angularVelocity, center }: FollowedBody): boolean {
    return this.place(
      position,
      quaternion ?? IDENTITY,
      velocity ?? ZERO,
      angularVelocity ?? ZERO,
      center ?? ZERO,
    )
  }

  /** Returns false and changes nothing where a value is not finite. */
  private place(
    position: Vec3Like,
    turned: QuatLike,
    velocity: Vec3Like,
    spin: Vec3Like,
    center: Vec3Like,
  ): boolean {
    const sum = position.x + position.y + position.z + turned.x + turned.y + turned.z + turned.w
    const moving = velocity.x + velocity.y + velocity.z + spin.x + spin.y + spin.z
    if (!Number.isFinite(sum + moving + center.x + center.y + center.z)) return false
    if (this.isPlain) {
      normalizeQuat(this.quaternion, turned)
      read(this.position, position)
    } else {
      normalizeQuat(outer, turned)
      multiply(this.quaternion, outer, this.turn)
      rotate(arm, outer, sub(arm, this.offset, center))
      read(this.origin, position)
      add(this.position, this.origin, arm)
    }
    const hasMotion = velocity !== ZERO || spin !== ZERO
    if (hasMotion || this.hasMotion) {
      read(this.velocity, velocity)
      read(this.angularVelocity, spin)
    }
    this.hasMotion = hasMotion
    return true
  }
}

/**
 * As `copy`, which is called hundreds of times a step: it must not see the vectors of other libraries. Where
 * V8 has seen more than four kinds of objects, it boxes each number that it reads.
 */
function read(out: Vec3, { x, y, z }: Vec3Like): void {
  out.x = x
  out.y = y
  out.z = z
}

const IDENTITY: QuatLike = Object.freeze({ x: 0, y: 0, z: 0, w: 1 })

function boundingRadiusOf(shape: Shape): number {
  const [x, y, z] = [0, 1, 2].map((i) => Math.max(shape.support(AXES[i]!), shape.support(AXES[i + 3]!)))
  const corner = length(set(arm, x!, y!, z!))
  return corner >= 0 ? corner : Infinity
}

/** Normals in single precision are unit vectors, too. */
const UNIT_TOLERANCE = 1e-6

function requireShape(what: string, value: Shape): Shape {
  for (const method of ['distance', 'sweep', 'leave', 'support'] as const)
    if (typeof value?.[method] !== 'function')
      refuse(what, value, `must be a shape: a thing with ${method}(…)`)
  if (value.ballRadius !== undefined) requireFinite(`${what}.ballRadius`, value.ballRadius, 0, true)
  if (value.cavity !== undefined) requireCavity(`${what}.cavity`, value.cavity)
  return value
}

function requireCavity(what: string, value: NonNullable<Shape['cavity']>): void {
  if (typeof value?.support !== 'function') refuse(what, value, 'must have support(…)')
  const { faceNormals } = value
  if (faceNormals === undefined) return
  const name = `${what}.faceNormals`
  if (!(faceNormals.length >= 12 && faceNormals.length % 3 === 0))
    throw new RangeError(
      `${name}: got ${faceNormals.length} numbers, must be three for each of four or more faces`,
    )
  for (let i = 0; i < faceNormals.length; i += 3) {
    const [x, y, z] = [faceNormals[i]!, faceNormals[i + 1]!, faceNormals[i + 2]!]
    if (!(Math.abs(Math.hypot(x, y, z) - 1) <= UNIT_TOLERANCE))
      throw new RangeError(`${name}: got (${x}, ${y}, ${z}) for face ${i / 3}, must be a unit vector`)
  }
}

/** @throws TypeError / RangeError naming the option of an obstacle that the caller calls `what`. */
export function requireObstacle(what: string, given: ObstacleOptions): void {
  requireObject(what, given)
  for (const key of ['shape', 'at', 'offset', 'turn'] as const)
    if (key === 'shape' || given[key] !== undefined)
      checkOption<unknown>(`${what}.${key}`, given[key], Obstacle.options[key] as Option)
}

/** @throws TypeError / RangeError for a place or a motion that is not finite. */
function requireAt(what: string, at: Vec3Like | FollowedBody): Vec3Like | FollowedBody {
  const followed = followedBy(at)
  if (followed === null) requireVector(what, at as Vec3Like)
  else {
    requireVector(`${what}.position`, followed.position)
    if (followed.quaternion) requireQuaternion(`${what}.quaternion`, followed.quaternion)
    for (const key of ['velocity', 'angularVelocity'] as const)
      if (followed[key]) requireVector(`${what}.${key}`, followed[key])
  }
  return at
}

function followedBy(at: Vec3Like | FollowedBody): FollowedBody | null {
  return typeof at === 'object' && at !== null && 'position' in at ? at : null
}

/** Whether it is an obstacle. Not by `instanceof`: two copies of the package may be loaded. */
export function isObstacle(value: Obstacle | ObstacleOptions): value is Obstacle {
  return typeof (value as Partial<Obstacle> | null)?.velocityAt === 'function'
}
