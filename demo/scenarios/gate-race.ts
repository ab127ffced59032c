import { Body, SAPBroadphase, Sphere, Vec3, World } from 'cannon-es'
import {
  FollowPath,
  Path,
  ReciprocalAvoidance,
  SteeringController,
  SteeringWorld,
  Thrusters,
  within,
  type Viewable,
} from 'three-steering'
import { GateRun, racingLine, type GateRecord } from 'three-steering/racing'
import type { PathTechnique } from 'three-steering/authoring'
import { frame, seeded } from 'three-steering/authoring'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { addRims } from './gate-rims.js'
import { GATES, RACE_GATES, RIM } from './race-gates.js'
import { distance, Fingerprint } from './metrics.js'
import { evenly, plus, turnFromZ, vec } from './vectors.js'

export interface GateRaceOptions {
  readonly seed?: number
  readonly count?: number
  readonly view?: (index: number) => Viewable
}

export const MAX_RACERS = 8
/** Radius of a ship (m). */
export const RACER_RADIUS = 3
const MASS = 10
/** Force in all other directions, as a share of the main engine's. */
const SIDE_SHARE = 0.85
/**
 * Share of that force for which the racing line is computed. The rest is reserve for avoiding other ships.
 */
const RESERVE = 0.6
/** Within this distance of its line a ship is not drawn back to it (m). */
const TUBE = 3
/**
 * Starting grid: distance from the first gate to the first ship, between ships, half the distance between the
 * columns (m), and starting speed (m/s).
 */
const GRID_START = 24
const GRID_STEP = 9
const GRID_SIDE = 5
const GRID_SPEED = 16

/** A ship that is ahead of another by this much has overtaken it (in gates). */
const CLEAR = 0.06

export type Line = 'racing' | 'centre'

export interface Racer {
  readonly index: number
  readonly body: Body
  readonly pilot: SteeringController
  readonly follow: FollowPath
  readonly lines: Readonly<Record<Line, Path>>
  readonly run: GateRun
  record: GateRecord | null
  /** Place in the race. 0 is the leader. */
  place: number
  /** Gates passed, plus the share of the distance to the next. */
  progress: number
}

/**
 * A race of ships through a tangled course of gates. Each flies its own racing line, and overtakes without
 * contact.
 */
export class GateRace {
  readonly world = new World({ gravity: new Vec3(0, 0, 0) })
  readonly steering: SteeringWorld
  readonly racers: readonly Racer[]
  /** The racing ships, the leader first. */
  readonly order: Racer[]
  /** Passed gates since the list was last emptied. The reader empties it. */
  readonly passings: { readonly gate: number; readonly racer: number }[] = []
  readonly avoid = new ReciprocalAvoidance({ neighborDistance: 70, clearance: 2 })
  contacts = 0
  overtakings = 0
  #line: Line = 'racing'
  #technique: PathTechnique = 'reprojection'

  constructor({ seed = 1, count = MAX_RACERS, view }: GateRaceOptions = {}) {
    this.steering = new SteeringWorld({ seed })
    attachToCannon(this.steering, this.world)
    this.world.broadphase = new SAPBroadphase(this.world)
    addRims(this.world, GATES, RIM)
    const random = seeded(seed)
    this.racers = Array.from({ length: Math.min(count, MAX_RACERS) }, (_, index) =>
      this.#launch(index, random, view?.(index) ?? null),
    )
    this.order = [...this.racers]
    for (const { index, pilot, run } of this.racers)
      pilot.addEventListener('stage', ({ behavior, stage }) => {
        if (behavior === run && stage.startsWith('gate') && this.passings.length < 64)
          this.passings.push({ gate: run.of(pilot.id)!.last, racer: index })
      })
  }

  get time(): number {
    return this.steering.time
  }

  get line(): Line {
    return this.#line
  }
  set line(line: Line) {
    this.#line = line
    for (const { follow, lines } of this.racers) follow.path = lines[line]
  }

  get technique(): PathTechnique {
    return this.#technique
  }
  set technique(technique: PathTechnique) {
    this.#technique = technique
    for (const { follow } of this.racers) follow.technique = technique
  }

  /** Number of ships in the race, the first of `racers`. A ship added later starts from the grid. */
  get flying(): number {
    return this.order.length
  }
  set flying(count: number) {
    for (const racer of this.racers) {
      const { index, pilot, body } = racer
      if (index < count === pilot.active) continue
      if (pilot.active) {
        this.steering.remove(pilot)
        this.world.removeBody(body)
        this.order.splice(this.order.indexOf(racer), 1)
      } else {
        this.#park(racer)
        pilot.teleport()
        this.steering.add(pilot)
        this.order.push(racer)
      }
    }
  }

