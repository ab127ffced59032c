import { expect, it } from 'vitest'
import { Arrive, AvoidObstacles, BoxShape, Flock, Obstacles, ReciprocalAvoidance } from 'three-steering'
import { Seek, SteeringWorld, within, type Behavior } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { Touches } from '../../demo/scenarios/touches.js'
import { minus, norm, v } from '../support/geometry.js'
import { pick } from '../support/tier.js'

// Before a door the half-spaces of a crowd contradict each other. The velocity of least violation was a
// single one, whatever the wish: the crowd swirled past the open door.

const COUNT = 60
const RADIUS = 0.5
/** Half the width of the door, and half the thickness of the wall, m. */
const GATE = 2.5 * RADIUS
const THICK = 0.6

/** Flies sixty agents through the door. Returns when the last one came through (s), and contacts. */
function cross(flat: boolean, rate: number, seed: number) {
  const random = seeded(seed)
  const side = new BoxShape(v(20, 40, THICK))
  const lintel = new BoxShape(v(GATE, 20, THICK))
  const sides = [1, -1].map((k) => ({ shape: side, at: v(k * (GATE + 20), 0, 0) }))
  // what lies under a plane is a wall to those who walk on it
  const lintels = flat ? [] : [1, -1].map((k) => ({ shape: lintel, at: v(0, k * (GATE + 20), 0) }))
  const obstacles = new Obstacles([...sides, ...lintels])
  const size = flat ? 16 : 9
  const starts: ReturnType<typeof v>[] = []
  const aside = (): number => size * (2 * random() - 1)
  while (starts.length < COUNT) {
    const at = v(aside(), flat ? 0 : aside(), -3 - 1.3 * size * random())
    if (norm(minus(at, v(0, 0, -3))) > 1.3 * size) continue
    if (starts.every((other) => norm(minus(at, other)) > 3.2 * RADIUS)) starts.push(at)
  }
  const isThrough = new Uint8Array(COUNT)
  const seek = new Seek({ target: v(0, 0, 4) })
  // behind the door each goes to the mirrored place of another
  const arrive = new Arrive({
    target: ({ id }, out) => {
      const { x, y, z } = starts[(7 * id) % COUNT]!
      Object.assign(out, v(x, y, 1 - z))
    },
  })
  const through: Behavior = {
    children: [seek, arrive],
    steer: (agent, step, out) => (isThrough[agent.id] === 1 ? arrive : seek).steer(agent, step, out),
  }
  const flock = new Flock({
    count: COUNT,
    behavior: within([new AvoidObstacles({ obstacles }), new ReciprocalAvoidance()], through),
    maxSpeed: 5,
    maxForce: 5,
    radius: RADIUS,
    ...(flat ? { plane: v(0, 1, 0) } : {}),
    spawn: (i, { position, velocity }) => {
      Object.assign(position, starts[i]!)
      Object.assign(velocity, v(0, 0, 0))
    },
  })
  const world = new SteeringWorld({ seed })
  world.add(flock)
  const touches = new Touches(0)
  const balls = starts.map((position, key) => ({ key, radius: RADIUS, position: { ...position } }))
  let wallContacts = 0
  let time = 0
  for (; time < 60 && isThrough.includes(0); time += 1 / rate) {
    world.step(1 / rate)
    for (const { key, position } of balls) {
      flock.position(key, position)
      if (position.z > THICK + RADIUS) isThrough[key] = 1
      if (obstacles.distance(position, v(0, 0, 0)) < RADIUS) wallContacts++
    }
    touches.see(balls.filter(({ key }) => isThrough[key] === 0))
  }
  return { time, contacts: touches.contacts, wallContacts }
}

const cases = pick([30], [30, 60], [30, 60, 144]).flatMap((rate) =>
  pick([true], [true, false], [true, false]).flatMap((flat) =>
    pick([1], [2, 3], [1, 2, 3]).map((seed) => [flat ? 'a plane' : 'space', rate, seed] as const),
  ),
)

it.each(cases)('sixty come through a door of 2.5 widths in 40 s: in %s, %i Hz, seed %i', (where, ...rest) => {
  const { contacts, time, wallContacts } = cross(where === 'a plane', ...rest)
  expect(time).toBeLessThan(40)
  // mostly none; those who arrive fast at the rear may still touch one
  expect(contacts).toBeLessThan(2)
  expect(wallContacts).toBe(0)
})
