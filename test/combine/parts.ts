import type { Behavior, Vec3Like } from 'three-steering'
import { idle } from '../support/pilot.js'

/** Wants a torque. */
export function twisting(torque: Vec3Like, turns = true): Behavior {
  return {
    steer: (_agent, _step, out) => {
      out.torque.x += torque.x
      out.torque.y += torque.y
      out.torque.z += torque.z
      if (turns) out.turns = true
    },
  }
}

/** Wants only to hold its attitude. */
export function holding(): Behavior {
  return {
    steer: (_agent, _step, out) => {
      out.turns = true
    },
  }
}

/** Counts how often it was asked. */
export function counting(inner: Behavior = idle()): Behavior & { asked: number } {
  const behavior = {
    asked: 0,
    steer: ((agent, step, out) => {
      behavior.asked++
      inner.steer(agent, step, out)
    }) as Behavior['steer'],
  }
  return behavior
}
