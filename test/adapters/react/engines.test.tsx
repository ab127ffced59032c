import RAPIER from '@dimforge/rapier3d-compat'
import {
  Physics,
  RigidBody,
  useAfterPhysicsStep,
  useBeforePhysicsStep,
  useRapier,
  type RapierRigidBody,
} from '@react-three/rapier'
import * as CANNON from 'cannon-es'
import { StrictMode, useMemo, useRef, type ReactNode, type RefObject } from 'react'
import { Vector3 } from 'three'
import { beforeAll, describe, expect, it } from 'vitest'
import { Arrive, type Vec3Like } from 'three-steering'
import {
  cannonDriver,
  rapierDriver,
  Steering,
  useFlock,
  useSteering,
  useSteeringWorld,
  type BodyOrRef,
  type SteeringDriver,
} from 'three-steering/react'
import { mount, watchReact } from '../../support/react.js'

watchReact()

const GOAL: Vec3Like = { x: 4, y: 3, z: 6 }
const LIMITS = { maxSpeed: 6, maxForce: 60, maxTorque: 20 }

interface Seen {
  size: () => number
  arrived: number
}

function Ship({ seen, body }: { seen: Seen; body: BodyOrRef }) {
  const world = useSteeringWorld()
  seen.size = () => world.size
  const behavior = useMemo(() => new Arrive({ target: GOAL }), [])
  const ship = useSteering({ ...LIMITS, behavior, body, onArrive: () => seen.arrived++ })
  return <mesh ref={ship.ref} />
}

const scene = (driver: SteeringDriver, inside: ReactNode): ReactNode => (
  <StrictMode>
    <Steering driver={driver}>{inside}</Steering>
  </StrictMode>
)

function cannonBall(world: CANNON.World, y = 0): CANNON.Body {
  const body = new CANNON.Body({ mass: 5, shape: new CANNON.Sphere(0.5), position: new CANNON.Vec3(0, y, 0) })
  world.addBody(body)
  return body
}

describe('cannonDriver', () => {
  it('steps the engine, steers its bodies, shows them, and lets go of the engine', async () => {
    const seen: Seen = { size: () => 0, arrived: 0 }
    const world = new CANNON.World()
    const body = cannonBall(world)
    const mounted = await mount(scene(cannonDriver(world), <Ship seen={seen} body={body} />))
    expect(seen.size()).toBe(1)
    await mounted.frames(300)
    expect(seen.arrived).toBe(1)
    expect(mounted.scene.children[0]!.position.distanceTo(new Vector3(4, 3, 6))).toBeLessThan(0.1)
    expect(body.position.x).toBeCloseTo(4, 1)
    await mounted.unmount()
    await Promise.resolve()
    expect(world.subsystems).toEqual([])
    const { x } = body.position
    body.velocity.setZero()
    world.step(1 / 60)
    expect(body.position.x).toBeCloseTo(x, 12)
  })

  it('leaves the steps to other code, and the body to another ship', async () => {
    const seen: Seen = { size: () => 0, arrived: 0 }
    const world = new CANNON.World()
    const first: RefObject<CANNON.Body | null> = { current: null }
    const driver = cannonDriver(world, { steps: false })
    const mounted = await mount(scene(driver, <Ship seen={seen} body={first} />))
    await mounted.frames(10)
    expect([seen.size(), world.stepnumber]).toEqual([0, 0])
    const body = (first.current = cannonBall(world))
    await mounted.frames(1)
    expect(seen.size()).toBe(1)
    for (let i = 0; i < 300; i++) world.step(1 / 60)
    expect(body.position.z).toBeCloseTo(6, 1)
    first.current = cannonBall(world, 20)
    await mounted.frames(1)
    for (let i = 0; i < 600; i++) world.step(1 / 60)
    expect(first.current.position.y).toBeCloseTo(3, 1)
    expect(seen.size()).toBe(1)
    // a ship of another component may have it now
    await mounted.render(scene(driver, <Ship key="other" seen={seen} body={first.current} />))
    await mounted.frames(1)
    expect(seen.size()).toBe(1)
  })

  it('steers a flock of bodies', async () => {
    const world = new CANNON.World()
    const bodies = Array.from({ length: 5 }, (_, i) => cannonBall(world, 3 * i))
    let size = 0
    function Bodies() {
      const steering = useSteeringWorld()
      const behavior = useMemo(() => new Arrive({ target: { x: 30, y: 6, z: 0 } }), [])
      useFlock({ ...LIMITS, behavior, count: bodies.length, body: (i) => bodies[i] })
      size = steering.size
      return null
    }
    const driver = cannonDriver(world)
    const mounted = await mount(scene(driver, <Bodies />))
    await mounted.frames(60)
    await mounted.render(scene(driver, <Bodies />))
    expect(size).toBe(5)
    for (const { position } of bodies) expect(position.x).toBeGreaterThan(2)
  })
})

