import RAPIER from '@dimforge/rapier3d-compat'
import { beforeAll, describe, expect, it } from 'vitest'
import { Hover, Walker, Wheels } from 'three-steering'
import { car } from 'three-steering/vehicles'
import { drive, type Engine, type Ground, type Vehicle } from '../support/ground.js'

// The ground is one of the obstacles of a physics world, and the ball of an agent reaches into it: the agent
// counted as inside of an obstacle, and drove straight on for ever: 191, 156 and 194 m in place of 30. A
// character on a slope of 6° stood still for ever.

const LEVEL: Ground = { height: () => 0, pieces: [{ form: [200, 1, 200], at: { x: 0, y: -1, z: 0 } }] }
const box = [0.45, 0.25, 1] as const
const push = { maxSpeed: 10, maxForce: 400 }
const WHEELS: Vehicle = { box, options: () => ({ ...push, locomotion: new Wheels({ wheelbase: 1.4 }) }) }
const WALKER: Vehicle = { box, options: () => ({ ...push, locomotion: new Walker() }) }
const HOVER: Vehicle = {
  box,
  options: () => ({ ...push, locomotion: new Hover(), plane: { x: 0, y: 1, z: 0 } }),
}

beforeAll(() => RAPIER.init())

describe('an agent on the ground that is one of its obstacles', () => {
  it.each<[string, Engine, Vehicle]>([
    ['a car', 'cannon', WHEELS],
    ['a car', 'Rapier', WHEELS],
    ['a walker', 'cannon', WALKER],
    ['a walker', 'Rapier', WALKER],
    ['a hovercraft', 'cannon', HOVER],
    ['a hovercraft', 'Rapier', HOVER],
  ])('%s arrives on %s', (_, engine, vehicle) => {
    expect(drive(engine, vehicle, LEVEL, { x: 30, z: 10 }).time).toBeLessThan(5.5)
  })

  it('the preset of a car arrives on a plane', () => {
    const { plane: _, ...options } = car()
    const taxi: Vehicle = { box: [0.9, 0.5, 2], mass: 1200, options: () => options }
    const ground: Ground = { height: () => 0, pieces: [{ form: 'plane' }] }
    expect(drive('cannon', taxi, ground, { x: 30, z: 10 }).time).toBeLessThan(6)
  })

  it('a character arrives on a slope of 6°', () => {
    const tilt = 0.1
    const slope: Ground = {
      height: (x) => x * Math.tan(tilt),
      pieces: [{ form: [60, 0.5, 60], at: { x: Math.sin(tilt) / 2, y: -Math.cos(tilt) / 2, z: 0 }, tilt }],
    }
    const person: Vehicle = {
      capsule: [0.6, 0.3],
      options: () => ({ locomotion: new Walker(), maxSpeed: 3, maxForce: 350 }),
    }
    expect(drive('Rapier', person, slope, { x: 30, z: 10 }).time).toBeLessThan(12)
  })
})
