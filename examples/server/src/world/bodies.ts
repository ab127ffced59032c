import { Body, Sphere, Vec3, type World } from 'cannon-es'
import { SteeringController, type SteeringWorld, type Stick, type Vec3Like } from 'three-steering'
import { cannonBody } from 'three-steering/cannon'
import { addGhost, type Ghost } from 'three-steering/shards'
import { isDeaf, kindOf, TRAITS, type Kind, type Pilotage } from './craft.js'

/** A ball of a physics engine. */
export function solid(
  radius: number,
  { x, y, z }: Vec3Like,
  options: ConstructorParameters<typeof Body>[0],
): Body {
  return new Body({ ...options, shape: new Sphere(radius), position: new Vec3(x, y, z) })
}

/** How a body, or an agent without one, is and moves: the numbers of `CraftState.pose`. */
export function poseOf({
  angularVelocity: w,
  position: p,
  quaternion: q,
  velocity: v,
}: Body | SteeringController): number[] {
  return [p.x, p.y, p.z, q.x, q.y, q.z, q.w, v.x, v.y, v.z, w.x, w.y, w.z]
}

export function setPose(body: Body, pose: readonly number[]): void {
  const at = (i: number): [number, number, number] => [pose[i]!, pose[i + 1]!, pose[i + 2]!]
  body.position.set(...at(0))
  body.quaternion.set(...at(3), pose[6]!)
  body.quaternion.normalize()
  body.velocity.set(...at(7))
  body.angularVelocity.set(...at(10))
  body.aabbNeedsUpdate = true
}

/** What flies a craft, and its body where there is a physics engine. */
export function makeCraft(
  key: number,
  kind: Kind,
  pilotage: Pilotage,
  physics: World | null,
  at: Vec3Like,
): { pilot: SteeringController; body: Body | null; stick: Stick | null } {
  const { behavior, stick } = pilotage.behaviorOf(kind)
  const { radius, mass } = TRAITS[kind]
  const body = physics && solid(radius, at, { mass, linearDamping: 0, angularDamping: 0.1 })
  if (body) physics.addBody(body)
  const pilot = new SteeringController(null, {
    ...TRAITS[kind],
    behavior,
    seed: key,
    ...(body ? { body: cannonBody(body) } : { position: at }),
  })
  return { pilot, body, stick }
}

/** A craft of somebody else, which is moved by hand. */
export function castShadow(
  world: SteeringWorld,
  physics: World | null,
  key: number,
  position: Vec3Like,
  velocity: Vec3Like,
): { ghost: Ghost; body: Body | null } {
  const kind = kindOf(key)!
  const { radius, mass, maxSpeed, group, priority } = TRAITS[kind]
  const body = physics && solid(radius, position, { mass: 0, type: Body.KINEMATIC })
  if (body) physics.addBody(body)
  const traits = { seed: key, radius, mass, maxSpeed, group, priority, position, velocity }
  const options = { ...traits, avoids: isDeaf(kind) ? 0 : -1, isManual: kind === 'player' }
  return { ghost: addGhost(world, body ? { ...options, solid: body } : options), body }
}
