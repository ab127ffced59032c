import * as CANNON from 'cannon-es'
import { expect, it } from 'vitest'
import { Thrusters } from 'three-steering'
import { ACCELERATION, flyDocking, type Flight } from '../rigs/docking-trials.js'
import { pick } from '../support/tier.js'

// A freighter came to the mouth of the approach corridor tail first and at speed. The stages align and final
// counted on brakes that did not point to the port yet. The sideways force was limited engine by engine, and
// so also pushed the ship inward. And nothing checked at the mouth whether the ship could still stop. It
// rammed the station at 1.2 m/s.

/** Start: distance before the port and beside the axis (m), and speed inward (m/s). */
const OUT = 16
const ASIDE = 3
const SPEED = 1.6

/**
 * Puts the ship before the port: moving inward, turned away from the port, slow to turn, with weak brakes.
 */
function throwShip(retro: number, angle: number): (flight: Flight) => void {
  let begun = false
  return ({ ship, carrier, pilot, port }) => {
    if (begun) return
    begun = true
    const ahead = 0.6 * ship.mass * ACCELERATION
    const side = ahead / 4
    const sides = { up: side, down: side, port: side, starboard: side }
    pilot.locomotion = new Thrusters({ ahead, astern: retro * ahead, ...sides })
    pilot.maxForce = ahead
    pilot.maxTurnRate = 0.45
    pilot.maxTorque /= 2
    const body = ({ x, y, z }: { x: number; y: number; z: number }) => new CANNON.Vec3(-z, y, x)
    const outward = carrier.vectorToWorldFrame(body(port.outward)).unit()
    const place = carrier.pointToWorldFrame(body(port.position)).vadd(outward.scale(OUT))
    const up = carrier.vectorToWorldFrame(body(port.up)).unit()
    ship.position.copy(place.vadd(up.scale(ASIDE)))
    const arm = ship.position.vsub(carrier.position)
    ship.velocity.copy(carrier.velocity.vadd(carrier.angularVelocity.cross(arm)))
    ship.velocity.vsub(outward.scale(SPEED), ship.velocity)
    ship.angularVelocity.setZero()
    const nose = outward.scale(-Math.cos(angle)).vadd(up.scale(Math.sin(angle)))
    ship.quaternion.setFromVectors(new CANNON.Vec3(0, 0, 1), nose)
  }
}

it.each([0.05, 0.12, 0.25])(
  'docks without ramming when the retro engine has %f of the main engine’s thrust',
  (retro) => {
    for (const angle of [-2.2, -1.2, 2.2])
      for (const seed of pick([4], [4, 9])) {
        const result = flyDocking(seed, { watch: throwShip(retro, angle), longest: 120 })
        const outcome = { docked: result.docked, contacts: result.contacts }
        expect(outcome, `seed ${seed}, ${angle} rad: ${result.stages.join(', ')}`).toEqual({
          docked: true,
          contacts: 0,
        })
        expect(result.closing).toBeCloseTo(0.25, 2)
      }
  },
)
