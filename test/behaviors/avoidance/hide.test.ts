import { describe, expect, it } from 'vitest'
import {
  AvoidObstacles,
  BoxShape,
  HalfSpaceShape,
  Hide,
  HollowShape,
  Hover,
  Obstacle,
  Obstacles,
  SphereShape,
  SteeringController,
  SteeringWorld,
  within,
  type HideOptions,
  type SteeringController as Controller,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { trace } from 'three-steering/explain'
import { expectVec, minus, norm, plus, times, unit, v } from '../../support/geometry.js'
import { ask, pilot, xyz, type PilotOptions } from '../../support/pilot.js'
import { pick } from '../../support/tier.js'

const NONE = v(0, 0, 0)
const SEEKER = v(-20, 0, 0)

function rock(x: number, y: number, z: number, radius = 3): Obstacle {
  return new Obstacle({ shape: new SphereShape(radius), at: v(x, y, z) })
}

/** Position of an agent with this start after some seconds, and on its path. */
function hidden(
  options: Partial<HideOptions> & Pick<HideOptions, 'obstacles'>,
  start: PilotOptions,
  seconds = 10,
  see: (one: Controller, time: number) => void = () => {},
): Controller {
  const world = new SteeringWorld()
  const one = pilot(new Hide({ target: SEEKER, ...options }), { maxForce: 20, ...start })
  world.add(one)
  for (let i = 0; i < 60 * seconds; i++) {
    world.step(1 / 60)
    see(one, i / 60)
  }
  return one
}

describe('Hide', () => {
  it('hides straight above and below the seeker, too', () => {
    for (const y of [12, -12]) {
      const one = hidden({ obstacles: [rock(0, y, 0)], target: v(0, 0, 0) }, { position: v(6, 1.5 * y, 1) })
      expectVec(one.position, v(0, y + Math.sign(y) * 3.75, 0), 0.01)
    }
  })

  it('keeps its distance from the real surface of the cover', () => {
    const box = new Obstacle({ shape: new BoxShape(v(1, 5, 8)), at: v(10, 0, 0) })
    expectVec(hidden({ obstacles: [box] }, { position: v(15, 3, 0) }).position, v(11.75, 0, 0), 0.01)
  })

  it('takes the cover of least cost: near, not towards the seeker, behind a wide obstacle', () => {
    const at = (obstacles: readonly Obstacle[]): Vec3 => {
      const { force } = ask(new Hide({ target: SEEKER, obstacles }), {})
      return unit(force)
    }
    const towards = (from: Obstacle): Vec3 => {
      const line = unit(minus(from.position, SEEKER))
      return unit(plus(from.position, line, (from.shape as SphereShape).radius + 0.75))
    }
    const [near, far, ahead, thin] = [rock(0, 9, 0), rock(0, -14, 0), rock(-11, 6, 0, 2), rock(0, -8, 0, 0.4)]
    expectVec(at([near, far]), towards(near), 1e-9)
    expectVec(at([far, near]), towards(near), 1e-9)
    expectVec(at([near, ahead]), towards(near), 1e-9)
    expectVec(at([near, thin]), towards(near), 1e-9)
  })

  it('keeps its cover when another is a little better, but not when it is much better', () => {
    const [one, other] = [rock(0, 9, 0), rock(0, -9, 0)]
    const hide = new Hide({ target: SEEKER, obstacles: [one, other] })
    const world = new SteeringWorld()
    const body = pilot(hide, { position: v(0, 0.5, 0), maxForce: 20 })
    world.add(body)
    world.step(1 / 60)
    expect(body.force.y).toBeGreaterThan(0)
    const at = (y: number): number => {
      body.teleport({ position: v(0, y, 0), velocity: NONE })
      world.step(1 / 60)
      return body.force.y
    }
    expect(at(-0.5)).toBeGreaterThan(0)
    expect(at(-6)).toBeLessThan(0)
    expect(at(0.5)).toBeLessThan(0)
  })

  it('follows the shadow without lag as the seeker flies around', () => {
    const seeker = { position: v(-20, 0, 0), velocity: NONE }
    let worst = 0
    hidden(
      { target: seeker, obstacles: [rock(0, 0, 0)] },
      { position: v(3.75, 0, 0) },
      20,
      ({ position }, time) => {
        // 4 m/s on a circle of 20 m
        const angle = 0.2 * time
        seeker.position = v(-20 * Math.cos(angle), 0, -20 * Math.sin(angle))
        seeker.velocity = v(4 * Math.sin(angle), 0, -4 * Math.cos(angle))
        if (time > 2) worst = Math.max(worst, norm(minus(position, times(seeker.position, -3.75 / 20))))
      },
    )
    expect(worst).toBeLessThan(0.1)
  })

  it('stays behind the obstacle that hides it, and does not cross the open to another cover', () => {
    // a wall between them, and a rock nearer to the agent than the centre of the wall's shadow
    const wall = new Obstacle({ shape: new BoxShape(v(1, 20, 20)), at: v(0, 0, 0) })
    let seen = 0
    const obstacles = new Obstacles([wall, rock(20, 24, 0)])
    hidden({ obstacles }, { position: v(18, 14, 0) }, 10, ({ position }) => {
      if (obstacles.sees(SEEKER, position)) seen++
    })
    expect(seen).toBe(0)
  })

  it('evades without any cover', () => {
    const room = new Obstacle({ shape: new HollowShape(new SphereShape(100)) })
    const ground = new Obstacle({ shape: new HalfSpaceShape(), at: v(0, -50, 0) })
    for (const obstacles of [[], [room], [ground], [rock(-20, 0, 0)]])
      expectVec(ask(new Hide({ target: SEEKER, obstacles })).force, v(100, 0, 0), 1e-9)
    // out of range
    expectVec(
      ask(new Hide({ target: SEEKER, obstacles: [rock(0, 50, 0)], lookAhead: 20 })).force,
      v(100, 0, 0),
      1e-9,
    )
    // no cover behind it: another rock is there
    expectVec(
      ask(new Hide({ target: SEEKER, obstacles: [rock(5, 9, 0), rock(8, 11, 0)] })).force,
      v(1, 1, 0),
      200,
    )
    // the agent flees from the predicted position of a moving seeker
    const from = { position: SEEKER, velocity: v(0, 5, 0) }
    expect(ask(new Hide({ target: from, obstacles: [] })).force.y).toBeLessThan(-10)
  })

  it('evades in panic, until it is far enough away', () => {
    const hide = { obstacles: [rock(10, 0, 0)], panicDistance: 15 }
    expectVec(ask(new Hide({ target: SEEKER, ...hide })).force, v(100, 0, 0), 1e-9)
    expect(ask(new Hide({ target: v(-14, 1, 0), ...hide })).force.y).toBeLessThan(0)
    const close = v(-14, 0, 0)
    const distances: number[] = []
    const world = new SteeringWorld()
    const one = pilot(new Hide({ target: close, obstacles: [rock(-40, 3, 0)], panicDistance: 15 }))
    world.add(one)
    for (let i = 0; i < 240; i++) {
      world.step(1 / 60)
      distances.push(norm(minus(one.position, close)))
    }
    // in panic up to 1.25 times 15 m, then to its cover
    expect(Math.max(...distances)).toBeGreaterThan(18)
  })

  it('with `onlyIfSeen` hides only when it is seen, and for some time after', () => {
    const wall = new Obstacle({ shape: new BoxShape(v(1, 9, 9)), at: v(-10, 0, 0) })
    const obstacles = new Obstacles([wall, rock(10, 0, 0)])
    const seeker = { position: v(-20, 0, 0) }
    const world = new SteeringWorld()
    const one = pilot(new Hide({ target: seeker, obstacles, onlyIfSeen: true, memoryTime: 0.5 }), {
      maxForce: 1e-6,
    })
    world.add(one)
    const wants = (): boolean => {
      world.step(1 / 60)
      return norm(one.demand.force) > 0
    }
    expect(wants()).toBe(false)
    seeker.position.y = 40
    expect(wants()).toBe(true)
    seeker.position.y = 0
    let remembered = 0
    while (wants()) remembered++
    expect(remembered / 60).toBeCloseTo(0.5, 1)
    // without the option it hides in any case
    expect(norm(ask(new Hide({ target: seeker, obstacles })).force)).toBeGreaterThan(0)
  })

  it("does not hide behind the seeker's own hull, nor behind glass", () => {
    const seeker = { position: v(-20, 0, 0), velocity: v(0, 0, 0) }
    const hull = new Obstacle({ shape: new SphereShape(2), at: seeker })
    const glass = rock(-5, 0, 0)
    const obstacles = [hull, glass]
    const options = { target: seeker, obstacles, ignore: (each: Obstacle) => each === glass }
    expectVec(ask(new Hide(options)).force, v(100, 0, 0), 1e-9)
    // seen through the glass
    expectVec(ask(new Hide({ ...options, onlyIfSeen: true })).force, v(100, 0, 0), 1e-9)
  })

  it('leaves a cover that is removed', () => {
    const [one, other] = [rock(5, 8, 0), rock(5, -20, 0)]
    const obstacles = new Obstacles([one, other])
    const end = hidden({ obstacles }, {}, 12, (_, time) => {
      if (Math.abs(time - 3) < 1e-9) obstacles.remove(one)
    })
    expect(end.position.y).toBeLessThan(-15)
  })

  it('shares a cover with others, side by side and one behind the other', () => {
    const obstacles = new Obstacles([rock(0, 0, 0, 4)])
    const world = new SteeringWorld({ seed: 2 })
    const hide = new Hide({ target: SEEKER, obstacles })
    const random = seeded(4)
    const five = Array.from({ length: 5 }, (_, i) =>
      pilot(hide, {
        position: v(8 + 4 * random(), 8 * random() - 4, 8 * random() - 4),
        maxForce: 20,
        seed: i,
      }),
    )
    for (const each of five) world.add(each)
    for (let i = 0; i < 600; i++) world.step(1 / 60)
    for (const one of five) {
      expect(obstacles.sees(SEEKER, one.position)).toBe(false)
      expect(norm(one.velocity)).toBeLessThan(0.3)
      for (const other of five)
        if (other !== one) expect(norm(minus(one.position, other.position))).toBeGreaterThan(0.9)
    }
  })

  it('draws the line of sight and the line to its cover', () => {
    const layers: string[] = []
    const world = new SteeringWorld()
    world.add(pilot(new Hide({ target: SEEKER, obstacles: [rock(0, 9, 0)] })))
    world.step(1 / 60)
    trace(world, { line: (layer) => void layers.push(layer) })
    expect(layers).toContain('seen')
    expect(layers).toContain('cover')
  })
})

describe('a patrol among rocks', () => {
  interface Scene {
    readonly balls: Obstacles
    readonly way: readonly Vec3[]
    readonly start: Vec3
  }

  function scene(seed: number): Scene {
    const random = seeded(seed)
    const around = (): Vec3 => v(60 * random() - 30, 60 * random() - 30, 60 * random() - 30)
    const rocks: { at: Vec3Like; radius: number }[] = []
    while (rocks.length < 15) {
      const one = { at: around(), radius: 2 + 3 * random() }
      if (rocks.every(({ at, radius }) => norm(minus(at, one.at)) > radius + one.radius + 3)) rocks.push(one)
    }
    const balls = new Obstacles(rocks.map(({ at, radius }) => ({ shape: new SphereShape(radius), at })))
    let start = around()
    while (balls.distance(start, v(0, 0, 0)) < 1) start = around()
    return { balls, way: Array.from({ length: 6 }, around), start }
  }

  it.each(pick([30], [30, 60, 240]))('hardly ever sees an agent that hides, at 1/%i s', (rate) => {
    let seen = 0
    let late = 0
    let touched = 0
    let steps = 0
    for (let seed = 1; seed <= 4; seed++) {
      const { balls, way, start } = scene(seed)
      const seeker = { position: xyz(way[0]!), velocity: v(0, 0, 0) }
      const world = new SteeringWorld({ seed })
      const one = new SteeringController(null, {
        maxSpeed: 8,
        maxForce: 20,
        position: start,
        locomotion: new Hover({ attitude: null }),
        behavior: within(
          [new AvoidObstacles({ obstacles: balls })],
          new Hide({ target: seeker, obstacles: balls }),
        ),
      })
      world.add(one)
      const normal = v(0, 0, 0)
      let leg = 1
      for (let i = 0; i < 40 * rate; i++) {
        const left = minus(way[leg]!, seeker.position)
        if (norm(left) < 1) leg = (leg + 1) % way.length
        // as fast as the agent that hides
        seeker.velocity = times(unit(left), 8)
        seeker.position = plus(seeker.position, seeker.velocity, 1 / rate)
        world.step(1 / rate)
        const visible = balls.sees(seeker.position, one.position)
        if (visible) seen++
        if (visible && i > 10 * rate) late++
        if (balls.distance(one.position, normal) < 0.495) touched++
        steps++
      }
    }
    expect(touched).toBe(0)
    // all of it on the path to the first cover
    expect(seen / steps).toBeLessThan(0.08)
    expect(late / steps).toBeLessThan(0.01)
  })
})
