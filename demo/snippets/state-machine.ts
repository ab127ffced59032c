import { Arrive, Evade, FollowPath, modes, Path, Pursue } from 'three-steering'
import { ReciprocalAvoidance, SteeringController, SteeringWorld, within } from 'three-steering'
import { createActor, createMachine } from 'xstate'
import { show } from 'three-steering/debug'

const steering = new SteeringWorld()
const raider = new SteeringController(null, {
  behavior: new Arrive({ target: { x: 30, y: 5, z: 0 } }),
  position: { x: 90, y: 0, z: 0 },
  maxSpeed: 6,
  maxForce: 10,
})

// how to fly: one tree per mode, by name; the constraints around them hold in every mode
const corners = [-1, 1].flatMap((x) => [x, -x].map((z) => ({ x: 30 * x, y: 0, z: 30 * z })))
const home = new Arrive({ target: { x: 0, y: -20, z: 0 } })
const trees = modes({
  patrol: new FollowPath({ path: new Path({ points: corners, ends: 'closed' }) }),
  chase: new Pursue({ target: raider }),
  flee: new Evade({ target: raider }),
  dock: home,
})
export const guard = new SteeringController(null, {
  behavior: within([new ReciprocalAvoidance({ neighborDistance: 20 })], trees),
  maxSpeed: 10,
  maxForce: 15,
})
steering.add(raider).add(guard)

// what to do: decided by the game, here with a state machine by XState
const mind = createActor(
  createMachine({
    initial: 'patrol',
    states: {
      patrol: { on: { near: 'chase' } },
      chase: { on: { close: 'flee' } },
      flee: { on: { far: 'dock' } },
      dock: { on: { home: 'patrol' } },
    },
  }),
)
mind.subscribe(({ value }) => (trees.current = value as typeof trees.current))
mind.start()
guard.addEventListener('arrive', () => mind.send({ type: 'home' }))

export function frame(delta: number): void {
  steering.advance(delta)
  const { x, y, z } = guard.position
  const gap = Math.hypot(x - raider.position.x, y - raider.position.y, z - raider.position.z)
  mind.send({ type: gap < 6 ? 'close' : gap < 40 ? 'near' : 'far' })
}
show(steering, { frame, lines: [corners] })
