import * as CANNON from 'cannon-es'
import { describe, expect, it } from 'vitest'
import { Arrive, Cruise, SteeringController, SteeringWorld, type Behavior } from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { Formation, KeepSlot, wedgePattern } from 'three-steering/formation'
import {
  addGhost,
  exportAgent,
  importAgent,
  joinClock,
  type GhostOptions,
  type Parcel,
} from 'three-steering/shards'

const DT = 1 / 60

/** A world with a wing of five ships that cruises, one of them in the lead. */
class Wing {
  readonly world = new SteeringWorld({ seed: 3, fixedStep: DT })
  readonly formation = new Formation({ pattern: wedgePattern, spacing: 4, frame: 'course' })
  private readonly behavior: Behavior = new KeepSlot({
    formation: this.formation,
    leadBehavior: new Cruise({ speedShare: 0.5 }),
  })

  make(seed: number): SteeringController {
    const position = { x: -60 - 5 * seed, y: 3 * (seed % 3), z: 4 * (seed % 2) }
    return new SteeringController(null, {
      behavior: this.behavior,
      position,
      maxSpeed: 12,
      maxForce: 30,
      radius: 0.5,
      seed,
    })
  }
}

describe('a formation', () => {
  it('crosses a border as one: no ship leaves its slot', () => {
    const west = new Wing()
    const whole = new Wing()
    const ships = Array.from({ length: 5 }, (_, seed) => west.make(seed))
    const others = Array.from({ length: 5 }, (_, seed) => whole.make(seed))
    for (const ship of ships) west.world.add(ship)
    for (const ship of others) whole.world.add(ship)
    const fly = (world: SteeringWorld, steps: number): void => {
      for (let i = 0; i < steps; i++) world.step(DT)
    }
    fly(west.world, 900)
    fly(whole.world, 900)
    expect(() => exportAgent(west.world, ships[2]!)).toThrow(
      /with a KeepSlot, whose \w+ belongs to its world; hand it over by leavePlaces: true/,
    )
    const parcels = ships.map((ship) => exportAgent(west.world, ship, { leavePlaces: true }))
    for (const ship of ships) west.world.remove(ship)
    const east = new Wing()
    joinClock(east.world, west.world)
    const there = parcels.map((parcel) => {
      const ship = east.make(9)
      importAgent(east.world, JSON.parse(JSON.stringify(parcel)) as Parcel, ship)
      return ship
    })
    let worst = 0
    for (let i = 0; i < 300; i++) {
      fly(east.world, 1)
      fly(whole.world, 1)
      for (const [k, { position }] of there.entries()) {
        const wanted = others[k]!.position
        worst = Math.max(
          worst,
          Math.hypot(position.x - wanted.x, position.y - wanted.y, position.z - wanted.z),
        )
      }
    }
    expect(worst).toBeLessThan(0.5)
    expect(west.world.size).toBe(0)
  })
})

interface Side {
  readonly steering: SteeringWorld
  readonly physics: CANNON.World
}

function side(): Side {
  const steering = new SteeringWorld({ seed: 1 })
  const physics = new CANNON.World()
  attachToCannon(steering, physics)
  return { steering, physics }
}

const ball = (options: CANNON.BodyOptions): CANNON.Body =>
  new CANNON.Body({ mass: 1, linearDamping: 0, ...options, shape: new CANNON.Sphere(0.5) })

describe('a ghost with a kinematic body', () => {
  const motion = { position: { x: 2, y: 0, z: 0 }, velocity: { x: -3, y: 0, z: 0 } }
  const solidOf = (physics: CANNON.World): CANNON.Body => {
    const solid = ball({ mass: 0, type: CANNON.Body.KINEMATIC })
    physics.addBody(solid)
    return solid
  }

  it('pushes a ship of this side, as the ship behind it would', () => {
    const { physics, steering } = side()
    const ship = ball({})
    physics.addBody(ship)
    const ghost = addGhost(steering, { seed: 5, ...motion, solid: solidOf(physics) })
    for (let i = 0; i < 60; i++) {
      ghost.set(
        { x: 2 - (3 * i) / 60, y: 0, z: 0 },
        motion.velocity,
        { x: 0, y: 0, z: 0, w: 1 },
        { x: 0, y: 0, z: 0 },
      )
      physics.step(DT)
      expect(ship.position.x).toBeLessThan(2 - (3 * i) / 60)
    }
    expect(ship.velocity.x).toBeLessThan(-2.5)
    expect(ghost.controller.position.x).toBeCloseTo(2 - (3 * 59) / 60, 9)
  })

  it('two ships that meet at a border push each other back, each in its world', () => {
    const sides = [side(), side()]
    const ships = sides.map(({ physics, steering }, k) => {
      const body = ball({ position: new CANNON.Vec3(k === 0 ? -2 : 2, 0, 0) })
      physics.addBody(body)
      const behavior = new Arrive({ target: { x: k === 0 ? 3 : -3, y: 0, z: 0 } })
      steering.add(
        new SteeringController(null, { behavior, body: cannonBody(body), maxSpeed: 2, maxForce: 5, seed: k }),
      )
      return body
    })
    const ghosts = sides.map(({ physics, steering }, k) =>
      addGhost(steering, { seed: 1 - k, position: ships[1 - k]!.position, solid: solidOf(physics) }),
    )
    let nearest = Infinity
    for (let i = 0; i < 240; i++) {
      for (const [k, ghost] of ghosts.entries()) {
        const { angularVelocity, position, quaternion, velocity } = ships[1 - k]!
        ghost.set(position, velocity, quaternion, angularVelocity)
      }
      for (const { physics } of sides) physics.step(DT)
      nearest = Math.min(nearest, ships[1]!.position.x - ships[0]!.position.x)
    }
    // one exchange old: they may overlap by what they fly in a step, and by the softness of the contact
    expect(nearest).toBeGreaterThan(0.85)
    expect(nearest).toBeLessThan(1.1)
  })

  it.each<[string, (physics: CANNON.World) => Partial<GhostOptions>, RegExp]>([
    ['a dynamic body', () => ({ solid: ball({}) }), /^addGhost: solid: got .*must be kinematic/],
    ['something else', () => ({ solid: {} as never }), /^addGhost: solid: got .*must be a CANNON\.Body/],
    ['an attitude of zero', () => ({ quaternion: { x: 0, y: 0, z: 0, w: 0 } }), /^addGhost: quaternion: got/],
  ])('is refused: %s', (_, options, text) => {
    const { physics, steering } = side()
    expect(() => addGhost(steering, { seed: 1, ...options(physics) })).toThrow(text)
    expect(steering.size).toBe(0)
  })
})
