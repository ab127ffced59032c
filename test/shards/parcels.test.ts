import { describe, expect, it } from 'vitest'
import {
  Arrive,
  Flock,
  FollowPath,
  Path,
  Seek,
  SteeringController,
  SteeringWorld,
  Thrusters,
  Wander,
  type ControllerOptions,
} from 'three-steering'
import { GateRun } from 'three-steering/racing'
import { Formation, KeepSlot } from 'three-steering/formation'
import { seeded } from 'three-steering/authoring'
import { addGhost, exportAgent, importAgent, withoutGhosts, type Parcel } from 'three-steering/shards'
import { restoreSnapshot, takeSnapshot } from 'three-steering/snapshot'
import { bitsOf } from '../laws/kit.js'
import { pick } from '../support/tier.js'

const DT = 1 / 60
const TRAITS = { maxSpeed: 8, maxForce: 20 }
const GOAL = { x: 9, y: 3, z: -4 }

function agentOf(options: Partial<ControllerOptions> = {}): SteeringController {
  return new SteeringController(null, {
    ...TRAITS,
    behavior: new Arrive({ target: GOAL }),
    seed: 5,
    ...options,
  })
}

/** A world with one agent on its way. */
function underWay(options?: Partial<ControllerOptions>): { world: SteeringWorld; agent: SteeringController } {
  const world = new SteeringWorld({ seed: 2 })
  const agent = agentOf(options)
  world.add(agent)
  for (let i = 0; i < 20; i++) world.step(DT)
  return { world, agent }
}

const json = (parcel: Parcel): Parcel => JSON.parse(JSON.stringify(parcel)) as Parcel

describe('an agent is refused', () => {
  const there = (): SteeringWorld => new SteeringWorld({ seed: 2 })
  const parcel = (): Parcel => {
    const { world, agent } = underWay()
    return json(exportAgent(world, agent))
  }

  it('in a world with other settings', () => {
    expect(() => importAgent(new SteeringWorld({ seed: 3 }), parcel(), agentOf())).toThrow(
      /settings of its world: got seed 2, .* must be seed 3/,
    )
  })

  it('for another behaviour, and another locomotion', () => {
    const other = agentOf({ behavior: new Seek({ target: GOAL }) })
    expect(() => importAgent(there(), parcel(), other)).toThrow(
      'its behaviour: got Arrive in the parcel, must be Seek',
    )
    const ship = agentOf({ locomotion: new Thrusters({ ahead: 20 }) })
    expect(() => importAgent(there(), parcel(), ship)).toThrow('its locomotion: got Hover')
  })

  it('as a controller that is in a world, or a flock that is in none', () => {
    const world = there()
    const agent = agentOf()
    world.add(agent)
    expect(() => importAgent(world, parcel(), agent)).toThrow('is in a world already')
    const flock = new Flock({ ...TRAITS, count: 1, behavior: new Arrive({ target: GOAL }) })
    expect(() => importAgent(world, parcel(), flock)).toThrow('is not in this world')
  })

  it('when it is not in the world, or belongs to a formation', () => {
    const { world } = underWay()
    expect(() => exportAgent(world, agentOf())).toThrow('must be in this world')
    const formation = new Formation({ spacing: 3 })
    const member = underWay({ behavior: new KeepSlot({ formation }) })
    expect(() => exportAgent(member.world, member.agent)).toThrow(
      /with a KeepSlot, whose \w+ belongs to its world/,
    )
  })

  it('inside a step', () => {
    const { world, agent } = underWay()
    let message = ''
    agent.behavior = {
      steer: () => {
        try {
          exportAgent(world, agent)
        } catch (error) {
          message = String(error)
        }
      },
    }
    world.step(DT)
    expect(message).toContain('inside a step')
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'parcel'],
    ['another object', { format: 'three-steering' }],
    ['another version', { format: 'three-steering agent', version: 2 }],
  ])('%s is no parcel', (_, value) => {
    expect(() => importAgent(there(), value as Parcel, agentOf())).toThrow(/^importAgent: (parcel: )?got/)
  })
})

it('data of a stranger is refused by a RangeError or a TypeError, or flies; and leaves the world as it was', () => {
  const random = seeded(8)
  const path = new Path({ points: [GOAL, { x: 0, y: 9, z: 30 }, { x: -30, y: 0, z: 0 }] })
  const behaviors = [() => new Wander(), () => new Arrive({ target: GOAL }), () => new FollowPath({ path })]
  const junk: unknown[] = [NaN, -1, 1e300, '', 'x'.repeat(2000), null, [], {}, [1, 2], -0, 2 ** 31, true]
  let refused = 0
  for (let i = 0; i < pick(30, 600, 6000); i++) {
    const behavior = behaviors[i % behaviors.length]!
    const { world, agent } = underWay({ behavior: behavior() })
    const parcel = json(exportAgent(world, agent)) as unknown as Record<string, unknown>
    const keys = Object.keys(parcel)
    const key = keys[Math.floor(random() * keys.length)]!
    const text = parcel[key]
    if (typeof text === 'string' && text.length > 4 && random() < 0.6) {
      const at = Math.floor(random() * text.length)
      parcel[key] = text.slice(0, at) + 'AQz/'[Math.floor(4 * random())]! + text.slice(at + 1)
    } else parcel[key] = junk[Math.floor(random() * junk.length)]
    const there = underWay({ behavior: behavior() })
    const still = underWay({ behavior: behavior() })
    const newcomer = agentOf({ behavior: behavior() })
    try {
      importAgent(there.world, parcel as unknown as Parcel, newcomer)
      for (let k = 0; k < 3; k++) there.world.step(DT)
      expect(Number.isFinite(newcomer.position.x + newcomer.velocity.x)).toBe(true)
    } catch (error) {
      refused++
      expect(error).toSatisfy((each) => each instanceof RangeError || each instanceof TypeError)
      expect(String(error)).toContain('importAgent')
      expect(there.world.size).toBe(1)
      expect(newcomer.active).toBe(false)
      // the next agent gets the same id
      for (const { world } of [there, still]) {
        world.add(agentOf({ behavior: behavior(), seed: 77 }))
        for (let k = 0; k < 3; k++) world.step(DT)
      }
      expect(bitsOf([there.agent])).toEqual(bitsOf([still.agent]))
    }
  }
  expect(refused).toBeGreaterThan(15)
})

