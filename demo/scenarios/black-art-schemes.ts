import {
  blend,
  contextMap,
  dither,
  priority,
  truncatedSum,
  within,
  type Arrive,
  type AvoidObstacles,
  type Behavior,
  type Contain,
  type Part,
  type ReciprocalAvoidance,
  type Weighted,
} from 'three-steering'

/** Seven ways to combine the same four behaviours, each as a tree that can be changed in flight. */

export type Concern = 'rocks' | 'apart' | 'inside' | 'there'

/** In the initial order, most important first. */
export const CONCERNS: readonly Concern[] = ['rocks', 'apart', 'inside', 'there']

/** The behaviours of a column, one per concern. */
export interface Parts {
  readonly rocks: AvoidObstacles
  readonly apart: ReciprocalAvoidance
  readonly inside: Contain
  readonly there: Arrive
}

/** Settings of the panel, for all columns. */
export interface Mix {
  /** Most important first. */
  readonly order: Concern[]
  readonly weight: Record<Concern, number>
  readonly on: Record<Concern, boolean>
  /**
   * Dithering: probability of asking each concern except the last, and the time (s) for which a draw holds.
   */
  chance: number
  period: number
  /** Truncated sum: whether the force of the goal is removed along axes that avoidance uses. */
  project: boolean
  /**
   * Time constant of the smoothing of the force (s), and the time in which a new weight takes effect (s), for
   * all columns.
   */
  smoothing: number
  fade: number
}

export type Knob = 'weight' | 'order' | 'chance' | 'project'

/**
 * Default settings. Chosen by a scan over one minute with three seeds: weights of 2, 3, 4 and 6 to 1, the six
 * orders of the constraints, probabilities of 0.5 to 0.9, draws that hold up to 0.2 s. Smaller weights cause
 * more contacts, and 6 has twice the jitter of 4. This order suits priority and the truncated sum. Dithering
 * has half the contacts with `inside` first, but makes fewer trips. The context map and `within` have nothing
 * to tune.
 */
export function usualMix(): Mix {
  return {
    order: [...CONCERNS],
    weight: { rocks: 4, apart: 4, inside: 4, there: 1 },
    on: { rocks: true, apart: true, inside: true, there: true },
    chance: 0.9,
    period: 0,
    project: false,
    smoothing: 0,
    fade: 0,
  }
}

export interface Tree {
  readonly behavior: Behavior
  /** Applies the settings to the lists of parts in place, in flight. */
  tune(mix: Mix): void
}

/** A combination scheme. */
export interface Scheme {
  readonly name: string
  /** How it combines several opinions, in a few words. */
  readonly rule: string
  /** What follows from the rule in a crowd, in two short sentences. */
  readonly why: string
  /** Settings of the panel that it uses, besides the switches. */
  readonly knobs: readonly Knob[]
  build(parts: Parts): Tree
  /** Source code of the tree. */
  source(mix: Mix): string
}

const all = ({ rocks, apart, inside, there }: Parts): Behavior[] => [rocks, apart, inside, there]

