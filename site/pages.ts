/**
 * The pages of behaviours and schemes, as the sidebar shows them. A page is named as its class or function.
 */
export const BEHAVIORS: Readonly<Record<string, readonly string[]>> = {
  'One target': [
    'Seek',
    'Flee',
    'Arrive',
    'Orbit',
    'Loiter',
    'Wander',
    'Tether',
    'Cruise',
    'MatchVelocity',
    'Stop',
    'Stick',
  ],
  Attitude: ['Face', 'LookWhereGoing', 'MatchAttitude'],
  'Moving targets': [
    'Pursue',
    'Evade',
    'EvadeGroup',
    'OffsetPursue',
    'Interpose',
    'LeaderFollow',
    'JoinUp',
    'AttackRun',
    'Strafe',
  ],
  'Obstacles and walls': [
    'AvoidObstacles',
    'Contain',
    'AvoidWalls',
    'RepelObstacle',
    'ClassicAvoidance',
    'WallFollow',
    'Hide',
    'Sight',
  ],
  'Other agents': ['ReciprocalAvoidance', 'AvoidAgents', 'Queue', 'SlowInCrowd'],
  Flocks: ['Flocking', 'Separation', 'Alignment', 'Cohesion'],
  'Paths, gates and poses': ['FollowPath', 'GateRun', 'DirectedSeek', 'FollowFlowField'],
  Docking: ['Dock', 'Undock', 'Land', 'Refuel'],
  Formations: ['KeepSlot', 'KeepPace'],
}

export const SCHEMES: readonly string[] = [
  'within',
  'blend',
  'priority',
  'truncatedSum',
  'dither',
  'contextMap',
  'modes',
  'smooth',
  'pipeline',
]

/** The file of a page, without its ending: `LookWhereGoing` is `look-where-going`. */
export function fileOf(name: string): string {
  return name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`).toLowerCase()
}
