import { describe, expect, it } from 'vitest'
import { SteeringController, SteeringWorld } from 'three-steering'
import { Refuel } from 'three-steering/docking'
import { flyRefuel } from '../../rigs/refuel-trials.js'
import { apart, inner, norm, plus, turned } from '../../laws/kit.js'
import { ALL, FULL, pick } from '../../support/tier.js'

const DEGREE = Math.PI / 180
const CASES = Array.from({ length: FULL ? 100 : 4 }, (_, i) => i + 1)

const X = { x: 1, y: 0, z: 0 }
const ZERO = { x: 0, y: 0, z: 0 }

/** A tanker that flies straight, with its nose along +x. */
function straight() {
  return {
    position: { x: 0, y: 0, z: 0 },
    velocity: { x: 30, y: 0, z: 0 },
    angularVelocity: { x: 0, y: 0, z: 0 },
    quaternion: { x: 0, y: 0, z: 0, w: 1 },
    forward: X,
    up: { x: 0, y: 1, z: 0 },
  }
}

function receiver(behavior: Refuel, from = { x: -120, y: -40, z: 30 }): SteeringController {
  const limits = { maxSpeed: 80, maxForce: 200, maxTorque: 40, maxTurnRate: 2 }
  const body = { mass: 10, inertia: { x: 20, y: 20, z: 20 }, radius: 2 }
  return new SteeringController(null, {
    ...body,
    ...limits,
    behavior,
    position: from,
    velocity: { x: 30, y: 0, z: 0 },
  })
}

describe('Refuel', () => {
  it.each([
    ['hover', 60],
    ['hover', 30],
    ['hover', 240],
    ['thrusters', 60],
  ] as const)(
    '%s at %i Hz: keeps contact for 20 s in a climbing turn, at rest relative to the tanker and in its attitude',
    (kind, hertz) => {
      for (const seed of CASES.slice(0, FULL ? 100 : ALL && hertz < 100 ? 2 : 1)) {
        const flown = flyRefuel(seed, { receiver: kind, dt: 1 / hertz })
        expect(flown.filled).toBe(true)
        expect(flown.stages).toEqual(['approach', 'precontact', 'closing', 'contact'])
        // not off by half a step of the acceleration in the turn
        expect(flown.rms).toBeLessThan(0.03 / hertz)
        expect(flown.worst).toBeLessThan(0.03 / hertz)
        expect(flown.angle).toBeLessThan(0.1 * DEGREE)
        expect(flown.closing).toBeLessThan(1.05)
      }
    },
    600_000,
  )

  it('feeds the turn of the tanker forward, whether it is known or learnt', () => {
    const [knows, learns] = [true, false].map((flies) => {
      return flyRefuel(2, { turn: 0.15, climb: 2, dt: 1 / 240, fill: 4, refuel: { velocityTurns: flies } })
        .rms
    })
    expect(knows).toBeLessThan(0.001)
    expect(learns).toBeLessThan(0.001)
  })

  it('loses contact when the tanker jerks, emits that, goes back and makes contact again', () => {
    for (const seed of CASES.slice(0, pick(1, 2, 100))) {
      const { filled, stages } = flyRefuel(seed, { jerk: 4 })
      expect(filled).toBe(true)
      const again = ['broken (torn off)', 'precontact', 'closing', 'contact']
      expect(stages).toEqual(['approach', 'precontact', 'closing', 'contact', ...again])
    }
  }, 600_000)

  it('keeps contact in a small jerk', () => {
    expect(flyRefuel(3, { jerk: 0.8 }).stages).toHaveLength(4)
  })

  it('an agent that must bank to turn keeps contact in its own attitude', () => {
    for (const seed of CASES.slice(0, pick(1, 2, 100))) {
      const { filled, rms, angle } = flyRefuel(seed, { receiver: 'flight', refuel: { attitude: 'own' } })
      expect(filled).toBe(true)
      expect(rms).toBeLessThan(0.05)
      // in the slot of a turning leader an agent banks about as the leader does
      expect(angle).toBeLessThan(5 * DEGREE)
    }
  }, 600_000)

  it('comes from behind and below, and waits at the precontact position, no closer to the tanker', () => {
    const tanker = straight()
    const refuel = new Refuel({ target: tanker, offset: { x: -10, y: -4, z: 0 }, clearance: 8 })
    const pilot = receiver(refuel, { x: 100, y: 40, z: 0 })
    const world = new SteeringWorld()
    world.add(pilot)
    const stages: string[] = []
    pilot.addEventListener('stage', ({ stage }) => stages.push(stage))
    let nearest = Infinity
    for (let i = 0; i < 60 * 90 && stages.at(-1) !== 'contact'; i++) {
      world.step(1 / 60)
      tanker.position.x += 0.5
      const off = apart(pilot.position, tanker.position)
      if (stages.at(-1) === 'approach') nearest = Math.min(nearest, off)
      if (stages.at(-1) === 'precontact') expect(pilot.position.x - tanker.position.x).toBeLessThan(-20)
    }
    expect(stages.at(-1)).toBe('contact')
    expect(nearest).toBeGreaterThan(8 + 2 - 0.5)
  })

  it('reports the time in contact, and emits arrive and leave', () => {
    const tanker = straight()
    const refuel = new Refuel({ target: tanker, offset: { x: -10, y: -4, z: 0 } })
    const pilot = receiver(refuel)
    const world = new SteeringWorld()
    world.add(pilot)
    const told: string[] = []
    pilot.addEventListener('arrive', () => told.push('arrive'))
    pilot.addEventListener('leave', () => told.push('leave'))
    const fly = (seconds: number): void => {
      for (let i = 0; i < 60 * seconds; i++) {
        world.step(1 / 60)
        tanker.position.x += 0.5
      }
    }
    fly(50)
    expect(told).toEqual(['arrive'])
    const before = refuel.contactTime
    expect(before).toBeGreaterThan(3)
    fly(2)
    expect(refuel.contactTime).toBeCloseTo(before + 2, 6)
    pilot.teleport({ position: plus(pilot.position, { x: -3, y: 0, z: 0 }) })
    fly(0.1)
    expect(told).toEqual(['arrive', 'leave'])
    expect(refuel.contactTime).toBe(0)
    // in the attitude of the tanker
    expect(inner(turned(pilot.quaternion, { x: 0, y: 0, z: 1 }), X)).toBeCloseTo(1, 4)
  })

  it('two receivers take turns', () => {
    const tanker = straight()
    const refuel = new Refuel({ target: tanker, offset: { x: -10, y: -4, z: 0 } })
    const fleet = [receiver(refuel), receiver(refuel, { x: -140, y: -20, z: -40 })]
    const world = new SteeringWorld()
    const full: number[] = []
    fleet.forEach((pilot, i) => {
      world.add(pilot)
      pilot.addEventListener('arrive', () => full.push(i))
    })
    for (let i = 0; i < 60 * 120 && full.length < 2; i++) {
      world.step(1 / 60)
      tanker.position.x += 0.5
      expect(apart(fleet[0]!.position, fleet[1]!.position)).toBeGreaterThan(4)
      // the receiver that has enough leaves
      if (refuel.contactTime > 2)
        fleet[full[0]!]!.behavior = { steer: (_, __, out) => void (out.force.y = -40) }
    }
    expect(new Set(full).size).toBe(2)
    expect(norm(fleet[1]!.velocity)).toBeGreaterThan(20)
  })

  it('refuses a precontact at the contact', () => {
    expect(() => new Refuel({ target: straight(), offset: ZERO, precontact: ZERO })).toThrow(
      /Refuel\.precontact/,
    )
  })
})
