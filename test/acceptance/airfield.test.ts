import { describe, expect, it } from 'vitest'
import { Airfield, inFlight, SIZE } from '../../demo/scenarios/airfield.js'
import { heightAbove, onRunway, RUNWAYS } from '../../demo/scenarios/airfield-map.js'
import { distance, magnitude } from '../../demo/scenarios/metrics.js'
import { angleBetween } from '../../demo/scenarios/passage.js'
import { outer } from '../../demo/scenarios/vectors.js'
import { pick, report } from '../support/tier.js'

const DT = 1 / 60
const SEEDS = pick([1], [1, 2, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
const SECONDS = pick(100, 180, 240)

/** What was measured from outside over a flight of all aircraft. */
interface Flight {
  landings: number
  runways: Set<number>
  /** Largest distance from the centre line (m) and angle to it (rad) at a threshold. */
  aside: number
  angle: number
  /** Tightest turn in flight (m), least gap of two aircraft, and least height off the runways (m). */
  tightest: number
  gap: number
  lowest: number
}

function fly(field: Airfield, seconds: number): Flight {
  const seen: Flight = { landings: 0, runways: new Set(), aside: 0, angle: 0, tightest: Infinity, gap: Infinity, lowest: Infinity } // prettier-ignore
  const before = new Map<number, { x: number; y: number; z: number }>()
  const approaching = new Set<number>()
  for (let k = 0; k < seconds / DT; k++) {
    field.step(DT)
    for (const { index, leg, runway, pilot } of field.aircraft) {
      const { position, velocity } = pilot
      const last = before.get(index)
      before.set(index, { ...velocity })
      for (const other of field.aircraft)
        if (other.index > index)
          seen.gap = Math.min(seen.gap, distance(position, other.pilot.position) - 2 * SIZE)
      if (leg === 'roll-out' && approaching.delete(index)) {
        const { ahead } = RUNWAYS[runway]!
        seen.landings++
        seen.runways.add(runway)
        seen.aside = Math.max(seen.aside, Math.abs(onRunway(RUNWAYS[runway]!, position).x))
        seen.angle = Math.max(seen.angle, angleBetween(velocity, ahead))
      }
      if (leg === 'approach') approaching.add(index)
      if (!inFlight(leg) || last === undefined) continue
      const speed = magnitude(velocity)
      const turn = magnitude(outer(last, velocity)) / (magnitude(last) * speed)
      seen.tightest = Math.min(seen.tightest, (speed * DT) / turn)
      const place = runway < 0 ? null : onRunway(RUNWAYS[runway]!, position)
      const { half, length } = RUNWAYS[Math.max(0, runway)]!
      const isOver = place !== null && Math.abs(place.x) < half && Math.abs(place.z) < length / 2
      if (!isOver) seen.lowest = Math.min(seen.lowest, heightAbove(position))
    }
  }
  return seen
}

describe('the airfield', () => {
  it.each(SEEDS)(
    'lands on its runways in line, seed %i',
    (seed) => {
      const field = new Airfield({ seed })
      const flight = fly(field, SECONDS)
      const { landings, runways, aside, angle, tightest, gap, lowest } = flight
      report(`airfield, seed ${seed}, ${SECONDS} s`, [flight])
      expect(landings).toBeGreaterThanOrEqual(SECONDS / 20)
      expect(runways.size).toBeGreaterThanOrEqual(3)
      expect(field.landings).toBe(landings)
      // 5 cm beside the centre line, and a tenth of a degree
      expect(aside).toBeLessThan(0.05)
      expect(angle).toBeLessThan(0.1 * (Math.PI / 180))
      expect(tightest).toBeGreaterThan(field.turnRadius)
      expect(gap).toBeGreaterThan(0)
      // wheels included
      expect(lowest).toBeGreaterThan(2.5)
      field.dispose()
    },
    120_000,
  )

  it('plans wider turns for a larger least radius, also in flight', () => {
    const field = new Airfield({ seed: 2 })
    for (let k = 0; k < 300; k++) field.step(DT)
    field.turnRadius = 50
    expect(fly(field, 40).tightest).toBeGreaterThan(50)
    field.dispose()
  })
})
