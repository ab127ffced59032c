import {
  Arrive,
  AvoidObstacles,
  Evade,
  FollowPath,
  MatchAttitude,
  Orbit,
  Path,
  Pursue,
  ReciprocalAvoidance,
  Seek,
  SphereShape,
  SteeringController,
  SteeringWorld,
  Tether,
  Thrusters,
  Wander,
  blend,
  within,
  type Behavior,
  type ControllerOptions,
  type Vec3Like,
} from 'three-steering'
import { Dock, Port } from 'three-steering/docking'
import type { DoorUnderTest, TestSolid } from 'three-steering/door-tests'
import { about, angleApart, minus, norm, v } from '../support/geometry.js'

/** One of the scenes that are flown with every physics engine. */
export interface DoorScene {
  readonly name: string
  /** Duration, s. */
  readonly seconds: number
  readonly gravity?: Vec3Like
  /** Adds the agents. Returns the verdict so far, called in every step. */
  readonly build: (stage: Stage) => () => string
}

/** The result of one flight. */
export interface DoorFlight {
  readonly verdict: string
  /** Time (s) of the first arrival, latching or catch; NaN for none. */
  readonly time: number
}

/** A body at rest at the origin. */
export const SOLID: TestSolid = {
  position: v(0, 0, 0),
  quaternion: { x: 0, y: 0, z: 0, w: 1 },
  velocity: v(0, 0, 0),
  angularVelocity: v(0, 0, 0),
  mass: 2,
  inertia: v(0.3, 0.3, 0.2),
  inertiaFrame: { x: 0, y: 0, z: 0, w: 1 },
  center: v(0, 0, 0),
  linearDamping: 0,
  angularDamping: 0,
  canSleep: false,
}

/** The world of one flight. */
export class Stage {
  readonly steering: SteeringWorld
  done = NaN
  private readonly door: ReturnType<DoorUnderTest['open']>

  constructor(door: DoorUnderTest, gravity: Vec3Like, timestep: number) {
    this.steering = new SteeringWorld({ gravity })
    this.door = door.open(this.steering, gravity, timestep)
  }

  add(
    behavior: Behavior,
    solid: Partial<TestSolid> = {},
    options: Partial<ControllerOptions> = {},
  ): SteeringController {
    const { options: own } = this.door.add({ ...SOLID, ...solid })
    const one = new SteeringController(null, {
      behavior,
      maxSpeed: 8,
      maxForce: 20,
      maxTorque: 10,
      radius: 0.5,
      ...own,
      ...options,
    })
    this.steering.add(one)
    one.addEventListener('arrive', () => this.finish())
    return one
  }

  /** Notes the time at which the scene has reached its goal. */
  finish(): void {
    if (Number.isNaN(this.done)) this.done = this.steering.time
  }

  step(): void {
    this.door.step()
  }

  close(): void {
    this.door.close()
  }
}

function isAtRest(one: SteeringController, place: Vec3Like, within = 0.05): boolean {
  return norm(minus(one.position, place)) < within && norm(one.velocity) < within
}

function gap(a: SteeringController, b: SteeringController): number {
  return norm(minus(a.position, b.position)) - a.radius - b.radius
}

