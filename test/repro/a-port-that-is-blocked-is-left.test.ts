import { expect, it } from 'vitest'
import { SteeringController, SteeringWorld, Thrusters, type Behavior } from 'three-steering'
import { Dock, Port, Undock } from 'three-steering/docking'
import { v } from '../support/geometry.js'
import { DOCKER, station } from '../support/pilot.js'

// A ship that could not leave its port kept it, and those that waited for it waited for ever: they moved to
// another port only where nobody was, and nothing was told.

const BLOCKED = 'the port is blocked: the agent that has it cannot go on'

/** One ship each 10 s that docks, unloads for 3 s and leaves; the first has lost engines by then. */
function fly(ports: readonly number[], ships: number, seconds: number) {
  const world = new SteeringWorld({ seed: 3 })
  const carrier = station()
  const list = ports.map((z) => new Port({ carrier, position: v(5, 0, z), outward: v(1, 0, 0) }))
  const docked: number[] = []
  const told: string[][] = []
  const departures: { readonly at: number; readonly go: () => void }[] = []
  const enter = (k: number): void => {
    const ship = new SteeringController(null, {
      ...DOCKER,
      position: v(40 + 2 * k, 60 * (k % 2), 6 * k),
      locomotion: new Thrusters({ ahead: 30, astern: 15, up: 15, down: 15, port: 15, starboard: 15 }),
      behavior: new Dock({ ports: list }),
      seed: k + 1,
    })
    world.add(ship)
    told[k] = []
    ship.addEventListener('cannot', ({ reason }) => told[k]!.push(reason))
    const leave = (): Behavior => new Undock({ port: list.find(({ holder }) => holder === ship.id)! })
    ship.addEventListener('stage', ({ stage }) => {
      if (stage === 'free') departures.push({ at: world.time, go: () => void world.remove(ship) })
      if (stage !== 'latched') return
      docked.push(k)
      const isLame = docked.length === 1
      const go = (): void => {
        if (isLame)
          ship.locomotion = new Thrusters({ ahead: 30, astern: 0, up: 0, down: 0, port: 0, starboard: 0 })
        ship.behavior = leave()
      }
      departures.push({ at: world.time + 3, go })
    })
  }
  while (world.time < seconds) {
    if (told.length < ships && world.time >= 10 * told.length) enter(told.length)
    world.step(1 / 60)
    while (departures.length > 0 && departures[0]!.at <= world.time) departures.shift()!.go()
  }
  return { docked, told }
}

it('those that wait for it are told so once, and wait', () => {
  const { docked, told } = fly([0], 3, 60)
  expect(docked).toEqual([0])
  expect(told).toEqual([['no engine pushes the agent out of the corridor'], [BLOCKED], [BLOCKED]])
})

it('those that wait for it go to the queue of another port at once', () => {
  const { docked, told } = fly([0, 12], 9, 190)
  expect(docked.slice(0, 5)).toEqual([0, 1, 2, 3, 4])
  expect(told.flat()).toEqual(['no engine pushes the agent out of the corridor'])
})
