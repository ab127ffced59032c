import { Alignment } from '../behaviors/alignment.js'
import { AvoidAgents } from '../behaviors/avoid-agents.js'
import { Cohesion } from '../behaviors/cohesion.js'
import { EvadeGroup } from '../behaviors/evade-group.js'
import { Flocking } from '../behaviors/flocking.js'
import { KeepPace } from '../behaviors/keep-pace.js'
import { KeepSlot } from '../behaviors/keep-slot.js'
import { Queue } from '../behaviors/queue.js'
import { ReciprocalAvoidance } from '../behaviors/reciprocal-avoidance.js'
import { Separation } from '../behaviors/separation.js'
import { SlowInCrowd } from '../behaviors/slow-in-crowd.js'
import { presetType, type PresetType } from './preset-type.js'

/** What the rules of a flock have in common. */
const RULE = {
  radius: 'number',
  weight: 'number',
  fieldOfView: 'number',
  groups: 'number',
  response: 'text',
  nearest: 'number',
  leaders: 'number',
  leaderWeight: 'number',
} as const

/** Behaviours that mind others: flocks, crowds, formations. */
export const CROWD_TYPES: readonly PresetType[] = [
  presetType('Alignment', Alignment, RULE),
  presetType('AvoidAgents', AvoidAgents, {
    radius: 'number',
    maxTime: 'number',
    margin: 'number',
    groups: 'number',
    weight: 'number',
  }),
  presetType('Cohesion', Cohesion, { ...RULE, emergency: 'boolean' }),
  presetType('EvadeGroup', EvadeGroup, { groups: 'number', radius: 'number', maxTime: 'number' }),
  presetType(
    'Flocking',
    Flocking,
    { separation: RULE, alignment: RULE, cohesion: { ...RULE, emergency: 'boolean' } },
    {
      read: ({ separation, alignment, cohesion, emergency }) => ({
        separation,
        alignment,
        cohesion: Object.assign({}, cohesion, { emergency }),
      }),
    },
  ),
  presetType('KeepPace', KeepPace, { formation: 'named' }),
  presetType(
    'KeepSlot',
    KeepSlot,
    { formation: 'named', role: 'text', lead: 'instance', attitude: 'boolean' },
    { read: ({ formation, role, children: [lead], attitude }) => ({ formation, role, lead, attitude }) },
  ),
  presetType('Queue', Queue, {
    place: 'point',
    radius: 'number',
    gap: 'number',
    aside: 'number',
    through: 'vector',
    groups: 'number',
  }),
  presetType('ReciprocalAvoidance', ReciprocalAvoidance, {
    radius: 'number',
    margin: 'number',
    horizon: 'number',
    caution: 'number',
    groups: 'number',
    bias: 'number',
  }),
  presetType('Separation', Separation, { ...RULE, law: 'text', buffer: 'number', share: 'text' }),
  presetType('SlowInCrowd', SlowInCrowd, {
    behavior: 'instance',
    radius: 'number',
    place: 'point',
    least: 'number',
    full: 'number',
    range: 'number',
  }),
]
