import { SAPBroadphase, World, type Body } from 'cannon-es'
import { SteeringWorld, type SteeringController, type Stick, type Vec3Like } from 'three-steering'
import type { Port } from 'three-steering/docking'
import { seeded } from 'three-steering/authoring'
import { attachToCannon } from 'three-steering/cannon'
import {
  exportAgent,
  exportGroup,
  importAgent,
  importGroup,
  joinClock,
  mergeQueue,
  orderNeighbors,
  shareQueue,
  type Ghost,
  type QueueShare,
} from 'three-steering/shards'
import { castShadow, makeCraft, poseOf, setPose, solid } from './bodies.js'
import { readBorder, writeBorder, type Border, type Shown, type Turn } from './border.js'
import {
  AXES,
  keyOf,
  kindOf,
  namedCrafts,
  Pilotage,
  sizeOf,
  STATION,
  TRAITS,
  unitOf,
  type Kind,
} from './craft.js'
import type { Tenure } from './link.js'
import {
  areNear,
  betterCuts,
  boxesOf,
  cellAt,
  firstCuts,
  gapTo,
  hasYard,
  SIDES,
  type Axis,
  type Box,
  type Cuts,
  type Tree,
} from './cuts.js'
import { apart, DT, gap, REACH, rocksOf, type Plan, type Rock } from './plan.js'
import { isGroup, readRecord, writeRecord, type CraftState } from './record.js'

/** Each craft is saved once in so many steps. It is what a crash costs at most. */
export const SAVE_STEPS = 30
/** A ghost, or what was given away, goes on at its velocity for at most this time (s). Then it waits for news. */
const MAX_RECKONING = 0.25
/** A ghost without news is removed after this time (s), and one that was given to a cell that is down. */
const MAX_SILENCE = 1
const MAX_WAIT = 8
/** A neighbour that says nothing for this time (s) was down, and clients are in its room again after `REJOIN` (s). */
const DOWN = 0.5
const REJOIN = 10
/** Steps between the decision that the world is cut anew, and the change: clients join other rooms meanwhile. */
const NOTICE = 90
/** Steps after a change in which cells also talk to those that were near before it. */
const GRACE = 30
/** Steps between a change and the next decision. */
const REST = 150
/** Agents of which a cell tells where they are. */
const SAMPLE = 64
/** A world of at least so many agents has a station, shuttles and a wing among them. */
const NAMED_FROM = 20

/** A craft in the hands of this cell. */
export interface Craft {
  readonly key: number
  readonly kind: Kind
  readonly name: string
  readonly claim: string
  readonly pilot: SteeringController
  readonly body: Body | null
  readonly stick: Stick | null
}

/** A craft of a neighbour, as this cell sees it. */
interface Shadow {
  readonly ghost: Ghost
  readonly body: Body | null
  /** The neighbour that has it, and whether that one has shown it yet. */
  from: number
  isShown: boolean
  readonly position: { x: number; y: number; z: number }
  velocity: Vec3Like
  turn: Turn
  /** When it was there, and until when clients see it here although the neighbour has shown it (s, wall clock). */
  time: number
  seenUntil: number
}

export interface CellOptions {
  readonly plan: Plan
  /** The right to this cell. */
  readonly tenure: Tenure
  /** False: agents are point masses without a physics engine. Default true. */
  readonly bodies?: boolean
  /**
   * True: a step waits until the neighbours have made as many, and what they say is heeded at the step for
   * which they said it. Then cells equal the whole world to the bit, where contacts do not count. Default
   * false.
   */
  readonly lockStep?: boolean
  /** The clock of the running world. Default a world that starts. */
  readonly clock?: { readonly time: number; readonly tick: number }
  /** Told of what has gone wrong. */
  readonly report?: (problem: string) => void
}

/** What a neighbour has said up to a step: crafts that it gave, then its border after that step. */
interface Said {
  readonly given: [key: number, record: string][]
  border: Border | null
}

