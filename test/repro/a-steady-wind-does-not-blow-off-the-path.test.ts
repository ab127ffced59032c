import { describe, expect, it } from 'vitest'
import {
  FollowPath,
  Hover,
  Path,
  ReciprocalAvoidance,
  SteeringController,
  SteeringWorld,
  within,
} from 'three-steering'
import { restoreSnapshot, takeSnapshot } from 'three-steering/snapshot'
import { cannonEngine } from '../adapters/doors.js'
import { SOLID } from '../rigs/door-scenes.js'
import { v } from '../support/geometry.js'

// A steady wind of half of its force kept an agent 0.05 to 0.8 radii off its path for good, and 3.5 radii in
// bends, where the rest of its force did not suffice for its speed.

const path = new Path({
  points: [v(0, 0, 0), v(0, 0, 60), v(60, 10, 60), v(60, 0, 0)],
  curve: 'arcs',
  radius: 12,
  ends: 'closed',
})
const FORCE = 16
const offsetOf = (follow: FollowPath, { id, position }: SteeringController): number => {
  const station = path.within(follow.stationOf({ id }))
  const on = path.pointAt(v(0, 0, 0), path.nearest(position, station - 1, station + 1))
  return Math.hypot(on.x - position.x, on.y - position.y, on.z - position.z)
}

/** Without a body: the gravity of the world is the wind. */
function fly(share: number, rate: number, isWithin: boolean) {
  const push = (share * FORCE) / 2
  const world = new SteeringWorld({ gravity: v(0.6 * push, -0.64 * push, 0.48 * push) })
  const follow = new FollowPath({ path })
  const agent = new SteeringController(null, {
    behavior: isWithin ? within([new ReciprocalAvoidance()], follow) : follow,
    locomotion: new Hover(),
    mass: 2,
    maxSpeed: 8,
    maxForce: FORCE,
    maxTorque: 10,
    inertia: v(1, 1, 1),
  })
  world.add(agent)
  const run = (seconds: number): number => {
    let most = 0
    for (let k = 0; k < seconds * rate; k++) {
      world.step(1 / rate)
      if (world.time > 12) most = Math.max(most, offsetOf(follow, agent))
    }
    return most
  }
  return { agent, run, world }
}

describe.each([30, 60, 144])('at %i Hz', (rate) => {
  it.each([0.2, 0.5])('an agent keeps to its path in a wind of %f of its force', (share) => {
    for (const isWithin of [false, true]) expect(fly(share, rate, isWithin).run(32)).toBeLessThan(0.1)
  })
})

it('gravity that the vehicle compensates is no wind', () => {
  const ways = [true, false].map((isHeavy) => {
    const world = new SteeringWorld({ gravity: v(0, isHeavy ? -4 : 0, 0) })
    const behavior = new FollowPath({ path })
    const options = { mass: 2, maxSpeed: 8, maxForce: FORCE + 8, compensateGravity: isHeavy }
    const agent = new SteeringController(null, { ...options, behavior })
    world.add(agent)
    for (let k = 0; k < 900; k++) world.step(1 / 60)
    return offsetOf(behavior, agent)
  })
  expect(Math.max(...ways)).toBeLessThan(1e-3)
})

it('the wind that an agent knows is in snapshots', () => {
  const first = fly(0.5, 60, false)
  first.run(15)
  const second = fly(0.5, 60, false)
  restoreSnapshot(second.world, takeSnapshot(first.world))
  first.run(5)
  second.run(5)
  expect({ ...second.agent.position }).toEqual({ ...first.agent.position })
})

it('a body of cannon-es keeps to its path, too', () => {
  const steering = new SteeringWorld()
  const door = cannonEngine.open(steering, v(4, 0, 0), 1 / 60)
  const body = door.add({ ...SOLID, inertia: v(1, 1, 1) })
  const follow = new FollowPath({ path })
  const agent = new SteeringController(null, {
    ...body.options,
    behavior: follow,
    maxSpeed: 8,
    maxForce: FORCE,
    radius: 1,
  })
  steering.add(agent)
  let most = 0
  for (let k = 0; k < 32 * 60; k++) {
    door.step()
    if (k > 12 * 60) most = Math.max(most, offsetOf(follow, agent))
  }
  expect(most).toBeLessThan(0.1)
  door.close()
})
