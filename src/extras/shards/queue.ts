import type { Port } from '../../blocks/docking/port.js'
import type { SteeringWorld } from '../../core/engine/world.js'
import { refuse } from '../../core/math/require.js'
import { isFiniteVec, vec3 } from '../../core/math/vec3.js'
import { Loader, Saver } from '../snapshot/snapshot-archive.js'
import { pack, requireForm, type Encoded } from '../snapshot/snapshot-data.js'
import { idleInternals } from '../snapshot/snapshot.js'
import { NO_SLOTS, refusalOf } from './hand-over.js'
import { damaged, MAX_LIST, readEncoded } from './parcel.js'

const QUEUE = { format: 'three-steering queue', version: 2 } as const
const CALLER = 'mergeQueue'

/** What a world tells others of the queue of a port, as plain data, see `shareQueue`. */
export interface QueueShare extends Encoded {
  readonly format: 'three-steering queue'
  readonly version: number
}

/**
 * Saves what the agents of a world have said to a port in the last step, as plain data that survives
 * `JSON.stringify`. Several worlds that have a port each, with the same carrier, have one queue if each
 * shares after each step, and the others call `mergeQueue` before the next one.
 * @param isOwner Whether the carrier belongs to this world. Then the order in which its port has the agents
 * is told too, and is that of all. Default false.
 * @throws Error inside a step, or after dispose. TypeError for a value that is not a Port.
 */
export function shareQueue(world: SteeringWorld, port: Port, isOwner = false): QueueShare {
  const { clock } = idleInternals('shareQueue', world)
  const queue = queueOf('shareQueue', port)
  const { entries, leaving, requests } = queue
  const { dt, time } = clock.now
  const tick = clock.now.tick - 1
  bringUpTo(tick, queue)
  const saver = new Saver(NO_SLOTS)
  // what loses its place in the next step would only be added again
  const oldest = queue.oldest(time, dt)
  const isDirect = ({ id, tick: asked }: Port['queue']['entries'][0]): boolean =>
    id >= 0 && (asked === tick || leaving.includes(id))
  const told = [...entries, ...requests].filter((each) =>
    isOwner ? each.lastAsked >= oldest : isDirect(each),
  )
  saver.number(tick)
  saver.boolean(isOwner)
  saver.integer(told.length)
  for (const each of told) {
    saver.integer(each.seed)
    saver.boolean(isDirect(each))
    saver.boolean(requests.includes(each))
    saver.boolean(leaving.includes(each.id))
    saver.number(each.tick)
    saver.number(each.lastAsked)
    saver.number(each.radius)
    saver.integer(each.nextSlot)
    saver.vector(each.nextPosition)
    saver.vector(each.nextVelocity)
  }
  saver.mark()
  return pack(QUEUE, saver)
}

/**
 * Adds what agents of another world have said to the port of that world, see `shareQueue`, to a port of this
 * one: the port of each world then has the same queue. In lock step, when all worlds merge what all others
 * have said of the same step, it is that of the port in a whole world. Else an agent may be at its end for
 * a while, and the order of the owner counts.
 * @throws Error inside a step, or after dispose. TypeError for a value that is not a Port, or not what
 * `shareQueue` returns; RangeError for data of another version, that is damaged or forged. After an error
 * nothing has changed.
 */
export function mergeQueue(world: SteeringWorld, port: Port, share: QueueShare): void {
  const { clock, roster } = idleInternals(CALLER, world)
  const queue = queueOf(CALLER, port)
  const { isOwner, tick, told } = readShare(share)
  const now = clock.now.tick - 1
  const { entries, leaving, requests } = queue
  bringUpTo(now, queue)
  const { agents } = roster
  const here = new Set(agents.id.subarray(0, agents.count))
  for (const each of told) {
    const { seed } = each
    const id = -2 - (seed >>> 0)
    let entry = [...entries, ...requests].find((known) => known.seed === seed)
    if (entry !== undefined) {
      // an agent that has gone to another world still has the id that it had here
      const isNew = entry.id < 0 && each.tick > entry.tick
      const isWord = each.isDirect && (entry.id >= 0 || each.isLeaving)
      if (here.has(entry.id) || !(isNew || isWord)) continue
      if (each.isRequest && !requests.includes(entry)) {
        entries.splice(entries.indexOf(entry), 1)
        entry = undefined
      }
    }
    if (entry === undefined) {
      entry = queue.request(id, seed)
      // the owner says that it has a place already, as after a crash of this world
      if (isOwner && !each.isRequest) entries.push(requests.pop()!)
    }
    const { lastAsked, position, radius, slot, velocity } = each
    const asked = tick === now ? lastAsked : clock.now.time
    Object.assign(entry, { id, lastAsked: asked, radius, tick: each.tick, nextSlot: slot })
    Object.assign(entry.nextPosition, position)
    Object.assign(entry.nextVelocity, velocity)
    if (each.isLeaving) leaving.push(id)
  }
  if (!isOwner) return
  const order = told.filter(({ isRequest }) => !isRequest).map(({ seed }) => seed)
  const placeOf = ({ seed }: { seed: number }): number => {
    const place = order.indexOf(seed)
    return place < 0 ? order.length : place
  }
  entries.sort((a, b) => placeOf(a) - placeOf(b))
}

/** Where no agent of this world has asked in the last step, it has not been done. */
function bringUpTo(tick: number, queue: Port['queue']): void {
  if (queue.lastTick < tick) queue.update(tick, -Infinity)
}

/** What is said of one agent. */
type Told = ReturnType<typeof readTold>

function readShare(share: QueueShare): { isOwner: boolean; tick: number; told: Told[] } {
  requireForm(`${CALLER}: share`, share, QUEUE, 'shareQueue')
  const loader = new Loader(readEncoded(share, CALLER), [], NO_SLOTS)
  try {
    const tick = loader.number(0)
    const isOwner = loader.boolean(false)
    const length = loader.integer(0)
    if (!(length >= 0 && length <= MAX_LIST)) throw damaged('a list is too long', CALLER)
    const told = Array.from({ length }, () => readTold(loader))
    if (!loader.mark()) throw damaged('it holds more than was read', CALLER)
    return { isOwner, tick, told }
  } catch (error) {
    throw refusalOf(error, CALLER)
  }
}

function readTold(loader: Loader) {
  const each = {
    seed: loader.integer(0),
    /** By the world that has the agent. */
    isDirect: loader.boolean(false),
    /** Whether it has no place in the queue yet; whether it leaves. */
    isRequest: loader.boolean(false),
    isLeaving: loader.boolean(false),
    tick: loader.number(0),
    lastAsked: loader.number(0),
    radius: loader.number(0),
    slot: loader.integer(0),
    position: vec3(),
    velocity: vec3(),
  }
  loader.vector(each.position)
  loader.vector(each.velocity)
  const { lastAsked, position, radius, tick, velocity } = each
  if (
    !(
      Number.isFinite(lastAsked + tick + radius) &&
      radius >= 0 &&
      isFiniteVec(position) &&
      isFiniteVec(velocity)
    )
  )
    throw damaged('a number is not finite', CALLER)
  return each
}

function queueOf(caller: string, port: Port): Port['queue'] {
  return typeof port?.ask === 'function' ? port.queue : refuse(`${caller}: port`, port, 'must be a Port')
}
