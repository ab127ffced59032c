import { describe, expect, it } from 'vitest'
import { type Locomotion, SteeringController, SteeringWorld, Walker, Wheels, within } from 'three-steering'
import { BEHAVIORS, oneStep, randomScene } from './kit.js'
import { idle } from '../support/pilot.js'
import { pick } from '../support/tier.js'

const SCENES = pick(4, 20, 60)
const DT = 1 / 60
const UP = { x: 0, y: 1, z: 0 }

/** Stands when nothing is asked of it, and notes what is. */
class Listener implements Locomotion {
  readonly standsIdle = true
  isAsked = false
  wanted = { x: 0, y: 0, z: 0 }
  forceAlong: Locomotion['forceAlong'] = ({ maxForce }) => maxForce
  actuate: Locomotion['actuate'] = (agent, { force }) => {
    const k = Math.max(agent.responseTime, DT) / agent.mass
    const { velocity: v } = agent
    this.wanted = { x: v.x + force.x * k, y: v.y + force.y * k, z: v.z + force.z * k }
    // a change that is more than rounding
    const change = k * Math.hypot(force.x, force.y, force.z)
    this.isAsked = agent.asks === true || change > 1e-9 * (1 + agent.speed)
  }
}

/**
 * They only keep off, where nothing is in the way; or they see no neighbour any more, at another course. Then
 * they ask for nothing.
 */
const KEEP_OFF = /^(Avoid|ClassicAvoidance|Contain|Queue|ReciprocalAvoidance|Separation)|^Alignment, unit$/

describe('nothing is asked of an agent', () => {
  // A behaviour whose force is zero since the agent has the wanted velocity would be braked on feet.
  it.each(Object.keys(BEHAVIORS).filter((name) => !KEEP_OFF.test(name)))(
    'but not while it has the velocity that %s wants',
    (name) => {
      const silent: number[] = []
      for (let seed = 1; seed <= SCENES; seed++) {
        const scene = randomScene(seed)
        const locomotion = new Listener()
        oneStep(scene, BEHAVIORS[name]!(scene), locomotion, DT)
        if (!locomotion.isAsked) continue
        for (let i = 0; i < 4 && locomotion.isAsked; i++) {
          Object.assign(scene.self.velocity, locomotion.wanted)
          oneStep(scene, BEHAVIORS[name]!(scene), locomotion, DT)
        }
        if (!locomotion.isAsked) silent.push(seed)
      }
      expect(silent).toEqual([])
    },
  )

  const vehicles = { Walker: () => new Walker(), Wheels: () => new Wheels({ wheelbase: 2 }) }
  it.each(Object.entries(vehicles))(
    '%s then stops alike at every step, within its force',
    (_name, vehicle) => {
      const ways = [30, 60, 144, 240].map((rate) => {
        const world = new SteeringWorld()
        const agent = new SteeringController(null, {
          velocity: { x: 4, y: 0, z: 0 },
          forward: { x: 1, y: 0, z: 0 },
          plane: UP,
          mass: 3,
          maxSpeed: 5,
          maxForce: 30,
          locomotion: vehicle(),
          behavior: within([], idle()),
        })
        world.add(agent)
        for (let i = 0; i < 3 * rate; i++) {
          world.step(1 / rate)
          expect(Math.abs(agent.force.x)).toBeLessThanOrEqual(30)
        }
        expect(Math.abs(agent.velocity.x)).toBeLessThan(1e-9)
        return agent.position.x
      })
      // brakes of 10 m/s², and a tenth of a second until they act in full
      for (const way of ways) expect(way).toBeGreaterThan(0.8)
      for (const way of ways) expect(way).toBeLessThan(1.3)
      expect(Math.max(...ways) - Math.min(...ways)).toBeLessThan(0.1)
    },
  )
})
