import { Body, Sphere, Vec3, World } from 'cannon-es'
import {
  Arrive,
  AvoidObstacles,
  Obstacles,
  ReciprocalAvoidance,
  SphereShape,
  SteeringController,
  SteeringWorld,
  Thrusters,
  within,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { attachToCannon, cannonBody } from 'three-steering/cannon'

/** Half the edge of the box with rocks and goals (m). */
const HALF = 60

/** Ships with bodies of cannon-es that fly between rocks from goal to goal without end. */
export class Shuttles {
  readonly physics = new World({ gravity: new Vec3(0, 0, 0) })
  readonly steering: SteeringWorld
  readonly obstacles = new Obstacles()
  readonly ships: readonly SteeringController[]
  /** Number of goals reached by all ships. */
  arrivals = 0
  private readonly random: () => number

  constructor(seed: number, count = 24, rocks = 30) {
    this.random = seeded(seed)
    this.steering = new SteeringWorld({ seed })
    attachToCannon(this.steering, this.physics)
    while (this.obstacles.size < rocks) {
      const radius = 2 + 6 * this.random()
      const at = this.anywhere()
      if (this.obstacles.distance(at, { x: 0, y: 0, z: 0 }) > radius + 6)
        this.obstacles.add({ shape: new SphereShape(radius), at })
    }
    const avoid = [
      new AvoidObstacles({ obstacles: this.obstacles }),
      new ReciprocalAvoidance({ neighborDistance: 25 }),
    ] as const
    this.ships = Array.from({ length: count }, () => this.launch(avoid))
  }

  step(dt: number): void {
    this.physics.step(dt)
  }

  private launch(avoid: readonly [AvoidObstacles, ReciprocalAvoidance]): SteeringController {
    const radius = 0.5 + this.random()
    const body = new Body({ mass: 5, shape: new Sphere(radius), linearDamping: 0, angularDamping: 0 })
    const { x, y, z } = this.free(4)
    body.position.set(x, y, z)
    this.physics.addBody(body)
    const arrive = new Arrive({ target: this.free(4) })
    const ship = new SteeringController(null, {
      body: cannonBody(body),
      behavior: within([...avoid], arrive),
      locomotion: new Thrusters({ ahead: 50, astern: 30, up: 25, down: 25, port: 25, starboard: 25 }),
      maxSpeed: 6 + 6 * this.random(),
      maxForce: 50,
      maxTorque: 30,
      radius,
    })
    ship.addEventListener('arrive', () => {
      this.arrivals++
      arrive.target = this.free(4)
    })
    this.steering.add(ship)
    return ship
  }

  /** A place with this clearance (m) to the rocks. Other ships may be there. */
  private free(clearance: number): { x: number; y: number; z: number } {
    for (;;) {
      const at = this.anywhere()
      if (this.obstacles.distance(at, { x: 0, y: 0, z: 0 }) > clearance) return at
    }
  }

  private anywhere(): { x: number; y: number; z: number } {
    const one = (): number => HALF * (2 * this.random() - 1)
    return { x: one(), y: one(), z: one() }
  }
}
