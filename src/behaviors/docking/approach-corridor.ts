import type { Agent, Vec3 } from '../../types.js'
import { addScaled, cross, distance, length, scale, set, vec3 } from '../../math/vec3.js'
import type { PortPose, Coupling } from './port-pose.js'
import { CALM, calmBrake } from './corridor.js'
import { exitOf } from './path-around-carrier.js'
import { Engines, turnTime } from './helm.js'
import type { Port } from './port.js'
import { forceLeft } from './thrust.js'

/** The mouth lies so many times as far from the carrier's centre as what the ship keeps out of. */
const MOUTH_ROOM = 1.05

/** Slope at which the mouth of the corridor opens. */
const FLARE = 0.2

/** The run-in begins within this share of the corridor's radius. */
const CENTRAL = 0.7

/** Who is off the axis by so many radii of the corridor has left it. */
const LOST = 2

/** Slope, and angle (rad) per metre, of the cone before the port. */
const CONE = 0.05

/** A brake is never taken as weaker than this, m/s²: keeps distances finite. */
const WEAKEST = 1e-3

/** Brakes turned away by this angle, rad, are as good as straight. */
const ASKEW = 0.3

/** Share of all its brakes from which it is too fast; slower, it is in time. */
const UTMOST = 0.85

/** Engines across weaker than this share of the main one are none. */
const LEANING = 0.05

/** A docking axis this near to the nose or the tail is along the main engine. */
const LENGTHWISE = 0.99

/** So many corridors before the mouth a ship that leans comes to rest, and turns. */
const LEAN_ROOM = 5

/** After a failed run-in it begins one corridor farther out, up to so many times. */
const MOST_TRIES = 4

/** The pull of an asteroid grows on the way down: share of the brakes counted on for that. */
const RESERVE = 0.6

/** The run-in begins when it comes to rest across within this share of the way. */
const STOP_SHARE = 0.35

/** Share of the engine astern that it brakes with. */
const LEAN_BRAKE = 0.45

const gap = vec3()

/** There it is slower than this, m/s, and as near as this share of the way. */
const NEAR = 0.15
const AT_REST = 0.7

/** Reaction before it brakes for the hold, s. */
const REACTION = 0.5

/** How fast a ship goes in. */
export interface Speeds {
  readonly closingSpeed: number
  readonly entrySpeed: number
  readonly holdDistance: number
}

/** What must be met for a latch. */
export interface LatchLimits {
  readonly reach: number
  readonly tolerance: number
  readonly angleTolerance: number
  readonly speedTolerance: number
  readonly spinTolerance: number
  readonly closingSpeed: number
}

/** The way in as it is for one ship. Distances in m from the port along its axis, speeds in m/s. */
export class ApproachCorridor {
  /** Deceleration that the ship counts on, m/s². */
  brake = 0
  /** Where the way in begins: where the corridor does, and nothing of the carrier is beside it; and the speed there. */
  mouth = 0
  entry = 0
  /** Whether it has engines ahead and astern only, and so leans to stay on the axis. */
  leans = false
  /** Time (s) that its run-in takes. */
  lead = 0
  /** Way (m) that passes before its brakes are turned where they are needed. */
  lost = 0
  /** Deceleration across (m/s²) that it counts on in any attitude; Infinity where what it has now is as good. */
  across = Infinity
  /** Run-ins that failed, to be set before `set`: the next one is longer. */
  tries = 0
  readonly engines: Engines = new Engines()
  /** Whether it is pushed any way, in any attitude. */
  isFree = true
  /** Where to go before that, m, world axes, from the carrier's centre, and the velocity to have there relative to the carrier. */
  readonly place: Vec3 = vec3()
  readonly inward: Vec3 = vec3()
  /** Radius about the carrier's centre that the centre of the ship keeps out of, m. */
  keepOut = 0
  /** Who is farther from the axis, m, is not in the corridor any more. */
  wide = 0
  /** Before the mouth the run-in begins so early (m) that who is at rest there can still reach the entry speed. */
  private runUp = 0
  /** Where it must be in line, or slow down. */
  private gate = 0
  private readonly anyWay: boolean
  /** Way across in which it comes to rest, m. */
  private stop = 0

  /** @param anyWay whether the ship is taken as one that can be pushed any way, whatever its engines. */
  constructor(anyWay = false) {
    this.anyWay = anyWay
  }

