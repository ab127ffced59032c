import { Dock } from '../../blocks/docking/dock.js'
import { FollowPath } from '../../blocks/paths/follow-path.js'
import type { FollowPathOptions } from '../../blocks/paths/follow-options.js'
import { GateRun } from '../../blocks/racing/gate-run.js'
import { KeepSlot } from '../../blocks/formation/keep-slot.js'
import { Land } from '../../blocks/docking/land.js'
import { Undock } from '../../blocks/docking/undock.js'
import { Path } from '../../blocks/paths/path.js'
import { presetType, type PresetType } from './preset-type.js'

/** Behaviours that follow a plan, with options that are no fields. Ports are saved by name. */
export const FLIGHT_TYPES: readonly PresetType[] = [
  presetType('Dock', Dock, null, { read: coupled }),
  presetType('FollowPath', FollowPath, null, { make: followPath }),
  presetType('GateRun', GateRun, null, {
    read: (run) => Object.assign({}, run, { behavior: run.children[0] }),
  }),
  presetType('KeepSlot', KeepSlot, null, {
    read: (slot) => Object.assign({}, slot, { leadBehavior: slot.children[0] }),
  }),
  presetType('Land', Land, null, { read: coupled }),
  presetType('Undock', Undock, null, { read: coupled }),
]

/**
 * Reads the coupling options as given. The docking point in use may be derived from the ship's size, so it is
 * not saved.
 */
function coupled(ship: Dock | Land | Undock) {
  return Object.assign({}, ship, ship.coupling.given)
}

/**
 * `FollowPath` has to be made with a path. When its path is null, it gets any path, which is then removed.
 */
function followPath({
  path,
  ...options
}: FollowPathOptions | (Omit<FollowPathOptions, 'path'> & { path: null })) {
  if (path !== null) return new FollowPath({ path, ...options })
  const points = [0, 1].map((x) => ({ x, y: 0, z: 0 }))
  const idle = new FollowPath({ path: new Path({ points }), ...options })
  idle.path = null
  return idle
}
