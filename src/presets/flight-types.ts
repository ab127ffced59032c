import { AttackRun } from '../behaviors/pursuit/attack-run.js'
import { DirectedSeek } from '../behaviors/directed-seek/directed-seek.js'
import { Dock, type DockOptions } from '../behaviors/docking/dock.js'
import { FollowFlowField } from '../behaviors/flow/follow-flow-field.js'
import { FollowPath } from '../behaviors/paths/follow-path.js'
import type { FollowPathOptions } from '../behaviors/paths/follow-options.js'
import { GateRun } from '../behaviors/paths/gate-run.js'
import { Land, type LandOptions } from '../behaviors/docking/land.js'
import { Refuel } from '../behaviors/docking/refuel.js'
import { Strafe } from '../behaviors/pursuit/strafe.js'
import { Undock } from '../behaviors/docking/undock.js'
import { Path } from '../behaviors/paths/path.js'
import { presetType, type PresetType } from './preset-type.js'

/** Options of a ship's docking point. */
const COUPLING = { probe: 'vector', axis: 'vector', top: 'vector' } as const

const MOORING = {
  closingSpeed: 'number',
  entrySpeed: 'number',
  holdDistance: 'number',
  latchDistance: 'number',
  tolerance: 'number',
  angleTolerance: 'number',
  dwell: 'number',
  hold: 'boolean',
  timeout: 'number',
} as const

/** Behaviours that follow a plan: paths, gates, attack runs, docking. Ports are saved by name. */
export const FLIGHT_TYPES: readonly PresetType[] = [
  presetType('AttackRun', AttackRun),
  presetType('DirectedSeek', DirectedSeek, {
    target: 'waypoint',
    method: 'text',
    radius: 'number',
    speed: 'number',
    arrivalSpeed: 'number',
    plane: 'vector',
    reverse: 'boolean',
    effort: 'text',
    tolerance: 'number',
    angleTolerance: 'number',
    planningTime: 'number',
  }),
  presetType(
    'Dock',
    Dock,
    { ports: ['named'], ...COUPLING, ...MOORING, speedTolerance: 'number', spinTolerance: 'number' },
    { read: coupled, make: (options: Omit<DockOptions, 'port'>) => new Dock(options) },
  ),
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
  presetType(
    'Land',
    Land,
    { ports: ['named'], ...COUPLING, ...MOORING, heading: 'text', clearance: 'number' },
    { read: coupled, make: (options: Omit<LandOptions, 'port'>) => new Land(options) },
  ),
  presetType('Refuel', Refuel, {
    target: 'named',
    offset: 'vector',
    precontact: 'vector',
    closingSpeed: 'number',
    clearance: 'number',
    tolerance: 'number',
    angleTolerance: 'number',
    speedTolerance: 'number',
    dwell: 'number',
    slack: 'number',
    attitude: 'text',
    velocityTurns: 'boolean',
  }),
  presetType('Strafe', Strafe),
  presetType('Undock', Undock, { port: 'named', ...COUPLING, exitSpeed: 'number' }, { read: coupled }),
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
