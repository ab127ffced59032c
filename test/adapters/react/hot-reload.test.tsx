import { hotReload, version } from '../../support/hot-reload.js'
import { act } from '@react-three/test-renderer'
import { StrictMode, useMemo, useState, type ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import { Arrive, Seek, Wander, type SteeringController, type SteeringWorld } from 'three-steering'
import type { Explanation } from 'three-steering/explain'
import {
  Steering,
  SteeringHelper,
  useExplanation,
  useFlock,
  useSteering,
  useSteeringWorld,
  type FlockHandle,
  type SteeringHandle,
} from 'three-steering/react'
import { mount, watchReact } from '../../support/react.js'

watchReact()

interface Seen {
  world: SteeringWorld
  ship: SteeringHandle
  flock: FlockHandle
  explanation: Explanation | null
  /** State of the component, made when it was mounted. */
  mountedAs: number
}

const seen = {} as Seen
let mounts = 0

/** What one edit of the file of the ship exports. */
type Edit = (props: { onArrive?: () => void }) => ReactNode

/** The ship, with this speed limit, on its way to `x`. */
const edited =
  (maxSpeed: number, x: number): Edit =>
  ({ onArrive }) => {
    seen.world = useSteeringWorld()
    seen.mountedAs = useState(() => ++mounts)[0]
    const behavior = useMemo(() => new Arrive({ target: { x, y: 0, z: 0 } }), [])
    seen.ship = useSteering({ maxSpeed, maxForce: 40, behavior, ...(onArrive && { onArrive }) })
    seen.explanation = useExplanation(seen.ship)
    return (
      <>
        <mesh ref={seen.ship.ref} name="ship" />
        <SteeringHelper of={seen.ship} />
      </>
    )
  }

const HOOKS = 'useSteeringWorld useState useMemo useSteering useExplanation'

const inSteering = (children: ReactNode, strict: boolean): ReactNode => {
  const scene = <Steering seed={3}>{children}</Steering>
  return strict ? <StrictMode>{scene}</StrictMode> : scene
}

describe.each([true, false])('hot reload, StrictMode %s', (strict) => {
  it('of a ship keeps the agent where it is, with the new options and the new behaviour', async () => {
    const id = `Ship ${strict}`
    const Ship = version(id, HOOKS, edited(2, 1000))
    let arrivals = 0
    const mounted = await mount(inSteering(<Ship onArrive={() => arrivals++} />, strict))
    await mounted.frames(60)
    const { controller } = seen.ship
    const { world, mountedAs } = seen
    const before = { ...xyz(controller!.position) }
    expect(controller!.velocity.x).toBeCloseTo(2, 1)
    for (const [maxSpeed, x] of [
      [5, 1000],
      [6, 9],
    ] as const) {
      version(id, HOOKS, edited(maxSpeed, x))
      await act(async () => hotReload())
      expect(seen.world).toBe(world)
      expect(world.size).toBe(1)
      expect(seen.mountedAs).toBe(mountedAs)
      expect(seen.ship.controller).toBe(controller)
      expect(controller!.maxSpeed).toBe(maxSpeed)
    }
    // it stays at its place, and does not stop
    expect(xyz(controller!.position)).toEqual(before)
    expect(controller!.velocity.x).toBeCloseTo(2, 1)
    await mounted.frames(300)
    expect(controller!.position.x).toBeCloseTo(9, 1)
    expect(mounted.scene.getObjectByName('ship')!.position.x).toBeCloseTo(9, 1)
    expect(arrivals).toBe(1)
    // the explanation is that of the agent, also now
    expect(seen.explanation!.root!.name).toBe('Arrive')
    await mounted.unmount()
    expect(world.isDisposed).toBe(true)
  })

  it('with other hooks mounts the ship anew: again one agent, and the old one is gone', async () => {
    const id = `Rebuilt ship ${strict}`
    const Ship = version(id, HOOKS, edited(3, 50))
    const mounted = await mount(inSteering(<Ship />, strict))
    await mounted.frames(60)
    const { controller } = seen.ship
    const { world, mountedAs } = seen
    version(id, `${HOOKS} useRef`, edited(4, 50))
    await act(async () => hotReload())
    expect(seen.mountedAs).toBeGreaterThan(mountedAs)
    expect(seen.world).toBe(world)
    expect(world.size).toBe(1)
    expect(seen.ship.controller).not.toBe(controller)
    expect(controller!.active).toBe(false)
    await mounted.frames(10)
    expect((seen.ship.controller as SteeringController).velocity.x).toBeGreaterThan(0)
    await mounted.unmount()
  })

  it('of a flock keeps its members, and a new number adds to them', async () => {
    const id = `Birds ${strict}`
    const birds =
      (count: number, speed: number): (() => ReactNode) =>
      () => {
        seen.world = useSteeringWorld()
        const behavior = useMemo(
          () => (count > 10 ? new Wander() : new Seek({ target: { x: 90, y: 0, z: 0 } })),
          [],
        )
        seen.flock = useFlock({ count, behavior, maxSpeed: speed, maxForce: 9, seed: 5 })
        return <instancedMesh ref={seen.flock.ref} args={[undefined, undefined, 40]} />
      }
    const Birds = version(id, 'useSteeringWorld useMemo useFlock', birds(10, 3))
    const mounted = await mount(inSteering(<Birds />, strict))
    await mounted.frames(30)
    const { world } = seen
    const places = (): unknown[] =>
      Array.from({ length: 10 }, (_, i) => xyz(seen.flock.flock!.position(i, { x: 0, y: 0, z: 0 })))
    const before = places()
    version(id, 'useSteeringWorld useMemo useFlock', birds(12, 4))
    await act(async () => hotReload())
    expect(seen.world).toBe(world)
    expect(world.size).toBe(12)
    expect(seen.flock.flock!.maxSpeed).toBe(4)
    expect(places()).toEqual(before)
    await mounted.frames(5)
    expect(world.size).toBe(12)
    await mounted.unmount()
    expect(world.isDisposed).toBe(true)
  })

  it('of the component around <Steering> keeps the world', async () => {
    const id = `Scene ${strict}`
    const Ship = version(`Inner ship ${strict}`, HOOKS, edited(2, 100))
    const scene =
      (y: number): (() => ReactNode) =>
      () => (
        <Steering seed={3} gravity={{ x: 0, y, z: 0 }}>
          <Ship />
        </Steering>
      )
    const Scene = version(id, '', scene(0))
    const mounted = await mount(strict ? <StrictMode>{<Scene />}</StrictMode> : <Scene />)
    await mounted.frames(30)
    const { world } = seen
    const { controller } = seen.ship
    version(id, '', scene(-3))
    await act(async () => hotReload())
    expect(seen.world).toBe(world)
    expect(seen.ship.controller).toBe(controller)
    expect(world.gravity.y).toBe(-3)
    expect(world.size).toBe(1)
    await mounted.unmount()
  })
})

function xyz({ x, y, z }: { x: number; y: number; z: number }): { x: number; y: number; z: number } {
  return { x, y, z }
}
