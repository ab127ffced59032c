import { COMPENSATE_GRAVITY, MASS, MAX_FORCE, RADIUS, TRAITS, type Agents } from '../engine/agents.js'
import { isKept } from '../math/own.js'
import { typeName } from '../math/show.js'
import type { Placed, Vec3, Vec3Like, View } from '../types.js'

/**
 * Hints on the console about uses that do nothing, and are not refused because they may be meant. Each is
 * given once. Bundlers that build for production replace this file by `no-hints.ts` (`imports` in
 * package.json), so none of this is in a production build.
 */

let enabled = true
const given = new WeakMap<object, Set<string>>()
/** Stands for hints that are about no object. */
const NOTHING = {}

/** See `setHints`. */
export function enableHints(on: boolean): void {
  enabled = on
}

/** Writes a hint about an object, or null, to the console, once per object and text. No text: no hint. */
export function hint(about: object | null, text: () => string): void {
  if (enabled) tell(about, text())
}

function tell(about: object | null, line: string): void {
  const key = about ?? NOTHING
  const texts = given.get(key) ?? new Set()
  if (!enabled || line === '' || texts.has(line)) return
  given.set(key, texts.add(line))
  console.warn(`three-steering: ${line}`)
}

const BODY_STATE = ['position', 'quaternion', 'velocity', 'angularVelocity']

/** Options that a class reads without a table. */
const OTHER_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  SteeringController: [...BODY_STATE, 'body'],
  Flock: ['count', 'view', 'spawn', 'body'],
  Formation: ['parent'],
  addGhost: [
    ...BODY_STATE,
    ...'seed forward up radius spaceLength spaceHeight mass maxSpeed group priority avoids'.split(' '),
    ...'isManual view solid'.split(' '),
  ],
}

/** Names options that no table of a class has, and the nearest name. Without an owner: nothing. */
export function unknownOptions(owner: string, tables: object | readonly object[], options: object): void {
  // the constructor refuses it
  if (owner === '' || typeof options !== 'object' || options === null) return
  if (owner === 'SteeringController') setsNose = 'forward' in options
  const known = [...[tables].flat().flatMap(Object.keys), ...(OTHER_OPTIONS[owner] ?? [])]
  const unknown = Object.keys(options).filter(
    (key) => !known.includes(key) && options[key as keyof object] !== undefined,
  )
  const type = typeName(options)
  if (unknown.length > 1 && type !== 'Object')
    tell(null, `${owner} got an instance of ${type} in place of { ${known.join(', ')} }`)
  else for (const key of unknown) tell(null, `${owner} has no option '${key}'${didYouMean(key, known)}`)
}

const AGENT_EVENTS = ['arrive', 'leave', 'stage', 'cannot']

/** Names an event that an object never emits, and the nearest name that it has. */
export function unknownEvent(target: object, type: PropertyKey): void {
  const isWorld = 'drive' in target
  const isFlock = 'member' in target
  // a class of the user that extends Emitter has events of its own
  if (!isWorld && !isFlock && !('slotRef' in target)) return
  const known = [...AGENT_EVENTS, ...(isWorld ? ['fault'] : isFlock ? [] : ['added', 'removed'])]
  const name = String(type)
  if (known.includes(name)) return
  const owner = isWorld ? 'SteeringWorld' : isFlock ? 'Flock' : 'SteeringController'
  tell(null, `${owner} has no event '${name}'${didYouMean(name, known)}`)
}

function didYouMean(name: string, known: readonly string[]): string {
  let best = ''
  let least = Math.max(2, name.length / 2)
  for (const each of known) {
    const distance = editDistance(name.toLowerCase(), each.toLowerCase())
    if (distance <= least) {
      least = distance
      best = each
    }
  }
  if (best !== '') return `; did you mean '${best}'?`
  return known.length === 0 ? '; it has none' : `; it has ${known.join(', ')}`
}

/** Least number of letters to add, drop, replace or swap with the next (Damerau and Levenshtein). */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const now = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      let least = Math.min(last[j]! + 1, now[j - 1]! + 1, replaced)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, before[j - 2]! + 1)
      now[j] = least
    }
    before = last
    last = now
  }
  return last[b.length]!
}

/** What the hints read of a world. */
interface World {
  readonly tick: number
  readonly time: number
  readonly size: number
  readonly isDriven: boolean
  readonly agents: Agents
}

