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
import { Sight } from '../behaviors/avoidance/sight.js'
import { SlowInCrowd } from '../behaviors/avoidance/slow-in-crowd.js'
import { presetType, type PresetType } from './preset-type.js'

/** Behaviours that steer by several other agents: flocks, crowds, formations. */
export const CROWD_TYPES: readonly PresetType[] = [
  presetType('Alignment', Alignment),
  presetType('AvoidAgents', AvoidAgents),
  presetType('Cohesion', Cohesion),
  presetType('EvadeGroup', EvadeGroup),
  presetType('Flocking', Flocking),
  presetType('KeepPace', KeepPace),
  presetType('KeepSlot', KeepSlot, null, {
    read: ({ formation, role, children: [leadBehavior], attitude }) => ({
      formation,
      role,
      leadBehavior,
      attitude,
    }),
  }),
  presetType('Queue', Queue),
  presetType('ReciprocalAvoidance', ReciprocalAvoidance),
  presetType('Separation', Separation),
  presetType('Sight', Sight),
  presetType('SlowInCrowd', SlowInCrowd),
]
