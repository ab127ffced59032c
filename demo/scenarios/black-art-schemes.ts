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

/** Seven ways to combine the same four parts, each as a tree that can be changed while it flies. */

export type Concern = 'rocks' | 'apart' | 'inside' | 'there'

/** Most important first, at the start. */
export const CONCERNS: readonly Concern[] = ['rocks', 'apart', 'inside', 'there']

/** A column has one of each. */
export interface Parts {
  readonly rocks: AvoidObstacles
  readonly apart: ReciprocalAvoidance
  readonly inside: Contain
  readonly there: Arrive
}

/** What the panel says, to all columns alike. */
export interface Mix {
  /** Most important first. */
  readonly order: Concern[]
  readonly weight: Record<Concern, number>
  readonly on: Record<Concern, boolean>
  /** Chance with which a concern is asked under dithering, but the last, and how long a draw holds, s. */
  chance: number
  period: number
  /** Whether under the truncated sum goals leave alone the axes that avoidance holds. */
  project: boolean
  /** Time constant of the force of all columns, s, and time in which a new weight takes effect, s. */
  smoothing: number
  fade: number
}

export type Knob = 'weight' | 'order' | 'chance' | 'project'

/**
 * Chosen by a scan over a minute of three seeds: weights of 2, 3, 4 and 6 to 1, the six orders of what is to be minded, chances of 0.5 to 0.9,
 * draws that hold up to 0.2 s. Less weight touches more, and 6 shakes twice as much as 4. Of the orders this one suits priority and the truncated sum;
 * dithering touches half as much with `inside` first, and gets less done. The context map and `within` have nothing to be tuned.
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
  /** Edits the lists of parts in place: the tree flies on. */
  tune(mix: Mix): void
}

/** A way to combine. */
export interface Scheme {
  readonly name: string
  /** What it does with more than one opinion, in a few words. */
  readonly rule: string
  /** What of the panel it listens to, besides the switches. */
  readonly hears: readonly Knob[]
  plant(parts: Parts): Tree
  /** The tree as source code. */
  tell(mix: Mix): string
}

const all = ({ rocks, apart, inside, there }: Parts): Behavior[] => [rocks, apart, inside, there]

export const SCHEMES: readonly Scheme[] = [
  {
    name: 'weighted sum',
    rule: 'all forces at once, each times its weight',
    hears: ['weight'],
    plant(parts) {
      const tree = blend(all(parts))
      return { behavior: tree, tune: (mix) => arrange(tree.parts, parts, mix, weigh) }
    },
    tell: (mix) => `blend(${list(mix, mix.order, weightOf)})`,
  },
  {
    name: 'truncated sum',
    rule: 'in order, until the force is spent',
    hears: ['weight', 'order', 'project'],
    plant(parts) {
      const tree = truncatedSum(all(parts))
      const tune = (mix: Mix): void => {
        arrange(tree.parts, parts, mix, weigh)
        tree.project = mix.project
      }
      return { behavior: tree, tune }
    },
    tell: (mix) =>
      `truncatedSum(${list(mix, mix.order, weightOf)}${mix.project ? ', { project: true }' : ''})`,
  },
  {
    name: 'groups',
    rule: 'a sum of all that is to be minded, else the goal',
    hears: ['weight', 'order'],
    plant(parts) {
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
    tell(mix) {
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
    rule: 'the first that wants something has its way',
    hears: ['order'],
    plant(parts) {
      const tree = priority(all(parts))
      return { behavior: tree, tune: (mix) => arrange(tree.parts, parts, mix) }
    },
    tell: (mix) => `priority(${list(mix, mix.order)})`,
  },
  {
    name: 'dithering',
    rule: 'as priority, but each is asked by chance',
    hears: ['order', 'chance'],
    plant(parts) {
      const tree = dither(all(parts))
      const tune = (mix: Mix): void => {
        arrange(tree.parts, parts, mix, (part, concern) => {
          part.probability = concern === mix.order.at(-1) ? 1 : mix.chance
        })
        tree.period = mix.period
      }
      return { behavior: tree, tune }
    },
    tell(mix) {
      const chance = (concern: Concern): string =>
        concern === mix.order.at(-1) ? '' : `probability: ${mix.chance}`
      const held = mix.period > 0 ? `, { period: ${mix.period} }` : ''
      return `dither(${list(mix, mix.order, chance)}${held})`
    },
  },
  {
    name: 'context map',
    rule: 'the best of the directions without danger',
    hears: [],
    plant(parts) {
      const { rocks, apart, inside, there } = parts
      const tree = contextMap({ interest: [there], danger: [rocks, apart, inside] })
      const tune = (mix: Mix): void => {
        arrange(tree.danger, parts, mix)
        arrange(tree.interest, parts, mix, fade)
      }
      return { behavior: tree, tune }
    },
    tell: (mix) =>
      `contextMap({\n  interest: ${list(mix, ['there'])},\n  danger: ${list(mix, CONCERNS.slice(0, 3))},\n})`,
  },
  {
    name: 'within',
    rule: 'the wish, within limits solved together',
    hears: [],
    plant(parts) {
      const { rocks, apart, inside, there } = parts
      const tree = within([rocks, apart, inside], [there])
      const tune = (mix: Mix): void => {
        arrange(tree.parts, parts, mix)
        arrange(tree.wishes, parts, mix, fade)
      }
      return { behavior: tree, tune }
    },
    tell: (mix) =>
      `within(${list(mix, CONCERNS.slice(0, 3))}, ${mix.on.there ? 'there' : list(mix, ['there'])})`,
  },
]

/** Sorts a list of parts and switches them; `edit` does what else there is to do to each. */
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

/** Parts as source code: two in a line, or all when they are short. */
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
