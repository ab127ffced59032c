/**
 * The behaviours of the main entry that presets hold by their option tables. An export line here is all that
 * the main entry and the presets need of a new one.
 */

// Single-target motion
export { Arrive, type ArriveOptions } from '../core/behaviors/motion/arrive.js'
export { Cruise, type CruiseOptions } from '../core/behaviors/motion/cruise.js'
export { Face, type FaceOptions } from '../core/behaviors/motion/face.js'
export { Flee, type FleeOptions } from '../core/behaviors/motion/flee.js'
export { LookWhereGoing, type LookWhereGoingOptions } from '../core/behaviors/motion/look-where-going.js'
export { MatchAttitude, type MatchAttitudeOptions } from '../core/behaviors/motion/match-attitude.js'
export { MatchVelocity, type MatchVelocityOptions } from '../core/behaviors/motion/match-velocity.js'
export { PerlinNoise, type PerlinNoiseOptions } from '../core/behaviors/motion/perlin-noise.js'
export { Seek, type SeekOptions } from '../core/behaviors/motion/seek.js'
export { Stick, type StickOptions } from '../core/behaviors/motion/stick.js'
export { Stop, type StopOptions } from '../core/behaviors/motion/stop.js'
export { Tether, type TetherOptions } from '../core/behaviors/motion/tether.js'
export { Wander, type WanderOptions } from '../core/behaviors/motion/wander.js'

// Moving targets
export { AttackRun, type AttackRunOptions } from './combat/attack-run.js'
export { Evade, type EvadeOptions } from './pursuit/evade.js'
export { EvadeGroup, type EvadeGroupOptions } from './pursuit/evade-group.js'
export { Interpose, type InterposeOptions } from './pursuit/interpose.js'
export { JoinUp, type JoinUpOptions } from './pursuit/join-up.js'
export { LeaderFollow, type LeaderFollowOptions } from './pursuit/leader-follow.js'
export { Loiter, type LoiterOptions } from './pursuit/loiter.js'
export { OffsetPursue, type OffsetPursueOptions } from './pursuit/offset-pursue.js'
export { Orbit, type OrbitOptions } from './pursuit/orbit.js'
export { Pursue, type PursueOptions } from './pursuit/pursue.js'
export { Strafe, type StrafeOptions } from './combat/strafe.js'

// Obstacles, walls, other agents
export { AvoidAgents, type AvoidAgentsOptions } from './classic/avoid-agents.js'
export { AvoidObstacles, type AvoidObstaclesOptions } from '../core/behaviors/avoidance/avoid-obstacles.js'
export { AvoidWalls, type AvoidWallsOptions } from '../core/behaviors/avoidance/avoid-walls.js'
export { Contain, type ContainOptions } from '../core/behaviors/avoidance/contain.js'
export { Hide, type HideOptions } from './cover/hide.js'
export { Queue, type QueueOptions } from './crowds/queue.js'
export { ReciprocalAvoidance, type ReciprocalAvoidanceOptions } from './crowds/reciprocal-avoidance.js'
export { RepelObstacle, type RepelObstacleOptions } from '../core/behaviors/avoidance/repel-obstacle.js'
export { Sight, type SightOptions } from '../core/behaviors/avoidance/sight.js'
export { SlowInCrowd, type SlowInCrowdOptions } from './crowds/slow-in-crowd.js'
export { WallFollow, type WallFollowOptions } from './cover/wall-follow.js'

// Flocks
export { Alignment } from '../core/behaviors/flocking/alignment.js'
export { Cohesion } from '../core/behaviors/flocking/cohesion.js'
export type { AlignmentOptions, CohesionOptions } from '../core/behaviors/flocking/flock.js'
export { Flocking, type FlockingOptions } from '../core/behaviors/flocking/flocking.js'
export { Separation, type SeparationOptions } from '../core/behaviors/flocking/separation.js'

// Poses under a minimum turn radius
export { DirectedSeek, type DirectedSeekOptions } from './directed-seek/directed-seek.js'
