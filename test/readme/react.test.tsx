import { Physics } from '@react-three/rapier'
import { StrictMode } from 'react'
import { expect, it } from 'vitest'
import { InstancedMesh, Vector3, type Object3D } from 'three'
import { Scene } from '../../demo/snippets/react.js'
import { Drone, RapierSteering } from '../../demo/snippets/react-rapier.js'
import { mount, watchReact } from '../support/react.js'

// The code of docs/guides/react.md. That the guide shows it is tested in readme.test.ts.

watchReact()

it('the ship of the guide flies to a target that changes, and its birds fly', async () => {
  const told: string[] = []
  const page = (y: number, birds: number) => (
    <StrictMode>
      <Scene target={targets[y]!} birds={birds} onArrive={() => told.push(`${y}`)} />
    </StrictMode>
  )
  const targets = [0, 5].map((y) => ({ x: 0, y, z: 10 }))
  const mounted = await mount(page(0, 40))
  const objects = (): Object3D[] => {
    const found: Object3D[] = []
    mounted.scene.traverse((each) => found.push(each))
    return found
  }
  const birds = objects().find((each) => 'isInstancedMesh' in each) as InstancedMesh
  const ship = objects().find((each) => 'isMesh' in each && each !== birds)!
  await mounted.frames(300)
  expect(told).toEqual(['0'])
  expect(birds.count).toBe(40)
  expect(objects().filter(({ type, visible }) => type === 'LineSegments' && visible).length).toBeGreaterThan(
    0,
  )
  await mounted.render(page(1, 60))
  await mounted.frames(240)
  expect(told).toEqual(['0', '1'])
  expect(birds.count).toBe(60)
  expect(ship.getWorldPosition(new Vector3()).distanceTo(new Vector3(0, 5, 10))).toBeLessThan(0.1)
})

it('the drone of the guide flies by @react-three/rapier', async () => {
  const told: string[] = []
  const target = { x: 0, y: 4, z: 3 }
  const mounted = await mount(
    <Physics timeStep={1 / 60}>
      <RapierSteering>
        <Drone target={target} onArrive={() => told.push('there')} />
      </RapierSteering>
    </Physics>,
  )
  for (let i = 0; i < 100 && told.length === 0; i++) {
    await mounted.wait(5)
    await mounted.frames(10)
  }
  expect(told).toEqual(['there'])
  await mounted.unmount()
})
