import { expect, it } from 'vitest'
import { SteeringController, SteeringWorld, type Behavior } from 'three-steering'
import { Dock, Port, Undock } from 'three-steering/docking'
import { v } from '../support/geometry.js'
import { DOCKER, station } from '../support/pilot.js'
import { ALL } from '../support/tier.js'

// Each ship waited at one port. Those that asked at once all chose the same, and went together to the next
// one that became free; one that came later took the port with fewer. So of nine ships at three ports three
// docked again and again, and six never.

const RATES = ALL ? [30, 60, 144] : [60]

/** Nine ships that dock at any of three ports, stay for 3 s, leave, and ask again. */
function fly(rate: number, isReversed: boolean, seconds: number) {
  const world = new SteeringWorld({ seed: 3 })
  const carrier = station()
  const ports = [0, 12, 24].map((z) => new Port({ carrier, position: v(5, 0, z), outward: v(1, 0, 0) }))
  /** Which ship was given a port, and since when it had waited (s), in this order. */
  const turns: { readonly ship: number; readonly since: number }[] = []
  const releases: { readonly at: number; readonly go: () => void }[] = []
  const ships = Array.from({ length: 9 }, (_, k) => {
    const ship = new SteeringController(null, {
      ...DOCKER,
      position: v(45 + 8 * (k % 3), 15 * ((k % 3) - 1), 20 * (k - 4)),
      behavior: new Dock({ ports }),
      seed: k + 1,
    })
    let since = 0
    let waits = true
    const leave = (): Behavior => new Undock({ port: ports.find(({ holder }) => holder === ship.id)! })
    ship.addEventListener('stage', ({ stage }) => {
      if (stage === 'approach' && waits) {
        turns.push({ ship: k, since })
        waits = false
      }
      if (stage === 'latched') releases.push({ at: world.time + 3, go: () => (ship.behavior = leave()) })
      if (stage !== 'free') return
      since = world.time
      waits = true
      ship.behavior = new Dock({ ports })
    })
    return ship
  })
  for (const ship of isReversed ? ships.toReversed() : ships) world.add(ship)
  let nearest = Infinity
  while (world.time < seconds) {
    world.step(1 / rate)
    while (releases.length > 0 && releases[0]!.at <= world.time) releases.shift()!.go()
    for (const [k, a] of ships.entries())
      for (const b of ships.slice(0, k))
        nearest = Math.min(nearest, Math.hypot(a.position.x - b.position.x, a.position.y - b.position.y, a.position.z - b.position.z)) // prettier-ignore
  }
  return { turns, nearest }
}

it.each(RATES)(
  'the port that becomes free goes to the ship that waits longest, %i steps a second',
  (rate) => {
    const { turns, nearest } = fly(rate, false, 160)
    expect(turns.length).toBeGreaterThan(12)
    expect(new Set(turns.slice(0, 9).map(({ ship }) => ship)).size).toBe(9)
    expect(turns).toEqual(turns.toSorted((a, b) => a.since - b.since || a.ship - b.ship))
    expect(nearest).toBeGreaterThan(2 * DOCKER.radius)
    expect(fly(rate, true, 45)).toEqual(fly(rate, false, 45))
  },
)
