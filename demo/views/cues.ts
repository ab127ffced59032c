import { Vector3, type Object3D } from 'three'
import type { Vec3Like } from 'three-steering'
import type { Asteroids } from '../scenarios/asteroids.js'
import type { Dogfight } from '../scenarios/dogfight.js'
import type { Traffic } from '../scenarios/port-traffic.js'
import type { Station } from '../scenarios/station.js'
import { meeting } from '../scenarios/tracers.js'
import type { Cue, Star } from './director.js'
import type { Body } from 'cannon-es'

/** A subject stays for this time at least, while it is there (s). */
const STAY = 6

/** Chooses what is shown: the candidate of the greatest interest, which then stays for a while. */
class Casting<T> {
  #chosen: T | null = null
  #until = 0

  /** `interestOf` is at most 0 for what is not to be shown. */
  choose(all: readonly T[], interestOf: (each: T) => number, time: number): T {
    const chosen = this.#chosen
    if (chosen !== null && time < this.#until && all.includes(chosen) && interestOf(chosen) > 0) return chosen
    const best = all.reduce((a, b) => (interestOf(b) > interestOf(a) ? b : a))
    if (best !== chosen || time < this.#until - STAY) this.#until = time + STAY
    return (this.#chosen = best)
  }
}

interface Seen {
  readonly pilot: { readonly position: Vec3Like; readonly velocity: Vec3Like; readonly radius: number }
}

/** A ship where its model is drawn. */
const star = ({ pilot: { radius, velocity } }: Seen, { position }: Object3D): Star => ({
  position,
  velocity,
  radius,
})

/** Clouds hide what is below them. */
export const behindClouds =
  (height: number) =>
  (from: Vec3Like): boolean =>
    from.y < height

/** Bodies hide what is behind them. */
export const behindBodies =
  (bodies: Body[]) =>
  (from: Vec3Like, to: Vec3Like): boolean =>
    meeting(from, to, bodies) <= 1

/** Balls hide what is behind them. */
export const behindBalls =
  (balls: readonly { readonly position: Vec3Like; readonly radius: number }[]) =>
  (from: Vec3Like, to: Vec3Like): boolean => {
    line.subVectors(end.copy(to), from)
    const length = line.lengthSq()
    return balls.some(({ position, radius }) => {
      away.subVectors(end.copy(position), from)
      const share = Math.max(0, Math.min(1, away.dot(line) / length))
      return away.addScaledVector(line, -share).lengthSq() < radius * radius
    })
  }

const line = new Vector3()
const away = new Vector3()
const end = new Vector3()

/** Who attacks whom, or a formation. */
export class DogfightCue {
  readonly #casting = new Casting<number>()
  readonly #scenario: Dogfight
  readonly #seats: readonly Object3D[]

  constructor(scenario: Dogfight, seats: readonly Object3D[]) {
    this.#scenario = scenario
    this.#seats = seats
  }

  cue(): Cue {
    const { fighters, time } = this.#scenario
    const indices = fighters.map(({ index }) => index)
    const interest = (index: number): number => {
      const { alive, bearing, hunter, mood, target } = fighters[index]!
      if (!alive) return 0
      const far = target ? this.#seats[index]!.position.distanceTo(this.#seats[target.index]!.position) : 500
      return (
        1 +
        (mood === 'hunt' || mood === 'tail' ? 300 / (60 + far) : 0) +
        (bearing ? 2 : 0) +
        (hunter ? 0.5 : 0)
      )
    }
    const first = this.#casting.choose(indices, interest, time)
    const { mood, target, team } = fighters[first]!
    const others =
      mood === 'form'
        ? fighters.filter((each) => each.team === team && each.index !== first)
        : target
          ? [target]
          : []
    const stars = [fighters[first]!, ...others.filter(({ alive }) => alive)]
    return { key: first, stars: stars.map((each) => star(each, this.#seats[each.index]!)) }
  }
}

/** A ship that crosses, seen from behind, so that its steering plane is seen as well. */
export class AsteroidsCue {
  readonly #casting = new Casting<number>()
  readonly #scenario: Asteroids
  readonly #models: readonly Object3D[]
  readonly #side = new Vector3()

  constructor(scenario: Asteroids, models: readonly Object3D[]) {
    this.#scenario = scenario
    this.#models = models
  }

  /** `chosen`: the ship that the visitor wants to see, or −1. */
  cue(chosen: number, distance: number): Cue & { readonly key: number } {
    const { ships, steering, buoys } = this.#scenario.fleet
    const interest = (index: number): number => {
      const { buoy, underway } = ships[index]!
      return underway ? 0.01 + this.#models[index]!.position.distanceTo(side.copy(buoys[buoy]!)) : 0
    }
    const key =
      chosen >= 0
        ? chosen
        : this.#casting.choose(
            ships.map((_, k) => k),
            interest,
            steering.time,
          )
    const { buoy } = ships[key]!
    const { position, quaternion } = this.#models[key]!
    // between behind the nose and behind the way to the goal
    side.copy(buoys[buoy]!).sub(position).normalize().multiplyScalar(1.5)
    side.add(nose.set(0, 0, 1).applyQuaternion(quaternion)).negate()
    side.y = 0.7 * side.y + 0.4
    this.#side.copy(side.normalize())
    return { key, distance, side: this.#side, stars: [star(ships[key]!, this.#models[key]!)] }
  }
}

/** A ship that docks, or that is on its way. */
export class DockingCue {
  readonly #casting = new Casting<number>()
  readonly #traffic: Traffic
  readonly #models: readonly Object3D[]

  constructor(traffic: Traffic, models: readonly Object3D[]) {
    this.#traffic = traffic
    this.#models = models
  }

  /** `isUpright`: the picture is too narrow for a ship beside its port, which stands behind it instead. */
  cue(time: number, isUpright: boolean): Cue {
    const { ports, ships } = this.#traffic
    const interest = (index: number): number => {
      const { leg, since, stage } = ships[index]!
      if (leg === 'dock') return stage === 'final' ? 4 : stage === 'align' ? 3 : stage === 'queue' ? 0.1 : 1
      if (leg === 'docked') return time < since + 4 ? 2 : 0.2
      return leg === 'undock' ? 1.5 : 0.5
    }
    const first = this.#casting.choose(ships.map((_, k) => k), interest, time) // prettier-ignore
    const { boat, leg, pilot } = ships[first]!
    const own: Star = {
      position: this.#models[first]!.position,
      velocity: pilot.velocity,
      radius: boat.radius,
    }
    const collar = ports.find(({ holder }) => holder === pilot.id)
    if (isUpright && leg === 'dock' && collar) {
      side.subVectors(this.#models[first]!.position, nose.copy(collar.position)).normalize()
      side.y = 0.7 * side.y + 0.3
      return { key: first, stars: [own], side }
    }
    if (leg !== 'docked' || !collar) return { key: first, stars: [own] }
    return { key: first, stars: [own, { position: collar.position, velocity: pilot.velocity, radius: 3 }] }
  }
}

/** The leader of the wing with whom it hunts, or with its wing. */
export function stationCue(
  { wing }: Station,
  ships: readonly Object3D[],
  raiders: readonly Object3D[],
  all: readonly unknown[],
): Cue {
  const { leader } = wing
  const hunted = leader.target?.present === true ? leader.target : null
  const own = star(leader, ships[0]!)
  if (hunted) return { key: 'hunt', stars: [own, star(hunted, raiders[all.indexOf(hunted)]!)] }
  return { key: 'wing', stars: [own, ...wing.ships.map((each, k) => star(each, ships[k + 1]!))] }
}

const side = new Vector3()
const nose = new Vector3()
