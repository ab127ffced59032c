import { Arrive, blend, SteeringController, SteeringWorld, Wander } from 'three-steering'
import { restoreSnapshot, takeSnapshot, type Snapshot } from 'three-steering/snapshot'
import { show } from 'three-steering/debug'

const steering = new SteeringWorld({ seed: 42 })
const arrive = new Arrive({ target: { x: 30, y: 0, z: 0 } })
export const drone = new SteeringController(null, {
  maxSpeed: 6, // m/s
  maxForce: 12, // N
  behavior: blend([arrive, { behavior: new Wander(), weight: 0.5 }]),
})
steering.add(drone)

const history: Snapshot[] = []

/** One step of the game. The step is fixed, so that every machine makes the same ones. */
export function tick(): void {
  history.push(takeSnapshot(steering))
  if (history.length > 60) history.shift()
  steering.step(1 / 60)
}

/** An input came late: goes back by some steps, sets it, and makes the steps again. */
export function correct(steps: number, target: { x: number; y: number; z: number }): void {
  restoreSnapshot(steering, history.at(-steps)!)
  history.length -= steps
  arrive.target = target
  for (let i = 0; i < steps; i++) tick()
}
show(steering, { frame: tick })
