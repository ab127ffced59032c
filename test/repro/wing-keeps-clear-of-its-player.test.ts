import * as CANNON from 'cannon-es'
import { expect, it } from 'vitest'
import { Stick, SteeringController, SteeringWorld, type Behavior } from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { Formation, KeepSlot } from 'three-steering/formation'
import { distance } from '../behaviors/formation/formation-kit.js'

/**
 * With `new Formation({ leader: player })` one of the wing got slot 0, the place of the player itself, and
 * pushed it for as long as both flew: 160 contacts in 40 s.
 */
it('a wing behind the ship of a player does not touch it', () => {
  const physics = new CANNON.World({ gravity: new CANNON.Vec3() })
  const steering = new SteeringWorld({ seed: 1 })
  attachToCannon(steering, physics)
  const ship = (x: number, z: number, behavior: Behavior, maxSpeed: number): SteeringController => {
    const body = new CANNON.Body({
      mass: 10,
      shape: new CANNON.Sphere(1.5),
      position: new CANNON.Vec3(x, 0, z),
    })
    physics.addBody(body)
    const made = new SteeringController(null, {
      body: cannonBody(body),
      maxSpeed,
      maxForce: 150,
      maxTorque: 60,
      behavior,
    })
    steering.add(made)
    return made
  }
  const stick = new Stick()
  const player = ship(0, 0, stick, 25)
  const formation = new Formation({ spacing: 6, leader: player })
  const wing = [0, 1, 2, 3].map((i) => ship(-10 + 6 * i, -20, new KeepSlot({ formation }), 30))
  let contacts = 0
  physics.addEventListener('beginContact', () => contacts++)
  for (let k = 0; k < 1200; k++) {
    stick.ahead = 0.7
    stick.yaw = 0.025 * Math.sin(k / 180)
    physics.step(1 / 60)
  }
  expect(contacts).toBe(0)
  for (const { position } of wing) expect(distance(position, player.position)).toBeGreaterThan(5.5)
})