/** One part of the world: what flies in it, and what it sees of its neighbours. */
export class Cell {
  readonly plan: Plan
  readonly index: number
  readonly rocks: readonly Rock[]
  readonly world: SteeringWorld
  readonly crafts = new Map<number, Craft>()
  /** Wall clock (s) of the last step. */
  time = 0
  /** Called when a craft has come into the hands of this cell, and when it has gone. */
  onEnter: (craft: Craft) => void = () => {}
  onExit: (craft: Craft) => void = () => {}
  /** Called when the cell belongs to somebody else. It can only be closed then. */
  onLost: () => void = () => {}
  private readonly tenure: Tenure
  private readonly physics: World | null = null
  private readonly pilotage: Pilotage
  /** The newest cuts that it knows. */
  private cuts: Cuts
  private isLearning = false
  /** The cuts that count now, and the step since which they do. */
  private tree: Tree
  private since = -Infinity
  private isFresh = false
  /** Its part of the world, null where it has none. */
  private box: Box | null = null
  /** Cells that it talks to, by their numbers, and where they are: also before the last change, for a while. */
  private readonly neighbors = new Map<number, readonly Box[]>()
  private readonly boulders = new Map<Rock, Body>()
  /** Those that share the port of the station, if this is one of them. */
  private readonly yard = new Set<number>()
  private isYard = false
  /** What was said to the port here in the last step. */
  private share: QueueShare | null = null
  /** Whether the station was here in the last step. */
  private isHost = false
  private readonly shadows = new Map<number, Shadow>()
  private readonly lockStep: boolean
  /** In lock step: what each neighbour has said that is not heeded yet. */
  private readonly said = new Map<number, Said[]>()
  /** In lock step: neighbours that were heard, and those that have heard this cell, since they began. */
  private readonly heard = new Set<number>()
  private readonly answered = new Set<number>()
  /** When each neighbour was heard last (s, wall clock). */
  private readonly heardTime = new Map<number, number>()
  /** In lock step: keys that were found missing. They are taken when they are missing again. */
  private missed: ReadonlySet<number> = new Set()
  private readonly report: (problem: string) => void
  /** Keys that have gone while the list of records is being asked for. */
  private gone: Set<number> | null = null
  private isClosed = false

  constructor(options: CellOptions) {
    const { plan, tenure, bodies = true, clock, lockStep = false, report = () => {} } = options
    const index = tenure.cell
    this.lockStep = lockStep
    this.plan = plan
    this.index = index
    this.tenure = tenure
    this.report = report
    this.rocks = rocksOf(plan)
    this.pilotage = new Pilotage(plan, this.rocks)
    this.tree = firstCuts(plan)
    this.cuts = { version: 0, tick: -Infinity, tree: this.tree, before: this.tree }
    this.world = new SteeringWorld({ seed: plan.seed })
    // a sum depends on its order: in the order of keys all cells compute the same bits
    if (lockStep) orderNeighbors(this.world)
    if (clock) joinClock(this.world, clock)
    this.world.addEventListener('fault', ({ message }) => report(message))
    if (bodies) {
      this.physics = new World()
      this.physics.broadphase = new SAPBroadphase(this.physics)
      attachToCannon(this.world, this.physics)
    }
    this.settle()
  }

  /** Listens to its neighbours, and takes what it finds in its hands. The first cell there makes the agents. */
  async open(): Promise<void> {
    const { tenure } = this
    await tenure.listen({
      onBorder: (from, bytes) => this.seeBorder(from, bytes),
      onGiven: (from, key, text) => {
        if (this.lockStep && from !== this.index) this.hear(from).given.push([key, text])
        else this.take(text)
      },
      onTaken: (units) => {
        for (const unit of units) {
          if (!this.crafts.has(unit)) continue
          this.report(`craft ${unit} is in the hands of another cell`)
          this.exit(unit)
        }
      },
      onForgotten: () => {
        this.saveAll()
        void this.learn(() => (this.cuts.version > 0 ? tenure.cut(this.cuts) : Promise.resolve()))
      },
      onLost: () => this.onLost(),
    })
    await this.learn()
    this.changeCuts()
    if (tenure.isFirst) this.populate()
    if (this.crafts.size > 0) this.saveAll()
    await this.reconcile(true)
    if (this.lockStep) this.show()
  }

