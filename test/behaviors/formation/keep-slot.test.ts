import { describe, expect, it } from 'vitest'
import {
  BoxShape,
  FollowPath,
  Flight,
  Obstacles,
  Path,
  SteeringController,
  SteeringWorld,
  Thrusters,
  type Behavior,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import {
  boxPattern,
  customPattern,
  Formation,
  KeepSlot,
  linePattern,
  ringPattern,
  wedgePattern,
} from 'three-steering/formation'
import {
  distance,
  placesOf,
  Rails,
  RADIUS,
  remove,
  scatter,
  TRAITS,
  wing,
  type Wing,
} from './formation-kit.js'
import { ALL, pick } from '../../support/tier.js'

const FAR: Vec3Like = { x: 5000, y: 0, z: 0 }

/** Follows a straight path, or a round one. */
function along(round = false): Behavior {
  const points = round
    ? [FAR, { x: 5100, y: 20, z: 90 }, { x: 4900, y: 40, z: 160 }, { x: 4850, y: 0, z: 40 }]
    : [{ x: -100, y: 0, z: 0 }, FAR]
  return new FollowPath({ path: new Path({ points, ends: round ? 'closed' : 'open' }), speed: 8 })
}

function fly(one: Wing, time: number, leader: Rails | null = null, rate = 0, climb = 0): void {
  for (let k = 0; k < time * 60; k++) {
    one.step()
    leader?.fly(1 / 60, rate, climb)
  }
}

describe('an agent with KeepSlot', () => {
  it('emits `arrive` when it has come to its slot, and `leave` when it has lost it', () => {
    const leader = new Rails(6)
    const one = wing({ spacing: 4, leader })
    const events: string[] = []
    const ships = scatter(5, 9, 2, 4).map((place) => one.add(place))
    for (const ship of ships) {
      ship.addEventListener('arrive', () => events.push('arrive'))
      ship.addEventListener('leave', () => events.push('leave'))
    }
    fly(one, 15, leader)
    expect(events).toEqual(ships.map(() => 'arrive'))
    leader.position.y += 8
    fly(one, 15, leader)
    expect(events.filter((what) => what === 'leave').length).toBe(
      events.filter((what) => what === 'arrive').length - 5,
    )
  })

  it('emits no `arrive` while its slot is on its way', () => {
    const leader = new Rails(6)
    const one = wing({ spacing: 4, leader })
    const changing: boolean[] = []
    for (let i = 0; i < 3; i++) {
      const ship = one.add({ x: -20 - 3 * i, y: i, z: 9 }, { velocity: leader.velocity })
      ship.addEventListener('arrive', () => changing.push(one.formation.changing))
    }
    fly(one, 15, leader)
    expect(changing).toEqual([false, false, false])
  })

  it('closes up when others are lost, and makes room for newcomers', () => {
    const leader = new Rails(6)
    const one = wing({ spacing: 4, pattern: linePattern, leader, frame: 'course' })
    for (let i = 0; i < 9; i++) one.add({ x: 0, y: 0, z: 4 * (i - 4) }, { velocity: leader.velocity })
    fly(one, 5, leader)
    remove(one, one.ships[4]!)
    remove(one, one.ships[0]!)
    fly(one, 10, leader)
    expect(one.formation.size).toBe(7)
    // a line without gaps, with the leader in it
    const across = one.ships.map(({ position }) => position.z - leader.position.z).sort((a, b) => a - b)
    across.push(0)
    across.sort((a, b) => a - b).forEach((z, i) => expect(z).toBeCloseTo(4 * (i - 3), 1))
    one.add({ x: leader.position.x - 40, y: 10, z: leader.position.z }, { velocity: leader.velocity })
    fly(one, 25, leader)
    expect(one.formation.size).toBe(8)
    expect(one.formation.slotError).toBeLessThan(0.02)
    for (const ship of one.ships.slice()) remove(one, ship)
    fly(one, 1, leader)
    one.add({ x: leader.position.x, y: 3, z: leader.position.z }, { velocity: leader.velocity })
    fly(one, 10, leader)
    expect(one.formation.size).toBe(1)
    expect(one.formation.slotError).toBeLessThan(0.02)
  })

  it('that leads and is lost is replaced by another, in a turn and without a jump of the frame', () => {
    const one = wing({ spacing: 4 })
    const lead = along(true)
    const members = pick(3, 6)
    for (const place of scatter(members + 1, 8, 2, 6)) one.add({ ...place, x: place.x + 5000 }, { lead })
    fly(one, 30)
    const { formation } = one
    expect(formation.slotError).toBeLessThan(0.1)
    for (let lost = 0; lost < members; lost++) {
      const before = formation.captain
      const ship = one.ships.find(({ id }) => id === before)!
      const at = { ...formation.anchor.position }
      remove(one, ship)
      for (let k = 1; k <= 30; k++) {
        one.step()
        // the frame flies on from where it was
        expect(distance(formation.anchor.position, at)).toBeLessThan(1 + (k / 60) * TRAITS.maxSpeed)
      }
      expect(formation.captain).not.toBe(before)
      fly(one, 9)
      expect(formation.size).toBe(members - lost)
      expect(formation.slotError).toBeLessThan(0.1)
    }
    expect(one.nearest).toBeGreaterThan(2 * RADIUS)
  })

  it('takes the slots of its role', () => {
    const leader = new Rails(6)
    const pattern = customPattern([
      { position: { x: 0, y: 0, z: 4 }, role: 'bomber' },
      { position: { x: 0, y: 0, z: -4 }, role: 'bomber' },
      { position: { x: 4, y: 0, z: 0 }, role: 'escort' },
      { position: { x: -4, y: 0, z: 0 } },
    ])
    const one = wing({ spacing: 4, pattern, leader, frame: 'course' })
    const roles = ['escort', 'bomber', '', 'bomber']
    const ships = roles.map((role, i) => {
      const behavior = new KeepSlot({ formation: one.formation, role })
      return one.add({ x: 3 * i, y: 5, z: 0 }, { behavior })
    })
    fly(one, 15, leader)
    const where = ships.map(({ position: { x, z } }) =>
      [x - leader.position.x, z].map((v) => Math.round(v) + 0),
    )
    expect(where[0]).toEqual([4, 0])
    expect(where[2]).toEqual([-4, 0])
    expect([where[1]![1], where[3]![1]].sort((a, b) => a! - b!)).toEqual([-4, 4])
  })

  it('follows behind the others if there is no slot for it', () => {
    const leader = new Rails(6)
    const pattern = customPattern([{ position: { x: 0, y: 0, z: 4 } }, { position: { x: 0, y: 0, z: -4 } }])
    const one = wing({ spacing: 4, pattern, leader })
    for (const place of scatter(4, 8, 2, 6)) one.add(place)
    fly(one, 20, leader)
    const behind = one.ships
      .map(({ position }) => Math.round(position.x - leader.position.x))
      .sort((a, b) => a - b)
    expect(behind).toEqual([-8, -4, 0, 0])
  })

  it('takes the attitude of its slot', () => {
    const leader = new Rails(6)
    const pattern = (n: number, s: number) => ringPattern(n, s, { topOutward: true })
    const one = wing({ spacing: 4, pattern, leader })
    for (const place of scatter(6, 8, 2, 6)) one.add(place, { inertia: { x: 1, y: 1, z: 1 } })
    fly(one, 20, leader)
    for (const ship of one.ships) {
      const { y, z } = ship.position
      const { y: top } = ship.attitude
      expect(top.y * (y - leader.position.y) + top.z * z).toBeCloseTo(Math.hypot(y - leader.position.y, z), 1)
    }
  })

  it('rolls with the leader', () => {
    const leader = new Rails(6)
    const one = wing({ spacing: 3, pattern: linePattern, leader })
    for (let i = 0; i < 5; i++) one.add({ x: 0, y: 0, z: 3 * (i - 2) }, { velocity: leader.velocity })
    fly(one, 4, leader)
    const worst: number[] = []
    for (let k = 0; k < 600; k++) {
      one.step()
      leader.position.x += 6 / 60
      // to starboard, with a rate that rises slowly to 1 rad/s
      const rate = Math.min(k / 100, 1)
      const half = rate / 60 / 2
      const { x, w } = leader.quaternion
      leader.quaternion.x = x * Math.cos(half) + w * Math.sin(half)
      leader.quaternion.w = w * Math.cos(half) - x * Math.sin(half)
      leader.angularVelocity.x = rate
      if (k > 150) worst.push(one.formation.slotError)
    }
    expect(Math.max(...worst)).toBeLessThan(0.05)
  })

  it('can be a member of a formation that is a member of another', () => {
    const leader = new Rails(6)
    const parent = new Formation({ spacing: 14, leader, leaderApart: false, frame: 'course' })
    const world = new SteeringWorld({ seed: 5 })
    const parts = [0, 1, 2].map(() => new Formation({ spacing: 3, parent }))
    const ships = parts.flatMap((formation, k) =>
      scatter(3, 5, 2, 20 + k).map((place) => {
        const position = { ...place, z: place.z + 14 * (k - 1) }
        const ship = new SteeringController(null, {
          ...TRAITS,
          behavior: new KeepSlot({ formation }),
          position,
        })
        world.add(ship)
        return ship
      }),
    )
    for (let k = 0; k < 1800; k++) {
      world.step(1 / 60)
      leader.fly(1 / 60, k > 900 ? 0.1 : 0)
    }
    expect(parent.size).toBe(3)
    for (const part of parts) expect(part.slotError).toBeLessThan(0.1)
    // three wedges in a wedge
    const middles = parts.map(({ anchor }) => anchor.position)
    const sides = [
      distance(middles[0]!, middles[1]!),
      distance(middles[1]!, middles[2]!),
      distance(middles[2]!, middles[0]!),
    ]
    sides.sort((a, b) => a - b)
    expect(sides[0]).toBeCloseTo(14, 0)
    expect(sides[1]).toBeCloseTo(14, 0)
    expect(sides[2]).toBeCloseTo(14 * Math.SQRT2, 0)
    expect(new Set(ships.map(({ id }) => id)).size).toBe(9)
  })
})

describe('a formation at a passage', () => {
  /** A wall across the path at x = 110 with a hole of `wide` by `high` metres. */
  function wall(wide: number, high: number): Obstacles {
    const slab = (y: number, z: number, up: number, side: number) => ({
      shape: new BoxShape({ x: 1, y: up, z: side }),
      at: { x: 110, y, z },
    })
    return new Obstacles([
      slab(high / 2 + 40, 0, 40, 80),
      slab(-high / 2 - 40, 0, 40, 80),
      slab(0, wide / 2 + 40, high / 2, 40),
      slab(0, -wide / 2 - 40, high / 2, 40),
    ])
  }

  const passages = [
    ['as a column through a hole', 2, 2, 'column'],
    ['narrow through a slit', 5.5, 30, 'narrow'],
    ['as a column through a hole too small to open in', 1.6, 1.6, 'column'],
    ['as a column through a hole too small for the clearance', 1.4, 1.4, 'column'],
    ['low under a lintel', 30, 5.5, 'low'],
    ['as it is through a gate', 30, 30, 'open'],
  ] as const

  it.each(passages.slice(0, ALL ? passages.length : 2))(
    'flies %s, and has its own shape again behind it',
    (_, wide, high, how) => {
      const obstacles = wall(wide, high)
      const leader = new Rails(6)
      const one = wing({
        spacing: 4,
        pattern: (n, s) => boxPattern(n, s, { width: 3, height: 3 }),
        leader,
        obstacles,
      })
      for (let i = 0; i < 9; i++)
        one.add({ x: 0, y: 4 * (Math.floor(i / 3) - 1), z: 4 * ((i % 3) - 1) }, { velocity: leader.velocity })
      const normal = { x: 0, y: 0, z: 0 }
      let gap = Infinity
      let tall = 8
      let broad = 8
      let column = false
      for (let k = 0; k < 45 * 60; k++) {
        one.step()
        leader.fly(1 / 60)
        const { formation } = one
        const pace = Math.min(6, formation.paceLimit)
        leader.velocity.x = pace
        column ||= formation.isColumn
        if (Math.abs(leader.position.x - 110) < 2) {
          const ys = one.ships.map(({ position }) => position.y)
          const zs = one.ships.map(({ position }) => position.z)
          tall = Math.max(...ys) - Math.min(...ys)
          broad = Math.max(...zs) - Math.min(...zs)
        }
        for (const { position } of one.ships)
          gap = Math.min(gap, obstacles.distance(position, normal) - RADIUS)
      }
      expect(gap).toBeGreaterThan(0.1)
      expect(one.nearest).toBeGreaterThan(2 * RADIUS)
      expect(column).toBe(how === 'column')
      expect(tall < 5).toBe(how === 'column' || how === 'low')
      expect(broad < 5).toBe(how === 'column' || how === 'narrow')
      expect(one.formation.isColumn).toBe(false)
      expect(one.formation.slotError).toBeLessThan(0.05)
      const ys = one.ships.map(({ position }) => position.y)
      expect(Math.max(...ys) - Math.min(...ys)).toBeCloseTo(8, 1)
    },
  )

  it('as a column does not take the place of a leader that has no member at its own', () => {
    const leader = new Rails(6)
    const one = wing({ spacing: 4, pattern: ringPattern, leader, obstacles: wall(2, 2) })
    for (let i = 0; i < 6; i++) {
      const angle = (i * Math.PI) / 3
      one.add({ x: 0, y: 5 * Math.cos(angle), z: 5 * Math.sin(angle) }, { velocity: leader.velocity })
    }
    let nearest = Infinity
    let column = false
    for (let k = 0; k < 30 * 60; k++) {
      one.step()
      leader.fly(1 / 60)
      leader.velocity.x = Math.min(6, one.formation.paceLimit)
      column ||= one.formation.isColumn
      for (const { position } of one.ships) nearest = Math.min(nearest, distance(position, leader.position))
    }
    expect(column).toBe(true)
    expect(nearest).toBeGreaterThan(2 * RADIUS)
  })
})

it('the leader waits for a member that is behind its slot, and not for one that is ahead of it', () => {
  const leader = new Rails(6)
  const one = wing({ spacing: 4, leader })
  for (const place of scatter(6, 8, 2, 6)) one.add(place)
  fly(one, 15, leader)
  const { formation } = one
  const usual = formation.paceLimit
  const late = one.ships[2]!
  const { x, y, z } = late.position
  late.teleport({ position: { x: x - 4, y, z } })
  fly(one, 0.1, leader)
  expect(formation.paceLimit).toBeLessThan(0.6 * usual)
  fly(one, 10, leader)
  expect(formation.paceLimit).toBeCloseTo(usual, 6)
  // a member ahead of its slot is not late
  late.teleport({ position: { x: late.position.x + 4, y, z } })
  fly(one, 0.1, leader)
  expect(formation.paceLimit).toBeCloseTo(usual, 6)
})

it('a member that does not come makes no turn slower', () => {
  const leader = new Rails(6)
  const one = wing({ spacing: 4, leader, pattern: linePattern })
  for (const z of [-6, -2, 2]) one.add({ x: 0, y: 0, z })
  fly(one, 10, leader)
  // its slot is the outermost in a turn to port
  const last = one.add({ x: -50, y: 0, z: 50 })
  const turn = (stays: boolean): number => {
    for (let k = 0; k < 10 * 60; k++) {
      if (stays) last.teleport({ position: { x: leader.position.x - 50, y: 0, z: 50 } })
      fly(one, 1 / 60, leader)
    }
    fly(one, 2, leader, -0.2)
    return one.formation.paceLimit
  }
  expect(turn(true)).toBeGreaterThan(1.1 * turn(false))
})

it('a leader that turns at once does not require more acceleration of a member than it has', () => {
  const leader = new Rails(6)
  const one = wing({ spacing: 4, leader, frame: 'course' })
  for (const place of scatter(6, 8, 2, 6)) one.add(place)
  fly(one, 10, leader)
  const { acceleration } = one.formation.anchor
  let most = 0
  for (const velocity of [
    { x: 0, y: 0, z: 6 },
    { x: -6, y: 0, z: 0 },
    { x: 0, y: 0, z: 0 },
  ]) {
    Object.assign(leader.velocity, velocity)
    for (let k = 0; k < 10; k++) {
      one.step()
      most = Math.max(most, Math.hypot(acceleration.x, acceleration.y, acceleration.z))
      const { position } = leader
      position.x += velocity.x / 60
      position.z += velocity.z / 60
    }
  }
  expect(most).toBeGreaterThan(1)
  expect(most).toBeLessThanOrEqual((TRAITS.maxForce / TRAITS.mass) * (1 + 1e-9))
})

it('a formation does not open when a passage is wide for a moment, but when it stays wide', () => {
  const slabs = [1, -1].flatMap((side) => [
    { shape: new BoxShape({ x: 1, y: 40, z: 80 }), at: { x: 80, y: 41 * side, z: 0 } },
    { shape: new BoxShape({ x: 1, y: 1, z: 40 }), at: { x: 80, y: 0, z: 41 * side } },
  ])
  const obstacles = new Obstacles(slabs)
  const leader = new Rails(6)
  const one = wing({
    spacing: 4,
    pattern: (n, s) => boxPattern(n, s, { width: 3, height: 3 }),
    leader,
    obstacles,
  })
  for (let i = 0; i < 9; i++)
    one.add({ x: 0, y: 4 * (Math.floor(i / 3) - 1), z: 4 * ((i % 3) - 1) }, { velocity: leader.velocity })
  const { formation } = one
  for (let k = 0; k < 600 && !formation.isColumn; k++) fly(one, 1 / 60, leader)
  expect(formation.isColumn).toBe(true)
  expect(leader.position.x).toBeLessThan(60)
  const gone = [...obstacles]
  for (let round = 0; round < 6; round++) {
    for (const slab of gone) obstacles.remove(slab)
    for (let k = 0; k < 12; k++) {
      fly(one, 1 / 60, leader)
      expect(formation.isColumn).toBe(true)
    }
    for (const slab of gone) obstacles.add(slab)
    fly(one, 0.3, leader)
  }
  for (const slab of Array.from(obstacles)) obstacles.remove(slab)
  fly(one, 1, leader)
  expect(formation.isColumn).toBe(false)
})

describe('the laws of formations', () => {
  /** Flies a wing with everything turned by `turn`, and with mass and force scaled by `mass`. */
  function flown(turn: (v: Vec3Like) => Vec3, mass: number, frame: 'attitude' | 'course' | 'level'): Vec3[] {
    const world = new SteeringWorld({ up: turn({ x: 0, y: 1, z: 0 }), seed: 9 })
    const leader = { position: turn({ x: 0, y: 0, z: 0 }), velocity: turn({ x: 6, y: 1, z: 2 }) }
    const formation = new Formation({ spacing: 4, leader, frame })
    const behavior = new KeepSlot({ formation })
    const ships = scatter(6, 8, 2, 3).map((place) => {
      const strong = { ...TRAITS, mass: TRAITS.mass * mass, maxForce: TRAITS.maxForce * mass }
      const ship = new SteeringController(null, {
        ...strong,
        behavior,
        position: turn(place),
        velocity: turn({ x: 1, y: 0, z: 0 }),
      })
      world.add(ship)
      return ship
    })
    for (let k = 0; k < 600; k++) {
      world.step(1 / 60)
      const v = turn({ x: 6 * Math.cos(k / 200), y: 1, z: 2 + 6 * Math.sin(k / 200) })
      leader.velocity = v
      const { x, y, z } = leader.position
      leader.position = { x: x + v.x / 60, y: y + v.y / 60, z: z + v.z / 60 }
    }
    return placesOf(ships)
  }

  const same = ({ x, y, z }: Vec3Like): Vec3 => ({ x, y, z })
  const turned = ({ x, y, z }: Vec3Like): Vec3 => ({ x: -y, y: z, z: -x })

  it.each(['course', 'level'] as const)('a turned scene gives turned paths: %s', (frame) => {
    const plain = flown(same, 1, frame)
    flown(turned, 1, frame).forEach((place, i) =>
      expect(distance(place, turned(plain[i]!))).toBeLessThan(1e-6),
    )
  })

  it.each([
    ['Thrusters', () => new Thrusters({ ahead: 60, astern: 30, port: 30 })],
    ['Flight', () => new Flight()],
  ])('%s keep their slots in a turn', (_, locomotion) => {
    const leader = new Rails(8)
    const one = wing({ spacing: 4, leader })
    for (let i = 0; i < 9; i++)
      one.add({ x: 0, y: 0, z: 4 * (i - 4) }, { velocity: leader.velocity, locomotion: locomotion() })
    fly(one, 15, leader)
    let worst = 0
    for (let k = 0; k < 1200; k++) {
      one.step()
      leader.fly(1 / 60, 0.2, 1)
      if (k > 300) worst = Math.max(worst, one.formation.slotError)
    }
    expect(worst).toBeLessThan(0.1)
    expect(one.nearest).toBeGreaterThan(2 * RADIUS)
  })

  it('recovers from coincident members, a leader that is not finite, and a pattern that throws', () => {
    const leader = new Rails(6)
    const one = wing({ spacing: 4, leader, pattern: wedgePattern })
    const faults: string[] = []
    one.world.addEventListener('fault', ({ message }) => faults.push(message))
    // all at the position of the leader
    for (let i = 0; i < 6; i++) one.add({ x: 0, y: 0, z: 0 })
    one.add({ x: 1e9, y: 0, z: 0 })
    fly(one, 3, leader)
    leader.quaternion.w = NaN
    fly(one, 1, leader)
    leader.quaternion.w = 1
    leader.velocity.x = 1e200
    fly(one, 0.2, leader)
    leader.velocity.x = 0
    Object.assign(leader.position, { x: 0, y: 0, z: 0 })
    fly(one, 3, leader)
    one.formation.pattern = () => {
      throw new RangeError('no slots')
    }
    fly(one, 1, leader)
    one.formation.pattern = linePattern
    fly(one, 40, leader)
    expect(faults.map((words) => words.slice(0, words.indexOf(':')))).toEqual([
      'quaternion of the leader',
      'pattern of the formation',
    ])
    for (const { position } of one.ships)
      expect(Number.isFinite(position.x + position.y + position.z)).toBe(true)
  })
})