interface Watch {
  /** Calls of `present`. */
  presents: number
  /** Whether `advance` was called: without time it is a pause. */
  isAdvanced: boolean
  /** Calls of `advance` in a row with more time than a frame can take. */
  longFrames: number
  /** Real time (s) and simulated time (s) at the start of the present span of observation; NaN before. */
  since: number
  from: number
  /** Calls of `present` in this span. */
  frames: number
}

const watches = new WeakMap<World, Watch>()

function watchOf(world: World): Watch {
  let watch = watches.get(world)
  if (watch === undefined)
    watches.set(
      world,
      (watch = { presents: 0, isAdvanced: false, longFrames: 0, since: NaN, from: 0, frames: 0 }),
    )
  return watch
}

// The numbers below are chosen by hand unless they say otherwise.

/** Steps or frames after which something that should have happened is missed: two seconds. */
const PATIENCE = 120
/** An agent is at rest when it would fall for less than this time (s) to be as fast. */
const AT_REST = 1e-3
/** A step at which agents that were added at the start are examined. */
const EARLY = 2
/** A frame of more seconds than this is an interruption, or was given in milliseconds. */
const LONG_FRAME = 5
/** This many long frames in a row are no interruption. */
const MANY = 3

const isPage = (): boolean => 'requestAnimationFrame' in globalThis

/** Called after each step. */
export function stepMade(world: World): void {
  const { tick, agents } = world
  // one that was in a world may leave it
  if (lastMade?.deref()?.roster !== null) lastMade = undefined
  if (tick === EARLY) {
    for (let row = 0; row < agents.count; row++) hintAtWeight(world, row)
    const seconds = world.time / tick
    if (seconds > LONG_FRAME)
      tell(
        world,
        `the steps last ${round(seconds)} s each: step(seconds) and the option fixedStep take seconds, such as 1 / 60`,
      )
  }
  if (tick % PATIENCE === 0) hintAtHover(world)
  if (tick !== PATIENCE) return
  const flock = lastEmpty?.deref()
  if (flock?.size === 0 && flock.roster?.agents === agents)
    tell(flock, 'a flock has no members: its option count is 0, and flock.add(count) was not called')
  const made = lastMade?.deref()
  if (world.size === 0 && made?.roster === null) {
    const type = typeName(made)
    const name = type === 'Flock' ? 'flock' : 'controller'
    tell(
      world,
      `a world without agents makes steps, and a ${type} is in no world: add it by steering.add(${name})`,
    )
  }
  let isDrawn = false
  for (let row = 0; row < agents.count; row++) {
    isDrawn ||= agents.view[row] !== null
    const body = agents.body[row]
    if (body?.isThere?.() === false)
      tell(
        body,
        `${nameOf(agents, row)} does not move, because its body is in no physics world: add the body to one`,
      )
    else if (body?.engineBody !== undefined && !world.isDriven && isPushedInVain(agents, row))
      tell(
        world,
        `${nameOf(agents, row)} does not move, because no physics engine moves its body: ${CONNECT}, in place of advance`,
      )
  }
  if (isPage() && isDrawn && watchOf(world).presents === 0)
    tell(
      world,
      `${PATIENCE} steps were made, but nothing is drawn: call steering.present() once per rendered frame`,
    )
}

const CONNECT =
  'call attachToCannon(steering, world), or rapierDoor(steering, world), and step the physics world'

/** Whether the agent got a force in the last step and its body is at perfect rest. */
function isPushedInVain({ given: force, velocity }: Agents, row: number): boolean {
  return (
    force.subarray(6 * row, 6 * row + 3).some((newtons) => newtons !== 0) &&
    velocity.subarray(3 * row, 3 * row + 3).every((speed) => speed === 0)
  )
}

/** Whether the ground or wings carry the agent. */
function isCarried({ binding }: Agents, row: number): boolean {
  const { locomotion } = binding[row]!
  return locomotion.beginWish !== undefined || 'lift' in locomotion
}