  /** The cell can be owned by somebody else at once. */
  close(): void {
    this.isClosed = true
    this.tenure.end()
    this.world.dispose()
  }

  /** Writes the records of all that is here. */
  saveAll(): void {
    const records = new Map<number, string>()
    for (const { key } of this.crafts.values()) if (unitOf(key) === key) records.set(key, this.recordOf(key))
    this.tenure.save(records, this.world.tick)
  }

  /** A new craft, at rest. @throws RangeError where there is no room. */
  launch(
    key: number,
    { name = '', claim = '', position }: { name?: string; claim?: string; position?: Vec3Like } = {},
  ): Craft {
    const kind = kindOf(key)
    if (!kind) throw new RangeError(`launch: got the key ${key}, which is of no kind`)
    const at = position ?? this.freePlace(key, TRAITS[kind].radius)
    const craft = this.make(key, kind, name, claim, at)
    this.world.add(craft.pilot)
    this.enter(craft)
    const unit = unitOf(key)
    // the last one of a wing
    if (this.unit(unit).length === sizeOf(unit))
      this.tenure.save(new Map([[unit, this.recordOf(unit)]]), this.world.tick)
    return craft
  }

  /** Removes a craft for good. */
  remove(key: number): void {
    if (!this.crafts.has(key)) return
    this.exit(key)
    this.tenure.remove(key)
  }

  /**
   * False while the cell may belong to somebody else. In lock step also while a neighbour has not shown its border
   * after as many steps, or has not heard of this cell: what is said before somebody listens is lost.
   */
  get isReady(): boolean {
    if (!this.lockStep) return !this.tenure.isWaking
    if (!this.tenure.isSure || this.isLearning) return false
    const { tick } = this.world
    return [...this.neighbors.keys()].every(
      (from) =>
        this.answered.has(from) &&
        this.said.get(from)?.some(({ border }) => border !== null && border.tick >= tick),
    )
  }

  /** One step. `now` is the wall clock (s). Then gives away what has left, and shows the rest. */
  step(now: number): void {
    if (this.lockStep) this.heed()
    this.moveShadows()
    if (this.physics) this.physics.step(DT)
    else this.world.step(DT)
    this.time = now
    this.changeCuts()
    this.isHost = this.crafts.has(STATION)
    if (this.yard.size > 0) this.share = this.shareOf(this.isHost)
    this.giveAway()
    this.show()
    this.saveSome()
  }

  /** The port of the station, as this cell has it. */
  get port(): Port {
    return this.pilotage.yard.port
  }

  /** See `Tenure`. */
  get isSure(): boolean {
    return this.tenure.isSure
  }

  /** How many crafts of neighbours this cell sees. */
  get ghosts(): number {
    return this.shadows.size
  }

  /**
   * Crafts that were given to a neighbour which has not shown them yet, or was down, by their keys. Clients still
   * see them.
   */
  *onTheirWay(): IterableIterator<[key: number, motion: SteeringController]> {
    for (const [key, { ghost, isShown, seenUntil }] of this.shadows)
      if (!isShown || seenUntil > this.time) yield [key, ghost.controller]
  }

  positionOf({ body, pilot }: Craft): Vec3Like {
    return body?.position ?? pilot.position
  }

