import { expect, it } from 'vitest'
import {
  Flight,
  FollowPath,
  Path,
  Seek,
  SteeringController,
  SteeringWorld,
  type Behavior,
  type PathOptions,
  type Vec3,
} from 'three-steering'
import { norm, v } from '../support/geometry.js'
import type { PilotOptions } from '../support/pilot.js'

/** Greatest distance from a path in a flight, m, and the last station. */
function fly(options: PathOptions, traits: PilotOptions, direction: 1 | -1, seconds: number, pushed?: Vec3) {
  const path = new Path(options)
  const behavior = new FollowPath({ path, direction })
  const agent = add(behavior, {
    position: path.pointAt(v(0, 0, 0), direction > 0 ? 0 : path.length),
    ...traits,
  })
  let farthest = 0
  for (let k = 0; k < 60 * seconds; k++) {
    if (k === 600 && pushed !== undefined) agent.controller.teleport({ position: pushed })
    agent.world.step(1 / 60)
    const { position } = agent.controller
    if (pushed !== undefined && k > 600) continue
    const near = path.pointAt(v(0, 0, 0), path.nearest(position))
    farthest = Math.max(farthest, norm(v(position.x - near.x, position.y - near.y, position.z - near.z)))
  }
  return { farthest, station: direction * behavior.stationOf(agent.controller) }
}

function add(behavior: Behavior, traits: PilotOptions) {
  const world = new SteeringWorld()
  const controller = new SteeringController(null, {
    maxSpeed: 6,
    maxForce: 12,
    maxTorque: 20,
    behavior,
    ...traits,
  })
  world.add(controller)
  return { world, controller }
}

const CORNER: PathOptions = { points: [v(0, 0, 0), v(10, 0, 0), v(10, 0, 10)], curve: 'polyline' }

// The way out and the way back have the same points. Once an agent was off its path, the station changed
// from one to the other in each step, or fell by a lap in each step, and the agent flew on straight.
it('an agent on a path there and back turns at its ends (436 m beside it after 90 s)', () => {
  for (const maxForce of [12, 40]) {
    const { farthest, station } = fly({ ...CORNER, ends: 'ping-pong' }, { maxForce }, 1, 90)
    expect(farthest).toBeLessThan(1)
    expect(station).toBeGreaterThan(320)
  }
})

it('an agent that was pushed 400 m off a closed path does not count back laps', () => {
  const points = [v(0, 0, 0), v(10, 0, 0), v(5, 0, 8)]
  const { station } = fly({ points, ends: 'closed' }, { maxSpeed: 20, maxForce: 40 }, 1, 40, v(400, 0, 0))
  expect(station).toBeGreaterThan(20)
})

// Against the direction of a path, the tangent at a corner was that of the part already flown.
it('an agent that flies a polyline from its end does not fly on straight at a corner (688 m beside it)', () => {
  const sharp = { points: [v(0, 0, 0), v(20, 0, 0), v(5, 0, 12)], curve: 'polyline' } as const
  for (const ends of ['open', 'closed', 'ping-pong'] as const)
    expect(fly({ ...sharp, ends }, {}, -1, 60).farthest).toBeLessThan(1)
})

// The tracker damped the turn of wings that flew against the path, and straight astern has no side.
it('wings turn about at the end of a path there and back (380 m beside it)', () => {
  const wings = { locomotion: new Flight({ minSpeed: 2 }) }
  expect(fly({ ...CORNER, ends: 'ping-pong' }, wings, 1, 60).farthest).toBeLessThan(8)
})

it('wings turn at once to a target exactly astern (for 10 s they flew on)', () => {
  const wings = { locomotion: new Flight({ minSpeed: 2 }), velocity: v(0, 0, 6) }
  const { world, controller } = add(new Seek({ target: v(0, 0, -100) }), wings)
  for (let k = 0; k < 300; k++) world.step(1 / 60)
  expect(controller.velocity.z).toBeLessThan(-5)
})
