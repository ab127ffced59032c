import { PerspectiveCamera, Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import { intercept } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { distance } from '../../demo/scenarios/metrics.js'
import { Match, RAIDS, ROBBERIES } from '../../demo/scenarios/station-match.js'
import { noseOf } from '../../demo/scenarios/station-guns.js'
import type { Raid } from '../../demo/scenarios/station-raid.js'
import type { Wing } from '../../demo/scenarios/station-wing.js'
import { Station } from '../../demo/scenarios/station.js'
import { inner, minus, turned, unit, vec } from '../../demo/scenarios/vectors.js'
import { bearingOf } from '../../demo/views/bearings.js'
import { pick } from '../support/tier.js'

const STEP = 1 / 60

/** A match on counters that the test sets. */
function tallied() {
  const raid = { beaten: 4, byLeader: 7, intercepted: 9, robbed: 2, pause: 24, harm: 0.02, summon: () => {} }
  const wing = { played: false, order: 'form', ships: [], leader: { body: new Station({ freighters: 1, drones: 1, rocks: 1, wingmen: 0 }).wing.leader.body } } // prettier-ignore
  return { raid, wing, match: new Match(raid as unknown as Raid, wing as unknown as Wing) }
}

describe('a match at the station', () => {
  it('counts from its start, and is won when all raids are over', () => {
    const { match, raid, wing } = tallied()
    match.step(0)
    expect(match.phase).toBe('idle')
    wing.played = true
    match.step(0)
    expect([match.phase, match.score]).toEqual(['playing', 0])
    raid.intercepted += 2
    raid.byLeader += 1
    match.step(1)
    expect(match.tally).toEqual({ yours: 1, wings: 1, robbed: 0, beaten: 0 })
    const before = match.score
    raid.robbed++
    match.step(2)
    expect(match.score).toBeLessThan(before)
    for (let k = 0; k < RAIDS; k++) {
      raid.beaten++
      match.step(3 + k)
    }
    expect([match.phase, wing.played]).toEqual(['won', false])
    // nothing counts afterwards, and the next match starts at 0
    raid.intercepted++
    match.step(9)
    expect(match.tally.wings).toBe(1)
    match.start(10)
    expect([match.phase, match.score, match.clean, wing.played]).toEqual(['playing', 0, 0, true])
  })

  it('is lost with the last freighter that may be robbed, and given up with the stick', () => {
    const { match, raid, wing } = tallied()
    match.start(0)
    raid.robbed += ROBBERIES
    match.step(1)
    expect(match.phase).toBe('lost')
    match.start(2)
    wing.played = false
    expect(match.givenUp).toBe(false)
    match.step(3)
    expect([match.phase, match.givenUp]).toEqual(['idle', true])
  })

  it('begins with raiders ahead, within ten seconds of flight', () => {
    const station = new Station({ freighters: 2, drones: 1, rocks: 1 })
    const { match, raid, wing } = station
    wing.played = true
    station.step(STEP)
    expect(match.phase).toBe('playing')
    for (let k = 0; k < 30 && !raid.underway; k++) station.step(STEP)
    const near = raid.raiders.filter(({ present }) => present)
    expect(near.length).toBeGreaterThan(0)
    const { body } = wing.leader
    for (const raider of near) {
      const offset = minus(raider.body.position, body.position)
      expect(distance(raider.body.position, body.position)).toBeLessThan(290)
      expect(inner(unit(offset), noseOf(wing.leader))).toBeGreaterThan(0.9)
    }
    station.dispose()
  })

  it('brings a player home who has gone too far, without ending the match', () => {
    const station = new Station({ freighters: 1, drones: 1, rocks: 1, wingmen: 0 })
    const { match, wing } = station
    wing.played = true
    wing.leader.body.position.set(0, 0, 345)
    for (let k = 0; k < 15; k++) station.step(STEP)
    expect(wing.strayed).toBe(true)
    for (let k = 0; k < 600 && wing.strayed; k++) station.step(STEP)
    expect([wing.strayed, wing.played, match.phase]).toEqual([false, true, 'playing'])
    expect(wing.leader.body.position.length()).toBeLessThan(292)
    station.dispose()
  })

  // the whole match takes 3 minutes of flight
  it.runIf(pick(false, true))(
    'is lost by the wing alone, and won by a player who flies and fires',
    () => {
      const idle = played((station) => (station.wing.order = 'attack'))
      expect(idle.phase).toBe('lost')
      const able = played(fight)
      expect(able.phase).toBe('won')
      expect(able.tally.yours).toBeGreaterThan(able.tally.wings)
      expect(able.tally.yours).toBeGreaterThan(6)
      expect(able.score).toBeGreaterThan(1000)
    },
    600_000,
  )
})

function played(act: (station: Station) => void): Match {
  const station = new Station({ drones: 1, rocks: 2 })
  station.wing.played = true
  for (let k = 0; k < 60 * 300; k++) {
    station.step(STEP)
    if (station.match.phase !== 'playing') break
    act(station)
  }
  station.dispose()
  return station.match
}

/** Turns the nose to the target and fires, with the stick alone. */
function fight({ wing }: Station): void {
  const { leader, stick } = wing
  const { body, pilot, target } = leader
  const goal = target?.present
    ? (intercept(pilot, target.pilot, 170)?.aim ?? target.body.position)
    : vec(0, 40, 90)
  const to = unit(minus(goal, body.position))
  stick.ahead = 1
  stick.yaw = clamp(3 * inner(to, turned(body.quaternion, vec(-1, 0, 0))))
  stick.pitch = clamp(3 * inner(to, turned(body.quaternion, vec(0, 1, 0))))
  const ahead = inner(to, noseOf(leader))
  if (ahead < 0) stick.yaw = stick.yaw < 0 ? -1 : 1
  wing.order = 'guard'
  wing.trigger = target !== null && ahead > 0.985
}

const clamp = (axis: number): number => Math.max(-1, Math.min(1, axis))

describe('a mark at the edge of the picture', () => {
  const area = { left: 30, top: 80, right: 1250, bottom: 620 }
  const camera = new PerspectiveCamera(45, 1280 / 720, 0.1, 4000)

  it('is at the place in the picture, or on the edge of the area on the side to turn to', () => {
    const random = seeded(3)
    const place = new Vector3()
    let outside = 0
    for (let k = 0; k < 300; k++) {
      camera.position.set(9 * random(), 9 * random(), 9 * random())
      camera.lookAt(place.set(random() - 0.5, random() - 0.5, random() - 0.5))
      camera.updateMatrixWorld()
      place.set(random() - 0.5, random() - 0.5, random() - 0.5).multiplyScalar(200)
      const mark = bearingOf(place, camera, 1280, 720, area)
      const view = place.clone().applyMatrix4(camera.matrixWorldInverse)
      if (mark.inside) {
        expect(view.z).toBeLessThan(0)
        continue
      }
      outside++
      const rim = Math.min(mark.x - area.left, area.right - mark.x, mark.y - area.top, area.bottom - mark.y)
      expect(rim).toBeCloseTo(0, 6)
      // to the right of the middle if one has to turn right
      if (view.z > 0) expect((mark.x - 640) * view.x).toBeGreaterThanOrEqual(0)
    }
    expect(outside).toBeGreaterThan(150)
  })

  it('is below for what is exactly behind', () => {
    camera.position.set(0, 0, 0)
    camera.quaternion.identity()
    camera.updateMatrixWorld()
    const { inside, x, y } = bearingOf({ x: 0, y: 0, z: 50 }, camera, 1280, 720, area)
    expect(inside).toBe(false)
    expect([x, y]).toEqual([640, 620])
  })
})