  /**
   * Takes what has been given to this cell unheard. Nothing is dropped here: that the store does not know a craft
   * is no proof that somebody else has it, see `onTaken`. In lock step what is on its way is left alone, unless
   * `isFirst`.
   */
  async reconcile(isFirst = !this.lockStep): Promise<void> {
    if (this.gone || !(isFirst || this.tenure.isSettled)) return
    const gone = (this.gone = new Set())
    try {
      const held = await this.tenure.units()
      if (this.isClosed) return
      const absent = held.filter((key) => !this.crafts.has(key) && !gone.has(key))
      const missing = isFirst ? absent : absent.filter((key) => this.missed.has(key))
      this.missed = new Set(absent)
      const records = missing.length > 0 ? await this.tenure.load(missing) : []
      if (this.isClosed) return
      const queues = records.map((text) => this.take(text))
      // all that have a place in the queue are here now
      for (const queue of queues) if (queue) this.merge(queue)
    } finally {
      this.gone = null
    }
  }

  // ---- cuts

  /** The trees that count now, or soon, or did until lately: clients are in the rooms of all. */
  get trees(): readonly Tree[] {
    const { before, tree } = this.cuts
    return this.isFresh || tree !== this.tree ? [tree, before] : [tree]
  }

  get version(): number {
    return this.cuts.version
  }

  /**
   * Tells what this cell has to do: `time` is the CPU time of its last steps (ms for each). The first cell decides
   * by what all say whether the world is to be cut anew.
   */
  async balance(time: number): Promise<void> {
    const every = Math.ceil(this.crafts.size / SAMPLE)
    const places = [...this.crafts.values()]
      .filter((_, i) => i % every === 0)
      .map((craft) => {
        const { x, y, z } = this.positionOf(craft)
        return [Math.round(x), Math.round(y), Math.round(z)] as const
      })
    this.tenure.weigh({ time, places })
    if (this.index !== 0 || !this.tenure.isSure || this.clock < this.cuts.tick + REST) return
    const loads = await this.tenure.loads()
    // all have begun, and put their first agents where the plan says
    if (loads.size < this.plan.cells) return
    const tree = betterCuts(this.plan, this.tree, loads)
    if (tree !== null) await this.cut(tree)
  }

  /** Cuts the world anew, some steps from now: of all that wait for each other, all know it by then. */
  async cut(tree: Tree, notice = NOTICE): Promise<void> {
    const tick = this.clock + notice + 2 * this.plan.cells
    const version = this.cuts.version + 1
    await this.learn(() => this.tenure.cut({ version, tick, tree, before: this.cuts.tree }))
  }

  /** The number of the step, which cells in lock step have in common, or of the beat. */
  private get clock(): number {
    return this.lockStep ? this.world.tick : Math.round(this.time / DT)
  }

  /** Asks for the newest cuts, after `first`. In lock step the cell waits for the answer. */
  private async learn(first?: () => Promise<void>): Promise<void> {
    if (this.isLearning) return
    this.isLearning = true
    try {
      await first?.()
      const cuts = await this.tenure.cuts()
      if (this.isClosed) return
      if (cuts && cuts.version > this.cuts.version) this.cuts = cuts
    } catch (error) {
      // that the store is gone it says itself, and the next border asks again
      if (error instanceof RangeError) this.report(String(error))
    } finally {
      this.isLearning = false
    }
  }

  /** Heeds new cuts when their step has come, and forgets those before them some steps later. */
  private changeCuts(): void {
    const { tick, tree } = this.cuts
    const isDue = tree !== this.tree && this.clock >= tick
    if (!isDue && !this.isFresh) return
    if (isDue) {
      this.tree = tree
      this.since = this.lockStep ? tick : this.world.tick
    }
    this.isFresh = this.world.tick < this.since + GRACE
    if (isDue || !this.isFresh) this.settle()
  }

