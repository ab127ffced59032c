import type { Agent, SnapshotState, MovingFrame, Step, Vec3Like } from '../../types.js'
import { length, normalize, copy, cross, distance, vec3 } from '../../math/vec3.js'
import { requireDirection, requireFinite, requireVector } from '../../math/require.js'
import { PortQueue } from './port-queue.js'

export interface PortOptions {
  /** What the port belongs to: a station, a mothership. Its attitude, velocity and spin count. A `CANNON.Body`, a controller, a literal. */
  carrier: MovingFrame
  /** Place of the port, m, in the carrier's steering frame: x ahead, y up, z to starboard. */
  position: Vec3Like
  /** Direction out of the port, in the same frame; any length but zero. */
  outward: Vec3Like
  /** Where the top of a docked ship points, in the same frame; not along `outward`. Default the carrier's up, or its nose where that is along it. */
  up?: Vec3Like
  /** Length of the straight way in, m, > 0. Default 10. */
  corridor?: number
  /** Clear radius of the way in, m, > 0: a ship whose docking point is farther aside backs off and tries again. Default a fifth of its length. */
  corridorRadius?: number
  /**
   * Radius (m, ≥ 0) about the carrier's centre that only the corridor leads into: who comes from behind goes round it, at its own radius
   * from it. Default 0: nothing is in the way. Where the carrier is also one of the obstacles of an `AvoidObstacles`, let that `ignore` it
   * (`ignore: ({ owner }) => owner === station`), or the corridor is closed.
   */
  clearance?: number
  /** Distance (m, > 0) from the port, along its axis, at which who waits holds station. Default three corridors. */
  holdingDistance?: number
  /** Distance (m, > 0) between those who wait, and from them to the axis. Default two corridors. */
  spacing?: number
  /**
   * Whether the velocity of the carrier turns with it, as that of an aircraft in a long turn does. Default false: it drifts, as in space. Not for a deck
   * that sways: each roll would be taken for a turn of its course.
   */
  velocityTurns?: boolean
  /** Who has not steered for the port for so long, s, > 0, has lost his turn: removed, or about something else. Default 1. */
  turnTimeout?: number
}

const check = vec3()
const other = vec3()

/** A place to dock at on something that moves and turns, and the order of those who want to. Shared by all who dock there. */
export class Port {
  carrier: MovingFrame
  /** See {@link PortOptions}; may be changed at any time. */
  position: Vec3Like
  outward: Vec3Like
  up: Vec3Like
  corridor: number
  corridorRadius: number
  clearance: number
  holdingDistance: number
  spacing: number
  velocityTurns: boolean
  private readonly turns = new PortQueue()
  readonly state: SnapshotState = [this.turns]

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: PortOptions) {
    const { carrier, position, outward, up, corridor = 10 } = options
    const { corridorRadius = corridor / 5, clearance = 0, holdingDistance = 3 * corridor } = options
    const { spacing = 2 * corridor, velocityTurns = false, turnTimeout = 1 } = options
    if (typeof carrier?.position?.x !== 'number' || typeof carrier.velocity?.x !== 'number')
      throw new TypeError(`Port.carrier: got ${String(carrier)}, must have a position and a velocity`)
    this.carrier = carrier
    this.position = requireVector('Port.position', position)
    this.outward = requireDirection('Port.outward', outward)
    this.up = up === undefined ? topOf(outward) : requireDirection('Port.up', up)
    normalize(check, this.outward)
    normalize(other, this.up)
    if (length(cross(check, check, other)) < 1e-6)
      throw new RangeError(
        `Port.up: got (${this.up.x}, ${this.up.y}, ${this.up.z}), must not lie along outward`,
      )
    this.corridor = requireFinite('Port.corridor', corridor, 0, true)
    this.corridorRadius = requireFinite('Port.corridorRadius', corridorRadius, 0, true)
    this.clearance = requireFinite('Port.clearance', clearance, 0, false)
    this.holdingDistance = requireFinite('Port.holdingDistance', holdingDistance, 0, true)
    this.velocityTurns = velocityTurns
    this.spacing = requireFinite('Port.spacing', spacing, 0, true)
    this.turns.patience = requireFinite('Port.turnTimeout', turnTimeout, 0, true)
  }

  /** Id of the agent whose turn it is or who is docked; −1 when the port is free. As of the last step. */
  get holder(): number {
    return this.turns.holder
  }

  /** Number of those who wait. As of the last step. */
  get waiting(): number {
    return this.turns.waiting
  }

  get turnTimeout(): number {
    return this.turns.patience
  }
  set turnTimeout(patience: number) {
    this.turns.patience = patience
  }

  /**
   * To be called in every step by whoever wants the port or has it. Asking counts from the next step on, so that the order in which agents
   * think does not matter. @returns 0 when it is the agent's turn, else its place in the queue, from 1; −1 when it has only just asked.
   */
  ask(agent: Agent, step: Step): number {
    return this.turns.ask(agent, step)
  }

  /** Gives the port, or the place in the queue, back; counts from the next step on. */
  release(id: number): void {
    this.turns.release(id)
  }

  /** Brings the order up to this step. Called by all who look. */
  refreshFor(step: Step): void {
    this.turns.refreshFor(step)
  }

  /** Number of those who have it or wait, as of the start of this step. */
  get load(): number {
    return this.turns.load
  }
}

/** @throws TypeError for what is no list of ports. */
export function requirePorts(what: string, ports: readonly Port[]): readonly Port[] {
  if (!Array.isArray(ports) || ports.length === 0 || ports.some((each) => typeof each?.ask !== 'function'))
    throw new TypeError(`${what}: got ${String(ports)}, must be a Port`)
  return ports
}

/** Number of the port with the fewest ships, and of these the nearest. */
export function choosePort(ports: readonly Port[], agent: Agent, step: Step): number {
  let best = 0
  let least = Infinity
  let nearest = Infinity
  for (let i = 0; i < ports.length; i++) {
    const port = ports[i]!
    port.refreshFor(step)
    const load = port.holder === agent.id ? 0 : port.load
    const away = distance(agent.position, port.carrier.position)
    if (load > least || (load === least && away >= nearest)) continue
    best = i
    least = load
    nearest = away
  }
  return best
}

function topOf(outward: Vec3Like): Vec3Like {
  normalize(check, copy(check, outward))
  return Math.abs(check.y) < 0.9 ? { x: 0, y: 1, z: 0 } : { x: 1, y: 0, z: 0 }
}
