import { timeTold } from '#hints'
import type { View } from '../../core/types.js'
import {
  isInstancedMesh,
  viewOf,
  viewOfInstances,
  type InstancedMeshLike,
  type Viewable,
} from '../../core/engine/views.js'
import { readOptions, type AnyTable, type Options, type OptionsOf } from '../../core/math/options.js'
import { refuse, requireFinite, requireFunction } from '../../core/math/require.js'
import { PlaybackClock } from './playback-clock.js'
import type { NetPose, PacketInfo, PoseCodec } from './pose-codec.js'
import { PoseMemory } from './pose-memory.js'
import { RemoteAgent, type NetAgent, type Source } from './remote-agent.js'

/** What an agent is shown as: an `Object3D` or a view of its own, or an `InstancedMesh` for many. */
export type Shown = Viewable | InstancedMeshLike

export interface PoseBufferOptions extends Options, OptionsOf<typeof PoseBuffer.options> {}

/** The agents that are shown as one thing. */
interface Group {
  readonly view: View
  readonly members: RemoteAgent[]
}

/**
 * The agents that a client draws. Packets of a `PoseWriter` come in by `receive`, some 10 a second; `update`
 * moves the agents once a frame along smooth curves through what the packets said (cubic Hermite curves,
 * slerp). Packets may be lost, late, doubled, or out of order, and the clocks may drift: motion stays even,
 * and corrections are drawn within tenths of a second. After a pause of the page everybody is at once where
 * the server has it, with no rush through what was missed, and no way back.
 *
 * Where packets are missing, agents go on along their velocity for 0.25 s, and then stand still.
 *
 * Several sources, such as the rooms of a server, must have the same clock, see `joinClock`. An agent that
 * goes from one to another keeps its key, so it goes on as one.
 */
export class PoseBuffer {
  static readonly type = 'PoseBuffer'
  static readonly options = {
    /**
     * How far behind the server everything is drawn, s, 0 … 60. Two intervals between packets bridge one lost
     * packet, and packets that are late by up to one interval. Default 0.2.
     */
    // Two intervals at 10 packets a second.
    delay: { kind: 'number', unit: 's', atLeast: 0, atMost: 60, default: 0.2 },
    /**
     * With a value below `delay` the delay follows the network: so short that the packets of the last seconds
     * came in time, at least this, at most `delay` (s, ≥ 0). Default `delay`, which does not change.
     */
    leastDelay: { kind: 'number', unit: 's', atLeast: 0, atMost: 60 },
    /** After this time (s, > 0) an agent that no packet has listed any more is gone. Default 1. */
    // Chosen by hand.
    keep: { kind: 'number', unit: 's', above: 0, default: 1 },
    /** Largest number of agents; those beyond are not drawn. Whole, ≥ 1. Default 10000. */
    // 15 MB.
    maxAgents: { kind: 'number', whole: true, atLeast: 1, atMost: 1e7, default: 10000 },
    /**
     * Called when an agent is drawn first. Returns what it is shown as: an object of its own, an
     * `InstancedMesh` that it shares with others, or null. Default none.
     */
    enter: {
      kind: 'function',
      check: requireFunction<(key: number, agent: NetAgent) => Shown | null | undefined>,
    },
    /** Called when an agent is gone, with what `enter` has returned for it. Default none. */
    leave: { kind: 'function', check: requireFunction<(key: number, shown: Shown | null) => void> },
  } as const satisfies AnyTable

  /** All agents that are drawn now, in no special order. Live. */
  readonly agents: readonly NetAgent[]
  private readonly codec: PoseCodec
  private readonly keep: number
  private readonly maxAgents: number
  private readonly enter: ((key: number, agent: NetAgent) => Shown | null | undefined) | undefined
  private readonly leave: ((key: number, shown: Shown | null) => void) | undefined
  private readonly clock: PlaybackClock
  private readonly known = new Map<number, RemoteAgent>()
  private readonly all: RemoteAgent[] = []
  private readonly drawn: RemoteAgent[] = []
  private readonly groups = new Map<Shown, Group>()
  private readonly shownAs = new Map<RemoteAgent, Shown>()
  private readonly sources = new Map<string | number, Source>()
  /** The packet that is being read. */
  private packet: PacketInfo | null = null
  private arrival = 0.5
  private source: Source = newSource()
  private isNews = false

  /** @throws TypeError / RangeError naming the option, the value received and what is allowed. */
  constructor(codec: PoseCodec, options: PoseBufferOptions = {}) {
    if (typeof codec?.levelsOf !== 'function') refuse('PoseBuffer: codec', codec, 'must be a PoseCodec')
    const read = readOptions('PoseBuffer', PoseBuffer.options, options)
    this.codec = codec
    this.keep = read.keep
    this.maxAgents = read.maxAgents
    this.enter = read.enter
    this.leave = read.leave
    this.clock = new PlaybackClock(read.delay, Math.min(read.delay, read.leastDelay ?? read.delay))
    this.agents = this.drawn
  }

  /** Simulated time of the server that is drawn, s; −Infinity before the first packet is. */
  get time(): number {
    return this.clock.time
  }

  /** How far behind the server everything is drawn now, s: see the options `delay` and `leastDelay`. */
  get delay(): number {
    return this.clock.delay
  }

