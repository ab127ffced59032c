import {
  Body,
  Box,
  ContactMaterial,
  Material,
  Plane,
  Quaternion,
  SAPBroadphase,
  Sphere,
  Vec3,
  World,
} from 'cannon-es'
import { type SteeringWorld } from 'three-steering'
import { type Object3DLike, seeded } from 'three-steering/authoring'
import { bringToLife } from '../snippets/bring-to-life.js'
import { distance, Fingerprint } from './metrics.js'

export interface YourSceneOptions {
  readonly seed?: number
  /** Object that shows the drone. Nothing is drawn without it. */
  readonly model?: Object3DLike
}

/** Half the edge of a crate, and radius of the ball (m). */
export const CRATE = 0.5
export const BALL = 0.6
/** Height above the ground at which the drone waits (m). */
export const HOVER_HEIGHT = 1.5
/** The drone stays within this distance of the centre, along x and z (m). */
export const YARD = 11

const NEXT_STOP = 4.5 // s
const DROP_EVERY = 10 // s
const DROP_HEIGHT = 5 // m above the drone

/** A typical yard without steering: ground, crates, a ball. One call then adds the steering of a drone. */
export class YourScene {
  readonly world = new World({ gravity: new Vec3(0, -9.82, 0) })
  readonly steering: SteeringWorld
  readonly drone: Body
  readonly ball: Body
  readonly crates: readonly Body[]
  /** Target of the drone (m). It may be changed at any time. After `send` it no longer moves by itself. */
  readonly target = { position: { x: -3, y: HOVER_HEIGHT, z: 4 } }
  /** Position of the viewer (m). The drone faces it. */
  readonly viewer = { position: { x: 4.6, y: 3.1, z: 11.5 } }
  dropping = true
  touring = true
  arrivals = 0
  hits = 0
  recoveries = 0
  #fallen = false
  #nextStop = NEXT_STOP
  #nextDrop = 7
  readonly #random: () => number

  constructor({ seed = 1, model = headless() }: YourSceneOptions = {}) {
    this.#random = seeded(seed)
    this.target.position.x += this.#random() - 0.5
    const broadphase = new SAPBroadphase(this.world)
    broadphase.autoDetectAxis()
    this.world.broadphase = broadphase
    const matter = new Material('matter')
    this.world.defaultMaterial = matter
    this.world.addContactMaterial(new ContactMaterial(matter, matter, { friction: 0.4, restitution: 0.25 }))
    const flat = new Quaternion().setFromEuler(-Math.PI / 2, 0, 0)
    this.world.addBody(new Body({ mass: 0, shape: new Plane(), quaternion: flat }))
    this.crates = stack()
    this.ball = new Body({
      mass: 8,
      shape: new Sphere(BALL),
      position: new Vec3(5, 6, 1),
      angularDamping: 0.2,
    })
    this.drone = makeDrone()
    for (const body of [...this.crates, this.ball, this.drone]) this.world.addBody(body)

    this.steering = bringToLife(model, this.drone, this.world, this)

    this.steering.addEventListener('arrive', () => this.arrivals++)
    this.drone.addEventListener('collide', ({ body }: { body: Body }) => {
      if (body === this.ball) this.hits++
    })
  }

  step(dt: number): void {
    const { time } = this.steering
    if (this.touring && time >= this.#nextStop) {
      this.#nextStop = time + NEXT_STOP
      const angle = 2 * Math.PI * this.#random()
      const reach = 3 + 5 * this.#random()
      this.#aim(reach * Math.cos(angle), reach * Math.sin(angle))
    }
    if (this.dropping && time >= this.#nextDrop) this.dropBall()
    this.world.step(dt)
    this.#countRecoveries()
  }

  /** Sends the drone above a point on the ground. */
  send(x: number, z: number): void {
    this.touring = false
    this.#aim(x, z)
  }

  /** Drops the ball on the drone. */
  dropBall(): void {
    this.#nextDrop = this.steering.time + DROP_EVERY
    const { x, y, z } = this.drone.position
    this.ball.position.set(
      x + 0.3 * (this.#random() - 0.5),
      y + DROP_HEIGHT,
      z + 0.3 * (this.#random() - 0.5),
    )
    this.ball.previousPosition.copy(this.ball.position)
    this.ball.velocity.set(0, -4, 0)
    this.ball.angularVelocity.set(1, 0, 2)
  }

  state(): Record<string, number | string> {
    const mark = new Fingerprint()
    for (const body of [this.drone, this.ball, ...this.crates]) mark.addVector(body.position)
    return {
      'to target': distance(this.drone.position, this.target.position),
      upright: this.#top().y,
      arrivals: this.arrivals,
      hits: this.hits,
      recoveries: this.recoveries,
      fingerprint: mark.toString(),
    }
  }

  dispose(): void {
    this.steering.dispose()
  }

  #aim(x: number, z: number): void {
    const { position } = this.target
    position.x = Math.max(-YARD, Math.min(YARD, x))
    position.z = Math.max(-YARD, Math.min(YARD, z))
  }

  /** Counts a recovery when the drone is upright in the air again after it was down or on its side. */
  #countRecoveries(): void {
    const top = this.#top().y
    const { y } = this.drone.position
    if (top < 0.5 || (y < 0.6 && this.steering.time > 2)) this.#fallen = true
    else if (this.#fallen && top > 0.95 && y > 1.1) {
      this.#fallen = false
      this.recoveries++
    }
  }

  #top(): Vec3 {
    return this.drone.quaternion.vmult(new Vec3(0, 1, 0))
  }
}

function makeDrone(): Body {
  const drone = new Body({
    mass: 2.4,
    linearDamping: 0.1,
    angularDamping: 0.2,
    position: new Vec3(-3, 0.5, 0),
  })
  drone.addShape(new Sphere(0.37))
  drone.addShape(new Box(new Vec3(0.82, 0.07, 0.82)), new Vec3(0, 0.06, 0))
  drone.addShape(new Box(new Vec3(0.32, 0.03, 0.35)), new Vec3(0, -0.42, 0))
  return drone
}

/** Two small pyramids of crates. */
function stack(): Body[] {
  const crates: Body[] = []
  for (const [x, z, turn] of [
    [3.4, -2.6, 0.3],
    [-5.6, -4.2, -0.5],
  ] as const) {
    for (let row = 0; row < 3; row++) {
      for (let k = 0; k < 3 - row; k++) {
        const along = (k - (2 - row) / 2) * 1.08
        const position = new Vec3(
          x + along * Math.cos(turn),
          CRATE + row * 2 * CRATE,
          z - along * Math.sin(turn),
        )
        const quaternion = new Quaternion().setFromEuler(0, turn, 0)
        const crate = new Body({ mass: 3, position, quaternion })
        crate.addShape(new Box(new Vec3(CRATE, CRATE, CRATE)))
        crates.push(crate)
      }
    }
  }
  return crates
}

/** Replaces an Object3D where nothing is drawn. */
function headless(): Object3DLike {
  const position = { x: 0, y: 0, z: 0, set() {} }
  const quaternion = { x: 0, y: 0, z: 0, w: 1, set() {} }
  return { position, quaternion }
}