  set(agent: Agent, port: Port, berth: PortPose, { axis }: Coupling, speeds: Speeds): this {
    const { closingSpeed, entrySpeed, holdDistance } = speeds
    const engines = this.engines.read(agent)
    this.lead = 0
    this.leans = !this.anyWay && engines.across < LEANING * engines.ahead && Math.abs(axis.x) > LENGTHWISE
    this.brake = calmBrake(agent, axis) * (this.anyWay ? RESERVE : 1)
    // always braking, never coasting: what leans needs thrust to stay on the axis
    if (this.leans) this.brake = LEAN_BRAKE * Math.min(engines.astern, engines.ahead)
    const brake = Math.max(this.brake, WEAKEST)
    this.keepOut = port.clearance > 0 ? port.clearance + agent.radius : 0
    this.mouth = Math.max(port.corridor, exitOf(berth.arm, berth.outward, MOUTH_ROOM * this.keepOut))
    this.entry = this.speedAt(this.mouth, port, speeds)
    this.wide = LOST * port.corridorRadius
    this.runUp = port.corridorRadius + (this.entry * this.entry) / brake
    this.isFree = this.anyWay || engines.isFree
    // without any it is no use to keep the thrust along the axis: no force there is exact
    this.across = this.isFree || this.leans || engines.across === 0 ? Infinity : engines.across
    const turned = this.isFree ? 0 : turnTime(agent, Math.max(0, berth.turn - ASKEW))
    this.lost = Math.max(0, -berth.leaving) * turned
    if (!this.isFree) {
      this.runUp = port.corridorRadius + (this.entry * this.entry) / Math.max(engines.ahead, WEAKEST)
      // room to turn in, and to find the axis
      this.entry = this.leans ? 0 : Math.min(entrySpeed, this.entry)
      const turning = turnTime(agent, this.leans ? Math.PI / 2 : Math.PI)
      this.mouth += this.leans
        ? (LEAN_ROOM + (this.tries % MOST_TRIES)) * port.corridor
        : this.entry * turning
      // half of the way speeding up, half braking
      if (this.leans) this.lead = turning + 2 * Math.sqrt(this.mouth / Math.max(brake, WEAKEST))
    }
    const fast = Math.min(entrySpeed, Math.sqrt(closingSpeed ** 2 + 2 * brake * port.corridor))
    this.gate = holdDistance + fast * (fast / brake + REACTION)
    this.stop = 0
    const across = length(berth.drift)
    if (this.anyWay && across > 0) {
      scale(gap, berth.drift, -1 / across)
      this.stop = (across * across * agent.mass) / (2 * CALM * forceLeft(agent, gap.x, gap.y, gap.z))
    }
    this.aim(berth)
    return this
  }

  /** Speed at this distance from which the ship can brake in time: the entry speed where the corridor begins. */
  speedAt(away: number, port: Port, { closingSpeed, entrySpeed }: Speeds): number {
    const { brake } = this
    const entry = Math.min(entrySpeed, Math.sqrt(closingSpeed ** 2 + 2 * brake * port.corridor))
    return Math.sqrt(entry * entry + 2 * brake * Math.max(0, away - port.corridor))
  }

  /** At the mouth, or so near before it that the run-in may begin. */
  isBefore(port: Port, berth: PortPose): boolean {
    if (this.leans) {
      addScaled(gap, berth.drift, berth.outward, berth.leaving)
      const off = distance(berth.here, this.place)
      return length(gap) < AT_REST && off < NEAR * (this.mouth - port.corridor)
    }
    const before = berth.out - this.mouth
    if (this.anyWay && this.stop > STOP_SHARE * this.wide) return false
    if (!this.isFree && !this.canStop(berth)) return false
    const flare = this.isFree ? before : berth.out - port.corridor
    const wide = CENTRAL * port.corridorRadius + FLARE * Math.max(0, flare)
    // who has come to rest there anyhow need not turn back for a run-up
    const rests = !this.isFree && Math.abs(berth.leaving) < AT_REST
    const early = rests ? 2 * this.runUp + this.entry : this.runUp
    return berth.out > -1 && before < early && length(berth.aside) < wide
  }

  /** Whether its brakes can stop it before the port, and across before it has left the corridor. */
  private canStop(berth: PortPose): boolean {
    const inward = Math.max(0, -berth.leaving)
    const across = length(berth.drift)
    const side = (across * across) / (2 * CALM * this.across)
    const utmost = (UTMOST * this.brake) / CALM
    return inward * inward < 2 * utmost * (berth.out - this.lost) && length(berth.aside) + side < this.wide
  }

  /**
   * Where to go, and with what velocity to be there. A ship that leans goes to where, for somebody who flies as the port will at the touch, the axis as
   * it will point then begins.
   */
  private aim(berth: PortPose): void {
    const { inward, leans, place } = this
    const { arm, motion, outward } = berth
    addScaled(place, arm, outward, this.mouth)
    scale(inward, outward, -this.entry)
    if (!leans) return
    motion.turned(place, place, this.lead)
    motion.turned(gap, arm, this.lead)
    addScaled(place, place, cross(inward, motion.spin, gap), -this.lead)
    set(inward, 0, 0, 0)
  }

  /** Radius about the carrier's centre to keep out of now, m: who backs off in the corridor is where it may be. */
  keepOutFrom(berth: PortPose): number {
    return berth.out > 0 && length(berth.aside) < this.wide ? 0 : this.keepOut
  }

  /** So near that it must be in line. */
  isAtGate(berth: PortPose): boolean {
    return berth.out < this.gate
  }
}

/** Inside the cone before the port, with nose and roll as well. */
export function isInLine(berth: PortPose, limits: LatchLimits, slack: number): boolean {
  const away = Math.max(0, berth.out)
  const wide = slack * (limits.tolerance + CONE * away)
  return length(berth.aside) < wide && berth.turn < slack * (limits.angleTolerance + CONE * away)
}

/** Pose and twist within the tolerances of the latch. */
export function fits(berth: PortPose, limits: LatchLimits): boolean {
  return (
    poseFits(berth, limits, 1) &&
    berth.sliding < limits.speedTolerance &&
    Math.abs(berth.closing) < limits.closingSpeed + limits.speedTolerance &&
    length(berth.spin) < limits.spinTolerance
  )
}

/** The pose alone, `slack` times as wide. */
export function poseFits(berth: PortPose, limits: LatchLimits, slack: number): boolean {
  return (
    Math.abs(berth.out) < slack * limits.reach &&
    length(berth.aside) < slack * limits.tolerance &&
    berth.turn < slack * limits.angleTolerance
  )
}
