import { Activity, Component, StrictMode, Suspense, use, useMemo, type ReactNode } from 'react'
import { BoxGeometry, Mesh, MeshBasicMaterial, Object3D, Vector3, type Group, type LineSegments } from 'three'
import { describe, expect, it } from 'vitest'
import { Arrive, Pursue, Seek, SteeringController, SteeringWorld } from 'three-steering'
import type { Behavior, Fault, Vec3Like } from 'three-steering'
import type { Explanation } from 'three-steering/explain'
import {
  Steering,
  SteeringHelper,
  useExplanation,
  useSteering,
  useSteeringWorld,
  type SteeringHandle,
  type SteeringProps,
  type UseSteeringOptions,
} from 'three-steering/react'
import { mount, watchReact } from '../../support/react.js'

watchReact()

const LIMITS = { maxSpeed: 8, maxForce: 40 }
const at = (x: number, y = 0, z = 0): Vec3Like => ({ x, y, z })

/** Shows what a test looks at: the last world and the handles by name. */
class Seen {
  world!: SteeringWorld
  worlds = new Set<SteeringWorld>()
  ships = new Map<string, SteeringHandle>()
  ship(name = ''): SteeringController {
    return this.ships.get(name)!.controller!
  }
}

type ShipProps = Partial<UseSteeringOptions> & {
  seen: Seen
  name?: string
  place?: [number, number, number]
  children?: ReactNode
}

function Ship({ seen, name = '', place = [0, 0, 0], children, ...options }: ShipProps) {
  const own = useMemo(() => new Seek({ target: at(0, 0, 1000), speed: 2 }), [])
  seen.world = useSteeringWorld()
  seen.worlds.add(seen.world)
  const ship = useSteering({ ...LIMITS, name, behavior: own, ...options })
  seen.ships.set(name, ship)
  return (
    <mesh ref={ship.ref} name={name} position={place}>
      {children}
    </mesh>
  )
}

const xyz = ({ x, y, z }: Vec3Like): number[] => [x, y, z]

