import { Arrive } from '../behaviors/motion/arrive.js'
import { AvoidObstacles } from '../behaviors/avoidance/avoid-obstacles.js'
import { AvoidWalls } from '../behaviors/avoidance/avoid-walls.js'
import { Contain } from '../behaviors/avoidance/contain.js'
import { Cruise } from '../behaviors/motion/cruise.js'
import { Evade } from '../behaviors/pursuit/evade.js'
import { Face } from '../behaviors/motion/face.js'
import { Flee } from '../behaviors/motion/flee.js'
import { Hide } from '../behaviors/avoidance/hide.js'
import { Interpose } from '../behaviors/pursuit/interpose.js'
import { JoinUp } from '../behaviors/pursuit/join-up.js'
import { LeaderFollow } from '../behaviors/pursuit/leader-follow.js'
import { LookWhereGoing } from '../behaviors/motion/look-where-going.js'
import { MatchAttitude } from '../behaviors/motion/match-attitude.js'
import { MatchVelocity } from '../behaviors/motion/match-velocity.js'
import { OffsetPursue } from '../behaviors/pursuit/offset-pursue.js'
import { Orbit } from '../behaviors/pursuit/orbit.js'
import { PerlinNoise } from '../behaviors/motion/perlin-noise.js'
import { Pursue } from '../behaviors/pursuit/pursue.js'
import { RepelObstacle } from '../behaviors/avoidance/repel-obstacle.js'
import { Seek } from '../behaviors/motion/seek.js'
import { Tether } from '../behaviors/motion/tether.js'
import { WallFollow } from '../behaviors/avoidance/wall-follow.js'
import { Wander } from '../behaviors/motion/wander.js'
import { presetType, type PresetType } from './preset-type.js'

/** Behaviours that steer by a point, one other agent, or obstacles. */
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
    clearance: 'number',
    brakingWeight: 'number',
  }),
  presetType('AvoidWalls', AvoidWalls, {
    obstacles: 'instance',
    ignore: 'function',
    method: 'text',
    horizon: 'number',
    gain: 'number',
    feelers: 'number',
    angle: 'number',
    sideShare: 'number',
    clearance: 'number',
  }),
  presetType('Contain', Contain, { bounds: 'instance', clearance: 'number' }),
  presetType('Cruise', Cruise, { speedShare: 'number' }),
  presetType('Evade', Evade, {
    target: 'named',
    panicDistance: 'number',
    maxPredictionTime: 'number',
    method: 'text',
    agilityRatio: 'number',
    catchDistance: 'number?',
  }),
  presetType('Face', Face, { target: 'point', roll: 'text' }),
  presetType('Flee', Flee, { target: 'point', panicDistance: 'number' }),
  presetType('Hide', Hide, {
    target: 'point',
    obstacles: 'instance',
    clearance: 'number',
    lookAhead: 'number',
    panicDistance: 'number',
    onlyIfSeen: 'boolean',
    memoryTime: 'number',
    targetFieldOfView: 'number',
    ignore: 'function',
  }),
  presetType('Interpose', Interpose, { targets: ['point'], ratio: 'number' }),
  presetType('JoinUp', JoinUp, {
    target: 'named',
    offset: 'vector',
    clearance: 'number',
    speed: 'number',
    tolerance: 'number',
    speedTolerance: 'number',
  }),
  presetType('LeaderFollow', LeaderFollow, {
    target: 'named',
    distance: 'number',
    headway: 'number',
    clearance: 'number',
  }),
  presetType('LookWhereGoing', LookWhereGoing, { smoothing: 'number', roll: 'text' }),
  presetType('MatchAttitude', MatchAttitude, { target: 'named' }),
  presetType('MatchVelocity', MatchVelocity, { target: 'named' }),
  presetType('OffsetPursue', OffsetPursue, { target: 'named', offset: 'vector' }),
  presetType('Orbit', Orbit, {
    target: 'point',
    radius: 'number',
    speed: 'number',
    axis: 'vector',
    sphere: 'boolean',
  }),
  presetType('PerlinNoise', PerlinNoise, { wavelength: 'number', seed: 'number', at: 'named' }),
  presetType('Pursue', Pursue, {
    target: 'named',
    prediction: 'text',
    maxPredictionTime: 'number',
    predictionFactor: 'number',
    aimError: 'number',
    aimErrorTime: 'number',
  }),
  presetType('RepelObstacle', RepelObstacle, {
    obstacles: 'instance',
    range: 'number',
    weight: 'number',
    ignore: 'function',
  }),
  presetType('Seek', Seek, { target: 'point' }),
  presetType('Tether', Tether, { target: 'point', radius: 'number', fadeWidth: 'number', weight: 'number' }),
  presetType('WallFollow', WallFollow, {
    obstacles: 'instance',
    distance: 'number',
    speed: 'number',
    side: 'text',
  }),
  presetType('Wander', Wander, {
    radius: 'number',
    distance: 'number',
    offset: 'vector',
    jitter: 'number',
    noise: 'instance',
    speedShare: 'number',
  }),
]
