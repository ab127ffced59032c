import { blend, Face, modes, Pursue, ReciprocalAvoidance, Stop } from 'three-steering'
import { SteeringController, SteeringWorld, Walker, within, type Behavior } from 'three-steering'
import { show } from 'three-steering/debug'

const steering = new SteeringWorld()
const walks = { plane: { x: 0, y: 1, z: 0 }, mass: 70, maxForce: 350, maxTurnRate: 4, radius: 0.3 } as const
export const player = new SteeringController(null, {
  ...walks,
  behavior: new Stop(),
  position: { x: 0, y: 0, z: 12 },
  maxSpeed: 3,
  locomotion: new Walker(),
})

// on feet, nothing to do means coming to a stand
const idle: Behavior = { steer() {} }
export const states = modes({
  idle,
  chase: new Pursue({ target: player }),
  strike: blend([new Stop(), new Face({ target: player })]),
  stunned: new Stop({ hold: true }),
})
export const zombie = new SteeringController(null, {
  ...walks,
  behavior: within([new ReciprocalAvoidance()], states),
  maxSpeed: 2,
  locomotion: new Walker(),
})
steering.add(player).add(zombie)

// what to do is decided by the game
states.current = 'chase'

export function frame(seconds: number): void {
  steering.advance(seconds)
}
show(steering, { frame })
