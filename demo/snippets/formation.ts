import {
  AvoidObstacles,
  BoxShape,
  FollowPath,
  Obstacles,
  Path,
  SteeringController,
  SteeringWorld,
  within,
} from 'three-steering'
import { Formation, KeepSlot, ringPattern, wedgePattern } from 'three-steering/formation'
import { show } from 'three-steering/debug'

const steering = new SteeringWorld()

// two towers with a gap between them, and a closed path through it
const towers = [-33, 33].map((z) => ({ shape: new BoxShape({ x: 6, y: 40, z: 30 }), at: { x: 0, y: 0, z } }))
const obstacles = new Obstacles(towers)
const points = [
  { x: -120, y: 0, z: 0 },
  { x: 120, y: 10, z: 0 },
  { x: 160, y: 30, z: 120 },
  { x: -160, y: 20, z: 120 },
]
const path = new Path({ points, ends: 'closed', curve: 'arcs', radius: 40 /* m */ })

// a wedge of nine ships that contracts where it would not fit through
export const wing = new Formation({ pattern: wedgePattern, spacing: 5 /* m */, frame: 'course', obstacles })

// the leader flies the path; if the leader is removed, another ship takes over
const lead = new FollowPath({ path, speed: 12 /* m/s */ })
export const ships = Array.from({ length: 9 }, (_, i) => {
  const behavior = within(
    [new AvoidObstacles({ obstacles })],
    new KeepSlot({ formation: wing, leadBehavior: lead }),
  )
  const position = { x: -120 - 4 * i, y: 3 * (i % 3), z: 0 }
  return new SteeringController(null, { behavior, position, radius: 0.8, maxSpeed: 18, maxForce: 30 })
})
for (const ship of ships) steering.add(ship)

// call at any time: the ships change places without coming near each other
export function fan(): void {
  wing.pattern = ringPattern
}

export function frame(delta: number): void {
  steering.advance(delta)
}
show(steering, { frame, obstacles, lines: [points] })
