import type { Agent, Step, Vec3 } from '../types.js'
import { Memory } from '../control/memory.js'
import { addScaled, copy, dot, length, load, save, scale, vec3 } from '../math/vec3.js'

/** A force of this share of `maxForce` holds its axis firmly; a weaker one in proportion, so that none takes hold with a jump. */
const FIRM = 0.1

/** An axis is held on for about so long (s) after the last push: else it is let go in the next step, and the two take turns. */
const HOLD = 0.5

/** So many of the most important parts can hold an axis. */
const MOST = 8

// what is kept for each of them: its direction, and how firmly it is held
const FIRMNESS = 3
const WIDTH = 4

const axis = vec3()
const wanted = vec3()

/** Directions in which more important parts push or have just pushed. */
export class HeldAxes {
  readonly memory: Memory = new Memory(WIDTH * MOST)
  private at = 0
  private maxForce = 0

  /** For the agent at hand: what was held is held on, less and less. */
  begin(agent: Agent, step: Step): void {
    const at = (this.at = this.memory.at(agent))
    this.maxForce = agent.maxForce
    const { data } = this.memory
    const left = Math.exp(-step.dt / HOLD)
    for (let k = 0; k < MOST; k++) data[at + WIDTH * k + FIRMNESS]! *= left
  }

  /** Takes from the force (N) of part `index`, which counts `weight` times, what it wants against those before it, and holds that of what is left. */
  takeOff(index: number, force: Vec3, weight: number): void {
    const { at, maxForce } = this
    const { data } = this.memory
    const sign = weight < 0 ? -1 : 1
    const before = Math.min(index, MOST)
    copy(wanted, force)
    // what is taken off for one axis may be against another that was looked at before
    for (let pass = 0; pass < 2; pass++)
      for (let k = 0; k < before; k++) {
        load(axis, data, at + WIDTH * k)
        const least = (1 - data[at + WIDTH * k + FIRMNESS]!) * Math.min(0, sign * dot(wanted, axis))
        const along = sign * dot(force, axis)
        if (along < least) addScaled(force, force, axis, sign * (least - along))
      }
    const size = length(force)
    if (index >= MOST || !(size * Math.abs(weight) > 0 && size < Infinity)) return
    const firmness = maxForce < Infinity ? Math.min(1, (size * Math.abs(weight)) / (FIRM * maxForce)) : 1
    const own = at + WIDTH * index
    if (firmness < data[own + FIRMNESS]!) return
    data[own + FIRMNESS] = firmness
    save(scale(axis, force, sign / size), data, own)
  }
}
