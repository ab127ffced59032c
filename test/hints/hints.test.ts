import * as CANNON from 'cannon-es'
import { InstancedMesh, Mesh, Object3D, PerspectiveCamera, Scene } from 'three'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  blend,
  Flock,
  Flocking,
  Hover,
  Seek,
  setHints,
  SphereShape,
  STARLINGS,
  SteeringController,
  SteeringWorld,
  Stop,
  Walker,
  Wander,
  within,
  type ControllerOptions,
  type FlockOptions,
  type Vec3Like,
  type Viewable,
} from 'three-steering'
import { cannonBody, obstaclesFromCannon } from 'three-steering/cannon'
import { Dock, Port } from 'three-steering/docking'
import { PoseBuffer, PoseCodec, PoseWriter } from 'three-steering/net'
import { addGhost } from 'three-steering/shards'
import { instancedView, objectView } from 'three-steering/three'
import * as hints from '../../src/core/hints/hints.js'
import * as noHints from '../../src/core/hints/no-hints.js'
import { expectConsole } from '../support/console.js'

const target = { x: 0, y: 0, z: 9 }
const agent = (more: Partial<ControllerOptions> = {}, view: Viewable | null = null): SteeringController =>
  new SteeringController(view, { maxSpeed: 5, maxForce: 10, behavior: new Seek({ target }), ...more })

/** What is written to the console meanwhile, without the name of the package. */
function told(act: () => void): string[] {
  const calls = expectConsole()
  const before = calls.length
  act()
  return calls.slice(before).map(({ text }) => text.replace(/^three-steering: /, ''))
}

