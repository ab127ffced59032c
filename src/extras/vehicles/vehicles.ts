import type { AgentOptions } from '../../core/engine/options.js'
import { Flight } from '../../core/locomotion/flight.js'
import { Hover } from '../../core/locomotion/hover.js'
import { Thrusters } from '../../core/locomotion/thrusters.js'
import { Wheels } from '../../blocks/wheels/wheels.js'

/**
 * All that an agent needs besides its behaviour, as a new plain object: `new SteeringController(mesh, {
 * ...drone(), behavior })`. Change what you like. A physics body brings its own mass, inertia and radius. The
 * figures are those of plausible vehicles, not of one that exists.
 */
export type VehicleOptions = Omit<AgentOptions, 'behavior'>

/**
 * A camera drone of 1 m across its rotors, for a world with gravity: 15 m/s, brakes from there within 8 m,
 * turns about in 1.5 s.
 */
export function drone(): VehicleOptions {
  return {
    // kg: frame, four motors of 0.3 kg, a battery and a camera
    mass: 4,
    // m: to the tips of the rotors
    radius: 0.5,
    // m/s: the usual limit of such drones
    maxSpeed: 15,
    // N: twice its weight, as most drones have it; half of it carries the weight
    maxForce: 78,
    // N·m: a tenth of the thrust moved from one side to the other, 0.35 m from the middle
    maxTorque: 2.7,
    // kg·m²: motors on arms of 0.35 m, and the body; the most about the vertical
    inertia: { x: 0.1, y: 0.18, z: 0.1 },
    // rad/s
    maxTurnRate: 4,
    // s: flight controllers follow a stick within a fifth of a second
    responseTime: 0.2,
    compensateGravity: true,
    // thrust in any direction at once: how the rotors tilt for it is left out
    locomotion: new Hover({ attitude: { roll: 'bank' } }),
  }
}

/** A space fighter of 10 m, strong ahead, weak retro engines: 200 m/s, 3 g ahead, turns about in 3 s. */
export function fighter(): VehicleOptions {
  return {
    // kg: as a small jet fighter
    mass: 12_000,
    // m: half of its length
    radius: 5,
    // m/s: a film's pace; space has no top speed, but pilots and screens have
    maxSpeed: 200,
    // N: 3 g of the main engine
    maxForce: 360_000,
    // N·m: pairs of thrusters of 25 kN, 4 m from the middle, at nose and tail
    maxTorque: 200_000,
    // kg·m²: mass · length² / 12 across; a fifth of it along its axis, z
    inertia: { x: 100_000, y: 100_000, z: 20_000 },
    // rad/s: more makes a pilot dizzy
    maxTurnRate: 2.5,
    // s
    responseTime: 0.25,
    // retro engines of half, lateral ones of a quarter of the main engine
    locomotion: new Thrusters({ ahead: 360_000, astern: 180_000 }),
  }
}

/** A freighter of 100 m: 60 m/s, reached in half a minute, turns about in 34 s. */
export function freighter(): VehicleOptions {
  return {
    // kg: a thousand tonnes with its load
    mass: 1e6,
    // m: half of its length
    radius: 50,
    // m/s
    maxSpeed: 60,
    // N: 2 m/s², a fifth of g, so that nothing shifts in its hold
    maxForce: 2e6,
    // N·m: pairs of thrusters of 130 kN, 45 m from the middle
    maxTorque: 1.2e7,
    // kg·m²: mass · length² / 12 across; a hull of 24 m along its axis, z
    inertia: { x: 8.3e8, y: 8.3e8, z: 7e7 },
    // rad/s: half a turn in 21 s at the rate
    maxTurnRate: 0.15,
    // s: ten times that of a fighter, so that it does not fire its engines at every breath
    responseTime: 2.5,
    // brakes with half of its main engine, and hardly moves to the sides
    locomotion: new Thrusters({ ahead: 2e6, astern: 1e6, up: 2e5, down: 2e5, port: 2e5, starboard: 2e5 }),
  }
}

/**
 * A gull of 1.2 m wingspan, for a world with gravity: 15 m/s, never slower than 6 m/s, curves of 9 m radius
 * at 15 m/s with a bank of 66°.
 */
export function bird(): VehicleOptions {
  return {
    // kg: a herring gull
    mass: 1,
    // m: half of its span
    radius: 0.6,
    // m/s: gulls cruise at 10 to 13
    maxSpeed: 15,
    // N: the lift below, its greatest force
    maxForce: 25,
    // N·m: wings that are twisted against each other
    maxTorque: 1,
    // kg·m²: about x for pitch, y for yaw, z for roll: the wings are what is heavy to roll
    inertia: { x: 0.01, y: 0.03, z: 0.02 },
    // rad/s
    maxTurnRate: 6,
    // s
    responseTime: 0.2,
    compensateGravity: true,
    locomotion: new Flight({
      // m/s: below it the wings stall
      minSpeed: 6,
      // N: 0.6 g of flapping
      thrust: 6,
      // N: spread tail and feet
      brake: 5,
      // N: 2.5 times the weight, what muscles hold
      lift: 25,
    }),
  }
}

/**
 * A small car of 4 m on level ground: 30 m/s, reached in 8 s, brakes from there within 75 m, curves of 3.7 m
 * radius in the middle of its rear axle. Its place is that of this middle. `plane` is the ground, across y.
 * Leave it out for a body on hills: the ground is then what its wheels stand on.
 */
export function car(): VehicleOptions {
  return {
    // kg: a small car with its driver
    mass: 1200,
    // m: half of its length
    radius: 2,
    // m/s: the usual limit of country roads
    maxSpeed: 30,
    // N: its brakes, all that the tyres hold
    maxForce: 9600,
    // N·m: the grip of the tyres of one axle, half of the wheelbase from the middle, on both ends
    maxTorque: 12_000,
    // kg·m²: mass · (length² + width²) / 12 about y; its height is 1.4 m, its width 1.7 m
    inertia: { x: 1800, y: 1900, z: 490 },
    // rad/s: its tightest curve, as fast as the tyres hold, has 1.5
    maxTurnRate: 2,
    // s: a driver's
    responseTime: 0.3,
    // level ground
    plane: { x: 0, y: 1, z: 0 },
    locomotion: new Wheels({
      // m: between the axles
      wheelbase: 2.5,
      // rad: 34°, as small cars have it
      maxSteer: 0.6,
      // rad/s: from straight ahead to one side in half a second
      steerRate: 1.2,
      // m/s²: tyres on dry asphalt
      grip: 8,
      // N: 4 m/s²
      thrust: 4800,
      // N: 8 m/s², as much as the grip
      brake: 9600,
      // 4.5 m/s: cars reverse slowly
      astern: 0.15,
    }),
  }
}