describe('<Steering>', () => {
  it('has one agent for each ship in StrictMode, tells each arrival once, and lets go of what is unmounted', async () => {
    const seen = new Seen()
    const told: string[] = []
    const goals = [1, 2, 3].map((x) => new Arrive({ target: at(x, 4, -3) }))
    const ships = (count: number): ReactNode => (
      <StrictMode>
        <Steering seed={7}>
          {goals.slice(0, count).map((behavior, i) => (
            <Ship key={i} seen={seen} name={`${i}`} behavior={behavior} onArrive={() => told.push(`${i}`)} />
          ))}
        </Steering>
      </StrictMode>
    )
    const mounted = await mount(ships(3))
    const { world } = seen
    expect(world.seed).toBe(7)
    expect(world.size).toBe(3)
    await mounted.frames(360)
    expect(told.toSorted()).toEqual(['0', '1', '2'])
    for (const i of [0, 1, 2]) {
      const { position } = mounted.scene.getObjectByName(`${i}`)!
      expect(position.distanceTo(new Vector3(i + 1, 4, -3))).toBeLessThan(0.1)
    }
    await mounted.render(ships(2))
    expect(world.size).toBe(2)
    expect(seen.world).toBe(world)
    await mounted.unmount()
    expect(world.isDisposed).toBe(true)
    expect(world.size).toBe(0)
  })

  it('flies as a SteeringWorld without React, to the bit', async () => {
    const seen = new Seen()
    const goal = (): Behavior => new Seek({ target: at(5, -7, 20) })
    const mounted = await mount(
      <Steering seed={3} gravity={at(0, -2, 0)}>
        <Ship seen={seen} behavior={useOnce(goal)} place={[1, 2, 3]} mass={2} />
      </Steering>,
    )
    await mounted.frames(100, 1 / 50)
    const world = new SteeringWorld({ seed: 3, gravity: at(0, -2, 0) })
    const mesh = new Object3D()
    mesh.position.set(1, 2, 3)
    world.add(new SteeringController(mesh, { ...LIMITS, mass: 2, behavior: goal() }))
    for (let i = 0; i < 100; i++) world.advance(1 / 50)
    expect(xyz(mounted.scene.children[0]!.position)).toEqual(xyz(mesh.position))
    expect(mounted.scene.children[0]!.quaternion.toArray()).toEqual(mesh.quaternion.toArray())
  })

  it('takes a new gravity at once, and makes a new world for a new seed, with the agents as they were', async () => {
    const seen = new Seen()
    const scene = (props: SteeringProps): ReactNode => (
      <Steering {...props}>
        <Ship seen={seen} place={[0, 50, 0]} maxForce={0} velocity={at(1, 2, 3)} />
      </Steering>
    )
    const mounted = await mount(scene({}))
    const first = seen.world
    await mounted.frames(60)
    expect(seen.ship().velocity.y).toBe(2)
    // an equal object is no new option
    await mounted.render(scene({ gravity: at(0, -5, 0), up: at(0, 1, 0) }))
    const second = seen.world
    expect(second).not.toBe(first)
    await mounted.render(scene({ gravity: at(0, -10, 0), up: at(0, 1, 0) }))
    expect(seen.world).toBe(second)
    const before = xyz(seen.ship().position)
    await mounted.frames(60)
    expect(seen.ship().velocity.y).toBeCloseTo(2 - 10, 1)
    const { position, velocity } = seen.ship()
    const flown = [...xyz(position), ...xyz(velocity)]
    expect(flown.slice(0, 3)).not.toEqual(before)
    await mounted.render(scene({ seed: 5, gravity: at(0, -10, 0), up: at(0, 1, 0) }))
    expect(seen.world.seed).toBe(5)
    expect(second.isDisposed).toBe(true)
    expect(seen.world.size).toBe(1)
    expect([...xyz(seen.ship().position), ...xyz(seen.ship().velocity)]).toEqual(flown)
    await mounted.unmount()
    for (const world of seen.worlds) expect(world.isDisposed).toBe(true)
  })

  it('pauses, and reports faults to the newest callback', async () => {
    const seen = new Seen()
    const faults: string[] = []
    const broken: Behavior = {
      steer() {
        throw new Error('broken')
      },
    }
    const scene = (paused: boolean, onFault: (fault: Fault) => void): ReactNode => (
      <Steering paused={paused} onFault={onFault}>
        <Ship seen={seen} behavior={broken} />
      </Steering>
    )
    const mounted = await mount(scene(true, () => faults.push('old')))
    await mounted.frames(10)
    expect(seen.world.tick).toBe(0)
    await mounted.render(scene(false, ({ message }) => faults.push(message)))
    await mounted.frames(10)
    expect(seen.world.tick).toBe(10)
    expect(faults).toHaveLength(1)
    expect(faults[0]).toContain('broken')
  })

  it('keeps the state of its agents while an <Activity> hides them', async () => {
    const seen = new Seen()
    const scene = (mode: 'hidden' | 'visible'): ReactNode => (
      <Activity mode={mode}>
        <Steering>
          <Ship seen={seen} />
        </Steering>
      </Activity>
    )
    const mounted = await mount(scene('visible'))
    await mounted.frames(60)
    const controller = seen.ship()
    const state = [...xyz(controller.position), ...xyz(controller.velocity)]
    expect(state[2]).toBeGreaterThan(1)
    await mounted.render(scene('hidden'))
    expect(controller.active).toBe(false)
    await mounted.frames(60)
    await mounted.render(scene('visible'))
    expect(seen.ship()).toBe(controller)
    expect([...xyz(controller.position), ...xyz(controller.velocity)]).toEqual(state)
    await mounted.frames(60)
    expect(controller.position.z).toBeGreaterThan(state[2]! + 1)
  })
})