  /** Time (s) by which `racer` was behind `leader` at the last gate that it passed. 0 if unknown. */
  gap(racer: Racer, leader: Racer): number {
    const gap =
      (racer.record?.times[racer.record.last] ?? NaN) - (leader.record?.times[racer.record!.last] ?? NaN)
    return gap > 0 ? gap : 0
  }

  step(dt: number): void {
    this.world.step(dt)
    for (const racer of this.order) this.#judge(racer)
    const { order } = this
    for (let place = 1; place < order.length; place++) {
      const [ahead, behind] = [order[place - 1]!, order[place]!]
      if (behind.progress < ahead.progress + CLEAR) continue
      order[place - 1] = behind
      order[place] = ahead
      this.overtakings++
    }
    order.forEach((racer, place) => (racer.place = place))
  }

  dispose(): void {
    this.steering.dispose()
  }

  state(): Record<string, number | string> {
    const mark = new Fingerprint()
    let passed = 0
    let missed = 0
    let best = Infinity
    for (const { body, record } of this.order) {
      mark.addVector(body.position).addVector(body.velocity)
      passed += record?.passed ?? 0
      missed += record?.missed ?? 0
      best = Math.min(best, record?.bestLap || Infinity)
    }
    return {
      ships: this.order.length,
      'gates passed': passed,
      missed,
      laps: this.order[0]?.record?.laps ?? 0,
      ...(best < Infinity && { 'best lap, s': best }),
      overtakings: this.overtakings,
      contacts: this.contacts,
      fingerprint: mark.toString(),
    }
  }

  // #region code
  #launch(index: number, random: () => number, view: Viewable | null): Racer {
    // the slowest ship starts in front, so that there is overtaking
    const share = (index + evenly(random, -0.3, 0.3)) / MAX_RACERS
    const speed = 36 + 7 * share
    const force = MASS * (50 + 8 * share)
    const clearance = RACER_RADIUS + evenly(random, 2, 3.5)
    const side = SIDE_SHARE * force
    // a reserve of force is left for avoiding other ships
    const course = { speed, acceleration: (RESERVE * side) / MASS, clearance, ends: 'closed' } as const
    const lines = {
      racing: new Path({ ...racingLine(GATES, course), tube: TUBE }),
      centre: new Path({ points: GATES.map(({ position }) => position), ends: 'closed', tube: TUBE }),
    }
    const follow = new FollowPath({ path: lines.racing })
    const run = new GateRun({ gates: GATES })
    const body = new Body({ mass: MASS, shape: new Sphere(RACER_RADIUS) })
    body.addEventListener('collide', () => this.contacts++)
    this.#park({ index, body, lines })
    const locomotion = new Thrusters({
      ahead: force,
      astern: side,
      up: side,
      down: side,
      port: side,
      starboard: side,
    })
    const pilot = new SteeringController(view, {
      body: cannonBody(body),
      radius: RACER_RADIUS,
      maxSpeed: speed,
      maxForce: force,
      responseTime: 0.06,
      maxTorque: 1500,
      locomotion,
      behavior: within([run, this.avoid], follow),
    })
    this.steering.add(pilot)
    return { index, body, pilot, follow, lines, run, record: null, place: index, progress: -index }
  }
  // #endregion

  /** Puts a ship in one of two columns before the first gate, already moving. */
  #park({ index, body, lines }: Pick<Racer, 'index' | 'body' | 'lines'>): void {
    const path = lines.centre
    const at = path.lap + path.stationOf(0) - GRID_START - GRID_STEP * index
    const { x: ahead, z: side } = path.frameAt(frame(), at)
    const place = plus(path.pointAt(vec(0, 0, 0), at), side, index % 2 === 0 ? -GRID_SIDE : GRID_SIDE)
    const { x, y, z, w } = turnFromZ(ahead)
    body.position.set(place.x, place.y, place.z)
    body.velocity.set(GRID_SPEED * ahead.x, GRID_SPEED * ahead.y, GRID_SPEED * ahead.z)
    body.quaternion.set(x, y, z, w)
    body.angularVelocity.setZero()
    this.world.addBody(body)
  }

  #judge(racer: Racer): void {
    const record = racer.run.of(racer.pilot.id)
    if (record === undefined) return
    racer.record = record
    const next = GATES[record.next]!
    const last = GATES[(record.next + RACE_GATES - 1) % RACE_GATES]!
    const left = distance(next.position, racer.body.position) / distance(next.position, last.position)
    racer.progress = record.passed + record.missed - left
  }
}