  /** Finds out who is near by the cuts that count, and puts rocks where they are. */
  private settle(): void {
    const { index, plan, rocks } = this
    const all = [this.tree, ...(this.isFresh ? [this.cuts.before] : [])].map((tree) => boxesOf(plan, tree))
    const of = (cell: number): Box[] => all.flatMap((boxes) => boxes.get(cell) ?? [])
    const wasYard = this.isYard
    this.isYard = of(index).some(hasYard)
    if (this.isYard && !wasYard) this.pilotage.yard.forget()
    this.box = all[0]!.get(index) ?? null
    this.neighbors.clear()
    this.yard.clear()
    for (let cell = 0; cell < plan.cells; cell++) {
      if (cell === index) continue
      // a cell without a part of the world keeps time with the first one
      const isSpare = cell * index === 0 && !(all[0]!.has(cell) && all[0]!.has(index))
      const isNear = of(cell).some((box) => of(index).some((own) => areNear(own, box)))
      if (isSpare || isNear) this.neighbors.set(cell, of(cell))
      if (this.isYard && of(cell).some(hasYard)) this.yard.add(cell)
    }
    // nobody will say any more where these are
    for (const [key, { from }] of this.shadows) if (!this.neighbors.has(from)) this.dropShadow(key)
    for (const rock of this.physics ? rocks : []) {
      const isNear = this.box !== null && gapTo(this.box, rock.position) < REACH + rock.radius
      const body = this.boulders.get(rock)
      if (isNear === (body !== undefined)) continue
      if (body) {
        this.physics!.removeBody(body)
        this.boulders.delete(rock)
      } else {
        const made = solid(rock.radius, rock.position, { mass: 0 })
        this.physics!.addBody(made)
        this.boulders.set(rock, made)
      }
    }
  }

  // ---- crafts

  private populate(): void {
    const { agents, cells } = this.plan
    const named = agents < NAMED_FROM ? [] : namedCrafts(this.plan)
    for (const { key, position } of named)
      if (cellAt(this.tree, position) === this.index) this.launch(key, { position })
    for (let number = 1 + this.index; number <= agents - named.length; number += cells) {
      const kind = number % 12 === 0 ? 'freighter' : 'drone'
      this.launch(keyOf(kind, number))
    }
  }

  private make(key: number, kind: Kind, name: string, claim: string, at: Vec3Like): Craft {
    return { key, kind, name, claim, ...makeCraft(key, kind, this.pilotage, this.physics, at) }
  }

  private enter(craft: Craft): void {
    this.dropShadow(craft.key)
    this.crafts.set(craft.key, craft)
    this.onEnter(craft)
  }

  /** Lets go of a unit. */
  private exit(unit: number): void {
    this.gone?.add(unit)
    for (const craft of this.unit(unit)) {
      this.crafts.delete(craft.key)
      craft.pilot.dispose()
      if (craft.body) this.physics!.removeBody(craft.body)
      this.onExit(craft)
    }
  }

  /** The crafts of a unit, see `unitOf`. */
  private unit(key: number): Craft[] {
    const crafts = Array.from({ length: sizeOf(key) }, (_, i) => this.crafts.get(key + i))
    return crafts.filter((craft) => craft !== undefined)
  }

  /** A place with free room around it. The search is random, by the key. */
  private freePlace(key: number, radius: number): Vec3Like {
    if (!this.box) throw new RangeError(`launch: cell ${this.index} has no part of the world`)
    const { max, min } = this.box
    const random = seeded(this.plan.seed + key)
    const room = Math.max(4, 2 * radius)
    const within = (axis: Axis): number => min[axis] + room + (max[axis] - min[axis] - 2 * room) * random()
    for (let tries = 0; tries < 300; tries++) {
      const at = { x: within('x'), y: within('y'), z: within('z') }
      if (this.rocks.some((rock) => gap(rock, at) < radius + 2)) continue
      const isFree = (craft: Craft): boolean =>
        apart(at, this.positionOf(craft)) > radius + TRAITS[craft.kind].radius + 2
      if ([...this.crafts.values()].every(isFree)) return at
    }
    throw new RangeError(`launch: cell ${this.index} has no free place`)
  }

  // ---- from cell to cell

  /** `time` is the wall clock (s) where it is given away. */
  private recordOf(unit: number, time?: number): string {
    const crafts = this.unit(unit)
    const pilots = crafts.map(({ pilot }) => pilot)
    return writeRecord({
      key: unit,
      crafts: crafts.map(stateOf),
      parcel: crafts.length > 1 ? exportGroup(this.world, pilots) : exportAgent(this.world, pilots[0]!),
      ...(time !== undefined && { time }),
      ...(unit === STATION && { queue: this.shareOf(true) }),
    })
  }

