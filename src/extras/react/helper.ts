import { useThree } from '@react-three/fiber'
import { useEffect, useState, type ReactNode } from 'react'
import {
  SteeringHelper as HelperObject,
  type SteeringHelperOptions,
  type Traceable,
} from '../debug/helper.js'
import type { SteeringWorld } from '../../core/engine/world.js'
import { type Steered, useMember } from './explanation.js'
import { useSame } from './same.js'
import { useHost } from './host.js'

export interface SteeringHelperProps extends SteeringHelperOptions {
  /** What is drawn: an agent, a flock, a world, an explanation. Null draws nothing. Default the world. */
  of?: Steered | SteeringWorld | Traceable | null
}

/**
 * Draws motion and decisions of agents as lines, see `SteeringHelper` of `three-steering/debug`. The lines
 * are in world axes, wherever the component stands.
 * @throws Error outside of `<Steering>`.
 */
export function SteeringHelper({ of, layers, colors }: SteeringHelperProps): ReactNode {
  const host = useHost('SteeringHelper')
  const scene = useThree((state) => state.scene)
  const { member, version } = useMember<SteeringWorld | Traceable | Steered | null>(
    of === undefined ? host.world : of,
  )
  const palette = useSame(colors)
  const [helper, setHelper] = useState<HelperObject | null>(null)

  useEffect(() => {
    if (member === null) return undefined
    const made = new HelperObject(member, palette === undefined ? {} : { colors: palette })
    scene.add(made)
    setHelper(made)
    const update = (): void => made.update()
    host.afterFrame.add(update)
    return () => {
      host.afterFrame.delete(update)
      made.dispose()
      setHelper(null)
    }
  }, [host, scene, member, version, palette])

  const shown = layers?.join('\n')
  useEffect(() => {
    if (helper !== null) helper.shown = shown === undefined ? null : new Set(shown.split('\n'))
  }, [helper, shown])

  return null
}