it('a controller whose parcel is refused keeps its own motion and limits', () => {
  const gate = (z: number): GateRun['gates'][number] => ({
    position: { x: 0, y: 0, z },
    heading: { x: 0, y: 0, z: 1 },
    radius: 3,
  })
  const run = (...stations: number[]): GateRun =>
    new GateRun({ gates: stations.map(gate), ends: 'open', behavior: new Seek({ target: GOAL }) })
  const here = underWay({ behavior: run(9, 18) })
  const there = new SteeringWorld({ seed: 2 })
  const newcomer = agentOf({ behavior: run(9, 18, 27), position: GOAL, maxSpeed: 3 })
  const before = bitsOf([newcomer])
  const parcel = json(exportAgent(here.world, here.agent))
  expect(() => importAgent(there, parcel, newcomer)).toThrow('another number of gates, must be 3')
  expect(bitsOf([newcomer])).toEqual(before)
  expect(newcomer.maxSpeed).toBe(3)
  there.add(newcomer)
  there.step(DT)
  expect(there.size).toBe(1)
})

it('a member of a flock moves to a flock of another world', () => {
  const make = (count: number): { world: SteeringWorld; flock: Flock } => {
    const world = new SteeringWorld({ seed: 4 })
    const flock = new Flock({ ...TRAITS, count, behavior: new Wander(), seed: 50 })
    world.add(flock)
    return { world, flock }
  }
  const whole = make(3)
  const here = make(3)
  const there = make(0)
  for (let i = 0; i < 30; i++) for (const { world } of [whole, here, there]) world.step(DT)
  importAgent(there.world, json(exportAgent(here.world, here.flock, { index: 1 })), there.flock)
  here.flock.remove(1)
  for (let i = 0; i < 30; i++) for (const { world } of [whole, here, there]) world.step(DT)
  const place = ({ flock }: typeof here, index: number): unknown =>
    flock.position(index, { x: 0, y: 0, z: 0 })
  expect(place(there, 0)).toEqual(place(whole, 1))
  // the last member has taken the index of the one that left
  expect([place(here, 0), place(here, 1)]).toEqual([place(whole, 0), place(whole, 2)])
})

it('an own path goes with its agent, by name or as a copy', () => {
  const common = new Path({
    points: [
      { x: 0, y: 0, z: 0 },
      { x: 0, y: 0, z: 50 },
    ],
  })
  const own = new Path({
    points: [
      { x: 0, y: 0, z: 0 },
      { x: 50, y: 0, z: 0 },
    ],
  })
  const here = underWay({ behavior: new FollowPath({ path: common }) })
  const follow = here.agent.behavior as FollowPath
  follow.setPathOf(here.agent, own)
  for (let i = 0; i < 20; i++) here.world.step(DT)
  const names = { references: { own } }
  for (const references of [names, undefined]) {
    const parcel = json(exportAgent(here.world, here.agent, references))
    const there = new SteeringWorld({ seed: 2 })
    const behavior = new FollowPath({ path: common })
    const agent = agentOf({ behavior })
    importAgent(there, parcel, agent, references)
    expect(behavior.pathOf(agent) === own).toBe(references !== undefined)
    expect(behavior.pathOf(agent)?.options).toEqual(own.options)
    expect(behavior.stationOf(agent)).toBe(follow.stationOf(here.agent))
  }
})

it('a snapshot without ghosts is restored where there are none, and the world goes on as before', () => {
  const make = (): { world: SteeringWorld; agent: SteeringController } => underWay({ behavior: new Wander() })
  const shard = make()
  const ghost = addGhost(shard.world, { seed: 9, position: { x: 3, y: 0, z: 0 } })
  expect(shard.world.size).toBe(2)
  const snapshot = withoutGhosts(shard.world, () => takeSnapshot(shard.world))
  expect(shard.world.size).toBe(2)
  const plain = make()
  restoreSnapshot(plain.world, snapshot)
  for (let i = 0; i < 10; i++) for (const { world } of [shard, plain]) world.step(DT)
  expect(bitsOf([plain.agent])).toEqual(bitsOf([shard.agent]))
  ghost.remove()
  ghost.remove()
  expect(shard.world.size).toBe(1)
})

it('a ghost moves only by set, and gets no force', () => {
  const world = new SteeringWorld({ gravity: { x: 0, y: -9.81, z: 0 } })
  const ghost = addGhost(world, { seed: 1, position: GOAL, velocity: { x: 1, y: 0, z: 0 } })
  for (let i = 0; i < 5; i++) world.step(DT)
  expect({ ...ghost.controller.position, x: ghost.controller.position.x }.x).toBe(GOAL.x)
  ghost.set({ x: 1, y: 2, z: 3 }, { x: 0, y: 0, z: 0 })
  world.step(DT)
  expect(ghost.controller.position.y).toBe(2)
  expect(() => ghost.set({ x: NaN, y: 0, z: 0 }, GOAL)).toThrow('set: position')
  expect(() => addGhost(world, { seed: 0.5 })).toThrow('addGhost: seed')
})
