import { Pursue, Seek, SteeringWorld, type Behavior, type Moving } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { magnitude } from '../../demo/scenarios/metrics.js'
import { makePhysics } from './bodies.js'
import { controllerOf, passOf, type Flyer, Audit } from './pursuit.js'
import {
  between,
  direction,
  evenly,
  inner,
  minus,
  outer,
  plus,
  times,
  unit,
  vec,
} from '../../demo/scenarios/vectors.js'

export type ThreatKind = 'slower' | 'equal' | 'clumsy'

/**
 * `slower`: less speed. `equal`: the same speed and force. `clumsy`: more speed, and a turn radius two to
 * four times as large.
 */
export const THREATS: readonly ThreatKind[] = ['slower', 'equal', 'clumsy']

/**
 * Homing of the threat: straight at the evader, ahead of it, by proportional navigation, or as `Pursue` by
 * default.
 */
export type Homing = 'pure' | 'lead' | 'proportional' | 'pursue'

export const HOMINGS: readonly Homing[] = ['pure', 'lead', 'proportional', 'pursue']

export interface Hunt {
  readonly kind: ThreatKind
  readonly seed: number
  readonly evader: Flyer
  readonly threat: Flyer
}

/**
 * The hunt of a seed: the threat flies at the evader at full speed; the evader is at rest or flies in any
 * direction. One hunt in five is vertical.
 */
export function huntOf(kind: ThreatKind, seed: number): Hunt {
  const random = seeded(104729 * seed + 17 * THREATS.indexOf(kind))
  const maxSpeed = between(random, 6, 24)
  const agility = maxSpeed * between(random, 1, 2.5)
  const [speedDraw, agilityDraw] = [random(), random()]
  const pace =
    maxSpeed * (kind === 'slower' ? 0.7 + 0.2 * speedDraw : kind === 'equal' ? 1 : 1.1 + 0.2 * speedDraw)
  const circle = (maxSpeed * maxSpeed) / agility
  const threatAcceleration = kind === 'clumsy' ? (pace * pace) / (circle * (2 + 2 * agilityDraw)) : agility
  const ahead = seed % 5 === 0 ? vec(0, seed % 10 === 0 ? 1 : -1, 0) : direction(random)
  const gap = 3 + pace * evenly(random, 0.8, 2)
  const start = times(direction(random), 20)
  const mass = between(random, 0.5, 40)
  const heavy = between(random, 0.5, 40)
  return {
    kind,
    seed,
    evader: {
      position: plus(start, ahead, gap),
      velocity: times(direction(random), seed % 2 === 0 ? maxSpeed * random() : 0),
      mass,
      radius: 0.5,
      maxSpeed,
      maxForce: mass * agility,
    },
    threat: {
      position: start,
      velocity: times(ahead, pace),
      mass: heavy,
      radius: 0.5,
      maxSpeed: pace,
      maxForce: heavy * threatAcceleration,
    },
  }
}

export function homing(how: Homing, target: Moving): Behavior {
  if (how === 'pure') return new Seek({ target })
  if (how === 'lead') return new Pursue({ target, prediction: 'intercept' })
  if (how === 'pursue') return new Pursue({ target })
  return proportional(target)
}

/**
 * A missile: it turns its velocity four times as fast as the line of sight turns, and keeps its speed. When
 * the distance does not shrink, it turns towards the target with full force.
 */
function proportional(target: Moving): Behavior {
  return {
    steer(agent, step, out) {
      const sight = minus(target.position, agent.position)
      const drift = minus(target.velocity, agent.velocity)
      const gap = magnitude(sight)
      if (!(gap > 0) || !(agent.speed > 0)) return
      const ahead = times(agent.velocity, 1 / agent.speed)
      const closing = inner(sight, agent.velocity) > 0 && inner(sight, drift) < 0
      const rate = times(outer(sight, drift), 1 / (gap * gap))
      const aside = plus(sight, ahead, -inner(sight, ahead))
      const most = agent.maxForce / agent.mass
      const wide = closing
        ? times(outer(rate, ahead), 4 * agent.speed)
        : magnitude(aside) > 0
          ? times(unit(aside), most)
          : aside
      const size = magnitude(wide)
      const lateral = size > most ? times(wide, most / size) : wide
      const rest = Math.sqrt(Math.max(0, most * most - inner(lateral, lateral)))
      const along = Math.min(rest, (agent.maxSpeed - agent.speed) / Math.max(step.dt, agent.responseTime))
      Object.assign(out.force, times(plus(lateral, ahead, along), agent.mass))
    },
  }
}

export interface HuntOptions {
  /** Step (s). Default 1/60. */
  readonly dt?: number
  readonly bodies?: 'none' | 'cannon'
  readonly how: Homing
  readonly evade: (threat: Moving) => Behavior
  /** Duration (s). Default 25. An evader not caught by then has survived. */
  readonly limit?: number
}

export interface HuntResult {
  readonly hunt: Hunt
  /** Time of the catch (s); Infinity without one. */
  readonly time: number
  /** Closest approach over the sum of the radii. */
  readonly nearest: number
  readonly void: boolean
}

export function flyHunt(hunt: Hunt, options: HuntOptions): HuntResult {
  const { dt = 1 / 60, bodies = 'none', how, evade, limit = 25 } = options
  const world = new SteeringWorld({ seed: hunt.seed })
  const physics = makePhysics(world, bodies)
  const evader = controllerOf(hunt.evader, physics)
  const threat = controllerOf(hunt.threat, physics)
  evader.behavior = evade(threat)
  threat.behavior = homing(how, evader)
  world.add(evader)
  world.add(threat)
  const reach = hunt.evader.radius + hunt.threat.radius
  const audit = new Audit(hunt.evader, dt)
  const other = new Audit(hunt.threat, dt)
  let [time, nearest] = [Infinity, Infinity]
  let gap = minus(hunt.evader.position, hunt.threat.position)
  for (let i = 1; i * dt <= limit && time === Infinity; i++) {
    if (physics === null) world.step(dt)
    else physics.step(dt)
    const [a, b]: Moving[] = physics === null ? [evader, threat] : physics.bodies
    audit.update(a!.position, a!.velocity)
    other.update(b!.position, b!.velocity)
    const next = minus(a!.position, b!.position)
    const [least, share] = passOf(gap, next)
    nearest = Math.min(nearest, least / reach)
    if (least < reach) time = (i - 1 + share) * dt
    gap = next
  }
  world.dispose()
  return { hunt, time, nearest, void: audit.void || other.void }
}
