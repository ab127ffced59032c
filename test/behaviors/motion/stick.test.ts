import { describe, expect, it } from 'vitest'
import {
  AvoidObstacles,
  SphereShape,
  Stick,
  SteeringWorld,
  within,
  type SteeringController,
  type StickOptions,
} from 'three-steering'
import { law } from '../../support/law.js'
import {
  about,
  angleApart,
  expectVec,
  norm,
  number,
  plus,
  rotation,
  times,
  turned,
  v,
  vector,
} from '../../support/geometry.js'
import { ask, fly, pilot, type PilotOptions } from '../../support/pilot.js'

interface Flown {
  readonly world: SteeringWorld
  readonly stick: Stick
  readonly ship: SteeringController
}

/** A ship of 1 kg, 10 m/s, 100 N and 10 N·m, whose model has its nose along +Z and its top along +Y. */
function launch(options: StickOptions = {}, more: PilotOptions = {}): Flown {
  const world = new SteeringWorld()
  const stick = new Stick(options)
  const ship = pilot(stick, { inertia: v(1, 2, 3), ...more })
  world.add(ship)
  return { world, stick, ship }
}

/** The directions ahead, up and to starboard of a model with this attitude. */
const AHEAD = v(0, 0, 1)
const UP = v(0, 1, 0)
const RIGHT = v(-1, 0, 0)

