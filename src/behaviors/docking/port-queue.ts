import type { Agent, Archive, Serializable, Step } from '../../types.js'

interface Turn {
  readonly id: number
  readonly seed: number
  seen: number
}

/**
 * Whose turn it is: in order of asking. What is asked and given back in a step counts from the next one on, and of those who ask in the same step
 * the smaller seed comes first, so that the order in which agents think does not matter.
 */
export class PortQueue implements Serializable {
  patience = 1
  private readonly queue: Turn[] = []
  private readonly asking: Turn[] = []
  private readonly leaving: number[] = []
  private moment: object | null = null
  private tick = -1

  get holder(): number {
    const { leaving, queue } = this
    for (let i = 0; i < queue.length; i++)
      if (!leaving.includes(queue[i]!.id)) return i === 0 ? queue[0]!.id : -1
    return -1
  }

  get waiting(): number {
    return Math.max(0, this.queue.length - 1)
  }

  get load(): number {
    return this.queue.length
  }

  serialize(archive: Archive): void {
    this.tick = archive.number(this.tick)
    if (archive.restoring) this.moment = null
    for (const list of [this.queue, this.asking]) {
      const turns = list.slice()
      list.length = archive.number(list.length)
      for (let i = 0; i < list.length; i++) {
        const { id = 0, seed = 0, seen = 0 } = turns[i] ?? {}
        list[i] = { id: archive.number(id), seed: archive.number(seed), seen: archive.number(seen) }
      }
    }
    const { leaving } = this
    leaving.length = archive.number(leaving.length)
    for (let i = 0; i < leaving.length; i++) leaving[i] = archive.number(leaving[i]!)
  }

  /** See `Port.ask`. */
  ask(agent: Agent, step: Step): number {
    this.refreshFor(step)
    const { id, seed } = agent
    const { asking, queue } = this
    for (let i = 0; i < queue.length; i++) {
      const each = queue[i]!
      if (each.id !== id) continue
      each.seen = step.time
      return i
    }
    for (let i = 0; i < asking.length; i++) if (asking[i]!.id === id) return -1
    asking.push({ id, seed, seen: step.time })
    return -1
  }

  release(id: number): void {
    this.leaving.push(id)
  }

  /** Once per step, however many look: drops who is gone, lets in who has asked. */
  refreshFor(step: Step): void {
    if (this.moment === step && this.tick === step.tick) return
    this.moment = step
    this.tick = step.tick
    const { asking, leaving, queue } = this
    const oldest = step.time - Math.max(this.patience, 1.5 * step.dt)
    for (let i = 0; i < queue.length;)
      if (queue[i]!.seen < oldest || leaving.includes(queue[i]!.id)) queue.splice(i, 1)
      else i++
    leaving.length = 0
    if (asking.length === 0) return
    asking.sort(before)
    for (let i = 0; i < asking.length; i++) queue.push(asking[i]!)
    asking.length = 0
  }
}

function before(a: Turn, b: Turn): number {
  return a.seed - b.seed || a.id - b.id
}