export const DOOR_SCENES: readonly DoorScene[] = [
  {
    name: 'arrive',
    seconds: 8,
    build(stage) {
      const target = v(9, 12, -7)
      const one = stage.add(new Arrive({ target }))
      return () => (isAtRest(one, target) ? 'at rest at the target' : 'on the way')
    },
  },
  {
    name: 'arrive against gravity',
    seconds: 10,
    gravity: v(0, -9.81, 0),
    build(stage) {
      const target = v(3, 9, 5)
      const one = stage.add(new Arrive({ target }), {}, { compensateGravity: true, maxForce: 40 })
      return () => (isAtRest(one, target) ? 'at rest at the target' : 'on the way')
    },
  },
  {
    name: 'seek',
    seconds: 6,
    build(stage) {
      const target = v(-6, 10, 6)
      const one = stage.add(new Seek({ target }), { velocity: v(3, 0, 0) })
      let least = Infinity
      return () => {
        const away = norm(minus(one.position, target))
        if (away < 0.5) stage.finish()
        least = Math.min(least, away)
        return least < 0.5 ? 'through the target' : 'past it'
      }
    },
  },
  {
    name: 'pursue',
    seconds: 12,
    build(stage) {
      const hare = stage.add(new Seek({ target: v(60, 20, 0) }), { position: v(10, 5, 0) }, { maxSpeed: 4 })
      const hound = stage.add(new Pursue({ target: hare }), { position: v(-5, -8, 9) })
      return () => {
        if (gap(hare, hound) < 0.5) stage.finish()
        return Number.isNaN(stage.done) ? 'chasing' : 'caught'
      }
    },
  },
  {
    name: 'evade',
    seconds: 8,
    build(stage) {
      const raider = stage.add(new Seek({ target: v(0, 0, 0) }), { position: v(0, 3, -20) }, { maxSpeed: 6 })
      const runner = stage.add(new Evade({ target: raider }))
      let least = Infinity
      return () => {
        least = Math.min(least, gap(raider, runner))
        return least > 5 ? 'got away' : 'caught'
      }
    },
  },
  {
    name: 'flip over',
    seconds: 6,
    build(stage) {
      const quaternion = about(v(0.48, -0.64, 0.6), Math.PI)
      const one = stage.add(new MatchAttitude({ target: { quaternion } }), { inertia: v(0.2, 2.4, 2.5) })
      return () => {
        const isThere = angleApart(one.quaternion, quaternion) < 0.01 && norm(one.angularVelocity) < 0.01
        if (isThere) stage.finish()
        return isThere ? 'turned over' : 'turning'
      }
    },
  },
  {
    name: 'dock at a turning station',
    seconds: 40,
    build(stage) {
      const station = stage.add(
        { steer: (...[, , out]) => void (out.turns = true) },
        { position: v(20, 5, -10), mass: 1e5, inertia: v(1e6, 1e6, 1e6), angularVelocity: v(0, 0.05, 0) },
        { radius: 3 },
      )
      const port = new Port({ carrier: station, position: v(4, 0, 0), outward: v(1, 0, 0) })
      const ship = stage.add(new Dock({ port }), { inertia: v(2, 2, 2) }, { radius: 1 })
      let last = ''
      ship.addEventListener('stage', ({ stage: name }) => {
        last = name
        if (name === 'latched') stage.finish()
      })
      // a scene ends when it is latched: without a joint it would leave the port
      return () => last
    },
  },
  {
    name: 'a rock dead ahead',
    seconds: 12,
    build(stage) {
      const obstacles = [{ shape: new SphereShape(4), at: v(0, 0, 20) }]
      const target = v(0, 0, 40)
      const behavior = within([new AvoidObstacles({ obstacles, clearance: 0.3 })], [new Arrive({ target })])
      const one = stage.add(behavior)
      let least = Infinity
      return () => {
        least = Math.min(least, norm(minus(one.position, v(0, 0, 20))) - 4.5)
        return `${isAtRest(one, target) ? 'at rest at the target' : 'on the way'}, ${least > 0 ? 'no' : 'a'} contact`
      }
    },
  },
  {
    name: 'four change places',
    seconds: 15,
    build(stage) {
      const corners = [v(8, 0, 0), v(-8, 1, 0), v(0, 2, 8), v(0, -1, -8)]
      const all = corners.map((corner) => {
        const target = v(-corner.x, -corner.y, -corner.z)
        const behavior = within([new ReciprocalAvoidance({ clearance: 0.2 })], [new Arrive({ target })])
        return { target, one: stage.add(behavior, { position: corner }) }
      })
      let least = Infinity
      return () => {
        for (const [i, { one }] of all.entries())
          for (const { one: other } of all.slice(0, i)) least = Math.min(least, gap(one, other))
        const arrived = all.filter(({ one, target }) => isAtRest(one, target)).length
        return `${arrived} arrived, ${least > 0 ? 'no' : 'a'} contact`
      }
    },
  },
  {
    name: 'follow a path',
    seconds: 15,
    build(stage) {
      const points = [v(0, 0, 0), v(10, 4, 0), v(14, 8, 10), v(4, 10, 16)]
      const path = new Path({ points })
      const one = stage.add(new FollowPath({ path }))
      const end = points.at(-1)!
      return () => (isAtRest(one, end, 0.2) ? 'at the end' : 'on the way')
    },
  },
  {
    name: 'a ship with thrusters',
    seconds: 25,
    build(stage) {
      const target = v(-15, 8, -20)
      const locomotion = new Thrusters({ ahead: 20 })
      const one = stage.add(new Arrive({ target }), {}, { locomotion })
      return () => (isAtRest(one, target) ? 'at rest at the target' : 'on the way')
    },
  },
  {
    name: 'orbit, and wander on a leash',
    seconds: 15,
    build(stage) {
      const orbiting = stage.add(new Orbit({ target: v(0, 0, 0), radius: 8, axis: v(0, 1, 0) }), {
        position: v(14, 3, 0),
      })
      const center = v(60, 0, 0)
      const wandering = stage.add(
        blend([new Wander(), new Tether({ target: center, radius: 5 })]),
        { position: center },
        { seed: 5 },
      )
      let farthest = 0
      return () => {
        farthest = Math.max(farthest, norm(minus(wandering.position, center)))
        const { x, y, z } = orbiting.position
        const off = Math.abs(Math.hypot(x, z) - 8) + Math.abs(y)
        if (off < 0.3) stage.finish()
        return `${off < 0.3 ? 'on' : 'off'} the circle, ${farthest < 16 ? 'on' : 'off'} the leash`
      }
    },
  },
]

/** Flies a scene with a physics engine. */
export function flyDoorScene(
  { build, gravity = v(0, 0, 0), seconds }: DoorScene,
  door: DoorUnderTest,
  rate: number,
): DoorFlight {
  const stage = new Stage(door, gravity, 1 / rate)
  const judge = build(stage)
  let verdict = ''
  for (let i = 0; i < Math.round(seconds * rate) && verdict !== 'latched'; i++) {
    stage.step()
    verdict = judge()
  }
  stage.close()
  return { verdict, time: stage.done }
}
