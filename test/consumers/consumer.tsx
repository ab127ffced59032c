// A page of a user with React Three Fiber, compiled and run without a browser against the packed package by scripts/consumers.mjs.
import { act, create } from '@react-three/test-renderer'
import { StrictMode, useMemo } from 'react'
import type { InstancedMesh } from 'three'
import { Arrive, Flocking } from 'three-steering'
import { Flock, Steering, useSteering } from 'three-steering/react'

const COUNT = 20
const GOAL = { x: 4, y: 3, z: -6 }
const RULE = { neighborDistance: 6, weight: 1 }
const RULES = { separation: RULE, alignment: RULE, cohesion: RULE }
let arrivals = 0

function Ship() {
  const behavior = useMemo(() => new Arrive({ target: GOAL }), [])
  const ship = useSteering({ behavior, maxSpeed: 8, maxForce: 40, onArrive: () => arrivals++ })
  return <mesh ref={ship.ref} name="ship" position={[0, 0, 20]} />
}

function Birds() {
  const behavior = useMemo(() => new Flocking(RULES), [])
  return (
    <Flock count={COUNT} behavior={behavior} maxSpeed={5} maxForce={10} seed={3}>
      <instancedMesh name="birds" args={[undefined, undefined, COUNT]} />
    </Flock>
  )
}

function check(condition: boolean, what: string): void {
  if (!condition) throw new Error(`${what}: does not hold`)
}

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
const renderer = await create(
  <StrictMode>
    <Steering seed={7}>
      <Ship />
      <Birds />
    </Steering>
  </StrictMode>,
)
const birds = renderer.scene.findByProps({ name: 'birds' }).instance as InstancedMesh
const matrices = () => Array.from(birds.instanceMatrix.array)
const before = matrices()
await act(async () => renderer.advanceFrames(600, 1 / 60))
const { x, y, z } = renderer.scene.findByProps({ name: 'ship' }).instance.position
check(Math.hypot(x - GOAL.x, y - GOAL.y, z - GOAL.z) < 0.05, 'the ship arrives')
check(arrivals === 1, 'it is told once')
check(before.length === 320 && matrices().some((value, i) => value !== before[i]), 'the birds fly')
await act(async () => renderer.unmount())