afterEach(() => {
  setHints(true)
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('a filter of obstacles in its old form', () => {
  it('is named once, with the option that takes its place', () => {
    const filter = (body: CANNON.Body, usual: boolean) => usual || body.mass > 5
    const lines = told(() => {
      for (let i = 0; i < 2; i++) obstaclesFromCannon(new CANNON.World(), { filter: filter as () => boolean })
    })
    expect(lines).toEqual([
      'obstaclesFromCannon: filter gets no second argument: it only narrows the usual choice, (body) => …; what else shall be an obstacle, the option include lets in',
    ])
  })
})

describe('an option that no class has', () => {
  it.each<[string, () => unknown, string]>([
    [
      'letters swapped',
      () => new Arrive({ target, slowingDistacne: 3 } as never),
      "Arrive has no option 'slowingDistacne'; it has ",
    ],
    [
      'the name of another library',
      () => new Seek({ target, maxSpeed: 3 } as never),
      "Seek has no option 'maxSpeed'; did you mean 'speed'?",
    ],
    [
      'an option of the agent in British spelling',
      () => agent({ behaviour: new Wander(), fieldofview: 2 } as never),
      "SteeringController has no option 'behaviour'; did you mean 'behavior'?",
    ],
    [
      'of a flock',
      () =>
        new Flock({ count: 1, maxSpeed: 1, maxForce: 1, behavior: new Wander(), maxNeighbours: 7 } as never),
      "Flock has no option 'maxNeighbours'; did you mean 'maxNeighbors'?",
    ],
    [
      'of rules that are options themselves',
      () => new Flocking({ ...STARLINGS.flocking, seperation: { neighborDistance: 2 } } as never),
      "Flocking has no option 'seperation'; did you mean 'separation'?",
    ],
    [
      'of a world',
      () => new SteeringWorld({ fixedTimeStep: 0.01 } as never),
      "SteeringWorld has no option 'fixedTimeStep'; did you mean 'fixedStep'?",
    ],
    [
      'of a locomotion',
      () => new Hover({ attitude: null, roll: 'free' } as never),
      "Hover has no option 'roll'; it has attitude",
    ],
    [
      'of a ghost',
      () => addGhost(new SteeringWorld(), { seed: 1, positon: target } as never),
      "addGhost has no option 'positon'; did you mean 'position'?",
    ],
  ])('%s', (_, make, text) => {
    const lines = told(make)
    expect(lines[0]).toContain(text)
  })

  it.each<[string, () => unknown, string]>([
    [
      'a behaviour',
      () => new Seek({ taget: target } as never),
      "Seek has no option 'taget'; did you mean 'target'?",
    ],
  ])('is named before the constructor of %s misses a required one', (_, make, text) => {
    expect(told(() => expect(make).toThrow(TypeError))).toEqual([text])
  })

  it('is named in a part of a combination', () => {
    const lines = told(() => blend([{ behavior: new Wander(), wieght: 2 } as never, new Wander()]))
    expect(lines).toEqual(["blend.parts[0] has no option 'wieght'; did you mean 'weight'?"])
  })

  it('is said in one line of a thing that is no options object', () => {
    const lines = told(() => expect(() => new Seek(new Object3D() as never)).toThrow(TypeError))
    expect(lines).toEqual(['Seek got an instance of Object3D in place of { target, speed }'])
  })

  it('is named once', () => {
    const lines = told(() => {
      for (let i = 0; i < 3; i++) expect(new Seek({ target, hurry: 1 } as never).target).toBe(target)
    })
    expect(lines.length).toBe(1)
  })

  it('is not seen in an option that is undefined, and in the options of two tables', () => {
    const port = new Port({
      carrier: agent(),
      position: { x: 0, y: 0, z: 0 },
      outward: { x: 1, y: 0, z: 0 },
    })
    expect(
      told(() => {
        expect(new Seek({ target, hasty: undefined } as never).target).toBe(target)
        expect(new Dock({ port, axis: { x: 1, y: 0, z: 0 }, closingSpeed: 0.2 }).closingSpeed).toBe(0.2)
      }),
    ).toEqual([])
  })
})

describe('an event that nobody emits', () => {
  it.each<[string, () => unknown, string]>([
    ['arrived', () => agent().addEventListener('arrived' as never, () => {}), "did you mean 'arrive'?"],
    [
      'stepped',
      () => new SteeringWorld().addEventListener('stepped' as never, () => {}),
      'it has arrive, leave',
    ],
  ])('%s', (name, listen, cure) => {
    const [line] = told(() => void listen())
    expect(line).toContain(`has no event '${name}'; ${cure}`)
  })
})

describe('a mesh that shows an agent', () => {
  /** Flies for a while, with a change after a second. */
  function fly(
    change: (ship: Mesh, pilot: SteeringController) => void,
    before?: (ship: Mesh) => void,
  ): string[] {
    const ship = new Mesh()
    new Scene().add(ship)
    const pilot = new SteeringController(ship, { maxSpeed: 5, maxForce: 5, behavior: new Stop() })
    before?.(ship)
    const steering = new SteeringWorld()
    steering.add(pilot)
    return told(() => {
      for (let i = 0; i < 120; i++) {
        if (i === 60) change(ship, pilot)
        steering.advance(1 / 60)
      }
    })
  }
  const moved = [expect.stringContaining('the object that shows an agent was moved, and is put back')]

  it.each([
    ['is moved in flight', () => fly((ship) => void ship.position.set(50, 0, 0)), moved],
    [
      'is moved before the start',
      () =>
        fly(
          () => {},
          (ship) => void ship.position.set(0, 9, 0),
        ),
      moved,
    ],
    ['trembles', () => fly((ship) => void (ship.position.x += 0.1)), []],
    [
      'is moved with its agent',
      () => fly((_, pilot) => pilot.teleport({ position: { x: 50, y: 0, z: 0 } })),
      [],
    ],
  ])('%s', (_name, flown, lines) => expect(flown()).toEqual(lines))
})

describe('a world that does not do what it seems to', () => {
  it('is presented but never stepped', () => {
    const steering = new SteeringWorld()
    steering.add(agent())
    const lines = told(() => {
      for (let i = 0; i < 300; i++) steering.present()
    })
    expect(lines).toEqual([
      'present was called 120 times, but no step was made: call steering.advance(seconds) once per rendered frame, unless the game is paused',
    ])
  })

  it('is paused by advance(0), which is no mistake', () => {
    const steering = new SteeringWorld()
    steering.add(agent())
    const lines = told(() => {
      for (let i = 0; i < 300; i++) steering.advance(0)
      steering.advance(1 / 60)
    })
    expect(lines).toEqual([])
  })

  it('has a flock without members', () => {
    const flock = (): Flock => new Flock({ count: 0, maxSpeed: 5, maxForce: 5, behavior: new Stop() })
    const fly = (later: number): string[] => {
      const steering = new SteeringWorld()
      const birds = flock()
      steering.add(birds)
      return told(() => {
        for (let i = 0; i < 60; i++) steering.step(1 / 60)
        birds.add(later)
        for (let i = 0; i < 120; i++) steering.step(1 / 60)
      })
    }
    expect(fly(0)).toEqual([
      'a flock has no members: its option count is 0, and flock.add(count) was not called',
    ])
    expect(fly(3)).toEqual([])
  })

  it('is presented but never stepped, with a body', () => {
    const steering = new SteeringWorld()
    const body = new CANNON.Body({ mass: 1, shape: new CANNON.Sphere(1) })
    new CANNON.World().addBody(body)
    steering.add(agent({ body: cannonBody(body) }))
    const [line] = told(() => {
      for (let i = 0; i < 120; i++) steering.present()
    })
    expect(line).toContain('call attachToCannon(steering, world)')
  })

  it('has an agent whose body is in no physics world', () => {
    const steering = new SteeringWorld()
    const body = new CANNON.Body({ mass: 1, shape: new CANNON.Sphere(1) })
    steering.add(agent({ name: 'tug', body: cannonBody(body) }))
    const lines = told(() => {
      for (let i = 0; i < 400; i++) steering.step(1 / 60)
    })
    expect(lines).toEqual([
      "'tug' does not move, because its body is in no physics world: add the body to one",
    ])
  })

  it('has no agents, and a controller that was just made is in no world', () => {
    const steering = new SteeringWorld()
    const forgotten = agent()
    const lines = told(() => {
      for (let i = 0; i < 400; i++) steering.step(1 / 60)
    })
    expect(lines).toEqual([expect.stringContaining('add it by steering.add(controller)')])
    expect(forgotten.active).toBe(false)
  })

  it('has no agents, and a flock that was just made is in no world', () => {
    const steering = new SteeringWorld()
    const forgotten = new Flock({ count: 3, maxSpeed: 1, maxForce: 1, behavior: new Wander() })
    const lines = told(() => {
      for (let i = 0; i < 400; i++) steering.step(1 / 60)
    })
    expect(lines).toEqual([expect.stringContaining('add it by steering.add(flock)')])
    expect(forgotten.size).toBe(0)
  })

  it('has an agent that is too weak for its weight', () => {
    const steering = new SteeringWorld({ gravity: { x: 0, y: -9.81, z: 0 } })
    steering.add(agent({ name: 'drone', mass: 2, maxForce: 12, compensateGravity: true }))
    steering.add(agent({ name: 'able', mass: 1, maxForce: 12, compensateGravity: true }))
    const lines = told(() => {
      for (let i = 0; i < 5; i++) steering.step(1 / 60)
    })
    expect(lines).toEqual([
      expect.stringMatching(/^'drone' cannot rise: its maxForce of 12 N .* weight of 19.6 N/),
    ])
  })

  it('has an agent that holds its weight without knowing it', () => {
    const steering = new SteeringWorld({ gravity: { x: 0, y: -9.81, z: 0 } })
    const behavior = new Arrive({ target: { x: 3, y: 4, z: 5 } })
    const able = { behavior, mass: 2, maxForce: 50 }
    const idle = { steer() {} }
    const legs = { ...able, locomotion: new Walker({ heightAbove: ({ y }: Vec3Like) => y }) }
    const lines = told(() => {
      steering.add(agent({ name: 'walker', ...legs }))
      steering.add(agent({ name: 'knows', ...able, compensateGravity: true }))
      steering.add(agent({ name: 'stone', mass: 2, behavior: idle }))
      steering.add(agent({ name: 'drone', ...able })).add(agent({ name: 'other', ...able }))
      for (let i = 0; i < 400; i++) steering.step(1 / 60)
    })
    expect(lines).toEqual([
      expect.stringMatching(
        /^'drone' hovers below its goal, .* weight of 19.6 N: set compensateGravity: true/,
      ),
    ])
  })

  it('makes steps of milliseconds', () => {
    const steering = new SteeringWorld()
    steering.add(agent())
    const lines = told(() => {
      for (let i = 0; i < 5; i++) steering.step(16)
    })
    expect(lines).toEqual([expect.stringMatching(/^the steps last 16 s each: step\(seconds\) .* seconds/)])
  })

  it.each([
    ['is advanced, but nothing moves the bodies of its agents', false],
    ['is advanced, and a physics world moves the bodies of its agents', true],
  ])('%s', (_, isStepped) => {
    const steering = new SteeringWorld()
    const world = new CANNON.World()
    const body = new CANNON.Body({ mass: 1, shape: new CANNON.Sphere(1) })
    world.addBody(body)
    steering.add(agent({ name: 'drone', body: cannonBody(body) }))
    const lines = told(() => {
      for (let i = 0; i < 150; i++) {
        steering.step(1 / 60)
        if (isStepped) world.step(1 / 60)
      }
    })
    expect(lines).toEqual(
      isStepped
        ? []
        : [expect.stringMatching(/^'drone' does not move, .*: call attachToCannon\(steering, world\)/)],
    )
  })

  it('is advanced by milliseconds', () => {
    const steering = new SteeringWorld()
    steering.add(agent())
    expect(told(() => void steering.advance(40))).toEqual([])
    const lines = told(() => {
      steering.advance(0.016)
      for (let i = 0; i < 5; i++) steering.advance(16.7)
    })
    expect(lines).toEqual([expect.stringContaining('advance got 16.7 s, 3 times in a row: it takes seconds')])
  })

  it('is advanced by the time since the start, in milliseconds', () => {
    const steering = new SteeringWorld()
    steering.add(agent())
    const lines = told(() => {
      for (let i = 0; i < 50; i++) steering.advance(500 + 16.7 * i)
    })
    expect(lines).toEqual([expect.stringContaining('it takes seconds')])
  })
})

describe('in a page', () => {
  it('a mesh that is in no scene is named, one in a scene is not', () => {
    vi.stubGlobal('requestAnimationFrame', () => 0)
    const show = (mesh: Mesh): void => {
      const steering = new SteeringWorld()
      steering.add(agent({}, mesh))
      for (let i = 0; i < 400; i++) steering.advance(1 / 60)
    }
    const inScene = (): Mesh => {
      const mesh = new Mesh()
      new Object3D().add(mesh)
      return mesh
    }
    // meshes of earlier tests are named here, if they are not collected yet
    const earlier = new Mesh()
    new SteeringWorld().add(agent({}, earlier))
    expect(told(() => show(inScene())).filter((line) => line.includes('scene'))).not.toEqual([])
    expect(told(() => show(inScene())).filter((line) => line.includes('scene'))).toEqual([])
    const lines = told(() => show(new Mesh())).filter((line) => line.includes('scene'))
    expect(lines).toEqual([expect.stringContaining('call scene.add(mesh)')])
  })

  it('a world with views that is never presented says so', () => {
    vi.stubGlobal('requestAnimationFrame', () => 0)
    const steering = new SteeringWorld()
    steering.add(agent({}, new Object3D()))
    const lines = told(() => {
      for (let i = 0; i < 400; i++) steering.step(1 / 60)
    })
    expect(lines).toEqual([expect.stringContaining('nothing is drawn: call steering.present()')])
  })

  it.each([
    [1, 60, []],
    [2, 60, ['simulated time passes 2.0 times as fast']],
    [1, 144, ['simulated time passes 2.4 times as fast']],
  ])('%i steps a frame at %i frames a second', (steps, rate, expected) => {
    vi.stubGlobal('requestAnimationFrame', () => 0)
    let now = 5000
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    const steering = new SteeringWorld()
    steering.add(agent())
    const lines = told(() => {
      for (let frame = 0; frame < 5 * rate; frame++) {
        for (let i = 0; i < steps; i++) steering.step(1 / 60)
        steering.present()
        now += 1000 / rate
      }
    })
    expect(lines).toEqual(expected.map((text) => expect.stringContaining(text)))
  })
})

describe('an object whose parent is', () => {
  it.each<[string, (group: Object3D) => unknown, boolean]>([
    ['at the origin', () => undefined, false],
    ['scaled', (group) => group.scale.setScalar(2), false],
    ['moved', (group) => group.position.set(0, 3, 0), true],
    ['turned', (group) => group.rotateX(1), true],
    ['in a moved parent', (group) => new Object3D().add(group).position.set(1, 0, 0), true],
  ])('%s', (_, place, expected) => {
    const group = new Object3D()
    const object = new Object3D()
    group.add(object)
    place(group)
    expect(told(() => void agent({}, object))).toEqual(
      expected ? [expect.stringContaining("pass objectView(object) from 'three-steering/three'")] : [],
    )
  })

  it('moved, of a mesh that shows a flock', () => {
    const flockOf = (view: NonNullable<FlockOptions['view']>): unknown =>
      new Flock({ count: 2, view, maxSpeed: 1, maxForce: 1, behavior: new Wander() })
    const mesh = new InstancedMesh(undefined, undefined, 2)
    new Object3D().add(mesh).position.set(0, 3, 0)
    expect(told(() => flockOf(instancedView(mesh)))).toEqual([])
    expect(told(() => flockOf(mesh))).toEqual([expect.stringContaining('instancedView(mesh)')])
  })

  it('none, and is a camera, which looks along −Z', () => {
    expect(told(() => void agent({}, new PerspectiveCamera()))).toEqual([
      expect.stringContaining('set the option forward: { x: 0, y: 0, z: -1 }'),
    ])
    const forward = { x: 0, y: 0, z: -1 }
    expect(told(() => void agent({ forward }, new PerspectiveCamera()))).toEqual([])
    expect(told(() => void agent({}, objectView(new PerspectiveCamera())))).toEqual([
      expect.stringContaining('set the option forward: { x: 0, y: 0, z: -1 }'),
    ])
    expect(told(() => void agent({ forward }, objectView(new PerspectiveCamera())))).toEqual([])
  })

  it('that is a dynamic body of cannon-es', () => {
    const body = new CANNON.Body({ mass: 1 })
    expect(told(() => void agent({}, body))).toEqual([expect.stringContaining('cannonBody(body)')])
  })

  it('moved, with a view of its own', () => {
    const group = new Object3D()
    const object = new Object3D()
    group.add(object).position.set(0, 3, 0)
    expect(told(() => void agent({}, objectView(object)))).toEqual([])
  })
})

describe('over a network', () => {
  const codec = new PoseCodec({ min: { x: -9, y: -9, z: -9 }, max: { x: 9, y: 9, z: 9 }, maxSpeed: 5 })
  const at = (z: number): Vec3Like => ({ x: 0, y: 0, z })

  /** What is told while a page draws for 5 s of real time, with this many units of its clock in a second. */
  function drawn(unitsPerSecond: number): string[] {
    const writer = new PoseWriter(codec)
    const buffer = new PoseBuffer(codec)
    const now = vi.spyOn(performance, 'now')
    return told(() => {
      for (let second = 100; second < 105; second += 1 / 16) {
        now.mockReturnValue(1000 * second)
        buffer.receive(writer.begin(second).addPose(1, at(0)).end(), unitsPerSecond * second)
        buffer.update(unitsPerSecond * second)
      }
    })
  }

  it('milliseconds in place of seconds are told, once for each method', () => {
    expect(drawn(1000)).toEqual([
      'PoseBuffer.receive got milliseconds: pass the time in seconds, performance.now() / 1000',
      'PoseBuffer.update got milliseconds: pass the time in seconds, performance.now() / 1000',
    ])
    for (const unitsPerSecond of [0.5, 1, 60]) expect(drawn(unitsPerSecond)).toEqual([])
  })

  it('two agents of one key in a packet are told', () => {
    const writer = new PoseWriter(codec)
    const packet = (...keys: number[]): void => {
      writer.begin(0)
      for (const key of keys) writer.addPose(key, at(key))
      writer.end()
    }
    expect(
      told(() => {
        for (let i = 0; i < 40; i++) packet(1, 2, 3)
      }),
    ).toEqual([])
    const message = 'two agents of a packet have the key 2, so a client takes them for one: '
    expect(
      told(() => {
        for (let i = 0; i < 80; i++) packet(2, 1, 2)
      }),
    ).toEqual([expect.stringContaining(message)])
  })

  it('agents of a world that share a seed are told', () => {
    const world = new SteeringWorld()
    const writer = new PoseWriter(codec)
    const agents = [1, 1].map((seed) => agent({ seed }))
    for (const each of agents) world.add(each)
    expect(told(() => void agents.reduce((packet, each) => packet.add(each), writer.begin(0)).end())).toEqual(
      [expect.stringContaining('the key 1')],
    )
  })

  it('an agent outside of the box of the codec is told; one that is a little too fast is not', () => {
    const writer = new PoseWriter(codec)
    expect(told(() => void writer.begin(0).addPose(1, at(9), at(5.01)).end())).toEqual([])
    expect(
      told(() => {
        for (const z of [10, 11]) writer.begin(0).addPose(1, at(z)).end()
      }),
    ).toEqual([expect.stringContaining('outside of the box of the PoseCodec')])
  })
})

describe('avoidance', () => {
  it('an agent that does not get out of an obstacle is told; one that soon does is not', () => {
    const lines = (maxForce: number): string[] =>
      told(() => {
        const world = new SteeringWorld()
        const obstacles = [{ shape: new SphereShape(20), at: { x: 1, y: 0, z: 0 } }]
        const behavior = within([new AvoidObstacles({ obstacles })], new Seek({ target }))
        world.add(new SteeringController(null, { behavior, maxForce, maxSpeed: 30 }))
        for (let i = 0; i < 400; i++) world.step(1 / 60)
      })
    expect(lines(60)).toEqual([])
    expect(lines(1e-3)).toEqual([expect.stringContaining('inside of an obstacle (sphere)')])
  })
})

describe('the hints', () => {
  it('are silenced by one switch', () => {
    setHints(false)
    expect(told(() => new Seek({ target, silent: 1 } as never))).toEqual([])
  })

  it('have a replacement for production with the same functions, which do nothing', () => {
    expect(Object.keys(noHints).sort()).toEqual(Object.keys(hints).sort())
    const lines = told(() => {
      for (const none of Object.values(noHints)) none()
    })
    expect(lines).toEqual([])
  })
})
