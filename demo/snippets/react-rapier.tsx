import { Canvas } from '@react-three/fiber'
import { Physics, RigidBody, useAfterPhysicsStep, useBeforePhysicsStep, useRapier } from '@react-three/rapier'
import type { RapierRigidBody } from '@react-three/rapier'
import { useMemo, useRef, type ReactNode } from 'react'
import { Arrive, type Vec3Like } from 'three-steering'
import { rapierDriver, Steering, useSteering } from 'three-steering/react'

/** Stands inside of `<Physics>`, around all that is steered. */
export function RapierSteering({ children }: { children: ReactNode }) {
  const { world } = useRapier()
  const driver = useMemo(() => rapierDriver(world, { steps: false }), [world])
  useBeforePhysicsStep(driver.beforeStep)
  useAfterPhysicsStep(driver.afterStep)
  return <Steering driver={driver}>{children}</Steering>
}

export function Drone({ target, onArrive }: { target: Vec3Like; onArrive: () => void }) {
  const body = useRef<RapierRigidBody>(null)
  const behavior = useMemo(() => new Arrive({ target }), [target])
  // @react-three/rapier moves the mesh, so it needs no ref
  useSteering({ behavior, body, maxSpeed: 6, maxForce: 60, compensateGravity: true, onArrive })
  return (
    <RigidBody ref={body} colliders="ball">
      <mesh>
        <sphereGeometry args={[0.5]} />
        <meshNormalMaterial />
      </mesh>
    </RigidBody>
  )
}

const HIGH = { x: 2, y: 3, z: 0 }

export default function App() {
  return (
    <Canvas style={{ position: 'fixed', inset: 0 }} camera={{ position: [0, 2, 10] }}>
      <Physics timeStep={1 / 60}>
        <RapierSteering>
          <Drone target={HIGH} onArrive={() => console.info('there')} />
        </RapierSteering>
      </Physics>
    </Canvas>
  )
}
