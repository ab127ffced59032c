import { AttackRun } from '../../blocks/combat/attack-run.js'
import { DirectedSeek } from '../../blocks/directed-seek/directed-seek.js'
import { Dock } from '../../blocks/docking/dock.js'
import { FollowFlowField } from '../../blocks/flow/follow-flow-field.js'
import { neighborSearch } from '../../core/neighbors/neighbor-search.js'
import { FollowPath } from '../../blocks/paths/follow-path.js'
import type { FollowPathOptions } from '../../blocks/paths/follow-options.js'
import { GateRun } from '../../blocks/racing/gate-run.js'
import { Land } from '../../blocks/docking/land.js'
import { Refuel } from '../../blocks/docking/refuel.js'
import { Strafe } from '../../blocks/combat/strafe.js'
import { Undock } from '../../blocks/docking/undock.js'
import { Path } from '../../blocks/paths/path.js'
import { presetType, presetTypes, type PresetType } from './preset-type.js'

/** Behaviours that follow a plan: paths, gates, attack runs, docking. Ports are saved by name. */
export const FLIGHT_TYPES: readonly PresetType[] = [
  ...presetTypes({ AttackRun, DirectedSeek, FollowFlowField, Refuel, Strafe }),
  presetType('Dock', Dock, null, { read: coupled }),
  presetType('FollowPath', FollowPath, null, { make: followPath }),
  presetType('GateRun', GateRun, null, {
    read: (run) => Object.assign({}, run, { behavior: run.children[0] }),
  }),
  presetType('Land', Land, null, { read: coupled }),
  presetType('Undock', Undock, null, { read: coupled }),
]

/** Reads the options as given: the docking point in use may be derived from the ship's size. */
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
  if (options.crowdRadius !== undefined) options.neighborSearch = neighborSearch
  if (path !== null) return new FollowPath({ path, ...options })
  const points = [0, 1].map((x) => ({ x, y: 0, z: 0 }))
  const idle = new FollowPath({ path: new Path({ points }), ...options })
  idle.path = null
  return idle
}
