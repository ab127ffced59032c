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

/** Chords that make up the tube of a wheel: few for the avoidance, more for the contacts. */
const AVOIDED_CHORDS = 16
const SOLID_CHORDS = 24

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
    for (let k = 0; k < AVOIDED_CHORDS; k++)
      addCapsule(obstacles, wheel, TUBE + 1.4, rim(k, AVOIDED_CHORDS, side), rim(k + 1, AVOIDED_CHORDS, side))
    for (let k = 0; k < SPOKES; k++)
      addCapsule(obstacles, wheel, SPOKE + 0.6, new Vec3(0, side * WHEEL_OFFSET, 0), rim(k, SPOKES, side))
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

/** Point `k` of `count` on the middle of the tube. */
function rim(k: number, count: number, side: number): Vec3 {
  const angle = (k / count) * 2 * Math.PI
  return new Vec3(WHEEL * Math.sin(angle), side * WHEEL_OFFSET, WHEEL * Math.cos(angle))
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
