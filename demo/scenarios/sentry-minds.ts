import { initialTransition, setup, transition } from 'xstate'
import type { AnyMachineSnapshot, AnyStateMachine, EventObject, StateValue } from 'xstate'

/**
 * Action selection, the game's own layer above the steering (Reynolds 1999): state machines by XState, of
 * which only the pure function `transition` is used. They have no timers. Elapsed time arrives as an event,
 * so that a seed determines the scene.
 */

/** Events of a guard. `fit`: neither damaged nor low on charge. */
export type GuardEvent =
  | { readonly type: 'intruder' | 'lost' | 'outnumbered' | 'hurt' | 'low' }
  | { readonly type: 'safe'; readonly fit: boolean }
  | { readonly type: 'latched' | 'full' | 'free' }

/** Patrols, chases intruders, flees when outnumbered or damaged, and docks to recharge and repair. */
export const guardMachine = setup({
  types: { events: {} as GuardEvent },
  guards: { isFit: ({ event }) => event.type === 'safe' && event.fit },
}).createMachine({
  id: 'guard',
  initial: 'patrol',
  states: {
    patrol: { on: { intruder: 'chase', outnumbered: 'flee', hurt: 'flee', low: 'dock' } },
    chase: { on: { lost: 'patrol', outnumbered: 'flee', hurt: 'flee', low: 'dock' } },
    flee: { on: { safe: [{ guard: 'isFit', target: 'patrol' }, { target: 'dock' }] } },
    dock: {
      initial: 'come',
      states: {
        come: { on: { latched: 'moored' } },
        moored: { on: { full: 'leave' } },
        leave: { on: { free: '#guard.patrol' } },
      },
    },
  },
})

export type RaiderEvent = { readonly type: 'tempted' | 'spotted' | 'hurt' | 'loaded' | 'safe' }

/** Roams far outside, raids a beacon, and flees with its loot. */
export const raiderMachine = setup({ types: { events: {} as RaiderEvent } }).createMachine({
  id: 'raider',
  initial: 'roam',
  states: {
    roam: { on: { tempted: 'raid', spotted: 'flee' } },
    raid: { on: { hurt: 'flee', loaded: 'flee' } },
    flee: { on: { safe: 'roam' } },
  },
})

/** A running state machine. `E` is the type of its events. */
export class Mind<E extends EventObject> {
  /** Path of the innermost state, e.g. `chase` or `dock.moored`. */
  state: string
  /** Time at which the state began (s). */
  since = 0
  readonly #machine: AnyStateMachine
  #snapshot: AnyMachineSnapshot

  constructor(machine: AnyStateMachine) {
    this.#machine = machine
    this.#snapshot = initialTransition(machine)[0]
    this.state = nameOf(this.#snapshot.value)
  }

  /** Handles an event. @returns whether the state has changed. */
  send(event: E, time: number): boolean {
    this.#snapshot = transition(this.#machine, this.#snapshot, event)[0]
    const state = nameOf(this.#snapshot.value)
    if (state === this.state) return false
    this.state = state
    this.since = time
    return true
  }
}

/** The value of a state as text, with the levels separated by dots. */
function nameOf(value: StateValue): string {
  if (typeof value === 'string') return value
  return Object.entries(value)
    .map(([name, inner]) => (inner ? `${name}.${nameOf(inner)}` : name))
    .join(' ')
}
