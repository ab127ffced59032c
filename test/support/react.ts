import { act, create } from '@react-three/test-renderer'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect } from 'vitest'
import { expectConsole, type ConsoleCall } from './console.js'

/**
 * What Fiber and `@react-three/rapier` print themselves. Node loads their CommonJS build, and with it another
 * three.
 */
const KNOWN = new Set([
  'THREE.Clock: This module has been deprecated. Please use THREE.Timer instead.',
  'WARNING: Multiple instances of Three.js being imported.',
  'using deprecated parameters for the initialization function; pass a single object instead',
])

/**
 * For test files of `three-steering/react`: React may act, and console output other than that of Fiber itself
 * fails a test.
 */
export function watchReact(): void {
  let calls: readonly ConsoleCall[] = []
  beforeEach(() => {
    calls = expectConsole()
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  })
  afterEach(() => {
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
    expect(calls.map(({ text }) => text).filter((text) => !KNOWN.has(text))).toEqual([])
  })
}

export interface Mounted {
  /** Root of the objects. */
  readonly scene: import('three').Scene
  /** Renders something else in the same place. */
  render(element: ReactNode): Promise<void>
  /** Lets frames pass, 60 a second. */
  frames(count: number, delta?: number): Promise<void>
  /** Lets `milliseconds` pass, for what is loaded. */
  wait(milliseconds: number): Promise<void>
  unmount(): Promise<void>
}

export async function mount(element: ReactNode): Promise<Mounted> {
  const renderer = await create(element)
  return {
    scene: renderer.scene.instance as never,
    render: (next) => act(async () => renderer.update(next)),
    frames: (count, delta = 1 / 60) => act(async () => renderer.advanceFrames(count, delta)),
    wait: (milliseconds) => act(() => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))),
    unmount: () => act(async () => renderer.unmount()),
  }
}
