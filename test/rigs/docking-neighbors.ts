import * as CANNON from 'cannon-es'
import {
  Arrive,
  AvoidAgents,
  AvoidObstacles,
  ReciprocalAvoidance,
  SteeringController,
  SteeringWorld,
  within,
} from 'three-steering'
import { seeded, type Constraint } from 'three-steering/authoring'
import { attachToCannon, cannonBody, latch, obstaclesFromCannon } from 'three-steering/cannon'
import { Dock, Port, Undock } from 'three-steering/docking'
import {
  ACCELERATION,
  attitude,
  enginesOf,
  MASS,
  NOSE,
  poseAt,
  shipBody,
  sphere,
  SPIN_UP,
  steering,
  type Engines,
} from './docking-trials.js'

/** Which constraints the ships dock within. */
export type Among = 'none' | 'agents' | 'reciprocal' | 'obstacles' | 'all'

export interface NeighborOptions {
  readonly engines?: Engines
  readonly dt?: number
  /** Number of ports, side by side, and of ships. Default 2 and as many. */
  readonly ports?: number
  readonly ships?: number
  /** Distance between neighbouring ports (m). Default 10. */
  readonly gap?: number
  readonly among?: Among
  /** Turn rate of the carrier (rad/s). Default up to 0.02. */
  readonly spin?: number
  /** Longest flight (s). Default 300. */
  readonly longest?: number
  /** Whether each ship may take any of the ports. Default each its own. */
  readonly any?: boolean
  /**
   * Whether each ship leaves 3 s after its latch, and flies away. Without constraints it is removed when it
   * has left, because then it would see no one.
   */
  readonly leaves?: boolean
}

export interface NeighborResult {
  readonly docked: boolean
  /** Whether it has left again. */
  readonly left: boolean
  readonly time: number
  /** Contacts before the latch, and the fastest (m/s). */
  readonly contacts: number
  readonly impact: number
  /** Number of contacts with other ships. */
  readonly withShips: number
  readonly lateral: number
  readonly stages: readonly string[]
  readonly told: readonly string[]
}

const HALF = new CANNON.Vec3(8, 6, 20)

/** Several ships dock at ports side by side on a face of a hull that drifts and turns. */
export function flyNeighbors(seed: number, options: NeighborOptions = {}): NeighborResult[] {
  const { engines = 'free', dt = 1 / 60, ports: count = 2, gap = 10, among = 'all', longest = 300 } = options
  const { ships = count } = options
  const random = seeded(seed)
  const world = new CANNON.World({ gravity: new CANNON.Vec3(0, 0, 0) })
  const half = new CANNON.Vec3(HALF.x, HALF.y, Math.max(HALF.z, (gap * count) / 2 + 2))
  const carrier = new CANNON.Body({
    mass: 1e6,
    linearDamping: 0,
    angularDamping: 0,
    shape: new CANNON.Box(half),
  })
  carrier.velocity = sphere(random).scale(5 * random())
  carrier.angularVelocity = sphere(random).scale(options.spin ?? 0.02 * random())
  carrier.quaternion = attitude(random)
  world.addBody(carrier)
  const side = random() < 0.5 ? -1 : 1
  const ports = Array.from({ length: count }, (_, k) => {
    const at = new CANNON.Vec3(side * half.x, 0, gap * (k - (count - 1) / 2))
    return new Port({
      carrier,
      position: steering(at),
      outward: steering(new CANNON.Vec3(side, 0, 0)),
      up: { x: 0, y: 1, z: 0 },
      clearance: half.length(),
    })
  })
  const steeringWorld = new SteeringWorld({ seed })
  attachToCannon(steeringWorld, world)
  const obstacles = obstaclesFromCannon(world)
  const departures: { at: number; go: () => void }[] = []
  const results = Array.from({ length: ships }, (_, k) => {
    const ship = shipBody()
    const bodies = world.bodies
    do {
      ship.position = carrier.position.vadd(sphere(random).scale(half.length() + 12 + 150 * random()))
    } while (bodies.some((other) => other !== carrier && other.position.distanceTo(ship.position) < 10))
    ship.quaternion = attitude(random)
    ship.velocity = sphere(random).scale(5 * random())
    world.addBody(ship)
    const port = ports[k % count]!
    const constraints: Constraint[] = []
    if (among === 'obstacles' || among === 'all') constraints.push(new AvoidObstacles({ obstacles }))
    if (among === 'reciprocal' || among === 'all') constraints.push(new ReciprocalAvoidance())
    if (among === 'agents') constraints.push(new AvoidAgents({ neighborDistance: 60 }))
    const probe = { x: NOSE, y: 0, z: 0 }
    const dock = options.any ? new Dock({ ports, probe }) : new Dock({ port, probe })
    const { inertia } = ship
    const pilot = new SteeringController(null, {
      body: cannonBody(ship),
      maxSpeed: 80,
      maxForce: MASS * ACCELERATION,
      maxTorque: SPIN_UP * Math.max(inertia.x, inertia.y, inertia.z),
      maxTurnRate: 2,
      locomotion: enginesOf(engines),
      behavior: among === 'none' ? dock : within(constraints, dock),
      seed: k + 1,
    })
    steeringWorld.add(pilot)
    const result = {
      docked: false,
      left: false,
      time: NaN,
      contacts: 0,
      impact: 0,
      withShips: 0,
      lateral: NaN,
      stages: [] as string[],
      told: [] as string[],
    }
    ship.addEventListener('collide', (event: { contact: CANNON.ContactEquation; body: CANNON.Body }) => {
      if (result.docked && event.body === carrier && !result.left) return
      result.contacts++
      if (event.body !== carrier) result.withShips++
      result.impact = Math.max(result.impact, Math.abs(event.contact.getImpactVelocityAlongNormal()))
    })
    const portOf = (): Port => ports.find(({ holder }) => holder === pilot.id) ?? port
    pilot.addEventListener('stage', ({ stage, reason }) => {
      if (stage === 'free') {
        result.left = true
        const away = ship.position.vsub(carrier.position).unit().scale(2000)
        if (among !== 'none')
          pilot.behavior = within(constraints, new Arrive({ target: carrier.position.vadd(away) }))
        else departures.push({ at: world.time, go: () => world.removeBody(ship) })
      }
      result.stages.push(reason === '' ? stage : `${stage} (${reason})`)
      if (stage !== 'latched' || result.docked) return
      result.docked = true
      result.time = world.time
      if (options.any !== true) result.lateral = poseAt({ world, ship, carrier, port }).lateral
      const release = latch(world, ship, carrier, CANNON.LockConstraint)
      if (options.leaves !== true) return
      departures.push({
        at: world.time + 3,
        go: () => {
          release()
          pilot.behavior =
            among === 'none'
              ? new Undock({ port: portOf(), probe })
              : within(constraints, new Undock({ port: portOf(), probe }))
        },
      })
    })
    pilot.addEventListener('cannot', ({ reason }) => result.told.push(reason))
    return result
  })
  const isDone = ({ docked, left }: NeighborResult): boolean => docked && (left || options.leaves !== true)
  while (world.time < longest && !results.every(isDone)) {
    world.step(dt)
    for (const each of departures)
      if (world.time > each.at && each.at > 0) {
        each.at = Infinity
        each.go()
      }
  }
  steeringWorld.dispose()
  return results
}