describe('rapierDriver', () => {
  beforeAll(() => RAPIER.init())

  it('steps Rapier and steers its bodies', async () => {
    const seen: Seen = { size: () => 0, arrived: 0 }
    const world = new RAPIER.World({ x: 0, y: 0, z: 0 })
    const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic())
    world.createCollider(RAPIER.ColliderDesc.ball(0.5).setMass(5), body)
    const driver = rapierDriver(world)
    const mounted = await mount(scene(driver, <Ship seen={seen} body={body} />))
    expect(driver.door!.steering.size).toBe(1)
    await mounted.frames(300)
    expect(seen.arrived).toBe(1)
    expect(body.translation().z).toBeCloseTo(6, 1)
    expect(mounted.scene.children[0]!.position.distanceTo(new Vector3(4, 3, 6))).toBeLessThan(0.1)
    await mounted.unmount()
    expect(driver.door).toBe(null)
    world.free()
  })

  /** As in docs/guides/react.md. */
  function RapierSteering({ children }: { children: ReactNode }) {
    const { world } = useRapier()
    const driver = useMemo(() => rapierDriver(world, { steps: false }), [world])
    useBeforePhysicsStep(driver.beforeStep)
    useAfterPhysicsStep(driver.afterStep)
    return <Steering driver={driver}>{children}</Steering>
  }

  it('steers a <RigidBody> of @react-three/rapier by its ref', async () => {
    const seen: Seen = { size: () => 0, arrived: 0 }
    let flown: RapierRigidBody | null = null
    function Pilot({ start }: { start: number }) {
      const body = useRef<RapierRigidBody>(null)
      const world = useSteeringWorld()
      seen.size = () => world.size
      const behavior = useMemo(() => new Arrive({ target: GOAL }), [])
      useSteering({ ...LIMITS, compensateGravity: true, behavior, body, onArrive: () => seen.arrived++ })
      return (
        <RigidBody
          ref={(each: RapierRigidBody | null) => {
            body.current = flown = each
          }}
          colliders="ball"
          position={[start, 0, 0]}
        >
          <mesh name="ship">
            <sphereGeometry args={[0.5]} />
          </mesh>
        </RigidBody>
      )
    }
    const page = (ships: number): ReactNode => (
      <StrictMode>
        <Physics timeStep={1 / 60}>
          <RapierSteering>
            {Array.from({ length: ships }, (_, i) => (
              <Pilot key={i} start={-40 * i} />
            ))}
          </RapierSteering>
        </Physics>
      </StrictMode>
    )
    const mounted = await mount(page(1))
    // Rapier is loaded
    for (let i = 0; i < 50 && seen.size() === 0; i++) {
      await mounted.wait(20)
      await mounted.frames(1)
    }
    expect(seen.size()).toBe(1)
    await mounted.frames(360)
    expect(seen.arrived).toBe(1)
    const { x, y, z } = flown!.translation()
    expect(Math.hypot(x - 4, y - 3, z - 6)).toBeLessThan(0.1)
    const shown = mounted.scene.getObjectByName('ship')!.getWorldPosition(new Vector3())
    expect(shown.distanceTo(new Vector3(4, 3, 6))).toBeLessThan(0.1)
    await mounted.render(page(2))
    await mounted.frames(2)
    expect(seen.size()).toBe(2)
    await mounted.render(page(1))
    await mounted.frames(2)
    expect(seen.size()).toBe(1)
    await mounted.unmount()
  })
})
