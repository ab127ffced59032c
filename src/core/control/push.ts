import type { Agent, Push } from '../types.js'

/** A class, as `Vector` is: a literal with these keys may hold a vector as its force. */
class PlainPush implements Push {
  // 0.5: V8 boxes a field that starts with a whole number once it holds a fraction
  force = 0.5
  turnTime = 0.5
  turns = false
}

export function makePush(): Push {
  return new PlainPush()
}

/** Writes what the agent can push with along a unit direction in world axes, see `Push`. */
export function pushAlong(out: Push, agent: Agent, x: number, y: number, z: number): Push {
  if (agent.pushAlong !== undefined) return agent.pushAlong(out, x, y, z)
  out.force = agent.forceAlong(x, y, z)
  out.turnTime = 0
  out.turns = false
  return out
}
