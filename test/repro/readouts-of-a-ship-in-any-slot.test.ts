import { expect, it } from 'vitest'
import { FollowPath, Path, SteeringWorld, Wander } from 'three-steering'
import { pilot } from '../support/pilot.js'

// A behaviour stores numbers from the slot of its first agent on. The station of an agent was read as if they
// began with slot 0, and was NaN for all ships but the first one of a world.

const path = new Path({
  points: [
    { x: 0, y: 0, z: 0 },
    { x: 60, y: 10, z: 0 },
    { x: 90, y: 0, z: 40 },
  ],
})

function flown(before: number): { stations: number[]; finished: number[] } {
  const world = new SteeringWorld({ seed: 2 })
  for (let i = 0; i < before; i++) world.add(pilot(new Wander(), { position: { x: 0, y: 500, z: 50 * i } }))
  const follow = new FollowPath({ path, pilot: true })
  const ship = pilot(follow, { seed: 5, maxSpeed: 12, maxForce: 20 })
  world.add(ship)
  const stations = [follow.stationOf(ship)]
  const finished = []
  for (let i = 0; i < 200; i++) {
    world.step(1 / 60)
    stations.push(follow.stationOf(ship))
    finished.push(follow.metricsOf(ship)!.finished)
  }
  return { stations, finished }
}

it.each([1, 3])('station and metrics of a follower are the same after %i other ships', (before) => {
  const alone = flown(0)
  expect(alone.stations[0]).toBeNaN()
  expect(alone.stations.at(-1)).toBeGreaterThan(20)
  expect(flown(before)).toEqual(alone)
})
