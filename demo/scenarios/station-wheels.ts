import { Body, Box, Quaternion, Sphere, Vec3, type World } from 'cannon-es'
import { CapsuleShape, type Obstacles } from 'three-steering'
import { SPIN } from './spaceport.js'

/** Radius of a wheel to the middle of its tube, and of the tube; distance of the wheels from the hub (m). */
export const WHEEL = 44
export const TUBE = 3.2
export const WHEEL_OFFSET = 50
/** Spokes of a wheel, and their radius. Radius of the spindle through hub and wheels (m). */
export const SPOKES = 4
export const SPOKE = 0.9
export const SPINDLE = 2

/** Chords that make up the tube of a wheel, for the contacts. */
const SOLID_CHORDS = 24
/**
 * Capsules that hold these chords, for the avoidance: fewer. Distance of their ends from the wheel's axis,
 * and their radius (m).
 */
const AVOIDED = { chords: 12, rim: 45.2, radius: 5.3 }

const UP = new Vec3(0, 1, 0)

/**
 * Adds two habitat wheels on a spindle, above and below the hub of a station, which turn with it, to the
 * world and to the obstacles. They are three kinematic bodies: the bounding box of one body would hold all
 * ships near the hub. The hub does not touch them.
 *
 * @returns the three bodies
 */
export function addWheels(world: World, hub: Body, obstacles: Obstacles): Body[] {
  const spindle = makeBody(hub)
  for (const side of [-1, 1]) {
    for (const y of [14, 20, 26, 32, 38, 44, 50, 56])
      spindle.addShape(new Sphere(SPINDLE), new Vec3(0, side * y, 0))
    addCapsule(obstacles, spindle, 2.6, new Vec3(0, side * 10, 0), new Vec3(0, side * 60, 0))
  }
  const wheels = [-1, 1].map((side) => {
    const wheel = makeBody(hub)
    for (let k = 0; k < SOLID_CHORDS; k++) addChord(wheel, k, side * WHEEL_OFFSET)
    for (let k = 0; k < SPOKES; k++) addSpoke(wheel, k, side * WHEEL_OFFSET)
    const { chords, radius } = AVOIDED
    const corners = Array.from({ length: chords }, (_, k) => around(k / chords, AVOIDED.rim, side))
    for (const [k, corner] of corners.entries())
      addCapsule(obstacles, wheel, radius, corner, corners[(k + 1) % chords]!)
    const center = new Vec3(0, side * WHEEL_OFFSET, 0)
    for (let k = 0; k < SPOKES; k++)
      addCapsule(obstacles, wheel, SPOKE + 0.6, center, around(k / SPOKES, WHEEL, side))
    return wheel
  })
  const bodies = [spindle, ...wheels]
  for (const body of bodies) world.addBody(body)
  return bodies
}

function makeBody(hub: Body): Body {
  const body = new Body({ type: Body.KINEMATIC, mass: 0, allowSleep: false, collisionFilterGroup: 2 })
  body.quaternion.copy(hub.quaternion)
  hub.quaternion.vmult(UP).scale(SPIN, body.angularVelocity)
  hub.collisionFilterMask = ~2
  return body
}

/** The point at a share of the way around the axis of a wheel, at this distance from it (m). */
function around(share: number, radius: number, side: number): Vec3 {
  const angle = share * 2 * Math.PI
  return new Vec3(radius * Math.sin(angle), side * WHEEL_OFFSET, radius * Math.cos(angle))
}

function addChord(body: Body, k: number, y: number): void {
  const angle = ((k + 0.5) / SOLID_CHORDS) * 2 * Math.PI
  const half = WHEEL * Math.tan(Math.PI / SOLID_CHORDS)
  const place = new Vec3(WHEEL * Math.sin(angle), y, WHEEL * Math.cos(angle))
  body.addShape(new Box(new Vec3(half, TUBE, TUBE)), place, new Quaternion().setFromAxisAngle(UP, angle))
}

function addSpoke(body: Body, k: number, y: number): void {
  const angle = (k / SPOKES) * 2 * Math.PI
  const place = new Vec3(Math.sin(angle), 0, Math.cos(angle)).scale(WHEEL / 2)
  place.y = y
  const half = new Vec3(SPOKE, SPOKE, WHEEL / 2)
  body.addShape(new Box(half), place, new Quaternion().setFromAxisAngle(UP, angle))
}

/** An obstacle around the line from one point of a body to another. */
function addCapsule(obstacles: Obstacles, body: Body, radius: number, from: Vec3, to: Vec3): void {
  const line = to.vsub(from)
  const turn = new Quaternion().setFromVectors(UP, line.unit())
  const offset = from.vadd(line.scale(0.5))
  obstacles.add({ shape: new CapsuleShape(radius, line.length()), at: body, offset, turn })
}
