import type { Agent, Behavior, SteeringController, Step, Vec3Like, Wrench } from 'three-steering'
import { Dock, Port } from 'three-steering/docking'

/** Steps of a shift, and of the part of it in which a shuttle wants to dock. */
const SHIFT = 1500
const ON_DUTY = 1000

/**
 * The port of the station, as one cell has it. The station may be here or in a neighbouring cell: then a ghost
 * of it is. Cells that share the yard tell each other who asks for the port, see `shareQueue`.
 */
export class Yard {
  readonly port: Port
  /** Where the station was seen last. */
  private readonly seen = {
    position: { x: 0, y: 0, z: 0 },
    velocity: { x: 0, y: 0, z: 0 },
    quaternion: { x: 0, y: 0, z: 0, w: 1 },
    angularVelocity: { x: 0, y: 0, z: 0 },
    radius: 0,
  }

  /** `radius` of the station (m). */
  constructor(radius: number) {
    this.seen.radius = radius
    this.port = new Port({
      carrier: this.seen,
      position: { x: 0, y: 0, z: radius + 0.4 },
      outward: { x: 0, y: 0, z: 1 },
      corridor: 6,
      holdingDistance: 10,
      spacing: 5,
      // longer than a shard is down that was killed
      turnTimeout: 10,
    })
  }

  /** Before each step: the station or its ghost. Without both it is where it was. */
  follow(station?: SteeringController): void {
    const { port, seen } = this
    port.carrier = station ?? seen
    if (!station) return
    for (const each of ['position', 'velocity', 'angularVelocity'] as const)
      Object.assign(seen[each], xyz(station[each]))
    Object.assign(seen.quaternion, xyz(station.quaternion), { w: station.quaternion.w })
  }

  /** Forgets who has asked for the port: this cell has not heard of it for a while, and is told anew. */
  forget(): void {
    const { entries, leaving, requests } = this.port.queue
    entries.length = leaving.length = requests.length = 0
  }

  /** What shuttles do: dock, or `roam`. */
  shiftOf(roam: Behavior): Behavior {
    const { port } = this
    const dock = new Dock({
      port,
      latchDistance: 0.1,
      tolerance: 0.1,
      angleTolerance: 0.1,
      speedTolerance: 0.3,
      spinTolerance: 0.1,
    })
    return new Shift(port, dock, roam)
  }
}

const xyz = ({ x, y, z }: Vec3Like): Vec3Like => ({ x, y, z })

/** Wants to dock for some time and flies about for some time, each agent at its own hours. */
class Shift implements Behavior {
  static readonly type = 'Shift'
  readonly children: readonly [Behavior, Behavior]
  private readonly port: Port

  constructor(port: Port, dock: Behavior, roam: Behavior) {
    this.port = port
    this.children = [dock, roam]
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const hour = (step.tick + 377 * agent.seed) % SHIFT
    if (hour === ON_DUTY) {
      this.port.ask(agent, step)
      this.port.release(agent.id)
    }
    this.children[hour < ON_DUTY ? 0 : 1].steer(agent, step, out)
  }
}
