import RAPIER from '@dimforge/rapier3d-compat'
import * as CANNON from 'cannon-es'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  Arrive,
  Evade,
  Flock,
  Interpose,
  modes,
  priority,
  Pursue,
  Seek,
  Sight,
  SteeringController,
  SteeringWorld,
  Stick,
  within,
  type Behavior,
} from 'three-steering'
import type { MovingFrame } from 'three-steering/authoring'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { Dock, Port } from 'three-steering/docking'
import { Formation, KeepSlot, linePattern } from 'three-steering/formation'
import { rapierDoor } from 'three-steering/rapier'
import { norm, v } from '../support/geometry.js'
import { idle, pilot } from '../support/pilot.js'
import { BEHAVIORS, randomScene, type Scene, type SceneObject } from './kit.js'

/**
 * A target that is gone is no target: a behaviour that has one asks for nothing, emits that once, and goes on
 * when the target is back.
 */

const DT = 1 / 60
beforeAll(() => RAPIER.init())

describe('every behaviour of the kit that has a target', () => {
  // these go on without it; their tests are below, or those of their parts
  const others = /^(Sight|Stick|SlowInCrowd|Pipeline)/
  it.each(Object.entries(BEHAVIORS).filter(([name, make]) => !others.test(name) && hasTarget(make)))(
    '%s',
    (_name, make) => {
      const scene = randomScene(7)
      const target = mortal(scene.target)
      const world = new SteeringWorld()
      const one = pilot(make({ ...scene, target }), { ...scene.self })
      world.add(one)
      for (const { position } of scene.others) world.add(pilot(idle(), { position }))
      const told = goneEvents(one)
      const steps = (): number[] =>
        [0, 0, 0].map(() => (world.step(DT), norm(one.demand.force) + norm(one.demand.torque)))
      for (let time = 1; time <= 2; time++) {
        steps()
        target.there = false
        expect(steps()).toEqual([0, 0, 0])
        expect(told).toHaveLength(time)
        target.there = true
      }
    },
  )
})

type Mortal = SceneObject & { there: boolean; isThere(): boolean }

function mortal(thing: SceneObject): Mortal {
  return Object.assign(Object.create(thing) as Mortal, {
    there: true,
    isThere(this: Mortal) {
      return this.there
    },
  })
}

/** Whether it is a behaviour without parts that asks whether its target is there. */
function hasTarget(make: (scene: Scene) => Behavior): boolean {
  const scene = randomScene(7)
  let asked = false
  const isThere = (): boolean => (asked = true)
  const behavior = make({ ...scene, target: Object.assign(mortal(scene.target), { isThere }) })
  if ((behavior.children?.length ?? 0) > 0) return false
  const world = new SteeringWorld()
  world.add(pilot(behavior, { ...scene.self }))
  world.step(DT)
  return asked
}

/** The reasons of `cannot` because something is gone, as they come. */
function goneEvents(one: SteeringController): string[] {
  const told: string[] = []
  one.addEventListener('cannot', ({ reason }) => {
    if (reason.endsWith('is gone')) told.push(reason)
  })
  return told
}

interface Prey {
  readonly target: MovingFrame
  readonly step: () => void
  readonly leave: () => void
  readonly comeBack?: () => void
}

