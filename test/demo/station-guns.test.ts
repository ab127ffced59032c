import { Body, Sphere, Vec3 } from 'cannon-es'
import { describe, expect, it } from 'vitest'
import { Station } from '../../demo/scenarios/station.js'
import { meeting, Tracers, type Ball, type Hit } from '../../demo/scenarios/tracers.js'
import { TUBE, WHEEL, WHEEL_OFFSET } from '../../demo/scenarios/station-wheels.js'

const STEP = 1 / 60
const at = (x: number, y: number, z: number): Vec3 => new Vec3(x, y, z)

/** What a shot along +X from the origin meets within a second. */
function shoot(balls: readonly Ball[], end?: number): Hit[] {
  const tracers = new Tracers()
  const hits: Hit[] = []
  tracers.fire(0, 0, at(0, 0, 0), at(170, 0, 0), end)
  for (let i = 0; i < 60; i++) tracers.step(STEP, balls, (hit) => hits.push(hit))
  return hits
}

describe('a shot', () => {
  it('ends at the surface of the first thing on its way, in any order', () => {
    const rock = { position: at(60, 0, 0), radius: 5, team: 2 }
    const raider = { position: at(80, 1, 0), radius: 4, team: 1 }
    for (const balls of [
      [rock, raider],
      [raider, rock],
    ]) {
      const hits = shoot(balls)
      expect(hits.map(({ target }) => balls[target])).toEqual([rock])
      expect(hits[0]!.position.x).toBeCloseTo(55, 9)
    }
    expect(shoot([{ ...rock, position: at(60, 5.1, 0) }, raider]).map(({ target }) => target)).toEqual([1])
  })

  it('ends at a hull of its own team, but not at the hull that fired it', () => {
    const hull = new Body({ mass: 1, shape: new Sphere(2), position: at(40, 0, 0) })
    const wide = { position: hull.position, radius: 9, team: 0, hull }
    const hits = shoot([null, wide])
    expect(hits.map(({ target }) => target)).toEqual([1])
    expect(hits[0]!.position.x).toBeCloseTo(38, 6)
    // it passes the ball of 9 m, but not the hull within
    expect(shoot([null, { ...wide, hull: new Body({ mass: 1, shape: new Sphere(2), position: at(40, 3, 0) }) }])).toEqual([]) // prettier-ignore
    expect(shoot([wide, null])).toEqual([])
  })

  it('ends where something stands on its way, and otherwise after its time without a report', () => {
    const hits = shoot([], 0.25)
    expect(hits.map(({ target }) => target)).toEqual([-1])
    expect(hits[0]!.position.x).toBeCloseTo(42.5, 9)
    expect(shoot([])).toEqual([])
  })
})

describe('a shot of the player of the station', () => {
  const station = new Station({ freighters: 1, drones: 1, rocks: 1 })
  const { guns, wing } = station
  const { body } = wing.leader
  const axis = station.station.quaternion.vmult(at(0, 1, 0))
  const rim = station.station.quaternion.vmult(at(WHEEL, 0, 0)).vadd(axis.scale(WHEEL_OFFSET))
  const rock = station.rocks.rocks[0]!

  /** Distance of the place where a shot ends from `center`, when it is fired at it from `away` (m). */
  function endAt(center: Vec3, away: Vec3): number {
    body.position.copy(center.vadd(away))
    body.velocity.setZero()
    wing.leader.reload = 0
    guns.sparks.length = 0
    const { hits } = guns
    guns.fire(wing.leader, away.scale(-1 / away.length()), 0)
    for (let i = 0; i < 60; i++) guns.tracers.step(STEP, ballsOf(), (hit) => guns.sparks.push(hit.position))
    expect(guns.hits).toBe(hits)
    expect(guns.sparks).toHaveLength(1)
    const { x, y, z } = guns.sparks[0]!
    return center.distanceTo(at(x, y, z))
  }
  const ballsOf = (): Ball[] => [{ position: rock.body.position, radius: rock.radius, team: 2 }]

  it('ends at the tube of a wheel, at the hub, and at a rock', () => {
    // the shot scatters by up to 0.04 rad; the tube is a box of 2 × 3.2 m in chords
    expect(endAt(rim, axis.scale(30))).toBeLessThan(1.5 * TUBE)
    expect(
      endAt(
        station.station.position,
        axis
          .cross(at(1, 0, 0))
          .unit()
          .scale(55),
      ),
    ).toBeLessThan(24)
    expect(endAt(rock.body.position, axis.scale(20)) - rock.radius).toBeCloseTo(0, 6)
  })

  it('misses what is behind it', () => {
    const nose = axis.scale(-1)
    const from = rim.vadd(axis.scale(-20))
    expect(meeting(from, from.vadd(nose.scale(30)), [station.station])).toBe(Infinity)
  })
})
