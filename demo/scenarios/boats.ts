import { Body, Box, Vec3 } from 'cannon-es'

/** Greatest force in each direction (N), and greatest torque (N·m). */
export interface BoatEngines {
  readonly ahead: number
  readonly astern: number
  readonly up: number
  readonly down: number
  readonly port: number
  readonly starboard: number
  readonly torque: number
}

type Part = readonly [x: number, y: number, z: number, wide: number, high: number, long: number]

/** A class of ships. Positions are in body axes: nose +Z, top +Y. */
export interface Boat {
  readonly name: 'tug' | 'shuttle' | 'freighter'
  /** Name of the model in `assets/`, and its scale factor. */
  readonly model: string
  readonly scale: number
  /** Mass without freight (kg). */
  readonly mass: number
  readonly engines: BoatEngines
  /** Top speed (m/s) and turn rate (rad/s). */
  readonly speed: number
  readonly turnRate: number
  /** Distance from the centre of mass to the docking collar at the nose (m). */
  readonly nose: number
  /** Radius of the bounding sphere (m). */
  readonly radius: number
  /** Closing speed at the port (m/s). */
  readonly touch: number
  readonly hull: readonly Part[]
  /** Positions of the containers (m). */
  readonly mounts: readonly (readonly [x: number, y: number, z: number])[]
}

/** Mass of one container (kg). */
export const FREIGHT = 150

/** The same force in all four directions to the sides. */
export const sides = (side: number): Pick<BoatEngines, 'up' | 'down' | 'port' | 'starboard'> => ({
  up: side,
  down: side,
  port: side,
  starboard: side,
})

/** Short and strong in every direction. */
export const TUG: Boat = {
  name: 'tug',
  model: 'tug',
  scale: 1.25,
  mass: 700,
  engines: { ahead: 3000, astern: 2400, ...sides(1900), torque: 1500 },
  speed: 9,
  turnRate: 1,
  nose: 2.38,
  radius: 3,
  touch: 0.3,
  hull: [[0, 0, -0.1, 2.8, 1.5, 4.4]],
  mounts: [[0, 1.45, -0.7]],
}

/** Light and fast. */
export const SHUTTLE: Boat = {
  name: 'shuttle',
  model: 'ship',
  scale: 1.25,
  mass: 500,
  engines: { ahead: 2600, astern: 1300, ...sides(1100), torque: 1400 },
  speed: 12,
  turnRate: 1.1,
  nose: 3.25,
  radius: 3.6,
  touch: 0.3,
  hull: [
    [0, 0, 0.1, 1.9, 1.1, 6.2],
    [0, -0.12, -1.4, 5.4, 0.4, 1.9],
  ],
  mounts: [[0, 1.2, -1.55]],
}

/** Four strong engines at the stern, and retro engines with a quarter of their force. */
export const FREIGHTER: Boat = {
  name: 'freighter',
  model: 'freighter',
  scale: 2,
  mass: 2600,
  engines: { ahead: 6400, astern: 1600, ...sides(1500), torque: 8000 },
  speed: 6,
  turnRate: 0.45,
  nose: 6.9,
  radius: 7.1,
  touch: 0.2,
  hull: [
    [0, -0.3, 4.8, 2.6, 1.7, 4],
    [0, -0.5, 0, 3.4, 1.6, 6],
    [0, -0.3, -4.8, 3.4, 2.8, 3.6],
  ],
  mounts: [1.75, -0.5, -2.75].flatMap((z) => [1.03, -1.03].map((x) => [x, -0.13, z] as const)),
}

/** Size of a container (m). */
export const CONTAINER = { wide: 1.3, high: 1.2, long: 2.1 }

/** A rigid body without freight, at rest at the origin. Its inertia is computed there. */
export function buildBoat(boat: Boat): Body {
  const body = new Body({ mass: boat.mass, linearDamping: 0, angularDamping: 0, allowSleep: false })
  for (const [x, y, z, wide, high, long] of boat.hull)
    body.addShape(new Box(new Vec3(wide / 2, high / 2, long / 2)), new Vec3(x, y, z))
  return body
}

/**
 * Adds the mass of the freight. The inertia is scaled in proportion: cannon-es would compute it in world
 * axes, ignoring the attitude.
 */
export function load(body: Body, { mass }: Boat, containers: number): void {
  const all = mass + FREIGHT * containers
  const share = all / body.mass
  body.mass = all
  body.invMass = 1 / all
  body.inertia.scale(share, body.inertia)
  body.invInertia.scale(1 / share, body.invInertia)
  body.updateInertiaWorld(true)
}

/** Turns the nose of a body along a unit direction, top up. */
export function lookAlong(body: Body, nose: Vec3): void {
  const side = new Vec3(0, 1, 0).cross(nose).unit()
  const top = nose.cross(side)
  body.quaternion.setFromVectors(new Vec3(0, 0, 1), nose)
  // remove the roll that the shortest rotation has
  const leaned = body.quaternion.vmult(new Vec3(0, 1, 0))
  const roll = Math.atan2(leaned.cross(top).dot(nose), leaned.dot(top))
  const turn = body.quaternion.clone().setFromAxisAngle(nose, roll)
  turn.mult(body.quaternion, body.quaternion)
}
