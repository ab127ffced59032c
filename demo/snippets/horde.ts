import { Pursue, ReciprocalAvoidance, Stick, within } from 'three-steering'
import { SteeringController, SteeringWorld } from 'three-steering'
import { show } from 'three-steering/debug'

const steering = new SteeringWorld()
const person = { plane: { x: 0, y: 1, z: 0 }, radius: 0.5 /* m */, maxForce: 20 /* N */ }

// a player does not evade, so the hunters do the whole evasion. It is slowed before it would run into one
export const stick = new Stick()
export const player = new SteeringController(null, {
  ...person,
  maxSpeed: 6, // m/s
  behavior: within([new ReciprocalAvoidance()], stick),
})
steering.add(player)

// each hunter looks no farther ahead than it must, so that the pack closes up
const hunt = within([new ReciprocalAvoidance({ horizon: 0.3 /* s */ })], new Pursue({ target: player }))
export const hunters = Array.from({ length: 20 }, (_, i) => {
  const angle = 2.4 * i
  const position = { x: (8 + i / 2) * Math.cos(angle), y: 0, z: (8 + i / 2) * Math.sin(angle) }
  return new SteeringController(null, { ...person, position, maxSpeed: 6.6, behavior: hunt })
})
for (const hunter of hunters) steering.add(hunter)

/** The hunters near enough to bite: less than 1 m between the hulls. */
export function biters(): SteeringController[] {
  const { x, z } = player.position
  return hunters.filter(({ position }) => Math.hypot(position.x - x, position.z - z) < 2 * person.radius + 1)
}

export function frame(delta: number): void {
  steering.advance(delta)
}
show(steering, { frame })
