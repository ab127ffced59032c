import { Alignment } from '../../core/behaviors/flocking/alignment.js'
import { AvoidAgents } from '../../blocks/classic/avoid-agents.js'
import { Cohesion } from '../../core/behaviors/flocking/cohesion.js'
import { EvadeGroup } from '../../blocks/pursuit/evade-group.js'
import { Flocking } from '../../core/behaviors/flocking/flocking.js'
import { KeepPace } from '../../blocks/formation/keep-pace.js'
import { KeepSlot } from '../../blocks/formation/keep-slot.js'
import { Queue } from '../../blocks/crowds/queue.js'
import { ReciprocalAvoidance } from '../../blocks/crowds/reciprocal-avoidance.js'
import { Separation } from '../../core/behaviors/flocking/separation.js'
import { Sight } from '../../core/behaviors/avoidance/sight.js'
import { SlowInCrowd } from '../../blocks/crowds/slow-in-crowd.js'
import { presetType, presetTypes, type PresetType } from './preset-type.js'

/** Behaviours that steer by several other agents: flocks, crowds, formations. */
export const CROWD_TYPES: readonly PresetType[] = [
  ...presetTypes({ Alignment, AvoidAgents, Cohesion, EvadeGroup, Flocking, Separation, Sight }),
  ...presetTypes({ KeepPace, Queue, ReciprocalAvoidance, SlowInCrowd }),
  presetType('KeepSlot', KeepSlot, null, {
    read: (slot) => Object.assign({}, slot, { leadBehavior: slot.children[0] }),
  }),
]