function hintAtWeight({ agents }: World, row: number): void {
  const { gravity, handle } = agents
  const traits = agents.traits.subarray(TRAITS * row, TRAITS * (row + 1))
  const force = traits[MAX_FORCE]!
  const weight = traits[MASS]! * Math.hypot(...gravity.subarray(3 * row, 3 * row + 3))
  if (traits[COMPENSATE_GRAVITY] === 1 && force < weight && !isCarried(agents, row))
    tell(
      handle[row]!,
      `${nameOf(agents, row)} cannot rise: its maxForce of ${round(force)} N is less than its weight of ${round(weight)} N, which compensateGravity holds`,
    )
}

/** Names the first agent that hovers by its behaviour alone: that pushes upwards only below its goal. */
function hintAtHover(world: World): void {
  const { agents } = world
  const { count, given: force, gravity, traits, velocity } = agents
  for (let row = 0; row < count; row++) {
    const [x, y, z] = gravity.subarray(3 * row)
    const fall = Math.hypot(x!, y!, z!)
    const weight = traits[TRAITS * row + MASS]! * fall
    const lift = -(force[6 * row]! * x! + force[6 * row + 1]! * y! + force[6 * row + 2]! * z!) / fall
    const isHovering = Math.abs(lift - weight) < 0.01 * weight && !isCarried(agents, row)
    if (traits[TRAITS * row + COMPENSATE_GRAVITY] === 1 || !isHovering) continue
    if (Math.hypot(...velocity.subarray(3 * row, 3 * row + 3)) > AT_REST * fall) continue
    const text = `hovers below its goal, by its weight of ${round(weight)} N: set compensateGravity: true`
    return tell(world, `${nameOf(agents, row)} ${text}`)
  }
}

/** Called by `advance`. */
export function advanced(world: World, seconds: number): void {
  const watch = watchOf(world)
  watch.isAdvanced = true
  if (seconds <= LONG_FRAME) watch.longFrames = 0
  else if (++watch.longFrames === MANY) {
    // said once, whatever the next frames are
    watch.longFrames = -Infinity
    tell(
      world,
      `advance got ${round(seconds)} s, ${MANY} times in a row: it takes seconds; three.js gives milliseconds to a setAnimationLoop`,
    )
  }
}

/** Called by `present`, before it writes the views. */
export function presented(world: World): void {
  const watch = watchOf(world)
  lookForMoves(world.agents, watch.presents++)
  if (watch.presents === PATIENCE && isPage()) lookForScene()
  if (watch.presents === PATIENCE && world.tick === 0 && world.size > 0 && !watch.isAdvanced)
    tell(world, stillText(world))
  if (isPage()) compareClocks(world, watch)
}

/** Where an object that shows an agent is given (frame 0), and where a view has put it in a frame. */
const places = new WeakMap<object, Vec3 & { frame: number }>()

/** Called by `present`, when the views are written. */
export function viewsWritten(world: World): void {
  const { count, view } = world.agents
  for (let row = 0; row < Math.min(count, MOST_MESHES); row++) {
    const object: Parented | undefined = view[row]?.object
    const place = object && places.get(object)
    if (place) Object.assign(place, object.position, { frame: watchOf(world).presents })
  }
}

/** Says when an object was moved since the last frame to where its agent cannot be. */
function lookForMoves({ count, position, traits, velocity, view }: Agents, frame: number): void {
  for (let row = 0; row < Math.min(count, MOST_MESHES); row++) {
    const object: Parented | undefined = view[row]?.object
    const place = object && places.get(object)
    const at = object?.position
    if (!at || place?.frame !== frame || (at.x === place.x && at.y === place.y && at.z === place.z)) continue
    const [x = 0, y = 0, z = 0] = position.subarray(3 * row, 3 * row + 3)
    const near = 1 + traits[TRAITS * row + RADIUS]! + Math.hypot(...velocity.subarray(3 * row, 3 * row + 3))
    if (Math.hypot(at.x - x, at.y - y, at.z - z) > near)
      tell(
        object,
        'the object that shows an agent was moved, and is put back in each frame: move the agent by controller.teleport({ position }), or its body',
      )
  }
}

function stillText({ agents, isDriven }: World): string {
  const bodies = agents.body.some((body) => body?.engineBody !== undefined)
  const cure = isDriven
    ? 'step the physics world'
    : bodies
      ? CONNECT
      : 'call steering.advance(seconds) once per rendered frame'
  return `present was called ${PATIENCE} times, but no step was made: ${cure}, unless the game is paused`
}