/** Targets that move by 2 m/s along x, and leave. */
const PREYS: Record<string, (steering: SteeringWorld) => Prey> = {
  'a controller that is removed': (steering) => {
    const target = pilot(idle(), { velocity: v(2, 0, 0) })
    steering.add(target)
    return {
      target,
      step: () => steering.step(DT),
      leave: () => steering.remove(target),
      comeBack: () => steering.add(target),
    }
  },
  'a controller that is disposed': (steering) => {
    const target = pilot(idle(), { velocity: v(2, 0, 0) })
    steering.add(target)
    return { target, step: () => steering.step(DT), leave: () => target.dispose() }
  },
  'a controller of another world': (steering) => {
    const elsewhere = new SteeringWorld()
    const target = pilot(idle(), { velocity: v(2, 0, 0) })
    elsewhere.add(target)
    const step = (): void => {
      elsewhere.step(DT)
      steering.step(DT)
    }
    return { target, step, leave: () => elsewhere.remove(target), comeBack: () => elsewhere.add(target) }
  },
  'a member of a flock': (steering) => {
    const flock = new Flock({
      count: 3,
      behavior: idle(),
      maxSpeed: 5,
      maxForce: 5,
      spawn: (_i, { velocity }) => void (velocity.x = 2),
    })
    steering.add(flock)
    const target = flock.member(2)
    return {
      target,
      step: () => steering.step(DT),
      leave: () => flock.remove(0),
      comeBack: () => flock.add(1),
    }
  },
  'a body of cannon-es': (steering) => {
    const world = new CANNON.World()
    attachToCannon(steering, world)
    const target = new CANNON.Body({ mass: 1, velocity: new CANNON.Vec3(2, 0, 0), linearDamping: 0 })
    world.addBody(target)
    return {
      target,
      step: () => world.step(DT),
      leave: () => world.removeBody(target),
      comeBack: () => world.addBody(target),
    }
  },
  'a body of Rapier that is removed': (steering) => {
    const world = new RAPIER.World(v(0, 0, 0))
    const door = rapierDoor(steering, world)
    const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setLinvel(2, 0, 0))
    world.createCollider(RAPIER.ColliderDesc.ball(1), body)
    return { target: door.frame(body), step: () => door.step(), leave: () => world.removeRigidBody(body) }
  },
  'a body of Rapier that is switched off': (steering) => {
    const world = new RAPIER.World(v(0, 0, 0))
    const door = rapierDoor(steering, world)
    const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setLinvel(2, 0, 0))
    world.createCollider(RAPIER.ColliderDesc.ball(1), body)
    return {
      target: door.frame(body),
      step: () => door.step(),
      leave: () => body.setEnabled(false),
      comeBack: () => body.setEnabled(true),
    }
  },
}

describe.each(Object.entries(PREYS))('%s', (_name, make) => {
  const hunt = (behaviorOf: (target: MovingFrame) => Behavior) => {
    const steering = new SteeringWorld()
    const prey = make(steering)
    const hunter = pilot(behaviorOf(prey.target), { position: v(0, 0, 30), maxForce: 20 })
    steering.add(hunter)
    const told = goneEvents(hunter)
    const steps = (count: number): number => {
      for (let i = 0; i < count; i++) prey.step()
      return norm(hunter.demand.force)
    }
    return { ...prey, hunter, told, steps }
  }

  it('is not fled from or pursued when it is gone, and it is again when it is back', () => {
    for (const behaviorOf of [
      (target: MovingFrame) => new Evade({ target }),
      (target: MovingFrame) => new Pursue({ target }),
    ]) {
      const { comeBack, leave, steps, told } = hunt(behaviorOf)
      expect(steps(5)).toBeGreaterThan(1)
      leave()
      expect(steps(2)).toBe(0)
      expect(steps(60)).toBe(0)
      expect(told).toEqual(['the target is gone'])
      if (comeBack === undefined) continue
      comeBack()
      expect(steps(3)).toBeGreaterThan(1)
      leave()
      expect(steps(2)).toBe(0)
      expect(told).toHaveLength(2)
    }
  })

  it('the next part of a tree gets its turn', () => {
    const home = v(0, 0, 60)
    const trees: ((target: MovingFrame) => Behavior)[] = [
      (target) => priority([new Pursue({ target }), new Arrive({ target: home })]),
      (target) => within([], [new Pursue({ target }), new Arrive({ target: home })]),
    ]
    for (const tree of trees) {
      const { hunter, leave, steps } = hunt(tree)
      steps(5)
      leave()
      steps(15 / DT)
      expect(norm({ x: hunter.position.x, y: hunter.position.y, z: hunter.position.z - 60 })).toBeLessThan(
        0.5,
      )
    }
  })

  it('the event switches modes', () => {
    const tree = { current: null as ReturnType<typeof modes<'chase' | 'home'>> | null }
    const { hunter, leave, steps } = hunt((target) => {
      tree.current = modes({ chase: new Pursue({ target }), home: new Arrive({ target: v(0, 0, 60) }) })
      return tree.current
    })
    hunter.addEventListener('cannot', () => (tree.current!.current = 'home'))
    steps(5)
    leave()
    steps(15 / DT)
    expect(hunter.position.z).toBeCloseTo(60, 0)
  })
})