describe('useSteering', () => {
  it('changes limits, behaviour and callbacks of the agent that flies', async () => {
    const seen = new Seen()
    const told: string[] = []
    const near = new Arrive({ target: at(2, 0, 0) })
    const far = new Arrive({ target: at(0, 6, 0) })
    const scene = (props: Partial<UseSteeringOptions>): ReactNode => (
      <Steering>
        <Ship seen={seen} {...props} />
      </Steering>
    )
    const mounted = await mount(scene({ behavior: near, onArrive: () => told.push('near') }))
    const controller = seen.ship()
    await mounted.frames(240)
    expect(told).toEqual(['near'])
    expect(controller.maxTorque).toBe(20)
    await mounted.render(
      scene({
        behavior: far,
        maxSpeed: 3,
        maxForce: 60,
        priority: 4,
        onArrive: ({ behavior }) => told.push(behavior === far ? 'far' : '?'),
      }),
    )
    expect(seen.ship()).toBe(controller)
    expect([controller.maxSpeed, controller.maxForce, controller.priority]).toEqual([3, 60, 4])
    // the default follows the force
    expect(controller.maxTorque).toBe(30)
    await mounted.frames(240)
    expect(told).toEqual(['near', 'far'])
    expect(controller.position.y).toBeCloseTo(6, 1)
    // back to the defaults, which needs another agent
    await mounted.render(scene({ behavior: far }))
    expect(seen.ship().priority).toBe(1)
    expect(seen.ship().position.y).toBeCloseTo(6, 1)
    expect(seen.world.size).toBe(1)
  })

  it('makes the agent anew, in its state, for an option that an agent cannot change', async () => {
    const seen = new Seen()
    const scene = (mass: number, forward: Vec3Like): ReactNode => (
      <Steering>
        <Ship seen={seen} mass={mass} forward={forward} velocity={at(1, 1, 1)} />
      </Steering>
    )
    const mounted = await mount(scene(1, at(0, 0, 1)))
    await mounted.frames(30)
    const controller = seen.ship()
    const state = [...xyz(controller.position), ...xyz(controller.velocity)]
    await mounted.render(scene(1, at(0, 0, 1)))
    expect(seen.ship()).toBe(controller)
    await mounted.render(scene(3, at(0, 0, 1)))
    expect(seen.ship()).not.toBe(controller)
    expect(seen.ship().mass).toBe(3)
    expect([...xyz(seen.ship().position), ...xyz(seen.ship().velocity)]).toEqual(state)
    expect(seen.world.size).toBe(1)
  })

  it('starts and shows an agent in a group that is moved, turned and scaled', async () => {
    const seen = new Seen()
    const mounted = await mount(
      <Steering>
        <group position={[10, 0, 0]} rotation={[0.3, Math.PI / 2, -0.5]} scale={2}>
          <Ship seen={seen} place={[0, 1, 2]} />
        </group>
      </Steering>,
    )
    const group = mounted.scene.children[0] as Group
    expect(xyz(seen.ship().position)).toEqual(xyz(group.localToWorld(new Vector3(0, 1, 2))))
    await mounted.frames(60)
    const shown = group.children[0]!.getWorldPosition(new Vector3())
    // drawn between the last two steps
    expect(shown.distanceTo(seen.ship().position as Vector3)).toBeLessThan(2 / 60 + 1e-9)
    expect(seen.ship().position.z).toBeGreaterThan(1)
  })

  it('waits for a mesh that is loaded, starts where it is, and goes on while it is away', async () => {
    const seen = new Seen()
    let loaded!: (mesh: Mesh) => void
    const loading = new Promise<Mesh>((resolve) => (loaded = resolve))
    const model = new Mesh(new BoxGeometry(), new MeshBasicMaterial())
    const behavior = new Seek({ target: at(0, 0, 1000), speed: 2 })
    function Model({ handle }: { handle: SteeringHandle }) {
      return <primitive object={use(loading)} ref={handle.ref} position={[0, 3, 0]} />
    }
    function Late({ visible }: { visible: boolean }) {
      seen.world = useSteeringWorld()
      const ship = useSteering({ ...LIMITS, behavior })
      seen.ships.set('', ship)
      return <Suspense fallback={null}>{visible && <Model handle={ship} />}</Suspense>
    }
    const scene = (visible: boolean): ReactNode => (
      <Steering>
        <Late visible={visible} />
      </Steering>
    )
    const mounted = await mount(scene(true))
    await mounted.frames(5)
    expect(seen.world.size).toBe(0)
    loaded(model)
    await mounted.frames(5)
    await mounted.frames(60)
    expect(seen.world.size).toBe(1)
    expect(model.position.y).toBeCloseTo(3, 1)
    const before = model.position.z
    expect(before).toBeGreaterThan(1)
    await mounted.render(scene(false))
    await mounted.frames(60)
    await mounted.render(scene(true))
    await mounted.frames(1)
    expect(model.position.z).toBeGreaterThan(before + 1)
  })

  it('flies without a mesh when a position is given', async () => {
    const seen = new Seen()
    function Unseen() {
      const behavior = useMemo(() => new Seek({ target: at(1000, 9, 0), speed: 1 }), [])
      seen.ships.set('', useSteering({ ...LIMITS, behavior, position: at(0, 9, 0) }))
      return null
    }
    const mounted = await mount(
      <Steering>
        <Unseen />
      </Steering>,
    )
    await mounted.frames(60)
    expect(seen.ship().position.x).toBeGreaterThan(0.5)
    expect(seen.ship().position.y).toBe(9)
  })

  it('gives a handle that is the target of another ship', async () => {
    const seen = new Seen()
    function Pair() {
      const prey = useSteering({
        ...LIMITS,
        behavior: useMemo(() => new Seek({ target: at(6, 1000, 0), speed: 2 }), []),
        position: at(6, 0, 0),
      })
      const behavior = useMemo(() => new Pursue({ target: prey }), [prey])
      seen.ships.set('prey', prey)
      seen.ships.set('hunter', useSteering({ ...LIMITS, behavior, position: at(0, 0, 0) }))
      return null
    }
    const mounted = await mount(
      <StrictMode>
        <Steering>
          <Pair />
        </Steering>
      </StrictMode>,
    )
    const gap = (): number => {
      const [a, b] = [seen.ship('prey').position, seen.ship('hunter').position]
      return Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)
    }
    expect(gap()).toBe(6)
    let least = Infinity
    for (let i = 0; i < 40; i++) {
      await mounted.frames(3)
      least = Math.min(least, gap())
    }
    expect(least).toBeLessThan(1)
  })

  it('gives errors of options to the error boundary, and names what is missing around it', async () => {
    const errors: string[] = []
    class Boundary extends Component<{ children: ReactNode }> {
      override state = { failed: false }
      static getDerivedStateFromError(): object {
        return { failed: true }
      }
      override componentDidCatch(error: Error): void {
        errors.push(`${error.name}: ${error.message}`)
      }
      override render(): ReactNode {
        return this.state.failed ? null : this.props.children
      }
    }
    const seen = new Seen()
    const errorOf = async (inside: ReactNode): Promise<string> => {
      errors.length = 0
      const { error } = console
      // React itself prints what a boundary catches
      console.error = () => {}
      await mount(<Boundary>{inside}</Boundary>)
      console.error = error
      return errors[0]!
    }
    const inWorld = (props: Partial<UseSteeringOptions>): ReactNode => (
      <Steering>
        <Ship seen={seen} {...props} />
      </Steering>
    )
    expect(await errorOf(<Ship seen={seen} />)).toContain('inside of <Steering>')
    expect(await errorOf(inWorld({ maxSpeed: -1 }))).toMatch(/RangeError: .*maxSpeed/)
    expect(await errorOf(<Steering fixedStep={7} />)).toMatch(/RangeError: .*fixedStep/)
    expect(await errorOf(inWorld({ body: new Object3D() }))).toMatch(/TypeError: useSteering: body.*driver/)
  })
})

