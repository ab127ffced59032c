import { expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  Obstacles,
  SphereShape,
  SteeringController,
  SteeringWorld,
  Thrusters,
  within,
  type Behavior,
  type Vec3Like,
} from 'three-steering'

// Thrusters limited the speed by turns along the axes and along the course, three times, and then shortened
// the whole force. While the nose was off the course, three times were too few: at full speed no lateral
// force was left. A ship flew straight on for 1.5 s with a rock ahead, and touched it.

const DT = 1 / 60
const ENGINES = { ahead: 50, astern: 30, up: 25, down: 25, port: 25, starboard: 25 }

/** A ship at full speed, with this `velocity` (m/s), whose nose is `pitch` (rad) above +z. */
function fly(
  behavior: Behavior,
  position: Vec3Like,
  velocity: Vec3Like,
  pitch: number,
): [SteeringController, SteeringWorld] {
  const ship = new SteeringController(null, {
    behavior,
    locomotion: new Thrusters(ENGINES),
    position,
    velocity,
    quaternion: { x: Math.sin(-pitch / 2), y: 0, z: 0, w: Math.cos(pitch / 2) },
    mass: 5,
    radius: 0.9,
    maxForce: 50,
    maxTorque: 30,
    maxSpeed: Math.hypot(velocity.x, velocity.y, velocity.z),
  })
  const world = new SteeringWorld()
  world.add(ship)
  return [ship, world]
}

it.each([0.1, 0.3, 0.5, 0.7, 0.9, 1.1])('the nose %f rad above the course: the lift remains', (pitch) => {
  const lift: Behavior = {
    steer: (_agent, _step, out) => {
      Object.assign(out.force, { x: 0, y: 45, z: 0 })
    },
  }
  const [ship, world] = fly(lift, { x: 0, y: 0, z: 0 }, { x: 0, y: 0, z: 12 }, pitch)
  world.step(DT)
  const { y, z } = ship.velocity
  expect(Math.hypot(y, z)).toBeLessThan(12 * (1 + 1e-9))
  // the upward engine gives 25 N, and the main engine as much as does not raise the speed
  const force = (5 * y) / DT
  expect(force).toBeGreaterThan(0.99 * Math.min(45, 25 / Math.cos(pitch)))
})

it('a ship at full speed evades a rock, whatever the nose points to', () => {
  for (const pitch of [-0.4, 0, 0.4, 0.8])
    for (let height = -3; height <= 3; height++) {
      const rock = { x: 0, y: -6 + height, z: 30 }
      const obstacles = new Obstacles([{ shape: new SphereShape(7), at: rock }])
      const behavior = within(
        [new AvoidObstacles({ obstacles })],
        new Arrive({ target: { x: 0, y: -30, z: 110 } }),
      )
      const [ship, world] = fly(behavior, { x: 0, y: 0, z: 0 }, { x: 0, y: -2.5, z: 11.4 }, pitch)
      let least = Infinity
      for (let i = 0; i < 240; i++) {
        world.step(DT)
        const { x, y, z } = ship.position
        least = Math.min(least, Math.hypot(x, y - rock.y, z - rock.z) - 7)
      }
      expect(least).toBeGreaterThan(0.9)
    }
})
