import { Arrive } from '../../core/behaviors/motion/arrive.js'
import { AvoidObstacles } from '../../core/behaviors/avoidance/avoid-obstacles.js'
import { AvoidWalls } from '../../core/behaviors/avoidance/avoid-walls.js'
import { Contain } from '../../core/behaviors/avoidance/contain.js'
import { Cruise } from '../../core/behaviors/motion/cruise.js'
import { Evade } from '../../blocks/pursuit/evade.js'
import { Face } from '../../core/behaviors/motion/face.js'
import { Flee } from '../../core/behaviors/motion/flee.js'
import { Hide } from '../../blocks/cover/hide.js'
import { Interpose } from '../../blocks/pursuit/interpose.js'
import { JoinUp } from '../../blocks/pursuit/join-up.js'
import { LeaderFollow } from '../../blocks/pursuit/leader-follow.js'
import { LookWhereGoing } from '../../core/behaviors/motion/look-where-going.js'
import { MatchAttitude } from '../../core/behaviors/motion/match-attitude.js'
import { MatchVelocity } from '../../core/behaviors/motion/match-velocity.js'
import { OffsetPursue } from '../../blocks/pursuit/offset-pursue.js'
import { Loiter } from '../../blocks/pursuit/loiter.js'
import { Orbit } from '../../blocks/pursuit/orbit.js'
import { PerlinNoise } from '../../core/behaviors/motion/perlin-noise.js'
import { Pursue } from '../../blocks/pursuit/pursue.js'
import { RepelObstacle } from '../../core/behaviors/avoidance/repel-obstacle.js'
import { Seek } from '../../core/behaviors/motion/seek.js'
import { Stick } from '../../core/behaviors/motion/stick.js'
import { Stop } from '../../core/behaviors/motion/stop.js'
import { Tether } from '../../core/behaviors/motion/tether.js'
import { WallFollow } from '../../blocks/cover/wall-follow.js'
import { Wander } from '../../core/behaviors/motion/wander.js'
import { presetTypes, type PresetType } from './preset-type.js'

/** Behaviours that steer by a point, one other agent, or obstacles. */
export const BEHAVIOR_TYPES: readonly PresetType[] = [
  ...presetTypes({
    Arrive,
    Cruise,
    Face,
    Flee,
    LookWhereGoing,
    MatchAttitude,
    MatchVelocity,
    PerlinNoise,
    Seek,
  }),
  ...presetTypes({ Stick, Stop, Tether, Wander }),
  ...presetTypes({ AvoidObstacles, AvoidWalls, Contain, Hide, RepelObstacle, WallFollow }),
  ...presetTypes({ Evade, Interpose, JoinUp, LeaderFollow, Loiter, OffsetPursue, Orbit, Pursue }),
]