  /**
   * Takes a unit that another cell has given, or one that was here before a crash. A record that cannot be read
   * stays where records are kept. What was given some steps ago has flown on meanwhile, as its ghosts have. Returns
   * the queue of the station, if it is that.
   */
  private take(text: string): QueueShare | null {
    const crafts: Craft[] = []
    try {
      const { crafts: states, key: unit, parcel, queue, time = this.time } = readRecord(text)
      if (this.crafts.has(unit)) return null
      for (const { claim, key, name, pose } of states) {
        const craft = this.make(key, kindOf(key)!, name, claim, motionOf(pose).position)
        crafts.push(craft)
        if (craft.body) {
          setPose(craft.body, pose)
          craft.body.position.addScaledVector(this.ageOf(time), craft.body.velocity, craft.body.position)
        }
        this.dropShadow(key)
      }
      const pilots = crafts.map(({ pilot }) => pilot)
      if (isGroup(parcel)) importGroup(this.world, parcel, pilots)
      else importAgent(this.world, parcel, pilots[0]!)
      for (const [i, craft] of crafts.entries()) {
        const { stick } = craft
        if (stick) AXES.forEach((axis, k) => (stick[axis] = states[i]!.axes[k]!))
        this.enter(craft)
      }
      return queue ?? null
    } catch (error) {
      for (const { body } of crafts) if (body) this.physics!.removeBody(body)
      this.report(`a craft was refused: ${String(error)}`)
      return null
    }
  }

  /**
   * Gives what has crossed a border to the cell there, and sees it as a ghost from now on. While the store is not
   * there nobody could take it, and it stays.
   */
  private giveAway(): void {
    if (!this.tenure.isSure) return
    for (const craft of this.crafts.values()) {
      if (unitOf(craft.key) !== craft.key) continue
      const to = cellAt(this.tree, this.positionOf(craft))
      if (to === this.index) continue
      const record = this.recordOf(craft.key, this.time)
      const states = this.unit(craft.key).map(stateOf)
      this.exit(craft.key)
      this.tenure.give(to, craft.key, record)
      for (const { key, pose } of states) {
        const { position, turn, velocity } = motionOf(pose)
        this.seeShadow({ key, position, velocity, cell: to }, to, this.time, false)
        this.shadows.get(key)!.turn = turn
      }
    }
  }

  /** What is said to the port of the station here. The order of the cell that has the station counts. */
  private shareOf(isOwner: boolean): QueueShare {
    return shareQueue(this.world, this.port, isOwner)
  }

  private merge(share: QueueShare): void {
    try {
      mergeQueue(this.world, this.port, share)
    } catch (error) {
      this.report(`a queue was refused: ${String(error)}`)
    }
  }

  /** Shows neighbours what is near them. Each step ends with it. */
  show(): void {
    const all: Shown[] = []
    for (const craft of this.crafts.values()) {
      const position = this.positionOf(craft)
      const { velocity } = craft.body ?? craft.pilot
      if (this.isOutside(position, REACH) || craft.key === STATION)
        all.push({ key: craft.key, position, velocity, cell: this.index })
    }
    // until its new owner shows it, else others would lose sight of it
    for (const [key, shadow] of this.shadows) {
      const { from, isShown, velocity } = shadow
      if (!isShown) all.push({ key, position: { ...this.placeOf(shadow) }, velocity, cell: from })
    }
    const station = this.crafts.get(STATION)
    const turn = station ? turnOf(station) : this.shadows.get(STATION)?.turn
    for (const [neighbor, boxes] of this.neighbors) {
      const isYard = this.yard.has(neighbor)
      const shown = all.filter(
        ({ cell, key, position }) =>
          // a cell that was given a craft may have missed the message; those that share its port see the station
          cell === neighbor ||
          boxes.some((box) => gapTo(box, position) < REACH) ||
          (key === STATION && isYard),
      )
      const border: Border = {
        tick: this.world.tick,
        time: this.time,
        version: this.cuts.version,
        isAnswer: this.heard.has(neighbor),
        isHost: this.isHost,
        shown,
        turn: (shown.some(({ key }) => key === STATION) && turn) || null,
        share: isYard ? this.share : null,
      }
      this.tenure.show(neighbor, writeBorder(border))
    }
  }