describe('what goes on without its target', () => {
  const target = () =>
    mortal({
      ...randomScene(1).target,
      position: v(0, 0, 10),
      velocity: v(0, 0, 1),
      angularVelocity: v(0, 0, 0),
    })

  it('Sight remembers it, and forgets it', () => {
    const prey = target()
    const sight = new Sight({ target: prey, memoryTime: 1 })
    const one = pilot(sight)
    const world = new SteeringWorld()
    world.add(one)
    const stages: string[] = []
    one.addEventListener('stage', ({ stage }) => stages.push(stage))
    world.step(DT)
    prey.there = false
    for (let i = 0; i < 90; i++) world.step(DT)
    expect(stages).toEqual(['seen', 'remembered', 'forgotten'])
    expect(sight.stageOf(one)).toBe('forgotten')
  })

  it('Stick flies by its stick alone', () => {
    const prey = target()
    const stick = new Stick({ target: prey, killDrift: true })
    stick.ahead = 1
    const one = pilot(stick)
    const world = new SteeringWorld()
    world.add(one)
    prey.there = false
    for (let i = 0; i < 300; i++) world.step(DT)
    expect(norm(one.velocity)).toBeCloseTo(10, 1)
  })

  it('Interpose needs both of its targets', () => {
    const [first, second] = [target(), target()]
    const one = pilot(new Interpose({ targets: [first, second] }), { position: v(9, 0, 0) })
    const world = new SteeringWorld()
    world.add(one)
    for (const each of [first, second]) {
      each.there = false
      world.step(DT)
      expect(norm(one.demand.force)).toBe(0)
      each.there = true
      world.step(DT)
      expect(norm(one.demand.force)).toBeGreaterThan(0)
    }
  })

  it('a ship whose port goes takes another one, and waits where there is none', () => {
    const stations = [target(), target()]
    stations[1]!.position.x = 60
    const ports = stations.map((carrier) => new Port({ carrier, position: v(3, 0, 0), outward: v(1, 0, 0) }))
    const one = pilot(new Dock({ ports }), { position: v(0, 0, 40), maxForce: 20 })
    const world = new SteeringWorld()
    world.add(one)
    const told = goneEvents(one)
    const stages: string[] = []
    one.addEventListener('stage', ({ stage }) => stages.push(stage))
    for (let i = 0; i < 60; i++) world.step(DT)
    expect(ports.map(({ holder }) => holder)).toEqual([one.id, -1])
    stations[0]!.there = false
    for (let i = 0; i < 60; i++) world.step(DT)
    expect(ports.map(({ holder }) => holder)).toEqual([-1, one.id])
    expect(told).toEqual([])
    stations[1]!.there = false
    world.step(DT)
    expect(norm(one.demand.force)).toBe(0)
    expect(told).toEqual(['the carrier of the port is gone'])
    stations[1]!.there = true
    for (let i = 0; i < 60 / DT && stages.at(-1) !== 'latched'; i++) {
      world.step(DT)
      stations[1]!.position.z += DT
    }
    expect(stages.at(-1)).toBe('latched')
  })

  it('a wing whose leader goes waits for it, or does what comes next, and follows it again', () => {
    const world = new SteeringWorld()
    const leader = pilot(idle(), { velocity: v(3, 0, 0) })
    const formation = new Formation({ leader, pattern: linePattern, spacing: 6 })
    const wing = [1, 2].map((k) =>
      pilot(priority([new KeepSlot({ formation }), new Seek({ target: v(0, 900, 0) })]), {
        position: v(-3, 0, 4 * k),
      }),
    )
    for (const each of [leader, ...wing]) world.add(each)
    const told = goneEvents(wing[0]!)
    for (let i = 0; i < 300; i++) world.step(DT)
    world.remove(leader)
    for (let i = 0; i < 60; i++) world.step(DT)
    for (const { velocity } of wing) expect(velocity.y).toBeGreaterThan(5)
    expect(told).toEqual(['the leader of the formation is gone'])
    world.add(leader)
    for (let i = 0; i < 900; i++) world.step(DT)
    for (const { velocity } of wing) expect(velocity.x).toBeCloseTo(3, 1)
  })
})

it('a controller whose body is removed is gone; one that was never in a world is there', () => {
  const world = new CANNON.World()
  const steering = new SteeringWorld()
  attachToCannon(steering, world)
  const body = new CANNON.Body({ mass: 1, shape: new CANNON.Sphere(1) })
  world.addBody(body)
  const prey = pilot(idle(), { body: cannonBody(body) })
  const mark = pilot(idle(), { position: v(0, 50, 0) })
  const one = pilot(priority([new Seek({ target: prey }), new Seek({ target: mark })]), {
    position: v(40, 0, 0),
  })
  steering.add(prey).add(one)
  world.step(DT)
  expect(one.demand.force.x).toBeLessThan(-1)
  world.removeBody(body)
  world.step(DT)
  expect(one.demand.force.y).toBeGreaterThan(1)
  world.addBody(body)
  world.step(DT)
  expect(one.demand.force.x).toBeLessThan(-1)
})