export const SCHEMES: readonly Scheme[] = [
  {
    name: 'weighted sum',
    rule: 'all forces added, each times its weight',
    why: 'Forces of different parts cancel. Between a rock and a neighbour, little is left to turn away.',
    knobs: ['weight'],
    build(parts) {
      const tree = blend(all(parts))
      return { behavior: tree, tune: (mix) => arrange(tree.parts, parts, mix, weigh) }
    },
    source: (mix) => `blend(${list(mix, mix.order, weightOf)})`,
  },
  {
    name: 'truncated sum',
    rule: 'in order, until the force is spent',
    why: 'The first parts spend the force. What is left changes from step to step.',
    knobs: ['weight', 'order', 'project'],
    build(parts) {
      const tree = truncatedSum(all(parts))
      const tune = (mix: Mix): void => {
        arrange(tree.parts, parts, mix, weigh)
        tree.project = mix.project
      }
      return { behavior: tree, tune }
    },
    source: (mix) =>
      `truncatedSum(${list(mix, mix.order, weightOf)}${mix.project ? ', { project: true }' : ''})`,
  },
  {
    name: 'groups',
    rule: 'the sum of all constraints, or else the goal',
    why: 'Any danger switches the goal off. Out of danger it is on again, and so on.',
    knobs: ['weight', 'order'],
    build(parts) {
      const group = blend([parts.rocks, parts.apart, parts.inside])
      const tree = priority([group, parts.there])
      const tune = (mix: Mix): void => {
        arrange(group.parts, parts, mix, weigh)
        const goal = tree.parts.find(({ behavior }) => behavior === parts.there)!
        goal.enabled = mix.on.there
        tree.parts.sort((a) => ((a === goal) === (mix.order[0] === 'there') ? -1 : 1))
      }
      return { behavior: tree, tune }
    },
    source(mix) {
      const group = `blend(${list(
        mix,
        mix.order.filter((each) => each !== 'there'),
        weightOf,
      )})`
      const goal = mix.on.there ? 'there' : '{ behavior: there, enabled: false }'
      return mix.order[0] === 'there' ? `priority([${goal}, ${group}])` : `priority([${group}, ${goal}])`
    },
  },
  {
    name: 'priority',
    rule: 'the first that has an opinion decides alone',
    why: 'It minds one danger at a time. While it avoids a rock, it forgets the glass.',
    knobs: ['order'],
    build(parts) {
      const tree = priority(all(parts))
      return { behavior: tree, tune: (mix) => arrange(tree.parts, parts, mix) }
    },
    source: (mix) => `priority(${list(mix, mix.order)})`,
  },
  {
    name: 'dithering',
    rule: 'as priority, but each is asked at random',
    why: 'As priority, and at times the danger is not asked at all.',
    knobs: ['order', 'chance'],
    build(parts) {
      const tree = dither(all(parts))
      const tune = (mix: Mix): void => {
        arrange(tree.parts, parts, mix, (part, concern) => {
          part.probability = concern === mix.order.at(-1) ? 1 : mix.chance
        })
        tree.period = mix.period
      }
      return { behavior: tree, tune }
    },
    source(mix) {
      const chance = (concern: Concern): string =>
        concern === mix.order.at(-1) ? '' : `probability: ${mix.chance}`
      const held = mix.period > 0 ? `, { period: ${mix.period} }` : ''
      return `dither(${list(mix, mix.order, chance)}${held})`
    },
  },
  {
    name: 'context map',
    rule: 'the best of the directions without danger',
    why: 'Directions with danger are left out, so nothing cancels.',
    knobs: [],
    build(parts) {
      const { rocks, apart, inside, there } = parts
      const tree = contextMap({ interest: [there], danger: [rocks, apart, inside] })
      const tune = (mix: Mix): void => {
        arrange(tree.danger, parts, mix)
        arrange(tree.interest, parts, mix, fade)
      }
      return { behavior: tree, tune }
    },
    source: (mix) =>
      `contextMap({\n  interest: ${list(mix, ['there'])},\n  danger: ${list(mix, CONCERNS.slice(0, 3))},\n})`,
  },
  {
    name: 'within',
    rule: 'the wish, with all constraints solved together',
    why: 'Each danger limits the velocity. What comes nearest to the wish is flown.',
    knobs: [],
    build(parts) {
      const { rocks, apart, inside, there } = parts
      const tree = within([rocks, apart, inside], [there])
      const tune = (mix: Mix): void => {
        arrange(tree.parts, parts, mix)
        arrange(tree.wishes, parts, mix, fade)
      }
      return { behavior: tree, tune }
    },
    source: (mix) =>
      `within(${list(mix, CONCERNS.slice(0, 3))}, ${mix.on.there ? 'there' : list(mix, ['there'])})`,
  },
]

/** Sorts and switches a list of parts. `edit` changes other fields of each part. */
function arrange<P extends Part>(
  listed: P[],
  parts: Parts,
  mix: Mix,
  edit?: (part: P, concern: Concern, mix: Mix) => void,
): void {
  const concernOf = ({ behavior }: P): Concern => CONCERNS.find((each) => parts[each] === behavior)!
  listed.sort((a, b) => mix.order.indexOf(concernOf(a)) - mix.order.indexOf(concernOf(b)))
  for (const part of listed) {
    const concern = concernOf(part)
    part.enabled = mix.on[concern]
    edit?.(part, concern, mix)
  }
}

function weigh(part: Weighted, concern: Concern, mix: Mix): void {
  part.weight = mix.weight[concern]
  fade(part, concern, mix)
}

function fade(part: Weighted, _concern: Concern, mix: Mix): void {
  part.fade = mix.fade
}

function weightOf(concern: Concern, { weight }: Mix): string {
  return weight[concern] === 1 ? '' : `weight: ${weight[concern]}`
}

/** Source code of a list of parts: in one line if short, otherwise two parts per line. */
function list(
  mix: Mix,
  concerns: readonly Concern[],
  share: (concern: Concern, mix: Mix) => string = () => '',
): string {
  const items = concerns.map((concern) => {
    const more = [share(concern, mix), mix.on[concern] ? '' : 'enabled: false'].filter(Boolean)
    return more.length > 0 ? `{ behavior: ${[concern, ...more].join(', ')} }` : concern
  })
  const short = items.join(', ')
  if (short.length < 48) return `[${short}]`
  const lines = items.flatMap((item, k) =>
    k % 2 === 0 ? [[item, ...items.slice(k + 1, k + 2)].join(', ')] : [],
  )
  return `[\n  ${lines.join(',\n  ')},\n]`
}