  /**
   * Takes a packet in.
   * @param now Time of a local clock, s, the same clock as for `update`: `performance.now() / 1000`.
   * @param source Whose packet it is, such as the name of a room. Default 0.
   * @returns whether it said something new. Duplicates and packets that are too late do not.
   * @throws TypeError / RangeError for bytes that are no packet of this codec, and for a time that is not
   * finite. Then nothing has changed.
   */
  receive(bytes: ArrayBuffer | ArrayBufferView, now: number, source: string | number = 0): boolean {
    requireFinite('receive: now', now, -Infinity, false)
    timeTold(this, 'receive', now)
    if (typeof source !== 'string' && typeof source !== 'number')
      refuse('receive: source', source, 'must be a string or a number')
    this.arrival = now
    this.source = this.sources.get(source) ?? newSource()
    this.packet = null
    this.isNews = false
    const packet = this.codec.read(bytes, this.take, this.source.memory)
    this.begin(packet)
    this.sources.set(source, this.source)
    if (packet.complete) this.markGone(packet.time)
    return this.isNews
  }

  /**
   * Draws the present: moves all agents, calls `enter` and `leave`, and writes the views. Once a frame.
   * @param now Time of the same local clock as for `receive`, s.
   * @throws TypeError / RangeError for a time that is not finite, and what `enter`, `leave` and views throw.
   */
  update(now: number): void {
    requireFinite('update: now', now, -Infinity, false)
    timeTold(this, 'update', now)
    const { clock } = this
    clock.advance(now)
    const { jumped, step, time } = clock
    for (let i = this.all.length - 1; i >= 0; i--) {
      const agent = this.all[i]!
      if ((time >= agent.gone && time >= agent.newest) || time > agent.newest + this.keep) this.remove(i)
      else if (time >= agent.oldest || agent.isShown) {
        agent.move(time, step, jumped)
        if (!agent.isShown) this.show(agent)
      }
    }
    for (const { view, members } of this.groups.values()) {
      for (let i = 0; i < members.length; i++) view.write(i, members[i]!)
      view.flush?.(members.length)
    }
  }

  /** The agent with a key, if it is drawn now, else null. */
  get(key: number): NetAgent | null {
    const agent = this.known.get(key >>> 0)
    return agent?.isShown === true ? agent : null
  }

  /** Ends a source, such as a room that was left: its agents leave, unless another source lists them. */
  drop(source: string | number): void {
    const ended = this.sources.get(source)
    this.sources.delete(source)
    if (ended === undefined) return
    for (const agent of this.all) if (agent.source === ended) agent.gone = Math.min(agent.gone, agent.newest)
  }

  /** All agents leave, and the next packet is taken as the first. */
  clear(): void {
    for (let i = this.all.length - 1; i >= 0; i--) this.remove(i)
    for (const { view } of this.groups.values()) view.flush?.(0)
    this.sources.clear()
    this.clock.reset()
  }

  /** Begins with a packet, once. */
  private begin(packet: PacketInfo): void {
    if (this.packet === packet) return
    this.packet = packet
    if (!this.clock.hear(packet.time, this.arrival)) return
    for (const agent of this.all) agent.restart(packet.time)
    for (const source of this.sources.values()) source.newest = -Infinity
  }

  private readonly take = (key: number, pose: NetPose, packet: PacketInfo): void => {
    this.begin(packet)
    const { clock, codec, source } = this
    const { time } = packet
    let agent = this.known.get(key)
    if (agent === undefined) {
      // a newer packet did not list it: it is gone
      if (time <= source.newest || time < clock.time - this.keep || this.all.length >= this.maxAgents) return
      agent = new RemoteAgent(key, source, 2 * Math.sqrt(3) * codec.maxSpeed, codec.velocityBits === 0)
      this.known.set(key, agent)
      this.all.push(agent)
    }
    if (time >= agent.newest) agent.source = source
    if (agent.insert(time, pose, clock.time)) this.isNews = true
  }

  /** After a packet that listed all agents of a source. */
  private markGone(time: number): void {
    const { source } = this
    if (time > source.newest) source.newest = time
    for (const agent of this.all)
      if (agent.source === source && agent.newest < time && agent.gone > time) {
        agent.gone = time
        this.isNews = true
      }
  }

  private show(agent: RemoteAgent): void {
    const shown = this.enter?.(agent.key, agent) ?? null
    agent.isShown = true
    agent.place = this.drawn.length
    this.drawn.push(agent)
    if (shown === null) return
    let group = this.groups.get(shown)
    if (group === undefined) {
      group = { view: isInstancedMesh(shown) ? viewOfInstances(shown) : viewOf(shown), members: [] }
      this.groups.set(shown, group)
    }
    agent.index = group.members.length
    group.members.push(agent)
    this.shownAs.set(agent, shown)
  }

  private remove(i: number): void {
    const agent = this.all[i]!
    swapOut(this.all, i)
    this.known.delete(agent.key)
    if (!agent.isShown) return
    agent.isShown = false
    swapOut(this.drawn, agent.place)
    if (agent.place < this.drawn.length) this.drawn[agent.place]!.place = agent.place
    const shown = this.shownAs.get(agent) ?? null
    if (shown !== null) {
      const { members, view } = this.groups.get(shown)!
      swapOut(members, agent.index)
      if (agent.index < members.length) members[agent.index]!.index = agent.index
      if (members.length === 0) {
        view.flush?.(0)
        this.groups.delete(shown)
      }
      this.shownAs.delete(agent)
    }
    this.leave?.(agent.key, shown)
  }
}

const newSource = (): Source => ({ newest: -Infinity, memory: new PoseMemory() })

/** Removes an element; the last one gets its place. */
function swapOut(list: RemoteAgent[], i: number): void {
  const last = list.pop()!
  if (i < list.length) list[i] = last
}