describe('Stick', () => {
  law(
    'flies along the axes of the ship, a full axis at top speed',
    [rotation(), vector(1)],
    (quaternion, { x, y, z }) => {
      const { ship, ...scene } = launch({ ahead: clip(x), up: clip(y), right: clip(z) }, { quaternion })
      fly(scene, 3)
      const local = plus(plus(times(AHEAD, clip(x)), UP, clip(y)), RIGHT, clip(z))
      const wanted = times(turned(quaternion, local), 10 / Math.max(1, norm(local)))
      expectVec(ship.velocity, wanted, 1e-3)
      expectVec(ship.angularVelocity, v(0, 0, 0), 1e-6)
    },
    20,
  )

  it('flies with a part of the speed', () => {
    const { ship, ...scene } = launch({ ahead: 0.5, speed: 4 })
    fly(scene, 3)
    expectVec(ship.velocity, v(0, 0, 2), 1e-3)
    scene.stick.speed = 8
    fly(scene, 3)
    expectVec(ship.velocity, v(0, 0, 4), 1e-3)
  })

  it('flies along the axes of a camera, which looks along its −Z', () => {
    const camera = { quaternion: about(UP, Math.PI / 2), forward: v(0, 0, -1) }
    const { ship, ...scene } = launch({ frame: camera, ahead: 1 })
    fly(scene, 3)
    expectVec(ship.velocity, v(-10, 0, 0), 1e-3)
    Object.assign(scene.stick, { ahead: 0, right: 1 })
    fly(scene, 3)
    expectVec(ship.velocity, v(0, 0, -10), 1e-3)
  })

  it('kills drift, or drifts on', () => {
    for (const killDrift of [true, false]) {
      const { ship, ...scene } = launch({ killDrift }, { velocity: v(3, -2, 1) })
      fly(scene, 3)
      expectVec(ship.velocity, killDrift ? v(0, 0, 0) : v(3, -2, 1), 1e-3)
    }
  })

  it('without kill drift, an axis is a share of the force, and a diagonal is no more than all of it', () => {
    const drift = { velocity: v(3, -2, 1) }
    expectVec(ask(new Stick({ killDrift: false, up: -0.3 }), drift).force, v(0, -30, 0))
    const { force } = ask(new Stick({ killDrift: false, up: 1, ahead: 1, right: 1 }), drift)
    expect(norm(force)).toBeCloseTo(100, 9)
  })

  it('flies relative to a target that moves', () => {
    const target = { position: v(99, 0, 0), velocity: v(3, 1, 0) }
    const { ship, ...scene } = launch({ target })
    fly(scene, 3)
    expectVec(ship.velocity, v(3, 1, 0), 1e-3)
    Object.assign(scene.stick, { ahead: 0.5, speed: 4 })
    fly(scene, 3)
    expectVec(ship.velocity, v(3, 1, 2), 1e-3)
    scene.stick.target = undefined
    fly(scene, 3)
    expectVec(ship.velocity, v(0, 0, 2), 1e-3)
  })

  it('turns to starboard, up and over its starboard side', () => {
    const turns = [
      [{ yaw: 0.5 }, times(UP, -1)],
      [{ pitch: 0.5 }, RIGHT],
      [{ roll: 0.5 }, AHEAD],
    ] as const
    for (const [axis, about] of turns) {
      const { ship, ...scene } = launch({ ...axis, turnRate: 2 })
      fly(scene, 3)
      expectVec(ship.angularVelocity, about, 1e-3)
    }
  })

  it('turns at the turn rate of the agent by default', () => {
    const { ship, ...scene } = launch({ roll: -1 }, { maxTurnRate: 1.5 })
    fly(scene, 3)
    expectVec(ship.angularVelocity, times(AHEAD, -1.5), 1e-3)
  })

  it('holds its attitude after a knock, and turns with the locomotion when it does not hold', () => {
    const { world, stick, ship } = launch({ pitch: 0.2 })
    fly({ world }, 1)
    stick.pitch = 0
    fly({ world }, 2)
    const held = { ...ship.quaternion }
    expect(norm(ship.angularVelocity)).toBeLessThan(1e-3)
    ship.behavior = { steer: (_agent, _step, { torque }) => void (torque.x = torque.z = 3) }
    fly({ world }, 0.2)
    ship.behavior = stick
    fly({ world }, 0.1)
    expect(angleApart(ship.quaternion, held)).toBeGreaterThan(0.05)
    fly({ world }, 3)
    expect(angleApart(ship.quaternion, held)).toBeLessThan(0.002)
    Object.assign(stick, { holdAttitude: false, frame: { quaternion: { x: 0, y: 0, z: 0, w: 1 } }, right: 1 })
    fly({ world }, 4)
    expectVec(ship.attitude.x, RIGHT, 0.02)
  })

  law(
    'takes any number as an axis: clamped, and NaN as 0',
    [number(-3, 3)],
    (axis) => {
      const force = (ahead: number): unknown => {
        const stick = new Stick()
        stick.ahead = ahead
        stick.yaw = ahead
        return ask(stick)
      }
      expect(force(axis)).toEqual(force(clip(axis)))
      expect(force(Math.sign(axis) * Infinity)).toEqual(force(Math.sign(axis)))
      expect(force(NaN)).toEqual(force(0))
    },
    20,
  )

  it.each([
    ['off from the start', [], true],
    ['on from the start', [0], false],
    ['switched on in flight', [1], false],
    ['switched on and off again', [1, 2], true],
  ] as const)('the assist that keeps it off rocks, %s', (_, switches, isHit) => {
    const world = new SteeringWorld()
    const stick = new Stick({ ahead: 1 })
    const rock = { shape: new SphereShape(5), at: v(0, 0, 60) }
    const assist = within([new AvoidObstacles({ obstacles: [rock] })], stick)
    const guard = assist.parts[0]!
    guard.enabled = false
    const ship = pilot(assist, { inertia: v(1, 2, 3), radius: 0.5 })
    world.add(ship)
    let least = Infinity
    for (let step = 0; step < 900; step++) {
      if (switches.some((time) => step === 60 * time)) guard.enabled = !guard.enabled
      world.step(1 / 60)
      least = Math.min(least, norm(plus(ship.position, rock.at, -1)) - 5.5)
    }
    expect(least < 0).toBe(isHit)
    // the assist stops it, and never evades for the player
    expect(ship.position.z > 60).toBe(isHit)
    expect(Math.abs(ship.position.x)).toBeLessThan(1e-3)
  })

  it('kill drift, attitude hold and a target may be switched in flight', () => {
    const { stick, ship, ...scene } = launch(
      { killDrift: false, holdAttitude: false },
      { velocity: v(3, 0, 2) },
    )
    fly(scene, 1)
    expectVec(ship.velocity, v(3, 0, 2), 1e-6)
    stick.killDrift = true
    fly(scene, 3)
    expectVec(ship.velocity, v(0, 0, 0), 1e-3)
    stick.target = { position: v(0, 0, 0), velocity: v(0, 4, 0) }
    fly(scene, 3)
    expectVec(ship.velocity, v(0, 4, 0), 1e-3)
    stick.killDrift = false
    stick.holdAttitude = true
    const { quaternion } = ship
    const held = { ...quaternion }
    fly(scene, 1)
    expectVec(ship.velocity, v(0, 4, 0), 1e-3)
    expect(angleApart(ship.quaternion, held)).toBeLessThan(1e-3)
  })

  it('has a dead zone, beyond which the deflection starts at 0', () => {
    const force = (ahead: number): number =>
      ask(new Stick({ killDrift: false, deadzone: 0.2, ahead })).force.z
    expect(force(0.2)).toBeCloseTo(0, 9)
    expect(force(-0.15)).toBeCloseTo(0, 9)
    expect(force(-0.6)).toBeCloseTo(-50, 9)
    expect(force(1)).toBeCloseTo(100, 9)
  })

  it('reports a frame or target that is not finite, and does not push', () => {
    const frame = { quaternion: { x: NaN, y: 0, z: 0, w: 1 } }
    const target = { position: v(0, 0, 0), velocity: v(0, NaN, 0) }
    for (const options of [{ frame }, { target }]) {
      const { force, faults } = ask(new Stick({ ...options, ahead: 1 }))
      expectVec(force, v(0, 0, 0))
      expect(faults).toHaveLength(1)
    }
  })
})

function clip(axis: number): number {
  return Math.max(-1, Math.min(1, axis))
}
