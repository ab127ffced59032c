import { initialTransition, setup, transition } from 'xstate'
import type { AnyMachineSnapshot, AnyStateMachine, EventObject, StateValue } from 'xstate'

/**
 * Action selection, the game's own layer over the steering (Reynolds 1999): state machines by XState, of which only the pure `transition`
 * is used. They have no clock: what time brings is told to them as an event, so that a seed stays a scene.
 */

/** What a guard hears. `fit`: neither hurt nor short of charge. */
export type GuardEvent =
  | { readonly type: 'intruder' | 'lost' | 'outnumbered' | 'hurt' | 'low' }
  | { readonly type: 'safe'; readonly fit: boolean }
  | { readonly type: 'latched' | 'full' | 'free' }

/** Patrols, chases what it sees, flees from what is too much for it, and docks to be charged and mended. */
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

/** Roams in the dark, raids a beacon, and flees with what it has got. */
export const raiderMachine = setup({ types: { events: {} as RaiderEvent } }).createMachine({
  id: 'raider',
  initial: 'roam',
  states: {
    roam: { on: { tempted: 'raid', spotted: 'flee' } },
    raid: { on: { hurt: 'flee', loaded: 'flee' } },
    flee: { on: { safe: 'roam' } },
  },
})

/** A machine in one of its states, and since when; `E` is what it hears. */
export class Mind<E extends EventObject> {
  /** Of the innermost state, e.g. `chase` or `dock.moored`. */
  state: string
  /** When it began, s. */
  since = 0
  readonly #machine: AnyStateMachine
  #snapshot: AnyMachineSnapshot

  constructor(machine: AnyStateMachine) {
    this.#machine = machine
    this.#snapshot = initialTransition(machine)[0]
    this.state = nameOf(this.#snapshot.value)
  }

  /** Hears an event. @returns whether that has put it into another state. */
  hear(event: E, time: number): boolean {
    this.#snapshot = transition(this.#machine, this.#snapshot, event)[0]
    const state = nameOf(this.#snapshot.value)
    if (state === this.state) return false
    this.state = state
    this.since = time
    return true
  }
}

/** The value of a state as one word for each level. */
function nameOf(value: StateValue): string {
  if (typeof value === 'string') return value
  return Object.entries(value)
    .map(([name, inner]) => (inner ? `${name}.${nameOf(inner)}` : name))
    .join(' ')
}
