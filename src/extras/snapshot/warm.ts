import type { SteeringWorld } from '../../core/engine/world.js'
import { bodyOptions } from '../../core/engine/options.js'
import { act, readStates } from '../../core/engine/phases.js'
import type { WorldInternals } from '../../core/engine/world-internals.js'
import { requireWhole } from '../../core/math/require.js'
import { restore } from './snapshot-restore.js'
import { idleInternals, snapshotOf } from './snapshot.js'

/**
 * Steps that are made first before they are taken back; each round makes twice as many as the one before it.
 * Short rounds compile what only first steps do, long ones what agents do that have flown for a second.
 */
const ROUND = 8

/** Default number of steps for up to 1,000 agents. Measured: with fewer some code is not compiled. */
const MOST = 120
/** Least default number of steps, for many agents. Measured as well. */
const FEWEST = 24

export interface WarmOptions {
  /**
   * Number of steps, whole, 1 … 10,000. Default 120 for up to 1,000 agents, 24 for 5,000 and more, between
   * them in inverse proportion: code is compiled after some number of calls.
   */
  steps?: number
}

/**
 * Makes steps of a world and takes them back, so that the JavaScript engine has compiled the code of its
 * behaviours before the first frame. Call it while the page loads, when the agents are in the world. After
 * it, agents, random streams, the state of behaviours, and time are as before, so the world goes on
 * bit-identical, except that agents have new generations. Bodies are read and get no force; planners,
 * listeners and explanations are not called; no fault is reported. The code of the physics engine itself is
 * not run. Functions of your own that a step calls (behaviours, `FollowPath.next`, shapes) are called, and
 * what they change outside of their `state` stays changed.
 * @returns number of steps made.
 * @throws Error inside a step, or after dispose. TypeError for a world that is not a SteeringWorld. TypeError
 * / RangeError naming the option.
 */
export function warm(world: SteeringWorld, options: WarmOptions = {}): number {
  const inside = idleInternals('warm', world)
  const { size } = world
  const { steps = Math.ceil(Math.min(MOST, Math.max(FEWEST, (1000 * MOST) / size))) } = options
  requireWhole('warm: steps', steps, 1, 10_000)
  for (let made = 0, round = ROUND; made < steps; made += round, round *= 2)
    makeRound(inside, Math.min(round, steps - made))
  return steps
}

/** Makes `steps` steps, and takes them back. */
function makeRound(inside: WorldInternals, steps: number): void {
  const { roster } = inside
  const bringBack = keep(inside)
  const flown: Float64Array[] = []
  roster.busy = true
  try {
    for (let i = 0; i < steps; i++) stepAside(inside, flown)
  } finally {
    roster.busy = false
    bringBack()
    roster.settle(silent)
  }
}

const silent = (): void => {}

/** The columns that a step changes of an agent without a body, and that are read from a body. */
const STATE = ['position', 'velocity', 'orientation', 'angularVelocity'] as const

/**
 * A step as by `SteeringWorld.step`, without planners, forces on bodies, and listeners. `flown` are the
 * columns after the last such step: agents with a body fly as if they had none, so that they come into
 * motion.
 */
function stepAside({ clock, roster, settings, thinker }: WorldInternals, flown: Float64Array[]): void {
  const { agents, bindings } = roster
  const { body } = agents
  clock.now.dt = settings.fixedStep
  readStates(agents, silent)
  for (const [k, column] of flown.entries()) agents[STATE[k]!].set(column)
  bindings.survey(silent)
  agents.search?.index(bindings.list)
  thinker.think(clock.now)
  const bodies = body.slice()
  body.fill(null)
  act(agents, clock.now, settings.wrap, settings.guard, silent)
  for (const [row, each] of bodies.entries()) body[row] = each
  if (bodies.some((each) => each !== null))
    for (const [k, name] of STATE.entries()) flown[k] = agents[name].slice()
  clock.advance()
}

/** Keeps all that steps change, and returns a function that brings it back. */
function keep(inside: WorldInternals): () => void {
  const { events, roster, thinker } = inside
  const { agents } = roster
  const { handles } = roster
  const snapshot = snapshotOf(inside, {})
  const trees = handles.map(({ behavior }) => behavior)
  const bodies = agents.body.filter((body) => body !== null)
  const radii = bodies.map((body) => bodyOptions.get(body)!.radius)
  const observers = [...thinker.observers]
  thinker.observers.clear()
  const { events: pending, faults } = events
  const known = [...events.knownFaults].map(([id, kinds]) => [id, new Set(kinds)] as const)
  events.events = []
  events.faults = []
  return () => {
    for (const [i, handle] of handles.entries()) if (handle.behavior !== trees[i]) handle.behavior = trees[i]!
    for (const [slot, observer] of observers) thinker.observers.set(slot, observer)
    restore(inside, snapshot, {})
    for (const [i, body] of bodies.entries()) bodyOptions.get(body)!.radius = radii[i]!
    events.events = pending
    events.faults = faults
    events.knownFaults.clear()
    for (const [id, kinds] of known) events.knownFaults.set(id, kinds)
  }
}
