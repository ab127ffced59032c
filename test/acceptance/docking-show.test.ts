import { Vec3 } from 'cannon-es'
import { beforeAll, describe, expect, it } from 'vitest'
import { Docking } from '../../demo/scenarios/docking.js'
import { boatOf, DEFAULT_BOATS } from '../../demo/scenarios/port-traffic.js'
import { FREIGHT } from '../../demo/scenarios/boats.js'
import { PORT_REACH, SPIN } from '../../demo/scenarios/spaceport.js'
import { Progress } from '../support/progress.js'
import { FULL, report } from '../support/tier.js'

/**
 * The scene *Docking* without rendering: eight ships of three classes, five ports on a station that turns and
 * drifts. The ordinary run flies one seed for 45 s, ACCEPTANCE=full or =print three seeds for three minutes
 * and one for ten, also with other steps.
 */
const STEP = 1 / 60

/** Longest time without a docking in each run (s). The first ships have a long approach. */
const idle = new Map<Docking, number>()
const LONGEST_IDLE = !FULL ? 30 : 60

function fly(seed: number, seconds: number, dt = STEP, count = DEFAULT_BOATS): Docking {
  const show = new Docking({ seed, count })
  const steps = Math.round(seconds / dt)
  const progress = new Progress()
  for (let i = 0; i < steps; i++) {
    show.step(dt)
    sane(show)
    progress.update(i * dt, show.touches.length)
  }
  idle.set(show, progress.longest)
  report(`docking show, seed ${seed}, ${seconds} s, 1/${Math.round(1 / dt)} s`, show.touches)
  show.dispose()
  return show
}

/** Checks that no two ships are at one port, and that a latched ship is at its port. */
function sane({ ships, station }: Docking): void {
  const moored = ships.filter(({ release }) => release !== null)
  if (new Set(moored.map(({ port }) => port)).size < moored.length) throw new Error('two ships at one port')
  for (const { body, boat } of moored) {
    const nose = body.quaternion.vmult(new Vec3(0, 0, boat.nose)).vadd(body.position)
    const reach = station.pointToLocalFrame(nose).length()
    if (Math.abs(reach - PORT_REACH) > 0.1) throw new Error(`${boat.name} hangs ${reach} m from the middle`)
  }
}

function expectFeathers(run: Docking, least: number): void {
  const { contacts, touches } = run
  expect(idle.get(run)).toBeLessThan(LONGEST_IDLE)
  expect(contacts).toBe(0)
  expect(touches.length).toBeGreaterThanOrEqual(least)
  for (const { closing, lateral, wanted } of touches) {
    expect(lateral).toBeLessThan(0.02)
    expect(Math.abs(closing / wanted - 1)).toBeLessThan(0.03)
  }
}

describe('the docking show', () => {
  const runs: Docking[] = []

  beforeAll(() => {
    if (!FULL) runs.push(fly(1, 45))
    else for (const seed of [1, 2, 3]) runs.push(fly(seed, 180))
  }, 600_000)

  it('ships dock softly, and there are no other contacts', () => {
    for (const run of runs) expectFeathers(run, !FULL ? 3 : 14)
  })

  it('the mass of a ship includes its freight', () => {
    for (const { ships } of runs)
      for (const { body, boat, freight } of ships)
        expect(body.mass).toBeCloseTo(boat.mass + FREIGHT * freight.aboard, 6)
  })

  it('the station keeps its rotation, because latched ships apply no force', () => {
    for (const { station } of runs) {
      const { angularVelocity, quaternion } = station
      expect(angularVelocity.length() / SPIN).toBeGreaterThan(0.99)
      expect(angularVelocity.length() / SPIN).toBeLessThan(1.01)
      const axis = quaternion.vmult(new Vec3(0, 1, 0))
      expect(axis.dot(angularVelocity.unit())).toBeGreaterThan(0.9999)
    }
  })

  it('every class of ship flies', () => {
    const names = Array.from({ length: DEFAULT_BOATS }, (_, k) => boatOf(k).name)
    expect(new Set(names)).toEqual(new Set(['tug', 'shuttle', 'freighter']))
  })

  it.runIf(FULL)(
    'every ship docks within ten minutes',
    () => {
      const run = fly(4, 600)
      expectFeathers(run, 50)
      for (const { index } of run.ships)
        expect(run.touches.filter(({ ship }) => ship === index).length).toBeGreaterThanOrEqual(2)
    },
    600_000,
  )

  it.runIf(FULL).each([30, 240])(
    'as well at 1/%i s',
    (rate) => expectFeathers(fly(2, 120, 1 / rate), 8),
    600_000,
  )
})
