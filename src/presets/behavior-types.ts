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
import { Stick } from '../behaviors/motion/stick.js'
import { Stop } from '../behaviors/motion/stop.js'
import { Tether } from '../behaviors/motion/tether.js'
import { WallFollow } from '../behaviors/avoidance/wall-follow.js'
import { Wander } from '../behaviors/motion/wander.js'
import { presetType, type PresetType } from './preset-type.js'

/** Behaviours that steer by a point, one other agent, or obstacles. */
export const BEHAVIOR_TYPES: readonly PresetType[] = [
  presetType('Arrive', Arrive),
  presetType('AvoidObstacles', AvoidObstacles),
  presetType('AvoidWalls', AvoidWalls),
  presetType('Contain', Contain),
  presetType('Cruise', Cruise),
  presetType('Evade', Evade),
  presetType('Face', Face),
  presetType('Flee', Flee),
  presetType('Hide', Hide),
  presetType('Interpose', Interpose),
  presetType('JoinUp', JoinUp),
  presetType('LeaderFollow', LeaderFollow),
  presetType('LookWhereGoing', LookWhereGoing),
  presetType('MatchAttitude', MatchAttitude),
  presetType('MatchVelocity', MatchVelocity),
  presetType('OffsetPursue', OffsetPursue),
  presetType('Orbit', Orbit),
  presetType('PerlinNoise', PerlinNoise),
  presetType('Pursue', Pursue),
  presetType('RepelObstacle', RepelObstacle),
  presetType('Seek', Seek),
  presetType('Stick', Stick),
  presetType('Stop', Stop),
  presetType('Tether', Tether),
  presetType('WallFollow', WallFollow),
  presetType('Wander', Wander),
]
