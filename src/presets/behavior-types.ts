import { Arrive } from '../behaviors/arrive.js'
import { AvoidObstacles } from '../behaviors/avoid-obstacles.js'
import { AvoidWalls } from '../behaviors/avoid-walls.js'
import { Contain } from '../behaviors/contain.js'
import { Cruise } from '../behaviors/cruise.js'
import { Evade } from '../behaviors/evade.js'
import { Face } from '../behaviors/face.js'
import { Flee } from '../behaviors/flee.js'
import { Hide } from '../behaviors/hide.js'
import { Interpose } from '../behaviors/interpose.js'
import { JoinUp } from '../behaviors/join-up.js'
import { LeaderFollow } from '../behaviors/leader-follow.js'
import { LookWhereGoing } from '../behaviors/look-where-going.js'
import { MatchAttitude } from '../behaviors/match-attitude.js'
import { MatchVelocity } from '../behaviors/match-velocity.js'
import { OffsetPursue } from '../behaviors/offset-pursue.js'
import { Orbit } from '../behaviors/orbit.js'
import { Pursue } from '../behaviors/pursue.js'
import { RepelObstacle } from '../behaviors/repel-obstacle.js'
import { Seek } from '../behaviors/seek.js'
import { Tether } from '../behaviors/tether.js'
import { WallFollow } from '../behaviors/wall-follow.js'
import { Wander } from '../behaviors/wander.js'
import { presetType, type PresetType } from './preset-type.js'

/** Behaviours about a place, another, or what stands around. */
export const BEHAVIOR_TYPES: readonly PresetType[] = [
  presetType('Arrive', Arrive, {
    target: 'point',
    tolerance: 'number',
    speedTolerance: 'number',
    dwell: 'number',
    decelerationTime: 'number',
  }),
  presetType('AvoidObstacles', AvoidObstacles, {
    obstacles: 'instance',
    ignore: 'function',
    method: 'text',
    horizon: 'number',
    margin: 'number',
    brakingWeight: 'number',
  }),
  presetType('AvoidWalls', AvoidWalls, {
    obstacles: 'instance',
    ignore: 'function',
    method: 'text',
    time: 'number',
    gain: 'number',
    feelers: 'number',
    angle: 'number',
    sideShare: 'number',
    skin: 'number',
  }),
  presetType('Contain', Contain, { bounds: 'instance', skin: 'number' }),
  presetType('Cruise', Cruise, { speedShare: 'number' }),
  presetType('Evade', Evade, {
    threat: 'named',
    panicRadius: 'number',
    maxTime: 'number',
    method: 'text',
    grip: 'number',
    catchRadius: 'number?',
  }),
  presetType('Face', Face, { target: 'point', roll: 'text' }),
  presetType('Flee', Flee, { target: 'point', panicRadius: 'number' }),
  presetType('Hide', Hide, {
    from: 'point',
    obstacles: 'instance',
    distance: 'number',
    range: 'number',
    panicDistance: 'number',
    onlyIfSeen: 'boolean',
    memoryTime: 'number',
    ignore: 'function',
  }),
  presetType('Interpose', Interpose, { between: ['point'], ratio: 'number' }),
  presetType('JoinUp', JoinUp, {
    leader: 'named',
    offset: 'vector',
    clearance: 'number',
    speed: 'number',
    tolerance: 'number',
    speedTolerance: 'number',
  }),
  presetType('LeaderFollow', LeaderFollow, {
    leader: 'named',
    distance: 'number',
    headway: 'number',
    clearance: 'number',
  }),
  presetType('LookWhereGoing', LookWhereGoing, { smoothing: 'number', roll: 'text' }),
  presetType('MatchAttitude', MatchAttitude, { target: 'named' }),
  presetType('MatchVelocity', MatchVelocity, { target: 'named' }),
  presetType('OffsetPursue', OffsetPursue, { leader: 'named', offset: 'vector' }),
  presetType('Orbit', Orbit, {
    center: 'point',
    radius: 'number',
    speed: 'number',
    axis: 'vector',
    sphere: 'boolean',
  }),
  presetType('Pursue', Pursue, {
    quarry: 'named',
    prediction: 'text',
    maxTime: 'number',
    misjudge: 'number',
    scatter: 'number',
    scatterTime: 'number',
  }),
  presetType('RepelObstacle', RepelObstacle, {
    obstacles: 'instance',
    range: 'number',
    weight: 'number',
    ignore: 'function',
  }),
  presetType('Seek', Seek, { target: 'point' }),
  presetType('Tether', Tether, { center: 'point', radius: 'number', width: 'number', weight: 'number' }),
  presetType('WallFollow', WallFollow, {
    obstacles: 'instance',
    distance: 'number',
    speed: 'number',
    side: 'text',
  }),
  presetType('Wander', Wander, {
    radius: 'number',
    distance: 'number',
    jitter: 'number',
    speedShare: 'number',
  }),
]
