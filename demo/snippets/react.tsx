import { Canvas } from '@react-three/fiber'
import { useMemo } from 'react'
import { Arrive, blend, Cruise, Flocking, Tether, type Vec3Like } from 'three-steering'
import { Flock, Steering, SteeringHelper, useExplanation, useSteering } from 'three-steering/react'

function Ship({ target, onArrive }: { target: Vec3Like; onArrive: () => void }) {
  // memoised: a behaviour that is made anew has forgotten everything
  const behavior = useMemo(() => new Arrive({ target }), [target])
  const ship = useSteering({
    behavior,
    maxSpeed: 12, // m/s
    maxForce: 30, // N
    mass: 2, // kg
    onArrive,
  })
  const why = useExplanation(ship, { interval: 0.25 /* s */ })
  const asks = why?.root ? Math.hypot(...Object.values(why.root.asked.force)) : 0
  return (
    <>
      <group ref={ship.ref} position={[0, 0, -20]}>
        {/* the nose of an agent is +Z, that of a cone +Y */}
        <mesh rotation-x={Math.PI / 2}>
          <coneGeometry args={[0.5, 2]} />
          <meshStandardMaterial color={asks > 1 ? 'orange' : 'skyblue'} />
        </mesh>
      </group>
      <SteeringHelper of={ship} layers={['velocity', 'force given']} />
    </>
  )
}

function Birds({ count }: { count: number }) {
  const behavior = useMemo(() => {
    const flocking = new Flocking({
      separation: { neighborDistance: 3, weight: 1.5 },
      alignment: { neighborDistance: 8, weight: 1 },
      cohesion: { neighborDistance: 8, weight: 0.6 },
    })
    return blend([flocking, new Cruise(), new Tether({ target: { x: 0, y: 5, z: 0 }, radius: 20 })])
  }, [])
  return (
    <Flock count={count} behavior={behavior} maxSpeed={9} maxForce={12} maxNeighbors={7}>
      <instancedMesh args={[undefined, undefined, 500]}>
        <tetrahedronGeometry args={[0.4]} />
        <meshStandardMaterial />
      </instancedMesh>
    </Flock>
  )
}

export function Scene(props: { target: Vec3Like; birds: number; onArrive: () => void }) {
  return (
    <Steering seed={7}>
      <Ship target={props.target} onArrive={props.onArrive} />
      <Birds count={props.birds} />
    </Steering>
  )
}

const STATION = { x: 0, y: 5, z: 10 }

export default function App() {
  return (
    <Canvas
      style={{ position: 'fixed', inset: 0, background: '#10141f' }}
      camera={{ position: [-20, 15, 40] }}
    >
      <ambientLight />
      <directionalLight position={[-1, 2, 1]} />
      <Scene target={STATION} birds={300} onArrive={() => console.info('there')} />
    </Canvas>
  )
}
