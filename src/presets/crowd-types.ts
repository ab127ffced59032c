import { Alignment } from '../behaviors/flocking/alignment.js'
import { AvoidAgents } from '../behaviors/avoidance/avoid-agents.js'
import { Cohesion } from '../behaviors/flocking/cohesion.js'
import { EvadeGroup } from '../behaviors/pursuit/evade-group.js'
import { Flocking } from '../behaviors/flocking/flocking.js'
import { KeepPace } from '../behaviors/formation/keep-pace.js'
import { KeepSlot } from '../behaviors/formation/keep-slot.js'
import { Queue } from '../behaviors/avoidance/queue.js'
import { ReciprocalAvoidance } from '../behaviors/avoidance/reciprocal-avoidance.js'
import { Separation } from '../behaviors/flocking/separation.js'
import { SlowInCrowd } from '../behaviors/avoidance/slow-in-crowd.js'
import { presetType, type PresetType } from './preset-type.js'

/** Options that all flocking rules share. */
const RULE = {
  neighborDistance: 'number',
  weight: 'number',
  fieldOfView: 'number',
  groups: 'number',
  response: 'text',
  maxNeighbors: 'number',
  leaders: 'number',
  leaderWeight: 'number',
} as const

const ALIGNMENT = { ...RULE, match: 'text' } as const
const COHESION = { ...RULE, emergency: 'boolean', approach: 'text' } as const

/** Behaviours that steer by several other agents: flocks, crowds, formations. */
export const CROWD_TYPES: readonly PresetType[] = [
  presetType('Alignment', Alignment, ALIGNMENT),
  presetType('AvoidAgents', AvoidAgents, {
    neighborDistance: 'number',
    maxPredictionTime: 'number',
    clearance: 'number',
    groups: 'number',
    weight: 'number',
  }),
  presetType('Cohesion', Cohesion, COHESION),
  presetType('EvadeGroup', EvadeGroup, {
    groups: 'number',
    neighborDistance: 'number',
    maxPredictionTime: 'number',
  }),
  presetType('Flocking', Flocking, { separation: RULE, alignment: ALIGNMENT, cohesion: COHESION }),
  presetType('KeepPace', KeepPace, { formation: 'named' }),
  presetType(
    'KeepSlot',
    KeepSlot,
    { formation: 'named', role: 'text', leadBehavior: 'instance', attitude: 'boolean' },
    {
      read: ({ formation, role, children: [leadBehavior], attitude }) => ({
        formation,
        role,
        leadBehavior,
        attitude,
      }),
    },
  ),
  presetType('Queue', Queue, {
    target: 'point',
    radius: 'number',
    clearance: 'number',
    sideClearance: 'number',
    exitDirection: 'vector',
    groups: 'number',
  }),
  presetType('ReciprocalAvoidance', ReciprocalAvoidance, {
    neighborDistance: 'number',
    clearance: 'number',
    horizon: 'number',
    caution: 'number',
    groups: 'number',
    bias: 'number',
  }),
  presetType('Separation', Separation, {
    ...RULE,
    law: 'text',
    falloff: 'function',
    prefer: 'text',
    clearance: 'number',
    share: 'text',
  }),
  presetType('SlowInCrowd', SlowInCrowd, {
    behavior: 'instance',
    radius: 'number',
    target: 'point',
    minSpeedShare: 'number',
    fullDensity: 'number',
    neighborDistance: 'number',
  }),
]
