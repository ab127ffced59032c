import {
  Arrive,
  AvoidObstacles,
  Obstacles,
  SphereShape,
  SteeringController,
  SteeringWorld,
  Wander,
  within,
} from 'three-steering'
import { explain } from 'three-steering/explain'
import { restoreSnapshot, takeSnapshot } from 'three-steering/snapshot'
import { show } from 'three-steering/debug'

const steering = new SteeringWorld()
const obstacles = new Obstacles([{ shape: new SphereShape(8), at: { x: 40, y: 1, z: 0 } }])

// two wishes, blended as wanted velocities and limited by the rocks
const tree = within(
  [new AvoidObstacles({ obstacles })],
  [new Arrive({ target: { x: 80, y: 0, z: 0 } }), { behavior: new Wander(), weight: 0.3, fade: 2 /* s */ }],
)
export const drone = new SteeringController(null, { behavior: tree, maxSpeed: 12, maxForce: 30 })
steering.add(drone)

// call at any time: the wandering fades out within two seconds, and the drone flies straight to its target
export function calm(): void {
  tree.wishes[1]!.enabled = false
}

// which behaviour asked for what in the last step, and what it got; `new SteeringHelper(why)` draws it
export const why = explain(steering, drone)

export function frame(delta: number): void {
  steering.advance(delta)
  if (steering.tick % 60 > 0) return // not in every frame
  for (const { name, verdict, granted } of why.root?.children ?? [])
    if (verdict !== 'silent') console.info(name, verdict, granted.force)
}

// the whole world as plain data, for a file or a rollback: after it is restored, the future is bit-identical
export function save(): string {
  return JSON.stringify(takeSnapshot(steering))
}

export function load(saved: string): void {
  restoreSnapshot(steering, JSON.parse(saved))
}
show(steering, { frame, obstacles })