/** Length of the span in which simulated and real time are compared, s. */
const SPAN = 3
/** Simulated seconds in a real one above which a world is stepped more than once a frame. */
const FAST = 1.5
/** More frames a second than screens show are a simulation that does not wait for a screen. */
const MAX_FRAME_RATE = 300

/** In a page: says when simulated time passes much faster than real time. */
function compareClocks(world: World, watch: Watch): void {
  // oxlint-disable-next-line no-restricted-globals -- compared with simulated time, and with nothing else
  const now = performance.now() / 1000
  watch.frames++
  const span = now - watch.since
  // not after a pause
  if (span >= SPAN && span < 2 * SPAN && watch.frames < MAX_FRAME_RATE * span) {
    const ratio = (world.time - watch.from) / span
    if (ratio > FAST)
      tell(
        world,
        `simulated time passes ${ratio.toFixed(1)} times as fast as real time: is the world stepped twice per frame, or by 1/60 s on a faster screen?`,
      )
  }
  if (!(span < SPAN)) Object.assign(watch, { since: now, from: world.time, frames: 0 })
}

/** A controller or a flock; the world that it is in. */
interface Made {
  readonly roster: { readonly agents: Agents } | null
  readonly size: number
}

/** The last one that was made, until a step is made while it is in a world. */
let lastMade: WeakRef<Made> | undefined

/** The last flock that was made without members. */
let lastEmpty: WeakRef<Made> | undefined

/** Called by the constructor of a controller or a flock, which has so many members. */
export function handleMade(handle: Made, count = 1): void {
  lastMade = new WeakRef(handle)
  if (count === 0) lastEmpty = lastMade
}

/** Whether the controller that is being made has the option `forward`. */
let setsNose = false

/** The part of an `Object3D` that a hint reads. */
interface Parented {
  readonly parent?: Parented | null
  readonly position?: { readonly x: number; readonly y: number; readonly z: number }
  readonly quaternion?: { readonly w: number }
  readonly isMesh?: boolean
  readonly isCamera?: boolean
}

/** Meshes that were given lately to show agents. */
let meshes: WeakRef<Parented>[] = []
const MOST_MESHES = 8

/** Says which meshes are in no scene, of those that show agents now. */
function lookForScene(): void {
  for (const mesh of meshes.splice(0)) {
    const object = mesh.deref()
    if (object?.parent === null && isKept(object))
      tell(object, 'a mesh that shows agents is in no scene, so nothing is drawn: call scene.add(mesh)')
  }
}

/** Called for an object or a view that shows an agent, and for a mesh that shows a flock. */
export function objectShown(shown: object): void {
  // a view converts to the space of the parents of its object
  const isConverted = 'write' in shown
  const object: Parented = (shown as View).object ?? shown
  if (object.isMesh === true) meshes = [new WeakRef(object), ...meshes.slice(0, MOST_MESHES - 1)]
  if (object.isCamera === true && !setsNose)
    tell(
      object,
      'a camera shows an agent, and looks astern: set the option forward: { x: 0, y: 0, z: -1 }, because cameras look along −Z',
    )
  // a body of cannon-es that forces move: a kinematic one may follow an agent
  if ('applyForce' in object && 'type' in object && object.type === 1)
    tell(
      object,
      'a physics body is given as the object that shows an agent, so its pose is overwritten: pass a mesh or null, and the option body: cannonBody(body)',
    )
  if (isConverted) return
  const isFlock = 'instanceMatrix' in object
  if (object.position && !isFlock) places.set(object, { ...object.position, frame: 0 })
  for (let at = isFlock ? object : object.parent; at; at = at.parent) {
    const { x = 0, y = 0, z = 0 } = at.position ?? {}
    if (x === 0 && y === 0 && z === 0 && Math.abs(at.quaternion?.w ?? 1) === 1) continue
    tell(
      object,
      isFlock
        ? "a flock is shown in the wrong place, because its mesh or a parent of it is moved or turned: pass instancedView(mesh) from 'three-steering/three'"
        : "an agent is shown in the wrong place, because its object has a parent that is moved or turned: pass objectView(object) from 'three-steering/three'",
    )
    return
  }
}

/** Where a carrier without a velocity was last, and how often it has moved since. */
const carriers = new WeakMap<object, { x: number; y: number; z: number; moves: number }>()