  /** Whether a place is less than `depth` (m) inside the cell. */
  private isOutside(place: Vec3Like, depth: number): boolean {
    if (!this.box) return true
    const { max, min } = this.box
    return SIDES.some((axis) => place[axis] - min[axis] < depth || max[axis] - place[axis] < depth)
  }

  /** What a neighbour shows of its border. */
  private seeBorder(from: number, bytes: Uint8Array): void {
    let border: Border
    try {
      border = readBorder(bytes)
    } catch (error) {
      this.report(`cell ${from} has sent no border: ${String(error)}`)
      return
    }
    if (border.version > this.cuts.version) void this.learn()
    if (this.lockStep) {
      this.hear(from).border = border
      if (border.isAnswer) this.answered.add(from)
      else this.answered.delete(from)
      const isFirst = !this.heard.has(from)
      this.heard.add(from)
      if (isFirst) this.show()
    } else {
      this.heedShare(from, border)
      this.heedBorder(from, border)
    }
  }

  /** In lock step: where to note what a neighbour says now. */
  private hear(from: number): Said {
    let said = this.said.get(from)
    if (!said) this.said.set(from, (said = []))
    let last = said.at(-1)
    if (!last || last.border) said.push((last = { given: [], border: null }))
    return last
  }

  /** In lock step: heeds what the neighbours have said up to the step that this cell has made. */
  private heed(): void {
    const { tick } = this.world
    const given: string[] = []
    const borders: [from: number, border: Border][] = []
    for (const [from, said] of this.said) {
      // a border may have been shown more than once
      let shown: Border | null = null
      while (said[0]?.border && said[0].border.tick <= tick) {
        const each = said.shift()!
        for (const [, text] of each.given) given.push(text)
        if (each.border!.tick === tick) shown = each.border
      }
      if (shown) borders.push([from, shown])
    }
    // a ship comes with its place in the queue, so the whole queue must be known before; a cell that is new at
    // the port is told the order first
    borders.sort(([, a], [, b]) => Number(b.isHost) - Number(a.isHost))
    for (const [from, border] of borders) this.heedShare(from, border)
    for (const text of given) this.take(text)
    for (const [from, border] of borders) this.heedBorder(from, border)
  }

  private heedShare(from: number, { share }: Border): void {
    if (share && this.yard.has(from)) this.merge(share)
  }

  private heedBorder(from: number, { shown, time, turn }: Border): void {
    const keys = new Set<number>()
    const wasDown = this.time - (this.heardTime.get(from) ?? this.time) > DOWN
    this.heardTime.set(from, this.time)
    if (wasDown)
      for (const shadow of this.shadows.values())
        if (shadow.from === from && !shadow.isShown) shadow.seenUntil = this.time + REJOIN
    for (const each of shown) {
      if (this.crafts.has(each.key) || !kindOf(each.key)) continue
      if (each.cell === this.index) {
        if (this.shadows.has(each.key)) continue
        // it was given to this cell, and the message was lost
        if (this.tenure.isSettled)
          this.reconcile().catch((error: unknown) => this.report(`records: ${String(error)}`))
      }
      // the one that has it knows better
      if (each.cell !== from && this.shadows.get(each.key)?.from === each.cell) continue
      keys.add(each.key)
      this.seeShadow(each, from, time, true)
    }
    const station = this.shadows.get(STATION)
    if (turn && station?.from === from) station.turn = turn
    for (const [key, shadow] of this.shadows) {
      if (shadow.from !== from) continue
      if (shadow.isShown && !keys.has(key)) this.dropShadow(key)
      // in lock step the next border shows what was given before this one
      shadow.isShown ||= this.lockStep
    }
  }

