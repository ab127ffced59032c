import type { AgentInSlot, Exemption, Vec3, Vec3Like, Wish } from '../types.js'
import { clearWish, forwardWish, makeWish } from './wish.js'
import { copy, vec3 } from '../math/vec3.js'

/**
 * Where combinations keep their last wishes, from when on something is drawn; null before. Set by
 * `three-steering/explain`, so that a page that draws nothing neither loads nor keeps them.
 */
export const drawing: { wishes: LastWishes | null } = { wishes: null }

/** The last wish of an agent, and the velocity (m/s) that it wanted. */
interface LastWish {
  generation: number
  readonly velocity: Vec3
  readonly wish: Wish
  /** A copy of what the wish exempts: a behaviour uses its own again for the next agent. */
  readonly exemption: { -readonly [K in keyof Omit<Exemption, 'place'>]: Exemption[K] } & {
    readonly place: Vec3
  }
}

/** The last wish of each agent in each combination, for drawings only, so in no snapshot. */
export class LastWishes {
  private readonly byCombination = new WeakMap<object, LastWish[]>()

  /** Null for an agent without one. */
  of(combination: object, { generation, slot }: AgentInSlot): LastWish | null {
    const last = this.byCombination.get(combination)?.[slot]
    return last?.generation === generation ? last : null
  }

  keep(
    combination: object,
    { generation, slot }: AgentInSlot,
    velocity: Vec3Like,
    wish: Readonly<Wish>,
  ): void {
    let bySlot = this.byCombination.get(combination)
    if (bySlot === undefined) this.byCombination.set(combination, (bySlot = []))
    const last = (bySlot[slot] ??= makeLastWish())
    last.generation = generation
    copy(last.velocity, velocity)
    clearWish(last.wish)
    forwardWish(last.wish, wish)
    const { agents, carrier, lane, obstacles, place } = wish.exemption ?? NOTHING_EXEMPT
    const { exemption: kept } = last
    copy(kept.place, place)
    kept.obstacles = obstacles
    kept.agents = agents
    kept.carrier = carrier
    kept.lane = lane && copy(kept.lane ?? vec3(), lane)
    if (wish.exemption !== undefined) last.wish.exemption = kept
  }
}

const NOTHING_EXEMPT: Exemption = { place: vec3(), obstacles: false, agents: false }

function makeLastWish(): LastWish {
  const exemption = { place: vec3(), obstacles: false, agents: false, carrier: undefined, lane: undefined }
  return { generation: -1, velocity: vec3(), wish: makeWish(), exemption }
}
