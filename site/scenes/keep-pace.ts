import { FollowPath, Path, within } from 'three-steering'
import { SteeringController, SteeringWorld } from 'three-steering'
import { Formation, KeepPace, KeepSlot } from 'three-steering/formation'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const points = [
    { x: -12, y: 0, z: -9 },
    { x: 12, y: 3, z: -9 },
    { x: 12, y: 0, z: 9 },
    { x: -12, y: -3, z: 9 },
  ]
  const path = new Path({
    points,
    ends: 'closed',
    curve: 'arcs',
    radius: 5,
  })
  const formation = new Formation({ spacing: 2.4 /* m */ })
  // it could fly 8 m/s, and waits for the others
  const leader = new SteeringController(null, {
    position: { x: -12, y: 0, z: -6 },
    maxSpeed: 8, // m/s
    maxForce: 20, // N
    behavior: within(
      [new KeepPace({ formation })],
      new FollowPath({ path }),
    ),
  })
  formation.leader = leader
  const wing = [0, 1, 2, 3].map(
    (i) =>
      new SteeringController(null, {
        position: { x: -16, y: i - 2, z: -9 },
        maxSpeed: i === 3 ? 4 : 7, // m/s: one is slow
        maxForce: 20, // N
        behavior: new KeepSlot({ formation }),
      }),
  )
  for (const each of [leader, ...wing]) world.add(each)
  const line = Array.from({ length: 201 }, (_, i) =>
    path.pointAt({ x: 0, y: 0, z: 0 }, (i / 200) * path.lap),
  )
  return {
    world,
    agents: [leader, wing],
    lines: [line],
    controls: [[wing[3]!, 'maxSpeed', 2, 8]],
    size: 18,
  }
}