/** Called for each agent and step with the carrier of its port. */
export function carrierSeen(carrier: Placed): void {
  if (carrier.velocity !== undefined) return
  const { x, y, z } = carrier.position
  const last = carriers.get(carrier)
  if (last === undefined) carriers.set(carrier, { x, y, z, moves: 0 })
  else if ((last.x !== x || last.y !== y || last.z !== z) && ++last.moves === PATIENCE)
    tell(
      carrier,
      'the carrier of a port moves, but has no velocity, so it counts as at rest: pass its controller, its body, or an object with a position and a velocity',
    )
  if (last !== undefined) Object.assign(last, { x, y, z })
}

/** When a method was told the time, and what time: both as milliseconds, if it is told milliseconds. */
interface Told {
  readonly real: number
  readonly now: number
}

const told = new WeakMap<object, Record<string, Told>>()

/** Called with the time of a local clock, s, that a method of a client is told. */
export function timeTold(client: object, method: string, now: number): void {
  // oxlint-disable-next-line no-restricted-globals -- compared with what is told, and with nothing else
  const real = performance.now()
  const methods = told.get(client) ?? {}
  const { [method]: before = { real, now } } = methods
  const span = real - before.real
  if (span >= 1000 && Math.abs((now - before.now) / span - 1) < 0.1)
    tell(client, `PoseBuffer.${method} got milliseconds: pass the time in seconds, performance.now() / 1000`)
  if (span === 0 || span >= 1000) told.set(client, { ...methods, [method]: { real, now } })
}

/** The keys of the packet that a writer writes. */
interface Keys {
  readonly seen: Set<number>
  packets: number
}

const keysOf = new WeakMap<object, Keys>()
/** Only one packet in this many is looked through for keys that occur twice. */
const EVERY = 32

/** Called for each agent of a packet: its key, and how many were written before it. */
export function keyWritten(writer: object, key: number, before: number): void {
  let keys = keysOf.get(writer)
  if (keys === undefined) keysOf.set(writer, (keys = { seen: new Set(), packets: -1 }))
  if (before === 0) {
    keys.packets++
    keys.seen.clear()
  }
  if (keys.packets % EVERY > 0) return
  if (keys.seen.has(key))
    tell(
      writer,
      `two agents of a packet have the key ${key}, so a client takes them for one: give each agent an option seed of its own`,
    )
  keys.seen.add(key)
}

/** Called for an agent that exceeds the bounds of the codec. */
export function poseClamped(
  writer: object,
  { x, y, z }: Vec3Like,
  { min, max }: { min: Vec3Like; max: Vec3Like },
): void {
  // a speed that is a little higher than the limit is common
  if (x >= min.x && x <= max.x && y >= min.y && y <= max.y && z >= min.z && z <= max.z) return
  tell(
    writer,
    'an agent is outside of the box of the PoseCodec, so clients see it at the border: widen min and max; writer.clamped says how many are',
  )
}

/** Since when an agent is inside of an obstacle, and when that was last told: simulated time, s. */
interface Enclosure {
  since: number
  last: number
}

const enclosures = new WeakMap<object, Map<number, Enclosure>>()
/** An agent that leaves an obstacle is outside after this time (s), mostly. */
const LEAVING = 5

/** Called by a behaviour in each step in which the agent with this id is inside of an obstacle. */
export function enclosed(behavior: object, id: number, time: number, kind: string): void {
  let agents = enclosures.get(behavior)
  if (agents === undefined) enclosures.set(behavior, (agents = new Map()))
  let inside = agents.get(id)
  if (inside === undefined) agents.set(id, (inside = { since: time, last: time }))
  // it was outside in between
  if (!(time - inside.last < 1)) inside.since = time
  inside.last = time
  if (time - inside.since > LEAVING)
    tell(
      behavior,
      `${typeName(behavior)}: an agent is inside of an obstacle (${kind}) and does not get out: give it a start that is free, leave the obstacle out by ignore or by the filter of its set, or give the agent the plane on which it moves or the radius that it has`,
    )
}

function nameOf({ handle }: Agents, row: number): string {
  const name = handle[row]?.name ?? ''
  return name === '' ? 'an agent' : `'${name}'`
}

const round = (value: number): number => Number(value.toPrecision(3))