describe('useExplanation', () => {
  it('explains while a component uses it, and renders again after its interval', async () => {
    const seen = new Seen()
    const read: (Explanation | null)[] = []
    let renders = 0
    function Why({ interval }: { interval: number }) {
      renders++
      read.push(useExplanation(seen.ships.get('')!, { interval }))
      return null
    }
    const scene = (panels: number): ReactNode => (
      <StrictMode>
        <Steering>
          <Ship seen={seen}>
            {panels > 0 && <Why interval={0.5} />}
            {panels > 1 && <Why interval={Infinity} />}
          </Ship>
        </Steering>
      </StrictMode>
    )
    const mounted = await mount(scene(2))
    await mounted.frames(10)
    const explanation = read.at(-1)!
    expect(explanation.root!.name).toBe('Seek')
    const { root } = explanation
    renders = 0
    for (let i = 0; i < 10; i++) await mounted.frames(12)
    // StrictMode renders twice
    expect(renders).toBeGreaterThanOrEqual(2 * 3)
    expect(renders).toBeLessThanOrEqual(2 * 4)
    expect(explanation.root).not.toBe(root)
    // the other one still uses it
    await mounted.render(scene(1))
    await mounted.frames(1)
    const later = explanation.root
    await mounted.frames(1)
    expect(explanation.root).not.toBe(later)
    await mounted.render(scene(0))
    const last = explanation.root
    await mounted.frames(10)
    expect(explanation.root).toBe(last)
  })
})

describe('<SteeringHelper>', () => {
  it('draws an agent or the world in world axes, and disposes its lines', async () => {
    const seen = new Seen()
    const scene = (of: 'ship' | 'world' | 'none', layers?: string[]): ReactNode => (
      <StrictMode>
        <Steering>
          <group position={[5, 5, 5]}>
            <Ship seen={seen} place={[0, 0, 4]} />
            {of !== 'none' && (
              <SteeringHelper
                {...(of === 'ship' ? { of: seen.ships.get('')! } : {})}
                {...(layers ? { layers } : {})}
                colors={{ velocity: 'red' }}
              />
            )}
          </group>
        </Steering>
      </StrictMode>
    )
    const mounted = await mount(scene('none'))
    const drawn = (): LineSegments[] => {
      const helpers = mounted.scene.children.filter(({ type }) => type === 'SteeringHelper')
      expect(helpers.length).toBeLessThanOrEqual(1)
      return helpers.flatMap(({ children }) => children as LineSegments[]).filter(({ visible }) => visible)
    }
    expect(drawn()).toEqual([])
    await mounted.render(scene('ship', ['velocity']))
    await mounted.frames(20)
    const lines = drawn()
    expect(lines).toHaveLength(1)
    const start = new Vector3().fromBufferAttribute(lines[0]!.geometry.getAttribute('position'), 0)
    expect(start.distanceTo(seen.ship().position as Vector3)).toBeLessThan(0.1)
    await mounted.render(scene('world'))
    await mounted.frames(2)
    expect(drawn().length).toBeGreaterThan(1)
    await mounted.render(scene('none'))
    expect(drawn()).toEqual([])
  })
})

/** The same behaviour for all renders of one element. */
function useOnce<T>(make: () => T): T {
  return make()
}