  private seeShadow({ key, position, velocity }: Shown, from: number, time: number, isShown: boolean): void {
    let shadow = this.shadows.get(key)
    if (!shadow) {
      shadow = {
        ...castShadow(this.world, this.physics, key, position, velocity),
        from,
        isShown,
        position: { x: 0, y: 0, z: 0 },
        velocity,
        turn: LEVEL,
        time,
        seenUntil: 0,
      }
      this.shadows.set(key, shadow)
    }
    Object.assign(shadow.position, position)
    Object.assign(shadow, { from, velocity, time, isShown: isShown || shadow.isShown })
  }

  private dropShadow(key: number): void {
    const shadow = this.shadows.get(key)
    if (!shadow) return
    this.shadows.delete(key)
    shadow.ghost.remove()
    if (shadow.body) this.physics!.removeBody(shadow.body)
  }

  /** Ghosts are where they have got to since they were shown, at the speed that they had. */
  private moveShadows(): void {
    for (const [key, shadow] of this.shadows) {
      const { ghost, isShown, time, turn, velocity } = shadow
      if (!this.lockStep && this.time - time > (isShown ? MAX_SILENCE : MAX_WAIT)) {
        this.dropShadow(key)
        continue
      }
      this.placeOf(shadow)
      const waits = !this.lockStep && this.time - time > MAX_RECKONING
      ghost.set(at, waits ? LEVEL.angularVelocity : velocity, turn.quaternion, turn.angularVelocity)
    }
    this.pilotage.yard.follow(this.crafts.get(STATION)?.pilot ?? this.shadows.get(STATION)?.ghost.controller)
  }

  /** For how long (s) something has gone on that was seen at a time of the wall clock. In lock step it waits. */
  private ageOf(time: number): number {
    return this.lockStep ? 0 : Math.min(MAX_RECKONING, Math.max(0, this.time - time))
  }

  /** Where a ghost is now. */
  private placeOf({ position, time, velocity }: Shadow): Vec3Like {
    const age = this.ageOf(time)
    at.x = position.x + velocity.x * age
    at.y = position.y + velocity.y * age
    at.z = position.z + velocity.z * age
    return at
  }

  /** Some of the crafts, so that each is saved once in `SAVE_STEPS` steps. */
  private saveSome(): void {
    const records = new Map<number, string>()
    for (const craft of this.crafts.values())
      if (unitOf(craft.key) === craft.key && (craft.key + this.world.tick) % SAVE_STEPS === 0)
        records.set(craft.key, this.recordOf(craft.key))
    if (records.size > 0 || this.lockStep) this.tenure.save(records, this.world.tick)
  }
}

const at = { x: 0, y: 0, z: 0 }
const LEVEL: Turn = {
  quaternion: { x: 0, y: 0, z: 0, w: 1 },
  angularVelocity: { x: 0, y: 0, z: 0 },
}

function turnOf({ body, pilot }: Craft): Turn {
  const { angularVelocity, quaternion } = body ?? pilot
  return { quaternion, angularVelocity }
}

function stateOf({ key, name, claim, stick, body, pilot }: Craft): CraftState {
  return { key, name, claim, axes: AXES.map((axis) => stick?.[axis] ?? 0), pose: poseOf(body ?? pilot) }
}

/** What a pose says. */
function motionOf(pose: CraftState['pose']): { position: Vec3Like; velocity: Vec3Like; turn: Turn } {
  const at = (i: number): Vec3Like => ({ x: pose[i]!, y: pose[i + 1]!, z: pose[i + 2]! })
  return {
    position: at(0),
    velocity: at(7),
    turn: { quaternion: { ...at(3), w: pose[6]! }, angularVelocity: at(10) },
  }
}
