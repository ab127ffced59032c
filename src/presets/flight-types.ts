import { AttackRun } from '../behaviors/pursuit/attack-run.js'
import { DirectedSeek } from '../behaviors/directed-seek/directed-seek.js'
import { Dock } from '../behaviors/docking/dock.js'
import { FollowFlowField } from '../behaviors/flow/follow-flow-field.js'
import { FollowPath } from '../behaviors/paths/follow-path.js'
import type { FollowPathOptions } from '../behaviors/paths/follow-options.js'
import { GateRun } from '../behaviors/paths/gate-run.js'
import { Land } from '../behaviors/docking/land.js'
import { Refuel } from '../behaviors/docking/refuel.js'
import { Strafe } from '../behaviors/pursuit/strafe.js'
import { Undock } from '../behaviors/docking/undock.js'
import { Path } from '../behaviors/paths/path.js'
import { presetType, type PresetType } from './preset-type.js'

/** Behaviours that follow a plan: paths, gates, attack runs, docking. Ports are saved by name. */
export const FLIGHT_TYPES: readonly PresetType[] = [
  presetType('AttackRun', AttackRun),
  presetType('DirectedSeek', DirectedSeek),
  presetType('Dock', Dock, null, { read: coupled }),
  presetType('FollowFlowField', FollowFlowField),
  presetType('FollowPath', FollowPath, null, { make: followPath }),
  presetType('GateRun', GateRun, null, {
    read: ({ gates, children: [behavior], ends, laps, missRadii }) => ({
      gates,
      behavior,
      ends,
      laps,
      missRadii,
    }),
  }),
  presetType('Land', Land, null, { read: coupled }),
  presetType('Refuel', Refuel),
  presetType('Strafe', Strafe),
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
