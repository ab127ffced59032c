import { expect, it } from 'vitest'
import { Flight, Hover, SteeringController, SteeringWorld, type Locomotion } from 'three-steering'
import { Refuel } from 'three-steering/docking'
import { minus, norm, plus, times } from '../support/geometry.js'
import { turnAbout, turned } from '../../demo/scenarios/vectors.js'

// Half a step of the acceleration in the turn was taken for a velocity to be made up for: 0.06 m beside the
// place behind a tanker that shows its velocity exactly. One that moves like an agent shows that of its last
// step.

const DT = 1 / 30
const TURN = 0.15
const UP = { x: 0, y: 1, z: 0 }
const OFFSET = { x: -12, y: -6, z: 3 }

it.each([
  ['a drone', 'that of this moment', () => new Hover(), 'tanker', 0.001],
  ['a drone', 'that of its last step', () => new Hover(), 'tanker', 0.001],
  ['an aircraft', 'that of this moment', () => new Flight({ minSpeed: 20 }), 'own', 0.01],
  ['an aircraft', 'that of its last step', () => new Flight({ minSpeed: 20 }), 'own', 0.01],
] as [string, string, () => Locomotion, 'tanker' | 'own', number][])(
  'behind a tanker in a turn %s keeps its place at 30 Hz, if the velocity told is %s',
  (_, shown, locomotion, attitude, most) => {
    const start = { x: 40, y: 2, z: 0 }
    const tanker = {
      position: { x: 0, y: 0, z: 0 },
      velocity: start,
      angularVelocity: times(UP, TURN),
      quaternion: { x: 0, y: 0, z: 0, w: 1 },
      forward: { x: 1, y: 0, z: 0 },
      up: UP,
    }
    const world = new SteeringWorld()
    const pilot = new SteeringController(null, {
      position: plus(OFFSET, { x: -12, y: -4, z: 0 }),
      velocity: start,
      quaternion: turnAbout(UP, Math.PI / 2),
      mass: 8,
      inertia: { x: 10, y: 10, z: 10 },
      maxForce: 160,
      maxTorque: 20,
      maxTurnRate: 2,
      maxSpeed: 80,
      radius: 2,
      locomotion: locomotion(),
      behavior: new Refuel({ target: tanker, offset: OFFSET, attitude }),
    })
    world.add(pilot)
    let contact = false
    pilot.addEventListener('arrive', () => (contact = true))
    let sum = 0
    let count = 0
    for (let i = 1; i <= 45 * 30; i++) {
      world.step(DT)
      // the velocity of the middle of the step, as an integrator has it
      const middle = turned(turnAbout(UP, TURN * (i - 0.5) * DT), start)
      tanker.position = plus(tanker.position, times(middle, DT))
      tanker.quaternion = turnAbout(UP, TURN * i * DT)
      tanker.velocity = shown === 'that of its last step' ? middle : turned(tanker.quaternion, start)
      if (i <= 30 * 30) continue
      expect(contact).toBe(true)
      sum += norm(minus(pilot.position, plus(tanker.position, turned(tanker.quaternion, OFFSET)))) ** 2
      count++
    }
    expect(Math.sqrt(sum / count)).toBeLessThan(most)
  },
)
