import { StrictMode, useState, type ReactNode } from 'react'
import { InstancedMesh, Matrix4, Vector3 } from 'three'
import { beforeEach, describe, expect, it } from 'vitest'
import { Arrive, Flock as FlockOfAgents, Flocking, SteeringWorld } from 'three-steering'
import {
  Flock,
  Steering,
  useFlock,
  useSteeringWorld,
  type FlockHandle,
  type FlockProps,
} from 'three-steering/react'
import { mount, watchReact } from '../../support/react.js'

watchReact()

const LIMITS = { maxSpeed: 5, maxForce: 10, seed: 4 }

interface Seen {
  world?: SteeringWorld
}

function Witness({ seen }: { seen: Seen }) {
  seen.world = useSteeringWorld()
  return null
}

/** The places of the instances that are shown. */
function shown(mesh: InstancedMesh): Vector3[] {
  return Array.from({ length: mesh.count }, (_, i) => {
    const matrix = new Matrix4()
    mesh.getMatrixAt(i, matrix)
    return new Vector3().setFromMatrixPosition(matrix)
  })
}

const ref: { current: FlockHandle | null } = { current: null }
const flocking = (): Flocking =>
  new Flocking({
    separation: { neighborDistance: 2, weight: 1 },
    alignment: { neighborDistance: 6, weight: 1 },
    cohesion: { neighborDistance: 6, weight: 1 },
  })
let behavior: Flocking
beforeEach(() => void (behavior = flocking()))

describe('<Flock>', () => {
  const scene = (seen: Seen, props: Partial<FlockProps>, capacity = 50): ReactNode => (
    <StrictMode>
      <Steering seed={2}>
        <Witness seen={seen} />
        <Flock ref={ref} {...LIMITS} count={30} behavior={behavior} {...props}>
          <group>
            <instancedMesh args={[undefined, undefined, capacity]} />
          </group>
        </Flock>
      </Steering>
    </StrictMode>
  )
  const meshIn = (mounted: { scene: { traverse(visit: (object: object) => void): void } }): InstancedMesh => {
    let mesh: InstancedMesh | undefined
    mounted.scene.traverse((object) => {
      if ('isInstancedMesh' in object) mesh = object as InstancedMesh
    })
    return mesh!
  }

  it('flies as a flock without React, to the bit, on the instances of its child', async () => {
    const seen: Seen = {}
    const mounted = await mount(scene(seen, {}))
    expect(seen.world!.size).toBe(30)
    await mounted.frames(40, 1 / 50)
    const world = new SteeringWorld({ seed: 2 })
    const view = new InstancedMesh(undefined, undefined, 50)
    world.add(new FlockOfAgents({ ...LIMITS, count: 30, behavior: flocking(), view }))
    for (let i = 0; i < 40; i++) world.advance(1 / 50)
    expect(shown(meshIn(mounted))).toEqual(shown(view))
    expect(ref.current!.flock!.size).toBe(30)
    await mounted.unmount()
    expect(seen.world!.isDisposed).toBe(true)
  })

  it('adds and removes members at the end, and changes limits', async () => {
    const seen: Seen = {}
    const mounted = await mount(scene(seen, {}))
    const { flock } = ref.current!
    await mounted.render(scene(seen, { count: 45, maxSpeed: 9 }))
    expect(ref.current!.flock).toBe(flock)
    expect([seen.world!.size, flock!.maxSpeed]).toEqual([45, 9])
    await mounted.frames(2)
    expect(meshIn(mounted).count).toBe(45)
    await mounted.render(scene(seen, { count: 10 }))
    await mounted.frames(1)
    expect([seen.world!.size, meshIn(mounted).count]).toEqual([10, 10])
  })

  it('goes on where it is when the flock, or the mesh of its child, is made anew', async () => {
    const seen: Seen = {}
    const mounted = await mount(scene(seen, { count: 45 }))
    await mounted.frames(30)
    const flock = ref.current!.flock!
    const places = (): number[][] =>
      Array.from({ length: ref.current!.flock!.size }, (_, i) =>
        Object.values(ref.current!.flock!.position(i, { x: 0, y: 0, z: 0 })),
      )
    const before = places()
    await mounted.render(scene(seen, { count: 45, mass: 3 }))
    expect(ref.current!.flock).not.toBe(flock)
    expect(places()).toEqual(before)
    const mesh = meshIn(mounted)
    await mounted.render(scene(seen, { count: 45, mass: 3 }, 60))
    expect(meshIn(mounted)).not.toBe(mesh)
    await mounted.frames(1)
    await mounted.frames(1)
    const nearest = shown(meshIn(mounted)).map((place, i) => place.distanceTo(new Vector3(...before[i]!)))
    expect(meshIn(mounted).count).toBe(45)
    expect(Math.max(...nearest)).toBeLessThan(0.5)
    expect(seen.world!.size).toBe(45)
  })

  it('tells which member arrived, once for each', async () => {
    const seen: Seen = {}
    const told: number[] = []
    const behavior = new Arrive({ target: { x: 3, y: 1, z: 0 } })
    const mounted = await mount(
      scene(seen, {
        count: 3,
        behavior,
        spawn: (i, { position, velocity }) => {
          position.x = 0
          position.y = 10 * i
          position.z = i
          velocity.x = velocity.y = velocity.z = 0
        },
        onArrive: ({ index }) => told.push(index),
      }),
    )
    await mounted.frames(360)
    expect(new Set(told)).toEqual(new Set([0, 1, 2]))
  })
})

describe('useFlock', () => {
  it('is shown by a mesh of the user, and leaves with its component', async () => {
    const seen: Seen = {}
    function Birds() {
      const [behavior] = useState(flocking)
      const birds = useFlock({ ...LIMITS, count: 8, behavior })
      return <instancedMesh ref={birds.ref} args={[undefined, undefined, 8]} />
    }
    const scene = (there: boolean): ReactNode => (
      <Steering>
        <Witness seen={seen} />
        {there && <Birds />}
      </Steering>
    )
    const mounted = await mount(scene(true))
    await mounted.frames(20)
    const mesh = mounted.scene.children[0] as InstancedMesh
    expect(new Set(shown(mesh).map(({ x }) => x)).size).toBe(8)
    await mounted.render(scene(false))
    await mounted.frames(1)
    expect(seen.world!.size).toBe(0)
  })
})
